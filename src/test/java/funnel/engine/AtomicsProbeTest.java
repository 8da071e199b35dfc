package funnel.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import funnel.Funnel;
import funnel.Sdk;
import funnel.emulator.Emulator;
import funnel.emulator.Order;
import funnel.engine.AtomicsProbe.Finding;
import funnel.engine.AtomicsProbe.Operation;
import funnel.engine.AtomicsProbe.Outcome;
import funnel.jit.suite.JitReport;
import funnel.jit.suite.JitResult;
import funnel.jit.suite.JitRule;
import funnel.jit.suite.JitTrial;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AtomicsProbeTest {

  private static final Device EMULATOR = new Device("emulator", "emulator");

  @ParameterizedTest
  @EnumSource
  void everyOperationIsRightInTheEmulator(Operation operation) {
    for (JitRule rule : operation.rules()) {
      for (Order order : Order.values()) {
        for (boolean parallel : new boolean[] {false, true}) {
          JitTrial trial = rule.newTrial();
          Emulator.builder().order(order).parallel(parallel).build().run(trial.tasks());
          assertEquals(Optional.empty(), trial.verify(), rule.name() + " in order " + order);
        }
      }
    }
    Finding finding = AtomicsProbe.report(EMULATOR).get(operation.ordinal());
    assertSame(operation, finding.operation());
    assertSame(Outcome.RIGHT, finding.outcome());
    assertSame(Outcome.RIGHT, AtomicsProbe.localAdd(EMULATOR).outcome());
  }

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

  private static List<Outcome> outcomes(List<Finding> findings) {
    return findings.stream().map(Finding::outcome).toList();
  }

  @Test
  void anOperationIsAsRightAsItsFirstRuleThatIsNot() {
    List<Finding> findings =
        AtomicsProbe.probed(
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
        outcomes(findings));
    assertEquals("atomic-add-int, atomic-add-int-to-one-element", findings.get(0).detail());
    assertEquals("atomic-add-long-to-one-element: what was seen", findings.get(1).detail());
    assertEquals("atomic-add-float: what was seen", findings.get(2).detail());
  }

  @Test
  void whatCannotBeTriedIsUnsupported() {
    List<Finding> findings =
        AtomicsProbe.probed(
            rules -> {
              throw new IllegalStateException("no process");
            });
    assertEquals(Operation.values().length, findings.size());
    for (Finding finding : findings) {
      assertSame(Outcome.UNSUPPORTED, finding.outcome());
      assertTrue(finding.detail().contains("no process"), finding.detail());
    }
  }

  @Test
  void withoutTornadoVmEverythingIsUnsupported() {
    assumeFalse(Sdk.isHere(), "there is a TornadoVM");
    assertTrue(
        outcomes(AtomicsProbe.report()).stream().allMatch(o -> o == Outcome.UNSUPPORTED),
        AtomicsProbe.report().toString());
    assertSame(AtomicsProbe.report(), AtomicsProbe.report());
    assertSame(Outcome.UNSUPPORTED, AtomicsProbe.localAdd().outcome());
    assertSame(Outcome.UNSUPPORTED, AtomicsProbe.localAdd(new Device("a GPU", "ptx")).outcome());
  }

  @Tag("gpu")
  @Test
  void onDevice() {
    List<Finding> findings = AtomicsProbe.report();
    assertEquals(List.of(Operation.values()), findings.stream().map(Finding::operation).toList());
    for (Operation global :
        List.of(Operation.ADD_INT, Operation.ADD_LONG, Operation.ADD_FLOAT, Operation.ADD_DOUBLE)) {
      assertSame(Outcome.RIGHT, findings.get(global.ordinal()).outcome(), findings.toString());
    }
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      assertEquals(6, funnel.sum(new int[] {1, 2, 3}), "the probe has harmed this process");
      if (funnel.details().getOrDefault("tornadovm", "").startsWith("5.2.0")) {
        boolean cuda = "CUDA".equals(funnel.details().get("backend"));
        assertSame(
            cuda ? Outcome.WRONG : Outcome.UNSUPPORTED,
            AtomicsProbe.localAdd().outcome(),
            findings.toString());
        assertSame(
            cuda ? Outcome.RIGHT : Outcome.UNSUPPORTED,
            findings.get(Operation.TICKET.ordinal()).outcome(),
            findings.toString());
      }
    }
  }
}
