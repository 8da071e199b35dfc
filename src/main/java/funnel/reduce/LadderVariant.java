package funnel.reduce;

import funnel.kernel.Kernel;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.Operator;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The steps by which a reduction on a GPU is usually taught, each with one idea more than the one
 * before, to compare and to learn from. For work, use {@link Reduction}, which is faster than all
 * of them.
 *
 * {@snippet class="funnel.docs.ReduceSnippets" region="ladder"}
 *
 * <p><b>Results.</b> Right for any length; the identity if the input is empty (min and max: {@link
 * java.util.NoSuchElementException} when the value is read). Integer sums and products wrap around;
 * NaN and -0.0 are treated as in {@link Math} by min and max. A sum of floats or doubles depends on
 * variant, block size and length: its bits differ between variants, and are the same on every
 * engine, since the JVM form replays the kernels' tree. A sum of nothing but zeros may have either
 * sign.
 *
 * <p><b>Cost.</b> Each element is read once, each partial result written and read once: 4 bytes an
 * int, and another 4/64 to 4/8192.
 *
 * <p>Source: the sequence of kernels is that of Harris, "Optimizing Parallel Reduction in CUDA", in
 * the form in which textbooks on CUDA C retell it.
 *
 * {@snippet class="funnel.docs.ReduceSnippets" region="variants"}
 */
public enum LadderVariant {

  /** Stride 1, 2, 4, ...; thread t works if t is a multiple of twice the stride. */
  NEIGHBOURED_PAIRS(
      "neighboured pairs; working threads are spread, so that all warps diverge", 1, true),

  /** The same pairs, worked on by the first threads of the block. */
  NEIGHBOURED_LESS_DIVERGENCE(
      "neighboured pairs; working threads are packed at the front, so that few warps diverge",
      1,
      true),

  /** Stride half the block, a quarter, ...; thread t adds the element a stride further. */
  INTERLEAVED_PAIRS(
      "pairs a stride apart; a warp's accesses are to neighbouring words, which no bank serves"
          + " twice",
      1,
      false),

  /** Each block first folds two blocks of elements onto one. */
  UNROLLING_2("each thread first combines two elements: half the blocks, half the trees", 2, false),

  /** Each block first folds eight; the last six steps of the tree are written out. */
  UNROLLING_8_LAST_WARP(
      "each thread first combines eight elements, whose loads overlap; the last warp's steps are"
          + " written out",
      8,
      false),

  /** As before, with all steps of the tree written out. */
  COMPLETE_UNROLLING(
      "each thread first combines eight elements; the whole tree is written out", 8, false),

  /**
   * One launch: the block that is done last combines all blocks' results. Only where a probe found
   * it right on the device.
   */
  SINGLE_PASS("one launch: the block that is done last combines all blocks' results", 0, false);

  private final String idea;
  private final int fold;
  private final boolean ordered;

  LadderVariant(String idea, int fold, boolean ordered) {
    this.idea = idea;
    this.fold = fold;
    this.ordered = ordered;
  }

  /** The idea in one sentence. */
  public String idea() {
    return idea;
  }

  /** The name in lower case with hyphens, such as {@code unrolling-8-last-warp}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Whether only neighbours are combined, left operand first, so that operators need not be
   * commutative.
   */
  public boolean isOrdered() {
    return ordered;
  }

  /**
   * The reduction by this variant, of one input of int, long, float or double elements: {@code
   * UNROLLING_2.reduction(64, Operator.SUM)} of 3, 1, 4 is 8.
   *
   * <p>It is refused with an IllegalArgumentException when a plan adds it, if the elements are
   * bytes, the operator is not defined on them, or the grid would have more threads than a device
   * can count; {@link #SINGLE_PASS} with a {@link SinglePassUnavailableException} when the plan is
   * built for a device that does not make it right.
   *
   * @param blockSize threads of a block: 64, 128, 256, 512 or 1024
   * @param operator a commutative operator, or any for an {@linkplain #isOrdered ordered} variant
   * @throws IllegalArgumentException if the block size is another, or the operator does not go with
   *     the variant
   */
  public Operation reduction(int blockSize, Operator operator) {
    Ladder.require(this, blockSize, operator);
    return new ByVariant(this, blockSize, operator);
  }

  /** One that is equal to another if it computes the same in the same way. */
  private record ByVariant(LadderVariant variant, int blockSize, Operator operator)
      implements Operation {
    @Override
    public Expansion expand(String output, List<Input> inputs) {
      return Ladder.expand(output, inputs, variant, blockSize, operator);
    }
  }

  /** The name of its kernel. */
  String kernel() {
    return Kernel.nameOf(this);
  }

  /** Blocks of elements that a block folds onto one before its tree. */
  int fold() {
    return fold;
  }

  /**
   * The variant of a label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static LadderVariant of(String label) {
    return Arrays.stream(values())
        .filter(variant -> variant.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no variant '%s'; there are %s".formatted(label, labels())));
  }

  /** All labels. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(LadderVariant::label).toList();
  }
}
