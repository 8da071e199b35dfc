package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.columns.DuckDb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
          "key,count,sum,max\n2,2,4.5,4.0\n7,2,4.5,3.5",
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
        "0.5  2.0",
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
    refused(ExitCode.USAGE, "there are [shop, price, note]", "group", file, "--keys", "key");
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
    refused(ExitCode.FAILURE, "has no numbers", "top", file, "--column", "note");
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
    refused(
        ExitCode.USAGE,
        "are of .csv, .parquet and .npz files",
        "top",
        raw.toString(),
        "--column",
        "a");
    refused(
        ExitCode.FAILURE,
        "the file does not exist",
        "top",
        folder.resolve("no.csv").toString(),
        "--column",
        "a");
    assertTrue(done("top", file, "--raw", "--type", "uint8", "-k", "1").contains("122"));
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
