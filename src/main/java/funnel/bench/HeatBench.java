package funnel.bench;

import funnel.Funnel;
import funnel.engine.Target;
import funnel.heat.HeatMethod;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code funnel bench heat}. */
@Command(
    name = "heat",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    showDefaultValues = true,
    description = {
      "The methods of the heat equation side by side, beside naive CUDA C of the first one, a"
          + " device copy, and a lecture's figures.",
      "The fields of all are compared, bit for bit, and two windows of each with a plain loop,"
          + " outside of the times."
    },
    footer = {
      "",
      "Methods:",
      "  1 global, 2 halo-threads, 3 tile, 4 strip, 5 register-march, 6 register-stream",
      "",
      "Examples:",
      "  funnel bench heat --quick",
      "  funnel bench heat --json heat.json --png heat.png",
      "  funnel bench heat --sizes 1024x1024,4096x4096 --methods 1,6 --types float,double"
    })
final class HeatBench implements Callable<Integer> {

  /* The CUDA peer comes first, while Funnel has nothing on the device. Exit codes as those of the
   * other benchmarks: 0 all right, 1 a wrong result or a method of ours that failed, 2 wrong usage.
   */

  private static final int WRONG = 1;
  private static final List<Integer> BATCHES = List.of(1, 2, 4, 8, 16);
  private static final String SIZES = "14400x14400,1024x1024";
  private static final String QUICK_SIZES = "200x100";
  private static final int QUICK_STEPS = 19;
  private static final int QUICK_RUNS = 2;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--sizes",
      paramLabel = "NXxNY",
      description = "Grids, separated by commas; " + SIZES + " unless given.")
  private @Nullable String sizes;

  @Option(
      names = "--types",
      split = ",",
      paramLabel = "TYPE",
      converter = Benchmark.TypeName.class,
      defaultValue = "float",
      description = "float, double.")
  private List<ElementType> types = List.of();

  @Option(
      names = "--methods",
      split = ",",
      paramLabel = "METHOD",
      converter = MethodName.class,
      description = "By name or number; all unless given. The JVM has one for all.")
  private @Nullable List<HeatMethod> methods;

  @Option(names = "--steps", paramLabel = "STEPS", description = "Of a run; 100 unless given.")
  private @Nullable Integer steps;

  @Option(names = "--runs", paramLabel = "RUNS", description = "That are timed; 5 unless given.")
  private @Nullable Integer runs;

  @Option(
      names = "--batch",
      paramLabel = "STEPS",
      defaultValue = "16",
      description =
          "Steps at most that go to the device at once: 1, 2, 4, 8, 16. With 1 the host waits for"
              + " each, and the field is copied.")
  private int batch;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      converter = Benchmark.TargetName.class,
      description = "jvm, tornado or emulator; the best there is unless given.")
  private @Nullable Target target;

  @Option(
      names = "--peers",
      paramLabel = "PEER",
      description = "cuda or none; cuda on a device unless given.")
  private @Nullable String peers;

  @Option(
      names = "--cuda-source",
      paramLabel = "FILE",
      description = "heat.cu, if it is not in its place.")
  private @Nullable Path cudaSource;

  @Option(names = "--quick", description = "A trial run: a small grid, few steps.")
  private boolean quick;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write JSON lines: the run, then every measurement with every single time.")
  private @Nullable Path json;

  @Option(names = "--png", paramLabel = "FILE", description = "Draw a plot.")
  private @Nullable Path png;

  private CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("not called through picocli");
    }
    return spec;
  }

  private ParameterException wrongUsage(String message) {
    return new ParameterException(spec().commandLine(), message);
  }

  private int steps() {
    return steps != null ? steps : quick ? QUICK_STEPS : 100;
  }

  private int runs() {
    return runs != null ? runs : quick ? QUICK_RUNS : 5;
  }

  private List<GridSize> grids() {
    try {
      return GridSize.list(sizes != null ? sizes : quick ? QUICK_SIZES : SIZES);
    } catch (TypeConversionException e) {
      throw wrongUsage("--sizes: " + e.getMessage());
    }
  }

  @Override
  public Integer call() throws IOException {
    List<GridSize> grids = grids();
    if (steps() < 1 || runs() < 1) {
      throw wrongUsage(
          "--steps and --runs must be positive: steps=%d, runs=%d".formatted(steps(), runs()));
    }
    if (!BATCHES.contains(batch)) {
      throw wrongUsage("--batch: %d is none of %s".formatted(batch, BATCHES));
    }
    for (ElementType type : types) {
      if (!type.isFloating()) {
        throw wrongUsage("--types: %s is none of float, double".formatted(type));
      }
    }
    requireFolder("--json", json);
    requireFolder("--png", png);
    try (Funnel funnel = target == null ? Funnel.open() : Funnel.open(target)) {
      boolean cuda = withCuda(funnel.target());
      HeatReport report = new HeatReport(commandLine(), funnel.description(), funnel.details());
      List<HeatMeasurement> foreign = cuda ? cudaPeer(report, grids) : List.of();
      measure(funnel, report, grids, foreign);
      PrintWriter out = spec().commandLine().getOut();
      out.print(report.table());
      if (json != null) {
        report.writeJson(json);
        out.println("written: " + json);
      }
      if (png != null) {
        Plots.writeHeat(report, png);
        out.println("written: " + png);
      }
      out.flush();
      boolean complete =
          report.measurements().stream()
              .allMatch(m -> m.isMeasured() || m.note().equals(HeatSubject.REFUSED));
      return report.isRight() && complete ? 0 : WRONG;
    }
  }

  private boolean withCuda(Target engine) {
    String chosen = peers == null ? "" : peers.toLowerCase(Locale.ROOT);
    return switch (chosen) {
      case "" -> engine == Target.TORNADO;
      case "cuda" -> true;
      case "none" -> false;
      default -> throw wrongUsage("--peers: '%s' is none of cuda, none".formatted(peers));
    };
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

  private void measure(
      Funnel funnel, HeatReport report, List<GridSize> grids, List<HeatMeasurement> foreign) {
    List<Optional<HeatMethod>> chosen = chosen(funnel.target());
    try (ProgressBar bar =
        Benchmark.progress("heat", types.size() * grids.size() * chosen.size())) {
      for (ElementType type : types) {
        for (GridSize size : grids) {
          HeatField field = new HeatField(type, size);
          for (Optional<HeatMethod> method : chosen) {
            report.add(HeatSubject.measure(funnel, method, field, steps(), runs(), batch));
            Benchmark.release((long) size.nodes() * type.bytes());
            Benchmark.step(bar);
          }
          foreign.stream()
              .filter(m -> m.type() == type && m.size().equals(size))
              .forEach(report::add);
        }
      }
    }
  }

  /** The JVM has one form for all methods. */
  private List<Optional<HeatMethod>> chosen(Target engine) {
    List<HeatMethod> named = methods;
    if (engine == Target.JVM && named == null) {
      return List.of(Optional.empty());
    }
    return (named == null ? List.of(HeatMethod.values()) : named)
        .stream().map(Optional::of).toList();
  }

  private List<HeatMeasurement> cudaPeer(HeatReport report, List<GridSize> grids) {
    try {
      CudaPeers.Outcome outcome =
          CudaPeers.run(
              "heat.cu",
              cudaSource,
              List.of(
                  types.stream()
                      .map(type -> type.name().toLowerCase(Locale.ROOT))
                      .collect(Collectors.joining(",")),
                  grids.stream().map(GridSize::toString).collect(Collectors.joining(",")),
                  Integer.toString(steps()),
                  Integer.toString(runs())));
      report.peersDevice(outcome.device());
      return outcome.lines().stream().map(HeatBench::measurement).toList();
    } catch (CudaPeers.UnavailableException e) {
      report.note("no CUDA peer: " + e.getMessage());
      return List.of();
    }
  }

  /** A line of heat.cu, which has checked its windows itself. */
  static HeatMeasurement measurement(Map<String, String> line) {
    return new HeatMeasurement(
        line.getOrDefault("subject", "?"),
        0,
        new Benchmark.TypeName().convert(line.getOrDefault("type", "?")),
        new GridSize(
            Integer.parseInt(line.getOrDefault("nx", "0")),
            Integer.parseInt(line.getOrDefault("ny", "0"))),
        Integer.parseInt(line.getOrDefault("steps", "0")),
        CudaPeers.timing(line.get("kernel_ns")),
        CudaPeers.timing(line.get("wall_ns")),
        line.getOrDefault("hash", ""),
        line.getOrDefault("result", "?"),
        "");
  }

  /** Names of methods on the command line. */
  static final class MethodName implements ITypeConverter<HeatMethod> {
    @Override
    public HeatMethod convert(String name) {
      try {
        return HeatMethod.of(name);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
