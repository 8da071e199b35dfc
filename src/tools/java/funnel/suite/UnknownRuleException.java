package funnel.suite;

import java.util.List;

/**
 * Rules that are not in {@link JitRules} should have run in another process, which knows no others;
 * the message names them. No rule was run.
 *
 * {@snippet class="funnel.docs.JitSuiteSnippets" region="unknown"}
 */
public final class UnknownRuleException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String[] rules;

  UnknownRuleException(List<String> rules) {
    super(
        "rules %s are none of JitRules, and other processes know no others: run them by JitSuite.run with dangerous=false, in a process that may go down"
            .formatted(rules));
    this.rules = rules.toArray(String[]::new);
  }

  /** The names of those rules. */
  public List<String> rules() {
    return List.of(rules);
  }
}
