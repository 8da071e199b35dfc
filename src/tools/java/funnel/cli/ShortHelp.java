package funnel.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The help of {@code -h}, on one screen: a sentence for each option that is a command's own. */
final class ShortHelp {

  private static final String INDENT = "  ";
  private static final int NAMES = 26;

  /** Options of most commands, which only the long help has. */
  private static final Set<String> COMMON =
      Set.of("--help", "--version", "--verbose", "--engine", "--devices", "--chunk", "--raw");

  private ShortHelp() {}

  static void print(CommandLine command, PrintWriter out) {
    CommandSpec spec = command.getCommandSpec();
    String name = spec.qualifiedName();
    int width = spec.usageMessage().width();
    List<OptionSpec> options =
        spec.options().stream()
            .filter(option -> !option.hidden() && !COMMON.contains(option.longestName()))
            .toList();
    StringBuilder usage = new StringBuilder("Usage: " + name);
    spec.positionalParameters().forEach(each -> usage.append(' ').append(each.paramLabel()));
    usage.append(options.isEmpty() ? "" : " [OPTION...]");
    usage.append(command.getSubcommands().isEmpty() ? "" : " COMMAND");
    out.println(usage);
    wrapped("", firstLine(spec), width).forEach(out::println);
    for (Map.Entry<String, CommandLine> each : command.getSubcommands().entrySet()) {
      CommandSpec sub = each.getValue().getCommandSpec();
      wrapped(INDENT + each.getKey(), sentence(firstLine(sub)), width).forEach(out::println);
    }
    for (OptionSpec option : options) {
      String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
      String list = option.splitRegex().isEmpty() ? "" : ",...";
      String text = option.description().length == 0 ? "" : option.description()[0];
      wrapped(INDENT + String.join(", ", option.names()) + value + list, sentence(text), width)
          .forEach(out::println);
    }
    Stream.of(spec.usageMessage().footer()).limit(2).forEach(out::println);
    out.println("%s --help says everything.".formatted(name));
  }

  private static String firstLine(CommandSpec spec) {
    String[] lines = spec.usageMessage().description();
    return lines.length == 0 ? "" : lines[0].formatted();
  }

  /** The first sentence of a text. */
  static String sentence(String text) {
    return text.replaceFirst("(?s)(?<=[^.]{2}[.;:])\\s.*", "").replaceFirst("[;:]$", ".");
  }

  private static List<String> wrapped(String name, String text, int width) {
    List<String> lines = new ArrayList<>();
    boolean hasName = !name.isEmpty();
    StringBuilder line = new StringBuilder(name);
    if (hasName && name.length() >= NAMES - 1) {
      lines.add(name);
      line.setLength(0);
    }
    String indent = hasName ? " ".repeat(NAMES) : "";
    while (hasName && line.length() < NAMES) {
      line.append(' ');
    }
    boolean isEmpty = true;
    for (String word : text.split(" +")) {
      if (!isEmpty && line.length() + 1 + word.length() >= width) {
        lines.add(line.toString());
        line = new StringBuilder(indent);
        isEmpty = true;
      }
      line.append(isEmpty ? "" : " ").append(word);
      isEmpty = false;
    }
    lines.add(line.toString().stripTrailing());
    return lines;
  }
}
