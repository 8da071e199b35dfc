package funnel.cli;

import funnel.jit.ClassFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Runs the commands over a small file, so that the JVM learns what a start needs: the launcher
 * makes the JVM's ahead-of-time cache of it.
 */
public final class Rehearsal {

  private static final int BYTES = 1 << 12;

  /**
   * So many bytes that the second compiler gets to know a sort, which begins with its best code.
   */
  private static final int LARGE = 1 << 24;

  /** So many that a table is read as large ones are. */
  private static final int ROWS = 1 << 18;

  private Rehearsal() {}

  /** Names of loops over our own operators, which any process may use; others depend on its run. */
  private static final Pattern LOOPS = Pattern.compile(".*\\$copy_\\w+");

  /**
   * Runs them, and throws if one of them fails.
   *
   * @param args nothing; or a jar to make of the loops that were made at run time, so that later
   *     processes find them
   */
  public static void main(String[] args) throws IOException {
    runCommands();
    if (args.length > 0) {
      keepLoops(Path.of(args[0]));
    }
    System.exit(ExitCode.OK); // as a command ends: this has classes of its own
  }

  /** Runs them where commands run by themselves. */
  public static void runCommands() throws IOException {
    Path folder = Files.createTempDirectory("funnel-rehearsal");
    try {
      String raw = Files.write(folder.resolve("raw.bin"), new byte[BYTES]).toString();
      String sorted = folder.resolve("sorted.npy").toString();
      String out = folder.resolve("out.npy").toString();
      run("--help");
      run("sort", raw, "--type", "int32", "--out", sorted);
      run("reduce", sorted, "--op", "sum,min,max,mean");
      for (String type : List.of("int64", "float32", "float64")) {
        run("reduce", raw, "--type", type);
      }
      byte[] random = new byte[LARGE];
      new Random(LARGE).nextBytes(random);
      String large = Files.write(folder.resolve("large.bin"), random).toString();
      for (String type : List.of("int32", "int64", "float64")) {
        run("sort", large, "--type", type, "--out", out, "--force");
      }
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
  }

  private static void keepLoops(Path to) throws IOException {
    try (ZipOutputStream jar = new ZipOutputStream(Files.newOutputStream(to))) {
      jar.setLevel(Deflater.NO_COMPRESSION);
      for (String name : new TreeSet<>(ClassFiles.made())) {
        byte[] bytes = ClassFiles.read(name, null);
        if (bytes != null && LOOPS.matcher(name).matches()) {
          jar.putNextEntry(new ZipEntry(name.replace('.', '/') + ".class"));
          jar.write(bytes);
        }
      }
    }
  }

  private static void run(String... arguments) {
    StringWriter said = new StringWriter();
    int code = Main.run(new PrintWriter(said), new PrintWriter(said), arguments);
    if (code != ExitCode.OK) {
      throw new IllegalStateException(List.of(arguments) + ": " + code + ": " + said);
    }
  }
}
