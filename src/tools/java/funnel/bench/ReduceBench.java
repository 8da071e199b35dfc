package funnel.bench;

import funnel.Funnel;
import funnel.operation.Target;
import funnel.operator.Operator;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel bench reduce}. */
@Command(
    name = "reduce",
    description = "Reductions of resident data, with CUB, a device copy, TornadoVM and the JDK.",
    footer = {
      "  funnel bench reduce --quick",
      "  funnel bench reduce --sizes 2^10..2^28 --json reduce.json --png reduce.png",
      "  funnel bench reduce --types int --ops sum --peers cuda"
    })
final class ReduceBench extends PrimitiveBenchmark {

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "PEER",
      description =
          "cuda (CUB, device copy, a plain kernel), tornado (@Reduce), stream (JDK), or none;"
              + " default: all that the engine supports.")
  private @Nullable List<String> peers;

  @Override
  Work work() {
    return Work.REDUCE;
  }

  @Override
  boolean mayFail(Measurement<PrimitiveCase> measurement) {
    return !measurement.subject().equals("funnel");
  }

  @Override
  Set<Peer> peers(Target engine) {
    return peers(peers, engine, EnumSet.of(Peer.CUDA, Peer.TORNADO, Peer.STREAM));
  }

  @Override
  List<Subject<Workload, Operator, PrimitiveCase>> subjects(
      Funnel funnel, Funnel jvm, Set<Peer> peers, Report<PrimitiveCase> report) {
    List<Subject<Workload, Operator, PrimitiveCase>> subjects = new ArrayList<>();
    subjects.add(new ReduceSubject(funnel, jvm));
    if (peers.contains(Peer.STREAM)) {
      subjects.add(new StreamSubject());
    }
    if (peers.contains(Peer.TORNADO)) {
      subjects.add(new TornadoReduceSubject());
    }
    return subjects;
  }
}
