package funnel.scan;

import funnel.operation.LengthRule;
import funnel.operator.ElementType;

/**
 * The shape of segmented scans' trees: which element meets which, by the length and the segments
 * alone.
 *
 * <p>What is combined are pairs of a flag, whether a segment begins in that part of the input, and
 * a value: that of the part's last segment. {@code (f1, v1) * (f2, v2)} is {@code (f1 | f2, (f2 ?
 * identity : v1) op v2)}. The identity stands where a plain definition has {@code v2} alone: that
 * is the same value, since the operator has that identity, and the operator never sees operands of
 * two segments.
 *
 * <p>The input is cut into <em>tiles</em> of {@link #THREADS} times {@link #items} consecutive
 * elements, the first of which begins a {@linkplain #lead lead} before element 0; {@link #CHUNK}
 * tiles are a <em>chunk</em>, {@link #GROUP} chunks a <em>group</em>. What lies outside of the
 * input counts as the identity without a flag. Then, from left to right:
 *
 * <ul>
 *   <li>A thread's pair begins with the identity. Each item is combined with what is before it, or
 *       with the initial value if a segment begins there.
 *   <li>Pairs of a block's threads are scanned as by {@link IntSegmentedBlockScan}: serially in
 *       groups of 16 from the identity, then what begins the block with the groups before a
 *       thread's own, then that with the pair before the thread in its group. The tile's pair is
 *       the last thread's prefix, from the identity, and its pair.
 *   <li>The tiles' pairs of a chunk are scanned in the same way; the chunk's total is what is
 *       before a pair behind the last.
 *   <li>A group's pair is those of its chunks, combined from the identity. The first group's start
 *       is the identity, any other's the one before and that group's pair; a chunk's start is its
 *       group's and each total before it in the group.
 *   <li>A tile's start is its chunk's and the prefix of its pair in the chunk. The block's scan
 *       begins with it; from a thread's result on, the thread's items are combined one by one.
 * </ul>
 *
 * <p>It depends neither on the device nor on the number of cores, so floating-point results have
 * the same bits everywhere. Who combines a segment's elements as they come, one by one, needs these
 * numbers and where the segment begins:
 *
 * {@snippet class="funnel.docs.ScanSnippets" region="tree"}
 */
public final class SegmentedTree {

  /* Why these numbers: they are those of ScanTree, for its reasons. Heads take no local memory of
   * their own, 1 bit an item in a register; a thread's 32 items just have as many as an int has. So
   * six blocks fit a multiprocessor, as for scans. With half as many items a thread, what a block
   * does besides (finding its place, waiting for words, scanning its threads' pairs) took more
   * instructions than the items.
   */

  /** Threads of a block, by each of which a tile's {@link #items} consecutive ones are combined. */
  public static final int THREADS = ScanTree.THREADS;

  /** Threads whose pairs are combined serially in the scan of a block; tiles of a chunk too. */
  public static final int NEIGHBOURS = 16;

  /** Tiles of a chunk: at most {@link #THREADS}. */
  public static final int CHUNK = ScanTree.CHUNK;

  /** Chunks of a group; of groups there are at most {@link #THREADS}. */
  public static final int GROUP = ScanTree.GROUP;

  /** Items of a thread that kernels handle together. */
  static final int ROUND = 8;

  /** Where kernels find the index of the total among the ints of the shape array. */
  static final int RESULT_AT = 10;

  /** Where they find the index of what says that a block gave up. */
  static final int GAVE_UP_AT = 11;

  /** Where they find how many chunks a single pass sums before it scans the first. */
  static final int AHEAD_AT = 12;

  private static final int BYTES_OF_A_THREAD = 128;

  private SegmentedTree() {}

  /**
   * Consecutive elements that a thread of a tile combines: at most 32, for bits of an int.
   *
   * @param type the elements', which is that of the results
   */
  public static int items(ElementType type) {
    return BYTES_OF_A_THREAD / type.bytes();
  }

  /** Elements of a tile. */
  static int tile(ElementType type) {
    return THREADS * items(type);
  }

  /**
   * The places in the first tile before the first element.
   *
   * @param type the elements'
   */
  public static int lead(ElementType type) {
    return ScanTree.lead(type);
  }

  /** Tiles over an input, at least one. */
  static LengthRule tiles(ElementType type) {
    return LengthRule.parts(tile(type)).beginning(lead(type)).within(1, Integer.MAX_VALUE);
  }

  /** Chunks that {@code tiles} are in. */
  static int chunks(int tiles) {
    return (tiles + CHUNK - 1) / CHUNK;
  }

  /*
   * Where pairs are kept, for tiles and chunks of the most elements: place 0 is not a pair's.
   */

  /** The place of a tile's pair, later of the one before it in its chunk. */
  static int pairAt(int tile) {
    return 1 + tile;
  }

  /** The place of a chunk's total. */
  static int totalAt(int mostTiles, int chunk) {
    return 1 + mostTiles + chunk;
  }

  /** The place of a chunk's start. */
  static int startAt(int mostTiles, int chunk) {
    return 1 + mostTiles + chunks(mostTiles) + chunk;
  }

  /** The places that there are. */
  static int places(int mostTiles) {
    return startAt(mostTiles, chunks(mostTiles));
  }
}
