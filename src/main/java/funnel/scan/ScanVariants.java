package funnel.scan;

import funnel.engine.Input;
import funnel.engine.Output;
import funnel.engine.Step;
import funnel.operator.Operator;
import java.util.List;
import java.util.Objects;

/**
 * Inclusive scans by one {@link ScanVariant}. For work, use {@link Scan}.
 *
 * <p><b>Results.</b> Element i of the result is elements 0 to i of the input combined from left to
 * right: 3, 1, 4 gives 3, 4, 8. Right for any length; an empty input has an empty result, and the
 * identity as its total. Operands are always neighbours, left one first, so the operator need not
 * be commutative. Integer sums and products wrap around; NaN and -0.0 are treated as in {@link
 * Math} by min and max. A sum of floats or doubles depends on variant, block size and length: its
 * bits differ between variants, and are the same on every engine, since the JVM form replays the
 * kernels' tree. A sum of nothing but zeros may have either sign.
 *
 * {@snippet class="funnel.docs.ScanSnippets" region="variants"}
 */
public final class ScanVariants {

  private ScanVariants() {}

  /**
   * What a plan adds for a scan by a variant: the array {@code output}, and the total of all
   * elements as the value {@code output + "_total"}.
   *
   * @param output name of the array
   * @param input the input: int, long, float or double elements, as the variant allows
   * @param variant the variant
   * @param blockSize threads of a block: 64, 128, 256, 512 or 1024
   * @param operator the operator
   * @throws IllegalArgumentException if the block size is none of those, the operator is not
   *     defined on the type, there is no such variant over it, or the grid would have more threads
   *     than a device can count
   */
  public static Step step(
      String output, Input input, ScanVariant variant, int blockSize, Operator operator) {
    Objects.requireNonNull(input, "input");
    VariantScan scan =
        new VariantScan(
            output, input.name(), input.type(), operator, variant, blockSize, input.capacity());
    return new Step(
        List.of(scan),
        List.of(Output.of(VariantScan.total(output), input.type(), input.name(), "")));
  }
}
