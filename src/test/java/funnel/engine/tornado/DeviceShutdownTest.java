package funnel.engine.tornado;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Test;

/** The end of another JVM, which this class's own {@link #main} runs with a stand-in driver. */
class DeviceShutdownTest {

  private static final ReadWriteLock IN_USE = new ReentrantReadWriteLock();
  private static final ReadWriteLock ASSEMBLING = new ReentrantReadWriteLock();
  private static final String OPENS = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  /** Frees the device as TornadoVM's drivers do: a thread of its own class, or a thread's task. */
  private static final class Driver {
    private static final class Cleanup extends Thread {
      @Override
      public void run() {
        System.out.println("freed by a thread");
      }
    }

    static void addHooks() {
      Runtime.getRuntime().addShutdownHook(new Cleanup());
      Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("freed by a task")));
    }
  }

  /**
   * Runs and assemblies of {@code millis} until the JVM ends; {@code exit}: which the main thread
   * sees to.
   */
  public static void main(String[] arguments) throws InterruptedException {
    long millis = Long.parseLong(arguments[0]);
    Duration patience = Duration.ofMillis(Long.parseLong(arguments[1]));
    Driver.addHooks();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> run("hook", 10, IN_USE)));
    for (int engine = 0; engine < 2; engine++) {
      DeviceShutdown.install(
          List.of(IN_USE.writeLock(), ASSEMBLING.writeLock()), Driver.class.getName(), patience);
    }
    CountDownLatch begun = new CountDownLatch(2);
    Map.of("worker", IN_USE, "assembler", ASSEMBLING)
        .forEach(
            (who, lock) -> {
              Thread thread =
                  new Thread(
                      () -> {
                        begun.countDown();
                        while (true) {
                          run(who, millis, lock);
                        }
                      });
              thread.setDaemon(true);
              thread.start();
            });
    begun.await();
    if (arguments.length > 2) {
      Thread.sleep(millis / 2);
      System.exit(Integer.parseInt(arguments[2]));
    }
    Thread.sleep(Long.MAX_VALUE);
  }

  private static void run(String who, long millis, ReadWriteLock of) {
    Lock lock = of.readLock();
    lock.lock();
    try {
      System.out.println("begin " + who);
      Thread.sleep(millis);
      System.out.println("end " + who);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private static Process start(String... words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(words));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static Process start(long millis, long patience) throws IOException {
    return start(OPENS, DeviceShutdownTest.class.getName(), "" + millis, "" + patience);
  }

  private static void terminate(Process process) {
    assertTrue(process.toHandle().destroy());
  }

  private static List<String> rest(Process process, int exitCode) throws InterruptedException {
    List<String> lines = process.inputReader().lines().toList();
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    assertEquals(exitCode, process.exitValue(), lines.toString());
    return lines;
  }

  /** No run is cut, that of the program's own hook neither, and nobody takes the device away. */
  private static void assertOrderly(List<String> lines) {
    for (String who : List.of("worker", "assembler", "hook")) {
      long begun = lines.stream().filter(line -> line.equals("begin " + who)).count();
      long ended = lines.stream().filter(line -> line.equals("end " + who)).count();
      assertTrue(begun > 0, lines.toString());
      assertEquals(begun, ended, lines.toString());
    }
    assertTrue(lines.stream().noneMatch(line -> line.startsWith("freed")), lines.toString());
  }

  /* Signals other than TERM may be ignored by whatever runs the tests, and children inherit that. */
  @Test
  void aSignalWaitsForTheRun() throws Exception {
    Process process = start(1000, 30_000);
    try {
      List<String> lines = new ArrayList<>();
      lines.add(process.inputReader().readLine());
      lines.add(process.inputReader().readLine());
      terminate(process);
      lines.addAll(rest(process, 143));
      assertOrderly(lines);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void systemExitWaitsForTheRun() throws Exception {
    Process process = start(OPENS, DeviceShutdownTest.class.getName(), "1000", "30000", "7");
    try {
      assertOrderly(rest(process, 7));
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aSecondSignalEndsTheProcessAtOnce() throws Exception {
    Process process = start(3_600_000, 3_600_000);
    try {
      BufferedReader out = process.inputReader();
      assertTrue(out.readLine().startsWith("begin "));
      terminate(process);
      String line = out.readLine();
      while (line != null && !line.contains("a second signal")) {
        line = out.readLine();
      }
      terminate(process);
      assertFalse(rest(process, 143).contains("end worker"));
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aRunThatDoesNotEndIsNotWaitedForForEver() throws Exception {
    Process process = start(3_600_000, 100);
    try {
      assertTrue(process.inputReader().readLine().startsWith("begin "));
      terminate(process);
      String lines = rest(process, 143).toString();
      assertTrue(lines.contains("did not end within PT0.1S"), lines);
      assertFalse(lines.contains("freed"), lines);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void hooksOfTornadoVmsThatAreNoneOfItsDriversAreNamed() {
    assertEquals(
        Set.of("uk.ac.manchester.tornado.runtime.Hook"),
        DeviceShutdown.unknown(
            Set.of(
                "uk.ac.manchester.tornado.runtime.Hook",
                "uk.ac.manchester.tornado.api.profiler.ChromeEventTracer$$Lambda",
                "java.util.logging.LogManager$Cleaner",
                "")));
  }

  @Test
  void withoutAccessToTheListOfHooksOneIsTold() throws Exception {
    Process process = start(DeviceShutdownTest.class.getName(), "1", "1000", "7");
    try {
      String lines = rest(process, 7).toString();
      assertTrue(lines.contains("tornado-config/tornado.argfile"), lines);
      assertTrue(lines.contains("freed by a thread"), lines);
    } finally {
      process.destroyForcibly();
    }
  }
}
