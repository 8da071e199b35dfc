package funnel.bench;

import funnel.Funnel;
import funnel.engine.Target;
import funnel.io.Progress;
import funnel.operator.ElementType;
import funnel.operator.Operator;
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

/** {@code funnel bench reduce}. */
@Command(
    name = "reduce",
    description = "Reductions of resident data, beside CUB, a device copy, TornadoVM and the JDK.",
    footer = {
      "",
      "Examples:",
      "  funnel bench reduce --quick",
      "  funnel bench reduce --sizes 2^10..2^28 --json reduce.json --png reduce.png",
      "  funnel bench reduce --types int --ops sum --peers cuda"
    })
final class ReduceBench extends PrimitiveBenchmark {

  /* Order: the CUDA peers first, while Funnel has nothing on the device; then Funnel and the JDK's
   * streams on each workload; TornadoVM's @Reduce last, so that a fault of its kernels would not
   * take the device away from the others.
   */

  /** Who else is measured. */
  enum Peer {
    /** CUB, a device copy and a plain kernel, by peers.cu. */
    CUDA,
    /** TornadoVM's own reduction. */
    TORNADO,
    /** The JDK's parallel streams. */
    STREAM
  }

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "PEER",
      description =
          "cuda (CUB, device copy, a plain kernel), tornado (@Reduce), stream (JDK), or none; all"
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
    return List.of(Operator.SUM, Operator.MAX);
  }

  @Override
  boolean isOwn(Measurement measurement) {
    return measurement.subject().equals("funnel");
  }

  @Override
  void plot(PrimitiveReport report, Path file) throws IOException {
    Plots.writeThroughput(report, file);
  }

  private Set<Peer> peers(Target target) {
    if (peers == null) {
      return target == Target.TORNADO ? EnumSet.allOf(Peer.class) : EnumSet.of(Peer.STREAM);
    }
    Set<Peer> chosen = EnumSet.noneOf(Peer.class);
    for (String name : peers) {
      switch (name.toLowerCase(Locale.ROOT)) {
        case "cuda" -> chosen.add(Peer.CUDA);
        case "tornado" -> chosen.add(Peer.TORNADO);
        case "stream" -> chosen.add(Peer.STREAM);
        case "none" -> {}
        default ->
            throw wrongUsage(
                "--peers: '%s' is none of cuda, tornado, stream, none".formatted(name));
      }
    }
    if (chosen.contains(Peer.TORNADO) && target != Target.TORNADO) {
      throw wrongUsage("--peers tornado needs the engine tornado, this is " + target);
    }
    return chosen;
  }

  @Override
  void measure(Funnel funnel, PrimitiveReport report, Effort effort) {
    Set<Peer> chosen = peers(funnel.target());
    CudaPeers.Outcome cuda =
        chosen.contains(Peer.CUDA)
            ? cudaPeers(Work.REDUCE, cudaSource, report)
            : CudaPeers.Outcome.NONE;
    try (Funnel jvm = Funnel.open(Target.JVM)) {
      FunnelSubject own = new FunnelSubject(funnel, jvm);
      own.warmUpEngine(engineWarmUp());
      List<Subject> first = new ArrayList<>(List.of(own));
      if (chosen.contains(Peer.STREAM)) {
        first.add(new StreamSubject());
      }
      List<Subject> last =
          chosen.contains(Peer.TORNADO) ? List.of(new TornadoReduceSubject()) : List.of();
      pass(first, cuda, report, effort);
      pass(last, CudaPeers.Outcome.NONE, report, effort);
    }
  }

  private void pass(
      List<Subject> subjects, CudaPeers.Outcome cuda, PrimitiveReport report, Effort effort) {
    if (subjects.isEmpty()) {
      return;
    }
    int steps = types().size() * lengths().size() * operators().size() * subjects.size();
    try (Progress progress = new Progress(subjects.getFirst().name(), steps, true)) {
      for (ElementType type : types()) {
        for (int length : lengths()) {
          Workload workload = Workload.random(type, length);
          for (Operator operator : operators()) {
            for (Subject subject : subjects) {
              report.add(subject.measure(workload, operator, effort));
              progress.step(1);
            }
            cuda.of(workload, operator).forEach(report::add);
          }
          release(workload.bytes());
        }
      }
    }
  }
}
