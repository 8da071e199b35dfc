package funnel;

import funnel.group.GroupBy;
import funnel.histogram.Histogram;
import funnel.histogram.Uncounted;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.rank.Quantiles;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.Select;
import funnel.sort.Order;
import funnel.sort.Sort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;

/**
 * A source of any length, larger than an array, than memory and than the device if need be, and
 * what can be computed of it piece by piece: {@link Funnel#over}.
 *
 * {@snippet class="funnel.docs.StreamSnippets" region="stream"}
 *
 * <p><b>Results.</b> Those of integers, minima, maxima, counts, positions and orders are those of
 * one array of the whole length. Floating-point sums, products, means and variances are fixed by
 * the length and by the length of a {@linkplain #pieces piece} alone: they are the same in every
 * run, on every engine and any number of devices. Of a source that is one piece they are those of
 * an array.
 *
 * <p><b>Memory.</b> Three pieces of the source are in memory, and two of what is written, unless
 * the sink is memory; on a device there are three plans with inputs of a piece. While one piece is
 * computed, the next two are read and uploaded by threads of their own, and the one before is
 * written by another. All have ended when a call returns or throws. With several devices there is
 * all of this for each, and a thread; operators are called by these. One of them that fails is left
 * out, with a warning: what it was at is computed on the JVM, unless a function of the user's over
 * floating-point numbers may have other bits there.
 *
 * <p><b>Failure.</b> Sources are read only. What cannot be read or written in the middle is a
 * {@link funnel.io.StreamException} with the position; a file that somebody writes to meanwhile is
 * a {@link funnel.io.FileChangedException}, alone or as the cause of the former. An interrupted
 * thread gets an {@link java.io.InterruptedIOException} when the piece at work is done, and stays
 * interrupted. Calls throw besides what {@link Plan#run()} does, and an IllegalStateException if
 * the Funnel is closed meanwhile.
 *
 * <p>Immutable; any number of threads may use it if its source allows that.
 */
public final class ElementStream {

  /** The most elements of a piece unless {@link #pieces} says otherwise. */
  public static final int PIECE = 1 << 26;

  private final Funnel funnel;
  private final Source source;
  private final int most;
  private final StreamListener listener;
  private final Path scratch;

  ElementStream(Funnel funnel, Source source) {
    this(funnel, source, PIECE, (done, total) -> {}, Path.of(System.getProperty("java.io.tmpdir")));
  }

  private ElementStream(
      Funnel funnel, Source source, int most, StreamListener listener, Path scratch) {
    this.funnel = funnel;
    this.source = source;
    this.most = most;
    this.listener = listener;
    this.scratch = scratch;
  }

  /**
   * The same source in pieces of so many elements, but the last one, which may have fewer.
   *
   * @throws IllegalArgumentException if a piece has no element, or more than an array can have
   */
  public ElementStream pieces(int elements) {
    if (elements < 1 || elements > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "a piece has 1 to %d elements: given=%d".formatted(Integer.MAX_VALUE - 8, elements));
    }
    return new ElementStream(funnel, source, elements, listener, scratch);
  }

  /** The same source with somebody who is told how far calls have come, and may end them. */
  public ElementStream listener(StreamListener told) {
    return new ElementStream(
        funnel, source, most, Objects.requireNonNull(told, "listener"), scratch);
  }

  /**
   * The same source with a folder for the sorted pieces of a sort, in place of the system's for
   * temporary files. There has to be room for all elements, and for an order for 8 bytes more each.
   */
  public ElementStream scratch(Path folder) {
    return new ElementStream(
        funnel, source, most, listener, Objects.requireNonNull(folder, "folder"));
  }

  private PieceRuns runs(int passes) {
    return new PieceRuns(funnel, most, listener, passes * source.length());
  }

  /**
   * One reduction. An index is a Long.
   *
   * <p>What pieces come to is reduced as an array of that many values would be; variances are
   * combined by Chan, Golub and LeVeque's formula, from the first piece to the last.
   *
   * @return an Integer, Long, Float or Double, see {@link Reduction#resultType}
   * @throws java.util.NoSuchElementException if the source is empty and the reduction has no value
   *     then
   * @throws IllegalArgumentException if the reduction has no meaning on the elements' type, takes
   *     two inputs, or has several outputs: then give it a name
   */
  public Number reduce(Reduction reduction) throws IOException {
    if (Objects.requireNonNull(reduction, "reduction").isPairOfElements()) {
      throw new IllegalArgumentException(
          "%s has two outputs: call reduce(Map.of(name, reduction)) and read both"
              .formatted(reduction));
    }
    return reduce(Map.of("result", reduction)).get("result");
  }

  /**
   * Several reductions, while the source is read once.
   *
   * @param reductions at least one, by the names of their outputs
   * @return their values, by the names that a plan would give them
   * @throws IllegalArgumentException if a reduction has no meaning on the elements' type or takes
   *     two inputs, there is none, or a name is none for a plan
   */
  public Results reduce(Map<String, Reduction> reductions) throws IOException {
    return StreamReduction.run(runs(1), sources("elements", source), Map.copyOf(reductions));
  }

  /**
   * One reduction of two sources of equal length, such as {@link Reduction#dot}.
   *
   * @param second of the same type
   * @throws IllegalArgumentException if the sources differ in type or length, or the reduction
   *     takes one input
   */
  public Number reduce(Reduction reduction, Source second) throws IOException {
    Objects.requireNonNull(reduction, "reduction");
    SequencedMap<String, Source> both = sources("first", source);
    both.put("second", Objects.requireNonNull(second, "second"));
    return StreamReduction.run(runs(1), both, Map.of("result", reduction)).get("result");
  }

  /**
   * One histogram.
   *
   * @param into gets the counts, which are longs, whatever type the histogram's counters have
   * @return how many samples are in no bin
   * @throws IllegalArgumentException if the histogram is not for the elements' type, is weighted,
   *     for which give weights, accumulating, or of several channels, or has more counters than
   *     {@code into} has places
   * @throws funnel.histogram.KeyOutsideException if a sample is no key; {@code into} is as it was
   */
  public Uncounted histogram(Histogram histogram, long[] into) throws IOException {
    Objects.requireNonNull(histogram, "histogram");
    Objects.requireNonNull(into, "into");
    return StreamHistogram.run(runs(1), source, histogram, into);
  }

  /**
   * One histogram of weights.
   *
   * <p>A piece is added to the sums of the pieces before it.
   *
   * @param histogram a {@linkplain Histogram#weighted weighted} one
   * @param weights one for each sample
   * @param into gets the sums, at least as many elements as there are counters, of the {@linkplain
   *     Histogram#sumType sums' type}; what it is {@linkplain Histogram#accumulating added to}, if
   *     it is
   * @return how many samples are in no bin
   * @throws IllegalArgumentException if the histogram is not for the elements' type, takes no
   *     weights, or is of several channels; if there are not as many weights, or of no such type;
   *     if {@code into} is too short or of another type
   * @throws funnel.histogram.KeyOutsideException if a sample is no key; {@code into} is as it was
   */
  public Uncounted histogram(Histogram histogram, Source weights, Elements into)
      throws IOException {
    Objects.requireNonNull(histogram, "histogram");
    Objects.requireNonNull(weights, "weights");
    Objects.requireNonNull(into, "into");
    return StreamHistogram.run(runs(1), source, weights, histogram, into);
  }

  /**
   * One scan.
   *
   * <p>A piece goes on from the total of the pieces before it. The sink may be the memory of the
   * source, if elements and results are of one type.
   *
   * @param sink takes the results: at least as many elements, of the {@linkplain Scan#resultType
   *     results' type}
   * @return the total, which is the initial value if the source is empty
   * @throws IllegalArgumentException if there is no such scan over elements of this type, it is
   *     {@linkplain Scan#continuing continuing}, or the sink takes fewer or others
   */
  public Number scan(Scan scan, Sink sink) throws IOException {
    Objects.requireNonNull(scan, "scan");
    return StreamScan.run(runs(1), source, scan, Objects.requireNonNull(sink, "sink"));
  }

  /**
   * One selection by a predicate.
   *
   * @param select keeps elements, or {@linkplain Select#positions positions}, which are longs here
   * @param sink takes what is kept, of its type
   * @return how many are kept
   * @throws IllegalArgumentException if the selection is not for the elements' type, is of rows, by
   *     flags or a function, keeps elements and positions, or the sink takes others
   * @throws IndexOutOfBoundsException if the sink takes fewer than are kept
   */
  public long select(Select select, Sink sink) throws IOException {
    Objects.requireNonNull(select, "select");
    return StreamSelect.run(
        runs(1), sources("elements", source), select, Objects.requireNonNull(sink, "sink"));
  }

  /**
   * One selection by flags.
   *
   * @param select {@link Select#flagged} or what is made of it
   * @param flags a byte for each element, of which any but 0 says yes
   * @param sink takes what is kept, of its type
   * @return how many are kept
   * @throws IllegalArgumentException besides, if there are not as many flags, or they are no bytes
   */
  public long select(Select select, Source flags, Sink sink) throws IOException {
    Objects.requireNonNull(select, "select");
    SequencedMap<String, Source> both = sources("elements", source);
    both.put("flags", Objects.requireNonNull(flags, "flags"));
    return StreamSelect.run(runs(1), both, select, Objects.requireNonNull(sink, "sink"));
  }

  /**
   * One sort, larger than memory if need be: pieces are sorted into a hidden file in the
   * {@linkplain #scratch folder for that}, which is taken away when all are merged, on the JVM, or
   * when the call fails; at most 2^16 pieces are. A source that is one piece takes no file.
   *
   * @param sort {@link Sort#ascending} or {@link Sort#descending}
   * @param sink takes the elements, as many and of their type; it may be the memory of the source
   * @throws IllegalArgumentException if the sort is another, there are too many pieces, or the sink
   *     takes fewer or others
   * @throws funnel.io.StreamException besides, if a sorted piece cannot be written, as for want of
   *     space, with its position
   */
  public void sort(Sort sort, Sink sink) throws IOException {
    Objects.requireNonNull(sort, "sort");
    StreamSort.of(sortRuns(), source, scratch, sort).run(Objects.requireNonNull(sink, "sink"));
  }

  /**
   * The order of the elements: the positions that they are at, smallest or largest first. Of equal
   * ones the first in the source comes first.
   *
   * @param order {@link Order#ascending} or {@link Order#descending}
   * @param sink takes the positions, longs
   * @throws IllegalArgumentException as {@link #sort(Sort, Sink)} does
   * @throws funnel.io.StreamException besides, if a sorted piece cannot be written, as for want of
   *     space, with its position
   */
  public void sort(Order order, Sink sink) throws IOException {
    Objects.requireNonNull(order, "order");
    StreamSort.of(sortRuns(), source, scratch, order).run(Objects.requireNonNull(sink, "sink"));
  }

  /**
   * The largest or smallest elements, or their positions.
   *
   * @param top what is wanted; of equal elements that with the smaller position comes first
   * @return {@code result}, an array; positions are longs, and with elements beside them {@code
   *     result_positions}
   */
  public Results topK(TopK top) throws IOException {
    return StreamTop.run(runs(1), source, Objects.requireNonNull(top, "top"));
  }

  /**
   * Exact quantiles. A source that is more than one piece is read more than once: bytes once, ints
   * and floats twice, longs and doubles four times; for more than 16 ranks, which are 8 quantiles
   * that are interpolated, more often.
   *
   * @return {@code result}, an array of the elements' type, or of doubles if they are interpolated;
   *     without elements if the source has none
   */
  public Results quantiles(Quantiles quantiles) throws IOException {
    Objects.requireNonNull(quantiles, "quantiles");
    int passes = source.length() > most ? StreamQuantiles.passes(source, quantiles) : 1;
    return StreamQuantiles.run(runs(passes), source, quantiles);
  }

  /**
   * Rows by groups, of which there are few: they are on the heap, and merged on the JVM after each
   * piece.
   *
   * <p>Variances are combined by Chan, Golub and LeVeque's formula, from the first piece to the
   * last.
   *
   * @param groupBy what is computed by the keys, which are the elements of this source, ints or
   *     longs; by {@linkplain GroupBy#keys several} of those of the first {@code columns} besides
   * @param columns as long as this source: first further keys, if there are any, then column 1
   * @return {@code result}, the distinct keys in ascending order, and {@code result_1} and so on;
   *     of several keys {@code result_key_2} and so on besides; counts, and where the least or the
   *     largest are, are longs
   * @throws IllegalArgumentException if there is no such column, the columns differ in length, or
   *     groups are {@linkplain GroupBy#runs runs}
   */
  public Results groupBy(GroupBy groupBy, Source... columns) throws IOException {
    Objects.requireNonNull(groupBy, "groupBy");
    return StreamGroups.run(runs(1), source, groupBy, List.of(columns));
  }

  /**
   * The elements without those that are equal to the one before, as {@link
   * funnel.select.Unique#adjacent} has it.
   *
   * @param sink takes the first element of each run, of the elements' type
   * @return how many there are
   * @throws IllegalArgumentException if the sink takes others
   * @throws IndexOutOfBoundsException if the sink takes fewer than there are
   */
  public long unique(Sink sink) throws IOException {
    return StreamRuns.run(runs(1), source, Objects.requireNonNull(sink, "sink"), null);
  }

  /**
   * The runs of equal elements, as {@link funnel.select.Runs#encode} has them; a run may be longer
   * than a piece, and than an array.
   *
   * @param values takes the first element of each, of the elements' type
   * @param lengths takes how many elements each has, longs
   * @return how many runs there are
   * @throws IllegalArgumentException if a sink takes others
   * @throws IndexOutOfBoundsException if a sink takes fewer than there are
   */
  public long runs(Sink values, Sink lengths) throws IOException {
    return StreamRuns.run(
        runs(1),
        source,
        Objects.requireNonNull(values, "values"),
        Objects.requireNonNull(lengths, "lengths"));
  }

  /** Each element is done twice: when its piece is sorted, and when it is merged. */
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
    return "%s in pieces of %,d".formatted(source, most);
  }
}
