package funnel.bench;

import funnel.Funnel;
import funnel.operator.AffineMaps;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The common part of benchmarks of primitives over arrays. */
abstract class PrimitiveBenchmark extends Benchmark<Workload, Operator, PrimitiveCase> {

  private static final int FEWEST = 20;
  private static final String QUICK_LENGTHS = "1000,2^12";
  private static final Set<Integer> BLOCK_SIZES = new TreeSet<>(List.of(64, 128, 256, 512, 1024));

  @Option(
      names = "--sizes",
      paramLabel = "LENGTHS",
      converter = Lengths.class,
      description =
          "Lengths: 1000,2^20 or a range 2^10..2^28 in steps of 4; default: the command's"
              + " own.")
  private @Nullable List<Integer> sizes;

  @Option(
      names = {"--types", "--type"},
      split = ",",
      paramLabel = "TYPE",
      converter = TypeName.class,
      description = "Element types, of int, long, float, double; default: the command's own.")
  private @Nullable List<ElementType> types;

  @Option(
      names = {"--ops", "--op"},
      split = ",",
      paramLabel = "OP",
      converter = OperatorName.class,
      description =
          "Operators, of sum, max, and for scans affine (user-defined, not commutative, over"
              + " long); default: the command's own.")
  private @Nullable List<Operator> operators;

  @Mixin private EffortOption effort = new EffortOption();

  /** The work of the CUDA peers. */
  abstract Work work();

  /** The default lengths. */
  String defaultLengths() {
    return "2^10..2^28";
  }

  /** The default types. */
  List<ElementType> defaultTypes() {
    return List.of(ElementType.INT, ElementType.LONG, ElementType.FLOAT, ElementType.DOUBLE);
  }

  /** The default operators. */
  List<Operator> defaultOperators() {
    return List.of(Operator.SUM, Operator.MAX);
  }

  private List<Integer> lengths() {
    return sizes != null
        ? sizes
        : new Lengths().convert(isQuick() ? QUICK_LENGTHS : defaultLengths());
  }

  final List<ElementType> types() {
    return types != null ? types : defaultTypes();
  }

  private List<Operator> operators() {
    return operators != null ? operators : defaultOperators();
  }

  private List<Operator> operators(ElementType type) {
    return operators().stream().filter(op -> !op.isUser() || type == ElementType.LONG).toList();
  }

  @Override
  final Effort effort() {
    return effort.effort(isQuick(), FEWEST);
  }

  @Override
  void requireOptions() {
    if (work() != Work.SCAN && operators().contains(AffineMaps.FOLLOWED_BY)) {
      throw wrongUsage("--ops: only scans support %s".formatted(AffineMaps.FOLLOWED_BY));
    }
    if (types().stream().allMatch(type -> operators(type).isEmpty())) {
      throw wrongUsage("--ops affine supports long only, --types is " + types());
    }
  }

  final void requireBlockSizes(Collection<Integer> blockSizes) {
    for (int blockSize : blockSizes) {
      if (!BLOCK_SIZES.contains(blockSize)) {
        throw wrongUsage("--block-sizes: %s is none of %s".formatted(blockSize, BLOCK_SIZES));
      }
    }
  }

  @Override
  final PrimitiveReport report(String command, Funnel funnel) {
    return new PrimitiveReport(command, funnel.description(), funnel.details());
  }

  @Override
  final List<Round<Workload, Operator>> rounds() {
    List<Round<Workload, Operator>> rounds = new ArrayList<>();
    for (ElementType type : types()) {
      for (int length : operators(type).isEmpty() ? List.<Integer>of() : lengths()) {
        rounds.add(new Round<>(() -> Workload.random(type, length), operators(type)));
      }
    }
    return rounds;
  }

  @Override
  final CudaProgram cuda() {
    return new CudaProgram(
        "peers.cu",
        List.of(
            work().label(),
            list(types()),
            list(operators().stream().map(Operator::name).toList()),
            list(lengths()),
            Double.toString(effort().seconds())));
  }

  @Override
  final Map<String, Object> key(Workload workload, Operator operator) {
    return Map.of("op", operator.name(), "type", workload.typeName(), "length", workload.length());
  }

  /** Each result is checked against the workload's. */
  @Override
  final Measurement<PrimitiveCase> measurement(
      Map<String, String> line, Workload workload, Operator operator) {
    String result = line.getOrDefault("result", "");
    return Measurement.ofLine(
        line,
        PrimitiveCase.of(Work.of(line.getOrDefault("work", "reduce")), workload, operator),
        result,
        workload.isRight(operator, workload.parsed(result)));
  }

  /** peers.cu has checked the copy itself. */
  @Override
  final Optional<Measurement<PrimitiveCase>> copy(Map<String, String> line) {
    if (!Measurement.COPY.equals(line.get("op"))) {
      return Optional.empty();
    }
    String result = line.getOrDefault("result", "");
    int length = Integer.parseInt(line.getOrDefault("length", "0"));
    PrimitiveCase what =
        new PrimitiveCase(Work.COPY, 0, ElementType.INT, Measurement.COPY, length, result);
    return Optional.of(Measurement.ofLine(line, what, result, true));
  }

  /** Names of operators on the command line. */
  static final class OperatorName extends Named<Operator> {
    OperatorName() {
      super(List.of(Operator.SUM, Operator.MAX, AffineMaps.FOLLOWED_BY), Operator::name);
    }
  }
}
