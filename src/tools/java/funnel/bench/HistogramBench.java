package funnel.bench;

import funnel.Funnel;
import funnel.histogram.Histogram;
import funnel.histogram.HistogramMethod;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code funnel bench histogram}. */
@Command(
    name = "histogram",
    description = {
      "Histograms of resident data, with CUB, one atomic addition per sample, a device copy and a"
          + " loop: of bytes with 256 bins, and of ints with any number of bins of the same width.",
      "All counts are compared with a plain loop's, outside the times.",
      "",
      "Methods:",
      "  auto (as without a name), sectioned, strided, privatised, thread-counters, passes,",
      "  sorted; or all. A method that does not support the number of bins or the device is left",
      "  out with a note.",
      "",
      "Data:",
      "  uniform, constant, hot (nine in ten equal), sorted, alternating (two values in turn).",
      ""
    },
    footer = {
      "  funnel bench histogram --quick",
      "  funnel bench histogram --types byte --json bytes.json --png bytes.png",
      "  funnel bench histogram --types int --data uniform,constant --png bins.png"
    })
final class HistogramBench extends Benchmark<Samples, Integer, HistogramCase> {

  /* Additions that queue at one address take a hundred times as long as others, so the least number
   * of runs is small.
   */

  private static final int FEWEST = 3;
  private static final String SIZES = "2^20..2^30";
  private static final String INT_SIZES = "2^28";
  private static final String BINS = "16,256,2048,2^16,2^21";
  private static final String AUTO = "auto";
  private static final String NO_LENGTH = "-";

  /** The empty name is Funnel's choice. */
  private static final Named<List<Optional<HistogramMethod>>> METHODS = new Named<>(methodNames());

  @Option(
      names = {"--types", "--type"},
      split = ",",
      paramLabel = "TYPE",
      converter = SampleType.class,
      defaultValue = "byte,int",
      description = "byte, int.")
  private List<ElementType> types = List.of();

  @Option(
      names = "--sizes",
      paramLabel = "LENGTHS",
      converter = Lengths.class,
      description = "Lengths of bytes: 1000,2^20 or a range in steps of 4; default: " + SIZES + ".")
  private @Nullable List<Integer> sizes;

  @Option(
      names = "--int-sizes",
      paramLabel = "LENGTHS",
      converter = Lengths.class,
      description = "Lengths of ints; default: " + INT_SIZES + ".")
  private @Nullable List<Integer> intSizes;

  @Option(
      names = "--bins",
      paramLabel = "BINS",
      converter = Lengths.class,
      description = "Bins of ints, up to 2^24; default: " + BINS + ".")
  private @Nullable List<Integer> bins;

  @Option(
      names = "--data",
      split = ",",
      paramLabel = "DATA",
      converter = DataName.class,
      defaultValue = "uniform,constant,hot,sorted",
      description = "Distributions of samples.")
  private List<SampleData> data = List.of();

  @Option(
      names = "--methods",
      split = ",",
      paramLabel = "METHOD",
      defaultValue = AUTO,
      description = "Funnel's methods by name; the JVM has one method.")
  private List<String> methods = List.of();

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "PEER",
      description =
          "cuda (CUB, atomic additions, device copy), loop (sequential), or none; default: all that"
              + " the engine supports.")
  private @Nullable List<String> peers;

  @Mixin private EffortOption effort = new EffortOption();

  private static Map<String, List<Optional<HistogramMethod>>> methodNames() {
    Map<String, List<Optional<HistogramMethod>>> names = new LinkedHashMap<>();
    List<Optional<HistogramMethod>> all = new ArrayList<>(List.of(Optional.empty()));
    names.put(AUTO, List.of(Optional.empty()));
    names.put("all", all);
    for (HistogramMethod method : HistogramMethod.values()) {
      all.add(Optional.of(method));
      names.put(method.label(), List.of(Optional.of(method)));
    }
    return names;
  }

  private List<Integer> chosen(@Nullable List<Integer> given, String quick, String usual) {
    return given != null ? given : new Lengths().convert(isQuick() ? quick : usual);
  }

  private List<Integer> sizes(ElementType type) {
    if (!types.contains(type)) {
      return List.of();
    }
    return type == ElementType.BYTE
        ? chosen(sizes, "1000,2^12", SIZES)
        : chosen(intSizes, "2^12", INT_SIZES);
  }

  private List<Integer> bins(ElementType type) {
    return type == ElementType.BYTE ? List.of(Samples.BYTE_BINS) : chosen(bins, "16,2048", BINS);
  }

  @Override
  void requireOptions() {
    for (int count : bins(ElementType.INT)) {
      if (count > Histogram.MOST_BINS) {
        throw wrongUsage(
            "--bins: %s is out of range: 1 to %s".formatted(count, Histogram.MOST_BINS));
      }
    }
    var _ = named("--methods", METHODS, methods);
  }

  @Override
  HistogramReport report(String command, Funnel funnel) {
    return new HistogramReport(command, funnel.description(), funnel.details());
  }

  @Override
  boolean mayFail(Measurement<HistogramCase> measurement) {
    return HistogramSubject.isAllowed(measurement);
  }

  @Override
  Effort effort() {
    return effort.effort(isQuick(), FEWEST);
  }

  @Override
  Set<Peer> peers(Target engine) {
    return peers(peers, engine, EnumSet.of(Peer.CUDA, Peer.LOOP));
  }

  @Override
  List<Subject<Samples, Integer, HistogramCase>> subjects(
      Funnel funnel, Funnel jvm, Set<Peer> peers, Report<HistogramCase> report) {
    List<Subject<Samples, Integer, HistogramCase>> subjects = new ArrayList<>();
    named("--methods", METHODS, methods).stream()
        .flatMap(List::stream)
        .forEach(method -> subjects.add(new HistogramSubject(funnel, method.orElse(null))));
    if (peers.contains(Peer.LOOP)) {
      subjects.add(new LoopHistogramSubject());
    }
    return subjects;
  }

  @Override
  List<Round<Samples, Integer>> rounds() {
    List<Round<Samples, Integer>> rounds = new ArrayList<>();
    for (ElementType type : types) {
      for (int length : sizes(type)) {
        for (SampleData distribution : data) {
          rounds.add(new Round<>(() -> new Samples(type, distribution, length), bins(type)));
        }
      }
    }
    return rounds;
  }

  @Override
  CudaProgram cuda() {
    return new CudaProgram(
        "histogram.cu",
        List.of(
            list(data),
            lengths(ElementType.BYTE),
            lengths(ElementType.INT),
            list(bins(ElementType.INT)),
            Double.toString(effort().seconds())));
  }

  private String lengths(ElementType type) {
    return sizes(type).isEmpty() ? NO_LENGTH : list(sizes(type));
  }

  @Override
  Map<String, Object> key(Samples samples, Integer bins) {
    return Map.of(
        "type", samples.typeName(),
        "data", Named.of(samples.data()),
        "length", samples.length(),
        "bins", bins);
  }

  /** Compares the counts by their hash. */
  @Override
  Measurement<HistogramCase> measurement(Map<String, String> line, Samples samples, Integer bins) {
    String hash = line.getOrDefault("hash", "");
    String wanted = Samples.hash(samples.counts(bins));
    boolean right = hash.equals(wanted) && !line.containsKey("note");
    String wrong = "hash %s, expected %s; sum of counts %s";
    return Measurement.ofLine(
        line,
        new HistogramCase(samples, bins),
        right ? Measurement.RIGHT : wrong.formatted(hash, wanted, line.getOrDefault("total", "?")),
        right);
  }

  /** histogram.cu has checked the copy itself. */
  @Override
  Optional<Measurement<HistogramCase>> copy(Map<String, String> line) {
    int length = Integer.parseInt(line.getOrDefault("length", "0"));
    HistogramCase what = new HistogramCase(ElementType.INT, SampleData.UNIFORM, length, 0);
    return Measurement.COPY.equals(line.get("subject"))
        ? Optional.of(Measurement.ofLine(line, what, Measurement.RIGHT, true))
        : Optional.empty();
  }

  /** Names of types on the command line. */
  static final class SampleType extends TypeName {
    SampleType() {
      super(ElementType.BYTE, ElementType.INT);
    }
  }

  /** Names of distributions on the command line. */
  static final class DataName extends Named<SampleData> {
    DataName() {
      super(List.of(SampleData.values()), Named::of);
    }
  }
}
