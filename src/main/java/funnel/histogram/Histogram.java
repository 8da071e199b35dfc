package funnel.histogram;

import funnel.jit.FunctionCopies;
import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operation.Parts;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.transform.Elementwise;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A histogram: how many samples fall into each of its bins.
 *
 * <p>Of the samples 0, 3, 4, 7, 8, 12, -1, {@code Histogram.even(3, 0, 12)} counts 2, 2, 1: the
 * bins begin at 0, 4 and 8; 12 is above and -1 below. {@code Histogram.ranges(0, 1, 8)} counts 1,
 * 3: the bins begin at 0 and 1, with 8 and 12 above.
 *
 * {@snippet class="funnel.docs.HistogramSnippets" region="histogram"}
 *
 * <p><b>Bins.</b> There are 1 to 2<sup>24</sup> bins. They are half-open: the low end belongs to
 * the bin, the high end does not. So the last bin excludes its upper end, too, unless the histogram
 * is {@linkplain #closed closed}, as those of NumPy are.
 *
 * <ul>
 *   <li>{@link #ofBytes} and {@link #ofKeys}: a sample is its bin's number. If one is negative or
 *       not less than the number of bins, the run throws a {@link KeyOutsideException}, and the
 *       output is unchanged.
 *   <li>{@link #even(int, long, long)}: the bin is {@code floor((x - low) * bins / (high - low))},
 *       exactly, over the whole range of the type. {@link #even(int, double, double)}: the bin is
 *       the one whose {@linkplain #edges edges} contain the sample: {@code edges[i] <= x < edges[i
 *       + 1]}. -0.0 counts as 0.0.
 *   <li>{@link #ranges(long...)}: the bin is from one edge to the next. Equal edges have an empty
 *       bin between them.
 * </ul>
 *
 * <p>Samples outside even bins and ranges are counted separately: those below, those above and, for
 * floating-point samples, NaN. A plan has the values {@code output_below}, {@code output_above} and
 * {@code output_nan}, over all channels. Bytes are unsigned.
 *
 * <p><b>Channels.</b> Samples may be interleaved, as the colours of pixels: with {@code
 * channels(3)} sample i belongs to channel {@code i % 3}, and the output has the counters of the
 * first channel, then those of the second, then those of the third. If the number of samples is not
 * a multiple of the channels, an IllegalArgumentException is thrown before anything is counted.
 *
 * <p><b>Counters</b> are ints, or longs by {@link #to}. An int can count all samples of an array.
 * The sums of an {@linkplain #accumulating accumulating} histogram may be too large: then the run
 * throws a {@link CounterOverflowException}, and the output is unchanged.
 *
 * <p><b>Weights.</b> A {@linkplain #weighted weighted} histogram has the sum of the samples'
 * weights in each bin instead of their number: if those samples weigh 1, 2, 4, 8, 16, 32 and 64,
 * the even bins have 3, 12, 16. Sums have the weights' type, in which integers wrap around, or
 * {@linkplain #to another type} that can hold them. The order of combination depends on the samples
 * alone: floating-point sums have the same bits on the JVM, in the emulator and on every device, in
 * every run. They differ from those of a plain loop. A NaN affects only its bin; a bin without
 * samples has +0.0.
 *
 * <p><b>Empty input</b> gives zeros, or the previous counts.
 *
 * <p><b>In place.</b> The output may be exactly the array of the previous counts. It must not
 * overlap any other input.
 *
 * <p>Counts are exact, and the same in every run, on every engine and by every {@linkplain
 * HistogramMethod method}.
 *
 * <p>Immutable and serializable. After Podlozhnyuk, <i>Histogram calculation in CUDA</i>, 2007.
 */
public final class Histogram implements Operation, Serializable {

  private static final long serialVersionUID = 1;

  /** The maximum number of bins. */
  public static final int MOST_BINS = 1 << 24;

  /** The maximum number of channels. */
  public static final int MOST_CHANNELS = 4;

  private static final int BYTES = 256;

  private enum Kind {
    BYTES,
    KEYS,
    EVEN,
    EVEN_FLOATING,
    RANGES,
    RANGES_FLOATING
  }

  private final Kind kind;
  private final int bins;
  private final long[] edges; // of even bins the first and the last
  private final double[] limits; // the same in doubles
  private @Nullable ElementType counter;
  private int channels = 1;
  private boolean closed;
  private boolean accumulating;
  private boolean weighted;
  private @Nullable HistogramMethod method;
  private @Nullable Transform map;

  private Histogram(Kind kind, int bins, long[] edges, double[] limits) {
    this.kind = kind;
    this.bins = bins;
    this.edges = edges;
    this.limits = limits;
  }

  private static Histogram of(Kind kind, int bins) {
    return new Histogram(kind, bins, new long[0], new double[0]);
  }

  private Histogram with(Consumer<Histogram> change) {
    Histogram copy = new Histogram(kind, bins, edges, limits);
    copy.counter = counter;
    copy.channels = channels;
    copy.closed = closed;
    copy.accumulating = accumulating;
    copy.weighted = weighted;
    copy.method = method;
    copy.map = map;
    change.accept(copy);
    return copy;
  }

  /** The histogram of bytes, with 256 bins. */
  public static Histogram ofBytes() {
    return of(Kind.BYTES, BYTES);
  }

  /**
   * The histogram of keys from 0 below {@code bins}, over bytes, ints and longs.
   *
   * @throws IllegalArgumentException if there is less than one bin or more than {@link #MOST_BINS}
   */
  public static Histogram ofKeys(int bins) {
    requireBins(bins);
    return of(Kind.KEYS, bins);
  }

  /**
   * The histogram with bins of the same width from {@code low} below {@code high}, over bytes, ints
   * and longs, and over floats and doubles as if the two were given as doubles. Only a {@linkplain
   * #closed closed} one has a bin for {@link Long#MAX_VALUE}.
   *
   * @throws IllegalArgumentException if {@code low} is not less than {@code high}, or there are
   *     less than one or more than {@link #MOST_BINS} bins
   */
  public static Histogram even(int bins, long low, long high) {
    requireBins(bins);
    if (low >= high) {
      throw new IllegalArgumentException(
          "even bins go from a lower to a higher number: low=%s, high=%s".formatted(low, high));
    }
    return new Histogram(Kind.EVEN, bins, new long[] {low, high}, new double[0]);
  }

  /**
   * The histogram with bins of the same width from {@code low} below {@code high}, over floats and
   * doubles.
   *
   * @throws IllegalArgumentException if {@code low} is not less than {@code high}, one of them is
   *     NaN, or {@code high - low} is infinite; if bins are so narrow that two {@linkplain #edges
   *     edges} are the same double, as for ten bins from 1 to {@code 1 + 2 * Math.ulp(1.0)}; or if
   *     there is less than one bin or more than {@link #MOST_BINS}
   */
  public static Histogram even(int bins, double low, double high) {
    requireBins(bins);
    if (!(low < high)) {
      throw new IllegalArgumentException(
          "even bins go from a lower to a higher number: low=%s, high=%s".formatted(low, high));
    }
    if (Double.isInfinite(high - low)) {
      throw new IllegalArgumentException(
          "the width of even bins is finite, and so is high - low: low=%s, high=%s, bins=%s; give a smaller range, or the edges of the bins"
              .formatted(low, high, bins));
    }
    Edges.requireWidth(bins, low, high);
    return new Histogram(Kind.EVEN_FLOATING, bins, new long[0], new double[] {low, high});
  }

  /** The histogram of {@link #ranges(long...)} with these edges. */
  public static Histogram ranges(int... edges) {
    return ranges(Arrays.stream(edges).asLongStream().toArray());
  }

  /**
   * The histogram with a bin between each two neighbouring edges, which are sorted, over bytes,
   * ints and longs, and over floats and doubles as if the edges were given as doubles. {@code
   * ranges(0, 10, 10, 15)} has three bins; the one in the middle stays empty.
   *
   * @throws IllegalArgumentException if there are less than 2 edges or more than {@link #MOST_BINS}
   *     + 1, or one is less than the one before it
   */
  public static Histogram ranges(long... edges) {
    Edges.require(edges);
    return new Histogram(Kind.RANGES, edges.length - 1, edges.clone(), new double[0]);
  }

  /** The histogram of {@link #ranges(double...)} with these edges. */
  public static Histogram ranges(float... edges) {
    double[] wide = new double[edges.length];
    Arrays.setAll(wide, i -> edges[i]);
    return ranges(wide);
  }

  /**
   * The histogram with a bin between each two neighbouring edges, which are sorted, over floats and
   * doubles. Edges may be infinite; -0.0 counts as 0.0.
   *
   * @throws IllegalArgumentException if there are less than 2 edges or more than {@link #MOST_BINS}
   *     + 1, one is NaN, or one is less than the one before it
   */
  public static Histogram ranges(double... edges) {
    Edges.require(edges);
    return new Histogram(Kind.RANGES_FLOATING, edges.length - 1, new long[0], edges.clone());
  }

  /**
   * The histogram of bins whose edges grow by the same factor, from {@code low} to {@code high},
   * over floats and doubles: {@code geomspace} of NumPy. {@code logarithmic(3, 1, 1000)} has bins
   * from 1, 10 and 100.
   *
   * @throws IllegalArgumentException if there are less than 1 or more than {@link #MOST_BINS} bins,
   *     or not 0 &lt; low &lt; high, both finite
   */
  public static Histogram logarithmic(int bins, double low, double high) {
    requireBins(bins);
    if (!(low > 0 && low < high && high < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "low=%s, high=%s: logarithmic bins need 0 < low < high, both finite"
              .formatted(low, high));
    }
    double[] edges = new double[bins + 1];
    double logarithm = StrictMath.log10(low);
    double step = (StrictMath.log10(high) - logarithm) / bins;
    Arrays.setAll(edges, i -> Math.clamp(StrictMath.pow(10, logarithm + i * step), low, high));
    edges[0] = low;
    edges[bins] = high;
    return ranges(edges);
  }

  private static void requireBins(int bins) {
    if (bins < 1 || bins > MOST_BINS) {
      throw new IllegalArgumentException(
          "a histogram has 1 to %s bins: bins=%s".formatted(MOST_BINS, bins));
    }
  }

  /**
   * This histogram with the upper end included in the last bin, as in NumPy and pandas: of 0, 5, 10
   * and 11 {@code even(2, 0, 10).closed()} counts 1, 2, and only 11 is above. If the last edges of
   * ranges are equal, samples equal to them are in the last bin. Over longs, this is the only way
   * to count {@link Long#MAX_VALUE}.
   *
   * @throws IllegalArgumentException if this is a histogram of bytes or keys, whose bins have no
   *     upper end
   */
  public Histogram closed() {
    if (isByKeys()) {
      throw new IllegalArgumentException(
          "the last bin of %s has no upper end that could be included: closed() is for even bins and ranges"
              .formatted(this));
    }
    return with(copy -> copy.closed = true);
  }

  /**
   * This histogram with counters of another type; or, if it is {@linkplain #weighted weighted},
   * with sums of another type than the weights', to which each weight is widened first: ints to
   * long or double, longs and floats to double. Two weights of two billion in a bin give four
   * billion as a long, but ints wrap around. A long is rounded to the nearest double.
   *
   * @param type INT or LONG; for sums also FLOAT or DOUBLE
   * @throws IllegalArgumentException if it is another type
   */
  public Histogram to(ElementType type) {
    boolean isCounter = type == ElementType.INT || type == ElementType.LONG;
    if (type == ElementType.BYTE || !weighted && !isCounter) {
      throw new IllegalArgumentException(
          "counters are INT or LONG, and sums of weights, after weighted(), FLOAT or DOUBLE too:"
              + " type="
              + type);
    }
    return with(copy -> copy.counter = type);
  }

  /**
   * This histogram over interleaved channels. The number of samples must be a multiple of {@code
   * count}. This is checked before a run, so building a plan throws if an earlier operation finds
   * their number.
   *
   * @param count the number of channels, 1 to {@link #MOST_CHANNELS}
   * @throws IllegalArgumentException if it is outside these limits
   */
  public Histogram channels(int count) {
    if (count < 1 || count > MOST_CHANNELS) {
      throw new IllegalArgumentException(
          "samples have 1 to %s channels: channels=%s".formatted(MOST_CHANNELS, count));
    }
    return with(copy -> copy.channels = count);
  }

  /**
   * This histogram added to previous counts, its last input, which have the length and type of the
   * output and may be the same array. Their number must be known before a run.
   */
  public Histogram accumulating() {
    return with(copy -> copy.accumulating = true);
  }

  /**
   * This histogram over weights: its second input has an int, long, float or double for each
   * sample, and the output has the sum of the weights in each bin, of their type unless {@link #to}
   * sets another. If it is {@linkplain #accumulating accumulating}, the last input and the output
   * are sums.
   *
   * <p>Its only method is {@link HistogramMethod#SORTED}: the weights are sorted by their bins and
   * scanned, which takes the same time whatever the samples are.
   */
  public Histogram weighted() {
    return with(copy -> copy.weighted = true);
  }

  /**
   * This histogram over a function's values of the samples, or of their indices and the samples,
   * which are not stored: for 3, 1, 4 and {@code (i, x) -> i * x} it bins 0, 1, 8. A value is
   * binned like a sample of its type, for bytes as an int; an invalid key in a message is the
   * value. Bytes are then counted like ints, not eight at a time. If the function may have other
   * bits on a device, as with {@code Math.exp}, a value at an edge may fall into the neighbouring
   * bin there. The function is not applied to weights.
   *
   * {@snippet class="funnel.docs.HistogramSnippets" region="mapped"}
   *
   * @param function a pure function over the type of the samples, ints for bytes
   * @throws IllegalArgumentException if it is a predicate
   */
  public Histogram mapped(Transform function) {
    return with(copy -> copy.map = FunctionCopies.requireMap(function));
  }

  /** This histogram by a chosen method on a device, instead of the one that measurements select. */
  public Histogram by(HistogramMethod wanted) {
    return with(copy -> copy.method = Objects.requireNonNull(wanted, "method"));
  }

  /** Bins of one channel. */
  public int bins() {
    return bins;
  }

  /**
   * The {@code bins() + 1} edges of the bins as doubles: where each begins, and where the last one
   * ends. For even bins they are {@code low + i * ((high - low) / bins)} in doubles and {@code
   * high}, as in {@code histogram_bin_edges} of NumPy; for ranges the edges as passed; for keys 0
   * to {@code bins()}. Longs are rounded to doubles. For {@code even(3, 0, 12)} they are 0, 4, 8,
   * 12.
   *
   * <p>A floating-point sample is in the bin whose edges contain it. Over integers even bins are
   * exact, and only the edges here are rounded: edge 100 of {@code even(1000, 0, 70)} is
   * 7.000000000000001, but the integer 7 is in bin 100.
   *
   * {@snippet class="funnel.docs.HistogramSnippets" region="edges"}
   *
   * @return a new array
   */
  public double[] edges() {
    return switch (kind) {
      case BYTES, KEYS -> Edges.even(bins, 0, bins);
      case EVEN -> Edges.even(bins, edges[0], edges[1]);
      case EVEN_FLOATING -> Edges.even(bins, limits[0], limits[1]);
      case RANGES -> Arrays.stream(edges).asDoubleStream().toArray();
      case RANGES_FLOATING -> limits.clone();
    };
  }

  /**
   * The centres of the bins, halfway between their {@linkplain #edges edges}, as doubles: 0.5 and
   * 4.5 for {@code ranges(0, 1, 8)}. If one edge is infinite, so is the centre; if both are, it is
   * NaN.
   *
   * @return a new array, of {@code bins()} elements
   */
  public double[] centres() {
    return Edges.centres(edges());
  }

  /** The number of channels that are interleaved in the samples. */
  public int channels() {
    return channels;
  }

  /** The number of counters of all channels: the length of the output. */
  public int counters() {
    return bins * channels;
  }

  /**
   * The counters' type. If the histogram is {@linkplain #weighted weighted}, the output has the
   * {@link #sumType} instead.
   */
  public ElementType counterType() {
    return counter == null ? ElementType.INT : counter;
  }

  /**
   * The type of the sums of weights: their own, unless {@link #to} sets another.
   *
   * @throws IllegalArgumentException if weights of that type cannot be summed in the type that
   *     {@link #to} has set
   */
  public ElementType sumType(ElementType weights) {
    ElementType type = counter == null ? weights : counter;
    if (weights == ElementType.BYTE) {
      throw new IllegalArgumentException(
          "weights of %s are of type INT, LONG, FLOAT or DOUBLE: they are of type %s"
              .formatted(this, weights));
    }
    if (!WideningGatherStep.isWider(weights, type)) {
      throw new IllegalArgumentException(
          "%s has no sums of type %s of weights of type %s: ints are widened to LONG or DOUBLE, longs and floats to DOUBLE"
              .formatted(this, type, weights));
    }
    return type;
  }

  /** Whether the last bin includes its upper end. */
  public boolean isClosed() {
    return closed;
  }

  /** Whether previous counts are the last input. */
  public boolean isAccumulating() {
    return accumulating;
  }

  /** Whether weights are the second input. */
  public boolean isWeighted() {
    return weighted;
  }

  /** Whether a sample outside the bins makes the run throw, instead of being counted separately. */
  public boolean isByKeys() {
    return kind == Kind.BYTES || kind == Kind.KEYS;
  }

  /** The method that {@link #by} has set, or null. */
  @Nullable HistogramMethod method() {
    return method;
  }

  /** The bins over samples of a type, or over a function's values of them. */
  private Bins over(Input samples) {
    if (map != null) {
      map.requireOver(samples.name(), samples.type());
    }
    return over(samples.type()).over(channels, map);
  }

  Bins over(ElementType element) {
    Bins halfOpen = halfOpen(element);
    return closed ? halfOpen.closed() : halfOpen;
  }

  private Bins halfOpen(ElementType element) {
    boolean isFloating = element.isFloating();
    return switch (kind) {
      case BYTES -> {
        if (element != ElementType.BYTE) {
          throw unsupported(element, "ofKeys takes other types");
        }
        yield Bins.keys(bins, channels);
      }
      case KEYS -> {
        if (isFloating) {
          throw unsupported(element, "keys are integers");
        }
        yield Bins.keys(bins, channels);
      }
      case EVEN ->
          isFloating
              ? even(bins, exactly(edges[0], element), exactly(edges[1], element))
                  .channels(channels)
                  .over(element)
              : Bins.even(bins, channels, edges[0], edges[1], element != ElementType.LONG);
      case EVEN_FLOATING -> {
        requireFloating(element);
        yield Bins.even(bins, channels, limits[0], limits[1]);
      }
      case RANGES -> {
        if (!isFloating) {
          yield Bins.ranges(channels, edges);
        }
        double[] converted = new double[edges.length];
        for (int i = 0; i < edges.length; i++) {
          converted[i] = exactly(edges[i], element);
        }
        yield Bins.ranges(channels, converted);
      }
      case RANGES_FLOATING -> {
        requireFloating(element);
        yield Bins.ranges(channels, limits);
      }
    };
  }

  private IllegalArgumentException unsupported(ElementType element, String hint) {
    return new IllegalArgumentException(
        "%s is not defined for samples of type %s: %s".formatted(this, element, hint));
  }

  private void requireFloating(ElementType element) {
    if (!element.isFloating()) {
      throw unsupported(element, "give ends and edges as long");
    }
  }

  private double exactly(long value, ElementType element) {
    double exact = value;
    if (new BigDecimal(exact).compareTo(BigDecimal.valueOf(value)) != 0) {
      throw unsupported(element, "no double is " + value + ", give ends and edges as double");
    }
    return exact;
  }

  /**
   * @param output name of the output
   * @param inputs the samples; then the weights, if it is {@linkplain #weighted weighted}; then the
   *     previous counts, if it is {@linkplain #accumulating accumulating}
   * @throws IllegalArgumentException if the inputs are too few or too many, or of types that this
   *     histogram is not defined for; or if the method set by {@link #by} does not support it
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    int wanted = 1 + (weighted ? 1 : 0) + (accumulating ? 1 : 0);
    if (inputs.size() != wanted) {
      throw new IllegalArgumentException(
          "%s takes %s inputs, given are %s".formatted(this, wanted, inputs.size()));
    }
    Input samples = inputs.getFirst();
    Bins over = over(samples);
    List<Output> outside = Outside.outputs(output, samples.name(), isByKeys());
    if (weighted) {
      Input weights = inputs.get(1);
      ElementType sums = sumType(weights.type());
      Input old = accumulating ? inputs.getLast() : null;
      requireWeighted(old, sums);
      Composite step = WeightEndStep.histogram(output, samples, over, weights, old, sums);
      return new Expansion(List.of(step), outside);
    }
    if (accumulating && inputs.getLast().type() != counterType()) {
      throw new IllegalArgumentException(
          "the previous counts of %s are of type %s, its counters of %s"
              .formatted(this, inputs.getLast().type(), counterType()));
    }
    HistogramStep counts =
        new HistogramStep(
            output,
            samples,
            accumulating ? inputs.getLast().name() : null,
            counterType(),
            over,
            method);
    return new Expansion(List.of(counts), outside);
  }

  /** Requires previous sums of the type of the sums, and the method that supports weights. */
  private void requireWeighted(@Nullable Input old, ElementType sums) {
    if (old != null && old.type() != sums) {
      throw new IllegalArgumentException(
          "the previous sums of %s are of type %s, its sums of %s"
              .formatted(this, old.type(), sums));
    }
    if (method != null && method != HistogramMethod.SORTED) {
      throw new IllegalArgumentException(
          "%s is by method %s: method=%s; name that one, or none"
              .formatted(this, HistogramMethod.SORTED.label(), method.label()));
    }
  }

  /**
   * Counts of pieces are added as longs. With several channels it is not done in parts, since a
   * piece may end within a sample of all; nor if it is {@linkplain #accumulating accumulating}.
   */
  @Override
  public Optional<Parts<?>> inParts(List<ElementType> inputs) {
    return channels > 1 || accumulating ? Optional.empty() : Optional.of(new InParts(this));
  }

  /**
   * A histogram in parts: counts are added as longs, sums of weights in their type, from the first
   * piece to the last.
   */
  private record InParts(Histogram histogram) implements Parts<InParts.Part> {

    /**
     * The counts or sums of some pieces.
     *
     * @param sums a Java array
     * @param outside the numbers of samples below, above, and that are NaN
     */
    record Part(Serializable sums, Uncounted outside) implements Serializable {}

    @Override
    public Histogram ofPiece() {
      return histogram;
    }

    @Override
    public Part of(Piece piece) {
      Object sums = piece.array("");
      if (!histogram.isWeighted() && sums instanceof int[] counts) {
        sums = Arrays.stream(counts).asLongStream().toArray();
      }
      return new Part(
          (Serializable) sums,
          histogram.isByKeys()
              ? new Uncounted(0, 0, 0)
              : new Uncounted(
                  piece.get("_below").longValue(),
                  piece.get("_above").longValue(),
                  piece.get("_nan").longValue()));
    }

    @Override
    public Part combine(List<Part> parts, Calls onJvm) {
      Object sums = parts.getFirst().sums();
      for (Part more : parts.subList(1, parts.size())) {
        sums = onJvm.run(Elementwise.sum(typeOf(sums)), sums, more.sums()).array(OUTPUT);
      }
      List<Uncounted> outside = parts.stream().map(Part::outside).toList();
      return new Part(
          (Serializable) sums,
          new Uncounted(
              outside.stream().mapToLong(Uncounted::below).sum(),
              outside.stream().mapToLong(Uncounted::above).sum(),
              outside.stream().mapToLong(Uncounted::nan).sum()));
    }

    private static ElementType typeOf(Object sums) {
      return switch (sums) {
        case int[] _ -> ElementType.INT;
        case long[] _ -> ElementType.LONG;
        case float[] _ -> ElementType.FLOAT;
        default -> ElementType.DOUBLE;
      };
    }

    @Override
    public void finish(Part whole, BiConsumer<String, Object> output) {
      output.accept("", whole.sums());
      if (!histogram.isByKeys()) {
        output.accept("_below", whole.outside().below());
        output.accept("_above", whole.outside().above());
        output.accept("_nan", whole.outside().nan());
      }
    }

    @Override
    public int size(Part part) {
      return histogram.counters();
    }

    @Override
    public boolean isExact() {
      return !histogram.isWeighted();
    }
  }

  /** The same without previous counts: what {@link #accumulating} adds. */
  public Histogram fromZero() {
    return with(copy -> copy.accumulating = false);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Histogram o
        && kind == o.kind
        && bins == o.bins
        && Arrays.equals(edges, o.edges)
        && Arrays.equals(limits, o.limits)
        && counterType() == o.counterType()
        && (counter == o.counter || !weighted)
        && channels == o.channels
        && closed == o.closed
        && accumulating == o.accumulating
        && weighted == o.weighted
        && method == o.method
        && Objects.equals(map, o.map);
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, bins, counterType(), channels, closed, method, map)
        + 31 * (Arrays.hashCode(edges) + Arrays.hashCode(limits));
  }

  @Override
  public String toString() {
    String of =
        switch (kind) {
          case BYTES -> "of bytes";
          case KEYS -> "of %s keys".formatted(bins);
          case EVEN -> "with %s even bins from %s to %s".formatted(bins, edges[0], edges[1]);
          case EVEN_FLOATING ->
              "with %s even bins from %s to %s".formatted(bins, limits[0], limits[1]);
          case RANGES -> "with %s ranges from %s to %s".formatted(bins, edges[0], edges[bins]);
          case RANGES_FLOATING ->
              "with %s ranges from %s to %s".formatted(bins, limits[0], limits[bins]);
        };
    return "%shistogram %s%s%s%s"
        .formatted(
            weighted ? "weighted " : "",
            map == null ? "" : "of %s ".formatted(map),
            of,
            closed ? ", closed" : "",
            channels > 1 ? " in each of %s channels".formatted(channels) : "");
  }
}
