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

  /* Why these numbers. A tile's elements or places take 35 KB of local memory, or half of it twice
   * if both are wanted: five or six blocks fit on a multiprocessor. Larger tiles have less work for
   * each element, smaller ones more blocks: on an H100 they take as long up to 2^24 elements. A
   * tile's start is the sum of its group's start, the totals of earlier chunks of the group and the
   * counts of earlier tiles of the chunk: at most one word for each of 256 threads.
   */

  static final int THREADS = 256;
  static final int WARPS = THREADS / 32;
  static final int CHUNK = 128;
  static final int GROUP = 32;

  /** Words of a chunk's total: one for each warp that adds counts. */
  static final int TOTALS = CHUNK / 32;

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

  static final int LENGTHS_TO_AT = 13;
  static final int LEAD_AT = 14;

  /** Up to so many elements, tiles are small. */
  static final int MOST_OF_SMALL = 1 << 24;

  private static final int HEADER_BYTES = 16;
  private static final int WORDS_OF_LINE = 128 / Long.BYTES;

  private SelectTiles() {}

  /** Elements of a thread in small tiles: 16, or 8 of eight bytes. */
  static int items(ElementType type) {
    return type.bytes() == Long.BYTES ? 8 : 16;
  }

  /** Elements of a thread. */
  static int items(ElementType type, int capacity, boolean hasBoth) {
    return capacity > MOST_OF_SMALL && !hasBoth ? 2 * items(type) : items(type);
  }

  /** Consecutive elements of a warp. */
  static int stretch(int items) {
    return THREADS / WARPS * items;
  }

  /** Elements of a small tile. */
  static int tile(ElementType type) {
    return THREADS * items(type);
  }

  /** The places in the first tile before the first element. */
  static int lead(ElementType type) {
    return type == ElementType.BYTE ? 0 : HEADER_BYTES / type.bytes();
  }

  /** Tiles over elements, at least one. */
  static LengthRule tiles(ElementType type, int items) {
    return LengthRule.parts(THREADS * items).beginning(lead(type)).within(1, Integer.MAX_VALUE);
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

  /** The place of a word of a chunk's total. */
  static int totalAt(int mostTiles, int chunk, int word) {
    return linesAt(mostTiles) + chunk * WORDS_OF_LINE + word;
  }

  static int startAt(int mostTiles, int group) {
    return linesAt(mostTiles) + chunks(mostTiles) * WORDS_OF_LINE + group;
  }

  /** The first place after the counts that begins a line. */
  private static int linesAt(int mostTiles) {
    int header = HEADER_BYTES / Long.BYTES;
    int words = header + countAt(mostTiles);
    return (words + WORDS_OF_LINE - 1) / WORDS_OF_LINE * WORDS_OF_LINE - header;
  }

  /** The place of the bits of a thread's elements, if these are passed. */
  static int passedAt(int mostTiles, int tile, int thread) {
    return places(mostTiles) + tile * THREADS + thread;
  }

  static int places(int mostTiles) {
    return startAt(mostTiles, (chunks(mostTiles) + GROUP - 1) / GROUP) + 1;
  }
}
