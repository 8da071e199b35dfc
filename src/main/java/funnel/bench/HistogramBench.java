package funnel.bench;

import funnel.Funnel;
import funnel.engine.Target;
import funnel.histogram.Histogram;
import funnel.histogram.HistogramMethod;
import funnel.io.Progress;
import funnel.operator.ElementType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code funnel bench histogram}. */
@Command(
    name = "histogram",
    description = {
      "Histograms of resident data, beside CUB, one atomic addition a sample, a device copy and a"
          + " loop: of bytes with 256 bins, and of ints with any number of bins of the same width.",
      "All counts are compared with a plain loop's, outside of the times."
    },
    footer = {
      "",
      "Methods:",
      "  auto (as without a name), sectioned, strided, privatised, thread-counters, passes,",
      "  sorted; all for all of them. What is not for so many bins, or not for the device, is left",
      "  out with a note.",
      "",
      "Data:",
      "  uniform, constant, hot (nine in ten the same), sorted, alternating (two by turns).",
      "",
      "Examples:",
      "  funnel bench histogram --quick",
      "  funnel bench histogram --types byte --json bytes.json --png bytes.png",
      "  funnel bench histogram --types int --methods all --data uniform,constant --png bins.png"
    })
final class HistogramBench extends Benchmark<HistogramReport> {

  /* The CUDA peers come first, while Funnel has nothing on the device. Additions that queue up at
   * one address take a hundred times as long as others, so there are few runs at least.
   */

  /** Who else is measured. */
  enum Peer {
    /** CUB, plain atomic additions and a device copy, by histogram.cu. */
    CUDA,
    /** A sequential loop. */
    LOOP
  }

  private static final Effort QUICK = new Effort(0.02, 10, 3, 20);
  private static final int FEWEST = 3;
  private static final int MOST = 500;
  private static final int WARM_UPS = 2000;
  private static final int ENGINE_WARM_UPS = 10_000;
  private static final double ENGINE_WARM_UP_SECONDS = 5;
  private static final String SIZES = "2^20..2^30";
  private static final String INT_SIZES = "2^28";
  private static final String BINS = "16,256,2048,2^16,2^21";
  private static final String AUTO = "auto";
  private static final String ALL = "all";
  private static final String NONE = "-";

  @Option(
      names = "--types",
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
      description =
          "Lengths of bytes: 1000,2^20 or a range in steps of 4; " + SIZES + " unless given.")
  private @Nullable List<Integer> sizes;

  @Option(
      names = "--int-sizes",
      paramLabel = "LENGTHS",
      converter = Lengths.class,
      description = "Lengths of ints; " + INT_SIZES + " unless given.")
  private @Nullable List<Integer> intSizes;

  @Option(
      names = "--bins",
      paramLabel = "BINS",
      converter = Lengths.class,
      description = "Bins of ints, up to 2^24; " + BINS + " unless given.")
  private @Nullable List<Integer> bins;

  @Option(
      names = "--data",
      split = ",",
      paramLabel = "DATA",
      converter = DataName.class,
      defaultValue = "uniform,constant,hot,sorted",
      description = "How samples are distributed.")
  private List<SampleData> data = List.of();

  @Option(
      names = "--methods",
      split = ",",
      paramLabel = "METHOD",
      defaultValue = AUTO,
      description = "Funnel's methods by name; the JVM has one for all.")
  private List<String> methods = List.of();

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "PEER",
      description =
          "cuda (CUB, atomic additions, device copy), loop (sequential), or none; all that this"
              + " engine can have unless given.")
  private @Nullable List<String> peers;

  @Option(
      names = "--cuda-source",
      paramLabel = "FILE",
      description = "histogram.cu, if it is not in its place.")
  private @Nullable Path cudaSource;

  @Option(
      names = "--seconds",
      defaultValue = "0.3",
      description = "Time for each measurement, and at most as much for its warm-up.")
  private double seconds;

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

  /** Funnel's choice is null. */
  private List<@Nullable HistogramMethod> methods() {
    List<@Nullable HistogramMethod> chosen = new ArrayList<>();
    for (String name : methods) {
      String label = name.strip().toLowerCase(Locale.ROOT);
      if (label.equals(AUTO) || label.equals(ALL)) {
        chosen.add(null);
      }
      if (label.equals(ALL)) {
        chosen.addAll(List.of(HistogramMethod.values()));
      } else if (!label.equals(AUTO)) {
        chosen.add(method(label));
      }
    }
    return chosen;
  }

  private HistogramMethod method(String label) {
    return Arrays.stream(HistogramMethod.values())
        .filter(method -> method.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                wrongUsage(
                    "--methods: '%s' is none of auto, all, %s"
                        .formatted(
                            label,
                            Arrays.stream(HistogramMethod.values())
                                .map(HistogramMethod::label)
                                .collect(Collectors.joining(", ")))));
  }

  private Set<Peer> peers(Target target) {
    if (peers == null) {
      return target == Target.TORNADO ? EnumSet.allOf(Peer.class) : EnumSet.of(Peer.LOOP);
    }
    Set<Peer> chosen = EnumSet.noneOf(Peer.class);
    for (String name : peers) {
      switch (name.toLowerCase(Locale.ROOT)) {
        case "cuda" -> chosen.add(Peer.CUDA);
        case "loop" -> chosen.add(Peer.LOOP);
        case "none" -> {}
        default -> throw wrongUsage("--peers: '%s' is none of cuda, loop, none".formatted(name));
      }
    }
    return chosen;
  }

  @Override
  void requireOptions() {
    if (!(seconds > 0)) {
      throw wrongUsage("--seconds must be positive: " + seconds);
    }
    for (int count : bins(ElementType.INT)) {
      if (count > Histogram.MOST_BINS) {
        throw wrongUsage(
            "--bins: %d is out of range: 1 to %d".formatted(count, Histogram.MOST_BINS));
      }
    }
    var _ = methods();
    var _ = peers(Target.JVM);
  }

  @Override
  HistogramReport report(String command, Funnel funnel) {
    return new HistogramReport(command, funnel.description(), funnel.details());
  }

  @Override
  boolean isComplete(HistogramReport report) {
    return report.measurements().stream().allMatch(HistogramSubject::isAllowed);
  }

  @Override
  void plot(HistogramReport report, Path file) throws IOException {
    Plots.writeHistograms(report, file);
  }

  private Effort effort() {
    return isQuick() ? QUICK : new Effort(seconds, WARM_UPS, FEWEST, MOST);
  }

  private Effort engineWarmUp() {
    return isQuick() ? QUICK : new Effort(ENGINE_WARM_UP_SECONDS, ENGINE_WARM_UPS, FEWEST, FEWEST);
  }

  @Override
  void measure(Funnel funnel, HistogramReport report) {
    Set<Peer> chosen = peers(funnel.target());
    List<Map<String, String>> foreign = chosen.contains(Peer.CUDA) ? cudaPeers(report) : List.of();
    new HistogramSubject(funnel, null).warmUpEngine(engineWarmUp());
    List<HistogramSubject> own =
        methods().stream().map(method -> new HistogramSubject(funnel, method)).toList();
    int steps = 0;
    for (ElementType type : types) {
      steps += sizes(type).size() * data.size() * bins(type).size();
    }
    try (Progress progress = new Progress("histogram", steps, true)) {
      for (ElementType type : types) {
        for (int length : sizes(type)) {
          for (SampleData distribution : data) {
            Samples samples = new Samples(type, distribution, length);
            for (int count : bins(type)) {
              measure(samples, count, own, chosen, foreign, report);
              progress.step(1);
            }
            release(samples.bytes());
          }
        }
      }
    }
  }

  private void measure(
      Samples samples,
      int count,
      List<HistogramSubject> own,
      Set<Peer> chosen,
      List<Map<String, String>> foreign,
      HistogramReport report) {
    int[] expected = samples.counts(count);
    own.forEach(subject -> report.add(subject.measure(samples, count, expected, effort())));
    if (chosen.contains(Peer.LOOP)) {
      report.add(LoopHistogramSubject.measure(samples, count, expected, effort()));
    }
    foreign.stream()
        .filter(line -> isAbout(line, samples, count))
        .map(line -> measurement(line, samples, count, expected))
        .forEach(report::add);
  }

  private static String list(List<?> parts) {
    return parts.isEmpty()
        ? NONE
        : parts.stream().map(Object::toString).collect(Collectors.joining(","));
  }

  private List<Map<String, String>> cudaPeers(HistogramReport report) {
    try {
      CudaPeers.Outcome outcome =
          CudaPeers.run(
              "histogram.cu",
              cudaSource,
              List.of(
                  list(data.stream().map(SampleData::label).toList()),
                  list(sizes(ElementType.BYTE)),
                  list(sizes(ElementType.INT)),
                  list(bins(ElementType.INT)),
                  Double.toString(effort().seconds())));
      report.peersDevice(outcome.device());
      outcome.lines().stream()
          .filter(line -> HistogramMeasurement.COPY.equals(line.get("subject")))
          .map(HistogramBench::copy)
          .forEach(report::add);
      return outcome.lines();
    } catch (CudaPeers.UnavailableException e) {
      report.note("no CUDA peers: " + e.getMessage());
      return List.of();
    }
  }

  /** Whether a line of histogram.cu is about these samples and so many bins. */
  static boolean isAbout(Map<String, String> line, Samples samples, int bins) {
    return samples.typeName().equals(line.get("type"))
        && samples.data().label().equals(line.get("data"))
        && Integer.toString(samples.length()).equals(line.get("length"))
        && Integer.toString(bins).equals(line.get("bins"));
  }

  /** A line of histogram.cu, whose counts are compared by their hash. */
  static HistogramMeasurement measurement(
      Map<String, String> line, Samples samples, int bins, int[] expected) {
    String subject = line.getOrDefault("subject", "?");
    if (line.containsKey("note")) {
      return HistogramMeasurement.failed(subject, samples, bins, line.getOrDefault("note", ""));
    }
    String hash = line.getOrDefault("hash", "");
    String wanted = Samples.hash(expected);
    return new HistogramMeasurement(
        subject,
        samples.type(),
        samples.data().label(),
        samples.length(),
        bins,
        line.getOrDefault("cache", ""),
        CudaPeers.timing(line.get("kernel_ns")),
        CudaPeers.timing(line.get("wall_ns")),
        hash.equals(wanted)
            ? HistogramMeasurement.RIGHT
            : "hash %s, expected %s; sum of counts %s"
                .formatted(hash, wanted, line.getOrDefault("total", "?")),
        "");
  }

  /** histogram.cu has checked the copy itself. */
  private static HistogramMeasurement copy(Map<String, String> line) {
    return new HistogramMeasurement(
        HistogramMeasurement.COPY,
        ElementType.INT,
        SampleData.UNIFORM.label(),
        Integer.parseInt(line.getOrDefault("length", "0")),
        0,
        HistogramMeasurement.COLD,
        CudaPeers.timing(line.get("kernel_ns")),
        null,
        HistogramMeasurement.RIGHT,
        "");
  }

  /** Names of types on the command line. */
  static final class SampleType implements ITypeConverter<ElementType> {
    @Override
    public ElementType convert(String name) {
      return switch (name.toLowerCase(Locale.ROOT)) {
        case "byte" -> ElementType.BYTE;
        case "int" -> ElementType.INT;
        default -> throw new TypeConversionException("'%s' is none of byte, int".formatted(name));
      };
    }
  }

  /** Names of distributions on the command line. */
  static final class DataName implements ITypeConverter<SampleData> {
    @Override
    public SampleData convert(String name) {
      return Arrays.stream(SampleData.values())
          .filter(data -> data.label().equals(name.toLowerCase(Locale.ROOT)))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'%s' is none of uniform, constant, hot, sorted, alternating"
                          .formatted(name)));
    }
  }
}
