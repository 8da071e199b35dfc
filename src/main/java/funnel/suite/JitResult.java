package funnel.suite;

/**
 * What became of one rule on a device.
 *
 * {@snippet class="funnel.docs.JitSuiteSnippets" region="result"}
 *
 * @param rule the rule's name
 * @param kind its kind
 * @param outcome what its trial gave
 * @param detail the first difference or the error's message, empty if the outcome is right
 * @param millis time of the trial, compilation included
 */
public record JitResult(
    String rule, JitRule.Kind kind, Outcome outcome, String detail, long millis) {

  /** What a trial gave. */
  public enum Outcome {
    /** What Java demands. */
    RIGHT,
    /** Something else. */
    WRONG,
    /** An error from TornadoVM, after which the device still works. */
    DOES_NOT_COMPILE,
    /** A device or a process that does not work any more. */
    FAULT,
    /** Compiled, but not run: see {@link JitSuite#compile}. */
    COMPILES
  }

  /** Whether Funnel can live with this result: false only for a rule that it relies on. */
  public boolean passed() {
    return kind != JitRule.Kind.RELIED_ON
        || outcome == Outcome.RIGHT
        || outcome == Outcome.COMPILES;
  }

  /** What the outcome means for Funnel, in a few words. */
  public String verdict() {
    boolean good = outcome == Outcome.RIGHT;
    if (outcome == Outcome.COMPILES) {
      return "not run";
    }
    return switch (kind) {
      case RELIED_ON -> good ? "ok" : "BROKEN";
      case WORKED_AROUND -> good ? "mended upstream: the workaround may go" : "worked around";
      case CAPABILITY -> good ? "available" : "not available";
    };
  }
}
