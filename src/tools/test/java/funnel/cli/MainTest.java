package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

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

  /** Others would only take time. */
  @Test
  void onlyTheCommandThatIsCalledIsMade() {
    Main.commandLine()
        .getSubcommands()
        .forEach(
            (name, command) ->
                assertEquals(
                    name.equals("help") || name.equals("man"),
                    Main.needed(name, "x").size() > 1,
                    name));
    assertTrue(Main.needed("--verbose", "reduce").size() > 1);
    assertTrue(Main.needed().size() > 1);
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
      assertTrue(run.out().matches("funnel \\d.*\\Rjava .*\\R"), run.out());
    }
  }

  /** Each is a line that a shell takes, with options that there are. */
  @ParameterizedTest
  @MethodSource("commands")
  void examplesCanBePasted(String command) {
    for (String line : spec(command).usageMessage().footer()) {
      assertTrue(line.length() < 80, line);
      for (String part : line.split(" [|] |[(]|[)]")) {
        String call = part.strip().replaceFirst(" {3}.*| > \\S+$", "");
        String java = "funnel (-|java|jshell|bundle|source).*";
        if (call.startsWith("funnel ") && !call.matches(java)) {
          List<String> words = new ArrayList<>();
          Matcher word = Pattern.compile("'([^']*)'|(\\S+)").matcher(call.substring(7));
          while (word.find()) {
            words.add(word.group(1) == null ? word.group(2) : word.group(1));
          }
          try {
            Main.commandLine().parseArgs(words.toArray(String[]::new));
          } catch (CommandLine.ParameterException e) { // its files are not here
            assertTrue(e.getMessage().contains("is neither a number nor a file"), e::getMessage);
          }
        }
      }
    }
  }

  private static CommandSpec spec(String command) {
    CommandLine found = Main.commandLine();
    for (String name : command.isEmpty() ? new String[0] : command.split(" ")) {
      found = found.getSubcommands().get(name);
    }
    return found.getCommandSpec();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void shortHelpIsAScreen(String command) {
    Run run = run(command, "-h");
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    assertTrue(run.out().startsWith(("Usage: funnel " + command).strip()), run.out());
    assertTrue(run.out().lines().allMatch(line -> line.length() <= 80), run.out());
    assertTrue(
        run.out().lines().count() <= Math.min(60, run(command, "--help").out().lines().count()),
        run.out());
    assertTrue(run.out().stripTrailing().endsWith("--help says everything."), run.out());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void pagesOfTheManual(String command) {
    Run run = run("man", command.isEmpty() ? new String[0] : command.split(" "));
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    String name = ("funnel-" + command.replace(' ', '-')).replaceFirst("-$", "");
    assertTrue(
        run.out().startsWith(".TH %s 1\n.SH NAME\n".formatted(name.toUpperCase(Locale.ROOT))),
        run.out());
    assertTrue(run.out().contains("\n.SH EXAMPLES\n.nf\n  funnel"), run.out());
  }

  @Test
  void pagesOfOtherCommands() {
    Run run = Run.of("man", "redcue");
    assertEquals(ExitCode.USAGE, run.exitCode());
    assertTrue(run.err().contains("no command redcue; similar: reduce"), run.err());
  }

  /** What is offered is what is taken. */
  @Test
  void offeredValuesAreTaken() {
    List<String> offered = new ArrayList<>();
    requireTaken(CompletionCommand.completed(), Main.commandLine(), "", offered);
    String all = String.join(" ", offered);
    assertTrue(all.contains("histogram --method=thread-counters"), all);
    assertTrue(all.contains("bench histogram --data=uniform"), all);
    assertTrue(all.contains("reduce --op=sum-of-squares"), all);
  }

  private static void requireTaken(
      CommandLine command, CommandLine taking, String path, List<String> offered) {
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (option.completionCandidates() != null && !option.longestName().equals("--backend")) {
        for (String value : option.completionCandidates()) {
          String words = "%s %s=%s".formatted(path, option.longestName(), value).strip();
          try {
            taking.parseArgs(words.split(" "));
          } catch (CommandLine.ParameterException e) {
            assertFalse(e.getMessage().contains("Invalid value"), words + ": " + e.getMessage());
          }
          offered.add(words);
        }
      }
    }
    command
        .getSubcommands()
        .forEach((name, sub) -> requireTaken(sub, taking, (path + " " + name).strip(), offered));
  }

  @Test
  void shellsCompleteCommandsAndOptions() {
    Run run = Run.of("generate-completion");
    assertEquals(ExitCode.OK, run.exitCode());
    assertTrue(run.out().contains("complete -F _complete_funnel"), run.out());
    assertTrue(run.out().contains("jshell") && run.out().contains("thread-counters"), run.out());
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
        "redcue | funnel: no command redcue; similar: reduce",
        "scan x --ouput=y | Unknown option: '--ouput=y'; similar: --out",
        "heat --tolerence=1 | similar: --tolerance",
        "recude x | similar: reduce",
        "hist x | similar: histogram",
        "reduce x --op summ | is none of sum, product, min, max, min-max, argmin, argmax, mean,"
            + " variance,",
        "reduce x --op summ | xor; similar: sum",
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
    "bogus, funnel: no command bogus (see",
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
