package funnel.cli;

/**
 * What the {@code funnel} command's exit codes mean.
 *
 * {@snippet class="funnel.docs.CommandSnippets" region="exit-code"}
 */
public final class ExitCode {
  /** The work was done and is right. */
  public static final int OK = 0;

  /** The work failed; one line on standard error says why. */
  public static final int FAILURE = 1;

  /** The command line is wrong. */
  public static final int USAGE = 2;

  /** The engine that was asked for cannot be had, or the tests are not there. */
  public static final int UNAVAILABLE = 3;

  /** Whoever read standard output has ended, as {@code head} does: 128 and SIGPIPE's number. */
  public static final int BROKEN_PIPE = 141;

  private ExitCode() {}
}
