package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.cli.AtomicOperation.Finding;
import funnel.engine.tornado.AtomicsProbe;
import funnel.engine.tornado.AtomicsProbe.Outcome;
import funnel.operation.Target;
import funnel.suite.JitReport;
import funnel.suite.JitResult;
import funnel.suite.JitRule;
import funnel.suite.JitSuite;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AtomicOperationTest {

  /** Results that are right except for some rules. */
  private static JitReport results(List<JitRule> rules, Map<String, JitResult.Outcome> others) {
    return new JitReport(
        "scripted",
        rules.stream()
            .map(
                rule ->
                    new JitResult(
                        rule.name(),
                        rule.kind(),
                        others.getOrDefault(rule.name(), JitResult.Outcome.RIGHT),
                        others.containsKey(rule.name()) ? "what was seen" : "",
                        1))
            .toList());
  }

  @Test
  void anOperationIsAsRightAsItsFirstRuleThatIsNot() {
    List<Finding> findings =
        AtomicOperation.findings(
            rules ->
                results(
                    rules,
                    Map.of(
                        "atomic-add-long-to-one-element", JitResult.Outcome.WRONG,
                        "atomic-add-float", JitResult.Outcome.FAULT,
                        "atomic-add-float-to-one-element", JitResult.Outcome.WRONG,
                        "atomic-add-local", JitResult.Outcome.WRONG,
                        "ticket-of-thread", JitResult.Outcome.DOES_NOT_COMPILE)));
    assertEquals(
        List.of(
            Outcome.RIGHT,
            Outcome.WRONG,
            Outcome.UNSUPPORTED,
            Outcome.RIGHT,
            Outcome.WRONG,
            Outcome.UNSUPPORTED),
        findings.stream().map(Finding::outcome).toList());
    assertEquals("atomic-add-int, atomic-add-int-to-one-element", findings.get(0).detail());
    assertEquals("atomic-add-long-to-one-element: what was seen", findings.get(1).detail());
    assertEquals("atomic-add-float: what was seen", findings.get(2).detail());
  }

  @Test
  void whatCannotBeTriedIsUnsupported() {
    List<Finding> findings =
        AtomicOperation.findings(
            rules -> {
              throw new IllegalStateException("no process");
            });
    assertEquals(AtomicOperation.values().length, findings.size());
    for (Finding finding : findings) {
      assertSame(Outcome.UNSUPPORTED, finding.outcome());
      assertTrue(finding.detail().contains("no process"), finding.detail());
    }
  }

  @Tag("gpu")
  @Test
  void onDevice() {
    List<Finding> findings = AtomicOperation.findings(JitSuite::runApart);
    assertEquals(
        List.of(AtomicOperation.values()), findings.stream().map(Finding::operation).toList());
    for (Finding global : findings.subList(0, AtomicOperation.LOCAL_ADD.ordinal())) {
      assertSame(Outcome.RIGHT, global.outcome(), findings.toString());
    }
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      assertEquals(6, funnel.sum(new int[] {1, 2, 3}), "the rules have harmed this process");
      assertSame(
          AtomicsProbe.localAdd().outcome(),
          findings.get(AtomicOperation.LOCAL_ADD.ordinal()).outcome(),
          "what Funnel goes by, and the rules: " + findings);
    }
  }
}
