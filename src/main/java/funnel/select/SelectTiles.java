package funnel.select;

import funnel.operation.LengthRule;
import funnel.operator.ElementType;

/**
 * How a device's blocks share the elements of a selection, and where they store their counts.
 *
 * <p>Tiles have {@link #THREADS} times {@link #items} consecutive elements; the first begins a
 * {@linkplain #lead lead} before element 0, so that warps load whole lines. {@link #CHUNK} tiles
 * are a chunk, {@link #GROUP} chunks a group.
 */
final class SelectTiles {

  /* Why these numbers. A tile's elements and the places of those that are kept take 37 KB of local
   * memory: six blocks fit on a multiprocessor of an H200. A tile's start is the sum of its group's
   * start, the totals of earlier chunks of the group and the counts of earlier tiles of the chunk:
   * at most one word for each of 256 threads.
   */

  static final int THREADS = 256;
  static final int CHUNK = 128;
  static final int GROUP = 64;

  /** The thread that reads the start of its tile's group. */
  static final int STARTER = THREADS - 1;

  /* Where kernels find their own ints; the first is the elements' offset. */

  static final int FROM_AT = 0;
  static final int LENGTH_AT = 1;
  static final int TILES_AT = 2;
  static final int MOST_TILES_AT = 3;
  static final int ROUNDS_AT = 4;
  static final int POLLS_AT = 5;
  static final int FLAGS_FROM_AT = 6;
  static final int KEPT_TO_AT = 7;
  static final int POSITIONS_TO_AT = 8;
  static final int REJECTED_TO_AT = 9;

  /** The index of the number of kept elements among the results. */
  static final int COUNT_AT = 10;

  static final int COUNT_REJECTED_AT = 11;

  /** The index of the result that says whether a block gave up. */
  static final int GAVE_UP_AT = 12;

  private static final int HEADER_BYTES = 16;

  private SelectTiles() {}

  /** Consecutive elements of a thread: 16, or 8 of eight bytes. */
  static int items(ElementType type) {
    return type.bytes() == Long.BYTES ? 8 : 16;
  }

  static int tile(ElementType type) {
    return THREADS * items(type);
  }

  /** The places in the first tile before the first element. */
  static int lead(ElementType type) {
    return type == ElementType.BYTE ? 0 : HEADER_BYTES / type.bytes();
  }

  /** Tiles over elements, at least one. */
  static LengthRule tiles(ElementType type) {
    return LengthRule.parts(tile(type)).beginning(lead(type)).within(1, Integer.MAX_VALUE);
  }

  static int chunks(int tiles) {
    return (tiles + CHUNK - 1) / CHUNK;
  }

  /*
   * Places of words, for the tiles, chunks and groups of the capacity: word 0 is the number of the
   * last run.
   */

  static int countAt(int tile) {
    return 1 + tile;
  }

  static int totalAt(int mostTiles, int chunk) {
    return 1 + mostTiles + chunk;
  }

  static int startAt(int mostTiles, int group) {
    return 1 + mostTiles + chunks(mostTiles) + group;
  }

  static int places(int mostTiles) {
    return startAt(mostTiles, (chunks(mostTiles) + GROUP - 1) / GROUP) + 1;
  }
}
