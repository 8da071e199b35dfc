package funnel;

import funnel.array.Node;
import funnel.array.Ref;
import funnel.group.GroupBy;
import funnel.group.Join;
import funnel.group.SegmentedReduce;
import funnel.histogram.Histogram;
import funnel.jit.Element;
import funnel.jit.Only;
import funnel.jit.Twins;
import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.rank.Quantiles;
import funnel.reduce.Distance;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.SegmentedScan;
import funnel.scan.Window;
import funnel.select.FindFirst;
import funnel.select.Partition;
import funnel.select.Select;
import funnel.sort.Ascending;
import funnel.sort.SortedSearch;
import funnel.transform.AdjacentDifference;
import funnel.transform.Elementwise;
import funnel.transform.Shift;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An array of ints, see {@link Array}: {@code funnel.of(3, 1, 4).map(v -> 10 * v).sum()} is 80.
 *
 * {@snippet class="funnel.docs.ArraySnippets" region="chain"}
 *
 * <p>What functions may contain on a device, {@link Operator} says.
 */
@Twins({"Long", "Float", "Double"})
public final class Ints extends Array<@Element int[], Ints> {

  private static final ElementType ELEMENT = ElementType.INT;

  Ints(Funnel funnel, Ref ref) {
    super(funnel, ref);
  }

  @Override
  Ints like(Ref of) {
    return new Ints(funnel, of);
  }

  @Override
  Ints self() {
    return this;
  }

  private static Transform test(Transform.@Element IntTest predicate) {
    return new Transform("predicate", ELEMENT, true, predicate);
  }

  /**
   * An element of this array, which is {@linkplain #keep kept}: 4 at 2 of 3, 1, 4. It is for
   * functions, which read it where it is kept, without an upload:
   *
   * {@snippet class="funnel.docs.ArraySnippets" region="lookUp"}
   *
   * <p>There, on a device, {@code get} and {@link #count()} are all that can be called of an array.
   * Elsewhere on the host the first call copies a whole array from the device, for all later calls.
   *
   * @throws ArrayIndexOutOfBoundsException if the index is negative or not less than the length, on
   *     a device when the run has ended
   * @throws IllegalStateException if this array is not kept, or closed
   */
  public @Element int get(int index) {
    @Element int[] all = (@Element int[]) elements();
    if (index < 0 || index >= all.length) {
      throw outside(index);
    }
    return all[index];
  }

  /** What {@code table::get} calls on a device. */
  static @Element int element(Ints table, int index) {
    return table.get(index);
  }

  // Element by element.

  /**
   * The elements for which a predicate holds, see {@link Select}: 3, 4 of 3, 1, 4 and {@code v -> v
   * > 2}.
   */
  public Ints filter(Transform.@Element IntTest predicate) {
    Node.Applied node = node(Select.where(test(predicate)));
    return like((ref.isAscending() ? node.ascending() : node).output(ELEMENT));
  }

  /** The elements for which a predicate holds, and their positions. */
  public Found<Ints> find(Transform.@Element IntTest predicate) {
    return found(node(Select.where(test(predicate)).withPositions()));
  }

  /** The elements for which a predicate holds, and the others, see {@link Partition}. */
  public Parts<Ints> partition(Transform.@Element IntTest predicate) {
    Node.Applied node = node(Partition.where(test(predicate)));
    return new Parts<>(
        like(node.output("_kept", ELEMENT)), like(node.output("_rejected", ELEMENT)));
  }

  /** A function of each element: 30, 10, 40 for {@code v -> 10 * v} and 3, 1, 4. */
  public Ints map(Transform.@Element IntMap function) {
    Transform map = new Transform("function", ELEMENT, false, function);
    Node.Fusion afterSelection =
        (before, _) ->
            before instanceof Select select && select.canBeMapped() ? select.mapped(map) : null;
    return like(fused(Elementwise.of(map), afterSelection).mapping(map).output(ELEMENT));
  }

  /**
   * A function of each element's index, an int from 0, and of the element: 0, 1, 8 for {@code (i,
   * v) -> i * v} and 3, 1, 4.
   */
  public Ints mapIndexed(Transform.@Element IndexedIntMap function) {
    Transform map = new Transform("function", ELEMENT, false, function);
    return like(node(Elementwise.of(map)).output(ELEMENT));
  }

  /** A function of the elements of two arrays of equal length. */
  public Ints zip(Ints other, Operator.@Element IntCombine function) {
    Transform map = new Transform("function", ELEMENT, false, function);
    return like(node(Elementwise.of(map), other).output(ELEMENT));
  }

  /** A function of the elements of three arrays of equal length. */
  public Ints zip(Ints second, Ints third, Transform.@Element IntMap3 function) {
    Transform map = new Transform("function", ELEMENT, false, function);
    return like(node(Elementwise.of(map), second, third).output(ELEMENT));
  }

  private Ref mapped(ElementFunction function, ElementType type) {
    return node(Elementwise.of("function", function)).output(type);
  }

  /** A function of each element, to ints. */
  public funnel.Ints mapToInt(Functions.@Element IntToInt function) {
    return new funnel.Ints(funnel, mapped(function, ElementType.INT));
  }

  /** A function of each element, to longs. */
  public Longs mapToLong(Functions.@Element IntToLong function) {
    return new Longs(funnel, mapped(function, ElementType.LONG));
  }

  /** A function of each element, to floats. */
  public Floats mapToFloat(Functions.@Element IntToFloat function) {
    return new Floats(funnel, mapped(function, ElementType.FLOAT));
  }

  /** A function of each element, to doubles. */
  public Doubles mapToDouble(Functions.@Element IntToDouble function) {
    return new Doubles(funnel, mapped(function, ElementType.DOUBLE));
  }

  /** For each element 1 if a predicate holds, else 0: flags for {@link #filter(Bytes)}. */
  public Bytes flags(Functions.@Element IntToBoolean predicate) {
    return new Bytes(funnel, mapped(predicate, ElementType.BYTE));
  }

  /** The elements as ints, by a cast. */
  @SuppressWarnings("cast") // none for ints, but for twins
  public funnel.Ints asInts() {
    return mapToInt(value -> (int) value);
  }

  /** The elements as bytes, the low 8 bits of their cast to an int. */
  @SuppressWarnings("cast") // of other types
  public Bytes asBytes() {
    Functions.@Element IntToInt cast = value -> (int) value;
    Elementwise low = Elementwise.of("function", cast).to(ElementType.BYTE);
    return new Bytes(funnel, node(low).output(ElementType.BYTE));
  }

  /** The elements as longs, by a cast. */
  public Longs asLongs() {
    return mapToLong(value -> (long) value);
  }

  /** The elements as floats, by a cast. */
  public Floats asFloats() {
    return mapToFloat(value -> (float) value);
  }

  /** The elements as doubles. */
  public Doubles asDoubles() {
    return mapToDouble(value -> (double) value);
  }

  /**
   * Each element {@code places} further back, a lag, or for negative places further to the front, a
   * lead: 7, 3, 1 for 3, 1, 4 by 1 place. Places that are left have {@code fill}, here 7.
   */
  public Ints shift(int places, @Element int fill) {
    return like(node(Shift.by(places, fill)).output(ELEMENT));
  }

  /** A function of an element, another one, and the positions of both in their segments. */
  private interface Beside extends ElementFunction {
    @Element
    int of(@Element int there, int thatPosition, int position);
  }

  /**
   * Each element {@code places} further back in its segment, or for negative places further to the
   * front: 7, 3, 7, 4, 1 for the segments 3, 1 and 4, 1, 5 by 1 place with 7 as {@code fill}.
   */
  public Ints shift(int places, @Element int fill, Segments segments) {
    funnel.Ints positions = positions(segments);
    Beside inSegment =
        (there, thatPosition, position) -> thatPosition == position - places ? there : fill;
    Elementwise shift = Elementwise.of("shift", inSegment);
    Ints shifted = shift(places, fill);
    funnel.Ints those = positions.shift(places, -1);
    return like(shifted.node(shift, those, positions).output(ELEMENT));
  }

  /** Each element minus the one before it, see {@link AdjacentDifference}; the first as it is. */
  public Ints differences() {
    return like(node(AdjacentDifference.left()).output(ELEMENT));
  }

  /**
   * Each element minus the one {@code distance} places before it, or for a negative distance after
   * it: 3, 1, 1, 0, 1 for 3, 1, 4, 1, 5 and a distance of 2. An element without such another stays
   * as it is.
   */
  public Ints differences(int distance) {
    return zip(shift(distance, (@Element int) 0), (value, before) -> value - before);
  }

  // Windows.

  /**
   * Windows of each element and those before it, {@code rows} in all, see {@link Rolling}.
   *
   * @throws IllegalArgumentException if {@code rows} is less than 1
   */
  public Rolling<Ints> rolling(int rows) {
    return new Rolling<>(this, asDoubles(), operator -> Window.rows(rows, operator), rows, null);
  }

  /**
   * Windows of each element and those before it in its segment, {@code rows} in all, see {@link
   * Rolling}.
   *
   * @throws IllegalArgumentException if {@code rows} is less than 1
   */
  public Rolling<Ints> rolling(int rows, Segments segments) {
    return new Rolling<>(
        this,
        asDoubles(),
        operator -> Window.rows(rows, operator).inSegments(),
        rows,
        positions(segments));
  }

  private Rolling<Ints> rollingOf(funnel.Ints widths) {
    return new Rolling<>(this, asDoubles(), Window::ofWidths, 0, widths);
  }

  /**
   * How many elements, which are ascending, or are in each segment, are in a window that ends with
   * each of them. Others are refused, and NaN.
   */
  funnel.Ints widths(@Element int range, @Nullable Segments segments) {
    if (!(range > 0)) {
      throw new IllegalArgumentException(
          "range=%s: it is more than 0, so that a window has its own element".formatted(range));
    }
    @Element int lowest = (@Element Integer) Operator.MAX.identity(ELEMENT);
    Ints firsts =
        ELEMENT.isFloating()
            ? map(key -> key - range)
            // a sum that passes the end of its type would be compared wrongly by a compiler of cuda
            : map(key -> key < lowest + range - 1 ? lowest : key - range + 1);
    SortedSearch search =
        ELEMENT.isFloating() ? SortedSearch.upperBound() : SortedSearch.lowerBound();
    Ints before = segments == null ? shift(1, lowest) : shift(1, lowest, segments);
    Ints misplaced = zip(before, (key, last) -> last <= key ? (@Element int) 0 : (@Element int) 1);
    Transform.@Element IntTest isMisplaced = flag -> flag != 0;
    Ascending ascending =
        Ascending.unless(test(isMisplaced), segments == null ? search : search.within());
    if (segments == null) {
      return new funnel.Ints(
              funnel, misplaced.node(ascending, this, firsts).output(ElementType.INT))
          .mapIndexed((i, start) -> Math.max(i - start + 1, 1));
    }
    funnel.Ints positions = segments.positions(this);
    funnel.Ints begins = positions.mapIndexed((i, position) -> i - position);
    funnel.Ints ends = positions.mapIndexed((i, _) -> i + 1);
    Node.Applied starts = misplaced.node(ascending, this, firsts, begins, ends);
    return positions.zip(
        new funnel.Ints(funnel, starts.output(ElementType.INT)),
        (at, start) -> Math.max(at - start + 1, 1));
  }

  /**
   * Windows of each element and those before it whose keys, which are ascending, are more than that
   * of the element minus {@code range}, see {@link Rolling}.
   *
   * @throws IllegalArgumentException if {@code range} is not more than 0
   * @throws funnel.sort.NotAscendingException if keys are not ascending, or NaN, when it is read
   */
  public Rolling<Ints> rolling(funnel.Ints keys, int range) {
    return rollingOf(keys.widths(range, null));
  }

  /**
   * Windows of each element and those before it in its segment whose keys, which are ascending in
   * each segment, are more than that of the element minus {@code range}, see {@link Rolling}.
   *
   * @throws IllegalArgumentException if {@code range} is not more than 0
   */
  public Rolling<Ints> rolling(funnel.Ints keys, int range, Segments segments) {
    return rollingOf(keys.widths(range, segments));
  }

  /**
   * Windows by a range of longs, such as times, see {@link #rolling(funnel.Ints, int)}.
   *
   * @throws IllegalArgumentException if {@code range} is not more than 0
   */
  public Rolling<Ints> rolling(Longs keys, long range) {
    return rollingOf(keys.widths(range, null));
  }

  /**
   * Windows in segments by a range of longs, see {@link #rolling(funnel.Ints, int, Segments)}.
   *
   * @throws IllegalArgumentException if {@code range} is not more than 0
   */
  public Rolling<Ints> rolling(Longs keys, long range, Segments segments) {
    return rollingOf(keys.widths(range, segments));
  }

  /**
   * Windows by a range of doubles, see {@link #rolling(funnel.Ints, int)}.
   *
   * @throws IllegalArgumentException if {@code range} is not more than 0
   */
  public Rolling<Ints> rolling(Doubles keys, double range) {
    return rollingOf(keys.widths(range, null));
  }

  /**
   * Windows in segments by a range of doubles, see {@link #rolling(funnel.Ints, int, Segments)}.
   *
   * @throws IllegalArgumentException if {@code range} is not more than 0
   */
  public Rolling<Ints> rolling(Doubles keys, double range, Segments segments) {
    return rollingOf(keys.widths(range, segments));
  }

  /**
   * The exponentially weighted mean of all elements up to each one: {@code y[i] = alpha * x[i] + (1
   * - alpha) * y[i - 1]}, beginning with the first element, see {@link Window#decayed}. For 3, 1, 4
   * and 0.5 it is 3, 2, 3. {@code ewm(alpha=0.5, adjust=False).mean()} of pandas where no element
   * is NaN. From a NaN on it is NaN; {@code dropNaNs().ewmMean(0.5)} passes over it, like {@code
   * ignore_na=True}.
   *
   * @throws IllegalArgumentException if {@code alpha} is not above 0 and at most 1
   */
  public Doubles ewmMean(double alpha) {
    Window decayed = decayed(alpha);
    Doubles weighted = asDoubles().mapIndexed((i, value) -> i > 0 ? alpha * value : value);
    return new Doubles(funnel, weighted.node(decayed).output(ElementType.DOUBLE));
  }

  /**
   * The exponentially weighted mean of the elements of a segment up to each one, see {@link
   * #ewmMean(double)}.
   *
   * @throws IllegalArgumentException if {@code alpha} is not above 0 and at most 1
   */
  public Doubles ewmMean(double alpha, Segments segments) {
    Window decayed = decayed(alpha).inSegments();
    funnel.Ints positions = positions(segments);
    Rolling.Weight weight = (value, position) -> position > 0 ? alpha * value : value;
    Doubles weighted = funnel.doubles(weight, asDoubles(), positions);
    return new Doubles(funnel, weighted.node(decayed, positions).output(ElementType.DOUBLE));
  }

  private static Window decayed(double alpha) {
    if (!(alpha > 0 && alpha <= 1)) {
      throw new IllegalArgumentException("alpha=%s: it is above 0 and at most 1".formatted(alpha));
    }
    return Window.decayed(1 - alpha);
  }

  // Scans.

  /** All elements up to each one combined, see {@link Scan#inclusive}: 3, 4, 8 for 3, 1, 4. */
  public Ints scan(Operator operator) {
    return scan(Scan.inclusive(operator));
  }

  /** All elements before each one combined, see {@link Scan#exclusive}: 0, 3, 4 for 3, 1, 4. */
  public Ints exclusiveScan(Operator operator) {
    return scan(Scan.exclusive(operator));
  }

  private Ints scan(Scan scan) {
    return like(fused(scan, (_, map) -> map == null ? null : scan.mapped(map)).output(ELEMENT));
  }

  /** All elements of a segment up to each one combined, see {@link SegmentedScan}. */
  public Ints scan(Operator operator, Segments segments) {
    return scan(SegmentedScan.inclusive(operator), segments);
  }

  /** All elements of a segment before each one combined, see {@link SegmentedScan}. */
  public Ints exclusiveScan(Operator operator, Segments segments) {
    return scan(SegmentedScan.exclusive(operator), segments);
  }

  private Ints scan(SegmentedScan scan, Segments segments) {
    return like(node(scan.segments(segments.how), segments.of(this)).output(ELEMENT));
  }

  /**
   * The position of each element in its segment, {@code cumcount} of pandas: 0, 1, 0, 1, 2 for the
   * segments 3, 1 and 4, 1, 5.
   */
  public funnel.Ints positions(Segments segments) {
    return segments.positions(this);
  }

  // Reductions.

  private Number reduce(Reduction plain, Operator operator) {
    return number(fused(plain, (_, map) -> map == null ? null : Reduction.of(operator, map)));
  }

  /**
   * All elements combined, from left to right.
   *
   * @throws java.util.NoSuchElementException if there are none, and the operator is min or max
   */
  public @Element int reduce(Operator operator) {
    return (@Element Integer) reduce(Reduction.of(operator), operator);
  }

  /** The elements of each segment combined, see {@link SegmentedReduce}. */
  public Ints reduce(Operator operator, Segments segments) {
    return like(
        node(SegmentedReduce.by(operator).segments(segments.how), segments.of(this))
            .output(ELEMENT));
  }

  /** The sum of each segment: 4, 10 for the segments 3, 1 and 4, 1, 5. */
  public Ints sums(Segments segments) {
    return reduce(Operator.SUM, segments);
  }

  /** The sum, 0 of no elements. Sums of ints and longs wrap around. */
  public @Element int sum() {
    return reduce(Operator.SUM);
  }

  /** The sum as a long, which cannot overflow for ints. */
  @Only("Long")
  public long sumAsLong() {
    return number(Reduction.sumAsLong()).longValue();
  }

  /** The sum as a double, each element widened first. */
  public double sumAsDouble() {
    return number(Reduction.sumAsDouble()).doubleValue();
  }

  /**
   * The smallest element.
   *
   * @throws java.util.NoSuchElementException if there are no elements
   */
  public @Element int min() {
    return reduce(Operator.MIN);
  }

  /**
   * The largest element.
   *
   * @throws java.util.NoSuchElementException if there are no elements
   */
  public @Element int max() {
    return reduce(Operator.MAX);
  }

  /**
   * The position of the smallest element, the first one on ties.
   *
   * @throws java.util.NoSuchElementException if there are no elements
   */
  public int argMin() {
    return integer(node(Reduction.argMin()));
  }

  /**
   * The position of the largest element, the first one on ties.
   *
   * @throws java.util.NoSuchElementException if there are no elements
   */
  public int argMax() {
    return integer(node(Reduction.argMax()));
  }

  /**
   * The arithmetic mean, see {@link Reduction#mean}.
   *
   * @throws java.util.NoSuchElementException if there are no elements
   */
  public double mean() {
    return number(Reduction.mean()).doubleValue();
  }

  /**
   * The variance, see {@link Reduction#variance}.
   *
   * @throws java.util.NoSuchElementException if there are no elements
   */
  public double variance() {
    return number(Reduction.variance()).doubleValue();
  }

  /**
   * The sum of products with an array of equal length, see {@link Reduction#dot}. That of ints and
   * longs is a long, which wraps around; {@code x.asDoubles().dot(y.asDoubles())} does not.
   */
  public double dot(Ints other) {
    return number(Reduction.dot(), other).doubleValue();
  }

  /** A weight divided by the unit of all weights, from the least and the largest one. */
  private interface Share extends ElementFunction {
    double of(@Element int weight, @Element int least, @Element int largest);
  }

  private interface Weighted extends ElementFunction {
    double of(@Element int value, double share);
  }

  /**
   * The mean with weights, {@code average} of NumPy: 2 for 3, 1 and the weights 1, 1, and 2.5 for
   * 3, 1 and the weights 3, 1. Elements and weights are multiplied as doubles, and the weights are
   * divided by a power of two before, so that neither overflows. For n elements x and weights w it
   * differs from the exact mean by at most {@code (n/2^20 + 60) * 2^-53 * sum(|w x|) / |sum(w)|} if
   * no weight is negative, or less than 2^-1000 times the largest. It is no number if all weights
   * are 0.
   *
   * @param weights as many as there are elements
   * @throws java.util.NoSuchElementException if there are no elements
   */
  public double mean(Ints weights) {
    Share share =
        (weight, low, high) -> weight / Distance.unit(Math.max(-(double) low, (double) high));
    Value least = weights.value(Reduction.min());
    Doubles shares = funnel.doubles(share, weights, least, weights.value(Reduction.max()));
    Weighted weighted = (value, of) -> value * of;
    Value products = funnel.doubles(weighted, this, shares).value(Reduction.sum());
    Value sum = shares.value(Reduction.sum());
    Reading read = funnel.read(products, sum, least);
    var _ = read.get(least); // throws if there are no elements
    return read.getDouble(products) / read.getDouble(sum);
  }

  /** An element's distance from the first, in units that follow from the least and the largest. */
  private interface InUnits extends ElementFunction {
    double of(@Element int value, @Element int first, @Element int least, @Element int largest);
  }

  private Distances distances() {
    Value first = limit(1).value(Reduction.sum());
    Value least = value(Reduction.min());
    Value largest = value(Reduction.max());
    InUnits inUnits =
        (value, origin, low, high) ->
            Distance.of(value, origin)
                / Distance.unit(Math.max(Distance.of(high, origin), Distance.of(origin, low)));
    Doubles distances = funnel.doubles(inUnits, this, first, least, largest);
    return new Distances(first, least, largest, distances);
  }

  /**
   * The covariance with an array of equal length, the mean product of both deviations from the
   * means; of an array with itself its {@link #variance}. The first element is subtracted from each
   * before longs become doubles, and the distances are divided by powers of two, so that nothing
   * cancels, overflows or vanishes but the result: of n elements it differs from the exact one by
   * at most {@code (n/2^20 + 8 sqrt(n) + 60) * 2^-53} times the product of both standard
   * deviations. Elements further apart than the largest double give NaN.
   *
   * @throws java.util.NoSuchElementException if there are no elements
   */
  public double covariance(Ints other) {
    return distances().covariance(other.distances());
  }

  /**
   * The correlation with an array of equal length, from -1 to 1: the covariance divided by both
   * standard deviations, which differs from the exact one by at most {@code (n/2^20 + 12 sqrt(n) +
   * 90) * 2^-53}. NaN if the elements of one are all equal, or further apart than the largest
   * double.
   *
   * @throws java.util.NoSuchElementException if there are no elements
   */
  public double correlation(Ints other) {
    return distances().correlation(other.distances());
  }

  /**
   * The elements that are numbers, all but NaN: {@code x.dropNaNs().mean()} is {@code nanmean} of
   * NumPy. {@code x.count(v -> v != v)} is how many are none.
   */
  public Ints dropNaNs() {
    return ELEMENT.isFloating() ? filter(value -> value == value) : this;
  }

  /** For how many elements a predicate holds. */
  public int count(Transform.@Element IntTest predicate) {
    return integer(node(Reduction.countIf(test(predicate))));
  }

  /**
   * The position of the first element for which a predicate holds, or -1, see {@link FindFirst}.
   */
  public int findFirst(Transform.@Element IntTest predicate) {
    return integer(node(FindFirst.where(test(predicate))));
  }

  /** Whether a predicate holds for any element; false if there are none. */
  public boolean anyMatch(Transform.@Element IntTest predicate) {
    return findFirst(predicate) >= 0;
  }

  /** Whether a predicate holds for all elements; true if there are none. */
  public boolean allMatch(Transform.@Element IntTest predicate) {
    return integer(node(FindFirst.where(test(predicate)).rejecting())) < 0;
  }

  /** Whether a predicate holds for no element; true if there are none. */
  public boolean noneMatch(Transform.@Element IntTest predicate) {
    return !anyMatch(predicate);
  }

  // By values.

  /** How many elements fall into each bin, see {@link Histogram}. */
  public funnel.Ints histogram(Histogram histogram) {
    Node.Applied node = fused(histogram, (_, map) -> map == null ? null : histogram.mapped(map));
    return new funnel.Ints(funnel, node.output(ElementType.INT));
  }

  /**
   * The sum of the weights of the elements in each bin, of the weights' type, see {@link
   * Histogram#weighted}.
   *
   * @param weights ints, longs, floats or doubles, as many as there are elements
   * @throws IllegalArgumentException if the weights are bytes
   */
  public <W extends Array<?, W>> W histogram(Histogram histogram, W weights) {
    histogram.sumType(weights.type());
    return weights.like(node(histogram.weighted(), weights).output(weights.type()));
  }

  /** The bin of each element, as a double, or -1. */
  private funnel.Ints binNumbers(Histogram histogram) {
    double[] edges = histogram.edges();
    int bins = histogram.bins();
    double last = histogram.isClosed() ? edges[bins] : Double.NaN;
    Doubles values = asDoubles().map(value -> value + 0.0); // -0.0 counts as 0.0
    Rolling.Weight bin =
        (value, begun) -> value == last ? bins - 1 : begun <= bins ? begun - 1 : -1;
    funnel.Ints begun =
        funnel.of(edges).map(edge -> edge + 0.0).searchAscending(SortedSearch.upperBound(), values);
    return funnel.doubles(bin, values, begun).asInts();
  }

  /**
   * How many pairs of an element and one of another array fall into each pair of bins, {@code
   * histogram2d} of NumPy: row after row, with a row for each bin of these elements. Pairs of which
   * one is outside are not counted. Samples and {@linkplain Histogram#edges edges} are compared as
   * doubles.
   *
   * @throws IllegalArgumentException if there are more than {@link Histogram#MOST_BINS} pairs
   */
  public funnel.Ints histogram2d(Ints other, Histogram rows, Histogram columns) {
    int width = columns.bins();
    Histogram cells =
        Histogram.ofKeys(
            (int) Math.min((long) rows.bins() * width, Integer.MAX_VALUE)); // checks the number
    return binNumbers(rows)
        .zip(other.binNumbers(columns), (r, c) -> r < 0 || c < 0 ? -1 : r * width + c)
        .filter(cell -> cell >= 0)
        .histogram(cells);
  }

  /**
   * Even bins from the least to the largest element, closed, {@code bins="sturges"} of NumPy: one
   * more than the logarithm of the number of elements to base 2, rounded up. It reads the array.
   *
   * @throws java.util.NoSuchElementException if there are no elements
   * @throws IllegalArgumentException if one is NaN or infinite
   */
  public Histogram sturgesBins() {
    Value least = value(Reduction.min());
    Value largest = value(Reduction.max());
    Reading read = funnel.read(least, largest);
    return bins(read.get(least), read.get(largest), 1 + Math.log(count()) / Math.log(2));
  }

  /**
   * Even bins from the least to the largest element, closed, {@code bins="fd"} of NumPy, by
   * Freedman and Diaconis: each is as wide as twice the distance between the quartiles, divided by
   * the cubic root of the number of elements. It reads the array.
   *
   * @throws java.util.NoSuchElementException if there are no elements
   * @throws IllegalArgumentException if one is NaN or infinite, or it takes more than {@link
   *     Histogram#MOST_BINS} bins
   */
  public Histogram freedmanDiaconisBins() {
    Value least = value(Reduction.min());
    Value largest = value(Reduction.max());
    Quantiles quartiles = Quantiles.of(0.25, 0.75).interpolated();
    Doubles both = new Doubles(funnel, node(quartiles).output(ElementType.DOUBLE));
    Reading read = funnel.read(both, least, largest);
    Number low = read.get(least);
    Number high = read.get(largest);
    double[] between = read.get(both);
    double width = 2 * (between[1] - between[0]) / Math.cbrt(count());
    double range = high.doubleValue() - low.doubleValue();
    return bins(low, high, width > 0 ? range / width : 1);
  }

  private Histogram bins(Number least, Number largest, double count) {
    int bins = (int) Math.max(1, Math.ceil(count));
    if (type().isFloating()) {
      double low = least.doubleValue();
      double high = largest.doubleValue();
      return low == high
          ? Histogram.even(bins, low - 0.5, high + 0.5).closed()
          : Histogram.even(bins, low, high).closed();
    }
    long low = least.longValue();
    long high = largest.longValue();
    long from = low == Long.MAX_VALUE ? low - 1 : low;
    return low < high
        ? Histogram.even(bins, low, high).closed()
        : Histogram.even(1, from, from + 1).closed();
  }

  /**
   * The groups of equal elements: {@code keys.groupBy().sum(amounts)}. Of floats and doubles there
   * are none: convert them to ints or longs, by a function.
   */
  @Only("Long")
  public Groups<Ints> groupBy() {
    return new Groups<>(this, GroupBy.of(), List.of(ref), this::refOf, null);
  }

  /** The groups of equal neighbours, in their order, see {@link GroupBy#runs}. */
  @Only("Long")
  public Groups<Ints> groupByRuns() {
    return new Groups<>(this, GroupBy.of().runs(), List.of(ref), this::refOf, null);
  }

  /**
   * All pairs of positions here and in other keys where these are equal, see {@link Join#inner}.
   */
  @Only("Long")
  public Pairs join(Ints others) {
    Node.Applied node = Node.sized(Join::inner, ref, refOf(others));
    return new Pairs(ints(node, "_left"), ints(node, "_right"));
  }

  /** The positions of the elements that are among others. */
  @Only("Long")
  public funnel.Ints positionsIn(Ints others) {
    return ints(node(Join.semi(), others), "");
  }

  /** The positions of the elements that are not among others. */
  @Only("Long")
  public funnel.Ints positionsNotIn(Ints others) {
    return ints(node(Join.anti(), others), "");
  }
}
