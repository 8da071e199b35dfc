package funnel.cli;

import funnel.Funnel;
import funnel.emulator.Emulator;
import funnel.lessons.Race;
import funnel.operation.Target;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel demo race}. */
@Command(
    name = "race",
    description = {
      "Show how updates get lost when threads count in one element, and what prevents that.",
      "",
      "Two threads in every order of their reads and writes, run by the emulator; threads of the"
          + " JVM; and threads of the device if there is one. Each counts with a race and with"
          + " atomic operations.",
      ""
    },
    footer = {
      "  funnel demo race",
      "  funnel demo race --engine tornado --blocks 16384",
      "  funnel demo race --threads 8 --increments 10000000 --json"
    })
final class RaceCommand extends EngineCommand {

  private static final int EMULATED_BLOCKS = 16;
  private static final int MOST_THREADS = 1024;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads of the JVM. Default: ${DEFAULT-VALUE}.")
  private int threads = 4;

  @Option(
      names = "--increments",
      paramLabel = "N",
      description = "Increments by each of them. Default: ${DEFAULT-VALUE}.")
  private int increments = 1_000_000;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description =
          "Blocks of 256 threads of the device, one increment a thread. Default:"
              + " ${DEFAULT-VALUE}.")
  private int blocks = 4096;

  @Override
  public Integer call() throws Exception {
    requireRanges();
    try (Funnel funnel = open()) {
      List<Race.Outcome> plain = Race.interleavings();
      List<Race.Outcome> atomic = Race.atomicInterleavings();
      List<Race.Row> jvm = Race.onJvm(threads, increments);
      List<Race.Row> kernels =
          switch (funnel.target()) {
            case JVM -> List.of();
            case TORNADO -> Race.ofKernels(Race::onDevice, blocks);
            case EMULATOR ->
                Race.ofKernels(
                    (task, counts) -> Emulator.builder().build().run(task),
                    Math.min(blocks, EMULATED_BLOCKS));
          };
      boolean right =
          Race.areAsTheyMust(plain, atomic)
              && Stream.concat(jvm.stream(), kernels.stream()).allMatch(Race.Row::possible);
      if (isJson()) {
        printJson(funnel, plain, atomic, jvm, kernels, right);
      } else {
        print(funnel, plain, atomic, jvm, kernels);
      }
      return right ? ExitCode.OK : ExitCode.FAILURE;
    }
  }

  private void requireRanges() {
    requireRange("--threads", threads, 1, MOST_THREADS);
    requireRange("--increments", increments, 1, Integer.MAX_VALUE / threads);
    requireRange("--blocks", blocks, 1, 1 << 22);
  }

  private void print(
      Funnel funnel,
      List<Race.Outcome> plain,
      List<Race.Outcome> atomic,
      List<Race.Row> jvm,
      List<Race.Row> kernels) {
    PrintWriter out = out();
    int orders = plain.stream().mapToInt(outcome -> outcome.interleaving().orders()).sum();
    out.println(
        """
        Two threads each do: old = m[x]; new = old + 1; m[x] = new. Their reads and writes can
        fall in %s orders, which come to these %s (which of two reads is first does not matter):
        """
            .formatted(orders, plain.size()));
    out.printf("  %-52s %5s  %s%n", "thread 0 and thread 1", "m[x]", "old of 0 and 1");
    for (Race.Outcome outcome : plain) {
      out.printf(
          "  %-52s %5s  %s%s%n",
          outcome,
          outcome.counted(),
          outcome.old().stream().map(Number::toString).collect(Collectors.joining(", ")),
          outcome.counted() == 2 ? "" : "  one update is lost");
    }
    out.println();
    out.println("An atomic addition reads and writes in one step, so there are these:");
    out.println();
    for (Race.Outcome outcome : atomic) {
      out.printf("  %-52s %5s%n", outcome, outcome.counted());
    }
    out.println();
    out.println(
        String.format(
            Locale.ROOT,
            "%s threads of the JVM on %s cores, %,d increments each:",
            threads,
            Runtime.getRuntime().availableProcessors(),
            increments));
    print(out, jvm);
    if (kernels.isEmpty()) {
      out.println("With a device its threads count too: funnel doctor says what is missing.");
      return;
    }
    out.println(
        String.format(
            Locale.ROOT,
            "%,d threads of a kernel on %s, one increment each:",
            kernels.getFirst().asked(),
            funnel.description()));
    print(out, kernels);
    if (funnel.target() == Target.EMULATOR) {
      out.println(
          "The emulator runs the threads of a block one after the other, so nothing is lost.");
    }
  }

  private static void print(PrintWriter out, List<Race.Row> rows) {
    boolean timed = rows.getFirst().nanos() > 0;
    out.println();
    out.printf("  %-36s %14s %14s%s%n", "by", "counted", "lost", timed ? "   ns each" : "");
    for (Race.Row row : rows) {
      String each =
          timed ? String.format(Locale.ROOT, "  %8.1f", (double) row.nanos() / row.asked()) : "";
      out.printf(
          Locale.ROOT,
          "  %-36s %,14d %,14d%s  %s%n",
          row.name(),
          row.counted(),
          row.lost(),
          each,
          verdict(row));
    }
    out.println();
  }

  private static String verdict(Race.Row row) {
    if (!row.possible()) {
      return "WRONG";
    }
    if (row.exact()) {
      return "right";
    }
    return row.lost() > 0 ? "a race" : "a race that did not show";
  }

  private void printJson(
      Funnel funnel,
      List<Race.Outcome> plain,
      List<Race.Outcome> atomic,
      List<Race.Row> jvm,
      List<Race.Row> kernels,
      boolean right) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("engine", funnel.description());
    line.put("interleavings", plain.stream().map(RaceCommand::asMap).toList());
    line.put("atomicInterleavings", atomic.stream().map(RaceCommand::asMap).toList());
    line.put("threads", threads);
    line.put("jvm", jvm.stream().map(RaceCommand::asMap).toList());
    line.put("kernels", kernels.stream().map(RaceCommand::asMap).toList());
    line.put("right", right);
    printJson(line);
  }

  private static Map<String, Object> asMap(Race.Outcome outcome) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("order", outcome.toString());
    map.put("orders", outcome.interleaving().orders());
    map.put("counted", outcome.counted());
    map.put("old", outcome.old());
    return map;
  }

  private static Map<String, Object> asMap(Race.Row row) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("by", row.name());
    map.put("asked", row.asked());
    map.put("counted", row.counted());
    map.put("lost", row.lost());
    map.put("millis", row.nanos() / 1e6);
    map.put("exact", row.exact());
    map.put("possible", row.possible());
    return map;
  }
}
