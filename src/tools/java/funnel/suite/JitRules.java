package funnel.suite;

import java.util.List;
import java.util.stream.Stream;

/**
 * All rules of the suite.
 *
 * <p>{@code JitRules.named("signed-shift-right-int")} is one of them.
 *
 * {@snippet class="funnel.docs.JitSuiteSnippets" region="rules"}
 */
public final class JitRules {

  /* Each topic has a class of kernels and one of rules, which has their inputs and the expected
   * results by plain Java. Values are chosen so that the known wrong forms differ in many elements.
   *
   * Not here, since no kernel can see it: the address of an array's first element.
   */

  private static final List<JitRule> ALL =
      Stream.of(
              ShiftRules.all(),
              IntegerRules.all(),
              FloatRules.all(),
              DoubleRules.all(),
              MixedFloatRules.all(),
              ScalarsRules.all(),
              LoopRules.all(),
              LocalArrayRules.all(),
              LaunchRules.all(),
              ExchangeRules.all(),
              AtomicRules.all(),
              UnsupportedRules.all())
          .flatMap(List::stream)
          .toList();

  private JitRules() {}

  /** All rules, in the order of the report. */
  public static List<JitRule> all() {
    return ALL;
  }

  /** All rules of one kind, in the order of the report. */
  public static List<JitRule> of(JitRule.Kind kind) {
    return ALL.stream().filter(rule -> rule.kind() == kind).toList();
  }

  /**
   * The rule of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static JitRule named(String name) {
    return ALL.stream()
        .filter(rule -> rule.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no such rule: " + name));
  }
}
