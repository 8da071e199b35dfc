package funnel.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

/** {@code funnel man}. */
@Command(
    name = "man",
    description = {
      "Print a page of the manual, for the program man.",
      "",
      "A page says the same as the command's --help. With one file for each page in a folder man1"
          + " of MANPATH, man finds them by name, such as funnel-reduce.",
      ""
    },
    footer = {"  funnel man reduce | man -l -", "  funnel man > ~/.local/share/man/man1/funnel.1"})
final class ManCommand extends FunnelCommand {

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "The command; bench scan for one within another. Default: all of funnel.")
  private String @Nullable [] names;

  @Override
  public Integer call() {
    CommandLine command = spec().root().commandLine();
    for (String name : names == null ? new String[0] : names) {
      CommandLine sub = command.getSubcommands().get(name);
      if (sub == null) {
        throw usage(
            "there is no command %s; similar: %s",
            name, Similar.to(name, command.getSubcommands().keySet()));
      }
      command = sub;
    }
    print(command, out());
    return ExitCode.OK;
  }

  private static void print(CommandLine command, PrintWriter out) {
    CommandSpec spec = command.getCommandSpec();
    CommandLine.Help help =
        new CommandLine.Help(spec, CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
    String name = spec.qualifiedName("-");
    String[] description = spec.usageMessage().description();
    out.println(".TH %s 1".formatted(name.toUpperCase(Locale.ROOT)));
    section(out, "NAME");
    out.println(
        text("%s - %s".formatted(name, description.length == 0 ? "" : description[0].formatted())));
    section(out, "SYNOPSIS");
    out.println(text(help.synopsis(0).strip()));
    section(out, "DESCRIPTION");
    Stream.of(description).filter(line -> !line.isBlank()).forEach(line -> paragraph(out, line));
    if (!command.getSubcommands().isEmpty()) {
      section(out, "COMMANDS");
      command
          .getSubcommands()
          .forEach(
              (sub, line) -> {
                String[] what = line.getCommandSpec().usageMessage().description();
                item(out, sub, what.length == 0 ? "" : what[0]);
              });
    }
    section(out, "OPTIONS");
    spec.positionalParameters()
        .forEach(each -> item(out, each.paramLabel(), String.join(" ", each.description())));
    for (OptionSpec option : spec.options()) {
      String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
      item(out, String.join(", ", option.names()) + value, String.join(" ", option.description()));
    }
    section(out, "EXIT STATUS");
    for (Map.Entry<String, String> code : spec.usageMessage().exitCodeList().entrySet()) {
      item(out, code.getKey(), code.getValue());
    }
    section(out, "EXAMPLES");
    out.println(".nf");
    Stream.of(spec.usageMessage().footer()).forEach(line -> out.println(text(line)));
    out.println(".fi");
  }

  private static void section(PrintWriter out, String title) {
    out.println(".SH " + title);
  }

  private static void paragraph(PrintWriter out, String line) {
    out.println(".PP");
    out.println(text(line.formatted()));
  }

  private static void item(PrintWriter out, String name, String what) {
    out.println(".TP");
    out.println(".B " + text(name));
    out.println(text(what.replace("%%", "%")));
  }

  /** A text in which nothing is a request. */
  private static String text(String line) {
    String safe = line.replace("\\", "\\e").replace("-", "\\-");
    return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
  }
}
