package funnel.bench;

import funnel.Funnel;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel bench calls}. */
@Command(
    name = "calls",
    description = {
      "One-shot calls on elements on the host: in Java arrays, segments and TornadoVM arrays.",
      "Reductions and inclusive scans, on each engine and on the one that Funnel chooses.",
      "Without --engine or --devices, on all available engines."
    },
    footer = {
      "  funnel bench calls --quick",
      "  funnel bench calls --sizes 2^0..2^28 --json calls.json --png calls.png",
      "  funnel bench calls --engine jvm --memory array"
    })
final class CallsBench extends PrimitiveBenchmark {

  private static final Named<CallSubject.Memory> MEMORY =
      new Named<>(List.of(CallSubject.Memory.values()), Named::of);
  private static final String LINK = "link";
  private static final String CHOSEN = "one-shot calls";
  private static final int LENGTH_TO_MEASURE = 1 << 20;
  private static final int CALLS_TO_MEASURE = 200;
  private static final int MILLIS_BETWEEN = 10;
  private static final int CALLS_PER_THREAD = 16;

  @Option(
      names = "--memory",
      split = ",",
      paramLabel = "WHERE",
      description = "Memory of elements and results: array, segment, tornado; default: all.")
  private @Nullable List<String> memory;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description = {
        "Also measure reductions of Java arrays by N threads at once, 16 each, and as many by one",
        "thread."
      })
  private int threads;

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "PEER",
      description =
          "stream and jdk (Arrays.parallelPrefix), the JDK's own, or none; default: both.")
  private @Nullable List<String> peers;

  private @Nullable Funnel device;

  @Override
  Work work() {
    return Work.REDUCE;
  }

  @Override
  String defaultLengths() {
    return "2^0..2^28";
  }

  @Override
  List<ElementType> defaultTypes() {
    return List.of(ElementType.INT);
  }

  @Override
  List<Operator> defaultOperators() {
    return List.of(Operator.SUM);
  }

  @Override
  void requireOptions() {
    super.requireOptions();
    var _ = memory();
    if (threads < 1) {
      throw wrongUsage("--threads: %s is less than 1".formatted(threads));
    }
  }

  @Override
  Set<Peer> peers(Target engine) {
    return peers(peers, engine, EnumSet.of(Peer.STREAM, Peer.JDK));
  }

  private List<CallSubject.Memory> memory() {
    return memory == null ? MEMORY.all() : named("--memory", MEMORY, memory);
  }

  @Override
  public Integer call() throws IOException {
    try {
      return super.call();
    } finally {
      if (device != null) {
        device.close();
      }
    }
  }

  @Override
  List<Subject<Workload, Operator, PrimitiveCase>> subjects(
      Funnel funnel, Funnel jvm, Set<Peer> peers, Report<PrimitiveCase> report) {
    List<Subject<Workload, Operator, PrimitiveCase>> subjects = new ArrayList<>();
    boolean isPlaced = funnel.details().containsKey(CHOSEN);
    if (isPlaced) {
      Funnel forced = Funnel.open(funnel.target());
      device = forced;
      add(subjects, "device", forced);
      add(subjects, "jvm", jvm);
      report.note("link: " + link(funnel));
    }
    add(subjects, isPlaced ? "choice" : Named.of(funnel.target()), funnel);
    if (peers.contains(Peer.STREAM)) {
      subjects.add(new StreamSubject());
    }
    if (peers.contains(Peer.JDK)) {
      subjects.add(new HostScanSubject(false));
    }
    return subjects;
  }

  private void add(
      List<Subject<Workload, Operator, PrimitiveCase>> subjects, String engine, Funnel funnel) {
    for (Work work : List.of(Work.REDUCE, Work.SCAN)) {
      memory().forEach(where -> subjects.add(new CallSubject(engine, funnel, work, where)));
    }
    if (threads > 1) {
      for (int by : new int[] {1, threads}) {
        int calls = CALLS_PER_THREAD * threads;
        subjects.add(new ConcurrentCallsSubject(engine, funnel, calls, by));
      }
    }
  }

  /** The copy that calls are compared with, measured in the same run. */
  private static String link(Funnel funnel) {
    int[] values = new int[LENGTH_TO_MEASURE];
    for (int i = 0; i < CALLS_TO_MEASURE && link(funnel.details().get(LINK)).isEmpty(); i++) {
      var _ = funnel.sum(values);
      try {
        Thread.sleep(MILLIS_BETWEEN);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return String.valueOf(funnel.details().get(LINK));
  }

  private static String link(@Nullable String text) {
    return text == null || text.contains("not measured") ? "" : text;
  }
}
