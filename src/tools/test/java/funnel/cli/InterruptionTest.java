package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A signal to another JVM, which this class's own {@link #main} runs. */
class InterruptionTest {

  /** Waits for a signal, works on for a while, and ends. */
  public static void main(String[] arguments) throws InterruptedException {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
    int code;
    try (Interruption interruption = new Interruption("all is lost")) {
      System.out.println("begun");
      while (!interruption.isRequested()) {
        Thread.sleep(5);
      }
      System.out.println("requested");
      Thread.sleep(arguments.length > 0 ? Long.MAX_VALUE : 500);
      System.out.println("worker");
      code = interruption.exitCode();
    }
    System.exit(code);
  }

  private static Process start(String... arguments) throws IOException {
    List<String> command = OtherJvm.command(InterruptionTest.class, arguments);
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static void signal(Process process, String name)
      throws IOException, InterruptedException {
    List<String> kill = List.of("kill", "-" + name, Long.toString(process.pid()));
    assertEquals(0, new ProcessBuilder(kill).inheritIO().start().waitFor());
  }

  /** Hooks take devices away, so they must not run before the worker is ready. */
  @Test
  void theWorkerEndsBeforeTheJvmGoesDown() throws IOException, InterruptedException {
    Process process = start();
    try (BufferedReader out = process.inputReader()) {
      assertEquals("begun", out.readLine());
      signal(process, "TERM");
      assertEquals("requested", out.readLine());
      assertEquals("worker", out.readLine());
      assertEquals("hook", out.readLine());
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
      assertEquals(128 + 15, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aSecondSignalEndsItAtOnce() throws IOException, InterruptedException {
    Process process = start("forever");
    try (BufferedReader out = process.inputReader()) {
      assertEquals("begun", out.readLine());
      signal(process, "TERM"); // a process that nohup starts has no SIGHUP
      assertEquals("requested", out.readLine()); // two pending signals would be one
      signal(process, "TERM");
      assertEquals("all is lost", out.readLine());
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
      assertEquals(128 + 15, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
  }
}
