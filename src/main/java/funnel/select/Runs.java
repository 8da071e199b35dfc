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
import java.util.HashSet;
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
 * <p><b>Cost</b> on a device, for {@code r} runs of {@code n} elements of {@code w} bytes: {@code
 * nw + n / 4 + r(2w + 4)} bytes, plus {@code 8r} for lengths; if runs are far apart, each read of
 * {@code w} bytes of a run's element moves 32. A named form takes {@code nw + r(w + 4)} in one
 * launch, or {@code 2nw + r(w + 4)} in four, plus {@code 8r}. Extra memory: a bit for each element.
 *
 * <p>Immutable. After {@code DeviceRunLengthEncode} of CUB, where each NaN is a run of its own, and
 * {@code BlockRunLengthDecode}.
 */
public final class Runs implements Operation {

  private static final int ENCODES = -1;
  private static final String STARTS = "_starts";
  private static final String BITS = ".runbits";
  private static final String BEFORE = ".runbefore";

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
   * extra memory; each thread searches for the run of its elements among the ends of runs.
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
    Primitive runs =
        form == null ? encoded(output, input, true, Set.of()) : selected(output, input, true);
    return new Expansion(List.of(runs, lengths(output, input)), List.of());
  }

  private SelectStep selected(String output, Input input, boolean hasStarts) {
    String starts = hasStarts ? output + STARTS : null;
    return Criterion.heads(input, form)
        .select(output, input, new SelectStep.Names(output, starts, null, false));
  }

  private Primitive encoded(
      String output, Input input, boolean hasStarts, Set<String> alsoVisible) {
    RunHeadsStep heads = new RunHeadsStep(output + BITS, input, output + ".runcounts");
    Input counts = new Input(heads.counts(), ElementType.INT, heads.mostCounts());
    List<Primitive> parts = new ArrayList<>(List.of(heads));
    Scan sums = Scan.exclusive(Operator.SUM);
    parts.addAll(sums.expand(output + BEFORE, List.of(counts)).primitives());
    String starts = hasStarts ? output + STARTS : null;
    parts.add(new RunHeadsStep.Store(output, heads, output + BEFORE, starts));
    Set<String> visible = new HashSet<>(alsoVisible);
    visible.addAll(List.of(output, output + STARTS));
    return Composite.of(output, parts, visible, List.of(selected(output, input, hasStarts)));
  }

  /**
   * A primitive for the runs' elements and the arrays of {@link #segments}, which {@link
   * funnel.scan.SegmentedScan#reduction(String, Input, Input, SegmentInputs, ElementType)} takes.
   *
   * @param output name of the runs' elements
   * @param input the elements
   * @param hasStarts whether it also writes where runs begin, in the array {@code output +
   *     "_starts"}
   */
  public static Primitive step(String output, Input input, boolean hasStarts) {
    return encode().encoded(output, input, hasStarts, Set.of(output + BITS, output + BEFORE));
  }

  /** A primitive for {@code output + "_lengths"}, after a {@link #step} that has starts. */
  public static Primitive lengths(String output, Input input) {
    return new RunLengthsStep(output + "_lengths", output + STARTS, input.name(), input.capacity());
  }

  /** These runs as segments, for primitives after {@link #step}. */
  public static SegmentInputs segments(String output, Input input) {
    return SegmentInputs.ofBits(
        new Input(output, input.type(), input.capacity()),
        output + BITS,
        output + BEFORE,
        RunHeadsStep.lead(input.type()));
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
