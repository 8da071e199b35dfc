package funnel;

import static funnel.stream.StreamParts.RESULT;

import funnel.group.GroupBy;
import funnel.histogram.Histogram;
import funnel.histogram.Uncounted;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.rank.Quantiles;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.Select;
import funnel.sort.Order;
import funnel.sort.Sort;
import funnel.stream.PieceRuns;
import funnel.stream.Plans;
import funnel.stream.StreamParts;
import funnel.stream.StreamQuantiles;
import funnel.stream.StreamRuns;
import funnel.stream.StreamScan;
import funnel.stream.StreamSelect;
import funnel.stream.StreamSort;
import funnel.transform.Elementwise;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;

/**
 * Computations piece by piece over a source of any length, which may be larger than an array, the
 * memory or the device: {@link Funnel#over}.
 *
 * {@snippet class="funnel.docs.StreamSnippets" region="stream"}
 *
 * <p><b>Results.</b> Results of integers, minima, maxima, counts, positions and orders are the same
 * as for one array of the whole length. Floating-point sums, products, means and variances depend
 * on the length of the source and on that of a {@linkplain #pieces piece} alone: they are the same
 * in every run, on every engine and any number of devices. For a source of one piece they are the
 * same as for an array.
 *
 * <p><b>Memory.</b> Three pieces of the source are in memory, and two of the output unless the sink
 * is memory; a device holds three plans with inputs of a piece. While one piece is computed, other
 * threads read and upload the next two and write the one before. All these threads have ended when
 * a call returns or throws. With several devices each has all of this, and a thread that runs its
 * plans and calls operators. A device that fails is left out, with a warning: its piece is computed
 * on the JVM, unless a user-defined function over floating-point numbers could give other bits
 * there.
 *
 * <p><b>Failure.</b> Sources are only read. If reading or writing fails in the middle, the call
 * throws a {@link funnel.io.StreamException} with the position. If a file is written to meanwhile,
 * it throws a {@link funnel.io.FileChangedException}, alone or as the cause of a StreamException.
 * An interrupted thread gets an {@link java.io.InterruptedIOException} when the current piece is
 * done, and stays interrupted. Calls also throw the exceptions of {@link Plan#run()}, and an
 * IllegalStateException if the Funnel is closed meanwhile.
 *
 * <p>Immutable; any number of threads may use it if the source allows that.
 */
public final class ElementStream {

  /** The number of elements of a piece unless {@link #pieces} sets another one. */
  public static final int PIECE = 1 << 26;

  private final Plans plans;
  private final Source source;
  private final int most;
  private final StreamListener listener;
  private final Path scratch;

  ElementStream(Plans plans, Source source) {
    this(plans, source, PIECE, (done, total) -> {}, Path.of(System.getProperty("java.io.tmpdir")));
  }

  private ElementStream(
      Plans plans, Source source, int most, StreamListener listener, Path scratch) {
    this.plans = plans;
    this.source = source;
    this.most = most;
    this.listener = listener;
    this.scratch = scratch;
  }

  /**
   * This stream with pieces of {@code elements} elements each; the last piece may have fewer.
   *
   * @throws IllegalArgumentException if {@code elements} is not positive, or more than an array can
   *     have
   */
  public ElementStream pieces(int elements) {
    if (elements < 1 || elements > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "a piece has 1 to %s elements: given=%s".formatted(Integer.MAX_VALUE - 8, elements));
    }
    return new ElementStream(plans, source, elements, listener, scratch);
  }

  /** This stream with a listener that hears of the progress of calls, and may end them. */
  public ElementStream listener(StreamListener told) {
    return new ElementStream(
        plans, source, most, Objects.requireNonNull(told, "listener"), scratch);
  }

  /**
   * This stream with a folder for the sorted pieces of a sort, instead of the system's folder for
   * temporary files. It needs space for all elements, and 8 more bytes per element for an order.
   */
  public ElementStream scratch(Path folder) {
    return new ElementStream(
        plans, source, most, listener, Objects.requireNonNull(folder, "folder"));
  }

  private PieceRuns runs(int passes) {
    return new PieceRuns(plans, most, listener, passes * source.length());
  }

  /**
   * Reduces the source to one value. An index is a Long.
   *
   * <p>The results of the pieces are reduced as an array of that many values would be; variances
   * are combined as {@link funnel.reduce.Moments}, from the first piece to the last.
   *
   * @return an Integer, Long, Float or Double, see {@link Reduction#resultType}
   * @throws java.util.NoSuchElementException if the source is empty and the reduction has no value
   *     for that
   * @throws IllegalArgumentException if the reduction is not defined for the elements' type, takes
   *     two inputs, or has several outputs: then use {@link #reduce(Map)}
   */
  public Number reduce(Reduction reduction) throws IOException {
    if (Objects.requireNonNull(reduction, "reduction").isPairOfElements()) {
      throw new IllegalArgumentException(
          "%s has two outputs: call reduce(Map.of(name, reduction)) and read both"
              .formatted(reduction));
    }
    return reduce(Map.of(RESULT, reduction)).get(RESULT);
  }

  /**
   * Computes several reductions while the source is read once.
   *
   * @param reductions at least one, by the names of their outputs
   * @return their values, by the names that a plan would give them
   * @throws IllegalArgumentException if a reduction is not defined for the elements' type or takes
   *     two inputs, the map is empty, or a name is not valid in a plan
   */
  public Results reduce(Map<String, Reduction> reductions) throws IOException {
    return run(reductions);
  }

  /**
   * Computes any operation that is done {@linkplain Operation#inParts in parts}: reductions,
   * histograms, the largest elements, groups, {@link funnel.select.FindFirst}, {@link
   * funnel.sort.IsSorted}, and operations of your own. Selections, scans, sorts, runs and quantiles
   * have methods of their own: their outputs go to sinks, or they read the source several times.
   *
   * @param others further inputs, as long as this source
   * @return its outputs, by the names that a one-shot call would give them; counts and positions
   *     are longs
   * @throws IllegalArgumentException if it is not done in parts, or not defined for these inputs
   */
  public Results run(Operation operation, Source... others) throws IOException {
    return run(Map.of(RESULT, Objects.requireNonNull(operation, "operation")), others);
  }

  /**
   * Computes several operations while the source is read once, each as {@link #run(Operation,
   * Source...)} does.
   *
   * @param operations at least one, by the names of their outputs
   * @param others further inputs of each of them
   */
  public Results run(Map<String, ? extends Operation> operations, Source... others)
      throws IOException {
    SequencedMap<String, Source> all = sources("elements", source);
    for (Source other : others) {
      all.put("other_" + all.size(), Objects.requireNonNull(other, "others"));
    }
    return StreamParts.run(runs(1), all, Map.copyOf(operations));
  }

  /**
   * Reduces two sources of equal length to one value; see {@link Reduction#dot}.
   *
   * @param second of the same type
   * @throws IllegalArgumentException if the sources differ in type or length, or the reduction
   *     takes one input
   */
  public Number reduce(Reduction reduction, Source second) throws IOException {
    Objects.requireNonNull(reduction, "reduction");
    SequencedMap<String, Source> both = sources("first", source);
    both.put("second", Objects.requireNonNull(second, "second"));
    return StreamParts.run(runs(1), both, Map.of(RESULT, reduction)).get(RESULT);
  }

  /**
   * Counts the elements by bins.
   *
   * @param into gets the counts, which are longs, whatever type the histogram's counters have
   * @return how many samples are in none of the bins
   * @throws IllegalArgumentException if the histogram is not defined for the elements' type, is
   *     weighted (then pass weights), accumulating, or of several channels, or has more counters
   *     than {@code into} has elements
   * @throws funnel.histogram.KeyOutsideException if a sample is not a valid key; {@code into} is
   *     unchanged
   */
  public Uncounted histogram(Histogram histogram, long[] into) throws IOException {
    Objects.requireNonNull(into, "into");
    if (histogram.isWeighted() || histogram.isAccumulating()) {
      throw new IllegalArgumentException(
          "samples are counted into new counters, or weights added up, as of a second source: not"
              + " by %s".formatted(histogram));
    }
    requireCountable(histogram, into.length);
    Results counted =
        StreamParts.run(runs(1), sources("samples", source), Map.of(RESULT, histogram));
    counted.read(RESULT, Elements.of(into, 0, histogram.counters()));
    return uncounted(histogram, counted);
  }

  /**
   * Sums weights by bins.
   *
   * <p>The sums of the pieces are added, from the first piece to the last.
   *
   * @param histogram a {@linkplain Histogram#weighted weighted} one
   * @param weights one weight for each sample
   * @param into gets the sums: at least as many elements as there are counters, of the {@linkplain
   *     Histogram#sumType sums' type}. An {@linkplain Histogram#accumulating accumulating}
   *     histogram adds to what is there
   * @return how many samples are in none of the bins
   * @throws IllegalArgumentException if the histogram is not defined for the elements' type, takes
   *     no weights, or is of several channels; if there are not as many weights as elements, or
   *     weights have another type; if {@code into} is too short or of another type
   * @throws funnel.histogram.KeyOutsideException if a sample is not a valid key; {@code into} is
   *     unchanged
   */
  public Uncounted histogram(Histogram histogram, Source weights, Elements into)
      throws IOException {
    Objects.requireNonNull(weights, "weights");
    if (!histogram.isWeighted()) {
      throw new IllegalArgumentException(
          "%s takes no weights: call weighted() on it".formatted(histogram));
    }
    requireCountable(histogram, into.length());
    ElementType type = histogram.sumType(weights.type());
    if (into.type() != type || into.segment().isReadOnly()) {
      throw new IllegalArgumentException(
          "sums of %s are of %s, and go to memory that is written: not to %s"
              .formatted(histogram, type, into));
    }
    SequencedMap<String, Source> both = sources("samples", source);
    both.put("weights", weights);
    Results summed = StreamParts.run(runs(1), both, Map.of(RESULT, histogram.fromZero()));
    Elements place = into.range(0, histogram.counters());
    Elements sums = summed.elements(RESULT);
    if (histogram.isAccumulating()) {
      sums = runs(1).onJvm(Elementwise.sum(type), place, sums).elements(RESULT);
    }
    place.segment().copyFrom(sums.segment());
    return uncounted(histogram, summed);
  }

  private static Uncounted uncounted(Histogram histogram, Results counted) {
    return histogram.isByKeys()
        ? new Uncounted(0, 0, 0)
        : new Uncounted(
            counted.getLong(RESULT + "_below"),
            counted.getLong(RESULT + "_above"),
            counted.getLong(RESULT + "_nan"));
  }

  private static void requireCountable(Histogram histogram, int places) {
    if (histogram.channels() > 1) {
      throw new IllegalArgumentException(
          "over a source samples are of one channel, since a piece may end within several: not by"
              + " %s".formatted(histogram));
    }
    if (places < histogram.counters()) {
      throw new IllegalArgumentException(
          "no place for the counters of %s: length=%s, counters=%s"
              .formatted(histogram, places, histogram.counters()));
    }
  }

  /**
   * Scans the source.
   *
   * <p>Each piece starts from the total of the pieces before it. The sink may be the memory of the
   * source if elements and results are of the same type.
   *
   * @param sink takes the results: at least as many elements, of the {@linkplain Scan#resultType
   *     results' type}
   * @return the total, which is the initial value if the source is empty
   * @throws IllegalArgumentException if the scan is not defined for elements of this type, it is
   *     {@linkplain Scan#continuing continuing}, or the sink takes fewer elements or another type
   */
  public Number scan(Scan scan, Sink sink) throws IOException {
    Objects.requireNonNull(scan, "scan");
    return StreamScan.run(runs(1), source, scan, Objects.requireNonNull(sink, "sink"));
  }

  /**
   * Selects elements by a predicate.
   *
   * @param select keeps elements, or {@linkplain Select#positions positions}, which are longs here
   * @param sink takes what is kept, of its type
   * @return how many are kept
   * @throws IllegalArgumentException if the selection is not defined for the elements' type, is of
   *     rows, by flags or a function, keeps elements and positions, or the sink takes another type
   * @throws IndexOutOfBoundsException if the sink takes fewer elements than are kept
   */
  public long select(Select select, Sink sink) throws IOException {
    Objects.requireNonNull(select, "select");
    return StreamSelect.run(
        runs(1), sources("elements", source), select, Objects.requireNonNull(sink, "sink"));
  }

  /**
   * Selects elements by flags.
   *
   * @param select {@link Select#flagged} or a selection derived from it
   * @param flags a byte for each element; any value other than 0 keeps the element
   * @param sink takes what is kept, of its type
   * @return how many are kept
   * @throws IllegalArgumentException as without flags, or if there are not as many flags as
   *     elements, or they are not bytes
   */
  public long select(Select select, Source flags, Sink sink) throws IOException {
    Objects.requireNonNull(select, "select");
    SequencedMap<String, Source> both = sources("elements", source);
    both.put("flags", Objects.requireNonNull(flags, "flags"));
    return StreamSelect.run(runs(1), both, select, Objects.requireNonNull(sink, "sink"));
  }

  /**
   * Sorts the source, which may be larger than memory. Pieces, at most 2^16, are sorted into a
   * hidden file in the {@linkplain #scratch scratch folder} and then merged on the JVM. The file is
   * deleted after the merge, or when the call fails. A source of one piece needs no file.
   *
   * @param sort {@link Sort#ascending} or {@link Sort#descending}
   * @param sink takes the elements, as many and of their type; it may be the memory of the source
   * @throws IllegalArgumentException if the sort is any other, there are too many pieces, or the
   *     sink takes fewer elements or another type
   * @throws funnel.io.StreamException also if a sorted piece cannot be written, for lack of space
   *     for example, with its position
   */
  public void sort(Sort sort, Sink sink) throws IOException {
    Objects.requireNonNull(sort, "sort");
    StreamSort.of(sortRuns(), source, scratch, sort).run(Objects.requireNonNull(sink, "sink"));
  }

  /**
   * Finds the order of the elements: their positions, smallest or largest element first. Equal
   * elements keep their order in the source.
   *
   * @param order {@link Order#ascending} or {@link Order#descending}
   * @param sink takes the positions, longs
   * @throws IllegalArgumentException for the reasons of {@link #sort(Sort, Sink)}
   * @throws funnel.io.StreamException also if a sorted piece cannot be written, for lack of space
   *     for example, with its position
   */
  public void sort(Order order, Sink sink) throws IOException {
    Objects.requireNonNull(order, "order");
    StreamSort.of(sortRuns(), source, scratch, order).run(Objects.requireNonNull(sink, "sink"));
  }

  /**
   * Finds the largest or smallest elements, or their positions.
   *
   * @param top what to find; of equal elements the one with the smaller position comes first
   * @return {@code result}, an array; positions are longs, and if elements are kept too, they are
   *     {@code result_positions}
   */
  public Results topK(TopK top) throws IOException {
    return run(Objects.requireNonNull(top, "top"));
  }

  /**
   * Finds exact quantiles. A source of more than one piece is read in several passes: one for
   * bytes, two for ints and floats, four for longs and doubles; more for more than 64 ranks, which
   * are 32 interpolated quantiles.
   *
   * @return {@code result}, an array of the elements' type, or of doubles if the quantiles are
   *     interpolated; empty if the source is empty
   */
  public Results quantiles(Quantiles quantiles) throws IOException {
    Objects.requireNonNull(quantiles, "quantiles");
    int passes = source.length() > most ? StreamQuantiles.passes(source, quantiles) : 1;
    return StreamQuantiles.run(runs(passes), source, quantiles);
  }

  /**
   * Groups rows by keys. Groups should be few: they are on the heap, and are merged on the JVM
   * after each piece.
   *
   * <p>Variances are combined as {@link funnel.reduce.Moments}, from the first piece to the last.
   *
   * @param groupBy what to compute for each group. The keys are the elements of this source, ints
   *     or longs; if it has {@linkplain GroupBy#keys several keys}, the others are the first {@code
   *     columns}
   * @param columns as long as this source: first further keys, if there are any, then column 1 and
   *     so on
   * @return {@code result}, the distinct keys in ascending order, and {@code result_1} and so on;
   *     with several keys also {@code result_key_2} and so on; counts and the positions of minima
   *     and maxima are longs
   * @throws IllegalArgumentException if there is no such column, or the columns differ in length
   */
  public Results groupBy(GroupBy groupBy, Source... columns) throws IOException {
    SequencedMap<String, Source> all = sources("keys", source);
    for (Source column : columns) {
      all.put("column" + all.size(), Objects.requireNonNull(column, "columns"));
    }
    return StreamParts.run(
        runs(1), all, Map.of(RESULT, Objects.requireNonNull(groupBy, "groupBy")));
  }

  /**
   * Removes elements that are equal to the element before them, see {@link
   * funnel.select.Unique#adjacent}.
   *
   * @param sink takes the first element of each run, of the elements' type
   * @return how many elements remain
   * @throws IllegalArgumentException if the sink takes another type
   * @throws IndexOutOfBoundsException if the sink takes fewer elements than remain
   */
  public long unique(Sink sink) throws IOException {
    return StreamRuns.run(runs(1), source, Objects.requireNonNull(sink, "sink"), null);
  }

  /**
   * Finds the runs of equal elements, see {@link funnel.select.Runs#encode}; a run may be longer
   * than a piece, and longer than an array.
   *
   * @param values takes the first element of each run, of the elements' type
   * @param lengths takes the length of each run, a long
   * @return how many runs there are
   * @throws IllegalArgumentException if a sink takes another type
   * @throws IndexOutOfBoundsException if a sink takes fewer elements than there are runs
   */
  public long runs(Sink values, Sink lengths) throws IOException {
    return StreamRuns.run(
        runs(1),
        source,
        Objects.requireNonNull(values, "values"),
        Objects.requireNonNull(lengths, "lengths"));
  }

  /** Each element counts twice as progress: when its piece is sorted, and when it is merged. */
  private PieceRuns sortRuns() {
    return runs(source.length() > most ? 2 : 1);
  }

  private static SequencedMap<String, Source> sources(String name, Source source) {
    SequencedMap<String, Source> sources = new LinkedHashMap<>();
    sources.put(name, source);
    return sources;
  }

  /** The source and the length of its pieces. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s in pieces of %,d", source, most);
  }
}
