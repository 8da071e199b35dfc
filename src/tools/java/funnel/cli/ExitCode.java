package funnel.cli;

/**
 * The exit codes of the {@code funnel} command.
 *
 * {@snippet class="funnel.docs.CommandSnippets" region="exit-code"}
 */
public final class ExitCode {
  /** The work was done and the results are right. */
  public static final int OK = 0;

  /**
   * The work failed, since a file cannot be read or written, or its contents do not allow it; one
   * line on standard error says why.
   */
  public static final int FAILURE = 1;

  /** The command line is wrong, or asks for what the file does not have: a column, a type. */
  public static final int USAGE = 2;

  /** The requested engine is not available, or the tests or DuckDB's driver are missing. */
  public static final int UNAVAILABLE = 3;

  /**
   * The reader of standard output has ended, as {@code head} does: 128 plus the number of SIGPIPE.
   */
  public static final int BROKEN_PIPE = 141;

  private ExitCode() {}
}
