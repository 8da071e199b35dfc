package funnel.select;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import funnel.scan.SegmentInputs;
import funnel.transform.IndexCheckStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs of equal elements: run-length encoding.
 *
 * <p><b>Definition.</b> A run is a maximal stretch of equal neighbours. For 4, 4, 7, 9, 9, 9 the
 * runs' elements are 4, 7, 9, their starts 0, 2, 3 and their lengths 2, 1, 3: the outputs {@code
 * output}, {@code output + "_starts"} and {@code output + "_lengths"}. The length of all three is
 * the number of runs, which is found on the device. For sorted elements these are the distinct
 * elements and how often each occurs.
 *
 * {@snippet class="funnel.docs.SelectSnippets" region="runs"}
 *
 * <p>Elements are <b>equal</b> according to {@code equals} of their boxes: all NaN are equal, and
 * 0.0 and -0.0 differ. A run of NaN has the bits of the first one. Elements are bytes, ints, longs,
 * floats or doubles.
 *
 * <p><b>Empty input</b> has no runs.
 *
 * <p>There is no <b>in-place</b> form: outputs must not overlap the input.
 *
 * <p><b>Cost</b> on a device, for {@code r} runs of {@code n} elements of {@code w} bytes: that of
 * a {@linkplain Select selection} that reads {@code nw} bytes, or {@code 2nw} in the form of two
 * readings, and writes {@code r(w + 8)}. One more launch, with a thread for each 512 elements,
 * stores the lengths that it leaves. Extra memory: an int for each 512.
 *
 * <p>Immutable. After {@code DeviceRunLengthEncode} of CUB, where each NaN is a run of its own, and
 * {@code BlockRunLengthDecode}.
 */
public final class Runs implements Operation {

  private static final int ENCODES = -1;

  private final int capacity; // of decoded runs
  private final @Nullable ScanForm form;

  private Runs(int capacity, @Nullable ScanForm form) {
    this.capacity = capacity;
    this.form = form;
  }

  /** The runs of an array. */
  public static Runs encode() {
    return new Runs(ENCODES, null);
  }

  /**
   * Run-length decoding: the array in which each element is repeated as often as its length says.
   * For the elements 4, 7, 9 and the lengths 2, 0, 3 it is 4, 4, 9, 9, 9. Inputs are elements of
   * any type and as many lengths, non-negative ints. The length of the array is found on the
   * device.
   *
   * {@snippet class="funnel.docs.SelectSnippets" region="decode"}
   *
   * <p>The run throws an {@link funnel.transform.IndexOutsideException} with the position of a
   * negative length, and an {@link funnel.operation.OutputTooShortException} if there are more
   * elements than {@code capacity}; the output is then unchanged. The inputs must not overlap the
   * output. For {@code r} runs it reads at least {@code r(8 + w)} bytes, and takes {@code 8r} of
   * extra memory; each thread searches for the run of its elements among the ends of runs. A device
   * has memory for {@code capacity} elements, the JVM for those that are found.
   *
   * @param capacity the largest number of elements of the array
   * @throws IllegalArgumentException if {@code capacity} is negative or more than an array can have
   */
  public static Runs decode(int capacity) {
    return new Runs(Input.requireLength("Runs.decode: capacity", capacity), null);
  }

  /** These runs with a chosen form of the scan or selection on a device. */
  public Runs by(ScanForm newForm) {
    return new Runs(capacity, Objects.requireNonNull(newForm, "form"));
  }

  /**
   * @param output the name of the runs' elements and prefix of the names of starts and lengths; or
   *     the name of the decoded array
   * @param inputs the elements; to decode, the elements of the runs and their lengths
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (capacity != ENCODES) {
      return decoded(output, inputs);
    }
    Input input = Expansion.only(inputs, this);
    return new Expansion(List.of(selected(output, input, true, false)), List.of());
  }

  private SelectStep selected(String output, Input input, boolean hasStarts, boolean hasBits) {
    return Criterion.heads(input, form)
        .select(
            output,
            input,
            new SelectStep.Names(
                output,
                hasStarts ? output + "_starts" : null,
                null,
                false,
                hasStarts ? output + "_lengths" : null,
                hasBits ? output + ".bits" : null));
  }

  /**
   * A primitive for the runs' elements and the arrays that {@link #segments} names.
   *
   * @param output name of the runs' elements
   * @param input the elements
   * @param hasStarts whether it also writes where runs begin and their lengths, in the arrays
   *     {@code output + "_starts"} and {@code output + "_lengths"}
   */
  public static Primitive step(String output, Input input, boolean hasStarts) {
    return encode().selected(output, input, hasStarts, true);
  }

  /**
   * These runs as segments, which {@link funnel.scan.SegmentedScan#reduction(String, Input, Input,
   * SegmentInputs, ElementType)} takes after {@link #step}.
   */
  public static SegmentInputs segments(String output, Input input, boolean hasStarts) {
    SelectStep step = encode().selected(output, input, hasStarts, true);
    return SegmentInputs.ofBits(
        new Input(output, input.type(), input.capacity()),
        Objects.requireNonNull(step.names().marks()),
        step.numbers(),
        step.stretch(),
        SelectTiles.lead(input.type()));
  }

  private Expansion decoded(String output, List<Input> inputs) {
    if (inputs.size() != 2 || inputs.getLast().type() != ElementType.INT) {
      throw new IllegalArgumentException(
          "%s take elements and their lengths, which are ints, given: %s".formatted(this, inputs));
    }
    RunElementsStep.Refusal refusal =
        new RunElementsStep.Refusal(
            "decoded array %s has more elements".formatted(output), "Runs.decode");
    Primitive decoded = decoded(output, inputs.getFirst(), inputs.getLast(), refusal);
    return new Expansion(List.of(decoded), List.of());
  }

  /**
   * The primitive of {@link #decode} for an operation that takes the capacity itself.
   *
   * @param output the name of the decoded array
   * @param elements the elements
   * @param lengths their lengths, ints
   * @param more what there is more of than {@code capacity}, for an exception
   * @param call the method that takes the capacity
   */
  public static Primitive decoded(
      String output, Input elements, Input lengths, int capacity, String more, String call) {
    return decode(capacity)
        .decoded(output, elements, lengths, new RunElementsStep.Refusal(more, call));
  }

  private Primitive decoded(
      String output, Input elements, Input lengths, RunElementsStep.Refusal refusal) {
    IndexCheckStep check =
        new IndexCheckStep(
            output + ".check",
            "lengths of the runs of " + output,
            lengths.name(),
            0,
            null,
            Integer.MAX_VALUE,
            lengths.capacity());
    String ends = output + ".ends";
    List<Primitive> parts = new ArrayList<>(List.of(check));
    Scan sums = Scan.inclusive(Operator.SUM).to(ElementType.LONG);
    sums = form == null ? sums : sums.by(form);
    parts.addAll(sums.expand(ends, List.of(lengths)).primitives());
    parts.add(
        new RunElementsStep(
            output,
            elements.name(),
            lengths.name(),
            ends,
            check.id(),
            elements.type(),
            capacity,
            refusal));
    return Composite.of(output, parts, Set.of(output));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Runs that && capacity == that.capacity && form == that.form;
  }

  @Override
  public int hashCode() {
    return Objects.hash(capacity, form);
  }

  @Override
  public String toString() {
    return capacity == ENCODES ? "runs" : "runs decoded";
  }
}
