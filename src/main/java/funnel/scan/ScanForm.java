package funnel.scan;

/**
 * The forms in which a device computes a scan; results are the same.
 *
 * {@snippet class="funnel.docs.ScanSnippets" region="form"}
 */
public enum ScanForm {
  /**
   * Four launches: sums of tiles, totals of chunks of tiles, starts, then the scan of each tile.
   * Moves 3 elements for each one of the input: 2 reads, 1 write. For every type and operator, and
   * in place.
   */
  REDUCE_THEN_SCAN,

  /**
   * One launch: blocks that sum tiles run ahead of blocks that scan them, which find the tile still
   * in the second-level cache. Moves 2 elements for each: 1 read, 1 write. Blocks wait for words
   * that earlier blocks write, a bounded time; if that is not enough, which has not been seen, the
   * scan is computed by the other form, with a line in the log. Floats and doubles travel as their
   * bits.
   */
  SINGLE_PASS;

  /** The name on the command line: lower case, hyphens. */
  public String label() {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }
}
