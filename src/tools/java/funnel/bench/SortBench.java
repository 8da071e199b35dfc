package funnel.bench;

import funnel.Funnel;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code funnel bench sort}. */
@Command(
    name = "sort",
    description = {
      "Sorts and merges of resident keys, and the positions in their order, with CUB and the"
          + " JDK: uniform keys, keys of which 10 bits vary, constant and sorted ones.",
      "All results are compared with the JDK's sort, outside the times."
    },
    footer = {
      "  funnel bench sort --quick",
      "  funnel bench sort --types int,long --json sort.json --png sort.png",
      "  funnel bench sort --ops merge-sort,merge,segments-16 --sizes 2^24",
      "  funnel bench sort --ops order --data uniform --sizes 2^20..2^28 --peers cuda"
    })
final class SortBench extends Benchmark<Sortable, SortTask, SortCase> {

  private static final int FEWEST = 10;
  private static final String QUICK_LENGTHS = "1000,2^12";
  private static final String LENGTHS = "2^20,2^24,2^28";

  @Option(
      names = "--sizes",
      paramLabel = "LENGTHS",
      converter = Lengths.class,
      description = "Lengths: 1000,2^20 or a range in steps of 4; default: " + LENGTHS + ".")
  private @Nullable List<Integer> sizes;

  @Option(
      names = {"--types", "--type"},
      split = ",",
      paramLabel = "TYPE",
      converter = SelectBench.AnyType.class,
      defaultValue = "int,long,float",
      description = "Types of keys: int, long, float, double, byte.")
  private List<ElementType> types = List.of();

  @Option(
      names = "--data",
      split = ",",
      paramLabel = "DATA",
      converter = DataName.class,
      defaultValue = "uniform,ten-bits,constant,sorted",
      description = "Distributions of keys.")
  private List<Sortable.Data> data = List.of();

  @Option(
      names = {"--ops", "--op"},
      split = ",",
      paramLabel = "OP",
      converter = TaskName.class,
      defaultValue = "sort,order",
      description = {
        "sort (keys alone), order (positions in the order of keys; CUB: pairs), merge-sort (by a"
            + " comparator), merge (of two sorted halves), segments-16, segments-1000,"
            + " segments-1000000 (segments of that length), segments-short (of 1 to 16),"
            + " segments-uneven (half of the keys in segments of ten, the others in one); default:"
            + " sort,order."
      })
  private List<SortTask> tasks = List.of();

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "PEER",
      description =
          "cuda (CUB), jdk (Arrays.parallelSort), or none; default: all that the engine"
              + " supports.")
  private @Nullable List<String> peers;

  @Mixin private EffortOption effort = new EffortOption();

  private List<Integer> lengths() {
    return sizes != null ? sizes : new Lengths().convert(isQuick() ? QUICK_LENGTHS : LENGTHS);
  }

  @Override
  void requireOptions() {}

  @Override
  SortReport report(String command, Funnel funnel) {
    return new SortReport(command, funnel.description(), funnel.details());
  }

  @Override
  Effort effort() {
    return effort.effort(isQuick(), FEWEST);
  }

  @Override
  Set<Peer> peers(Target engine) {
    return peers(peers, engine, EnumSet.of(Peer.CUDA, Peer.JDK));
  }

  @Override
  List<Subject<Sortable, SortTask, SortCase>> subjects(
      Funnel funnel, Funnel jvm, Set<Peer> peers, Report<SortCase> report) {
    List<Subject<Sortable, SortTask, SortCase>> subjects = new ArrayList<>();
    subjects.add(new SortSubject(funnel));
    if (peers.contains(Peer.JDK)) {
      subjects.add(new JdkSortSubject());
    }
    return subjects;
  }

  @Override
  List<Round<Sortable, SortTask>> rounds() {
    List<Round<Sortable, SortTask>> rounds = new ArrayList<>();
    for (ElementType type : types) {
      for (int length : lengths()) {
        for (Sortable.Data distribution : data) {
          rounds.add(new Round<>(() -> new Sortable(type, length, distribution), tasks));
        }
      }
    }
    return rounds;
  }

  @Override
  CudaProgram cuda() {
    return new CudaProgram(
        "sort.cu",
        List.of(
            list(types),
            list(tasks),
            list(data),
            list(lengths()),
            Double.toString(effort().seconds())));
  }

  @Override
  Map<String, Object> key(Sortable keys, SortTask task) {
    return Map.of(
        "op", task, "type", Named.of(keys.type()), "data", keys.data(), "length", keys.length());
  }

  @Override
  Measurement<SortCase> measurement(Map<String, String> line, Sortable keys, SortTask task) {
    String hash = line.getOrDefault("hash", "?");
    return Measurement.ofLine(
        line, SortCase.of(keys, task), hash, hash.equals(keys.expected(task)));
  }

  /** Names of distributions on the command line. */
  static final class DataName extends Named<Sortable.Data> {
    DataName() {
      super(List.of(Sortable.Data.values()), Sortable.Data::toString);
    }
  }

  /** Names of operations on the command line. */
  static final class TaskName extends Named<SortTask> {
    TaskName() {
      super(List.of(SortTask.values()), SortTask::toString);
    }
  }
}
