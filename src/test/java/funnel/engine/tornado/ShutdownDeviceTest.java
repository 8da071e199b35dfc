package funnel.engine.tornado;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.Seed;
import funnel.operation.Target;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ends other JVMs, which this class's own {@link #main} keeps busy on the device. */
@Tag("gpu")
class ShutdownDeviceTest {

  private static final int TIMES = 5;

  @TempDir Path folder;

  /** Sums until the JVM ends; a number: as its exit code, by {@code System.exit}. */
  public static void main(String[] arguments) {
    int[] values = new int[1 << 22];
    Funnel funnel = Funnel.open(Target.TORNADO);
    funnel.sum(values);
    System.out.println("begun");
    if (arguments.length > 1) {
      new Thread(() -> exitAfter(Long.parseLong(arguments[0]), Integer.parseInt(arguments[1])))
          .start();
    }
    while (true) {
      funnel.sum(values);
    }
  }

  private static void exitAfter(long millis, int exitCode) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    System.exit(exitCode);
  }

  @ParameterizedTest
  @CsvSource({"TERM, 143", "EXIT, 7"})
  void theDriverDoesNotCrash(String signal, int exitCode) throws Exception {
    SplittableRandom random = Seed.random("shutdown " + signal);
    for (int time = 0; time < TIMES; time++) {
      long millis = random.nextInt(300);
      Process process = start(signal.equals("EXIT"), millis, exitCode);
      try {
        List<String> lines = new ArrayList<>();
        String line = process.inputReader().readLine();
        while (line != null && !line.equals("begun")) {
          lines.add(line);
          line = process.inputReader().readLine();
        }
        assertEquals("begun", line, lines.toString());
        if (!signal.equals("EXIT")) {
          Thread.sleep(millis);
          assertTrue(process.toHandle().destroy());
        }
        lines.addAll(process.inputReader().lines().toList());
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        String where = "%s after %s ms: %s%s".formatted(signal, millis, lines, Seed.replay());
        assertEquals(exitCode, process.exitValue(), where);
        try (Stream<Path> files = Files.list(folder)) {
          assertEquals(List.of(), files.toList(), where);
        }
        assertTrue(lines.stream().noneMatch(l -> l.contains("ERROR")), where);
      } finally {
        process.destroyForcibly();
      }
    }
  }

  private Process start(boolean exits, long millis, int exitCode) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-XX:ErrorFile=" + folder.resolve("crash"));
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), ShutdownDeviceTest.class.getName()));
    if (exits) {
      command.addAll(List.of("" + millis, "" + exitCode));
    }
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }
}
