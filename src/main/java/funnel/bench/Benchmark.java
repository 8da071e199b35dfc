package funnel.bench;

import funnel.Funnel;
import funnel.engine.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** What all benchmarks have in common: options, the report, and the way it is written. */
@Command(mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true)
abstract class Benchmark implements Callable<Integer> {

  /* Exit codes: 0 all right, 1 a wrong result or a subject of Funnel's own that failed; picocli's 2
   * for wrong usage.
   */

  private static final int WRONG = 1;
  private static final Effort QUICK = new Effort(0.02, 10, 3, 20);
  private static final int FEWEST = 20;
  private static final int MOST = 500;
  private static final int WARM_UPS = 2000;
  private static final int ENGINE_WARM_UPS = 10_000;
  private static final double ENGINE_WARM_UP_SECONDS = 5;
  private static final long LARGE_BYTES = 1L << 26;
  private static final String QUICK_LENGTHS = "1000,2^12";

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--sizes",
      paramLabel = "LENGTHS",
      converter = Lengths.class,
      description =
          "Lengths: 1000,2^20 or a range 2^10..2^28 in steps of 4; unless given, the command's"
              + " own.")
  private @Nullable List<Integer> sizes;

  @Option(
      names = "--types",
      split = ",",
      paramLabel = "TYPE",
      converter = TypeName.class,
      description = "Element types, of int, long, float, double; unless given, the command's own.")
  private @Nullable List<ElementType> types;

  @Option(
      names = "--ops",
      split = ",",
      paramLabel = "OP",
      converter = OperatorName.class,
      description =
          "Operators, of sum, max, and for scans affine (as a user's own, not commutative, over"
              + " long); unless given, the command's own.")
  private @Nullable List<Operator> operators;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      converter = TargetName.class,
      description = "jvm, tornado or emulator; the best there is unless given.")
  private @Nullable Target target;

  @Option(
      names = "--seconds",
      defaultValue = "0.3",
      description = "Time for each measurement, and at most as much for its warm-up.")
  private double seconds;

  @Option(names = "--quick", description = "A trial run: short lengths, few repetitions.")
  private boolean quick;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write JSON lines: the run, then every measurement with every single time.")
  private @Nullable Path json;

  @Option(names = "--png", paramLabel = "FILE", description = "Draw a plot.")
  private @Nullable Path png;

  /** Lengths unless the user names some. */
  abstract String defaultLengths();

  /** Types unless the user names some. */
  abstract List<ElementType> defaultTypes();

  /** Operators unless the user names some. */
  abstract List<Operator> defaultOperators();

  /** Operators that the user may name. */
  Set<Operator> knownOperators() {
    return Set.of(Operator.SUM, Operator.MAX);
  }

  /** Measures everything into the report. */
  abstract void measure(Funnel funnel, Report report, Effort effort) throws IOException;

  abstract void plot(Report report, Path file) throws IOException;

  /** The subject that must not fail. */
  abstract boolean isOwn(Measurement measurement);

  CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("not called through picocli");
    }
    return spec;
  }

  List<Integer> lengths() {
    List<Integer> chosen = sizes;
    return chosen != null
        ? chosen
        : new Lengths().convert(quick ? QUICK_LENGTHS : defaultLengths());
  }

  List<ElementType> types() {
    List<ElementType> chosen = types;
    return chosen != null ? chosen : defaultTypes();
  }

  List<Operator> operators() {
    List<Operator> chosen = operators;
    return chosen != null ? chosen : defaultOperators();
  }

  /** Runs peers.cu and notes why if it cannot be. */
  CudaPeers.Outcome cudaPeers(Work work, @Nullable Path source, Report report) {
    try {
      CudaPeers.Outcome outcome =
          CudaPeers.run(work, source, types(), operators(), lengths(), seconds());
      report.peersDevice(outcome.device());
      outcome.copy().ifPresent(report::add);
      return outcome;
    } catch (CudaPeers.UnavailableException e) {
      report.note("no CUDA peers: " + e.getMessage());
      return CudaPeers.Outcome.NONE;
    }
  }

  boolean isQuick() {
    return quick;
  }

  double seconds() {
    return quick ? QUICK.seconds() : seconds;
  }

  /** How long to run the engine before anything counts. */
  Effort engineWarmUp() {
    return quick ? QUICK : new Effort(ENGINE_WARM_UP_SECONDS, ENGINE_WARM_UPS, FEWEST, FEWEST);
  }

  ParameterException wrongUsage(String message) {
    return new ParameterException(spec().commandLine(), message);
  }

  @Override
  public Integer call() throws IOException {
    if (!(seconds > 0)) {
      throw wrongUsage("--seconds must be positive: " + seconds);
    }
    for (Operator operator : operators()) {
      if (!knownOperators().contains(operator)) {
        throw wrongUsage("--ops: %s is for scans".formatted(operator));
      }
    }
    requireFolder("--json", json);
    requireFolder("--png", png);
    Effort effort = quick ? QUICK : new Effort(seconds, WARM_UPS, FEWEST, MOST);
    try (Funnel funnel = target == null ? Funnel.open() : Funnel.open(target)) {
      Report report = new Report(commandLine(), funnel.description(), funnel.details());
      measure(funnel, report, effort);
      PrintWriter out = spec().commandLine().getOut();
      out.print(report.table());
      if (json != null) {
        report.writeJson(json);
        out.println("written: " + json);
      }
      if (png != null) {
        plot(report, png);
        out.println("written: " + png);
      }
      out.flush();
      boolean complete = report.measurements().stream().allMatch(m -> m.isMeasured() || !isOwn(m));
      return report.isRight() && complete ? 0 : WRONG;
    }
  }

  private void requireFolder(String option, @Nullable Path file) {
    if (file != null) {
      Path folder = file.toAbsolutePath().getParent();
      if (folder == null || !Files.isDirectory(folder)) {
        throw wrongUsage("%s %s: there is no folder %s".formatted(option, file, folder));
      }
    }
  }

  private String commandLine() {
    CommandSpec root = spec().root();
    List<String> words = new ArrayList<>(List.of(root.name()));
    words.addAll(root.commandLine().getParseResult().originalArgs());
    return String.join(" ", words);
  }

  /** Progress on a terminal; elsewhere the bar is not shown. */
  static @Nullable ProgressBar progress(String name, int steps) {
    boolean shown = System.console() != null && System.console().isTerminal();
    return shown
        ? new ProgressBarBuilder()
            .setTaskName(name)
            .setInitialMax(steps)
            .setStyle(ProgressBarStyle.ASCII)
            .build()
        : null;
  }

  static void step(@Nullable ProgressBar bar) {
    if (bar != null) {
      bar.step();
    }
  }

  /** TornadoVM's arrays are freed by the garbage collector only, which does not see their size. */
  static void release(long bytes) {
    if (bytes >= LARGE_BYTES) {
      System.gc();
    }
  }

  /** Names of engines on the command line. */
  static final class TargetName implements ITypeConverter<Target> {
    @Override
    public Target convert(String name) {
      return switch (name) {
        case "jvm" -> Target.JVM;
        case "tornado" -> Target.TORNADO;
        case "emulator" -> Target.EMULATOR;
        default ->
            throw new TypeConversionException(
                "'%s' is none of jvm, tornado, emulator".formatted(name));
      };
    }
  }

  /** Names of types on the command line. */
  static final class TypeName implements ITypeConverter<ElementType> {
    @Override
    public ElementType convert(String name) {
      return switch (name) {
        case "int" -> ElementType.INT;
        case "long" -> ElementType.LONG;
        case "float" -> ElementType.FLOAT;
        case "double" -> ElementType.DOUBLE;
        default ->
            throw new TypeConversionException(
                "'%s' is none of int, long, float, double".formatted(name));
      };
    }
  }

  /** Names of operators on the command line. */
  static final class OperatorName implements ITypeConverter<Operator> {
    @Override
    public Operator convert(String name) {
      return switch (name.toLowerCase(Locale.ROOT)) {
        case "sum" -> Operator.SUM;
        case "max" -> Operator.MAX;
        case "affine" -> AffineMaps.FOLLOWED_BY;
        default ->
            throw new TypeConversionException("'%s' is none of sum, max, affine".formatted(name));
      };
    }
  }
}
