package funnel.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.FusedFunction;
import funnel.Numbers;
import funnel.Seed;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Device;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorCode;
import funnel.reduce.UserOperators;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** What segmented scans compute, on every engine; the oracle is a plain loop. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SegmentedScanContract extends SegmentedScanTrial {

  /** Ways to say where segments begin. */
  // Tests

  @ParameterizedTest
  @EnumSource(Given.class)
  void patterns(Given given) {
    SplittableRandom random = Seed.random("patterns" + given);
    for (ElementType type : List.of(ElementType.INT, ElementType.DOUBLE)) {
      for (int length : lengths(type)) {
        Number[] values = random(type, length, random);
        for (BitSet heads : patterns(type, length, random)) {
          if (Seed.draws(random, oneIn())) {
            check(
                Operator.SUM,
                type,
                Operator.SUM.identity(type),
                random.nextBoolean(),
                values,
                given,
                heads,
                random);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(value = ElementType.class, names = "BYTE", mode = EnumSource.Mode.EXCLUDE)
  void chunks(ElementType type) {
    SplittableRandom random = Seed.random("chunks" + type);
    int chunk = SegmentedTree.CHUNK * SegmentedTree.tile(type);
    int turn = Seed.random("turn of chunks").nextInt(4) + type.ordinal();
    for (int length : longLengths(type)) {
      Number[] values = random(type, length, random);
      List<BitSet> patterns = new ArrayList<>();
      for (int shift = -1; shift <= 1; shift++) {
        patterns.add(borders(type, chunk, shift, length));
      }
      patterns.add(heads("middle", length, random));
      patterns.add(heads("seldom", length, random));
      if (!isQuick()) {
        BitSet all = heads("seldom", length, random);
        all.or(patterns.get(random.nextInt(3)));
        patterns = List.of(all);
      }
      for (BitSet heads : patterns) {
        // of lengths and patterns each type has a fourth, all types together have all
        if (!isQuick() || turn++ % 4 == 0 || Seed.draws(random, 20)) {
          check(
              Operator.SUM,
              type,
              Numbers.of(type, 3),
              true,
              values,
              Given.HEAD_BITS,
              heads,
              random);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(value = ElementType.class, names = "BYTE", mode = EnumSource.Mode.EXCLUDE)
  void operators(ElementType type) {
    SplittableRandom random = Seed.random("operators" + type);
    int length = SegmentedTree.tile(type) + 100;
    Number[] values = random(type, length, random);
    for (Operator operator :
        List.of(
            Operator.SUM,
            Operator.PRODUCT,
            Operator.MIN,
            Operator.MAX,
            Operator.AND,
            Operator.OR,
            Operator.XOR)) {
      if (type.isFloating() && operator.code() >= OperatorCode.AND
          || type.isFloating() && operator == Operator.PRODUCT) {
        continue;
      }
      Given given = Given.values()[random.nextInt(Given.values().length)];
      int turn = random.nextInt(4);
      for (boolean inclusive : new boolean[] {true, false}) {
        for (Number initial : List.of(operator.identity(type), Numbers.of(type, 5))) {
          if (turn++ % 4 == 0 || Seed.draws(random, oneIn())) {
            check(
                operator,
                type,
                initial,
                inclusive,
                values,
                given,
                heads("often", length, random),
                random);
          }
        }
      }
    }
  }

  /** What a scan makes of a function's values is what it makes of an array of them. */
  @ParameterizedTest
  @EnumSource(value = ElementType.class, names = "BYTE", mode = EnumSource.Mode.EXCLUDE)
  void mapped(ElementType type) {
    SplittableRandom random = Seed.random("mapped" + type);
    int turn = random.nextInt(2);
    for (FusedFunction function : FusedFunction.over(type)) {
      if (oneIn() > 1 && turn++ % 2 > 0 && !Seed.draws(random, oneIn())) {
        continue; // orders of threads do not depend on it: one of the two for each
      }
      Given given = Given.values()[random.nextInt(Given.values().length)];
      SegmentedScan scan = SegmentedScan.inclusive(Operator.SUM).from(Numbers.of(type, 3));
      scan = random.nextBoolean() ? scan : SegmentedScan.exclusive(Operator.MAX);
      int most = SegmentedTree.tile(type) + 17;
      for (int length : new int[] {0, most, random.nextInt(most)}) {
        Number[] x = random(type, length, random);
        Number[] values = Numbers.of(length, i -> function.of(i, x[i]));
        Number[] segments = given.segments(heads("often", length, random), length, random);
        Numbers.requireSame(
            run(scan, type, values, given, segments),
            run(scan.mapped(function.transform()), type, x, given, segments),
            "%s of %s by %s, length=%s%s"
                .formatted(scan, function.transform(), given, length, Seed.replay()));
      }
    }
    assertThrows(
        IllegalArgumentException.class,
        () ->
            program(
                SegmentedScan.inclusive(Operator.MAX).mapped(FusedFunction.test(type).transform()),
                type,
                Given.HEADS,
                1));
  }

  @Test
  void floats_specialValuesStayInTheirSegments() {
    SplittableRandom random = Seed.random("special");
    int length = SegmentedTree.tile(ElementType.FLOAT) + 500;
    for (Operator operator : List.of(Operator.SUM, Operator.MIN, Operator.MAX)) {
      Number[] values =
          Numbers.of(
              length,
              i ->
                  switch (i % 700) {
                    case 50 -> Float.NaN;
                    case 100 -> Float.POSITIVE_INFINITY;
                    case 150 -> Float.NEGATIVE_INFINITY;
                    default -> i % 3 == 0 ? -0f : (float) (i % 5 - 2);
                  });
      BitSet heads = borders(ElementType.FLOAT, 75, 0, length); // sums of small integers are exact
      for (boolean inclusive : new boolean[] {true, false}) {
        SegmentedScan scan =
            inclusive ? SegmentedScan.inclusive(operator) : SegmentedScan.exclusive(operator);
        Number initial = operator.identity(ElementType.FLOAT);
        Numbers.requireSame(
            loop(operator, ElementType.FLOAT, initial, inclusive, values, heads),
            run(
                scan,
                ElementType.FLOAT,
                values,
                Given.HEADS,
                Given.HEADS.segments(heads, length, random)),
            message(scan.toString(), Given.HEADS, length, heads));
      }
    }
  }

  /** -0.0 as the initial value stays in each segment until something else is added. */
  @ParameterizedTest
  @EnumSource(
      value = ElementType.class,
      names = {"FLOAT", "DOUBLE"})
  void negativeZeroAsTheInitialValue(ElementType type) {
    SplittableRandom random = Seed.random("negative" + type);
    int length = 2 * SegmentedTree.tile(type) + 100;
    Number[] values =
        Numbers.of(length, i -> Numbers.of(type, random.nextInt(2000) == 0 ? 0.0 : -0.0));
    Number initial = Numbers.of(type, -0.0);
    for (String pattern : List.of("none", "seldom", "often")) {
      BitSet heads = heads(pattern, length, random);
      for (boolean inclusive : new boolean[] {true, false}) {
        SegmentedScan scan =
            inclusive
                ? SegmentedScan.inclusive(Operator.SUM)
                : SegmentedScan.exclusive(Operator.SUM);
        for (int n : new int[] {length, 0}) {
          Number[] some = Arrays.copyOf(values, n);
          BitSet within = heads.get(0, n);
          Numbers.requireSame(
              loop(Operator.SUM, type, initial, inclusive, some, within),
              run(
                  scan.from(initial),
                  type,
                  some,
                  Given.HEADS,
                  Given.HEADS.segments(within, n, random)),
              message(scan.toString(), Given.HEADS, n, within));
        }
      }
    }
  }

  /** Maps {@code x -> a * x + b}, packed, the left one applied first. */
  private static final Operator AFFINE =
      Operator.ofLong("affine", 1L << 32, SegmentedScanContract::affine);

  static long affine(long left, long right) {
    int a = (int) (left >> 32);
    int b = (int) left;
    int c = (int) (right >> 32);
    int d = (int) right;
    return ((long) (a * c) << 32) | ((b * c + d) & 0xffffffffL);
  }

  private static final Operator LAST = Operator.ofInt("last", 0, (a, b) -> b != 0 ? b : a);
  private static final Operator PLUS = Operator.ofFloat("plus", 0f, (a, b) -> a + b);

  @Test
  void usersOperators() {
    SplittableRandom random = Seed.random("users");
    int length = 2 * SegmentedTree.tile(ElementType.LONG) + 77;
    Number[] longs = random(ElementType.LONG, length, random);
    Number[] ints = Numbers.of(length, i -> random.nextInt(3) == 0 ? random.nextInt() : 0);
    Number[] floats = random(ElementType.FLOAT, length, random);
    int turn = random.nextInt(6);
    for (String pattern : List.of("none", "often", "seldom")) {
      BitSet heads = heads(pattern, length, random);
      for (boolean inclusive : new boolean[] {true, false}) {
        if (turn++ % oneOfUsersIn() > 0 && !Seed.draws(random, oneIn())) {
          continue;
        }
        for (Number initial : List.of(1L << 32, 12345678901L)) {
          check(
              AFFINE, ElementType.LONG, initial, inclusive, longs, Given.LONG_KEYS, heads, random);
        }
        Operator matrix = UserOperators.MATRIX;
        check(matrix, ElementType.LONG, 5L, inclusive, longs, Given.HEADS, heads, random);
        check(LAST, ElementType.INT, 0, inclusive, ints, Given.OFFSETS, heads, random);
        check(PLUS, ElementType.FLOAT, 0f, inclusive, floats, Given.INT_KEYS, heads, random);
      }
    }
  }

  /** Index ranges [a, b), packed, that must meet; the identity is an empty one. */
  private static final Operator MERGE = Operator.ofLong("merge", 0L, SegmentedScanContract::merge);

  static long merge(long left, long right) {
    int a = (int) (left >> 32);
    int b = (int) left;
    int c = (int) (right >> 32);
    int d = (int) right;
    long joined = b == c ? ((long) a << 32) | (d & 0xffffffffL) : -1L;
    long unlessRightEmpty = c == d ? left : joined;
    return left == -1L | right == -1L ? -1L : a == b ? right : unlessRightEmpty;
  }

  @Test
  void operandsAreNeighboursInOneSegment() {
    SplittableRandom random = Seed.random("neighbours");
    int length = 3 * SegmentedTree.tile(ElementType.LONG) + 5;
    Number[] values = Numbers.of(length, i -> ((long) i << 32) | (i + 1));
    for (String pattern : List.of("none", "every", "often", "seldom")) {
      BitSet heads = heads(pattern, length, random);
      Number[] segments = Given.HEADS.segments(heads, length, random);
      Number[] seen =
          run(SegmentedScan.inclusive(MERGE), ElementType.LONG, values, Given.HEADS, segments);
      long head = 0;
      for (int i = 0; i < length; i++) {
        head = heads.get(i) ? i : head;
        assertEquals((head << 32) | (i + 1), seen[i], message(pattern, Given.HEADS, length, heads));
      }
    }
  }

  /** What the output lies over. */
  private enum Over {
    VALUES,
    KEYS,
    BITS
  }

  @ParameterizedTest
  @EnumSource(Over.class)
  void inPlace(Over over) {
    int length = 3 * SegmentedTree.tile(ElementType.INT);
    SplittableRandom random = Seed.random("inPlace");
    BitSet heads = heads("often", length, random);
    Number[] values = random(ElementType.INT, length, random);
    Given given = over == Over.BITS ? Given.HEAD_BITS : Given.INT_KEYS;
    Number[] segments = given.segments(heads, length, random);
    Number[] expected = loop(Operator.SUM, ElementType.INT, 0, true, values, heads);
    IntArray x = new IntArray(length);
    IntArray s = new IntArray(length);
    for (int i = 0; i < length; i++) {
      x.set(i, values[i].intValue());
      s.set(i, i < segments.length ? segments[i].intValue() : 0);
    }
    IntArray y = over == Over.VALUES ? x : s;
    Map<String, TornadoNativeArray> bound = Map.of("x", x, "s", s, "y", y);
    List<Input> inputs =
        List.of(new Input("x", ElementType.INT, length), new Input("s", ElementType.INT, length));
    Expansion expansion =
        SegmentedScan.inclusive(Operator.SUM)
            .segments(given.way())
            .by(ScanForm.SINGLE_PASS)
            .expand("y", inputs);
    Program inPlace = Program.of(inputs, expansion.primitives());
    Map<ScanForm, List<Primitive.Slot>> slots = new EnumMap<>(ScanForm.class);
    for (ScanForm form : ScanForm.values()) {
      SegmentedScan scan = SegmentedScan.inclusive(Operator.SUM).segments(given.way()).by(form);
      slots.put(form, slots(Program.of(inputs, scan.expand("y", inputs).primitives())));
    }
    assertNotEquals(slots.get(ScanForm.SINGLE_PASS), slots.get(ScanForm.REDUCE_THEN_SCAN));
    assertEquals(slots.get(ScanForm.REDUCE_THEN_SCAN), slots(inPlace.on(Device.EMULATOR, bound)));
    try (LoadedProgram program = engine.load(inPlace, bound)) {
      program.setRange("x", 0, length);
      program.setRange("s", 0, segments.length);
      program.setRange("y", 0, length);
      program.run();
      for (int i = 0; i < length; i++) {
        assertEquals(expected[i], y.get(i), "over %s, at %s".formatted(over, i));
      }
    }
  }

  // Bad input

  private static final SegmentedScan SUMS = SegmentedScan.inclusive(Operator.SUM);

  @ParameterizedTest
  @EnumSource(ScanForm.class)
  void wrongOffsets_areRefused_andTheNextRunIsRight(ScanForm form) {
    int length = 100;
    IntArray y = new IntArray(length);
    try (LoadedProgram program =
        engine.load(
            program(SUMS.by(form), ElementType.INT, Given.OFFSETS, length), Map.of("y", y))) {
      program.setRange("y", 0, length);
      program.set("x", Numbers.segment(ElementType.INT, Numbers.of(length, i -> 1)));
      Map<Number[], String> refused = new HashMap<>();
      refused.put(new Number[] {0, 9, 5, 3, 100}, "offset[2]=5, previous offset=9, length=100");
      refused.put(new Number[] {-3, 9}, "offset[0]=-3, previous offset=0, length=100");
      refused.put(new Number[] {0, 50, 101}, "offset[2]=101, previous offset=50, length=100");
      Number[] many = Numbers.of(190, i -> i == 177 ? 1 : Math.min(i, 100));
      refused.put(many, "offset[177]=1, previous offset=100, length=100");
      refused.forEach(
          (offsets, message) -> {
            y.init(-7);
            program.set("s", Numbers.segment(ElementType.INT, offsets));
            SegmentOffsetsException e =
                assertThrows(SegmentOffsetsException.class, program::run, message);
            assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
            program.set("s", Numbers.segment(ElementType.INT, new Number[] {40, 40, 100}));
            for (int i = 0; i < length; i++) {
              assertEquals(-7, y.get(i), "written at " + i);
            }
            program.run();
            assertEquals(60, program.result("y_total"));
            assertEquals(40, y.get(39));
            assertEquals(1, y.get(40));
          });
    }
  }

  /** The end is the length, where offsets without one end anywhere. */
  @ParameterizedTest
  @EnumSource(ScanForm.class)
  void wrongEnds_areRefused_andTheNextRunIsRight(ScanForm form) {
    int length = 100;
    IntArray y = new IntArray(length);
    Program ended = program(SUMS.by(form), ElementType.INT, Given.OFFSETS_WITH_END, length);
    try (LoadedProgram program = engine.load(ended, Map.of("y", y))) {
      program.setRange("y", 0, length);
      program.set("x", Numbers.segment(ElementType.INT, Numbers.of(length, i -> 1)));
      Map<Number[], String> refused = new HashMap<>();
      refused.put(new Number[] {0, 50, 99}, "offset[2]=99, previous offset=50, length=100");
      refused.put(new Number[] {0, 50, 101}, "offset[2]=101, previous offset=50, length=100");
      refused.put(new Number[] {7}, "offset[0]=7, previous offset=0, length=100");
      refused.put(new Number[] {0, 9, 5, 3}, "offset[2]=5, previous offset=9, length=100");
      refused.forEach(
          (offsets, message) -> {
            y.init(-7);
            program.set("s", Numbers.segment(ElementType.INT, offsets));
            SegmentOffsetsException e =
                assertThrows(SegmentOffsetsException.class, program::run, message);
            String whole = message + "; offsets ascend from 0 to the length, which is the last";
            assertTrue(String.valueOf(e.getMessage()).endsWith(whole), e.getMessage());
            for (int i = 0; i < length; i++) {
              assertEquals(-7, y.get(i), "written at " + i);
            }
            program.set("s", Numbers.segment(ElementType.INT, new Number[] {40, 40, 100}));
            program.run();
            assertEquals(60, program.result("y_total"));
            assertEquals(40, y.get(39));
            assertEquals(1, y.get(40));
          });
    }
    step(Given.OFFSETS_WITH_END).requireLengths(lengths(65, 1));
    IllegalArgumentException none =
        assertThrows(
            IllegalArgumentException.class,
            () -> step(Given.OFFSETS_WITH_END).requireLengths(lengths(65, 0)));
    assertEquals(
        "segments of y by offsets with end s: length=0, for 65 values it is 1 or more",
        none.getMessage());
  }

  /** Engines try kernels on the first elements of the inputs: offsets may then be too large. */
  @ParameterizedTest
  @EnumSource(ScanForm.class)
  void offsetsBehindValuesThatWereCutOff(ScanForm form) {
    offsetsBehindValuesThatWereCutOff(form, Given.OFFSETS);
    offsetsBehindValuesThatWereCutOff(form, Given.OFFSETS_WITH_END);
  }

  private void offsetsBehindValuesThatWereCutOff(ScanForm form, Given given) {
    Program cut = program(SUMS.by(form), ElementType.INT, given, 100).in(Setting.within(50));
    try (LoadedProgram program = engine.load(cut, Map.of())) {
      Number[] values = Numbers.of(50, i -> 1);
      Number[] seen =
          results(program, ElementType.INT, values, given, new Number[] {0, 30, 50, 90, 95});
      assertEquals(20, seen[50]);
      program.set("s", Numbers.segment(ElementType.INT, new Number[] {0, 90, 30, 95}));
      assertThrows(SegmentOffsetsException.class, program::run);
    }
  }

  private static List<Primitive.Slot> slots(Program program) {
    return program.steps().getFirst().layout().slots();
  }

  private Step step(Given given) {
    return program(SUMS, ElementType.INT, given, 100).steps().getFirst();
  }

  private static Primitive.Lengths lengths(int values, int segments) {
    return new Primitive.Lengths() {
      @Override
      public int offset(String name) {
        return 0;
      }

      @Override
      public int length(String name) {
        return name.equals("x") ? values : segments;
      }

      @Override
      public int index(String result) {
        return 0;
      }
    };
  }

  @Test
  void segmentsOfAnotherLength() {
    for (Given given : List.of(Given.HEADS, Given.INT_KEYS, Given.LONG_KEYS)) {
      step(given).requireLengths(lengths(70, 70));
      for (int segments : new int[] {0, 69, 71}) {
        String message =
            String.valueOf(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> step(given).requireLengths(lengths(70, segments)))
                    .getMessage());
        assertTrue(message.contains("length=" + segments) && message.contains("70"), message);
      }
    }
    step(Given.HEAD_BITS).requireLengths(lengths(64, 2));
    step(Given.HEAD_BITS).requireLengths(lengths(65, 3));
    step(Given.HEAD_BITS).requireLengths(lengths(0, 0));
    step(Given.OFFSETS).requireLengths(lengths(65, 0));
    assertThrows(
        IllegalArgumentException.class, () -> step(Given.HEAD_BITS).requireLengths(lengths(65, 2)));
  }

  @Test
  void typesThatDoNotFit() {
    record Bad(SegmentedScan scan, ElementType values, ElementType segments) {}
    for (Bad bad :
        List.of(
            new Bad(SUMS, ElementType.INT, ElementType.INT),
            new Bad(SUMS.segments(Segments.byHeadBits()), ElementType.INT, ElementType.BYTE),
            new Bad(SUMS.segments(Segments.byOffsets()), ElementType.INT, ElementType.LONG),
            new Bad(SUMS.segments(Segments.byKeys()), ElementType.INT, ElementType.FLOAT),
            new Bad(SUMS, ElementType.BYTE, ElementType.BYTE),
            new Bad(SUMS.from(0.5), ElementType.INT, ElementType.BYTE),
            new Bad(SUMS.from(1L << 40), ElementType.INT, ElementType.BYTE),
            new Bad(SegmentedScan.inclusive(Operator.XOR), ElementType.FLOAT, ElementType.BYTE))) {
      List<Input> inputs =
          List.of(new Input("x", bad.values(), 10), new Input("s", bad.segments(), 10));
      assertThrows(
          IllegalArgumentException.class, () -> bad.scan().expand("y", inputs), bad.toString());
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> SUMS.expand("y", List.of(new Input("x", ElementType.INT, 10))));
  }

  @Test
  void emptyInput() {
    for (Given given : Given.values()) {
      Number[] none = given == Given.OFFSETS_WITH_END ? new Number[] {0} : new Number[0];
      Number[] seen = run(SUMS.from(9), ElementType.INT, new Number[0], given, none);
      assertEquals(List.of(9), List.of(seen), given.toString());
    }
  }

  @Test
  void example() {
    Number[] values = {3, 1, 4, 1, 5};
    Map<Given, Number[]> segments =
        Map.of(
            Given.HEADS, new Number[] {1, 0, 1, 0, 0},
            Given.HEAD_BITS, new Number[] {5},
            Given.OFFSETS, new Number[] {0, 2},
            Given.OFFSETS_WITH_END, new Number[] {0, 2, 5},
            Given.INT_KEYS, new Number[] {7, 7, 2, 2, 2},
            Given.LONG_KEYS, new Number[] {7, 7, 2, 2, 2});
    SegmentedScan exclusive = SegmentedScan.exclusive(Operator.SUM);
    for (Given given : new TreeSet<>(segments.keySet())) {
      Number[] s = segments.get(given);
      assertEquals(
          List.of(3, 4, 4, 5, 10, 10), List.of(run(SUMS, ElementType.INT, values, given, s)));
      assertEquals(
          List.of(0, 3, 0, 4, 5, 10), List.of(run(exclusive, ElementType.INT, values, given, s)));
      assertEquals(
          List.of(103, 104, 104, 105, 110, 110),
          List.of(run(SUMS.from(100), ElementType.INT, values, given, s)));
      assertEquals(
          List.of(100, 103, 100, 104, 105, 110),
          List.of(run(exclusive.from(100), ElementType.INT, values, given, s)));
    }
  }
}
