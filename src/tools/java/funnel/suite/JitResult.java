package funnel.suite;

/**
 * The result of one rule on a device.
 *
 * {@snippet class="funnel.docs.JitSuiteSnippets" region="result"}
 *
 * @param rule the rule's name
 * @param kind its kind
 * @param outcome the outcome of its trial
 * @param detail the first difference or the error's message, empty if the outcome is right
 * @param millis the time of the trial, including compilation
 */
public record JitResult(
    String rule, JitRule.Kind kind, Outcome outcome, String detail, long millis) {

  /** The outcome of a trial. */
  public enum Outcome {
    /** The result that Java requires. */
    RIGHT,
    /** Another result. */
    WRONG,
    /** An error from TornadoVM, after which the device still works. */
    DOES_NOT_COMPILE,
    /** A device or a process that no longer works. */
    FAULT,
    /** Compiled, but not run: see {@link JitSuite#compile}. */
    COMPILES
  }

  /** Whether Funnel works in spite of this result: false only for a rule that it relies on. */
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
