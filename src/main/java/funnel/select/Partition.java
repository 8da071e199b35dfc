package funnel.select;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.scan.ScanForm;
import funnel.transform.Elementwise;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A partition: the elements for which a predicate holds, and the others, both in their order.
 *
 * <p><b>Definition.</b> For 3, 1, 4, 1, 5 and "over 2" the first part is 3, 4, 5 and the second 1,
 * 1. They are two arrays, {@code output + "_kept"} and {@code output + "_rejected"}, whose lengths
 * are found on the device, or {@linkplain #joined joined} one of the input's length, in which the
 * second part follows the first: 3, 4, 5, 1, 1. The value {@code output + "_split"} is the length
 * of the first part.
 *
 * {@snippet class="funnel.docs.SelectSnippets" region="partition"}
 *
 * <p>Predicates, flags, types, empty input and overlaps are as for {@link Select}.
 *
 * <p><b>Cost</b> on a device, for elements of {@code w} bytes: {@code 2w} bytes per element in one
 * launch for two arrays; {@code 3w} in four launches for one array, since the start of the second
 * part must be known first.
 *
 * <p>Immutable. After {@code DevicePartition} of CUB, whose second part is reversed, and {@code
 * stable_partition} of Thrust.
 */
public final class Partition implements Operation {

  private final Question question;
  private final boolean isJoined;
  private final @Nullable ScanForm form;

  private Partition(Question question, boolean isJoined, @Nullable ScanForm form) {
    this.question = question;
    this.isJoined = isJoined;
    this.form = form;
  }

  /**
   * A partition by a predicate.
   *
   * @throws IllegalArgumentException if {@code predicate} is not a predicate
   */
  public static Partition where(Transform predicate) {
    return new Partition(Question.of(predicate), false, null);
  }

  /**
   * A partition by a function of other arrays and possibly the index, as {@link
   * Select#where(Elementwise)}.
   */
  public static Partition where(Elementwise function) {
    return new Partition(Question.of(Objects.requireNonNull(function, "function")), false, null);
  }

  /** A partition by flags, which are bytes or bits in a second input. */
  public static Partition flagged() {
    return new Partition(Question.FLAGS, false, null);
  }

  /** This partition in one array, the second part after the first. */
  public Partition joined() {
    return new Partition(question, true, form);
  }

  /** This partition in a chosen form on a device; joined partitions have only one form. */
  public Partition by(ScanForm newForm) {
    return new Partition(question, isJoined, Objects.requireNonNull(newForm, "form"));
  }

  /**
   * @param output the name of the joined output, and the beginning of the names of the others
   * @param inputs the elements, then the flags or the function's inputs, if any
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Criterion criterion = question.criterion(this, output, inputs, true, form);
    SelectStep.Names names =
        isJoined
            ? new SelectStep.Names(output, null, null, true)
            : new SelectStep.Names(output + "_kept", null, output + "_rejected", false);
    Input elements = inputs.getFirst();
    SelectStep select = criterion.select(output, elements, names);
    Output split =
        Output.ofResult(output + "_split", ElementType.INT, elements.name(), "", select.count());
    return new Expansion(List.of(criterion.whole(output, select)), List.of(split));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Partition that
        && question.equals(that.question)
        && isJoined == that.isJoined
        && form == that.form;
  }

  @Override
  public int hashCode() {
    return Objects.hash(question, isJoined, form);
  }

  @Override
  public String toString() {
    return "partition where " + question;
  }
}
