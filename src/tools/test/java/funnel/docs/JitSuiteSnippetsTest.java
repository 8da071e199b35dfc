package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import funnel.Sdk;
import funnel.suite.JitReport;
import funnel.suite.JitResult;
import funnel.suite.JitResult.Outcome;
import funnel.suite.JitRule;
import funnel.suite.JitRule.Kind;
import funnel.suite.JitRules;
import funnel.suite.JitSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The examples of the JIT suite do what they say. */
class JitSuiteSnippetsTest {

  private static final JitResult KEPT =
      new JitResult("kept", Kind.RELIED_ON, Outcome.RIGHT, "", 300);
  private static final JitResult MENDED =
      new JitResult("mended", Kind.WORKED_AROUND, Outcome.RIGHT, "", 200);
  private static final JitResult AVOIDED =
      new JitResult("avoided", Kind.WORKED_AROUND, Outcome.WRONG, "out[0]: 1", 200);
  private static final JitResult LOST =
      new JitResult("lost", Kind.RELIED_ON, Outcome.WRONG, "out[0]: 1", 400);

  @Test
  void suite_withoutADevice() {
    assumeFalse(Sdk.isHere(), "asks for what is said without TornadoVM");
    String verdict = JitSuiteSnippets.verdict(JitRules.all());
    assertTrue(verdict.startsWith("the suite cannot be run: "), verdict);
  }

  @Tag("gpu")
  @Test
  void suite_onDevice() {
    String verdict = JitSuiteSnippets.verdict(List.of(JitRules.named("count-of-executions")));
    assertTrue(verdict.startsWith("Funnel can trust "), verdict);
  }

  @Test
  void report(@TempDir Path folder) throws IOException {
    assertTrue(JitSuiteSnippets.keep(new JitReport("PTX, a GPU", List.of(KEPT, AVOIDED)), folder));
    List<String> lines = Files.readAllLines(folder.resolve("jit.jsonl"));
    assertEquals(2, lines.size());
    assertTrue(lines.getFirst().startsWith("{\"suite\":\"jit\",\"device\":\"PTX, "));
    assertFalse(JitSuiteSnippets.keep(new JitReport("PTX, a GPU", List.of(KEPT, LOST)), folder));
    assertTrue(Files.readString(folder.resolve("jit.txt")).contains("BROKEN"));
  }

  @Test
  void unknown() {
    assumeFalse(Sdk.isHere(), "there is a TornadoVM");
    List<String> others = new ArrayList<>();
    List<JitRule> rules = List.of(JitSuiteSnippets.COUNTED_ON, JitRules.all().getFirst());
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> JitSuiteSnippets.apart(rules, others));
    assertEquals(List.of("global-index"), others);
    assertTrue(e.getMessage().startsWith("no device through TornadoVM: "), e.getMessage());
  }

  @Tag("gpu")
  @Test
  void unknown_onDevice() {
    List<String> others = new ArrayList<>();
    List<JitRule> rules = List.of(JitSuiteSnippets.COUNTED_ON, JitRules.all().getFirst());
    JitReport report = JitSuiteSnippets.apart(rules, others);
    assertEquals(List.of("global-index"), others);
    assertEquals(1, report.results().size());
  }

  @Test
  void result() {
    JitReport report = new JitReport("PTX, a GPU", List.of(KEPT, MENDED, AVOIDED, LOST));
    assertEquals(List.of("mended"), JitSuiteSnippets.mended(report));
  }

  @Test
  void rules() {
    assertEquals(
        "v >> k fills an int with copies of its sign: WORKED_AROUND, true",
        JitSuiteSnippets.named());
  }

  @ParameterizedTest
  @ValueSource(strings = {"signed-shift-right-int", "count-of-executions"})
  void trial(String rule) {
    assertEquals(Optional.empty(), JitSuiteSnippets.inEmulator(JitRules.named(rule)));
  }

  @Test
  void output() {
    IntArray array = IntArray.fromElements(0, 1, 7, 8);
    assertEquals(
        Optional.of("out[2]: expected 2, got 7"),
        new JitSuiteSnippets.Indices(array).firstDifference());
  }

  @Test
  void rule_inTheEmulator() {
    assertEquals(
        Optional.of("out[0]: expected 0, got -1"), JitSuiteSnippets.COUNTED_ON.newTrial().verify());
    assertEquals(Optional.empty(), JitSuiteSnippets.inEmulator(JitSuiteSnippets.COUNTED_ON));
  }

  @Tag("gpu")
  @Test
  void rule_onDevice() {
    JitReport report = JitSuite.run(List.of(JitSuiteSnippets.COUNTED_ON));
    assertTrue(report.passed(), report.toTable());
  }
}
