package funnel.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** {@code funnel generate-completion}. */
@Command(
    name = "generate-completion",
    description = {
      "Print a script by which bash and zsh complete commands, options and their values.",
      ""
    },
    footer = {
      "  funnel generate-completion > completion.sh",
      "  source <(funnel generate-completion)"
    })
final class CompletionCommand implements Callable<Integer> {

  /** The launcher's own commands. */
  private static final List<String> LAUNCHER = List.of("java", "jshell", "bundle");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    spec.commandLine().getOut().print(AutoComplete.bash("funnel", completed()));
    return ExitCode.OK;
  }

  /** All commands, whose options offer the values that they take. */
  static CommandLine completed() {
    CommandLine main = Main.commandLine();
    LAUNCHER.forEach(name -> main.addSubcommand(name, CommandSpec.create()));
    main.getCommandSpec()
        .addOption(
            OptionSpec.builder("--backend")
                .paramLabel("B")
                .type(String.class)
                .completionCandidates(List.of("ptx", "cuda", "none"))
                .build());
    offer(main);
    return main;
  }

  private static void offer(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    for (OptionSpec option : List.copyOf(spec.options())) {
      List<String> accepted = accepted(option);
      if (!accepted.isEmpty() && option.group() == null) {
        spec.remove(option);
        spec.addOption(OptionSpec.builder(option).completionCandidates(accepted).build());
      }
    }
    command.getSubcommands().values().forEach(CompletionCommand::offer);
  }

  /* A converter takes other names than those of the constants, which picocli would offer. */
  private static List<String> accepted(OptionSpec option) {
    Class<?>[] types = option.auxiliaryTypes();
    Class<?> type = types.length == 0 ? option.type() : types[0];
    List<String> accepted = new ArrayList<>();
    if (type.isEnum() && option.converters().length > 0) {
      for (Object constant : type.getEnumConstants()) {
        String name = ((Enum<?>) constant).name();
        Stream.of(name.toLowerCase(Locale.ROOT).replace('_', '-'), constant.toString())
            .filter(text -> isAccepted(option, text))
            .findFirst()
            .ifPresent(accepted::add);
      }
    }
    return accepted;
  }

  private static boolean isAccepted(OptionSpec option, String text) {
    try {
      return option.converters()[0].convert(text) != null;
    } catch (Exception e) {
      return false;
    }
  }
}
