package funnel.histogram;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.SegmentedScan;
import funnel.sort.Sort;
import funnel.transform.IndexCheckStep;
import funnel.transform.IndexOutsideException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A scatter reduction: values are combined into an array, each at its index. It replaces atomic
 * operations on an array, with a result that does not depend on timing.
 *
 * <p>With the indices 2, 0, 2, 2, the values 10, 20, 30, 40 and the array 1, 2, 3, the result is
 * 21, 2, 83 by {@link Operator#SUM}, 20, 2, 40 by {@link Operator#MAX}, and 20, 2, 40 by {@link
 * #last}, which replaces an element by the last value in the order of positions.
 *
 * <table>
 * <caption>Instead of atomic operations</caption>
 * <tr><th>atomic</th><th>here</th></tr>
 * <tr><td>add, inc</td><td>{@code by(Operator.SUM)}, of ones</td></tr>
 * <tr><td>sub, dec</td><td>{@code by(Operator.SUM)}, of negative values</td></tr>
 * <tr><td>min, max</td><td>{@code by(Operator.MIN)}, {@code by(Operator.MAX)}</td></tr>
 * <tr><td>and, or, xor</td><td>{@code by(Operator.AND)} and so on, of ints and longs</td></tr>
 * <tr><td>exchange</td><td>{@code last()}</td></tr>
 * <tr><td>a loop of compare-and-swap</td><td>{@code by} any operator of your own</td></tr>
 * </table>
 *
 * {@snippet class="funnel.docs.AtomicsSnippets" region="scatter"}
 *
 * <p><b>Definition.</b> Element k of the output is the old element combined with the values of
 * index k, in the order of their positions: {@code old[k] op (v1 op v2 op ...)}. Elements without a
 * value are unchanged. Operators need not be commutative.
 *
 * <p><b>Order.</b> The order of combination depends on the indices and the length alone: a stable
 * sort puts the values into the order of their indices, and a {@linkplain SegmentedScan segmented
 * scan} combines those of each index. So floating-point results have the same bits on the JVM, in
 * the emulator and on every device, in every run. They differ from those of a plain loop. Integers
 * wrap around, unless they are {@linkplain #to widened}; min and max treat NaN and -0.0 as {@link
 * Math} does; if all values and the old element are -0.0, so is the sum.
 *
 * <p><b>Indices</b> are at least 0 and less than the length of the array. For any other index the
 * run throws an {@link IndexOutsideException} with the position of the first one, and the output is
 * unchanged.
 *
 * <p><b>Empty input</b>, without any index, leaves the array unchanged.
 *
 * <p><b>In place.</b> The output may be exactly the array of the old contents. It must not overlap
 * any other input.
 *
 * <p><b>Cost</b> does not depend on the indices: a {@linkplain Sort sort}, with one pass for every
 * 8 bits of the array's length and 20 bytes of traffic per value and pass, a gather, and a
 * segmented scan. Extra memory is 20.5 bytes per value and twice the value's size. For counts in
 * few bins, a {@code Histogram} is faster. The JVM does not sort, except for operators other than
 * min and max on floating-point values if the array is longer than the values.
 *
 * <p>Immutable.
 */
public final class ScatterReduce implements Operation {

  private final @Nullable Operator operator;
  private final @Nullable ElementType accumulator;

  private ScatterReduce(@Nullable Operator operator, @Nullable ElementType accumulator) {
    this.operator = operator;
    this.accumulator = accumulator;
  }

  /** The scatter reduction by an operator. */
  public static ScatterReduce by(Operator operator) {
    return new ScatterReduce(Objects.requireNonNull(operator, "operator"), null);
  }

  /** The scatter reduction that keeps the last value of each index, in the order of positions. */
  public static ScatterReduce last() {
    return new ScatterReduce(null, null);
  }

  /**
   * This scatter reduction into an array of another type, to which each value is widened before it
   * is combined: ints to long or double, longs and floats to double. By {@link Operator#SUM}, two
   * ints of two billion at the same index give four billion in an array of longs, which the sum of
   * an int array cannot overflow; ints would wrap around. A long is rounded to the nearest double.
   *
   * @param type the type of the array
   */
  public ScatterReduce to(ElementType type) {
    return new ScatterReduce(operator, Objects.requireNonNull(type, "type"));
  }

  /**
   * The type of the array that values are combined into: their own, unless {@link #to} sets
   * another.
   *
   * @throws IllegalArgumentException if the scatter reduction is not defined for values of that
   *     type
   */
  public ElementType resultType(ElementType values) {
    ElementType type = accumulator == null ? values : accumulator;
    if (values == ElementType.BYTE) {
      throw new IllegalArgumentException(
          "%s is over int, long, float or double: the values are of type %s"
              .formatted(this, values));
    }
    if (!WideningGatherStep.isWider(values, type) || operator == null && type != values) {
      throw new IllegalArgumentException(
          "no %s from %s to %s: ints are widened to LONG or DOUBLE, longs and floats to DOUBLE%s"
              .formatted(this, values, type, operator == null ? ", and last values not" : ""));
    }
    if (operator != null) {
      operator.requireDefinedOn(type);
    }
    return type;
  }

  /** The operator, or null if the last value replaces the element. */
  public @Nullable Operator operator() {
    return operator;
  }

  /**
   * @param output the name of the output, an array of the third input's type and length
   * @param inputs the indices (ints), the values, and the array that they are combined into, of the
   *     {@link #resultType}
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (inputs.size() != 3) {
      throw new IllegalArgumentException(
          "%s takes 3 inputs, indices, values and what they go into; given are %s"
              .formatted(this, inputs.size()));
    }
    Input indices = inputs.get(0);
    Input values = inputs.get(1);
    Input into = inputs.get(2);
    if (indices.type() != ElementType.INT) {
      throw new IllegalArgumentException(
          "indices of %s are ints, input %s is of type %s"
              .formatted(this, indices.name(), indices.type()));
    }
    ElementType type = resultType(values.type());
    if (into.type() != type) {
      throw new IllegalArgumentException(
          "%s of %s, which is of type %s, goes into an array of type %s: %s is of type %s; to(...) widens values"
              .formatted(this, values.name(), values.type(), type, into.name(), into.type()));
    }
    Operator by = operator;
    int size = into.capacity();
    IndexCheckStep check =
        new IndexCheckStep(
            output + ".check",
            "scatter reduction " + output,
            indices.name(),
            0,
            into.name(),
            size,
            indices.capacity());
    String positions = output + ".positions";
    Primitive sort = Sort.step(output + ".sorted", positions, indices, Math.max(1, size));
    List<Primitive> parts = new ArrayList<>(List.of(check, sort));
    String come = values.name();
    if (by != null) {
      Input moved = new Input(values.name(), values.type(), indices.capacity());
      parts.addAll(WideningGatherStep.scanned(output, moved, positions, sort.id(), by, type));
      come = output + ".scan";
    }
    ScatterReduceStep.Arrays arrays =
        new ScatterReduceStep.Arrays(indices, values, into, sort.id(), positions, come);
    ScatterReduceStep scatter = new ScatterReduceStep(output, arrays, check, by);
    parts.add(scatter);
    List<Primitive> onJvm = scatter.isSortedOnJvm() ? parts : List.of(scatter);
    return new Expansion(List.of(Composite.of(output, parts, Set.of(output), onJvm)), List.of());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ScatterReduce o
        && Objects.equals(operator, o.operator)
        && accumulator == o.accumulator;
  }

  @Override
  public int hashCode() {
    return Objects.hash(operator, accumulator);
  }

  @Override
  public String toString() {
    return operator == null
        ? "scatter reduction to the last value"
        : "scatter reduction by " + operator;
  }
}
