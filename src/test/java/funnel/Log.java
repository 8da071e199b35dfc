package funnel;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What is logged, from level INFO on. */
public final class Log {

  private Log() {}

  public static String of(Runnable calls) {
    assumeTrue(
        LoggerFactory.getLogger(Funnel.class).getClass().getName().contains("Simple"),
        "another logger than slf4j-simple: its log cannot be seen");
    PrintStream err = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    try {
      System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
      calls.run();
    } finally {
      System.setErr(err);
    }
    return log.toString(StandardCharsets.UTF_8);
  }

  public static List<String> lines(Runnable calls) {
    return of(calls).lines().toList();
  }
}
