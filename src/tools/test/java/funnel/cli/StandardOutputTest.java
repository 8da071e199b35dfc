package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Standard output that takes no more, in a JVM of its own. */
class StandardOutputTest {

  /** Prints until nobody reads. */
  static final class Endless {
    private Endless() {}

    public static void main(String[] arguments) {
      PrintWriter out = StandardOutput.printed();
      while (true) {
        out.println("line");
      }
    }
  }

  private static Process started(Class<?> main, String... arguments) throws IOException {
    return new ProcessBuilder(OtherJvm.command(main, arguments)).start();
  }

  private static String errors(Process process) throws IOException {
    return new String(process.getErrorStream().readAllBytes(), System.out.charset());
  }

  @Test
  void printingEndsWhenTheReaderHasClosedThePipe() throws IOException, InterruptedException {
    Process process = started(Endless.class);
    try (BufferedReader lines = process.inputReader()) {
      assertEquals("line", lines.readLine());
    }
    assertEquals(
        "Exception in thread \"main\" funnel.cli.StandardOutput$Failure: cannot"
            + " write to standard output: Broken pipe",
        errors(process).lines().findFirst().orElse(""));
    assertEquals(1, process.waitFor());
  }

  @Test
  void aCommandEndsQuietly() throws IOException, InterruptedException {
    for (String command : List.of("--help", "help", "generate-completion", "demo race")) {
      Process process = started(Main.class, command.split(" "));
      process.getInputStream().close();
      assertEquals("", errors(process), command);
      assertEquals(ExitCode.BROKEN_PIPE, process.waitFor(), command);
    }
  }

  static boolean isFullThere() {
    return new File("/dev/full").exists();
  }

  @Test
  @EnabledIf("isFullThere")
  void aFullDiskIsNamedOnce() throws IOException, InterruptedException {
    for (String command : List.of("--help", "demo race")) {
      Process process =
          new ProcessBuilder(OtherJvm.command(Main.class, command.split(" ")))
              .redirectOutput(new File("/dev/full"))
              .start();
      assertEquals(
          "funnel%s: cannot write to standard output: No space left on device"
              .formatted(command.startsWith("-") ? "" : " " + command),
          errors(process).strip());
      assertEquals(ExitCode.FAILURE, process.waitFor());
    }
  }
}
