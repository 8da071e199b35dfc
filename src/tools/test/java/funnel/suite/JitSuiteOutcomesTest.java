package funnel.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.suite.JitResult.Outcome;
import funnel.suite.JitRule.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

class JitSuiteOutcomesTest {

  /** Does with a trial what its rule's name says. */
  private static class ScriptedDevice implements Device {
    final List<String> ran = new ArrayList<>();
    boolean works = true;
    boolean isThere = true;

    @Override
    public String name() {
      if (!isThere) {
        throw new UnsupportedOperationException("no SDK");
      }
      return "scripted";
    }

    @Override
    public void run(JitTrial trial) {
      String what = trial.tasks().getFirst().id();
      ran.add(what);
      IntArray out = (IntArray) trial.outputs().getFirst().array();
      switch (what) {
        case "right" -> out.set(0, 7);
        case "wrong" -> out.set(0, 8);
        case "throws" -> throw new AssertionError("no such\n\u001b[31mnode\u001b[0m");
        case "dies" -> works = false;
        default -> throw new IllegalStateException(what);
      }
    }

    @Override
    public void compile(JitTrial trial) {
      run(trial);
    }

    @Override
    public Optional<String> trouble() {
      return works ? Optional.empty() : Optional.of("no pulse");
    }

    @Override
    public void close() {}
  }

  /** Children that find every rule right, but do not survive those that die. */
  private static class ScriptedProcesses extends Processes {
    final List<List<JitRule>> started = new ArrayList<>();
    final List<String> unknown = new ArrayList<>();

    @Override
    boolean know(JitRule rule) {
      return !unknown.contains(rule.name());
    }

    @Override
    List<JitResult> run(List<JitRule> rules) {
      started.add(List.copyOf(rules));
      List<JitResult> results = new ArrayList<>();
      for (JitRule rule : rules) {
        boolean dies = rule.name().startsWith("dies");
        results.add(
            new JitResult(rule.name(), rule.kind(), dies ? Outcome.FAULT : Outcome.RIGHT, "", 1));
        if (dies) {
          break;
        }
      }
      return results;
    }
  }

  private final ScriptedDevice device = new ScriptedDevice();
  private final ScriptedProcesses processes = new ScriptedProcesses();
  private final JitSuite suite = new JitSuite(device, processes);

  private static JitRule rule(String name, Kind kind, boolean dangerous) {
    return new JitRule(
        name,
        "says",
        kind,
        dangerous,
        () -> {
          Expected<IntArray> out = Expected.ints(7);
          String id = name.replaceAll("[^a-z].*", "");
          return JitTrial.of(
              KernelTask.of(id, Grid.of(1, 1), LaunchKernels::indices, out.array()), out);
        });
  }

  private Outcome outcomeOf(String name) {
    return suite
        .report(List.of(rule(name, Kind.WORKED_AROUND, false)))
        .results()
        .getFirst()
        .outcome();
  }

  @Test
  void outcome_ofEachKind() {
    assertEquals(Outcome.RIGHT, outcomeOf("right"));
    assertEquals(Outcome.WRONG, outcomeOf("wrong"));
    assertEquals(Outcome.DOES_NOT_COMPILE, outcomeOf("throws"));
    assertEquals(Outcome.FAULT, outcomeOf("dies"));
  }

  @Test
  void detail_namesTheFirstDifference() {
    JitReport report = suite.report(List.of(rule("wrong", Kind.RELIED_ON, false)));
    assertEquals("out[0]: expected 7, got 8 (1 of 1 wrong)", report.results().getFirst().detail());
  }

  @Test
  void detail_ofAnErrorIsOneLineWithoutEscapes() {
    JitReport report = suite.report(List.of(rule("throws", Kind.CAPABILITY, false)));
    assertEquals("java.lang.AssertionError: no such node", report.results().getFirst().detail());
  }

  @Test
  void fault_sendsTheRestToOtherProcesses() {
    List<JitRule> rules =
        List.of(
            rule("right", Kind.RELIED_ON, false),
            rule("dies", Kind.WORKED_AROUND, false),
            rule("right-2", Kind.RELIED_ON, false),
            rule("dies-3", Kind.WORKED_AROUND, false),
            rule("right-4", Kind.RELIED_ON, false));
    JitReport report = suite.report(rules);
    assertEquals(List.of("right", "dies"), device.ran);
    assertEquals(List.of(rules.subList(2, 5), rules.subList(4, 5)), processes.started);
    assertEquals(
        List.of(Outcome.RIGHT, Outcome.FAULT, Outcome.RIGHT, Outcome.FAULT, Outcome.RIGHT),
        report.results().stream().map(JitResult::outcome).toList());
    assertTrue(report.passed());
  }

  @Test
  void dangerousRules_haveAProcessEach() {
    List<JitRule> rules =
        List.of(
            rule("right-1", Kind.WORKED_AROUND, true),
            rule("right", Kind.RELIED_ON, false),
            rule("dies-2", Kind.WORKED_AROUND, true));
    JitReport report = suite.report(rules);
    assertEquals(List.of("right"), device.ran);
    assertEquals(List.of(rules.subList(0, 1), rules.subList(2, 3)), processes.started);
    assertEquals(
        List.of("right-1", "right", "dies-2"),
        report.results().stream().map(JitResult::rule).toList());
  }

  @Test
  void fault_leavesTheUnknownRulesOutAndTheOthersUnharmed() {
    processes.unknown.addAll(List.of("right", "right-2", "right-4"));
    List<JitRule> rules =
        List.of(
            rule("right", Kind.RELIED_ON, false),
            rule("dies", Kind.WORKED_AROUND, false),
            rule("right-2", Kind.WORKED_AROUND, false),
            rule("right-3", Kind.RELIED_ON, false),
            rule("right-4", Kind.WORKED_AROUND, false));
    JitReport report = suite.report(rules);
    assertEquals(List.of("right", "dies"), device.ran);
    assertEquals(List.of(List.of(rules.get(3))), processes.started);
    assertEquals(
        List.of(Outcome.RIGHT, Outcome.FAULT, Outcome.FAULT, Outcome.RIGHT, Outcome.FAULT),
        report.results().stream().map(JitResult::outcome).toList());
    String detail = report.results().get(2).detail();
    assertTrue(detail.startsWith("not run: rule dies took the device down"), detail);
  }

  @Test
  void dangerousRules_thatOtherProcessesDoNotKnow_areRefusedAtOnce() {
    processes.unknown.addAll(List.of("right", "right-1", "right-2"));
    List<JitRule> rules =
        List.of(
            rule("right", Kind.RELIED_ON, false),
            rule("right-1", Kind.RELIED_ON, true),
            rule("right-2", Kind.WORKED_AROUND, true),
            rule("right-3", Kind.WORKED_AROUND, true));
    UnknownRuleException e = assertThrows(UnknownRuleException.class, () -> suite.report(rules));
    assertEquals(List.of("right-1", "right-2"), e.rules());
    String message = String.valueOf(e.getMessage());
    assertTrue(message.startsWith("rules [right-1, right-2] are none of JitRules"), message);
    e = assertThrows(UnknownRuleException.class, () -> suite.reportApart(rules));
    assertEquals(List.of("right", "right-1", "right-2"), e.rules());
    assertEquals(List.of(), device.ran);
    assertEquals(List.of(), processes.started);
  }

  @Test
  void noDevice_isRefusedBeforeAnyRule() {
    device.isThere = false;
    List<JitRule> rules =
        List.of(rule("right", Kind.RELIED_ON, false), rule("right-1", Kind.WORKED_AROUND, true));
    for (Executable run :
        List.<Executable>of(
            () -> suite.report(rules),
            () -> suite.reportApart(rules),
            () -> suite.compiled(rules))) {
      IllegalStateException e = assertThrows(IllegalStateException.class, run);
      assertEquals(
          "no device through TornadoVM: java.lang.UnsupportedOperationException: no SDK"
              + " (funnel doctor says what is missing)",
          e.getMessage());
    }
    assertEquals(List.of(), device.ran);
    assertEquals(List.of(), processes.started);
  }

  @Test
  void deadDevice_isRefusedBeforeAnyRule() {
    device.works = false;
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class,
            () -> suite.report(List.of(rule("right", Kind.RELIED_ON, false))));
    assertEquals("the device does not work: no pulse", e.getMessage());
    assertEquals(List.of(), device.ran);
  }

  @Test
  void compile_runsNothingElsewhereAndTellsTheTwoOutcomes() {
    JitReport report =
        suite.compiled(
            List.of(rule("right", Kind.RELIED_ON, true), rule("throws", Kind.RELIED_ON, false)));
    assertEquals(
        List.of(Outcome.COMPILES, Outcome.DOES_NOT_COMPILE),
        report.results().stream().map(JitResult::outcome).toList());
    assertFalse(report.passed());
    assertEquals(List.of(), processes.started);
  }

  @Test
  void passed_asksOnlyForWhatIsReliedOn() {
    assertTrue(
        suite
            .report(
                List.of(
                    rule("right", Kind.RELIED_ON, false),
                    rule("wrong", Kind.WORKED_AROUND, false),
                    rule("throws", Kind.CAPABILITY, false)))
            .passed());
    assertFalse(suite.report(List.of(rule("wrong", Kind.RELIED_ON, false))).passed());
    assertFalse(suite.report(List.of(rule("throws", Kind.RELIED_ON, false))).passed());
  }

  @Test
  void noRules_giveAnEmptyReport() {
    JitReport report = suite.report(List.of());
    assertTrue(report.passed());
    assertEquals(List.of(), report.results());
  }

  @Test
  @ResourceLock(Resources.SYSTEM_PROPERTIES)
  void bailout_isRefused() {
    String before = System.getProperty("tornado.recover.bailout");
    try {
      System.clearProperty("tornado.recover.bailout");
      IllegalStateException unset =
          assertThrows(IllegalStateException.class, () -> JitSuite.run(JitRules.all()));
      assertTrue(unset.getMessage().contains("-Dtornado.recover.bailout=False"));
      System.setProperty("tornado.recover.bailout", "True");
      assertThrows(IllegalStateException.class, () -> JitSuite.compile(JitRules.all()));
    } finally {
      if (before == null) {
        System.clearProperty("tornado.recover.bailout");
      } else {
        System.setProperty("tornado.recover.bailout", before);
      }
    }
  }
}
