package funnel.bench;

import funnel.Funnel;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.scan.ScanForm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code funnel bench select}. */
@Command(
    name = "select",
    description = {
      "Selections from resident data, with CUB, a device copy and a loop: by a predicate that keeps"
          + " nothing, half and all of random elements, by flags, partitions, unique elements and"
          + " runs of 2 and of 128; and a chain that leaves lengths on the device: half is kept,"
          + " scanned, and the largest sum found.",
      "All kept elements are compared with a plain loop's, outside the times.",
      "",
      "Operations:",
      "  select-0, select-50, select-100, flagged-50, partition-50 (percent kept),",
      "  unique-2, unique-128, runs-2, runs-128 (lengths of runs),",
      "  chain-50 (not of floats; with CUB the host reads the length; compare wall times).",
      ""
    },
    footer = {
      "  funnel bench select --quick",
      "  funnel bench select --types int,long --json select.json --png select.png",
      "  funnel bench select --ops select-50 --sizes 2^20..2^28 --peers cuda"
    })
final class SelectBench extends Benchmark<Selectable, SelectTask, SelectCase> {

  private static final int FEWEST = 20;
  private static final String QUICK_LENGTHS = "1000,2^12";
  private static final String LENGTHS = "2^20,2^24,2^28";

  /** The empty name is Funnel's choice. */
  private static final Named<Optional<ScanForm>> FORMS =
      new Named<>(
          Stream.concat(
                  Stream.of(Optional.<ScanForm>empty()),
                  Arrays.stream(ScanForm.values()).map(Optional::of))
              .toList(),
          form -> form.map(ScanForm::label).orElse("choice"));

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
      converter = AnyType.class,
      defaultValue = "int,long,float,double,byte",
      description = "Element types.")
  private List<ElementType> types = List.of();

  @Option(
      names = {"--ops", "--op"},
      split = ",",
      paramLabel = "OP",
      converter = TaskName.class,
      description = "Operations; default: all.")
  private @Nullable List<SelectTask> tasks;

  @Option(
      names = "--forms",
      split = ",",
      paramLabel = "FORM",
      description =
          "Funnel's forms: choice (Funnel's own), single-pass, reduce-then-scan; default: the last"
              + " two, on the JVM only choice.")
  private @Nullable List<String> forms;

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "PEER",
      description =
          "cuda (CUB, device copy), loop (sequential), or none; default: all that the engine"
              + " supports.")
  private @Nullable List<String> peers;

  @Mixin private EffortOption effort = new EffortOption();

  private List<Integer> lengths() {
    return sizes != null ? sizes : new Lengths().convert(isQuick() ? QUICK_LENGTHS : LENGTHS);
  }

  private List<SelectTask> tasks() {
    return tasks != null ? tasks : List.of(SelectTask.values());
  }

  private List<Optional<ScanForm>> forms(Target engine) {
    return forms != null
        ? named("--forms", FORMS, forms)
        : engine == Target.JVM
            ? List.of(Optional.empty())
            : Arrays.stream(ScanForm.values()).map(Optional::of).toList();
  }

  @Override
  void requireOptions() {
    var _ = forms(Target.JVM);
  }

  @Override
  SelectReport report(String command, Funnel funnel) {
    return new SelectReport(command, funnel.description(), funnel.details());
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
  List<Subject<Selectable, SelectTask, SelectCase>> subjects(
      Funnel funnel, Funnel jvm, Set<Peer> peers, Report<SelectCase> report) {
    List<Subject<Selectable, SelectTask, SelectCase>> subjects = new ArrayList<>();
    forms(funnel.target())
        .forEach(form -> subjects.add(new SelectSubject(funnel, form.orElse(null))));
    if (peers.contains(Peer.LOOP)) {
      subjects.add(new LoopSelectSubject());
    }
    return subjects;
  }

  /** Random elements for some tasks, runs for others. */
  @Override
  List<Round<Selectable, SelectTask>> rounds() {
    List<Round<Selectable, SelectTask>> rounds = new ArrayList<>();
    Set<Integer> runs = new TreeSet<>(tasks().stream().map(SelectTask::run).toList());
    for (ElementType type : types) {
      for (int length : lengths()) {
        for (int run : runs) {
          rounds.add(
              new Round<>(
                  () -> new Selectable(type, length, run),
                  tasks().stream()
                      .filter(task -> task.run() == run && task.isOver(type))
                      .toList()));
        }
      }
    }
    return rounds;
  }

  @Override
  CudaProgram cuda() {
    return new CudaProgram(
        "select.cu",
        List.of(list(types), list(tasks()), list(lengths()), Double.toString(effort().seconds())));
  }

  @Override
  Map<String, Object> key(Selectable elements, SelectTask task) {
    return Map.of("op", task, "type", Named.of(elements.type()), "length", elements.length());
  }

  /** Compares the number and the hash of kept elements. */
  @Override
  Measurement<SelectCase> measurement(
      Map<String, String> line, Selectable elements, SelectTask task) {
    String result =
        "%s %s".formatted(line.getOrDefault("result", "?"), line.getOrDefault("hash", "?"));
    return Measurement.ofLine(
        line,
        SelectCase.of(elements, task, 1, 0),
        result,
        result.equals(elements.kept(task).toString()));
  }

  /** select.cu has checked the copy itself. */
  @Override
  Optional<Measurement<SelectCase>> copy(Map<String, String> line) {
    if (!Measurement.COPY.equals(line.get("subject"))) {
      return Optional.empty();
    }
    int length = Integer.parseInt(line.getOrDefault("length", "0"));
    double bytes = 2.0 * length * ElementType.INT.bytes();
    SelectCase what =
        new SelectCase(ElementType.INT, Measurement.COPY, length, bytes, bytes, Measurement.RIGHT);
    return Optional.of(Measurement.ofLine(line, what, Measurement.RIGHT, true));
  }

  /** Names of types on the command line. */
  static final class AnyType extends TypeName {
    AnyType() {
      super(ElementType.values());
    }
  }

  /** Names of operations on the command line. */
  static final class TaskName extends Named<SelectTask> {
    TaskName() {
      super(List.of(SelectTask.values()), SelectTask::toString);
    }
  }
}
