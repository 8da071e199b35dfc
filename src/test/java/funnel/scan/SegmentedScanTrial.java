package funnel.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Numbers;
import funnel.Seed;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorCode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs segmented scans on an engine, and computes what they have to give. */
abstract class SegmentedScanTrial {

  enum Given {
    HEADS(ElementType.BYTE),
    HEAD_BITS(ElementType.INT),
    OFFSETS(ElementType.INT),
    OFFSETS_WITH_END(ElementType.INT),
    INT_KEYS(ElementType.INT),
    LONG_KEYS(ElementType.LONG);

    final ElementType type;

    Given(ElementType type) {
      this.type = type;
    }

    Segments way() {
      return switch (this) {
        case HEADS -> Segments.byHeads();
        case HEAD_BITS -> Segments.byHeadBits();
        case OFFSETS -> Segments.byOffsets();
        case OFFSETS_WITH_END -> Segments.byOffsetsWithEnd();
        case INT_KEYS, LONG_KEYS -> Segments.byKeys();
      };
    }

    /** The second input for segments that begin at the bits set; element 0 counts by itself. */
    Number[] segments(BitSet heads, int length, SplittableRandom random) {
      return switch (this) {
        case HEADS -> Numbers.of(length, i -> heads.get(i) ? (byte) (1 << random.nextInt(8)) : 0);
        case HEAD_BITS ->
            Numbers.of(
                Math.ceilDiv(length, 32),
                w -> {
                  int word = 0;
                  for (int b = 0; b < 32; b++) {
                    boolean head = 32 * w + b < length ? heads.get(32 * w + b) : b % 3 == 0;
                    word |= head ? 1 << b : 0;
                  }
                  return word;
                });
        case OFFSETS, OFFSETS_WITH_END -> {
          List<Number> offsets = new ArrayList<>();
          heads.stream()
              .forEach(
                  i -> {
                    offsets.add(i);
                    while (random.nextInt(4) == 0) {
                      offsets.add(i); // an empty segment
                    }
                  });
          if (this == OFFSETS_WITH_END || random.nextBoolean()) {
            offsets.add(length);
          }
          yield offsets.toArray(Number[]::new);
        }
        case INT_KEYS, LONG_KEYS -> {
          Number[] keys = new Number[length];
          long key = random.nextLong();
          for (int i = 0; i < length; i++) {
            key =
                heads.get(i)
                    ? key + (1L << random.nextInt(type == ElementType.INT ? 32 : 64))
                    : key;
            keys[i] = key;
          }
          yield keys;
        }
      };
    }
  }

  Engine engine = new JvmEngine();
  final Map<List<Object>, LoadedProgram> loaded = new HashMap<>();

  abstract Engine open();

  /** The capacity of the program that takes inputs of a length. */
  abstract int capacity(int length);

  /** The forms that are run; their results have the same bits. */
  List<ScanForm> forms() {
    return List.of(ScanForm.values());
  }

  /** Lengths for every way to give segments. */
  List<Integer> lengths(ElementType type) {
    int tile = SegmentedTree.tile(type);
    int lead = SegmentedTree.lead(type);
    return List.of(
        0,
        1,
        2,
        31,
        32,
        33,
        255,
        257,
        tile - lead - 1,
        tile - lead,
        tile - lead + 1,
        tile - 1,
        tile,
        tile + 1,
        2 * tile - lead,
        3 * tile + 17);
  }

  /** Lengths around a chunk's. */
  List<Integer> longLengths(ElementType type) {
    int chunk = SegmentedTree.CHUNK * SegmentedTree.tile(type) - SegmentedTree.lead(type);
    return List.of(chunk - 1, chunk, chunk + 1, chunk + 3 * SegmentedTree.tile(type) + 5);
  }

  /** Whether the long lengths are tried with everything, or with one pattern a type. */
  boolean isQuick() {
    return true;
  }

  /** One in so many of what patterns, operators and initial values come to is tried. */
  int oneIn() {
    return 1;
  }

  /** One in so many of the cases of users' operators is tried besides. */
  int oneOfUsersIn() {
    return 3;
  }

  @BeforeAll
  void begin() {
    engine = open();
  }

  @AfterAll
  void end() {
    loaded.values().forEach(LoadedProgram::close);
    engine.close();
  }

  // Patterns

  static BitSet heads(String pattern, int length, SplittableRandom random) {
    BitSet heads = new BitSet();
    switch (pattern) {
      case "none" -> {}
      case "every" -> heads.set(0, length);
      case "first" -> heads.set(0);
      case "last" -> heads.set(Math.max(0, length - 1));
      case "middle" -> heads.set(length / 2);
      case "often" -> {
        for (int i = 0; i < length; i++) {
          heads.set(i, random.nextInt(5) == 0);
        }
      }
      case "seldom" -> {
        for (int i = 0; i < length; i++) {
          heads.set(i, random.nextInt(3000) == 0);
        }
      }
      default -> throw new IllegalArgumentException(pattern);
    }
    return heads.get(0, length);
  }

  /** Heads at a step's multiples in the tree's places, or next to them. */
  static BitSet borders(ElementType type, int step, int shift, int length) {
    BitSet heads = new BitSet();
    for (long place = step; place - SegmentedTree.lead(type) + shift < length; place += step) {
      int at = (int) (place - SegmentedTree.lead(type) + shift);
      if (at >= 0) {
        heads.set(at);
      }
    }
    return heads;
  }

  static List<BitSet> patterns(ElementType type, int length, SplittableRandom random) {
    List<BitSet> patterns = new ArrayList<>();
    for (String name : List.of("none", "every", "first", "last", "middle", "often", "seldom")) {
      patterns.add(heads(name, length, random));
    }
    int items = SegmentedTree.items(type);
    int tile = SegmentedTree.tile(type);
    for (int step : new int[] {items, 16 * items, tile}) {
      for (int shift = -1; shift <= 1; shift++) {
        if (length > step) {
          patterns.add(borders(type, step, shift, length));
        }
      }
    }
    return patterns;
  }

  // Values, by boxes: Integer, Long, Float or Double

  static Number[] random(ElementType type, int length, SplittableRandom random) {
    return Numbers.of(length, i -> Numbers.random(type, random));
  }

  // Runs

  /** Results and, behind them, the total. */
  static Number[] results(
      LoadedProgram program, ElementType type, Number[] values, Given given, Number[] segments) {
    program.set("x", Numbers.segment(type, values));
    program.set("s", Numbers.segment(given.type, segments));
    program.run();
    MemorySegment output = MemorySegment.ofArray(new byte[values.length * type.bytes()]);
    if (values.length > 0) {
      program.fetch("y", output);
    }
    Number[] results = Arrays.copyOf(Numbers.of(type, output), values.length + 1);
    results[values.length] = program.result("y_total");
    return results;
  }

  Program program(SegmentedScan scan, ElementType type, Given given, int capacity) {
    List<Input> inputs =
        List.of(new Input("x", type, capacity), new Input("s", given.type, 2 * capacity + 2));
    return Program.of(inputs, scan.segments(given.way()).expand("y", inputs).primitives());
  }

  Number[] run(
      SegmentedScan scan, ElementType type, Number[] values, Given given, Number[] segments) {
    Number[] first = null;
    for (ScanForm form : forms()) {
      Number[] seen = run(scan.by(form), type, values, given, segments, capacity(values.length));
      if (first != null) {
        Numbers.requireSame(
            first,
            seen,
            "%s by %s, length=%s%s".formatted(scan, form, values.length, Seed.replay()));
      }
      first = seen;
    }
    return first;
  }

  Number[] run(
      SegmentedScan scan,
      ElementType type,
      Number[] values,
      Given given,
      Number[] segments,
      int capacity) {
    return results(
        loaded.computeIfAbsent(
            List.of(scan, type, given, capacity),
            key -> engine.load(program(scan, type, given, capacity), Map.of())),
        type,
        values,
        given,
        segments);
  }

  static Number[] loop(
      Operator operator,
      ElementType type,
      Number initial,
      boolean inclusive,
      Number[] values,
      BitSet heads) {
    Number[] results = new Number[values.length + 1];
    Number running = initial;
    for (int i = 0; i < values.length; i++) {
      Number before = heads.get(i) ? initial : running;
      running = Numbers.combine(operator, type, before, values[i]);
      results[i] = inclusive ? running : before;
    }
    results[values.length] = running;
    return results;
  }

  static String message(String what, Given given, int length, BitSet heads) {
    return "%s by %s, length=%s, heads=%s%s"
        .formatted(what, given, length, heads.cardinality(), Seed.replay());
  }

  void check(
      Operator operator,
      ElementType type,
      Number initial,
      boolean inclusive,
      Number[] values,
      Given given,
      BitSet heads,
      SplittableRandom random) {
    SegmentedScan scan =
        inclusive ? SegmentedScan.inclusive(operator) : SegmentedScan.exclusive(operator);
    if (!initial.equals(operator.identity(type))) {
      scan = scan.from(initial);
    }
    Number[] segments = given.segments(heads, values.length, random);
    Number[] seen = run(scan, type, values, given, segments);
    String message =
        message(scan + " over " + type + " from " + initial, given, values.length, heads);
    Number[] expected = loop(operator, type, initial, inclusive, values, heads);
    boolean exact =
        !type.isFloating()
            || operator.code() == OperatorCode.MIN
            || operator.code() == OperatorCode.MAX;
    if (exact) {
      Numbers.requireSame(expected, seen, message);
      return;
    }
    double magnitude = 0;
    for (int i = 0; i < values.length; i++) {
      magnitude = (heads.get(i) ? 0 : magnitude) + Math.abs(values[i].doubleValue());
      double error = 1e-4 * magnitude + 1e-30;
      if (!(Math.abs(expected[i].doubleValue() - seen[i].doubleValue()) <= error)) {
        assertEquals(expected[i].doubleValue(), seen[i].doubleValue(), error, message + " at " + i);
      }
    }
    try (JvmEngine jvm = new JvmEngine();
        LoadedProgram there = jvm.load(program(scan, type, given, values.length), Map.of())) {
      Numbers.requireSame(
          results(there, type, values, given, segments), seen, message + ", bits of the JVM");
    }
  }
}
