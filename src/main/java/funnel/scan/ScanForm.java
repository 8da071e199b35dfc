package funnel.scan;

/**
 * The forms in which a device computes a scan; the results are the same.
 *
 * {@snippet class="funnel.docs.ScanSnippets" region="form"}
 */
public enum ScanForm {
  /**
   * Four launches: sums of tiles, totals of chunks of tiles, starts, then the scan of each tile.
   * Moves 3 elements for each element of the input: 2 reads, 1 write. For every type and operator,
   * and in place.
   */
  REDUCE_THEN_SCAN,

  /**
   * One launch: blocks that sum tiles run ahead of blocks that scan them, which still find the tile
   * in the second-level cache. Moves 2 elements for each element of the input: 1 read, 1 write.
   * Blocks wait for words that earlier blocks write, for a bounded time; if that is not enough,
   * which has not been observed, the scan is computed by the other form, with a line in the log.
   * Floats and doubles are passed between blocks as their bits.
   */
  SINGLE_PASS;

  /** The name on the command line: lower case, hyphens. */
  public String label() {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }
}
