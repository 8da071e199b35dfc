package funnel.cli;

import funnel.bench.BenchCommand;
import funnel.operation.EngineUnavailableException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

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
    description = "Parallel primitives on the JVM and, through TornadoVM, on GPUs.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DoctorCommand.class,
      DemoCommand.class,
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
      TestCommand.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the work was done and is right",
      "1:the work failed",
      "2:the command line is wrong",
      "3:the engine asked for cannot be had"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  funnel doctor                       what works on this machine",
      "  funnel demo                         reduce and scan a real file, checked and timed",
      "  funnel reduce data.npy --op sum,max",
      "  funnel scan data.npy --out sums.npy",
      "  funnel select data.npy --where '>= 3' --out large.npy",
      "  funnel sort data.npy --descending --out sorted.npy",
      "  funnel histogram book.txt --letters",
      "  funnel heat --steps 5000 --gif heat.gif",
      "  funnel reduce --help                more about one command"
    })
public final class Main implements Runnable {

  /** Property that switches stack traces and the log on, as {@code --verbose} does. */
  public static final String VERBOSE_PROPERTY = "funnel.verbose";

  private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      defaultValue = "${sys:" + VERBOSE_PROPERTY + ":-false}",
      description = "Log what is done, and show stack traces.")
  private boolean verbose;

  private Main() {}

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String... arguments) {
    Charset charset = System.out.charset();
    System.exit(
        run(
            new PrintWriter(System.out, true, charset),
            new PrintWriter(System.err, true, System.err.charset()),
            arguments));
  }

  /**
   * Runs the command.
   *
   * @param out for results
   * @param err for errors
   * @return the exit code
   */
  public static int run(PrintWriter out, PrintWriter err, String... arguments) {
    Main main = new Main();
    CommandLine command =
        new CommandLine(main)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setUsageHelpAutoWidth(true)
            .setOut(out)
            .setErr(err)
            .setExecutionStrategy(main::execute)
            .setParameterExceptionHandler(Main::explainUsage)
            .setExecutionExceptionHandler(main::explainFailure);
    int exitCode = command.execute(arguments);
    if (out.checkError()) {
      err.println("funnel: cannot write to standard output");
      return ExitCode.FAILURE;
    }
    return exitCode;
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
      return new RunLast().execute(parsed);
    } catch (Error e) {
      CommandLine last = parsed.commandSpec().commandLine();
      return explain(e, last);
    }
  }

  private static int explainUsage(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command
        .getErr()
        .println("%s: %s (see %s --help)".formatted(name, oneLine(e.getMessage()), name));
    return ExitCode.USAGE;
  }

  private int explainFailure(Exception e, CommandLine command, @Nullable ParseResult parsed) {
    return explain(e, command);
  }

  private int explain(Throwable e, CommandLine command) {
    PrintWriter err = command.getErr();
    err.println(command.getCommandSpec().qualifiedName() + ": " + sentence(e));
    if (verbose) {
      e.printStackTrace(err);
    }
    err.flush();
    return e instanceof EngineUnavailableException ? ExitCode.UNAVAILABLE : ExitCode.FAILURE;
  }

  private static String sentence(Throwable e) {
    return switch (e) {
      case NoSuchFileException missing when missing.getReason() == null ->
          "no such file: " + oneLine(missing.getMessage());
      case AccessDeniedException denied -> "may not read: " + oneLine(denied.getMessage());
      default -> e.getClass().getSimpleName() + ": " + oneLine(e.getMessage());
    };
  }

  private static String oneLine(@Nullable String message) {
    return message == null ? "no message" : message.strip().replaceAll("\\s*\\R\\s*", "; ");
  }

  /** Funnel's version, from the jar's manifest, and the JVM's. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {
        "funnel " + (version == null ? "(built from source)" : version), "java " + Runtime.version()
      };
    }
  }
}
