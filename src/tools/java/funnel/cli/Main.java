package funnel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import funnel.bench.BenchCommand;
import funnel.columns.DuckDbUnavailableException;
import funnel.operation.EngineUnavailableException;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code funnel} command.
 *
 * <p>Results go to standard output, everything else to standard error. An error is one line there;
 * {@code --verbose} adds the stack trace and the log. Exit codes are those of {@link ExitCode}.
 *
 * {@snippet class="funnel.docs.CommandSnippets" region="main"}
 */
@Command(
    name = "funnel",
    scope = ScopeType.INHERIT,
    description = "Parallel primitives on the JVM and, through TornadoVM, on GPUs.",
    mixinStandardHelpOptions = true,
    version = "funnel", // with --version more, which takes time
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the work was done, and what was checked is right",
      "1:the work failed, since a file cannot be read or written, or its contents do not allow it;"
          + " or a result is wrong",
      "2:the command line is wrong, or asks for what the file does not have (a column, numbers in"
          + " it, a type), or an output exists already",
      "3:something requested is not available: an engine, a device, tests, DuckDB's driver",
      "129, 130, 143:ended by a signal: its terminal was closed, Ctrl-C, kill",
      "141:the reader of the output has closed it"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  funnel doctor                       what works on this machine",
      "  funnel demo                         reduce and scan a real file, checked",
      "  funnel reduce data.npy --op sum,max",
      "  funnel scan data.npy --out sums.npy",
      "  funnel select data.npy --where '>= 3' --out large.npy",
      "  funnel sort data.npy --descending --out sorted.npy",
      "  funnel histogram book.txt --letters",
      "  funnel heat --steps 5000 --gif heat.gif",
      "  funnel help reduce                  all about one command; the least: -h",
      "  source <(funnel generate-completion)    so that bash and zsh complete"
    })
public final class Main implements Runnable {

  /** Property that switches stack traces and the log on, as {@code --verbose} does. */
  public static final String VERBOSE_PROPERTY = "funnel.verbose";

  /** In the order of the help. */
  private static final List<Class<?>> COMMANDS =
      List.of(
          DoctorCommand.class,
          DemoCommand.class,
          DescribeCommand.class,
          HeadCommand.class,
          ConvertCommand.class,
          ReduceCommand.class,
          ScanCommand.class,
          SelectCommand.class,
          UniqueCommand.class,
          SortCommand.class,
          GroupCommand.class,
          TopCommand.class,
          QuantilesCommand.class,
          HistogramCommand.class,
          HeatCommand.class,
          BenchCommand.class,
          JupyterCommand.class,
          TestCommand.class,
          HelpCommand.class,
          CompletionCommand.class,
          ManCommand.class);

  private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      defaultValue = "${sys:" + VERBOSE_PROPERTY + ":-false}",
      description = "Show the log and stack traces.")
  private boolean verbose;

  private Main() {}

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String... arguments) {
    PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
    System.exit(run(StandardOutput.printed(), err, arguments));
  }

  /**
   * Runs the command.
   *
   * @param out for results
   * @param err for errors
   * @return the exit code
   */
  public static int run(PrintWriter out, PrintWriter err, String... arguments) {
    int exitCode = commandLine(needed(arguments)).setOut(out).setErr(err).execute(arguments);
    try {
      if (!out.checkError()) {
        return exitCode;
      }
      err.println("funnel: cannot write to standard output");
    } catch (StandardOutput.Failure e) { // from the last lines
      if (exitCode != ExitCode.OK) {
        return exitCode; // this was explained
      }
      if (e.isBrokenPipe()) {
        return ExitCode.BROKEN_PIPE;
      }
      err.println("funnel: " + sentence(e));
    }
    return ExitCode.FAILURE;
  }

  /** The command with all of its commands. */
  static CommandLine commandLine() {
    return commandLine(COMMANDS);
  }

  /**
   * The one that comes first, or all if there is none or it tells of others: each takes time, as
   * does the reading of its annotation.
   */
  static List<Class<?>> needed(String... arguments) {
    String first = arguments.length == 0 ? "" : arguments[0];
    String ofClass = first.substring(first.lastIndexOf('-') + 1) + "Command";
    List<Class<?>> named =
        COMMANDS.stream()
            .filter(type -> type != HelpCommand.class && type != ManCommand.class)
            .filter(type -> type.getSimpleName().equalsIgnoreCase(ofClass))
            .filter(type -> type.getAnnotation(Command.class).name().equals(first))
            .toList();
    return named.isEmpty() ? COMMANDS : named;
  }

  private static CommandLine commandLine(List<Class<?>> commands) {
    Main main = new Main();
    CommandLine all = new CommandLine(main);
    commands.forEach(all::addSubcommand);
    return all.setCaseInsensitiveEnumValuesAllowed(true)
        .setOverwrittenOptionsAllowed(true)
        .registerConverter(int.class, Numbers::wholeInt)
        .registerConverter(Integer.class, Numbers::wholeInt)
        .registerConverter(long.class, Numbers::whole)
        .registerConverter(Long.class, Numbers::whole)
        .registerConverter(FileType.class, FileType::named)
        .registerConverter(OutputFile.class, OutputFile::named)
        .setUsageHelpAutoWidth(true)
        .setExecutionStrategy(main::execute)
        .setParameterExceptionHandler(Main::explainUsage)
        .setExecutionExceptionHandler(main::explainFailure);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /* The log's level must be set before the first class with a logger is loaded, so nothing of
   * Funnel may be touched before this. */
  private int execute(ParseResult parsed) {
    if (System.getProperty(LOG_LEVEL) == null) {
      System.setProperty(LOG_LEVEL, verbose ? "info" : "warn");
    }
    try {
      ParseResult last = parsed;
      while (last.hasSubcommand()) {
        last = last.subcommand();
      }
      if (last.isVersionHelpRequested()) {
        Version.lines().forEach(last.commandSpec().commandLine().getOut()::println);
        return ExitCode.OK;
      }
      if (last.isUsageHelpRequested() && !parsed.originalArgs().contains("--help")) {
        CommandLine command = last.commandSpec().commandLine();
        ShortHelp.print(command, command.getOut());
        return ExitCode.OK;
      }
      return new RunLast().execute(parsed);
    } catch (Error | StandardOutput.Failure e) { // the latter from printing help
      CommandLine last = parsed.commandSpec().commandLine();
      return explain(e, last);
    }
  }

  private static int explainUsage(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    String message = e.getMessage();
    List<String> unmatched = command.getUnmatchedArguments();
    if (!unmatched.isEmpty()) { // reported before missing options
      String typed = unmatched.getFirst().replaceFirst("=.*", "");
      Set<String> commands = command.getSubcommands().keySet();
      boolean isOption = typed.startsWith("-");
      String similar =
          Similar.to(typed, isOption ? command.getCommandSpec().optionsMap().keySet() : commands);
      message =
          (isOption || commands.isEmpty()
                  ? new UnmatchedArgumentException(command, unmatched).getMessage()
                  : "no command " + typed)
              + (similar.isEmpty() ? "" : "; similar: " + similar);
    }
    flush(command.getOut());
    command.getErr().println("%s: %s (see %s --help)".formatted(name, oneLine(message), name));
    return ExitCode.USAGE;
  }

  private int explainFailure(Exception e, CommandLine command, @Nullable ParseResult parsed) {
    return explain(e, command);
  }

  private int explain(Throwable e, CommandLine command) {
    if (e instanceof StandardOutput.Failure failure && failure.isBrokenPipe()) {
      return ExitCode.BROKEN_PIPE;
    }
    flush(command.getOut());
    PrintWriter err = command.getErr();
    err.println(command.getCommandSpec().qualifiedName() + ": " + sentence(e));
    if (verbose) {
      e.printStackTrace(err);
    }
    err.flush();
    return e instanceof EngineUnavailableException || e instanceof DuckDbUnavailableException
        ? ExitCode.UNAVAILABLE
        : ExitCode.FAILURE;
  }

  /** Writes what was printed before an error. */
  private static void flush(PrintWriter out) {
    try {
      out.flush();
    } catch (StandardOutput.Failure e) {
      // the error that follows came first
    }
  }

  private static String sentence(Throwable e) {
    return switch (e) {
      case NoSuchFileException missing when missing.getReason() == null ->
          "no such file: " + oneLine(missing.getMessage());
      case AccessDeniedException denied -> "may not read: " + oneLine(denied.getMessage());
      case OutOfMemoryError memory ->
          String.format(
              Locale.ROOT,
              "not enough memory (%s): the maximum heap is %,d bytes; FUNNEL_JAVA_OPTS=-Xmx32g"
                  + " makes it 32 GiB",
              oneLine(memory.getMessage()),
              Runtime.getRuntime().maxMemory());
      case Throwable wrapper
          when wrapper.getCause() != null
              && wrapper.getCause().toString().equals(wrapper.getMessage()) ->
          sentence(wrapper.getCause());
      default ->
          e.getMessage() == null
              ? "%s, an unexpected error: --verbose shows where".formatted(e)
              : oneLine(e.getMessage());
    };
  }

  /* Replaces names of types by those that options use, in all messages. */
  private static String oneLine(@Nullable String message) {
    String line = message == null ? "" : message.strip().replaceAll("\\s*\\R\\s*", "; ");
    line = InputFile.withoutCopies(line);
    for (ElementType element : ElementType.values()) {
      FileType type = FileType.of(element);
      line = line.replaceAll("(?<=[ =])%s(?=[ ,;:)]|$)".formatted(element.name()), type.toString());
    }
    return line;
  }

  /** Funnel's version, from the jar's manifest or the sources, with their commit; and the JVM's. */
  private static final class Version {
    private static final String HOME = "funnel.home";
    private static final String UNKNOWN = "(built from source)";
    private static final Pattern VERSION = Pattern.compile("<version>([^<]*)</version>");

    static List<String> lines() {
      String version = Main.class.getPackage().getImplementationVersion();
      return List.of(
          "funnel %s%s".formatted(version == null ? ofSources() : version, commit()),
          "java " + Runtime.version());
    }

    /** The launcher's folder has the sources. */
    private static String ofSources() {
      try {
        Matcher version =
            VERSION.matcher(Files.readString(Path.of(System.getProperty(HOME, ""), "pom.xml")));
        return version.find() ? version.group(1) : UNKNOWN;
      } catch (IOException e) {
        return UNKNOWN;
      }
    }

    private static String commit() {
      Path home = Path.of(System.getProperty(HOME, ""));
      if (!Files.exists(home.resolve(".git"))) {
        return "";
      }
      try {
        Process git =
            new ProcessBuilder("git", "-C", home.toString(), "rev-parse", "--short", "HEAD")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String commit = new String(git.getInputStream().readAllBytes(), UTF_8).strip();
        return commit.isEmpty() ? "" : " (commit %s)".formatted(commit);
      } catch (IOException e) {
        return ""; // no git here
      }
    }
  }
}
