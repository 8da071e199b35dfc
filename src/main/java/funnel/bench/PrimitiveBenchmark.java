package funnel.bench;

import funnel.Funnel;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What benchmarks of primitives over arrays have in common. */
abstract class PrimitiveBenchmark extends Benchmark<PrimitiveReport> {

  private static final Effort QUICK = new Effort(0.02, 10, 3, 20);
  private static final int FEWEST = 20;
  private static final int MOST = 500;
  private static final int WARM_UPS = 2000;
  private static final int ENGINE_WARM_UPS = 10_000;
  private static final double ENGINE_WARM_UP_SECONDS = 5;
  private static final String QUICK_LENGTHS = "1000,2^12";

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
      names = "--seconds",
      defaultValue = "0.3",
      description = "Time for each measurement, and at most as much for its warm-up.")
  private double seconds;

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
  abstract void measure(Funnel funnel, PrimitiveReport report, Effort effort);

  /** The subject that must not fail. */
  abstract boolean isOwn(Measurement measurement);

  List<Integer> lengths() {
    List<Integer> chosen = sizes;
    return chosen != null
        ? chosen
        : new Lengths().convert(isQuick() ? QUICK_LENGTHS : defaultLengths());
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
  CudaPeers.Outcome cudaPeers(Work work, @Nullable Path source, PrimitiveReport report) {
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

  double seconds() {
    return isQuick() ? QUICK.seconds() : seconds;
  }

  /** How long to run the engine before anything counts. */
  Effort engineWarmUp() {
    return isQuick() ? QUICK : new Effort(ENGINE_WARM_UP_SECONDS, ENGINE_WARM_UPS, FEWEST, FEWEST);
  }

  @Override
  void requireOptions() {
    if (!(seconds > 0)) {
      throw wrongUsage("--seconds must be positive: " + seconds);
    }
    for (Operator operator : operators()) {
      if (!knownOperators().contains(operator)) {
        throw wrongUsage("--ops: %s is for scans".formatted(operator));
      }
    }
  }

  @Override
  PrimitiveReport report(String command, Funnel funnel) {
    return new PrimitiveReport(command, funnel.description(), funnel.details());
  }

  @Override
  void measure(Funnel funnel, PrimitiveReport report) {
    Effort effort = isQuick() ? QUICK : new Effort(seconds, WARM_UPS, FEWEST, MOST);
    measure(funnel, report, effort);
  }

  @Override
  boolean isComplete(PrimitiveReport report) {
    return report.measurements().stream().allMatch(m -> m.isMeasured() || !isOwn(m));
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
