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
import funnel.transform.IndexCheck;
import funnel.transform.IndexOutsideException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a scatter reduction computes: values are combined into an array, each at its index. It is
 * what atomic operations on an array are used for, with a result that does not depend on who comes
 * first.
 *
 * <p>With the indices 2, 0, 2, 2, the values 10, 20, 30, 40 and the array 1, 2, 3, it is by {@link
 * Operator#SUM} 21, 2, 83; by {@link Operator#MAX} 20, 2, 40; and by {@link #last}, which exchanges
 * what is there for the last value in the order of positions, 20, 2, 40.
 *
 * <table>
 * <caption>Instead of atomic operations</caption>
 * <tr><th>atomic</th><th>here</th></tr>
 * <tr><td>add, inc</td><td>{@code by(Operator.SUM)}, of ones</td></tr>
 * <tr><td>sub, dec</td><td>{@code by(Operator.SUM)}, of negative values</td></tr>
 * <tr><td>min, max</td><td>{@code by(Operator.MIN)}, {@code by(Operator.MAX)}</td></tr>
 * <tr><td>and, or, xor</td><td>{@code by(Operator.AND)} and so on, of ints and longs</td></tr>
 * <tr><td>exchange</td><td>{@code last()}</td></tr>
 * <tr><td>a loop of compare-and-swap</td><td>{@code by} any operator of yours</td></tr>
 * </table>
 *
 * {@snippet class="funnel.docs.AtomicsSnippets" region="scatter"}
 *
 * <p><b>Definition.</b> Element k of the output is what was there combined with the values of index
 * k, in the order of their positions: {@code old[k] op (v1 op v2 op ...)}. Elements without a value
 * stay as they are. Operators need not be commutative.
 *
 * <p><b>Order.</b> Which values meet which depends on the indices and the length alone: values are
 * brought into the order of their indices by a stable sort and {@linkplain SegmentedScan scanned}
 * by them. So floating-point results have the same bits on the JVM, in the emulator and on every
 * device, run after run. They are not those of a plain loop. Integers wrap around, unless they are
 * {@linkplain #to widened}; min and max treat NaN and -0.0 as {@link Math} does; where all are
 * -0.0, the old contents too, so is the sum.
 *
 * <p><b>Indices</b> are from 0 below the length of the array. One that is not ends the run with an
 * {@link IndexOutsideException}, which has the first one's position, and the output is as it was.
 *
 * <p><b>Empty input</b>, without any index, gives the array as it was.
 *
 * <p><b>In place.</b> The output may be the very array of the old contents. It may not overlap
 * anything else that is read.
 *
 * <p><b>Cost.</b> Whatever the indices are: for each value one pass of a {@linkplain Sort sort} for
 * 7 bits of the array's length (20 bytes of traffic), a gather, and a segmented scan. Extra memory
 * is 20.5 bytes for each value and two times its size. With few bins and counts, a {@code
 * Histogram} is faster. The JVM sorts nothing, unless floating-point values go into a larger array
 * than theirs by other operators than min and max.
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

  /** The one that leaves the last value of each index, in the order of positions. */
  public static ScatterReduce last() {
    return new ScatterReduce(null, null);
  }

  /**
   * The same scatter reduction into an array of another type, to which each value is widened before
   * it meets others: ints to long or double, longs and floats to double. By {@link Operator#SUM} of
   * two billion and two billion, ints that share an index, it is four billion in an array of longs,
   * which no array's ints can overflow, where ints wrap around. A long is rounded to the nearest
   * double.
   *
   * @param type the array's
   */
  public ScatterReduce to(ElementType type) {
    return new ScatterReduce(operator, Objects.requireNonNull(type, "type"));
  }

  /**
   * The type of the array that values of a type are combined into: their own, unless {@link #to}
   * says another.
   *
   * @throws IllegalArgumentException if there is no such scatter reduction
   */
  public ElementType resultType(ElementType values) {
    ElementType type = accumulator == null ? values : accumulator;
    if (values == ElementType.BYTE) {
      throw new IllegalArgumentException(
          "%s is over int, long, float or double: the values are of type %s"
              .formatted(this, values));
    }
    if (!WideningGather.isWider(values, type) || operator == null && type != values) {
      throw new IllegalArgumentException(
          "no %s from %s to %s: ints are widened to LONG or DOUBLE, longs and floats to DOUBLE%s"
              .formatted(this, values, type, operator == null ? ", and last values not" : ""));
    }
    if (operator != null) {
      operator.requireDefinedOn(type);
    }
    return type;
  }

  /** The operator, or null if the last value replaces what is there. */
  public @Nullable Operator operator() {
    return operator;
  }

  /**
   * The primitives of this scatter reduction.
   *
   * @param output name of the output, an array like the third input
   * @param inputs the indices (ints), the values, and the array that they are combined into, of the
   *     {@link #resultType}
   * @throws IllegalArgumentException if there are not three inputs, or their types do not fit each
   *     other or the operator
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (inputs.size() != 3) {
      throw new IllegalArgumentException(
          "%s takes 3 inputs, indices, values and what they go into; given are %d"
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
    IndexCheck check =
        new IndexCheck(
            output + ".check",
            "scatter reduction " + output,
            indices.name(),
            0,
            into.name(),
            size,
            false,
            indices.capacity());
    String positions = output + ".positions";
    Primitive sort = Sort.step(output + ".sorted", positions, indices, Math.max(1, size));
    List<Primitive> parts = new ArrayList<>(List.of(check, sort));
    String come = values.name();
    if (by != null) {
      WideningGather gather =
          new WideningGather(
              output + ".gather",
              values.name(),
              positions,
              values.type(),
              type,
              indices.capacity());
      parts.add(gather);
      come = output + ".scan";
      parts.addAll(
          SegmentedScan.inclusive(by)
              .from(by.neutral(type)) // what it comes to is added to the old contents
              .byKeys()
              .expand(
                  come,
                  List.of(
                      new Input(gather.id(), type, indices.capacity()),
                      new Input(sort.id(), ElementType.INT, indices.capacity())))
              .primitives());
    }
    boolean isSorted = Scatter.isSortedOnJvm(type, by, indices.capacity(), size);
    Scatter scatter =
        new Scatter(
            output,
            new Scatter.Names(
                indices.name(), values.name(), into.name(), sort.id(), positions, come),
            check,
            values.type(),
            type,
            by,
            isSorted,
            indices.capacity(),
            size);
    parts.add(scatter);
    List<Primitive> onJvm = isSorted ? parts : List.of(scatter);
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
