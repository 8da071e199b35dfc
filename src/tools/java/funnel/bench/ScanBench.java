package funnel.bench;

import funnel.Funnel;
import funnel.lessons.ScanVariant;
import funnel.operation.Target;
import funnel.operator.AffineMaps;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.ScanForm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel bench scan}. */
@Command(
    name = "scan",
    description = {
      "Inclusive scans of resident data, with CUB, a device copy, a loop and the JDK.",
      "All results are compared with a plain loop's, outside the times.",
      "",
      "With --variants, the ways in which scans are usually taught, with the same peers.",
      "",
      "Variants:",
      "  hillis-steele, blelloch, scan-then-propagate; warp-shuffle over int and float,",
      "  chained over int and long.",
      ""
    },
    footer = {
      "  funnel bench scan --quick",
      "  funnel bench scan --sizes 2^10..2^28 --json scan.json --png scan.png",
      "  funnel bench scan --types int --ops sum --forms single-pass --peers cuda",
      "  funnel bench scan --types int --ops sum --segments bits,heads,keys,offsets",
      "  funnel bench scan --types int --ops sum,max --windows 7,100,500,5000",
      "  funnel bench scan --variants --types int --ops sum --png variants.png"
    })
final class ScanBench extends PrimitiveBenchmark {

  /** The empty name is Funnel's choice. */
  private static final Named<Optional<ScanForm>> FORMS =
      new Named<>(
          Stream.concat(
                  Stream.of(Optional.<ScanForm>empty()),
                  Arrays.stream(ScanForm.values()).map(Optional::of))
              .toList(),
          form -> form.map(ScanForm::label).orElse("choice"));

  private static final Named<SegmentedScanSubject.By> SEGMENTS =
      new Named<>(List.of(SegmentedScanSubject.By.values()), Named::of);

  @Option(
      names = "--forms",
      split = ",",
      paramLabel = "FORM",
      description =
          "Funnel's forms: choice (Funnel's own), single-pass, reduce-then-scan; default: all,"
              + " with --variants only choice.")
  private @Nullable List<String> forms;

  @Option(
      names = "--segments",
      split = ",",
      paramLabel = "BY",
      description =
          "Also measure sums and maxima of integers in segments of 1000, by bits, heads, keys or"
              + " offsets.")
  private @Nullable List<String> segments;

  @Option(
      names = "--windows",
      split = ",",
      paramLabel = "ROWS",
      description = "Also measure windows of integers of so many rows.")
  private @Nullable List<Integer> windows;

  @Option(
      names = "--variants",
      description = "Compare the variants of scans that are usually taught.")
  private boolean variants;

  @Option(
      names = "--block-sizes",
      split = ",",
      paramLabel = "THREADS",
      description =
          "With --variants: threads of a block, of 64, 128, 256, 512, 1024; default: each"
              + " variant's own.")
  private @Nullable List<Integer> blockSizes;

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "PEER",
      description =
          "cuda (CUB, device copy), loop (sequential), jdk (Arrays.parallelPrefix), or none;"
              + " default: all that the engine supports.")
  private @Nullable List<String> peers;

  @Override
  Work work() {
    return Work.SCAN;
  }

  @Override
  List<Operator> defaultOperators() {
    return List.of(Operator.SUM, Operator.MAX, AffineMaps.FOLLOWED_BY);
  }

  @Override
  boolean mayFail(Measurement<PrimitiveCase> measurement) {
    return !measurement.subject().startsWith("funnel")
        && !ScanVariant.labels().contains(measurement.subject());
  }

  @Override
  void requireOptions() {
    super.requireOptions();
    if (blockSizes != null) {
      if (!variants) {
        throw wrongUsage("--block-sizes goes with --variants");
      }
      requireBlockSizes(blockSizes);
    }
    if (windows != null && windows.stream().anyMatch(rows -> rows < 1)) {
      throw wrongUsage("--windows are of at least one row");
    }
    var _ = forms(Target.JVM);
    var _ = segments();
  }

  @Override
  Set<Peer> peers(Target engine) {
    return peers(peers, engine, EnumSet.of(Peer.CUDA, Peer.LOOP, Peer.JDK));
  }

  private List<Optional<ScanForm>> forms(Target engine) {
    return forms != null
        ? named("--forms", FORMS, forms)
        : engine == Target.JVM || variants ? List.of(Optional.empty()) : FORMS.all();
  }

  private List<SegmentedScanSubject.By> segments() {
    return named("--segments", SEGMENTS, segments == null ? List.of() : segments);
  }

  @Override
  List<Subject<Workload, Operator, PrimitiveCase>> subjects(
      Funnel funnel, Funnel jvm, Set<Peer> peers, Report<PrimitiveCase> report) {
    List<Subject<Workload, Operator, PrimitiveCase>> subjects = new ArrayList<>();
    List<Optional<ScanForm>> forms = forms(funnel.target());
    forms.forEach(form -> subjects.add(new ScanSubject(funnel, jvm, form.orElse(null))));
    for (SegmentedScanSubject.By by : segments()) {
      forms.forEach(form -> subjects.add(new SegmentedScanSubject(funnel, by, form.orElse(null))));
    }
    for (int rows : windows == null ? List.<Integer>of() : windows) {
      subjects.add(new WindowSubject(funnel, rows));
    }
    for (ScanVariant variant : variants ? ScanVariant.values() : new ScanVariant[0]) {
      for (int size : blockSizes == null ? List.of(variant.defaultBlockSize()) : blockSizes) {
        subjects.add(new ScanSubject(funnel, variant, size));
      }
    }
    if (peers.contains(Peer.LOOP)) {
      subjects.add(new HostScanSubject(true));
    }
    if (peers.contains(Peer.JDK)) {
      subjects.add(new HostScanSubject(false));
      if (types().contains(ElementType.FLOAT)) {
        report.note("the JDK has no parallelPrefix over floats");
      }
    }
    return subjects;
  }
}
