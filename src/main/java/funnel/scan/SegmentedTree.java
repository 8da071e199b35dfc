package funnel.scan;

import funnel.operation.LengthRule;
import funnel.operator.ElementType;

/**
 * The shape of segmented scans' trees: which elements are combined with which. It depends on the
 * length and the segments alone.
 *
 * <p>The trees combine pairs of a flag, which says whether a segment begins in that part of the
 * input, and the value of the part's last segment. {@code (f1, v1) * (f2, v2)} is {@code (f1 | f2,
 * (f2 ? identity : v1) op v2)}. A plain definition would have {@code v2} alone instead of {@code
 * identity op v2}: that is the same value, and the operator never sees operands of two segments.
 *
 * <p>The input is cut into <em>tiles</em> of {@link #THREADS} times {@link #items} consecutive
 * elements, the first of which begins a {@linkplain #lead lead} before element 0; {@link #CHUNK}
 * tiles are a <em>chunk</em>, {@link #GROUP} chunks a <em>group</em>. Items outside the input count
 * as the identity without a flag. Then, from left to right:
 *
 * <ul>
 *   <li>A thread's pair starts from the identity. Each item is combined with the value before it,
 *       or with the initial value if a segment begins there.
 *   <li>The pairs of a block's threads are scanned as by {@link IntSegmentedBlockScan}: serially in
 *       groups of 16 from the identity; then the block's start is combined with the groups before a
 *       thread's own, and the result with the prefix of the thread's pair in its group. The tile's
 *       pair is the last thread's prefix, from the identity, combined with its pair.
 *   <li>The tiles' pairs of a chunk are scanned in the same way; the chunk's total is the prefix of
 *       a pair after the last.
 *   <li>A group's pair combines those of its chunks, from the identity. The first group's start is
 *       the identity; any other group's start combines the start of the group before it with that
 *       group's pair. A chunk's start combines its group's start with each total before it in the
 *       group.
 *   <li>A tile's start combines its chunk's start with the prefix of its pair in the chunk. The
 *       block's scan starts from it; from a thread's result on, the thread's items are combined one
 *       by one.
 * </ul>
 *
 * <p>The tree does not depend on the device or the number of cores, so floating-point results have
 * the same bits everywhere. Code that combines a segment's elements one by one needs only these
 * numbers and the place where the segment begins:
 *
 * {@snippet class="funnel.docs.ScanSnippets" region="tree"}
 */
public final class SegmentedTree {

  /* Why these numbers: they are those of ScanTree, for its reasons. Heads take no local memory, but
   * 1 bit per item in a register, an int for a thread's 32 items. So six blocks fit on a
   * multiprocessor, as for scans. With half as many items per thread, a block's other work (finding
   * its place, waiting for words, scanning its threads' pairs) takes more instructions than the
   * items.
   */

  /** Threads of a block, each of which combines {@link #items} consecutive elements of a tile. */
  public static final int THREADS = ScanTree.THREADS;

  /** Threads whose pairs are combined serially in the scan of a block; tiles of a chunk too. */
  public static final int NEIGHBOURS = 16;

  /** Tiles of a chunk: at most {@link #THREADS}. */
  public static final int CHUNK = ScanTree.CHUNK;

  /** Chunks of a group; there are at most {@link #THREADS} groups. */
  public static final int GROUP = ScanTree.GROUP;

  /** Items of a thread that kernels handle together. */
  static final int ROUND = 8;

  /* Where kernels find their own ints. */

  static final int FROM_AT = 0;
  static final int LENGTH_AT = 1;
  static final int TO_AT = 2;
  static final int TILES_AT = 3;
  static final int MOST_TILES_AT = 4;
  static final int SEGMENTS_FROM_AT = 5;

  /** The number of offsets, or of segments. */
  static final int OFFSETS_AT = 6;

  /**
   * What is required of offsets: 1 if they must be among the values, plus 2 if they have an end.
   */
  static final int STRICTNESS_AT = 7;

  static final int ONE_AT = 8;
  static final int POLLS_AT = 9;

  /** The index of the total among the results. */
  static final int RESULT_AT = 10;

  /** The index of the result that says whether a block gave up. */
  static final int GAVE_UP_AT = 11;

  /** The number of chunks that a single pass sums before it scans the first. */
  static final int AHEAD_AT = 12;

  private static final int BYTES_OF_A_THREAD = 128;

  private SegmentedTree() {}

  /**
   * Consecutive elements that a thread of a tile combines: at most 32, for bits of an int.
   *
   * @param type the type of the elements and results
   */
  public static int items(ElementType type) {
    return BYTES_OF_A_THREAD / type.bytes();
  }

  static int tile(ElementType type) {
    return THREADS * items(type);
  }

  /**
   * The places in the first tile before the first element.
   *
   * @param type the type of the elements
   */
  public static int lead(ElementType type) {
    return ScanTree.lead(type);
  }

  static LengthRule tiles(ElementType type) {
    return LengthRule.parts(tile(type)).beginning(lead(type)).within(1, Integer.MAX_VALUE);
  }

  static int chunks(int tiles) {
    return (tiles + CHUNK - 1) / CHUNK;
  }

  /*
   * Where pairs are kept, for the tiles and chunks of the capacity: place 0 does not hold a pair.
   */

  /** The place of a tile's pair, and later of its prefix in the chunk. */
  static int pairAt(int tile) {
    return 1 + tile;
  }

  static int totalAt(int mostTiles, int chunk) {
    return 1 + mostTiles + chunk;
  }

  static int startAt(int mostTiles, int chunk) {
    return 1 + mostTiles + chunks(mostTiles) + chunk;
  }

  static int places(int mostTiles) {
    return startAt(mostTiles, chunks(mostTiles));
  }
}
