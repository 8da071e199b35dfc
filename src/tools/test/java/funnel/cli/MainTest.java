package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.NumberFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class MainTest {

  private static Stream<String> commands() {
    return paths(Main.commandLine(), "");
  }

  private static Stream<String> paths(CommandLine command, String path) {
    return Stream.concat(
        Stream.of(path),
        command.getSubcommands().entrySet().stream()
            .filter(entry -> !entry.getValue().getCommandSpec().helpCommand())
            .flatMap(entry -> paths(entry.getValue(), (path + " " + entry.getKey()).strip())));
  }

  private static Run run(String command, String... more) {
    return Run.of(
        Stream.concat(Stream.of(command.split(" ")), Stream.of(more))
            .filter(word -> !word.isEmpty())
            .toArray(String[]::new));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpHasExamplesAndExitCodes(String command) {
    Run run = run(command, "--help");
    assertEquals(ExitCode.OK, run.exitCode());
    assertEquals("", run.err());
    String name = ("funnel " + command).strip();
    assertTrue(run.out().startsWith("Usage: " + name), run.out());
    assertTrue(run.out().contains("%nExamples:%n  %s".formatted(name)), run.out());
    assertTrue(run.out().contains("%nExit codes:%n  0   ".formatted()), run.out());
    assertTrue(run.out().lines().allMatch(line -> line.length() <= 80), run.out());
  }

  @Test
  void helpListsTheCommandsAndShowsThatOfOne() {
    String help = Run.of("help").out();
    for (String command : Main.commandLine().getSubcommands().keySet()) {
      assertTrue(help.contains("  %s".formatted(command)), help);
    }
    assertEquals(Run.of("reduce", "--help").out(), Run.of("help", "reduce").out());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void versionNamesFunnelAndJava(String command) {
    for (String option : new String[] {"--version", "-V"}) {
      Run run = run(command, option);
      assertEquals(ExitCode.OK, run.exitCode());
      assertTrue(run.out().matches("funnel .*\\Rjava .*\\R"), run.out());
    }
  }

  @Test
  void shellsCompleteCommandsAndOptions() {
    Run run = Run.of("generate-completion");
    assertEquals(ExitCode.OK, run.exitCode());
    assertTrue(run.out().contains("complete -F _complete_funnel"), run.out());
    assertTrue(run.out().contains("--where") && run.out().contains("--tolerance"), run.out());
  }

  @Test
  void theLastOfARepeatedOptionWins() {
    Run run = Run.of("demo", "--bytes=100", "--bytes=2^2");
    assertTrue(run.err().startsWith("funnel demo: --bytes=4 is out of range"), run.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "redcue | funnel: Unmatched argument at index 0: 'redcue'; similar: reduce",
        "scan x --ouput=y | Unknown option: '--ouput=y'; similar: --out",
        "heat --tolerence=1 | similar: --to",
        "demo --bytes=1e6 | '1e6' is not a whole number such as 1000 or 2^20",
        "demo --bytes=2^64 | 2^64 is too large",
        "top x -k 2^40 | 2^40 is out of range",
        "top x --type float | no such file: x",
        "top x --type FLOAT17 | 'FLOAT17' is none of [bool, int8, uint8, int16, uint16, int32,"
            + " uint32, int64, float16,",
        "help redcue | Unknown subcommand 'redcue'"
      })
  void whatIsMisspeltIsNamedWithWhatIsLikeIt(String arguments, String part) {
    Run run = run(arguments);
    assertNotEquals(ExitCode.OK, run.exitCode());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(run.err().contains(part), run.err());
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

  /** A name with "pipe" is not a pipe that nobody reads. */
  @Test
  void failuresNameAnyFile(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("pipe.npy"), new byte[1]);
    Run run = Run.of("reduce", file.toString());
    assertEquals(ExitCode.FAILURE, run.exitCode());
    assertTrue(run.err().startsWith("funnel reduce: " + file), run.err());
  }

  @Test
  void testsAreRunByJUnit() {
    Run run = Run.of("test", "--", "--include-classname=funnel\\.file\\.JsonTest");
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    assertTrue(run.out().contains("tests successful"), run.out());
    String zero = NumberFormat.getIntegerInstance().format(0); // the console's digits
    assertTrue(run.out().contains(zero + " tests failed"), run.out());
    Run none = Run.of("test", "--", "--include-classname=no\\.Such");
    assertEquals(ExitCode.FAILURE, none.exitCode());
  }
}
