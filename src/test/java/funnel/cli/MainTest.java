package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "doctor",
        "demo",
        "demo race",
        "reduce",
        "scan",
        "group",
        "top",
        "quantiles",
        "histogram",
        "heat",
        "jupyter",
        "jupyter install",
        "test"
      })
  void helpHasExamplesAndExitCodes(String command) {
    Run run = Run.of((command + " --help").strip().split(" "));
    assertEquals(ExitCode.OK, run.exitCode());
    assertEquals("", run.err());
    String name = ("funnel " + command).strip();
    assertTrue(run.out().startsWith("Usage: " + name), run.out());
    assertTrue(run.out().contains("%nExamples:%n  %s".formatted(name)), run.out());
    assertTrue(run.out().contains("%nExit codes:%n  0   ".formatted()), run.out());
    assertTrue(run.out().lines().allMatch(line -> line.length() <= 80), run.out());
  }

  @Test
  void helpListsTheCommands() {
    String help = Run.of("--help").out();
    for (String command :
        new String[] {
          "doctor",
          "demo",
          "reduce",
          "scan",
          "group",
          "top",
          "quantiles",
          "histogram",
          "heat",
          "bench",
          "jupyter",
          "test"
        }) {
      assertTrue(help.contains("  %s".formatted(command)), help);
    }
  }

  @Test
  void versionNamesFunnelAndJava() {
    Run run = Run.of("--version");
    assertEquals(ExitCode.OK, run.exitCode());
    assertTrue(run.out().matches("funnel .*\\Rjava .*\\R"), run.out());
  }

  @ParameterizedTest
  @CsvSource({
    "'', funnel: a command is missing",
    "bogus, funnel: Unmatched argument at index 0: 'bogus'",
    "--bogus, funnel: Unknown option: '--bogus'",
    "reduce, funnel reduce: Missing required parameter: 'FILE'",
    "jupyter, funnel jupyter: a command is missing",
    "jupyter install --name=a/b, 'funnel jupyter install: --name=a/b: Jupyter allows letters'",
    "jupyter install --user --prefix=x, 'funnel jupyter install: Error: --user, --prefix=FOLDER'",
    "scan --out=x.npy, funnel scan: Missing required parameter: 'FILE'",
    "demo --engine=nope, funnel demo: Invalid value for option '--engine'",
    "demo --bytes=1, 'funnel demo: --bytes=1 is out of range: 8 to 2147483639'"
  })
  void usageErrorsAreOneLine(String arguments, String begin) {
    Run run = Run.of(arguments.isEmpty() ? new String[0] : arguments.split(" "));
    assertEquals(ExitCode.USAGE, run.exitCode());
    assertEquals("", run.out());
    assertTrue(run.err().startsWith(begin), run.err());
    assertTrue(run.err().stripTrailing().endsWith("--help)"), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }

  @Test
  void failuresAreOneLineUnlessVerbose() {
    Run brief = Run.of("demo", "--file", "no/such/file", "--engine", "jvm");
    assertEquals(ExitCode.FAILURE, brief.exitCode());
    assertEquals("", brief.out());
    assertEquals("funnel demo: no such file: no/such/file", brief.err().strip());
    Run verbose = Run.of("demo", "--file", "no/such/file", "--engine", "jvm", "--verbose");
    assertEquals(ExitCode.FAILURE, verbose.exitCode());
    assertTrue(verbose.err().contains("at funnel.cli.DemoCommand"), verbose.err());
  }

  @Test
  void writingToNowhereIsAFailure() {
    Run run = Run.withBrokenOutput("--version");
    assertEquals(ExitCode.FAILURE, run.exitCode());
    assertTrue(run.err().contains("cannot write to standard output"), run.err());
  }

  @Test
  void testsAreRunByJUnit() {
    Run run = Run.of("test", "--", "--include-classname=funnel\\.file\\.JsonTest");
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    assertTrue(run.out().contains("tests successful"), run.out());
    assertTrue(run.out().contains("0 tests failed"), run.out());
    Run none = Run.of("test", "--", "--include-classname=no\\.Such");
    assertEquals(ExitCode.FAILURE, none.exitCode());
  }
}
