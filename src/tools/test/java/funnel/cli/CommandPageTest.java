package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Member;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The tables of docs/cli.md are what the program says of itself. */
class CommandPageTest {

  private static final String MARK =
      "<!-- From here on CommandPageTest compares this page with the program. -->";

  /** Options of more than one command, by the classes that declare them. */
  private static final List<Map.Entry<String, List<String>>> SHARED =
      List.of(
          Map.entry("All commands", List.of("AutoHelpMixin", "Main")),
          Map.entry(
              "Commands that compute", List.of("EngineOption", "DevicesOption", "EngineCommand")),
          Map.entry("Commands over a file", List.of("InputFile", "Gaps", "FileCommand")),
          Map.entry(
              "All of `funnel bench`", List.of("Benchmark", "EffortOption", "PrimitiveBenchmark")));

  private final Map<String, Map<String, String>> tables = new LinkedHashMap<>();

  private static String page() {
    CommandPageTest test = new CommandPageTest();
    CommandLine main = Main.commandLine();
    StringBuilder page =
        new StringBuilder(MARK).append("\n\n## Exit codes\n\n| code | |\n| --- | --- |\n");
    main.getCommandSpec()
        .usageMessage()
        .exitCodeList()
        .forEach((code, meaning) -> page.append("| %s | %s |\n".formatted(code, meaning)));
    SHARED.forEach(shared -> test.tables.put(shared.getKey(), new LinkedHashMap<>()));
    StringBuilder commands = new StringBuilder("\n## Commands\n\n| command | |\n| --- | --- |\n");
    test.add(main, commands);
    page.append(commands);
    test.tables.forEach(
        (title, rows) -> {
          if (!rows.isEmpty()) {
            page.append("\n## %s\n\n| option | |\n| --- | --- |\n".formatted(title));
            rows.forEach((option, text) -> page.append("| `%s` | %s |\n".formatted(option, text)));
          }
        });
    return page.toString();
  }

  private void add(CommandLine command, StringBuilder commands) {
    CommandSpec spec = command.getCommandSpec();
    String name = spec.qualifiedName();
    if (spec.parent() != null && !spec.helpCommand()) {
      commands.append(
          "| `%s` | %s |\n".formatted(name, cell(spec.usageMessage().description()[0].strip())));
    }
    if (!spec.helpCommand()) {
      List<ArgSpec> all = new ArrayList<>(spec.positionalParameters());
      all.addAll(spec.options());
      for (ArgSpec arg : all) {
        String declaring = ((Member) arg.userObject()).getDeclaringClass().getSimpleName();
        String title =
            SHARED.stream()
                .filter(entry -> entry.getValue().contains(declaring))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("`" + name + "`");
        boolean isShared = !title.startsWith("`");
        tables
            .computeIfAbsent(title, t -> new LinkedHashMap<>())
            .putIfAbsent(cell(names(arg)), text(arg, isShared));
      }
    }
    command.getSubcommands().values().forEach(sub -> add(sub, commands));
  }

  private static String names(ArgSpec arg) {
    if (!(arg instanceof OptionSpec option)) {
      return arg.paramLabel();
    }
    String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
    return String.join(", ", option.names())
        + value
        + (option.splitRegex().isEmpty() ? "" : ",...");
  }

  /** A default of an option of several commands is a command's own. */
  private static String text(ArgSpec arg, boolean isShared) {
    String text = String.join(" ", arg.description());
    if (isShared) {
      text =
          text.replace(
              "Default: %s, ".formatted(arg.defaultValueString()), "Default: the command's own, ");
    }
    String value = arg.defaultValue();
    boolean isShown =
        arg.command().usageMessage().showDefaultValues() && value != null && arg.arity().max() > 0;
    return cell(
        text
            + (isShown ? " Default: %s.".formatted(value) : "")
            + (arg.required() && arg.group() == null ? " Required." : ""));
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  @Test
  void thePageIsWhatTheProgramSays() throws IOException {
    Path file = Path.of("docs/cli.md");
    assumeTrue(Files.exists(file), "no documents here");
    String text = Files.readString(file);
    String begin = text.substring(0, Math.max(0, text.indexOf(MARK)));
    String expected = begin + page();
    if (!text.equals(expected)) {
      Files.writeString(Path.of("target/cli.md"), expected);
    }
    assertEquals(expected, text, "docs/cli.md is to be as target/cli.md is now");
  }
}
