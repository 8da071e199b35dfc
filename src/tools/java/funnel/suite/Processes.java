package funnel.suite;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs rules in another process like this one. */
class Processes {

  /* The child writes each result into a file as soon as it has it, so that results before its end
   * are not lost, and do not mix with TornadoVM's own output.
   */

  private static final long SECONDS = 60;
  private static final long SECONDS_PER_RULE = 5;

  private final List<String> options;

  /** Processes with additional JVM options. */
  Processes(String... options) {
    this.options = List.of(options);
  }

  /**
   * Whether another process knows a rule. It finds rules by their names in {@link JitRules}, since
   * functions cannot be sent to it; another rule with such a name is not known there.
   */
  boolean know(JitRule rule) {
    return JitRules.all().contains(rule);
  }

  /**
   * Results of the first rules of a list, all known to the child: of all of them, or of those up to
   * the one that the child did not survive. If a child refuses to run any rule, because its device
   * does not work, all rules are faults.
   *
   * @throws IOException if no process can be started or its files cannot be written
   */
  List<JitResult> run(List<JitRule> rules) throws IOException {
    Path results = Files.createTempFile("jit-suite", ".results");
    Path output = Files.createTempFile("jit-suite", ".output");
    Path crash = Files.createTempFile("jit-suite", ".crash");
    try {
      long started = System.nanoTime();
      List<String> all = new ArrayList<>(options);
      all.add("-XX:ErrorFile=" + crash);
      List<String> command = command(JitSuite.class, all);
      command.add(JitSuite.CHILD);
      command.add(results.toString());
      rules.forEach(rule -> command.add(rule.name()));
      Process child =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      String end = end(child, SECONDS + SECONDS_PER_RULE * rules.size());
      List<JitResult> found =
          new ArrayList<>(Files.readAllLines(results).stream().map(Processes::parse).toList());
      String words = lastWords(output);
      if (!found.isEmpty() && found.getLast().outcome() == JitResult.Outcome.FAULT) {
        JitResult fault = found.removeLast();
        found.add(
            new JitResult(
                fault.rule(),
                fault.kind(),
                fault.outcome(),
                "%s (%s)".formatted(fault.detail(), words),
                fault.millis()));
      } else if (found.size() < rules.size()) {
        boolean refused = !child.isAlive() && child.exitValue() == JitSuite.REFUSED;
        String detail = "its process %s: %s".formatted(end, words);
        long millis = (System.nanoTime() - started) / 1_000_000;
        for (JitRule culprit :
            rules.subList(found.size(), refused ? rules.size() : found.size() + 1)) {
          found.add(
              new JitResult(
                  culprit.name(), culprit.kind(), JitResult.Outcome.FAULT, detail, millis));
        }
      }
      return found;
    } finally {
      Files.deleteIfExists(results);
      Files.deleteIfExists(output);
      Files.deleteIfExists(crash);
    }
  }

  /** The command line of this process with another main class, more options and no arguments. */
  static List<String> command(Class<?> main, List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(
        ProcessHandle.current()
            .info()
            .command()
            .orElse(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> !argument.startsWith("-agentlib:jdwp"))
        .forEach(command::add);
    command.addAll(options);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    return command;
  }

  private static String end(Process child, long seconds) {
    try {
      if (child.waitFor(seconds, TimeUnit.SECONDS)) {
        return "ended with exit code " + child.exitValue();
      }
      child.destroyForcibly().waitFor();
      return "did not end within %s s".formatted(seconds);
    } catch (InterruptedException e) {
      child.destroyForcibly();
      Thread.currentThread().interrupt();
      return "was interrupted";
    }
  }

  /** The driver's first error that TornadoVM printed, or else the last line. */
  private static String lastWords(Path output) throws IOException {
    List<String> lines =
        Files.readString(output, StandardCharsets.ISO_8859_1)
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .toList();
    return lines.stream()
        .filter(line -> line.contains("ERROR") || line.contains("SIG"))
        .findFirst()
        .orElse(lines.isEmpty() ? "it printed nothing" : lines.getLast());
  }

  /** One line for a result; {@link #parse} reads it. */
  static String format(JitResult result) {
    return String.join(
        "\t",
        result.rule(),
        result.kind().name(),
        result.outcome().name(),
        Long.toString(result.millis()),
        result.detail().replaceAll("\\s+", " "));
  }

  static JitResult parse(String line) {
    String[] parts = line.split("\t", 5);
    return new JitResult(
        parts[0],
        JitRule.Kind.valueOf(parts[1]),
        JitResult.Outcome.valueOf(parts[2]),
        parts[4],
        Long.parseLong(parts[3]));
  }
}
