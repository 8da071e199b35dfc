package funnel.bench;

import funnel.ElementStream;
import funnel.Funnel;
import funnel.engine.tornado.PinnedCopies;
import funnel.operation.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code funnel bench streams}. */
@Command(
    name = "streams",
    description = {
      "Streams of ints in memory or in a mapped file, which may be larger than an array, with"
          + " the speed of copies to the device and of plain threads that only read.",
      "Results are compared with those that follow from the elements, outside the times.",
      "",
      "Tasks:",
      "  reduce          the sum",
      "  histogram-int   256 bins of the same width",
      "  histogram-byte  256 bins, of the same memory as bytes",
      "  select          half of the ints, to memory",
      "  scan            running sums, to memory",
      "  sort            ascending order, to memory, through a temporary file",
      ""
    },
    footer = {
      "  funnel bench streams --quick",
      "  funnel bench streams --size 16G --json streams.json",
      "  funnel bench streams --devices all",
      "  funnel bench streams --size 4G --file /data --tasks reduce,select"
    })
final class StreamsBench extends Benchmark<StreamsInput, StreamsCase, StreamsCase> {

  private static final int FEWEST = 3;
  private static final long QUICK = 16L << 20;

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      converter = Size.class,
      description = "Size of the source: 300K, 64M, 16G (of 1024); a multiple of 4; default: 16G.")
  private @Nullable Long size;

  @Option(
      names = "--tasks",
      split = ",",
      paramLabel = "TASK",
      converter = TaskName.class,
      defaultValue = "reduce,histogram-int,histogram-byte,select,scan,sort",
      description = "Tasks.")
  private List<StreamsTask> tasks = List.of();

  @Option(
      names = "--file",
      paramLabel = "FOLDER",
      description = "Read from a mapped file, which is made there and deleted after the run.")
  private @Nullable Path folder;

  @Option(names = "--piece", paramLabel = "ELEMENTS", description = "Length of a piece.")
  private int piece = ElementStream.PIECE;

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "PEER",
      description =
          "loop (plain threads) or none. On a device, copies over the link are measured too.")
  private @Nullable List<String> peers;

  @Mixin private EffortOption effort = new EffortOption();

  private @Nullable Path file;

  @Override
  public Integer call() throws IOException {
    Path in = folder;
    if (in == null) {
      return super.call();
    }
    if (!Files.isDirectory(in) || !Files.isWritable(in)) {
      throw wrongUsage("--file %s: not a writable folder".formatted(in));
    }
    Path own = Files.createTempDirectory(in, "funnel-streams");
    Path data = own.resolve("ints.data");
    file = data;
    try {
      return super.call();
    } finally {
      Files.deleteIfExists(data);
      Files.delete(own);
    }
  }

  private long size() {
    return size != null ? size : isQuick() ? QUICK : 16L << 30;
  }

  @Override
  void requireOptions() {
    if (piece < 1) {
      throw wrongUsage("--piece: %s is less than 1".formatted(piece));
    }
  }

  @Override
  StreamsReport report(String command, Funnel funnel) {
    return new StreamsReport(command, funnel.description(), funnel.details());
  }

  @Override
  boolean mayFail(Measurement<StreamsCase> measurement) {
    return false;
  }

  @Override
  Effort effort() {
    return effort.effort(isQuick(), FEWEST);
  }

  @Override
  Set<Peer> peers(Target engine) {
    return peers(peers, engine, EnumSet.of(Peer.LOOP));
  }

  @Override
  List<StreamsSubject> subjects(
      Funnel funnel, Funnel jvm, Set<Peer> chosen, Report<StreamsCase> report) {
    List<StreamsSubject> subjects =
        new ArrayList<>(List.of(new StreamsSubject.Streams(funnel, piece)));
    if (PinnedCopies.areThere()) {
      subjects.add(new StreamsSubject.Link());
    }
    if (chosen.contains(Peer.LOOP)) {
      subjects.add(new StreamsSubject.Plain());
    }
    return subjects;
  }

  @Override
  List<Round<StreamsInput, StreamsCase>> rounds() {
    return List.of(
        new Round<>(
            this::input,
            tasks.stream().map(task -> new StreamsCase(task, size(), file != null)).toList()));
  }

  private StreamsInput input() {
    try {
      return new StreamsInput(size(), file, tasks.stream().anyMatch(StreamsTask::writes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  CudaProgram cuda() {
    throw new UnsupportedOperationException("no stream has a peer in CUDA C++");
  }

  @Override
  Map<String, Object> key(StreamsInput input, StreamsCase task) {
    throw new UnsupportedOperationException("no stream has a peer in CUDA C++");
  }

  @Override
  Measurement<StreamsCase> measurement(
      Map<String, String> line, StreamsInput input, StreamsCase task) {
    throw new UnsupportedOperationException("no stream has a peer in CUDA C++");
  }

  /** Names of tasks on the command line. */
  static final class TaskName extends Named<StreamsTask> {
    TaskName() {
      super(Arrays.asList(StreamsTask.values()), StreamsTask::toString);
    }
  }

  /** Converts bytes of whole ints, with or without a unit. */
  static final class Size implements ITypeConverter<Long> {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([KMG]?)");

    @Override
    public Long convert(String text) {
      Matcher matcher = SIZE.matcher(text.strip());
      if (!matcher.matches()) {
        throw new TypeConversionException(
            "'%s' is not a size: write 300K, 64M or 16G".formatted(text));
      }
      int unit = 10 * ("KMG".indexOf(matcher.group(2)) + (matcher.group(2).isEmpty() ? 0 : 1));
      long bytes = Long.parseLong(matcher.group(1)) << unit;
      if (bytes < Integer.BYTES || bytes % Integer.BYTES != 0) {
        throw new TypeConversionException(
            "%s bytes are not a whole number of ints".formatted(bytes));
      }
      return bytes;
    }
  }
}
