package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.columns.DuckDb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns of tables as inputs of commands. */
class TableFileTest {

  @TempDir Path folder;

  @BeforeEach
  void requireDriver() {
    DuckDb.require();
  }

  private Path csv() throws IOException {
    return Files.writeString(
        folder.resolve("sales.csv"), "shop,price,note\n7,3.5,x\n2,4,\n7,1,y\n2,,z\n");
  }

  private static Run run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--engine=jvm");
    return Run.of(all.toArray(String[]::new));
  }

  private static String done(String... arguments) {
    Run run = run(arguments);
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    return run.out().strip();
  }

  private static void refused(int code, String part, String... arguments) {
    Run run = run(arguments);
    assertEquals(code, run.exitCode(), run.err());
    assertTrue(run.err().contains(part), run.err());
  }

  @Test
  void groups() throws IOException, SQLException {
    Path parquet = folder.resolve("SALES.PARQUET");
    DuckDb.run("COPY (FROM '%s') TO '%s' (FORMAT parquet)".formatted(csv(), parquet));
    for (Path file : List.of(csv(), parquet)) {
      assertEquals(
          "key,count,sum,max\n2,2,4.5,4\n7,2,4.5,3.5",
          done(
              ("group " + file + " --keys shop --values price --missing 0.5 --csv --count --sum")
                  .concat(" --max")
                  .split(" ")));
      assertEquals(
          "key,count\n2,2\n7,2", done("group", file.toString(), "--keys", "shop", "--csv"));
    }
    String json = done("group", csv().toString(), "--column", "shop", "--json");
    assertTrue(json.contains("\"format\":\"table\",\"type\":\"int64\",\"elements\":4"), json);
    json = done("group", csv().toString(), "--column", "shop", "--json", "--type", "int32");
    assertTrue(json.contains("\"type\":\"int32\""), json);
  }

  @Test
  void otherCommands() throws IOException {
    String file = csv().toString();
    assertEquals(
        "0.5  2",
        done("quantiles", file, "--column", "shop", "--type", "float32", "--at", "0.5")
            .lines()
            .skip(1)
            .findFirst()
            .orElseThrow());
    assertTrue(done("top", file, "--column", "shop", "-k", "1").contains("7  at 0"));
    assertTrue(
        done("reduce", file, "--column", "price", "--missing", "1.5", "--op", "sum")
            .contains("10"));
  }

  @Test
  void mistakes() throws IOException {
    Path gap = Files.writeString(folder.resolve("gap.csv"), "key,x\n,1\n2,3\n");
    String file = csv().toString();
    refused(ExitCode.USAGE, "name one with --column", "group", file);
    refused(ExitCode.USAGE, "there are 'shop', 'price', 'note'", "group", file, "--keys", "key");
    refused(ExitCode.USAGE, "give one", "group", file, "--keys", "shop", "--column", "shop");
    refused(
        ExitCode.USAGE,
        "keys are int32 or int64",
        "group",
        file,
        "--keys",
        "shop",
        "--type",
        "float32");
    refused(
        ExitCode.FAILURE,
        "has no value in row 3",
        "group",
        file,
        "--keys",
        "shop",
        "--values",
        "price");
    refused(
        ExitCode.FAILURE,
        "has no value in row 0",
        "group",
        gap.toString(),
        "--keys",
        "key",
        "--missing",
        "1");
    refused(ExitCode.USAGE, "has no numbers", "top", file, "--column", "note");
    refused(ExitCode.USAGE, "becomes no uint8", "top", file, "--column", "shop", "--type", "uint8");
    refused(
        ExitCode.USAGE,
        "--missing x is no number",
        "top",
        file,
        "--column",
        "shop",
        "--missing",
        "x");
    Path raw = Files.write(folder.resolve("raw.bin"), new byte[8]);
    refused(ExitCode.USAGE, "are of tables and .npz files", "top", raw.toString(), "--column", "a");
    refused(
        ExitCode.FAILURE,
        "the file does not exist",
        "top",
        folder.resolve("no.csv").toString(),
        "--column",
        "a");
    assertTrue(done("top", file, "--raw", "--type", "uint8", "-k", "1").contains("122"));
  }

  private String late(String... last) throws IOException {
    return Files.writeString(
            folder.resolve("late.csv"),
            "v\n" + "1\n".repeat(30_000) + String.join("\n", last) + "\n")
        .toString();
  }

  @Test
  void lateFractionsMakeDoubles() throws IOException {
    String file = late("2.5", "0.7");
    for (String[] type : new String[][] {{}, {"--type=float64"}, {"--type=float32"}}) {
      List<String> words = new ArrayList<>(List.of("reduce", file, "--op=max,sum", "--json"));
      words.addAll(List.of(type));
      String json = done(words.toArray(String[]::new));
      assertTrue(json.contains("\"max\":2.5"), json);
      assertTrue(json.contains("\"sum\":30003."), json);
      assertTrue(json.contains(type.length == 0 ? "\"float64\"" : type[0].substring(7)), json);
    }
    String where = "column 'v' has 2.5 in row 30000 (from 0), line 30002, which does not fit ";
    refused(
        ExitCode.FAILURE,
        where + "int32: read it with --type float64\n",
        "reduce",
        file,
        "--type=int32");
    refused(ExitCode.FAILURE, where + "int64\n", "group", file);
    refused(ExitCode.FAILURE, "'NA' in row 30000 (from 0), line 30002", "top", late("NA"));
  }

  /** The column is not made one of doubles where these do not hold its integers. */
  @Test
  void integersAreRoundedOnlyWhereATypeSaysSo() throws IOException {
    for (String[] last :
        new String[][] {{"2.5", "9007199254740993"}, {"9223372036854775808"}, {"-1e20"}}) {
      String file = late(last);
      refused(ExitCode.FAILURE, "int64: read it with --type float64\n", "top", file);
      String largest = done("top", file, "-k1", "--type=float64").lines().findFirst().orElseThrow();
      assertTrue(largest.endsWith(": 30,00%s float64 elements".formatted(last.length)), largest);
    }
    Path file = Files.writeString(folder.resolve("h.csv"), "a\n9223372036854775809\n1\n");
    refused(ExitCode.FAILURE, "has 9223372036854775809 in row 0", "reduce", file.toString());
    assertTrue(
        done("reduce", file.toString(), "--op=sum", "--type=float64", "--json")
            .contains("\"sum\":9.22337203685477"));
  }

  @Test
  void adviceIsForTheCommand() throws IOException {
    String file = csv().toString();
    refused(ExitCode.USAGE, "has no numbers (see", "top", file, "--column=note", "--type=float64");
    refused(
        ExitCode.USAGE,
        "of type float64, whose numbers may have fractions: read it with --type float64 (see",
        "top",
        file,
        "--column=price",
        "--type=int32");
    refused(
        ExitCode.FAILURE,
        "has no value in row 3 (from 0): --skip-missing leaves such rows out, --missing gives a"
            + " number to use instead\n",
        "top",
        file,
        "--column=price");
    refused(
        ExitCode.USAGE,
        "read it with --values-type float64 (see",
        "group",
        file,
        "--keys=shop",
        "--values=price",
        "--values-type=int64");
    Path gap = Files.writeString(folder.resolve("gap.csv"), "key,x\n,1\n2,3\n");
    refused(
        ExitCode.FAILURE,
        "(from 0): a key may not be missing: --skip-missing leaves such rows out\n",
        "group",
        gap + "",
        "--keys=key");
    refused(ExitCode.USAGE, "has the columns 'key', 'x': name one with --column", "top", gap + "");
    Path ragged = Files.writeString(folder.resolve("r.csv"), "id,name\n1,2\n4,5,6\n");
    for (String column : List.of("--column=name", "--json")) {
      refused(ExitCode.FAILURE, "r.csv: line 3 has 3 fields, not 2\n", "top", ragged + "", column);
    }
    Path empty = Files.createFile(folder.resolve("empty.csv"));
    refused(ExitCode.FAILURE, "empty.csv is empty", "top", empty.toString());
  }

  @Test
  void withoutTheDriver() throws IOException, SQLException {
    String file = csv().toString();
    Driver driver = DriverManager.getDriver("jdbc:duckdb:");
    DriverManager.deregisterDriver(driver);
    try {
      refused(ExitCode.UNAVAILABLE, "FUNNEL_CLASSPATH", "top", file, "--column=shop");
    } finally {
      DriverManager.registerDriver(driver);
    }
  }

  @Test
  void noCopyIsLeft() throws IOException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    done("top", csv().toString(), "--column", "shop");
    refused(ExitCode.FAILURE, "row 3", "top", csv().toString(), "--column", "price");
    try (var files = Files.newDirectoryStream(temporary, "funnel-column*")) {
      assertEquals(
          List.of(),
          new ArrayList<>(
              java.util.stream.StreamSupport.stream(files.spliterator(), false).toList()));
    }
  }
}
