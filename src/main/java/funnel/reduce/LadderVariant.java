package funnel.reduce;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The steps by which a reduction on a GPU is usually taught, each with one idea more than the one
 * before: see {@link Ladder}.
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
   * One launch: the block that is done last combines all blocks' results. Only where {@link
   * SinglePassProbe} found it right on the device.
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
