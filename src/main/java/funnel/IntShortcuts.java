package funnel;

import funnel.histogram.Histogram;
import funnel.histogram.Uncounted;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.operation.Operation;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.FindFirst;
import funnel.select.Partition;
import funnel.select.Select;
import funnel.select.Unique;
import funnel.sort.Order;
import funnel.sort.Sort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The calls of {@link Funnel} for arrays of one type; all use the calls that take elements. */
@Twins({"Long", "Float", "Double"})
interface IntShortcuts {

  Number reduce(Elements elements, Reduction reduction);

  Number scan(Elements elements, Scan scan, Elements into);

  Uncounted histogram(Elements samples, Histogram histogram, Elements into);

  Results run(Operation operation, Elements... inputs);

  Results run(Operation operation, Map<String, Elements> into, Elements... inputs);

  /**
   * All elements combined by an operator, from left to right: 3, 1, 4, 1 by {@link
   * Operator#PRODUCT} are 12. See the {@linkplain Operator operator} for overflow, NaN and -0.0.
   *
   * @return the operator's identity if {@code values} is empty
   * @throws java.util.NoSuchElementException if {@code values} is empty and the operator is min or
   *     max
   * @throws IllegalArgumentException if the operator is not defined on elements of this type
   */
  default @Element int reduce(@Element int[] values, Operator operator) {
    return (@Element Integer) reduce(Elements.of(values), Reduction.of(operator));
  }

  /**
   * The sum, see {@link Operator#SUM}: of 3, 1, 4, 1 it is 9. It is 0 if {@code values} is empty.
   * Sums of ints and longs wrap around.
   */
  default @Element int sum(@Element int[] values) {
    return reduce(values, Operator.SUM);
  }

  /**
   * The smallest element, as by {@code Math.min}: of 3, 1, 4, 1 it is 1.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  default @Element int min(@Element int[] values) {
    return reduce(values, Operator.MIN);
  }

  /**
   * The largest element, as by {@code Math.max}: of 3, 1, 4, 1 it is 4.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  default @Element int max(@Element int[] values) {
    return reduce(values, Operator.MAX);
  }

  /**
   * The arithmetic mean: of 3, 1, 4, 1 it is 2.25. Elements are widened to double first.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  default double mean(@Element int[] values) {
    return (Double) reduce(Elements.of(values), Reduction.mean());
  }

  /**
   * The index of the smallest element, the first one on ties: of 3, 1, 4, 1 it is 1.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  default int argMin(@Element int[] values) {
    return (Integer) reduce(Elements.of(values), Reduction.argMin());
  }

  /**
   * The index of the largest element, the first one on ties: of 3, 1, 4, 1 it is 2.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  default int argMax(@Element int[] values) {
    return (Integer) reduce(Elements.of(values), Reduction.argMax());
  }

  /**
   * The inclusive scan: each element combined with all elements before it, see {@link Scan}: 3, 1,
   * 4, 1 by {@link Operator#SUM} become 3, 4, 8, 9.
   *
   * @return a new array of as many elements
   * @throws IllegalArgumentException if the operator is not defined on elements of this type
   */
  default @Element int[] inclusiveScan(@Element int[] values, Operator operator) {
    return scan(values, Scan.inclusive(operator));
  }

  /**
   * The exclusive scan: all elements before each one combined, starting from the operator's
   * identity, see {@link Scan}: 3, 1, 4, 1 by {@link Operator#SUM} become 0, 3, 4, 8.
   *
   * @return a new array of as many elements
   * @throws IllegalArgumentException if the operator is not defined on elements of this type
   */
  default @Element int[] exclusiveScan(@Element int[] values, Operator operator) {
    return scan(values, Scan.exclusive(operator));
  }

  /**
   * The exclusive scan from an initial value, which is the first result: 3, 1, 4, 1 by {@link
   * Operator#SUM} from 100 become 100, 103, 104, 108.
   */
  default @Element int[] exclusiveScan(
      @Element int[] values, Operator operator, @Element int initial) {
    return scan(values, Scan.exclusive(operator).from(initial));
  }

  /**
   * The elements in ascending order, see {@link Sort}: of 3, 1, 4, 1 they are 1, 1, 3, 4. -0.0
   * comes before 0.0, and NaN last.
   *
   * @return a new array of as many elements
   */
  default @Element int[] sort(@Element int[] values) {
    @Element int[] sorted = new @Element int[Objects.requireNonNull(values, "values").length];
    var _ = run(Sort.ascending(), Map.of("result", Elements.of(sorted)), Elements.of(values));
    return sorted;
  }

  /**
   * Sorts the elements in place, in the order of {@link #sort}: 3, 1, 4, 1 become 1, 1, 3, 4. It
   * uses a temporary array of the same length. If it throws, {@code values} is unchanged.
   */
  default void sortInPlace(@Element int[] values) {
    @Element int[] sorted = sort(values);
    System.arraycopy(sorted, 0, values, 0, sorted.length);
  }

  /**
   * Columns in the ascending order of keys, see {@link Sort#rows}: of the keys 3, 1, 1 and the
   * column 10, 20, 30 it is 20, 30, 10. The keys may be a column too.
   *
   * @param columns each as long as {@code keys}, of any type
   * @return the columns, by the names {@code result_1}, {@code result_2} and so on
   * @throws IllegalArgumentException if there is no column, or a column has another length
   */
  default Results sortBy(@Element int[] keys, Elements... columns) {
    List<Elements> inputs = new ArrayList<>(List.of(Elements.of(keys)));
    inputs.addAll(Arrays.asList(columns));
    return run(Sort.ascending().rows(), inputs.toArray(Elements[]::new));
  }

  /**
   * The positions of the elements in ascending order, see {@link Order}: of 3, 1, 4, 1 they are 1,
   * 3, 0, 2. Of equal elements the first one comes first.
   *
   * @return a new array of as many positions
   */
  default int[] order(@Element int[] values) {
    return run(Order.ascending(), Elements.of(values)).ints("result");
  }

  /**
   * The elements for which a predicate holds, in their order, see {@link Select}: the elements over
   * 2 of 3, 1, 4, 1 are 3, 4.
   *
   * @return a new array of as many elements as are kept
   * @throws funnel.operator.OperatorException if the predicate cannot be compiled for the device
   */
  default @Element int[] select(@Element int[] values, Transform.@Element IntTest predicate) {
    return array(run(Select.where(Predicates.of(predicate)), Elements.of(values)));
  }

  /**
   * The elements for which a predicate holds, then the others, both in their order, see {@link
   * Partition}: 3, 1, 4, 1 by "over 2" become 3, 4, 1, 1, and 2 is returned.
   *
   * @param into where they go: an array at least as long as {@code values}, and not the same
   * @return the number of elements for which it holds
   * @throws IllegalArgumentException if {@code into} is shorter than {@code values}, or the same
   * @throws funnel.operator.OperatorException if the predicate cannot be compiled for the device
   */
  default int partition(
      @Element int[] values, Transform.@Element IntTest predicate, @Element int[] into) {
    Partition parts = Partition.where(Predicates.of(predicate)).joined();
    return run(parts, Map.of("result", Elements.of(into)), Elements.of(values))
        .getInt("result_split");
  }

  /**
   * The first element of each run of equal neighbours, see {@link Unique}: of 3, 3, 1, 4, 4 these
   * are 3, 1, 4.
   *
   * @return a new array of as many elements as there are runs
   */
  default @Element int[] unique(@Element int[] values) {
    return array(run(Unique.adjacent(), Elements.of(values)));
  }

  /**
   * The index of the first element for which a predicate holds, see {@link FindFirst}: of 3, 1, 4,
   * 1 by "over 3" it is 2.
   *
   * @return the index, or -1 if there is no such element
   * @throws funnel.operator.OperatorException if the predicate cannot be compiled for the device
   */
  default int findFirst(@Element int[] values, Transform.@Element IntTest predicate) {
    return run(FindFirst.where(Predicates.of(predicate)), Elements.of(values)).getInt("result");
  }

  /**
   * Whether a predicate holds for any element; false for an empty array. Exceptions as {@link
   * #findFirst}.
   */
  default boolean anyMatch(@Element int[] values, Transform.@Element IntTest predicate) {
    return findFirst(values, predicate) >= 0;
  }

  /**
   * Whether a predicate holds for all elements; true for an empty array. Exceptions as {@link
   * #findFirst}.
   */
  default boolean allMatch(@Element int[] values, Transform.@Element IntTest predicate) {
    return run(FindFirst.where(Predicates.of(predicate)).rejecting(), Elements.of(values))
            .getInt("result")
        < 0;
  }

  private @Element int[] array(Results results) {
    return (@Element int[]) results.array("result");
  }

  private @Element int[] scan(@Element int[] values, Scan scan) {
    @Element int[] results = new @Element int[Objects.requireNonNull(values, "values").length];
    var _ = scan(Elements.of(values), scan, Elements.of(results));
    return results;
  }

  /**
   * How many samples fall into each bin, see {@link Histogram}: of 0, 3, 4, 7, 8, 12, -1 {@code
   * even(3, 0, 12)} counts 2, 2, 1, between its {@linkplain Histogram#edges edges} 0, 4, 8, 12.
   * Samples in none of the bins are left out; the call that takes a destination returns how many
   * these are.
   *
   * @return a new array of the counters of all channels
   * @throws IllegalArgumentException if the histogram is not defined for samples of this type,
   *     takes weights, or has counters of another type than int; if the number of samples is not a
   *     multiple of its channels
   * @throws funnel.histogram.KeyOutsideException if a sample is not a valid key
   */
  default int[] histogram(@Element int[] samples, Histogram histogram) {
    int[] counts = new int[histogram.counters()];
    var _ = histogram(Elements.of(samples), histogram, Elements.of(counts));
    return counts;
  }
}
