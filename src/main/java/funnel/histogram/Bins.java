package funnel.histogram;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.operation.Launches;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A histogram's bins over samples of one type: the {@linkplain BinRule rule} and its parameters.
 *
 * @param kind the form of the rule, plus {@link BinRule#CLOSED} if the last bin includes its end
 * @param channels the number of channels interleaved in the samples
 * @param low the first integer of the first bin
 * @param range the number of integers in all bins, unsigned
 * @param factor a constant that the form of the rule computes from bins and range
 * @param from the low end of the first floating-point bin
 * @param to the high end of the last floating-point bin
 * @param scale bins / range, in double; for even floating-point bins the upper half of the width
 * @param edges edges of integer ranges, else none
 * @param limits edges of floating-point ranges, else none
 * @param reciprocal {@code ceil(bins * 2^64 / range)} of narrow even bins, for the JVM; 0 if it has
 *     more than 64 bits
 */
record Bins(
    int kind,
    int bins,
    int channels,
    long low,
    long range,
    long factor,
    double from,
    double to,
    double scale,
    long[] edges,
    double[] limits,
    long reciprocal,
    EdgeCells cells,
    @Nullable Transform map) {

  /** The maximum number of samples of a call of {@link Loops#number}. */
  static final int CHUNK = 2048;

  /** JVM form of the rule over samples of one type; each thread has its own. */
  interface Loops {

    /**
     * Numbers at most {@link #CHUNK} samples, the first of them at {@code into[0]}: {@code channel
     * * bins + bin}; for samples in none of the bins the number of all counters if below, one more
     * if above, two more for NaN.
     */
    void number(MemorySegment samples, int first, int count, Bins bins, int[] into);

    /**
     * Counts samples of a single channel.
     *
     * @param counts one counter for each bin, then three for samples in none of the bins; invalid
     *     keys may be counted in any of the three
     */
    void count(MemorySegment samples, int first, int count, Bins bins, int[] counts);

    /** The key at a position, as a long. */
    long key(MemorySegment samples, int position);
  }

  private static final long[] NO_EDGES = {};
  private static final double[] NO_LIMITS = {};

  /** Clears the lower 27 of the 53 bits of a double's significand. */
  private static final long UPPER_HALF = -1L << 27;

  /** Bins whose numbers are the samples themselves. */
  static Bins keys(int bins, int channels) {
    return new Bins(BinRule.KEYS, bins, channels, 0, 0, 0, 0, 0);
  }

  /** Bins over integers without edges. */
  private Bins(
      int kind,
      int bins,
      int channels,
      long low,
      long range,
      long factor,
      double scale,
      long reciprocal) {
    this(
        kind,
        bins,
        channels,
        low,
        range,
        factor,
        0,
        0,
        scale,
        NO_EDGES,
        NO_LIMITS,
        reciprocal,
        EdgeCells.NONE,
        null);
  }

  /**
   * Even bins over integers.
   *
   * @param areInts whether samples are ints or bytes, not longs
   */
  static Bins even(int bins, int channels, long low, long high, boolean areInts) {
    long range = high - low;
    double unsigned = range > 0 ? range : range + 0x1p64;
    double scale = bins / unsigned;
    int kind = BinRule.WIDE;
    long factor = Long.divideUnsigned(range, bins);
    long reciprocal = 0;
    if (range > 0 && range <= 1L << 32) {
      boolean isShort = low >= Integer.MIN_VALUE && high <= 1L << 31 && range <= 1L << 30;
      kind = areInts && isShort && bins <= range ? BinRule.SHORT : BinRule.NARROW;
      factor = ((long) bins << 32) / range;
      reciprocal = reciprocal(bins, range);
    } else if (range > 0 && range <= 1L << 62) {
      kind = BinRule.MIDDLE;
      factor = 0;
    }
    return new Bins(kind, bins, channels, low, range, factor, scale, reciprocal);
  }

  /* With a range up to 2^32, the upper half of the reciprocal's product with a distance is the bin:
   * the rounding error is less than 2^-32, too little to reach the next multiple of 1 / range.
   */
  private static long reciprocal(int bins, long range) {
    BigInteger whole = BigInteger.valueOf(bins).shiftLeft(Long.SIZE);
    BigInteger divisor = BigInteger.valueOf(range);
    BigInteger result = whole.add(divisor).subtract(BigInteger.ONE).divide(divisor);
    return result.bitLength() > Long.SIZE ? 0 : result.longValue();
  }

  /** Even bins over floating-point numbers; very narrow ones are ranges. */
  static Bins even(int bins, int channels, double low, double high) {
    if (!Edges.areWide(bins, low, high)) {
      return ranges(channels, Edges.even(bins, low, high));
    }
    long width = Double.doubleToLongBits((high - low) / bins);
    double upper = Double.longBitsToDouble(width & UPPER_HALF);
    return new Bins(
        BinRule.EVEN,
        bins,
        channels,
        0,
        0,
        0,
        low,
        high,
        upper,
        NO_EDGES,
        NO_LIMITS,
        0,
        EdgeCells.NONE,
        null);
  }

  static Bins ranges(int channels, long[] edges) {
    return ranges(channels, edges, NO_LIMITS, EdgeCells.of(edges.length, i -> edges[i]));
  }

  static Bins ranges(int channels, double[] limits) {
    return ranges(channels, NO_EDGES, limits, EdgeCells.of(limits.length, i -> limits[i]));
  }

  private static Bins ranges(int channels, long[] edges, double[] limits, EdgeCells cells) {
    int bins = Math.max(edges.length, limits.length) - 1;
    return new Bins(
        BinRule.RANGES, bins, channels, 0, 0, 0, 0, 0, 0, edges, limits, 0, cells, null);
  }

  int counters() {
    return bins * channels;
  }

  /** These bins for other channels, and for a function's values if it is not null. */
  Bins over(int newChannels, @Nullable Transform function) {
    return with(kind, newChannels, function);
  }

  Bins closed() {
    return with(kind | BinRule.CLOSED, channels, map);
  }

  private Bins with(int newKind, int newChannels, @Nullable Transform function) {
    return new Bins(
        newKind,
        bins,
        newChannels,
        low,
        range,
        factor,
        from,
        to,
        scale,
        edges,
        limits,
        reciprocal,
        cells,
        function);
  }

  Loops loops(ElementType element) {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    Class<? extends Loops> loops =
        TwinClass.of(lookup, IntBinLoops.class, element).asSubclass(Loops.class);
    return map == null
        ? FunctionCopies.instance(lookup, Loops.class, loops)
        : FunctionCopies.loops(lookup, Loops.class, loops, Operator.SUM, map);
  }

  /** Whether a sample outside makes the run throw, instead of being counted separately. */
  boolean areKeys() {
    return kind == BinRule.KEYS;
  }

  /** The kind, whether or not the last bin includes its upper end. */
  int form() {
    return kind & (BinRule.CLOSED - 1);
  }

  /** 1 if the last bin includes its upper end, else 0. */
  int end() {
    return BinRule.closed(kind);
  }

  /** The number of a sample at the upper end of the last bin. */
  int atEnd() {
    return end() == 1 ? bins - 1 : bins + 1;
  }

  /** The highest power of two in the number of edges. */
  private int top() {
    return Integer.highestOneBit(bins + 1);
  }

  /** The number of edges, 0 unless these are ranges. */
  int edgeCount() {
    return Math.max(edges.length, limits.length);
  }

  /** The bits of the edges as ints for a device, two for each. */
  private int[] edgeBits() {
    int[] ints = new int[2 * edgeCount()];
    for (int i = 0; i < edgeCount(); i++) {
      long bits = limits.length > 0 ? Double.doubleToLongBits(limits[i]) : edges[i];
      ints[2 * i] = (int) (bits >>> 32);
      ints[2 * i + 1] = (int) bits;
    }
    return ints;
  }

  /**
   * States what steps over samples have in common: how threads share the samples, the edges, the
   * function of a sample, and that invalid keys throw.
   *
   * @param of prefix of the names of the results of {@link Outside}
   * @param countingBlocks blocks with counters of their own, of a pass
   */
  Step state(Step step, String of, String samples, String what, int countingBlocks, int most) {
    HistogramShape.derive(step, samples, countingBlocks, most)
        .number(HistogramShape.TOP, top())
        .numbers(HistogramShape.EDGES, edgeBits())
        .scratch("edges", step.id() + ".edges", ElementType.LONG, Math.max(1, edges.length))
        .scratch("limits", step.id() + ".limits", ElementType.DOUBLE, Math.max(1, limits.length))
        .requires(lengths -> requireAllChannels(what, lengths.length(samples)))
        .refuses((results, lengths) -> Outside.requireKeys(of, samples, this, results));
    if (channels > 1) {
      step.needsLength(samples); // as many of each channel, which is checked before a run
    }
    return map == null ? step : step.applies(map, samples);
  }

  private void requireAllChannels(String samples, int length) {
    if (length % channels != 0) {
      throw new IllegalArgumentException(
          "%s have interleaved channels, but their number is not a multiple of the channels: length=%s, channels=%s"
              .formatted(samples, length, channels));
    }
  }

  Launches bind(Launches launches) {
    return launches
        .value("edgeCount", edges.length)
        .value("limitCount", limits.length)
        .value("kind", kind)
        .value("channels", channels)
        .value("bins", bins)
        .value("low", low)
        .value("range", range)
        .value("factor", factor)
        .value("from", from)
        .value("to", to)
        .value("scale", scale)
        .value("areKeys", areKeys() ? 1 : 0);
  }
}
