package funnel.bench;

import funnel.Funnel;
import funnel.engine.Target;
import funnel.heat.HeatMethod;
import funnel.io.Progress;
import funnel.operator.ElementType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code funnel bench heat}. */
@Command(
    name = "heat",
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
final class HeatBench extends Benchmark<HeatReport> {

  /* The CUDA peer comes first, while Funnel has nothing on the device. */

  private static final List<Integer> BATCHES = List.of(1, 2, 4, 8, 16, 20, 64, 512);
  private static final String SIZES = "14400x14400,1024x1024";
  private static final String QUICK_SIZES = "200x100";
  private static final int QUICK_STEPS = 19;
  private static final int QUICK_RUNS = 2;

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
      defaultValue = "512",
      description =
          "Steps at most that go to the device at once: 1, 2, 4, 8, 16, 20, 64, 512. With 1 the"
              + " host waits for each, and the field is copied.")
  private int batch;

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

  private int steps() {
    return steps != null ? steps : isQuick() ? QUICK_STEPS : 100;
  }

  private int runs() {
    return runs != null ? runs : isQuick() ? QUICK_RUNS : 5;
  }

  private List<GridSize> grids() {
    try {
      return GridSize.list(sizes != null ? sizes : isQuick() ? QUICK_SIZES : SIZES);
    } catch (TypeConversionException e) {
      throw wrongUsage("--sizes: " + e.getMessage());
    }
  }

  @Override
  void requireOptions() {
    var _ = grids();
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
  }

  @Override
  HeatReport report(String command, Funnel funnel) {
    return new HeatReport(command, funnel.description(), funnel.details());
  }

  @Override
  boolean isComplete(HeatReport report) {
    return report.measurements().stream()
        .allMatch(m -> m.isMeasured() || m.note().equals(HeatSubject.REFUSED));
  }

  @Override
  void plot(HeatReport report, Path file) throws IOException {
    Plots.writeHeat(report, file);
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

  @Override
  void measure(Funnel funnel, HeatReport report) {
    List<HeatMeasurement> foreign =
        withCuda(funnel.target()) ? cudaPeer(report, grids()) : List.of();
    List<Optional<HeatMethod>> chosen = chosen(funnel.target());
    int solvers = types.size() * grids().size() * chosen.size();
    try (Progress progress = new Progress("heat", solvers, true)) {
      for (ElementType type : types) {
        for (GridSize size : grids()) {
          HeatField field = new HeatField(type, size);
          for (Optional<HeatMethod> method : chosen) {
            report.add(HeatSubject.measure(funnel, method, field, steps(), runs(), batch));
            release((long) size.nodes() * type.bytes());
            progress.step(1);
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
