package funnel.sort;

import static funnel.sort.SortOracle.at;
import static funnel.sort.SortOracle.compare;
import static funnel.sort.SortOracle.compareAlone;
import static funnel.sort.SortOracle.dealtKeys;
import static funnel.sort.SortOracle.keys;
import static funnel.sort.SortOracle.made;
import static funnel.sort.SortOracle.order;
import static funnel.sort.SortOracle.requireSorted;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.Types;
import funnel.Values;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.ptx.PtxDriver;
import funnel.scan.Segments;
import funnel.transform.Scatter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What sorts are on every engine; the oracle is the JDK's stable sort of boxed positions. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SortContract {

  private static final int TURN = Seed.random("turn of capacities").nextInt(2);

  abstract Target target();

  /** The most elements, and lengths up to that. */
  abstract int[] lengths();

  /** A length of several tiles, for each kind of keys. */
  abstract int several();

  private final Funnel funnel = Funnel.open(target());

  @AfterAll
  void close() {
    funnel.close();
  }

  private Plan plan(ElementType type, int capacity, boolean isDescending) {
    return funnel
        .plan("p")
        .input("x", type, capacity)
        .add("y", isDescending ? Sort.descending() : Sort.ascending(), "x")
        .add("order", isDescending ? Order.descending() : Order.ascending(), "x")
        .build();
  }

  private void check(Plan plan, Values x, boolean isDescending, String what) {
    SplittableRandom random = Seed.random(what);
    int length = x.length();
    ElementType type = x.type();
    int[] order = order(length, isDescending, (i, j) -> compare(x, i, j));
    int[] alone = order(length, isDescending, (i, j) -> compareAlone(x, i, j));
    int from = random.nextInt(4);
    int positionsFrom = random.nextInt(4);
    Values input = at(type, 3 - from, x);
    int hash = input.hash();
    Values y = Values.guard(type, length + from + 3);
    Values positions = Values.guard(ElementType.INT, length + positionsFrom + 3);
    Values wanted = Values.ofLength(ElementType.INT, length);
    for (int i = 0; i < length; i++) {
      wanted.set(i, order[i]);
    }
    int[] asTheyAre = IntStream.range(0, length).toArray();
    plan.run(
        Map.of("x", input.range(3 - from, 3 - from + length).elements()),
        Map.of(
            "y", y.range(from, from + length).elements(),
            "order", positions.range(positionsFrom, positionsFrom + length).elements()));
    requireSorted(x, alone, y, from, what);
    requireSorted(wanted, asTheyAre, positions, positionsFrom, what + ", order");
    assertEquals(hash, input.hash(), what + ", input");
  }

  /** Without a device, each length in one of both orders; in the emulator of every other type. */
  @ParameterizedTest
  @Types
  void sorts(ElementType type) {
    SplittableRandom random = Seed.random("sort" + type);
    int turn = random.nextInt(2);
    for (boolean isDescending : new boolean[] {false, true}) {
      int capacity = Arrays.stream(lengths()).max().orElseThrow();
      try (Plan plan = plan(type, capacity, isDescending)) {
        turn++;
        for (int k = 0; k < lengths().length; k++) {
          boolean isTried = target() != Target.EMULATOR || (TURN + type.ordinal() + k / 2) % 2 == 0;
          if (PtxDriver.isDevice(target())
              || isTried && (turn + k) % 2 == 0
              || Seed.draws(random, 20)) {
            int length = lengths()[k];
            Values x = made(type, length, i -> random.nextLong());
            check(plan, x, isDescending, type + " of " + length + ", descending " + isDescending);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @Types
  void sortsKeysOfAllKinds(ElementType type) {
    SplittableRandom random = Seed.random("kinds" + type);
    boolean isDescending = random.nextBoolean();
    try (Plan plan = plan(type, several(), isDescending)) {
      int kind = 0;
      boolean isDevice = PtxDriver.isDevice(target());
      for (Values x :
          isDevice ? keys(type, several(), random) : dealtKeys(type, several(), random)) {
        check(plan, x, isDescending, type + ", kind " + kind++ + ", descending " + isDescending);
      }
    }
  }

  /** Plans of a tile launch less; in the emulator each capacity has a type or two. */
  @ParameterizedTest
  @Types
  void sortsATile(ElementType type) {
    SplittableRandom random = Seed.random("tile" + type);
    int turn = TURN + type.ordinal();
    for (int capacity : new int[] {1, 300, 3328, 3841, 5377, 5888, 8445}) {
      if (target() == Target.EMULATOR && turn++ % 3 > 0 && !Seed.draws(random, 20)) {
        continue;
      }
      boolean isDescending = random.nextBoolean();
      try (Plan plan = plan(type, capacity, isDescending)) {
        for (int length : new int[] {capacity, random.nextInt(capacity + 1)}) {
          Values x = made(type, length, i -> random.nextLong());
          check(plan, x, isDescending, type + " of " + length + " in " + capacity);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BYTE", "INT", "LONG"})
  void sortsByBits(ElementType type) {
    SplittableRandom random = Seed.random("bits" + type);
    int all = 8 * type.bytes();
    int from = random.nextInt(all);
    int to = from + 1 + random.nextInt(all - from);
    for (int first : new int[] {0, from, all - 1}) {
      int last = first == from ? to : all - (first == 0 ? 1 : 0);
      long mask = last - first == 64 ? -1 : (1L << (last - first)) - 1;
      boolean isDescending = random.nextBoolean();
      Values x = made(type, several(), i -> random.nextLong());
      long sign = last == all && type != ElementType.BYTE ? 1L << (last - first - 1) : 0;
      Comparator<Integer> comparator =
          (i, j) ->
              Long.compareUnsigned(
                  (x.longAt(i) >>> first & mask) ^ sign, (x.longAt(j) >>> first & mask) ^ sign);
      int[] order = order(x.length(), isDescending, comparator);
      Values y = Values.ofLength(type, x.length());
      Sort sort = (isDescending ? Sort.descending() : Sort.ascending()).bits(first, last);
      funnel.run(sort, Map.of("result", y.elements()), x.elements());
      requireSorted(x, order, y, 0, type + ", " + sort);
      Values rows = Values.ofLength(type, x.length());
      funnel.run(sort.rows(), Map.of("result_1", rows.elements()), x.elements(), x.elements());
      requireSorted(x, order, rows, 0, type + ", " + sort.rows());
    }
  }

  /** Integers below a limit, and others, with and without their positions; plans of a tile too. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void stepsBelowALimit(boolean hasPositions) {
    SplittableRandom random = Seed.random("step" + hasPositions);
    int most = Arrays.stream(lengths()).max().orElseThrow();
    int any = 1 + random.nextInt(1 << random.nextInt(1, 31));
    for (int limit : new int[] {1, 2, any, 1 << 14, 65_537, Integer.MAX_VALUE}) {
      Operation step =
          (y, inputs) ->
              new Expansion(
                  List.of(Sort.step(y, hasPositions ? "at" : null, inputs.getFirst(), limit)),
                  List.of());
      int mask = Math.max(1, Integer.MAX_VALUE >>> Integer.numberOfLeadingZeros(limit - 1) - 1);
      int hot = random.nextInt(limit);
      List<IntFunction<Long>> kinds =
          List.of(
              i -> random.nextLong(limit),
              i -> random.nextLong(),
              i -> random.nextInt(10) == 0 ? random.nextLong(limit) : hot,
              i -> (long) (i % 2 == 0 ? limit - 1 : -1));
      int capacity = random.nextBoolean() ? most : 2048;
      try (Plan plan =
          funnel.plan("p").input("x", ElementType.INT, capacity).add("y", step, "x").build()) {
        for (int length : Arrays.stream(lengths()).filter(n -> n <= capacity).toArray()) {
          if (target() == Target.EMULATOR && !Seed.draws(random, 2)) {
            continue;
          }
          int kind = random.nextInt(kinds.size());
          Values x = made(ElementType.INT, length, kinds.get(kind));
          int[] order =
              order(length, false, Comparator.comparingInt(i -> (int) x.longAt(i) & mask));
          String what = "limit=%s, kind=%s, length=%s".formatted(limit, kind, length);
          Results results = plan.run(Map.of("x", x.elements()));
          int[] sorted = Arrays.stream(order).map(i -> (int) x.longAt(i)).toArray();
          assertArrayEquals(sorted, results.ints("y"), () -> what + Seed.replay());
          if (hasPositions) {
            assertArrayEquals(order, results.ints("at"), () -> what + Seed.replay());
          }
        }
      }
    }
  }

  /** With and without a sign, of two arrays of keys too. */
  @ParameterizedTest
  @EnumSource(names = {"BYTE", "INT", "LONG"})
  void signs(ElementType type) {
    SplittableRandom random = Seed.random("signs" + type);
    boolean isDescending = random.nextBoolean();
    Values x = made(type, several(), i -> random.nextLong());
    int byte0 = type == ElementType.BYTE ? 128 : 0;
    Comparator<Integer> signed = (i, j) -> Long.compare(x.longAt(i) ^ byte0, x.longAt(j) ^ byte0);
    Comparator<Integer> unsigned = (i, j) -> Long.compareUnsigned(x.longAt(i), x.longAt(j));
    Sort sort = isDescending ? Sort.descending() : Sort.ascending();
    for (boolean isSigned : new boolean[] {false, true}) {
      Sort given = isSigned ? sort.signed() : sort.unsigned();
      int[] order = order(x.length(), isDescending, isSigned ? signed : unsigned);
      Values y = Values.ofLength(type, x.length());
      funnel.run(given, Map.of("result", y.elements()), x.elements());
      requireSorted(x, order, y, 0, type + ", " + given);
      assertArrayEquals(
          order, funnel.run(Order.of(given), x.elements()).ints("result"), given::toString);
    }
  }

  @ParameterizedTest
  @Types
  void sortsBySeveralKeys(ElementType type) {
    SplittableRandom random = Seed.random("several keys" + type);
    boolean isDescending = random.nextBoolean();
    ElementType other = ElementType.values()[random.nextInt(5)];
    Values first = made(ElementType.INT, several(), i -> random.nextLong(-3, 3));
    Values second = made(other, several(), i -> random.nextLong() % 3);
    Values third = made(type, several(), i -> random.nextLong());
    Comparator<Integer> comparator =
        Comparator.<Integer>comparingInt(i -> (int) first.longAt(i))
            .thenComparing((i, j) -> compare(second, i, j))
            .thenComparing((i, j) -> compare(third, i, j));
    int[] order = order(several(), isDescending, comparator);
    Sort sort = isDescending ? Sort.descending() : Sort.ascending();
    Values y = Values.ofLength(type, several());
    funnel.run(
        sort.rows(3),
        Map.of("result_1", y.elements()),
        first.elements(),
        second.elements(),
        third.elements(),
        third.elements());
    requireSorted(third, order, y, 0, type + ", " + other);
    assertArrayEquals(
        order,
        funnel
            .run(Order.of(sort), first.elements(), second.elements(), third.elements())
            .ints("result"),
        Seed.replay());
  }

  @ParameterizedTest
  @Types
  void sortsSegments(ElementType type) {
    SplittableRandom random = Seed.random("segments" + type);
    int length = several();
    List<Values> kinds = keys(type, length, random);
    Values x = random.nextBoolean() ? kinds.getFirst() : kinds.getLast(); // of NaN too
    int longest = 1 << random.nextInt(1, 14);
    IntStream.Builder starts = IntStream.builder();
    Values heads = Values.ofLength(ElementType.BYTE, length);
    Values keys = Values.ofLength(ElementType.INT, length);
    int[] bits = new int[Math.ceilDiv(length, 32)];
    int[] segments = new int[length];
    int key = 0;
    for (int i = 0, next = 0; i < length; i++) {
      if (i == next) {
        starts.add(i);
        heads.set(i, 1);
        bits[i / 32] |= 1 << i;
        key = random.nextBoolean() ? key + 1 : key - 1;
        next += 1 + random.nextInt(longest);
      }
      keys.set(i, key);
      segments[i] = i == 0 ? 0 : segments[i - 1] + (int) heads.longAt(i);
    }
    boolean isDescending = random.nextBoolean();
    SegmentedSort sort = isDescending ? SegmentedSort.descending() : SegmentedSort.ascending();
    UnaryOperator<Comparator<Integer>> inSegments =
        comparator ->
            Comparator.<Integer>comparingInt(i -> segments[i])
                .thenComparing(isDescending ? comparator.reversed() : comparator);
    int[] order = order(length, false, inSegments.apply((i, j) -> compareAlone(x, i, j)));
    int[] offsets = starts.build().toArray();
    int[] ended = Arrays.copyOf(offsets, offsets.length + 1);
    ended[offsets.length] = length;
    Map<SegmentedSort, Elements> ways =
        Map.of(
            sort.segments(Segments.byOffsetsWithEnd()),
            Elements.of(ended),
            sort,
            heads.elements(),
            sort.segments(Segments.byOffsets()),
            Elements.of(offsets),
            sort.segments(Segments.byHeadBits()),
            Elements.of(bits),
            sort.segments(Segments.byKeys()),
            keys.elements());
    ways.forEach(
        (way, given) -> {
          Values y = Values.ofLength(type, length);
          funnel.run(way, Map.of("result", y.elements()), x.elements(), given);
          requireSorted(x, order, y, 0, type + ", " + way);
        });
    Sort rows = (isDescending ? Sort.descending() : Sort.ascending()).rows();
    Values column = Values.random(ElementType.LONG, length, random);
    Values y = Values.ofLength(ElementType.LONG, length);
    funnel.run(
        SegmentedSort.of(rows),
        Map.of("result_1", y.elements()),
        x.elements(),
        heads.elements(),
        column.elements());
    int[] orderOfRows = order(length, false, inSegments.apply((i, j) -> compare(x, i, j)));
    requireSorted(column, orderOfRows, y, 0, type + ", rows");
  }

  /**
   * Lengths around those that kernels take together, empty segments, and long ones at both ends.
   */
  @ParameterizedTest
  @Types
  void sortsSegmentsOfAnyLength(ElementType type) {
    SplittableRandom random = Seed.random("lengths of segments" + type);
    int[] lengths = {
      0, 6145, 1, 16, 2047, 0, 0, 255, 1792, 10, 10, 2048, 257, 2049, 7, 1791, 4097, 0
    };
    if (random.nextBoolean()) {
      Arrays.sort(lengths);
    }
    sortsSegments(type, lengths, random);
  }

  /** Lengths around those that kernels sort by counting, in several tiles; then one long one. */
  @ParameterizedTest
  @Types
  void sortsShortSegments(ElementType type) {
    SplittableRandom random = Seed.random("short segments" + type);
    int[] some = {0, 1, 15, 16, 17, 2, 31, 32, 33, 0, 0, 7, 8, 9, 10, 16, 16, 3, 24, 25, 5};
    int[] lengths = random.ints(300, 0, some.length).map(i -> some[i]).toArray();
    sortsSegments(type, lengths, random);
    lengths[random.nextInt(300)] = 5000;
    sortsSegments(type, lengths, random);
    Arrays.fill(lengths, 1);
    sortsSegments(type, lengths, random);
  }

  private void sortsSegments(ElementType type, int[] lengths, SplittableRandom random) {
    int[] offsets = new int[lengths.length];
    for (int k = 1; k < lengths.length; k++) {
      offsets[k] = offsets[k - 1] + lengths[k - 1];
    }
    int length = offsets[lengths.length - 1] + lengths[lengths.length - 1];
    int[] segments = new int[length];
    for (int k = 0; k < lengths.length; k++) {
      Arrays.fill(segments, offsets[k], offsets[k] + lengths[k], k);
    }
    List<Values> kinds = keys(type, length, random);
    Values x = kinds.get(random.nextInt(kinds.size()));
    Comparator<Integer> inSegments = Comparator.comparingInt(i -> segments[i]);
    Values y = Values.ofLength(type, length);
    Elements given = Elements.of(offsets);
    SegmentedSort sort = SegmentedSort.ascending().segments(Segments.byOffsets());
    funnel.run(sort, Map.of("result", y.elements()), x.elements(), given);
    int[] order = order(length, false, inSegments.thenComparing((i, j) -> compareAlone(x, i, j)));
    requireSorted(x, order, y, 0, type + ", keys");
    Values column = Values.random(ElementType.INT, length, random);
    Values rows = Values.ofLength(ElementType.INT, length);
    funnel.run(
        SegmentedSort.of(Sort.descending().rows()).segments(Segments.byOffsets()),
        Map.of("result_1", rows.elements()),
        x.elements(),
        given,
        column.elements());
    order = order(length, false, inSegments.thenComparing((i, j) -> compare(x, j, i)));
    requireSorted(column, order, rows, 0, type + ", rows");
  }

  @ParameterizedTest
  @Types
  void sortsRows(ElementType type) {
    SplittableRandom random = Seed.random("rows" + type);
    int length = several();
    Values keys = made(type, length, i -> random.nextLong(9));
    int[] order = order(length, true, (i, j) -> compare(keys, i, j));
    Plan.Builder builder =
        funnel.plan("p").input("x", type, length).add("keys", Sort.descending().rows(), "x", "x");
    List<Values> columns = new ArrayList<>();
    Map<String, Elements> inputs = new java.util.HashMap<>(Map.of("x", keys.elements()));
    for (ElementType other : ElementType.values()) {
      Values column = Values.random(other, length, random);
      builder.input("c" + other, other, length);
      builder.add("y" + other, Sort.descending().rows(), "x", "c" + other);
      inputs.put("c" + other, column.elements());
      columns.add(column);
    }
    try (Plan plan = builder.build()) {
      Map<String, Elements> outputs = new java.util.HashMap<>();
      Values sorted = Values.ofLength(type, length);
      outputs.put("keys_1", sorted.elements());
      List<Values> made = columns.stream().map(c -> Values.ofLength(c.type(), length)).toList();
      made.forEach(y -> outputs.put("y" + y.type() + "_1", y.elements()));
      plan.run(inputs, outputs);
      requireSorted(keys, order, sorted, 0, "keys");
      for (int i = 0; i < made.size(); i++) {
        requireSorted(columns.get(i), order, made.get(i), 0, "column " + columns.get(i).type());
      }
    }
  }

  @Test
  void memoryOutsideOfTheHeap_andConfined() {
    int[] x = Seed.random("memory").ints(several()).toArray();
    int[] sorted = x.clone();
    Arrays.sort(sorted);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment in = arena.allocate(4L * x.length + 1).asSlice(1);
      MemorySegment out = arena.allocate(4L * x.length + 1).asSlice(1);
      MemorySegment.copy(MemorySegment.ofArray(x), 0, in, 0, 4L * x.length);
      funnel.run(
          Sort.ascending(),
          Map.of("result", Elements.of(out, ElementType.INT)),
          Elements.of(in, ElementType.INT));
      int[] y = new int[x.length];
      MemorySegment.copy(out, 0, MemorySegment.ofArray(y), 0, 4L * x.length);
      assertArrayEquals(sorted, y, Seed.replay());
    }
  }

  @Test
  void examplesAndEmptyInputs() {
    Elements x = Elements.of(new int[] {3, 1, 4, 1});
    Elements none = Elements.of(new int[0]);
    assertArrayEquals(new int[] {1, 1, 3, 4}, funnel.run(Sort.ascending(), x).ints("result"));
    assertArrayEquals(new int[] {4, 3, 1, 1}, funnel.run(Sort.descending(), x).ints("result"));
    assertArrayEquals(new int[] {1, 3, 0, 2}, funnel.run(Order.ascending(), x).ints("result"));
    assertArrayEquals(new int[] {2, 0, 1, 3}, funnel.run(Order.descending(), x).ints("result"));
    Elements bytes = Elements.of(new byte[] {1, -1, 0});
    assertArrayEquals(new byte[] {0, 1, -1}, funnel.run(Sort.ascending(), bytes).bytes("result"));
    assertArrayEquals(
        new byte[] {-1, 0, 1}, funnel.run(Sort.ascending().signed(), bytes).bytes("result"));
    assertArrayEquals(
        new int[] {1, 2, 0},
        funnel
            .run(
                Order.ascending(),
                Elements.of(new int[] {1, 0, 1}),
                Elements.of(new int[] {5, 9, 4}))
            .ints("result"));
    Elements pi = Elements.of(new int[] {3, 1, 4, 1, 5});
    Elements heads = Elements.of(new byte[] {1, 0, 1, 0, 0});
    assertArrayEquals(
        new int[] {1, 3, 1, 4, 5}, funnel.run(SegmentedSort.ascending(), pi, heads).ints("result"));
    assertArrayEquals(
        new int[] {3, 1, 5, 4, 1},
        funnel.run(SegmentedSort.descending(), pi, heads).ints("result"));
    assertArrayEquals(
        new int[0],
        funnel.run(SegmentedSort.ascending(), none, Elements.of(new byte[0])).ints("result"));
    assertArrayEquals(
        new int[] {0x12, 0x31, 0x30},
        funnel
            .run(Sort.ascending().bits(4, 8), Elements.of(new int[] {0x31, 0x12, 0x30}))
            .ints("result"));
    Results rows =
        funnel.run(
            Sort.ascending().rows(),
            Elements.of(new long[] {3, 1, 1}),
            Elements.of(new int[] {10, 20, 30}),
            Elements.of(new float[] {.5f, .6f, .7f}));
    assertArrayEquals(new int[] {20, 30, 10}, rows.ints("result_1"));
    assertArrayEquals(new float[] {.6f, .7f, .5f}, rows.floats("result_2"));
    assertArrayEquals(new int[0], funnel.run(Sort.ascending(), none).ints("result"));
    assertArrayEquals(new int[0], funnel.run(Order.descending(), none).ints("result"));
    assertArrayEquals(
        new int[0], funnel.run(Sort.descending().rows(), none, none).ints("result_1"));
  }

  @Test
  void whatIsNotTaken_isNamed() {
    Plan.Builder plan =
        funnel.plan("p").input("x", ElementType.INT, 5).input("f", ElementType.FLOAT, 5);
    Map<Runnable, String> messages =
        Map.ofEntries(
            Map.entry(() -> plan.add("a", Sort.ascending(), "x", "x"), "takes one input, given=2"),
            Map.entry(
                () -> plan.add("a", Sort.ascending().rows(), "x"), "and then columns, given=1"),
            Map.entry(
                () -> plan.add("a", Sort.ascending().rows(2), "x", "x"),
                "and then columns, given=2"),
            Map.entry(() -> plan.add("a", Order.ascending()), "takes keys, given=0"),
            Map.entry(
                () -> plan.add("a", Sort.ascending().bits(0, 33), "x"), "input x is of type INT"),
            Map.entry(
                () -> plan.add("a", Sort.ascending().bits(0, 3), "f"), "input f is of type FLOAT"),
            Map.entry(
                () -> plan.add("a", Sort.ascending().signed(), "f"), "input f is of type FLOAT"),
            Map.entry(() -> plan.add("a", SegmentedSort.ascending(), "x"), "given=1 inputs"),
            Map.entry(
                () -> plan.add("a", SegmentedSort.ascending(), "x", "x", "x"), "given=3 inputs"),
            Map.entry(
                () -> plan.add("a", SegmentedSort.of(Sort.ascending().rows()), "x", "x"),
                "and then columns, given=2"),
            Map.entry(
                () -> plan.add("a", SegmentedSort.ascending(), "x", "f"), "but f is of type FLOAT"),
            Map.entry(() -> SegmentedSort.of(Sort.ascending().rows(2)), "by one array of keys"),
            Map.entry(() -> Order.of(Sort.ascending().rows()), "give the sort without rows()"),
            Map.entry(() -> Sort.ascending().rows(0), "arrays of keys=0"),
            Map.entry(() -> Sort.ascending().bits(3, 3), "from=3 to=3"),
            Map.entry(() -> Sort.step("y", null, new Input("x", ElementType.INT, 5), 0), "limit=0"),
            Map.entry(
                () -> Sort.step("y", null, new Input("x", ElementType.BYTE, 5), 257),
                "input x is of type BYTE"),
            Map.entry(() -> Sort.ascending().bits(-1, 3), "from=-1 to=3"),
            Map.entry(() -> Sort.ascending().bits(0, 65), "from=0 to=65"),
            Map.entry(
                () ->
                    funnel.run(
                        Sort.ascending().rows(), Elements.of(new int[2]), Elements.of(new int[3])),
                "length of"),
            Map.entry(
                () ->
                    funnel.run(Order.ascending(), Elements.of(new int[2]), Elements.of(new int[3])),
                "length of"),
            Map.entry(
                () ->
                    funnel.run(
                        SegmentedSort.ascending(),
                        Elements.of(new int[2]),
                        Elements.of(new byte[3])),
                "for 2 values it is 2"),
            Map.entry(
                () ->
                    funnel.run(
                        SegmentedSort.ascending().segments(Segments.byOffsets()),
                        Elements.of(new int[2]),
                        Elements.of(new int[] {0, 3})),
                "offset"));
    messages.forEach(
        (run, message) -> {
          String given = assertThrows(IllegalArgumentException.class, run::run).getMessage();
          assertTrue(String.valueOf(given).contains(message), given);
        });
  }

  /** A sort that found long segments has written nothing yet, which others must not refuse. */
  @Test
  void aLongSegment_isSortedBeforeOthersRead() {
    int n = 5000;
    int[] descending = IntStream.range(0, n).map(i -> n - 1 - i).toArray();
    byte[] heads = new byte[n];
    heads[0] = 1;
    try (Plan plan =
        funnel
            .plan("scattered")
            .input("x", ElementType.INT, n)
            .input("h", ElementType.BYTE, n)
            .add("s", SegmentedSort.ascending(), "x", "h")
            .add("y", Scatter.into(n), "x", "s")
            .build()) {
      for (int run = 0; run < 2; run++) {
        assertArrayEquals(
            descending,
            plan.run(Map.of("x", Elements.of(descending), "h", Elements.of(heads))).ints("y"));
      }
    }
  }
}
