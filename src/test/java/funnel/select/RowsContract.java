package funnel.select;

import static funnel.select.SelectContract.array;
import static funnel.select.SelectContract.at;
import static funnel.select.SelectContract.places;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.FusedFunction;
import funnel.Numbers;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.Types;
import funnel.Values;
import funnel.operation.OutputTooShortException;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.transform.Elementwise;
import funnel.transform.IndexOutsideException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;

/** What selections of rows, three-way partitions and searches are on every engine. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RowsContract {

  private static final int TURN = Seed.random("turn of lengths").nextInt(2);

  abstract Target target();

  /** The most elements, and lengths up to that. */
  abstract int[] lengths();

  private final Funnel funnel = Funnel.open(target());

  @AfterAll
  void close() {
    funnel.close();
  }

  /** In the emulator each length has two types or three. */
  private int[] lengths(ElementType type) {
    int[] all = lengths();
    return IntStream.range(0, all.length)
        .filter(k -> target() != Target.EMULATOR || (TURN + type.ordinal() + k) % 2 == 0)
        .map(k -> all[k])
        .toArray();
  }

  private int capacity() {
    return IntStream.of(lengths()).max().orElseThrow();
  }

  private static Values part(ElementType type, int length, SplittableRandom random) {
    int from = random.nextInt(4);
    return Values.random(type, from + length + 2, random).range(from, from + length);
  }

  /** A key of ints decides about columns of all types, itself among them. */
  @ParameterizedTest
  @Types
  void ofAllTypes(ElementType type) {
    SplittableRandom random = Seed.random("rows" + type);
    Transform small = Transform.testInt("small", v -> v < 2);
    Elementwise far =
        Elementwise.ofInt("far", (i, a, b) -> i % 3 == 0 | a * b > 4 ? 1 : 0).indexed();
    Elementwise even = Elementwise.ofInt("even", (i, a) -> 1 - ((i + a) & 1)).indexed();
    try (Plan plan =
        funnel
            .plan("p")
            .input("key", ElementType.INT, capacity())
            .input("x", type, capacity())
            .input("z", ElementType.DOUBLE, capacity())
            .input("f", ElementType.BYTE, capacity())
            .input("bits", ElementType.INT, Math.ceilDiv(capacity(), 32))
            .add("a", Select.where(small).rows(), "key", "x", "key", "z", "key")
            .add("b", Select.where(small).rejecting().rows().withPositions(), "key", "x")
            .add("c", Select.flagged().rows(), "f", "x", "z")
            .add("d", Select.flagged().rejecting().rows(), "bits", "x")
            .add("e", Unique.adjacent().rows(), "key", "x", "key")
            .add("k", Select.where(small).rows(), "key", "key")
            .add("g", Select.where(far).rejecting().rows(), "key", "key", "x", "key")
            .add("h", Select.where(far), "x", "key", "key")
            .add("j", Partition.where(even).joined(), "x", "key")
            .add("l", Select.where(far).positions(), "e_2", "e_2", "e_2")
            .add("most", Reduction.of(Operator.MAX), "k_1")
            .build()) {
      for (int length : lengths(type)) {
        int[] keys = random.ints(length, 0, random.nextInt(2, 5)).sorted().toArray();
        Values x = part(type, length, random);
        Values z = part(ElementType.DOUBLE, length, random);
        byte[] flags = new byte[length];
        random.nextBytes(flags);
        IntStream.range(0, length).forEach(i -> flags[i] &= 1);
        int[] bits = random.ints(Math.ceilDiv(length, 32)).toArray();
        String what = "%s, length %s%s".formatted(type, length, Seed.replay());
        Results results =
            plan.run(
                Map.of(
                    "key", Elements.of(keys),
                    "x", x.elements(),
                    "z", z.elements(),
                    "f", Elements.of(flags),
                    "bits", Elements.of(bits)));
        int[] yes = places(length, i -> keys[i] < 2);
        int[] no = places(length, i -> keys[i] >= 2);
        int[] keptKeys = IntStream.of(yes).map(i -> keys[i]).toArray();
        Numbers.requireSame(at(x, yes), array(results, "a_1", type), what);
        assertArrayEquals(keptKeys, results.ints("a_2"), what);
        Numbers.requireSame(at(z, yes), array(results, "a_3", ElementType.DOUBLE), what);
        assertArrayEquals(keptKeys, results.ints("a_4"), what);
        Numbers.requireSame(at(x, no), array(results, "b_1", type), what);
        assertArrayEquals(no, results.ints("b_positions"), what);
        int[] flagged = places(length, i -> flags[i] != 0);
        Numbers.requireSame(at(x, flagged), array(results, "c_1", type), what);
        Numbers.requireSame(at(z, flagged), array(results, "c_2", ElementType.DOUBLE), what);
        int[] unset = places(length, i -> (bits[i / 32] & 1 << i) == 0);
        Numbers.requireSame(at(x, unset), array(results, "d_1", type), what);
        int[] heads = places(length, i -> i == 0 || keys[i] != keys[i - 1]);
        Numbers.requireSame(at(x, heads), array(results, "e_1", type), what);
        assertArrayEquals(IntStream.of(heads).map(i -> keys[i]).toArray(), results.ints("e_2"));
        assertArrayEquals(keptKeys, results.ints("k_1"), what);
        int[] isFar = places(length, i -> i % 3 == 0 || keys[i] * keys[i] > 4);
        int[] isNear = places(length, i -> i % 3 != 0 && keys[i] * keys[i] <= 4);
        Numbers.requireSame(at(x, isNear), array(results, "g_1", type), what);
        assertEquals(isNear.length, results.length("g_2"), what);
        Numbers.requireSame(at(x, isFar), array(results, "h", type), what);
        IntPredicate isEven = i -> ((i + keys[i]) & 1) == 0;
        int[] evenFirst =
            IntStream.concat(
                    IntStream.of(places(length, isEven)),
                    IntStream.of(places(length, isEven.negate())))
                .toArray();
        Numbers.requireSame(at(x, evenFirst), array(results, "j", type), what);
        int[] ofHeads =
            places(heads.length, i -> i % 3 == 0 || keys[heads[i]] * keys[heads[i]] > 4);
        assertArrayEquals(ofHeads, results.ints("l"), what);
        if (yes.length > 0) {
          assertEquals(keptKeys[yes.length - 1], results.getInt("most"), what);
        }
      }
    }
  }

  @ParameterizedTest
  @Types
  void inThreeParts_andTheFirst(ElementType type) {
    SplittableRandom random = Seed.random("three" + type);
    Transform odd = SelectContract.test(type);
    Transform small =
        switch (type) {
          case BYTE, INT -> Transform.testInt("small", v -> v < 90);
          case LONG -> Transform.testLong("small", v -> v < 90);
          case FLOAT -> Transform.testFloat("small", v -> v < 90);
          case DOUBLE -> Transform.testDouble("small", v -> v < 90);
        };
    Transform twice =
        switch (type) {
          case BYTE, INT -> Transform.ofInt("twice", v -> 2 * v + 1);
          case LONG -> Transform.ofLong("twice", v -> 2 * v + 1);
          case FLOAT -> Transform.ofFloat("twice", v -> 2 * v);
          case DOUBLE -> Transform.ofDouble("twice", v -> 2 * v);
        };
    FusedFunction at = FusedFunction.over(type).getLast();
    FusedFunction there = FusedFunction.test(type);
    Elementwise apply =
        switch (twice.function()) {
          case Transform.IntMap f -> Elementwise.ofInt("twice", f).to(type);
          case Transform.LongMap f -> Elementwise.ofLong("twice", f);
          case Transform.FloatMap f -> Elementwise.ofFloat("twice", f);
          default -> Elementwise.ofDouble("twice", (Transform.DoubleMap) twice.function());
        };
    try (Plan plan =
        funnel
            .plan("p")
            .input("x", type, capacity())
            .add("mapped", Select.where(odd).mapped(twice), "x")
            .add("indexed", Select.where(odd).mapped(at.transform()), "x")
            .add("values", at.values().to(type), "x")
            .add("column", Select.where(odd).rows(), "x", "values")
            .add("there", Select.where(there.transform()).withPositions(), "x")
            .add("flagged", Select.where(there.values()).withPositions(), "x", "x")
            .add("count", Reduction.countIf(there.transform()), "x")
            .add("firstThere", FindFirst.where(there.transform()), "x")
            .add("kept", Select.where(odd), "x")
            .add("expected", apply, "kept")
            .add("parts", new ThreeWayPartition(odd, small), "x")
            .add("other", FindFirst.where(small).rejecting(), "x")
            .add("first", FindFirst.where(odd), "parts_rest")
            .add("second", FindFirst.where(odd), "x")
            .build()) {
      for (int length : lengths(type)) {
        Values x = part(type, length, random);
        int ofOdd = random.nextInt(3); // all, mixed or none
        boolean[] isOdd = new boolean[length];
        boolean[] isSmall = new boolean[length];
        for (int i = 0; i < length; i++) {
          isOdd[i] = ofOdd == 0 || ofOdd == 1 && random.nextBoolean();
          int value = random.nextInt(1, 60) * 2;
          isSmall[i] = value < 90;
          if (type.isFloating()) {
            x.set(i, isOdd[i] ? value : -value);
            isSmall[i] |= !isOdd[i];
          } else {
            isSmall[i] = value + (isOdd[i] ? 1 : 0) < 90;
            x.set(i, (long) value + (isOdd[i] ? 1 : 0));
          }
        }
        String what = "%s, length %s%s".formatted(type, length, Seed.replay());
        Results results = plan.run(Map.of("x", x.elements()));
        int[] one = places(length, i -> isOdd[i]);
        int[] two = places(length, i -> !isOdd[i] && isSmall[i]);
        int[] rest = places(length, i -> !isOdd[i] && !isSmall[i]);
        Numbers.requireSame(at(x, one), array(results, "parts_first", type), what);
        Numbers.requireSame(at(x, two), array(results, "parts_second", type), what);
        Numbers.requireSame(at(x, rest), array(results, "parts_rest", type), what);
        Numbers.requireSame(array(results, "expected", type), array(results, "mapped", type), what);
        Numbers.requireSame(
            array(results, "column_1", type), array(results, "indexed", type), what);
        Numbers.requireSame(array(results, "flagged", type), array(results, "there", type), what);
        int[] positions = results.ints("flagged_positions");
        assertArrayEquals(positions, results.ints("there_positions"), what);
        assertEquals(positions.length, results.getLong("count"), what);
        assertEquals(positions.length == 0 ? -1 : positions[0], results.getInt("firstThere"), what);
        int[] large = places(length, i -> !isSmall[i]);
        assertEquals(large.length == 0 ? -1 : large[0], results.getInt("other"), what);
        assertEquals(-1, results.getInt("first"), what);
        assertEquals(one.length == 0 ? -1 : one[0], results.getInt("second"), what);
      }
    }
  }

  /** The one place that there is, wherever it is. */
  @Test
  void oneThatIsFound() {
    SplittableRandom random = Seed.random("one");
    Transform isSet = Transform.testInt("set", v -> v != 0);
    int length = capacity();
    try (Plan plan =
        funnel
            .plan("p")
            .input("x", ElementType.INT, length)
            .add("first", FindFirst.where(isSet), "x")
            .build()) {
      int[] x = new int[length];
      for (int place : new int[] {0, 1, random.nextInt(length), length - 2, length - 1}) {
        x[place] = -1;
        x[length - 1] = -1;
        assertEquals(place, plan.run(Map.of("x", Elements.of(x))).getInt("first"));
        assertEquals(
            -1, plan.run(Map.of("x", Elements.of(x, 0, place))).getInt("first"), "before it");
        x[place] = 0;
        x[length - 1] = 0;
      }
    }
  }

  /** Runs decoded are what was encoded; runs of length 0 are nothing. */
  @ParameterizedTest
  @Types
  void runsDecoded(ElementType type) {
    SplittableRandom random = Seed.random("decode" + type);
    try (Plan plan =
        funnel
            .plan("p")
            .input("x", type, capacity())
            .input("lengths", ElementType.INT, capacity())
            .add("y", Runs.decode(capacity()), "x", "lengths")
            .add("runs", Runs.encode(), "y")
            .add("again", Runs.decode(capacity()), "runs", "runs_lengths")
            .build()) {
      for (int length : lengths(type)) {
        int longest = 1 << random.nextInt(1, 14);
        int runs = random.nextInt(Math.max(1, Math.min(length, 2 * length / longest)) + 1);
        int[] lengths = random.ints(runs, 0, longest + 1).toArray();
        int[] of = new int[capacity()];
        int total = 0;
        for (int run = 0; run < runs; run++) {
          lengths[run] = Math.min(lengths[run], capacity() - total);
          Arrays.fill(of, total, total + lengths[run], run);
          total += lengths[run];
        }
        Values x = part(type, runs, random);
        String what = "%s, %s runs up to %s%s".formatted(type, runs, longest, Seed.replay());
        Results results = plan.run(Map.of("x", x.elements(), "lengths", Elements.of(lengths)));
        Number[] expected = at(x, Arrays.copyOf(of, total));
        Numbers.requireSame(expected, array(results, "y", type), what);
        Numbers.requireSame(expected, array(results, "again", type), what);
      }
    }
  }

  /**
   * Kernels are checked with the first runs, which may be longer than what they are checked with.
   */
  @Test
  void runsLongerThanWhatIsChecked() {
    int most = capacity();
    int[] x = IntStream.range(0, 1 + most / 2).toArray();
    int[] lengths = new int[x.length];
    Arrays.fill(lengths, 1);
    lengths[0] = most - most / 2;
    Results results = funnel.run(Runs.decode(most), Elements.of(x), Elements.of(lengths));
    int[] expected = IntStream.range(0, most).map(i -> Math.max(0, i - lengths[0] + 1)).toArray();
    assertArrayEquals(expected, results.ints("result"));
  }

  @Test
  void runsThatCannotBeDecoded() {
    Elements x = Elements.of(new int[] {7, 8, 9});
    int[] y = {1, 1, 1, 1, 1};
    Map<String, Elements> into = Map.of("result", Elements.of(y));
    IndexOutsideException negative =
        assertThrows(
            IndexOutsideException.class,
            () -> funnel.run(Runs.decode(5), into, x, Elements.of(new int[] {1, 2, -3})));
    assertEquals(2, negative.position());
    assertTrue(negative.getMessage().contains("input2[2]=-3 is less than 0"), negative::toString);
    int most = Integer.MAX_VALUE;
    for (int[] lengths : new int[][] {{1, 2, 3}, {0, most, 0}, {most, most, most}}) {
      OutputTooShortException many =
          assertThrows(
              OutputTooShortException.class,
              () -> funnel.run(Runs.decode(5), into, x, Elements.of(lengths)));
      long found = IntStream.of(lengths).asLongStream().sum();
      assertEquals(found, many.found());
      assertEquals(
          "decoded array result has more elements than "
              + (found == 6
                  ? "its capacity: found=6, capacity=5; use Runs.decode(6) or more"
                  : "an array can have: found=%s, largest=2147483639; take the input in parts"
                      .formatted(found)),
          many.getMessage());
    }
    assertArrayEquals(new int[] {1, 1, 1, 1, 1}, y);
    int[] none = funnel.run(Runs.decode(0), x, Elements.of(new int[3])).ints("result");
    assertEquals(0, none.length);
    Results right = funnel.run(Runs.decode(5), into, x, Elements.of(new int[] {1, 0, 4}));
    assertArrayEquals(new int[] {7, 9, 9, 9, 9}, right.ints("result"));
    assertThrows(IllegalArgumentException.class, () -> Runs.decode(-1));
    IllegalArgumentException unequal =
        assertThrows(
            IllegalArgumentException.class,
            () -> funnel.run(Runs.decode(5), x, Elements.of(new int[2])));
    assertTrue(
        unequal.getMessage().contains("length of input1=3, length of input2=2"), unequal::toString);
  }

  @Test
  void whatTheyDoNotTake_isNamed() {
    Elements three = Elements.of(new int[3]);
    Elements four = Elements.of(new float[4]);
    Transform small = Transform.testInt("small", v -> v < 2);
    Transform ofLongs = Transform.testLong("long", v -> v < 2);
    Map<Runnable, String> messages = new HashMap<>();
    messages.put(() -> funnel.run(Select.where(small).rows(), three), "columns, given=1");
    messages.put(() -> funnel.run(Select.flagged().rows(), three), "flags, and then columns");
    messages.put(() -> funnel.run(Unique.adjacent().rows(), three), "columns, given=1");
    messages.put(
        () -> funnel.run(Select.where(small).rows(), three, three, four),
        "length of input1=3, length of input3=4");
    Elementwise sum = Elementwise.ofInt("sum", (a, b) -> a + b);
    messages.put(() -> funnel.run(Select.where(sum), three, three), "the 2 inputs of sum");
    messages.put(() -> funnel.run(Select.where(sum).rows(), three, three), "given=2 inputs");
    messages.put(
        () -> funnel.run(Select.where(sum), Elements.of(new int[4]), three, three),
        "length=3, for 4 elements it is 4");
    Transform twice = Transform.ofInt("twice", v -> 2 * v);
    Select kept = Select.where(small);
    messages.put(() -> kept.rows().mapped(twice), "no elements of its own");
    messages.put(() -> kept.positions().mapped(twice), "no elements of its own");
    messages.put(() -> kept.mapped(small), "small is not a map");
    Elements flags = Elements.of(new byte[4]);
    messages.put(() -> funnel.run(Select.flagged().mapped(twice), four, flags), "twice takes INT");
    messages.put(
        () -> funnel.run(Unique.adjacent().rows(), three, four),
        "length of input1=3, length of input2=4");
    messages.put(
        () -> funnel.run(Select.flagged().rows(), Elements.of(new byte[3]), four),
        "length=3, for 4 elements it is 4");
    messages.put(() -> funnel.run(Select.where(ofLongs).rows(), three, three), "takes LONG");
    messages.put(() -> funnel.run(FindFirst.where(ofLongs), three), "takes LONG");
    messages.put(() -> funnel.run(FindFirst.where(small), three, three), "one input, given=2");
    messages.put(() -> FindFirst.where(Transform.ofInt("f", v -> v)), "f is not a predicate");
    messages.put(() -> funnel.run(new ThreeWayPartition(small, ofLongs), three), "takes LONG");
    messages.put(
        () -> new ThreeWayPartition(small, Transform.ofInt("f", v -> v)), "f is not a predicate");
    messages.forEach(
        (run, message) -> {
          String given = assertThrows(IllegalArgumentException.class, run::run).getMessage();
          assertTrue(String.valueOf(given).contains(message), given);
        });
  }
}
