package funnel.jobs;

import funnel.Funnel;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;

/** What the programs print beside their results: what is computed, in which time, and errors. */
final class Screen {

  private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

  private Screen() {}

  /** A program for a number of elements. */
  interface Program {
    void run(Funnel funnel, int count) throws Exception;
  }

  /**
   * Runs a program; an error is a line, not a stack trace, and ends the JVM.
   *
   * @param usual the number of elements if none is given
   */
  static void run(String name, String[] arguments, int usual, Program program) {
    if (System.getProperty(LOG_LEVEL) == null) {
      System.setProperty(LOG_LEVEL, "warn");
    }
    try {
      int count = arguments.length > 0 ? count(arguments[0]) : usual;
      try (Funnel funnel = Funnel.open()) {
        program.run(funnel, count);
      }
    } catch (Exception e) {
      System.err.println("%s: %s".formatted(name, e.getMessage()));
      System.exit(1);
    }
  }

  /** A positive number. */
  static int count(String text) throws IOException {
    if (!text.matches("0*[1-9][0-9]{0,8}")) {
      throw new IOException(
          "'%s' is no number of elements: give one from 1 to 999999999".formatted(text));
    }
    return Integer.parseInt(text);
  }

  /** The result of a job, after a line with the times of its second run and of a stream's. */
  static <T> T beside(Funnel funnel, Callable<T> job, Callable<?> stream) throws Exception {
    var _ = job.call(); // compiles
    long started = System.nanoTime();
    T result = job.call();
    long ended = System.nanoTime();
    var _ = stream.call();
    long before = System.nanoTime();
    var _ = stream.call();
    IO.println(
        String.format(
            Locale.ROOT,
            "%.1f ms on %s; a parallel stream takes %.1f ms",
            (ended - started) / 1e6,
            funnel.description(),
            (System.nanoTime() - before) / 1e6));
    return result;
  }
}
