package funnel.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs the commands over a small file, so that the JVM learns what a start needs: the launcher
 * makes the JVM's ahead-of-time cache of it.
 */
final class Rehearsal {

  private static final int BYTES = 1 << 12;

  /** So many that a table is read as large ones are. */
  private static final int ROWS = 1 << 18;

  private Rehearsal() {}

  /** Runs them, and throws if one of them fails. */
  public static void main(String[] args) throws IOException {
    Path folder = Files.createTempDirectory("funnel-rehearsal");
    try {
      String raw = Files.write(folder.resolve("raw.bin"), new byte[BYTES]).toString();
      String sorted = folder.resolve("sorted.npy").toString();
      String out = folder.resolve("out.npy").toString();
      run("--help");
      run("sort", raw, "--type", "int32", "--out", sorted);
      run("reduce", sorted, "--op", "sum,min,max,mean");
      run("scan", sorted, "--out", out, "--force");
      run("select", sorted, "--where", ">= 0", "--out", out, "--force");
      run("unique", sorted, "--out", out, "--force");
      run("top", sorted, "-k", "3");
      run("quantiles", sorted, "--at", "0.5");
      run("histogram", sorted, "--bins", "4", "--range", "0,8");
      if (DriverManager.drivers().findAny().isPresent()) {
        String lines = "key,value\n" + "7,0.5\n".repeat(ROWS);
        String table = Files.writeString(folder.resolve("table.csv"), lines).toString();
        String parquet = folder.resolve("table.parquet").toString();
        run("convert", table, "--out", parquet);
        for (String each : List.of(table, parquet)) {
          run("group", each, "--keys", "key", "--values", "value", "--sum", "--mean");
        }
      }
    } finally {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    System.exit(ExitCode.OK); // as a command ends: this has classes of its own
  }

  private static void run(String... arguments) {
    StringWriter said = new StringWriter();
    int code = Main.run(new PrintWriter(said), new PrintWriter(said), arguments);
    if (code != ExitCode.OK) {
      throw new IllegalStateException(List.of(arguments) + ": " + code + ": " + said);
    }
  }
}
