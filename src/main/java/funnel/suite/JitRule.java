package funnel.suite;

import java.util.function.Supplier;

/**
 * One rule of Java, and a trial that shows whether the device keeps it.
 *
 * <p>Example: {@code signed-shift-right-int} says "v >> k keeps the sign of an int"; it is {@link
 * Kind#WORKED_AROUND}, since one backend of TornadoVM 5.2.0 shifts zeros in.
 *
 * {@snippet class="funnel.docs.JitSuiteSnippets" region="rule"}
 *
 * @param name the rule's name, lower case with hyphens, unique in the suite
 * @param says what Java demands, in one sentence
 * @param kind what Funnel does about it
 * @param dangerous whether the trial can take the process or its device context down, so that it
 *     must have a process of its own; {@link JitSuite#run} can do that for the rules of {@link
 *     JitRules} only
 * @param trial makes a trial with fresh arrays; see {@link #newTrial}
 */
public record JitRule(
    String name, String says, Kind kind, boolean dangerous, Supplier<JitTrial> trial) {

  /** What Funnel does about a rule. */
  public enum Kind {
    /** Funnel's kernels are wrong on a device that breaks the rule. */
    RELIED_ON,
    /** Known to be broken; Funnel's kernels avoid the form. */
    WORKED_AROUND,
    /** Funnel can use it where it works, and does without where it does not. */
    CAPABILITY
  }

  /** A trial with fresh arrays, to be run once. */
  public JitTrial newTrial() {
    return trial.get();
  }

  @Override
  public String toString() {
    return name;
  }
}
