package funnel.reduce;

import funnel.operation.LengthRule;
import funnel.operator.ElementType;

/**
 * The shape of reduction trees: which elements are combined with which. It depends on the length
 * alone.
 *
 * <p>There are two trees. The <em>striped</em> tree, for commutative operators, distributes tiles
 * of {@link #TILE} consecutive elements round-robin over at most {@link #ROWS} rows. Each row has
 * {@link #LANES} lanes, over which its elements are distributed round-robin. A lane combines its
 * elements from left to right; then the upper half of the lanes is folded onto the lower half until
 * one lane is left. The rows' results are reduced the same way, as one row. The first tile begins a
 * {@linkplain #lead lead} before the first element.
 *
 * <p>The <em>ordered</em> tree, for all other operators, cuts the input into {@code rows *} {@link
 * #ORDERED_THREADS} segments of equal length. It combines each segment from left to right, then
 * neighbouring segments of a row pairwise, then the rows' results in the same manner. Operands are
 * always results over adjacent parts of the input.
 *
 * <p>Neither tree depends on the device, the block size or the number of cores, so floating-point
 * results have the same bits everywhere.
 */
final class ReductionTree {

  /* Why these numbers. LANES: 256 threads with four lanes each; also divisible among blocks of 512
   * and 1024 threads. TILE: eight independent loads for each of 256 threads, enough bytes in
   * flight. Tiles are distributed round-robin, so that all blocks together read one stretch of
   * memory: rows of consecutive tiles are 3 % slower on an H200. ROWS: a multiple of the 132
   * multiprocessors of an H200 times eight resident blocks of 256 threads, in two waves; any number
   * is correct, and devices with fewer multiprocessors just run more waves. ORDERED_ITEMS: eight
   * 4-byte items are one 32-byte sector, so that segments can be loaded sector by sector. The lead:
   * element 0 of a TornadoVM array is 16 bytes after an aligned address, so that warps load whole
   * lines if tiles begin 16 bytes before it.
   */

  /** Lanes of a row in the striped tree. */
  static final int LANES = 1024;

  /** Elements of a tile in the striped tree. */
  static final int TILE = 2 * LANES;

  /** The maximum number of rows of a reduction. */
  static final int ROWS = 2112;

  /** Segments of a row in the ordered tree. */
  static final int ORDERED_THREADS = 256;

  /** Items that a thread takes from its segment at a time in the ordered tree. */
  static final int ORDERED_ITEMS = 8;

  /** Neighbouring rows whose results one thread combines at the end of the ordered tree. */
  static final int ORDERED_ROWS_PER_THREAD = (ROWS + ORDERED_THREADS - 1) / ORDERED_THREADS;

  private static final int HEADER_BYTES = 16;

  private ReductionTree() {}

  /**
   * The places in the first tile before the first element: 16 bytes, but none for byte elements,
   * whose loads are too narrow to gain from it.
   */
  static int lead(ElementType element) {
    return element == ElementType.BYTE ? 0 : HEADER_BYTES / element.bytes();
  }

  /** Rows of the striped tree, at least one. */
  static LengthRule stripedRows(int lead) {
    return LengthRule.parts(TILE).beginning(lead).within(1, ROWS);
  }

  /** Tiles of the striped tree over {@code length} elements. */
  static long tiles(int length, int lead) {
    return Math.ceilDiv((long) length + lead, (long) TILE);
  }

  /** Rows of the ordered tree, at least one. */
  static LengthRule orderedRows() {
    return LengthRule.parts(ORDERED_THREADS * ORDERED_ITEMS).within(1, ROWS);
  }

  /**
   * Items of a segment in the ordered tree, a multiple of {@link #ORDERED_ITEMS}.
   *
   * @param rowsAt the index of the int that holds the number of rows
   */
  static LengthRule itemsOfSegment(int rowsAt) {
    return LengthRule.parts(ORDERED_THREADS * ORDERED_ITEMS)
        .timesIntAt(rowsAt)
        .times(ORDERED_ITEMS);
  }
}
