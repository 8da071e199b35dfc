package funnel.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.suite.JitResult.Outcome;
import funnel.suite.JitRule.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class JitReportTest {

  private static final JitReport REPORT =
      new JitReport(
          "PTX, some \"device\"",
          List.of(
              new JitResult("kept", Kind.RELIED_ON, Outcome.RIGHT, "", 300),
              new JitResult("mended", Kind.WORKED_AROUND, Outcome.RIGHT, "", 200),
              new JitResult("lost", Kind.RELIED_ON, Outcome.WRONG, "out[0]: a\tb\n c", 400),
              new JitResult("missing", Kind.CAPABILITY, Outcome.DOES_NOT_COMPILE, "x", 600)));

  @Test
  void table_hasAVerdictForEachRule() {
    List<String> lines = REPORT.toTable().lines().toList();
    assertTrue(lines.get(0).contains("PTX, some \"device\""));
    assertTrue(lines.get(3).matches("kept +relied on +right +ok"), lines.get(3));
    assertTrue(
        lines
            .get(4)
            .matches("mended +worked around +right +mended upstream: the workaround may go"),
        lines.get(4));
    assertTrue(
        lines.get(5).matches("lost +relied on +wrong +BROKEN: out\\[0\\]: a b c"), lines.get(5));
    assertTrue(
        lines.get(6).matches("missing +capability +does not compile +not available: x"),
        lines.get(6));
    assertTrue(
        lines
            .getLast()
            .startsWith("4 rules in 1.5 s: of the rules that Funnel relies on, 1 are broken"));
  }

  @Test
  void json_hasOneEscapedLineForEachRule() {
    List<String> lines = REPORT.toJsonLines().lines().toList();
    assertEquals(4, lines.size());
    assertEquals(
        """
        {"suite":"jit","device":"PTX, some \\"device\\"","rule":"lost","kind":"RELIED_ON",\
        "outcome":"WRONG","passed":false,"verdict":"BROKEN",\
        "detail":"out[0]: a\\u0009b\\u000a c","millis":400}\
        """,
        lines.get(2));
  }

  @Test
  void passed_isFalseForOneBrokenRule() {
    assertFalse(REPORT.passed());
    assertTrue(new JitReport("d", REPORT.results().subList(0, 2)).passed());
    assertTrue(new JitReport("d", List.of()).passed());
  }
}
