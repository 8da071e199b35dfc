package funnel.cli;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.file.Progress;
import funnel.io.ElementFile;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel demo}. */
@Command(
    name = "demo",
    description = {
      "Reduce and scan a real file in many ways, each checked against a plain loop and timed.",
      "",
      "Without --file it uses the largest file of the Java runtime, usually lib/modules.",
      ""
    },
    subcommands = RaceCommand.class,
    synopsisSubcommandLabel = "[COMMAND]",
    footer = {
      "  funnel demo",
      "  funnel demo --engine jvm --json",
      "  funnel demo --file /usr/bin/python3 --bytes 1000000",
      "  funnel demo race                    how updates get lost, and why"
    })
final class DemoCommand extends EngineCommand {

  private static final long BYTES = 64L << 20;
  private static final long EMULATED_BYTES = 256L << 10;
  private static final int FUNNEL_RUNS = 3;
  private static final int LOOP_RUNS = 2;

  @Option(names = "--file", paramLabel = "FILE", description = "The file to work on.")
  private @Nullable Path file;

  @Option(
      names = "--bytes",
      paramLabel = "N",
      description = "The maximum number of bytes of it. Default: 64 MiB, on the emulator 256 KiB.")
  private @Nullable Long bytes;

  /** The result of a trial; for a scan, the last result. */
  private record Row(
      String name,
      ElementType type,
      long elements,
      Number value,
      Number loop,
      long nanos,
      long loopNanos,
      boolean right) {}

  @Override
  public Integer call() throws IOException {
    if (bytes != null) {
      requireRange("--bytes", bytes, Long.BYTES, Integer.MAX_VALUE - 8);
    }
    Path path = file == null ? largestOfRuntime() : file;
    List<Row> reductions = new ArrayList<>();
    List<Row> scans = new ArrayList<>();
    try (Funnel funnel = open();
        ElementFile input = ElementFile.openRaw(path, ElementType.BYTE)) {
      long most =
          bytes != null ? bytes : funnel.target() == Target.EMULATOR ? EMULATED_BYTES : BYTES;
      long used = Math.min(input.length(), most);
      if (used < Long.BYTES) {
        throw new IllegalArgumentException(
            "%s is too small: %s bytes, at least %s are needed".formatted(path, used, Long.BYTES));
      }
      if (!isJson()) {
        introduce(path, used, funnel);
      }
      MemorySegment read = Arena.ofAuto().allocate(used, Long.BYTES);
      input.read(0, read);
      try (TrialData data = new TrialData(read);
          Progress progress =
              new Progress("demo", Trial.ALL.size() + ScanTrial.ALL.size(), !isJson())) {
        for (Trial trial : Trial.ALL) {
          reductions.add(row(funnel, data, trial));
          progress.step(1);
        }
        for (ScanTrial trial : ScanTrial.ALL) {
          scans.add(row(funnel, data, trial));
          progress.step(1);
        }
      }
      input.requireUnchanged();
      int checked = reductions.size() + scans.size();
      long right = Stream.of(reductions, scans).flatMap(List::stream).filter(Row::right).count();
      if (isJson()) {
        printJson(path, used, funnel, reductions, scans, right);
      } else {
        print("reduction", "result", reductions);
        print("scan", "last result", scans);
        out()
            .println(
                "%s reductions and %s scans checked, %s right"
                    .formatted(reductions.size(), scans.size(), right));
      }
      return right == checked ? ExitCode.OK : ExitCode.FAILURE;
    }
  }

  private static Path largestOfRuntime() throws IOException {
    Path home = Path.of(System.getProperty("java.home"));
    Path modules = home.resolve("lib").resolve("modules");
    if (Files.isReadable(modules)) {
      return modules;
    }
    try (Stream<Path> files = Files.walk(home)) {
      return files
          .filter(Files::isRegularFile)
          .filter(Files::isReadable)
          .max(Comparator.comparingLong(f -> f.toFile().length()))
          .orElseThrow(
              () ->
                  new IllegalStateException("no file in %s: give one with --file".formatted(home)));
    }
  }

  private static Row row(Funnel funnel, TrialData data, Trial trial) {
    var elements = data.elements(trial.type());
    try (Plan plan =
        funnel
            .plan("demo")
            .input("x", trial.type(), elements.length())
            .add("result", trial.reduction(), "x")
            .build()) {
      plan.set("x", elements);
      Timed<Number> value = best(FUNNEL_RUNS, () -> plan.run().get("result"));
      Timed<Number> loop = best(LOOP_RUNS, () -> trial.loop().apply(elements.segment()));
      return new Row(
          trial.name(),
          trial.type(),
          elements.length(),
          value.result(),
          loop.result(),
          value.nanos(),
          loop.nanos(),
          trial.isRight(value.result(), loop.result(), elements.segment()));
    }
  }

  private static Row row(Funnel funnel, TrialData data, ScanTrial trial) {
    Elements elements = trial.elements(data);
    try (Plan plan = trial.plan(funnel, elements)) {
      Timed<Results> value = best(FUNNEL_RUNS, plan::run);
      Timed<MemorySegment> loop = best(LOOP_RUNS, () -> trial.loop().apply(elements.segment()));
      MemorySegment results = trial.results(value.result());
      long wrong = trial.firstWrong(results, loop.result());
      return new Row(
          wrong < 0 ? trial.name() : "%s, at %s".formatted(trial.name(), wrong),
          trial.type(),
          elements.length(),
          wrong < 0 ? trial.last(results) : trial.at(results, wrong),
          wrong < 0 ? trial.last(loop.result()) : trial.at(loop.result(), wrong),
          value.nanos(),
          loop.nanos(),
          wrong < 0);
    }
  }

  private record Timed<T>(T result, long nanos) {}

  private static <T> Timed<T> best(int runs, Supplier<T> work) {
    long start = System.nanoTime();
    T result = work.get();
    long best = System.nanoTime() - start;
    for (int run = 1; run < runs; run++) {
      start = System.nanoTime();
      result = work.get();
      best = Math.min(best, System.nanoTime() - start);
    }
    return new Timed<>(result, best);
  }

  private void introduce(Path path, long used, Funnel funnel) {
    PrintWriter out = out();
    out.println(String.format(Locale.ROOT, "Input:  %,d bytes of %s", used, path));
    out.println("Engine: " + funnel.description());
    out.println();
    out.println(
        """
        A reduction combines all elements of the input into one value, such as their sum; a
        scan does so for every element, with the elements up to it: running sums, for example.
        Each one below is computed by Funnel and again by a plain sequential loop. The same
        bytes serve as bytes, as 4-byte ints and as 8-byte longs; for floats and doubles each
        byte becomes a sound sample between -1 and 1. Times are in milliseconds, the best of
        %s runs (loop: %s), on data that is in place.
        """
            .formatted(FUNNEL_RUNS, LOOP_RUNS));
    out.flush();
  }

  private void print(String kind, String result, List<Row> rows) {
    PrintWriter out = out();
    String format = "%-36s %12s  %22s  %9s %9s  %s%n";
    out.printf(format, kind, "elements", result, "Funnel", "loop", "check");
    for (Row row : rows) {
      out.printf(
          format,
          row.name(),
          String.format(Locale.ROOT, "%,d", row.elements()),
          row.value(),
          millis(row.nanos()),
          millis(row.loopNanos()),
          row.right() ? "right" : "WRONG: the loop says " + row.loop());
    }
    out.println();
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.2f", nanos / 1e6);
  }

  private void printJson(
      Path path, long used, Funnel funnel, List<Row> reductions, List<Row> scans, long right) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("file", path.toString());
    line.put("bytes", used);
    line.put("engine", funnel.description());
    line.put("details", funnel.details());
    line.put("reductions", reductions.stream().map(DemoCommand::asMap).toList());
    line.put("scans", scans.stream().map(DemoCommand::asMap).toList());
    line.put("checked", reductions.size() + scans.size());
    line.put("right", right);
    printJson(line);
  }

  private static Map<String, Object> asMap(Row row) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", row.name());
    map.put("type", FileType.of(row.type()).toString());
    map.put("elements", row.elements());
    map.put("result", row.value());
    map.put("loop", row.loop());
    map.put("millis", row.nanos() / 1e6);
    map.put("loopMillis", row.loopNanos() / 1e6);
    map.put("right", row.right());
    return map;
  }
}
