package funnel.bench;

import funnel.Funnel;
import funnel.heat.HeatStepper;
import funnel.lessons.HeatVariant;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code funnel bench heat}. */
@Command(
    name = "heat",
    description = {
      "The methods of the heat equation, with naive CUDA C of the first one, a"
          + " device copy, and a lecture's figures.",
      "All fields are compared bit for bit, and two windows of each with a plain loop,"
          + " outside the times.",
      "",
      "Methods:",
      "  1 global, 2 halo-threads, 3 tile, 4 strip, 5 register-march, 6 register-stream",
      ""
    },
    footer = {
      "  funnel bench heat --quick",
      "  funnel bench heat --json heat.json --png heat.png",
      "  funnel bench heat --sizes 1024x1024,4096x4096 --methods 1,6"
    })
final class HeatBench extends Benchmark<HeatField, Integer, HeatCase> {

  private static final List<Integer> BATCHES = List.of(1, 2, 4, 8, 16, 20, 64, 512);
  private static final String SIZES = "14400x14400,1024x1024";
  private static final String QUICK_SIZES = "200x100";
  private static final int QUICK_STEPS = 19;
  private static final int QUICK_RUNS = 2;

  @Option(
      names = "--sizes",
      paramLabel = "NXxNY",
      description = "Grids, separated by commas; default: " + SIZES + ".")
  private @Nullable String sizes;

  @Option(
      names = {"--types", "--type"},
      split = ",",
      paramLabel = "TYPE",
      converter = TypeName.class,
      defaultValue = "float",
      description = "float, double.")
  private List<ElementType> types = List.of();

  @Option(
      names = "--methods",
      split = ",",
      paramLabel = "METHOD",
      converter = MethodName.class,
      description = "By name or number; default: all. The JVM has one method.")
  private @Nullable List<HeatStepper> methods;

  @Option(names = "--steps", paramLabel = "STEPS", description = "Steps of a run; default: 100.")
  private @Nullable Integer steps;

  @Option(names = "--runs", paramLabel = "RUNS", description = "Timed runs; default: 5.")
  private @Nullable Integer runs;

  @Option(
      names = "--batch",
      paramLabel = "STEPS",
      defaultValue = "512",
      description =
          "The most steps in one submission to the device: 1, 2, 4, 8, 16, 20, 64, 512. With 1"
              + " the host waits for each step, and the field is copied.")
  private int batch;

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "PEER",
      description = "cuda or none; default: cuda on a device.")
  private @Nullable List<String> peers;

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
          "--steps and --runs must be positive: steps=%s, runs=%s".formatted(steps(), runs()));
    }
    if (!BATCHES.contains(batch)) {
      throw wrongUsage("--batch: %s is none of %s".formatted(batch, BATCHES));
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
  boolean mayFail(Measurement<HeatCase> measurement) {
    return measurement.note().equals(HeatSubject.REFUSED);
  }

  @Override
  Effort effort() {
    return new Effort(0, 0, runs(), runs());
  }

  @Override
  Set<Peer> peers(Target engine) {
    return peers(peers, engine, EnumSet.of(Peer.CUDA));
  }

  /** On the JVM all methods are the same loop. */
  @Override
  List<HeatSubject> subjects(Funnel funnel, Funnel jvm, Set<Peer> peers, Report<HeatCase> report) {
    if (funnel.target() == Target.JVM) {
      return List.of(new HeatSubject(funnel, null, batch));
    }
    return (methods == null ? HeatVariant.ALL : methods)
        .stream().map(method -> new HeatSubject(funnel, method, batch)).toList();
  }

  @Override
  List<Round<HeatField, Integer>> rounds() {
    List<Round<HeatField, Integer>> rounds = new ArrayList<>();
    for (ElementType type : types) {
      for (GridSize size : grids()) {
        rounds.add(new Round<>(() -> new HeatField(type, size), List.of(steps())));
      }
    }
    return rounds;
  }

  @Override
  CudaProgram cuda() {
    return new CudaProgram(
        "heat.cu",
        List.of(list(types), list(grids()), Integer.toString(steps()), Integer.toString(runs())));
  }

  @Override
  Map<String, Object> key(HeatField field, Integer steps) {
    return Map.of("type", Named.of(field.type()), "nx", field.size().nx(), "ny", field.size().ny());
  }

  @Override
  Measurement<HeatCase> measurement(Map<String, String> line, HeatField field, Integer steps) {
    return measurement(line);
  }

  /** A line of heat.cu, which has checked its windows itself. */
  static Measurement<HeatCase> measurement(Map<String, String> line) {
    String result = line.getOrDefault("result", "?");
    HeatCase what =
        new HeatCase(
            0,
            new TypeName().convert(line.getOrDefault("type", "?")),
            new GridSize(
                Integer.parseInt(line.getOrDefault("nx", "0")),
                Integer.parseInt(line.getOrDefault("ny", "0"))),
            Integer.parseInt(line.getOrDefault("steps", "0")),
            line.getOrDefault("hash", ""));
    return Measurement.ofLine(line, what, result, result.equals(Measurement.RIGHT));
  }

  /** Names of methods on the command line. */
  static final class MethodName implements ITypeConverter<HeatStepper> {
    @Override
    public HeatStepper convert(String name) {
      try {
        return HeatVariant.of(name);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
