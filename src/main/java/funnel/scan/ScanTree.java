package funnel.scan;

import funnel.operation.LengthRule;
import funnel.operator.ElementType;

/**
 * The shape of scan trees: which elements are combined with which. It depends on the length alone.
 *
 * <p>The input is cut into <em>tiles</em> of {@link #THREADS} times {@link #items} consecutive
 * elements, the first of which begins a {@linkplain #lead lead} before element 0; {@link #CHUNK}
 * tiles are a <em>chunk</em>, {@link #GROUP} chunks a <em>group</em>. Items outside the input count
 * as the identity. Then, with {@code op} the operator and everything from left to right:
 *
 * <ul>
 *   <li>A thread's sum is the identity {@code op} its items. The threads' sums of a tile are
 *       scanned as by {@link funnel.block.BlockScan#exclusive}; the tile's sum is the last thread's
 *       prefix {@code op} its sum.
 *   <li>The tiles' sums of a chunk are scanned in the same way; the chunk's total is their {@link
 *       funnel.block.BlockScan#total}.
 *   <li>A group's start is the start of the group before it {@code op} the totals of that group's
 *       chunks, which are combined first; the first group's start is the initial value. A chunk's
 *       start is its group's start {@code op} each total before it in the group.
 *   <li>A tile's start is its chunk's start {@code op} the prefix of its sum in the chunk; a
 *       thread's start is the tile's start {@code op} the thread's prefix; from there the thread's
 *       items are combined one by one.
 *   <li>The total is the value of the last element's thread after its last item.
 * </ul>
 *
 * <p>The tree does not depend on the device, the form or the number of cores, so floating-point
 * results have the same bits everywhere.
 */
final class ScanTree {

  /* Why these numbers. A tile of 32 KB is staged in local memory; a multiprocessor of an H200 holds
   * six of them. Chunks of 4 MB: the single pass sums a chunk while the one before it is scanned
   * from the second-level cache, where both must fit; with half the size more blocks wait for each
   * other, twice the size does not fit. Groups limit the number of totals that a tile has to read,
   * and keep the chain from group to group short.
   */

  static final int THREADS = 256;

  /** Tiles of a chunk: at most {@link #THREADS}. */
  static final int CHUNK = 128;

  static final int GROUP = 16;

  /** Where kernels find the index of the total among the ints of the shape array. */
  static final int RESULT_AT = 8;

  /** Where they find the index of the result that says whether a block gave up. */
  static final int GAVE_UP_AT = 9;

  private static final int BYTES_OF_A_THREAD = 128;
  private static final int HEADER_BYTES = 16;

  private ScanTree() {}

  /** Consecutive elements that a thread of a tile combines. */
  static int items(ElementType accumulator) {
    return BYTES_OF_A_THREAD / accumulator.bytes();
  }

  static int tile(ElementType accumulator) {
    return THREADS * items(accumulator);
  }

  /**
   * The places in the first tile before the first element: 16 bytes, the header of TornadoVM's
   * arrays, so that warps load whole lines; none for byte elements.
   */
  static int lead(ElementType element) {
    return element == ElementType.BYTE ? 0 : HEADER_BYTES / element.bytes();
  }

  /** Tiles over an input, at least one. */
  static LengthRule tiles(ElementType element, ElementType accumulator) {
    return LengthRule.parts(tile(accumulator))
        .beginning(lead(element))
        .within(1, Integer.MAX_VALUE);
  }

  static int chunks(int tiles) {
    return Math.ceilDiv(tiles, CHUNK);
  }

  /*
   * Where sums are kept, for the tiles, chunks and groups of the capacity: word 0 is not a sum.
   */

  static int sumAt(int tile) {
    return 1 + tile;
  }

  static int totalAt(int mostTiles, int chunk) {
    return 1 + mostTiles + chunk;
  }

  static int startAt(int mostTiles, int group) {
    return 1 + mostTiles + (mostTiles + CHUNK - 1) / CHUNK + group;
  }

  static int places(int mostTiles) {
    return startAt(mostTiles, Math.ceilDiv(chunks(mostTiles), GROUP)) + 1;
  }
}
