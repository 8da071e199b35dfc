package funnel.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.suite.JitResult.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessesTest {

  /** Writes its arguments and one system property into a file. */
  static final class Echo {
    private Echo() {}

    public static void main(String[] arguments) throws IOException {
      Files.writeString(Path.of(arguments[0]), arguments[1] + System.getProperty("jit.echo"));
    }
  }

  @Test
  void command_startsAProcessLikeThisOne() throws Exception {
    Path file = Files.createTempFile("echo", ".txt");
    try {
      List<String> command = Processes.command(Echo.class, List.of("-Djit.echo=b c"));
      command.add(file.toString());
      command.add("a ");
      Process process = new ProcessBuilder(command).inheritIO().start();
      assertEquals(0, process.waitFor());
      assertEquals("a b c", Files.readString(file));
    } finally {
      Files.delete(file);
    }
  }

  /** Java does not start with this option, so the child ends early, as after a crash. */
  @Test
  void run_blamesTheRuleThatTheChildDidNotSurvive() throws Exception {
    List<JitRule> rules = JitRules.of(JitRule.Kind.RELIED_ON).subList(0, 3);
    List<JitResult> results = new Processes("-XX:NoSuchOptionOfJava=1").run(rules);
    assertEquals(1, results.size());
    assertEquals(rules.getFirst().name(), results.getFirst().rule());
    assertEquals(Outcome.FAULT, results.getFirst().outcome());
    String detail = results.getFirst().detail();
    assertTrue(detail.startsWith("its process ended with exit code 1: "), detail);
  }

  /** The child refuses to run with this option. */
  @Test
  void run_doesNotTryAgainWhereTheChildRefuses() throws Exception {
    List<JitRule> rules = JitRules.of(JitRule.Kind.RELIED_ON).subList(0, 3);
    List<JitResult> results = new Processes("-Dtornado.recover.bailout=True").run(rules);
    assertEquals(rules.stream().map(JitRule::name).toList(), names(results));
    for (JitResult result : results) {
      assertEquals(Outcome.FAULT, result.outcome());
      String detail = result.detail();
      assertTrue(detail.startsWith("its process ended with exit code 2: jit suite: "), detail);
    }
  }

  private static List<String> names(List<JitResult> results) {
    return results.stream().map(JitResult::rule).toList();
  }

  @Test
  void know_theRulesOfTheSuiteAndNoOthers() {
    Processes processes = new Processes();
    for (JitRule rule : JitRules.all()) {
      assertTrue(processes.know(rule), rule.name());
    }
    JitRule known = JitRules.all().getFirst();
    JitRule sameName =
        new JitRule(
            known.name(),
            known.says(),
            known.kind(),
            known.dangerous(),
            () -> JitRules.all().getLast().newTrial());
    assertFalse(processes.know(sameName));
  }

  @Test
  void format_isReadBack() {
    JitResult result =
        new JitResult("shift-left", JitRule.Kind.RELIED_ON, Outcome.WRONG, "a\\n \"b\"", 12);
    assertEquals(result, Processes.parse(Processes.format(result)));
  }

  @Test
  void format_keepsToOneLine() {
    JitResult result =
        new JitResult("r", JitRule.Kind.CAPABILITY, Outcome.DOES_NOT_COMPILE, "a\n\tb", 0);
    assertEquals("a b", Processes.parse(Processes.format(result)).detail());
    assertEquals(1, Processes.format(result).lines().count());
  }
}
