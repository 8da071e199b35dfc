package funnel.bench;

import funnel.Funnel;
import funnel.file.Progress;
import funnel.file.WholeFile;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * The common part of all benchmarks: options, the order of the work, and the report.
 *
 * @param <I> the inputs
 * @param <T> the tasks on each input
 * @param <C> the cases that measurements describe
 */
@Command(mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true)
abstract class Benchmark<I extends Input, T, C extends Case> implements Callable<Integer> {

  /* Exit codes: 0 success; 1 a wrong result, or a subject of Funnel that failed; picocli's 2 wrong
   * usage.
   *
   * The CUDA peers come first, while Funnel has nothing on the device. Then each input is made, all
   * subjects work on it, and it is released. Subjects that could make the device unusable for
   * others run in a separate pass.
   */

  private static final int WRONG = 1;
  private static final long LARGE_BYTES = 1L << 26;
  private static final String NO_PEER = "none";
  private static final String AUTO = "auto";
  private static final String STANDARD = "-";

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      description = "auto, jvm, tornado or emulator; auto chooses the best available.")
  private String engine = AUTO;

  @Mixin private DevicesOption devices = new DevicesOption();

  @Option(names = "--quick", description = "A trial run: short lengths, few repetitions.")
  private boolean quick;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      arity = "0..1",
      fallbackValue = STANDARD,
      description =
          "Write JSON lines: the run, then each measurement with all its times. Without a"
              + " file, or with -, print them instead of the table.")
  private @Nullable Path json;

  @Option(names = "--png", paramLabel = "FILE.png", description = "Draw a plot.")
  private @Nullable Path png;

  @Option(names = "--force", description = "Replace existing files.")
  private boolean force;

  @Option(
      names = "--cuda-source",
      paramLabel = "FILE",
      description = "The peers' source in CUDA C++, if it is not in its usual place.")
  private @Nullable Path cudaSource;

  /**
   * A program of peers.
   *
   * @param source the name of its file
   * @param arguments what it measures
   */
  record CudaProgram(String source, List<String> arguments) {}

  /**
   * An input and its tasks.
   *
   * @param input makes the input when its turn comes
   */
  record Round<I, T>(Supplier<I> input, List<T> tasks) {}

  /** Refuses senseless options before anything is opened. */
  abstract void requireOptions();

  /** An empty report. */
  abstract Report<C> report(String command, Funnel funnel);

  /** The selected peers. */
  abstract Set<Peer> peers(Target engine);

  /** The peers' program for all rounds. */
  abstract CudaProgram cuda();

  /** The fields that identify the program's lines about a task. */
  abstract Map<String, Object> key(I input, T task);

  /** The measurement in such a line. */
  abstract Measurement<C> measurement(Map<String, String> line, I input, T task);

  /** The measurement in a line about a device copy alone. */
  Optional<Measurement<C>> copy(Map<String, String> line) {
    return Optional.empty();
  }

  /**
   * The subjects, in the order of the report's lines.
   *
   * @param jvm a Funnel on the JVM, to compare bits with
   */
  abstract List<? extends Subject<I, T, C>> subjects(
      Funnel funnel, Funnel jvm, Set<Peer> peers, Report<C> report);

  abstract List<Round<I, T>> rounds();

  abstract Effort effort();

  /** Whether a subject may lack a measurement: any but Funnel's. */
  boolean mayFail(Measurement<C> measurement) {
    return !measurement.subject().startsWith("funnel");
  }

  CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("not called through picocli");
    }
    return spec;
  }

  boolean isQuick() {
    return quick;
  }

  ParameterException wrongUsage(String message) {
    return new ParameterException(spec().commandLine(), message);
  }

  /** The values that an option's words name. */
  final <V> List<V> named(String option, Named<V> names, Collection<String> words) {
    try {
      return words.stream().map(names::convert).toList();
    } catch (TypeConversionException e) {
      throw wrongUsage("%s: %s".formatted(option, e.getMessage()));
    }
  }

  /** The named peers; without names, all of {@code known} that the engine supports. */
  final Set<Peer> peers(@Nullable List<String> words, Target engine, Set<Peer> known) {
    Set<Peer> chosen = EnumSet.copyOf(known);
    if (words != null) {
      List<String> wanted = words.stream().filter(word -> !word.equalsIgnoreCase(NO_PEER)).toList();
      chosen.retainAll(named("--peers", new PeerName(known), wanted));
      if (chosen.contains(Peer.TORNADO) && engine != Target.TORNADO) {
        throw wrongUsage("--peers tornado needs the engine tornado, this is " + engine);
      }
    } else if (engine != Target.TORNADO) {
      chosen.removeAll(Set.of(Peer.CUDA, Peer.TORNADO));
    }
    return chosen;
  }

  /** A list as an argument of a CUDA program. */
  static String list(Collection<?> parts) {
    return parts.stream()
        .map(part -> part instanceof Enum<?> constant ? Named.of(constant) : part.toString())
        .collect(Collectors.joining(","));
  }

  @Override
  public Integer call() throws IOException {
    requireOptions();
    var _ = peers(Target.TORNADO); // throws if a name is unknown
    boolean isPrinted = json != null && json.toString().equals(STANDARD);
    requireWritable("--json", isPrinted ? null : json);
    requireWritable("--png", png);
    String picture = String.valueOf(png);
    if (picture.matches(".*\\.\\w+") && !picture.matches("(?i).*\\.png")) {
      throw wrongUsage("--png %s: the name must end in .png".formatted(picture));
    }
    try (Funnel funnel = open()) {
      Report<C> report = report(commandLine(), funnel);
      measure(funnel, report);
      PrintWriter out = spec().commandLine().getOut();
      out.print(isPrinted ? report.json() : report.table());
      if (json != null && !isPrinted) {
        report.writeJson(json);
        out.println("written: " + json);
      }
      if (png != null) {
        Plots.write(report.table(), png);
        if (!isPrinted) {
          out.println("written: " + png);
        }
      }
      out.flush();
      boolean isComplete =
          report.measurements().stream().allMatch(m -> m.isMeasured() || mayFail(m));
      return report.isRight() && isComplete ? 0 : WRONG;
    }
  }

  private Funnel open() {
    Target target =
        engine.equalsIgnoreCase(AUTO)
            ? null
            : named("--engine", new TargetName(), List.of(engine)).getFirst();
    return devices.open(target, Funnel::open, this::wrongUsage);
  }

  private void measure(Funnel funnel, Report<C> report) {
    Set<Peer> peers = peers(funnel.target());
    try (Funnel jvm = Funnel.open(Target.JVM)) {
      List<? extends Subject<I, T, C>> subjects = subjects(funnel, jvm, peers, report);
      List<Map<String, String>> lines = peers.contains(Peer.CUDA) ? cudaPeers(report) : List.of();
      subjects.stream()
          .filter(subject -> subject.name().startsWith("funnel"))
          .findFirst()
          .ifPresent(own -> own.warmUpEngine(EffortOption.engineWarmUp(quick)));
      pass(subjects.stream().filter(subject -> !subject.isLast()).toList(), lines, report);
      pass(subjects.stream().filter(Subject::isLast).toList(), List.of(), report);
    }
  }

  private List<Map<String, String>> cudaPeers(Report<C> report) {
    try {
      CudaProgram program = cuda();
      CudaPeers.Printed printed = CudaPeers.run(program.source(), cudaSource, program.arguments());
      report.peersDevice(printed.device());
      printed.lines().forEach(line -> copy(line).ifPresent(report::add));
      return printed.lines();
    } catch (CudaPeers.UnavailableException e) {
      report.note("no CUDA peers: " + e.getMessage());
      return List.of();
    }
  }

  private void pass(
      List<? extends Subject<I, T, C>> subjects,
      List<Map<String, String>> lines,
      Report<C> report) {
    if (subjects.isEmpty()) {
      return;
    }
    int tasks = rounds().stream().mapToInt(round -> round.tasks().size()).sum();
    try (Progress progress = new Progress(spec().name(), tasks * subjects.size(), true)) {
      for (Round<I, T> round : rounds()) {
        I input = round.input().get();
        for (T task : round.tasks()) {
          for (Subject<I, T, C> subject : subjects) {
            if (subject.takes(input, task)) {
              report.add(subject.measure(input, task, effort()));
            }
            progress.step(1);
          }
          lines.stream()
              .filter(line -> isAbout(line, input, task))
              .forEach(line -> report.add(measurement(line, input, task)));
        }
        release(input.bytes());
      }
    }
  }

  /** Whether a line of a CUDA program is about a task. */
  final boolean isAbout(Map<String, String> line, I input, T task) {
    return key(input, task).entrySet().stream()
        .allMatch(field -> field.getValue().toString().equals(line.get(field.getKey())));
  }

  private void requireWritable(String option, @Nullable Path file) throws IOException {
    if (file != null) {
      Path folder = file.toAbsolutePath().getParent();
      if (folder == null || !Files.isDirectory(folder)) {
        throw wrongUsage("%s %s: there is no folder %s".formatted(option, file, folder));
      }
      WholeFile.create(file).close();
      if (!force && Files.exists(file)) {
        throw wrongUsage("%s %s exists: --force replaces it".formatted(option, file));
      }
    }
  }

  private String commandLine() {
    CommandSpec root = spec().root();
    List<String> words = new ArrayList<>(List.of(root.name()));
    words.addAll(root.commandLine().getParseResult().originalArgs());
    return String.join(" ", words);
  }

  /** Only the garbage collector frees TornadoVM's arrays, and it does not see their size. */
  static void release(long bytes) {
    if (bytes >= LARGE_BYTES) {
      System.gc();
    }
  }

  /** Names of engines on the command line. */
  static final class TargetName extends Named<Target> {
    TargetName() {
      super(List.of(Target.JVM, Target.TORNADO, Target.EMULATOR), Named::of);
    }
  }

  /** Names of types on the command line: Java's, or those that the other commands print. */
  static class TypeName extends Named<ElementType> {
    private static final Map<String, String> SYNONYMS =
        Map.of(
            "uint8", "byte", "int32", "int", "int64", "long", "float32", "float", "float64",
            "double");

    TypeName() {
      this(ElementType.INT, ElementType.LONG, ElementType.FLOAT, ElementType.DOUBLE);
    }

    TypeName(ElementType... types) {
      super(List.of(types), Named::of);
    }

    @Override
    public ElementType convert(String name) {
      String lower = name.strip().toLowerCase(Locale.ROOT);
      return super.convert(SYNONYMS.getOrDefault(lower, name));
    }
  }

  private static final class PeerName extends Named<Peer> {
    PeerName(Set<Peer> known) {
      super(known, Named::of);
    }
  }
}
