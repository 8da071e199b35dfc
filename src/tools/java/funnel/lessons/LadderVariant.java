package funnel.lessons;

import funnel.kernel.Kernel;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The steps in which a reduction on a GPU is usually taught, to compare and to learn from. Each
 * step adds one idea to the one before. For real work use {@link Reduction}, which is faster than
 * all of them.
 *
 * {@snippet class="funnel.docs.ReduceSnippets" region="ladder"}
 *
 * <p><b>Results.</b> Correct for any length. An empty input gives the identity (min and max: {@link
 * java.util.NoSuchElementException} when the value is read). Integer sums and products wrap around;
 * NaN and -0.0 are treated as in {@link Math} by min and max. A sum of floats or doubles depends on
 * variant, block size and length: its bits differ between variants, and are the same on every
 * engine, since the JVM form replays the kernels' tree. A sum of zeros alone may have either sign.
 *
 * <p><b>Cost.</b> Each element is read once, each partial result written and read once: 4 bytes per
 * int, plus 4/64 to 4/8192 bytes.
 *
 * <p>Source: the sequence of kernels is that of Harris, "Optimizing Parallel Reduction in CUDA", in
 * the form in which textbooks on CUDA C retell it.
 *
 * {@snippet class="funnel.docs.ReduceSnippets" region="variants"}
 */
public enum LadderVariant {

  /** Stride 1, 2, 4, ...; thread t works if t is a multiple of twice the stride. */
  NEIGHBOURED_PAIRS(
      "neighbouring pairs; working threads are spread, so that all warps diverge", 1, true),

  /** The same pairs, combined by the first threads of the block. */
  NEIGHBOURED_LESS_DIVERGENCE(
      "neighbouring pairs; working threads are packed at the front, so that few warps diverge",
      1,
      true),

  /**
   * Stride half the block, a quarter, ...; thread t combines its element with the one a stride
   * later.
   */
  INTERLEAVED_PAIRS(
      "pairs a stride apart; a warp accesses neighbouring words, without bank conflicts", 1, false),

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
      "each thread first combines eight elements; the whole tree is written out", 8, false);

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
   * Whether only neighbours are combined, the left operand first, so that operators need not be
   * commutative.
   */
  public boolean isOrdered() {
    return ordered;
  }

  /**
   * The reduction by this variant, of one input of int, long, float or double elements: {@code
   * UNROLLING_2.reduction(64, Operator.SUM)} of 3, 1, 4 is 8.
   *
   * <p>Adding it to a plan throws an IllegalArgumentException if the elements are bytes, the
   * operator is not defined on them, or the grid would have more threads than a device supports.
   *
   * @param blockSize threads of a block: 64, 128, 256, 512 or 1024
   * @param operator a commutative operator, or any for an {@linkplain #isOrdered ordered} variant
   * @throws IllegalArgumentException if the block size is another one, or the variant does not
   *     support the operator
   */
  public Operation reduction(int blockSize, Operator operator) {
    Ladder.require(this, blockSize, operator);
    return new ByVariant(this, blockSize, operator);
  }

  /** Equal to another one if it computes the same in the same way. */
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
