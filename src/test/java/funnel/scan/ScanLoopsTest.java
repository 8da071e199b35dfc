package funnel.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import funnel.Seed;
import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Scans on the JVM: integers against a plain loop, floating point against the tree computed as its
 * definition says, every identity included.
 */
class ScanLoopsTest {

  private static final int GUARD_BYTES = 64;
  private static final byte GUARD = 0x5a;

  /** Where elements are. */
  private enum Place {
    ARRAY,
    MIDDLE_OF_ARRAY,
    LONGS,
    UNALIGNED_BYTES,
    OFF_HEAP,
    UNALIGNED_OFF_HEAP,
    CONFINED;

    /** A segment between guards. */
    MemorySegment allocate(Arena shared, Arena confined, ElementType type, int length) {
      long bytes = (long) length * type.bytes();
      long all = bytes + 2 * GUARD_BYTES;
      int from = this == UNALIGNED_BYTES || this == UNALIGNED_OFF_HEAP ? 1 : 0;
      MemorySegment whole =
          switch (this) {
            case ARRAY, MIDDLE_OF_ARRAY -> array(type, (int) (all / type.bytes()));
            case LONGS -> MemorySegment.ofArray(new long[(int) Math.ceilDiv(all, 8)]);
            case UNALIGNED_BYTES -> MemorySegment.ofArray(new byte[(int) all]);
            case OFF_HEAP, UNALIGNED_OFF_HEAP -> shared.allocate(all, 8);
            case CONFINED -> confined.allocate(all, 8);
          };
      whole.fill(GUARD);
      int before = this == ARRAY ? 0 : GUARD_BYTES - from;
      return whole.asSlice(before, all - before).asSlice(0, bytes + GUARD_BYTES);
    }

    private static MemorySegment array(ElementType type, int length) {
      return switch (type) {
        case BYTE -> MemorySegment.ofArray(new byte[length]);
        case INT -> MemorySegment.ofArray(new int[length]);
        case LONG -> MemorySegment.ofArray(new long[length]);
        case FLOAT -> MemorySegment.ofArray(new float[length]);
        case DOUBLE -> MemorySegment.ofArray(new double[length]);
      };
    }
  }

  /** An operator, and the same for the oracle: over longs or over doubles. */
  private record Case(
      ElementType element,
      ElementType accumulator,
      Operator operator,
      LongBinaryOperator overLongs,
      DoubleBinaryOperator overDoubles) {
    @Override
    public String toString() {
      return "%s to %s by %s".formatted(element, accumulator, operator);
    }
  }

  private static long affine(long left, long right) {
    int a = (int) (left >> 32);
    int b = (int) left;
    int c = (int) (right >> 32);
    int d = (int) right;
    int summand = b * c + d;
    return ((long) (a * c) << 32) | (summand & 0xffffffffL);
  }

  private static Case longs(ElementType e, ElementType a, Operator operator, LongBinaryOperator f) {
    LongBinaryOperator wrapped = a == ElementType.INT ? (x, y) -> (int) f.applyAsLong(x, y) : f;
    return new Case(e, a, operator, wrapped, (x, y) -> 0);
  }

  private static Case doubles(
      ElementType e, ElementType a, Operator operator, DoubleBinaryOperator f) {
    return new Case(e, a, operator, (x, y) -> 0, f);
  }

  static Stream<Case> integers() {
    ElementType[][] types = {
      {ElementType.INT, ElementType.INT},
      {ElementType.INT, ElementType.LONG},
      {ElementType.LONG, ElementType.LONG},
      {ElementType.BYTE, ElementType.INT},
      {ElementType.BYTE, ElementType.LONG}
    };
    Operator last = Operator.ofInt("lastNonZero", 0, (a, b) -> b != 0 ? b : a);
    int nothing = Integer.parseInt("0");
    Operator captured = Operator.ofInt("captured", 0, (a, b) -> b != nothing ? b : a);
    Operator affine = Operator.ofLong("affine", 1L << 32, ScanLoopsTest::affine);
    return Stream.concat(
        Arrays.stream(types)
            .flatMap(
                t ->
                    Stream.of(
                        longs(t[0], t[1], Operator.SUM, Long::sum),
                        longs(t[0], t[1], Operator.PRODUCT, (a, b) -> a * b),
                        longs(t[0], t[1], Operator.MIN, Math::min),
                        longs(t[0], t[1], Operator.MAX, Math::max),
                        longs(t[0], t[1], Operator.XOR, (a, b) -> a ^ b))),
        Stream.of(
            longs(ElementType.INT, ElementType.INT, last, (a, b) -> b != 0 ? b : a),
            longs(ElementType.INT, ElementType.INT, captured, (a, b) -> b != 0 ? b : a),
            longs(ElementType.BYTE, ElementType.INT, last, (a, b) -> b != 0 ? b : a),
            longs(ElementType.LONG, ElementType.LONG, affine, ScanLoopsTest::affine),
            longs(ElementType.INT, ElementType.LONG, affine, ScanLoopsTest::affine)));
  }

  private static DoubleBinaryOperator asFloats(DoubleBinaryOperator f) {
    return (a, b) -> (float) f.applyAsDouble(a, b);
  }

  static Stream<Case> floatingPoint() {
    ElementType f = ElementType.FLOAT;
    ElementType d = ElementType.DOUBLE;
    Operator joinFloat = Operator.ofFloat("join", 0f, (a, b) -> a + b + a * b);
    Operator joinDouble = Operator.ofDouble("join", 0d, (a, b) -> a + b + a * b);
    double factor = Double.parseDouble("1");
    Operator captured = Operator.ofDouble("captured", 0d, (a, b) -> a + b + factor * (a * b));
    Operator negative = Operator.ofFloat("plus", -0f, (a, b) -> a + b);
    Operator last = Operator.ofFloat("last", 0f, (a, b) -> b != 0f ? b : (a != 0f ? a : 0f));
    return Stream.of(
        /* Double arithmetic on floats, rounded once, is float arithmetic for one + or one *. */
        doubles(f, f, Operator.SUM, asFloats((a, b) -> a + b)),
        doubles(f, f, Operator.PRODUCT, asFloats((a, b) -> a * b)),
        doubles(f, f, Operator.MIN, Math::min),
        doubles(f, f, Operator.MAX, Math::max),
        doubles(f, f, joinFloat, (a, b) -> (float) a + (float) b + (float) a * (float) b),
        doubles(f, f, negative, asFloats((a, b) -> a + b)),
        doubles(f, f, last, (a, b) -> b != 0 ? b : (a != 0 ? a : 0d)),
        doubles(f, d, Operator.SUM, (a, b) -> a + b),
        doubles(f, d, Operator.MIN, Math::min),
        doubles(f, d, joinDouble, (a, b) -> a + b + a * b),
        doubles(d, d, Operator.SUM, (a, b) -> a + b),
        doubles(d, d, Operator.PRODUCT, (a, b) -> a * b),
        doubles(d, d, Operator.MAX, Math::max),
        doubles(d, d, joinDouble, (a, b) -> a + b + a * b),
        doubles(d, d, captured, (a, b) -> a + b + a * b));
  }

  private static int[] sizes(ElementType element, ElementType accumulator) {
    int items = ScanTree.items(accumulator);
    int tile = ScanTree.tile(accumulator);
    int lead = ScanTree.lead(element);
    int chunk = ScanTree.CHUNK * tile;
    return new int[] {
      0,
      1,
      2,
      lead,
      items - lead,
      items - 1,
      items,
      items + 1,
      4 * items - lead,
      4 * items - lead + 1,
      tile / 4,
      tile - lead - 1,
      tile - lead,
      tile - lead + 1,
      tile - 1,
      tile,
      tile + 1,
      2 * tile + 1,
      8 * tile - 1,
      8 * tile,
      8 * tile + 1,
      17 * tile - lead + 3,
      chunk - lead - 1,
      chunk - lead,
      chunk - lead + 1,
      chunk + 18 * tile + 5,
      2 * chunk + items + 1
    };
  }

  /** The longest take most of the time: each case has some of them, and each of them some cases. */
  private static int rounds(int length, SplittableRandom random) {
    return length < 100_000 ? Seed.draws(1) : Seed.draws(random, 6) ? 1 : 0;
  }

  @ParameterizedTest
  @MethodSource
  void integers(Case c) {
    SplittableRandom random = Seed.random("integers " + c);
    for (int length : sizes(c.element, c.accumulator)) {
      for (int round = 0; round < rounds(length, random); round++) {
        long[] values = new long[length];
        for (int i = 0; i < length; i++) {
          values[i] =
              switch (c.element) {
                case BYTE -> random.nextInt(4) == 0 ? random.nextInt(256) : 0;
                case INT -> random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(3);
                default -> random.nextLong();
              };
        }
        long initial = random.nextInt(3) == 0 ? identity(c).longValue() : random.nextInt();
        boolean inclusive = random.nextBoolean();
        double[] unused = new double[0];
        long[] expected = new long[length + 1];
        long running = initial;
        for (int i = 0; i < length; i++) {
          long next = c.overLongs.applyAsLong(running, values[i]);
          expected[i] = inclusive ? next : running;
          running = next;
        }
        expected[length] = running;
        check(c, random, values, unused, initial, inclusive, expected);
      }
    }
  }

  @ParameterizedTest
  @MethodSource
  void floatingPoint(Case c) {
    SplittableRandom random = Seed.random("floating point " + c);
    for (int length : sizes(c.element, c.accumulator)) {
      for (int round = 0; round < rounds(length, random); round++) {
        checkTree(c, random, length, random.nextInt(4));
      }
    }
  }

  @Test
  void moreThanOneGroupOfChunks() {
    ElementType d = ElementType.DOUBLE;
    int group = ScanTree.GROUP * ScanTree.CHUNK * ScanTree.tile(d);
    Case c = doubles(d, d, Operator.SUM, (a, b) -> a + b);
    checkTree(c, Seed.random("groups"), group + 3 * ScanTree.tile(d) + 1, 0);
  }

  @Test
  void minusZeroIsAnInitialValueUntilTheFirstIdentity() {
    for (ElementType type : new ElementType[] {ElementType.FLOAT, ElementType.DOUBLE}) {
      Case c = doubles(type, type, Operator.SUM, (a, b) -> a + b);
      double[] values = new double[100];
      Arrays.fill(values, -0d);
      for (int length : new int[] {0, 1, 100}) {
        double[] some = Arrays.copyOf(values, length);
        checkTree(c, Seed.random("minus zero"), some, -0d, true);
        checkTree(c, Seed.random("minus zero"), some, -0d, false);
      }
    }
  }

  @Test
  void anOperatorsExceptionGetsOut() {
    Operator throwing =
        Operator.ofInt(
            "throwing",
            0,
            (a, b) -> {
              if (b == 7) {
                throw new IllegalArgumentException("seven");
              }
              return a + b;
            });
    int[] values = new int[1 << 20];
    values[values.length - 5] = 7;
    ScanStep.Loops loops = loops(longs(ElementType.INT, ElementType.INT, throwing, Long::sum));
    MemorySegment segment = MemorySegment.ofArray(values);
    assertThrows(
        IllegalArgumentException.class,
        () -> loops.scan(segment, segment, values.length, 0, 0, true));
  }

  private static ScanStep.Loops loops(Case c) {
    return FunctionCopies.loops(
        MethodHandles.lookup(),
        ScanStep.Loops.class,
        TwinClass.of(MethodHandles.lookup(), IntToIntScanLoops.class, c.element, c.accumulator)
            .asSubclass(ScanStep.Loops.class),
        c.operator);
  }

  private static Number identity(Case c) {
    return c.operator.identity(c.accumulator);
  }

  private static void checkTree(Case c, SplittableRandom random, int length, int kind) {
    double[] values = new double[length];
    for (int i = 0; i < length; i++) {
      double value = (random.nextDouble() - 0.5) * (random.nextInt(9) == 0 ? 1 : 1e-3);
      if (kind == 1) {
        value = random.nextInt(5) == 0 ? -0d : 0d;
      }
      if (kind >= 2 && random.nextInt(length) < 2) {
        double[] special = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0d};
        value = special[random.nextInt(kind == 2 ? 4 : 3)];
      }
      values[i] = c.element == ElementType.FLOAT ? (float) value : value;
    }
    double[] initials = {identity(c).doubleValue(), -0d, 0.25, -3, Double.POSITIVE_INFINITY};
    double initial = initials[random.nextInt(initials.length)];
    checkTree(c, random, values, initial, random.nextBoolean());
  }

  private static void checkTree(
      Case c, SplittableRandom random, double[] values, double initial, boolean inclusive) {
    double[] expected = replay(c, values, initial, inclusive);
    long[] bits = new long[expected.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = Double.doubleToLongBits(expected[i]);
    }
    check(c, random, new long[0], values, initial, inclusive, bits);
  }

  /** Scans from and to places of all kinds, or in place, and compares results, total and guards. */
  private static void check(
      Case c,
      SplittableRandom random,
      long[] longs,
      double[] doubles,
      Number initial,
      boolean inclusive,
      long[] expected) {
    int length = expected.length - 1;
    Place[] places = Place.values();
    Place from = places[random.nextInt(places.length)];
    Place to = places[random.nextInt(places.length)];
    boolean inPlace = c.element == c.accumulator && random.nextBoolean();
    String what =
        "%s, length=%s, initial=%s, inclusive=%s, from %s to %s%s"
            .formatted(c, length, initial, inclusive, from, inPlace ? "itself" : to, Seed.replay());
    try (Arena shared = Arena.ofShared();
        Arena confined = Arena.ofConfined()) {
      MemorySegment input = from.allocate(shared, confined, c.element, length);
      for (int i = 0; i < length; i++) {
        set(
            input,
            c.element,
            i,
            longs.length > 0 ? longs[i] : 0,
            doubles.length > 0 ? doubles[i] : 0);
      }
      byte[] before = input.toArray(ValueLayout.JAVA_BYTE);
      MemorySegment output = inPlace ? input : to.allocate(shared, confined, c.accumulator, length);
      long outputBytes = (long) length * c.accumulator.bytes();
      MemorySegment values = input.asSlice(0, (long) length * c.element.bytes());
      Number total =
          loops(c)
              .scan(
                  inPlace || random.nextBoolean() ? values : values.asReadOnly(),
                  inPlace ? values : output.asSlice(0, outputBytes),
                  length,
                  identity(c),
                  convert(initial, c.accumulator),
                  inclusive);
      assertEquals(expected[length], bits(total), () -> "total of " + what);
      for (int i = 0; i < length; i++) {
        if (get(output, c.accumulator, i) != expected[i]) {
          fail(
              "element %s is %x, expected %x: %s"
                  .formatted(i, get(output, c.accumulator, i), expected[i], what));
        }
      }
      for (long at = outputBytes; at < output.byteSize(); at++) {
        assertEquals(GUARD, output.get(ValueLayout.JAVA_BYTE, at), () -> "guard of " + what);
      }
      if (!inPlace && !Arrays.equals(before, input.toArray(ValueLayout.JAVA_BYTE))) {
        fail("input changed: " + what);
      }
    }
  }

  private static Number convert(Number value, ElementType type) {
    return switch (type) {
      case BYTE -> throw new IllegalArgumentException("no scan to bytes");
      case INT -> value.intValue();
      case LONG -> value.longValue();
      case FLOAT -> value.floatValue();
      case DOUBLE -> value.doubleValue();
    };
  }

  private static long bits(Number value) {
    return value instanceof Integer || value instanceof Long
        ? value.longValue()
        : Double.doubleToLongBits(value.doubleValue());
  }

  private static void set(
      MemorySegment segment, ElementType type, int index, long integer, double floating) {
    long at = (long) index * type.bytes();
    switch (type) {
      case BYTE -> segment.set(ValueLayout.JAVA_BYTE, at, (byte) integer);
      case INT -> segment.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) integer);
      case LONG -> segment.set(ValueLayout.JAVA_LONG_UNALIGNED, at, integer);
      case FLOAT -> segment.set(ValueLayout.JAVA_FLOAT_UNALIGNED, at, (float) floating);
      case DOUBLE -> segment.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, at, floating);
    }
  }

  private static long get(MemorySegment segment, ElementType type, int index) {
    long at = (long) index * type.bytes();
    return switch (type) {
      case BYTE -> throw new IllegalArgumentException("no scan to bytes");
      case INT -> segment.get(ValueLayout.JAVA_INT_UNALIGNED, at);
      case LONG -> segment.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
      case FLOAT -> bits(segment.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at));
      case DOUBLE -> bits(segment.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at));
    };
  }

  /* The tree as the kernels compute it, each block of 256 threads with an array of 256. */

  private static final int THREADS = 256;
  private static final int SERIES = 16;
  private static final int CHUNK = 128;
  private static final int GROUP = 16;

  private static double[] totalsOfSeries(double[] sums, double identity, DoubleBinaryOperator op) {
    double[] totals = new double[THREADS / SERIES];
    for (int s = 0; s < totals.length; s++) {
      totals[s] = identity;
      for (int k = 0; k < SERIES; k++) {
        totals[s] = op.applyAsDouble(totals[s], sums[s * SERIES + k]);
      }
    }
    return totals;
  }

  private static double blockTotal(double[] sums, double identity, DoubleBinaryOperator op) {
    double total = identity;
    for (double series : totalsOfSeries(sums, identity, op)) {
      total = op.applyAsDouble(total, series);
    }
    return total;
  }

  private static double[] blockPrefixes(double[] sums, double identity, DoubleBinaryOperator op) {
    double[] totals = totalsOfSeries(sums, identity, op);
    double[] prefixes = new double[THREADS];
    for (int thread = 0; thread < THREADS; thread++) {
      double inSeries = identity;
      for (int k = thread / SERIES * SERIES; k < thread; k++) {
        inSeries = op.applyAsDouble(inSeries, sums[k]);
      }
      double before = identity;
      for (int s = 0; s < thread / SERIES; s++) {
        before = op.applyAsDouble(before, totals[s]);
      }
      prefixes[thread] = op.applyAsDouble(before, inSeries);
    }
    return prefixes;
  }

  private static double[] blockOf(double[] sums, int from, int count, double identity) {
    double[] block = new double[THREADS];
    Arrays.fill(block, identity);
    System.arraycopy(sums, from, block, 0, count);
    return block;
  }

  /** Results and, behind them, the total. */
  private static double[] replay(Case c, double[] values, double initial, boolean inclusive) {
    DoubleBinaryOperator op = c.overDoubles;
    double identity = identity(c).doubleValue();
    int items = c.accumulator == ElementType.FLOAT ? 32 : 16;
    int lead = c.element == ElementType.FLOAT ? 4 : 2;
    int tile = THREADS * items;
    int tiles = Math.max(1, Math.ceilDiv(values.length + lead, tile));
    double[] padded = new double[tiles * tile];
    Arrays.fill(padded, identity);
    System.arraycopy(values, 0, padded, lead, values.length);

    double[] tileSums = new double[tiles];
    double[][] prefixes = new double[tiles][];
    for (int t = 0; t < tiles; t++) {
      double[] sums = new double[THREADS];
      for (int thread = 0; thread < THREADS; thread++) {
        sums[thread] = identity;
        for (int k = 0; k < items; k++) {
          sums[thread] = op.applyAsDouble(sums[thread], padded[t * tile + thread * items + k]);
        }
      }
      prefixes[t] = blockPrefixes(sums, identity, op);
      tileSums[t] = op.applyAsDouble(prefixes[t][THREADS - 1], sums[THREADS - 1]);
    }

    int chunks = Math.ceilDiv(tiles, CHUNK);
    double[] totals = new double[Math.ceilDiv(chunks, GROUP) * GROUP];
    Arrays.fill(totals, identity);
    for (int chunk = 0; chunk < chunks; chunk++) {
      int count = Math.min(CHUNK, tiles - chunk * CHUNK);
      totals[chunk] = blockTotal(blockOf(tileSums, chunk * CHUNK, count, identity), identity, op);
    }
    double[] starts = new double[totals.length / GROUP];
    double next = initial;
    for (int group = 0; group < starts.length; group++) {
      starts[group] = next;
      double ofGroup = identity;
      for (int k = 0; k < GROUP; k++) {
        ofGroup = op.applyAsDouble(ofGroup, totals[group * GROUP + k]);
      }
      next = op.applyAsDouble(next, ofGroup);
    }

    double[] results = new double[values.length + 1];
    double running = initial;
    for (int t = 0; t < tiles; t++) {
      int chunk = t / CHUNK;
      double start = starts[chunk / GROUP];
      for (int k = 1; k < GROUP; k++) {
        boolean before = k <= chunk % GROUP;
        start = op.applyAsDouble(start, before ? totals[chunk / GROUP * GROUP + k - 1] : identity);
      }
      double inner =
          t % CHUNK == 0
              ? identity
              : blockTotal(blockOf(tileSums, chunk * CHUNK, t % CHUNK, identity), identity, op);
      start = op.applyAsDouble(start, inner);
      for (int thread = 0; thread < THREADS; thread++) {
        running = op.applyAsDouble(start, prefixes[t][thread]);
        for (int k = 0; k < items; k++) {
          int at = t * tile + thread * items + k;
          double after = op.applyAsDouble(running, padded[at]);
          if (at >= lead && at < lead + values.length) {
            results[at - lead] = inclusive ? after : running;
          }
          running = after;
        }
        if (t == tiles - 1 && thread == Math.max(values.length + lead - 1 - t * tile, 0) / items) {
          results[values.length] = running;
        }
      }
    }
    return results;
  }
}
