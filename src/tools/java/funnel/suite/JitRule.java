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
 * @param says what Java requires, in one sentence
 * @param kind what Funnel does about it
 * @param dangerous whether the trial can bring down the process or its device context, so that it
 *     needs a process of its own; {@link JitSuite#run} can do that only for the rules of {@link
 *     JitRules}
 * @param trial makes a trial with new arrays; see {@link #newTrial}
 */
public record JitRule(
    String name, String says, Kind kind, boolean dangerous, Supplier<JitTrial> trial) {

  /** What Funnel does about a rule. */
  public enum Kind {
    /** Funnel's kernels are wrong on a device that breaks the rule. */
    RELIED_ON,
    /** Known to be broken; Funnel's kernels avoid the form. */
    WORKED_AROUND,
    /** Funnel uses it where it works, and works without it elsewhere. */
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
