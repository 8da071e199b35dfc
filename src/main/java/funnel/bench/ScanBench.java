package funnel.bench;

import funnel.Funnel;
import funnel.engine.Target;
import funnel.io.Progress;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.ScanForm;
import funnel.scan.ScanVariant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel bench scan}. */
@Command(
    name = "scan",
    description = {
      "Inclusive scans of resident data, beside CUB, a device copy, a loop and the JDK.",
      "All results are compared with a plain loop's, outside of the times.",
      "",
      "With --variants it is the ways in which scans are usually taught, beside the same; the plot"
          + " is then of time against length, on linear and on logarithmic axes."
    },
    footer = {
      "",
      "Variants:",
      "  hillis-steele, blelloch, scan-then-propagate; warp-shuffle over int and float,",
      "  chained over int and long.",
      "",
      "Examples:",
      "  funnel bench scan --quick",
      "  funnel bench scan --sizes 2^10..2^28 --json scan.json --png scan.png",
      "  funnel bench scan --types int --ops sum --forms single-pass --peers cuda",
      "  funnel bench scan --types int --ops sum --segments bits,heads,keys,offsets",
      "  funnel bench scan --variants --types int --ops sum --png variants.png"
    })
final class ScanBench extends PrimitiveBenchmark {

  /* The CUDA peers come first, while Funnel has nothing on the device. */

  /** Who else is measured. */
  enum Peer {
    /** CUB and a device copy, by peers.cu. */
    CUDA,
    /** A sequential loop. */
    LOOP,
    /** Arrays.parallelPrefix. */
    JDK
  }

  private static final String CHOICE = "choice";
  private static final List<Integer> BLOCK_SIZES = List.of(64, 128, 256, 512, 1024);

  @Option(
      names = "--forms",
      split = ",",
      paramLabel = "FORM",
      description =
          "Funnel's forms: choice (as without a name), single-pass, reduce-then-scan; all unless"
              + " given, with --variants only choice.")
  private @Nullable List<String> forms;

  @Option(
      names = "--segments",
      split = ",",
      paramLabel = "BY",
      description =
          "Also sums and maxima of integers in segments of 1000 elements, by bits, heads, keys or"
              + " offsets.")
  private @Nullable List<String> segments;

  @Option(names = "--variants", description = "Compare the variants that are usually taught.")
  private boolean variants;

  @Option(
      names = "--block-sizes",
      split = ",",
      paramLabel = "THREADS",
      description =
          "With --variants: threads of a block, of 64, 128, 256, 512, 1024; each variant's own"
              + " unless given.")
  private @Nullable List<Integer> blockSizes;

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "PEER",
      description =
          "cuda (CUB, device copy), loop (sequential), jdk (Arrays.parallelPrefix), or none; all"
              + " that this engine can have unless given.")
  private @Nullable List<String> peers;

  @Option(
      names = "--cuda-source",
      paramLabel = "FILE",
      description = "peers.cu, if it is not in its place.")
  private @Nullable Path cudaSource;

  @Override
  String defaultLengths() {
    return "2^10..2^28";
  }

  @Override
  List<ElementType> defaultTypes() {
    return List.of(ElementType.INT, ElementType.LONG, ElementType.FLOAT, ElementType.DOUBLE);
  }

  @Override
  List<Operator> defaultOperators() {
    return List.of(Operator.SUM, Operator.MAX, AffineMaps.FOLLOWED_BY);
  }

  @Override
  Set<Operator> knownOperators() {
    return Set.of(Operator.SUM, Operator.MAX, AffineMaps.FOLLOWED_BY);
  }

  @Override
  boolean isOwn(Measurement measurement) {
    return measurement.subject().startsWith("funnel")
        || ScanVariant.labels().contains(measurement.subject());
  }

  @Override
  void plot(PrimitiveReport report, Path file) throws IOException {
    if (variants) {
      Plots.writeTimes(report, file);
    } else {
      Plots.writeThroughput(report, file);
    }
  }

  private Set<Peer> peers(Target target) {
    if (peers == null) {
      return target == Target.TORNADO ? EnumSet.allOf(Peer.class) : EnumSet.of(Peer.LOOP, Peer.JDK);
    }
    Set<Peer> chosen = EnumSet.noneOf(Peer.class);
    for (String name : peers) {
      switch (name.toLowerCase(Locale.ROOT)) {
        case "cuda" -> chosen.add(Peer.CUDA);
        case "loop" -> chosen.add(Peer.LOOP);
        case "jdk" -> chosen.add(Peer.JDK);
        case "none" -> {}
        default ->
            throw wrongUsage("--peers: '%s' is none of cuda, loop, jdk, none".formatted(name));
      }
    }
    return chosen;
  }

  /** The forms by name; null is Funnel's choice. */
  private List<@Nullable ScanForm> forms(Target target) {
    List<@Nullable ScanForm> chosen = new ArrayList<>();
    if (forms == null) {
      chosen.add(null);
      if (target != Target.JVM && !variants) {
        chosen.addAll(List.of(ScanForm.values()));
      }
      return chosen;
    }
    for (String name : forms) {
      chosen.add(form(name.toLowerCase(Locale.ROOT)));
    }
    return chosen;
  }

  private @Nullable ScanForm form(String name) {
    if (name.equals(CHOICE)) {
      return null;
    }
    for (ScanForm form : ScanForm.values()) {
      if (form.label().equals(name)) {
        return form;
      }
    }
    throw wrongUsage(
        "--forms: '%s' is none of choice, single-pass, reduce-then-scan".formatted(name));
  }

  private List<SegmentedScanSubject> segmented(Funnel funnel) {
    List<SegmentedScanSubject> subjects = new ArrayList<>();
    for (String name : segments == null ? List.<String>of() : segments) {
      for (ScanForm form : forms(funnel.target())) {
        subjects.add(new SegmentedScanSubject(funnel, by(name.toLowerCase(Locale.ROOT)), form));
      }
    }
    return subjects;
  }

  private SegmentedScanSubject.By by(String name) {
    for (SegmentedScanSubject.By by : SegmentedScanSubject.By.values()) {
      if (by.label().equals(name)) {
        return by;
      }
    }
    throw wrongUsage("--segments: '%s' is none of bits, heads, keys, offsets".formatted(name));
  }

  private List<ScanVariantSubject> variants(Funnel funnel) {
    List<Integer> chosen = blockSizes;
    if (chosen != null && !variants) {
      throw wrongUsage("--block-sizes goes with --variants");
    }
    List<ScanVariantSubject> subjects = new ArrayList<>();
    if (variants) {
      for (ScanVariant variant : ScanVariant.values()) {
        for (int size : chosen == null ? List.of(variant.defaultBlockSize()) : chosen) {
          if (!BLOCK_SIZES.contains(size)) {
            throw wrongUsage("--block-sizes: %d is none of %s".formatted(size, BLOCK_SIZES));
          }
          subjects.add(new ScanVariantSubject(funnel, variant, size));
        }
      }
    }
    return subjects;
  }

  private static boolean isDefined(Operator operator, ElementType type) {
    return !operator.isUser() || type == ElementType.LONG;
  }

  @Override
  void measure(Funnel funnel, PrimitiveReport report, Effort effort) {
    if (types().stream().noneMatch(t -> operators().stream().anyMatch(o -> isDefined(o, t)))) {
      throw wrongUsage("--ops affine is over long, --types are " + types());
    }
    Set<Peer> chosen = peers(funnel.target());
    try (Funnel jvm = Funnel.open(Target.JVM)) {
      List<PlanSubject> own = new ArrayList<>();
      for (ScanForm form : forms(funnel.target())) {
        own.add(new ScanSubject(funnel, jvm, form));
      }
      own.addAll(segmented(funnel));
      own.addAll(variants(funnel));
      CudaPeers.Outcome cuda =
          chosen.contains(Peer.CUDA)
              ? cudaPeers(Work.SCAN, cudaSource, report)
              : CudaPeers.Outcome.NONE;
      if (chosen.contains(Peer.JDK) && types().contains(ElementType.FLOAT)) {
        report.note("the JDK has no parallelPrefix over floats");
      }
      own.getFirst().warmUpEngine(engineWarmUp());
      measure(own, chosen, cuda, report, effort);
    }
  }

  private void measure(
      List<PlanSubject> own,
      Set<Peer> chosen,
      CudaPeers.Outcome cuda,
      PrimitiveReport report,
      Effort effort) {
    int steps = types().size() * lengths().size() * operators().size();
    try (Progress progress = new Progress("scan", steps, true)) {
      for (ElementType type : types()) {
        for (int length : lengths()) {
          Workload workload = Workload.random(type, length);
          for (Operator operator : operators()) {
            if (isDefined(operator, type)) {
              subjects(own, chosen, type, operator)
                  .forEach(subject -> report.add(subject.measure(workload, operator, effort)));
              cuda.of(workload, operator).forEach(report::add);
            }
            progress.step(1);
          }
          release(workload.bytes());
        }
      }
    }
  }

  private static List<Subject> subjects(
      List<PlanSubject> own, Set<Peer> peers, ElementType type, Operator operator) {
    List<Subject> subjects = new ArrayList<>();
    own.stream()
        .filter(subject -> subject.takes(type))
        .filter(subject -> !(operator.isUser() && subject instanceof SegmentedScanSubject))
        .forEach(subjects::add);
    if (peers.contains(Peer.LOOP)) {
      subjects.add(HostScanSubject.loop());
    }
    if (peers.contains(Peer.JDK) && type != ElementType.FLOAT) {
      subjects.add(HostScanSubject.parallelPrefix());
    }
    return subjects;
  }
}
