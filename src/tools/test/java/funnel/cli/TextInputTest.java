package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.columns.DuckDb;
import funnel.io.NpyWriter;
import funnel.io.Npz;
import funnel.operator.ElementType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Texts as inputs: numbers and tables, from files and standard input; and values as outputs. */
class TextInputTest {

  private static final String SALES =
      "shop,day,price,ok\nb,2024-02-01,3.5,true\na,2024-01-01,,false\nb,2024-02-01,nan,true\n"
          + "b,2024-01-01,1,true\n";

  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static Run run(String given, boolean computes, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    if (computes) {
      all.add("--engine=jvm");
    }
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(given.getBytes(StandardCharsets.UTF_8)));
    try {
      return Run.of(all.toArray(String[]::new));
    } finally {
      System.setIn(before);
    }
  }

  /** The printed lines, with commas between them. */
  private static String done(String given, String... arguments) {
    return done(given, true, arguments);
  }

  private static String done(String given, boolean computes, String... arguments) {
    Run run = run(given, computes, arguments);
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    return run.out().strip().replace("\n", ", ").replace("\t", " ");
  }

  private static void refused(int code, String part, String given, String... arguments) {
    refused(code, part, given, true, arguments);
  }

  private static void refused(
      int code, String part, String given, boolean computes, String... arguments) {
    Run run = run(given, computes, arguments);
    assertEquals(code, run.exitCode(), run.err());
    assertTrue(run.err().contains(part), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }

  @ParameterizedTest
  @CsvSource({
    "reduce - --op sum, 1 2 3, 6",
    "reduce - --op sum --type int32, 1 2 3, 6",
    "reduce - --op sum --type f4, 0.1 0.2, 0.30000000447034836",
    "'reduce - --op sum,mean', 10 -4.5, '5.5, 2.75'",
    "reduce - --op sum, 9007199254740993 1, 9007199254740994",
    "reduce - --op argmax, 3 9 4, 1 9",
    "reduce - --op max, nan 1 -inf, NaN",
    "reduce - --op max --skip-nan, nan 1 -inf, 1",
    "scan -, 2147483647 1, '2147483647, 2147483648'",
    "scan - --op max, 2 1 3, '2, 2, 3'",
    "sort -, 3 1 2, '1, 2, 3'",
    "sort - --descending, 0.5 1e10 1e-30, '10000000000, 0.5, 1e-30'",
    "select - --where '>1.5', 1 2 3, '2, 3'",
    "unique -, 1 1 2, '1, 2'",
    "top - -k 2, 3 9 4, '9, 4'",
    "'quantiles - --at p50,99%,1', 1 2 3, '2, 3, 3'",
    "histogram - --bins 2, 1 2 9, '2, 1'",
    "group -, 7 2 7, '2 1, 7 2'"
  })
  void valuesGoInAndOutAsText(String arguments, String given, String expected) {
    String[] words = (arguments.replace("'", "") + " --plain").split(" ");
    assertEquals(expected, done(given, words));
    assertEquals(expected, done(given.replace(" ", "\n") + "\n", words));
  }

  @Test
  void textsOfManyNumbers() throws IOException {
    String numbers =
        IntStream.range(0, 30_000).mapToObj(i -> "" + i).collect(Collectors.joining("\n"));
    assertEquals("449985000", done(numbers, "reduce", "-", "--op=sum", "--plain"));
    assertEquals("449985000.5", done(numbers + "\n0.5", "reduce", "-", "--op=sum", "--plain"));
    Path file = file("numbers.txt", numbers);
    assertEquals("29999", done("", "reduce", file.toString(), "--op=max", "--plain"));
  }

  @Test
  void whatIsNoNumberIsNamedWithItsLine() {
    String many = "1\n".repeat(5000);
    refused(ExitCode.FAILURE, "-, line 5001: 'x' is no int64", many + "x", "reduce", "-");
    refused(ExitCode.FAILURE, "-, line 2: '3e9' does not fit", "1\n3e9", "top", "-", "--type=i4");
    refused(ExitCode.USAGE, "not converted to int16: take int32", "1", "reduce", "-", "--type=i2");
    String odd = "9007199254740993\n0.5\n"; // 2^53 + 1
    refused(ExitCode.FAILURE, "'9007199254740993' does not fit float64", odd, "reduce", "-");
    refused(ExitCode.USAGE, "is raw: give its type", "\0\1", "reduce", "-");
  }

  @Test
  void compressedFiles() throws IOException {
    Path npy = folder.resolve("x.npy");
    NpyWriter.write(npy, ElementType.INT, MemorySegment.ofArray(new int[] {3, 4}), 2);
    Path text = file("x.txt", "1\n2\n");
    for (Path file : List.of(npy, text)) {
      Path zipped = folder.resolve(file.getFileName() + ".gz");
      try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
        Files.copy(file, out);
      }
      Run run = run("", true, "reduce", zipped.toString(), "--op=sum");
      assertEquals(ExitCode.OK, run.exitCode(), run.err());
      assertTrue(run.out().startsWith(zipped + ": 2 int"), run.out());
      assertTrue(run.out().endsWith(file == npy ? "sum  7\n" : "sum  3\n"), run.out());
    }
    Path broken = file("y.npy.gz", "no gzip");
    refused(ExitCode.FAILURE, broken + ": not compressed by gzip", "", "reduce", broken.toString());
  }

  /** Numbers of each type, as NumPy stores 0 to 3: little-endian, the bytes of larger ones 0. */
  @ParameterizedTest
  @EnumSource(FileType.class)
  void rawNumbersOfAllTypes(FileType type) throws IOException {
    byte[] bytes = new byte[4 * type.storage().bytes()];
    for (int i = 0; i < 4; i++) {
      long bits =
          switch (type) {
            case BOOL -> i % 2;
            case FLOAT16 -> Float.floatToFloat16(i);
            case FLOAT32 -> Float.floatToIntBits(i);
            case FLOAT64 -> Double.doubleToLongBits(i);
            default -> i;
          };
      for (int b = 0; b < type.storage().bytes(); b++) {
        bytes[i * type.storage().bytes() + b] = (byte) (bits >>> 8 * b);
      }
    }
    String raw = Files.write(folder.resolve("x.bin"), bytes).toString();
    String sum = type == FileType.BOOL ? "2" : "6";
    assertEquals(sum, done("", "reduce", raw, "--type=" + type, "--op=sum", "--plain"));
  }

  @Test
  void tablesOnStandardInput() {
    DuckDb.require();
    assertEquals(
        "a 1 NaN, b 3 NaN",
        done(
            SALES,
            words("group - --keys shop --values price --missing=nan --count --sum --plain")));
    assertEquals(
        "b 2 4.5",
        done(
            SALES,
            words(
                "group - --keys shop --values price --skip-missing --skip-nan --count"
                    + " --sum --plain")));
    assertEquals(
        "4.5",
        done(
            SALES,
            words("reduce - --column price --skip-missing --skip-nan" + " --op sum --plain")));
    refused(
        ExitCode.FAILURE,
        "-: column 'price' has no value in row 1 (from 0): --skip-missing leaves such rows out",
        SALES,
        words("reduce - --column price"));
    assertEquals("6", done("1\tx\n5\ty\n", words("reduce - --column 1 --op sum --plain")));
    assertEquals("6", done("1;2\n5;4\n", words("reduce - --column 2 --op sum --plain")));
    assertEquals(
        "6", done("1:2\n5:4\n", words("reduce - --column 2 --separator : --op sum --plain")));
    assertEquals(
        "1 2, 3 1", done("3:x\n1:y\n1:z\n", words("group - --keys 1 --separator : --plain")));
    refused(ExitCode.USAGE, "has 2 columns: there is no 3", "1,2\n", words("reduce - --column 3"));
    String lines = "{\"a\": 1, \"s\": \"x\"}\n{\"a\": 2.5}\n";
    assertEquals("3.5", done(lines, words("reduce - --column a --op sum --plain")));
  }

  private static String[] words(String line) {
    return line.split(" ");
  }

  @Test
  void keysOfAllTypes() throws IOException {
    DuckDb.require();
    String file = file("sales.csv", SALES).toString();
    assertEquals("key,count, a,1, b,3", done("", "group", file, "--keys=shop", "--csv"));
    assertEquals(
        "key,count, 2024-01-01,2, 2024-02-01,2", done("", "group", file, "--keys=day", "--csv"));
    assertEquals("key,count, false,1, true,3", done("", "group", file, "--keys=ok", "--csv"));
    assertEquals(
        "shop,day,count, a,2024-01-01,1, b,2024-01-01,1, b,2024-02-01,2",
        done("", "group", file, "--keys=shop,day", "--csv"));
    assertEquals(
        "shop  day         count, a     2024-01-01      1, b     2024-01-01      1,"
            + " b     2024-02-01      2, groups 3",
        done("", "group", file, "--keys=shop,day").replaceFirst("^[^,]*, ", ""));
    refused(ExitCode.USAGE, "take --csv", "", "group", file, "--keys=ok", "--out=" + out("g.npz"));
    String gaps = file("gaps.csv", "k,v\nx,1\n,2\n").toString();
    refused(ExitCode.FAILURE, "a key may not be missing", "", "group", gaps, "--keys=k");
    assertEquals("x 1", done("", "group", gaps, "--keys=k", "--skip-missing", "--plain"));
    Path bytes = Files.write(folder.resolve("b.bin"), new byte[] {(byte) 200, 1, 1});
    assertEquals("1 2, 200 1", done("", "group", bytes.toString(), "--type=uint8", "--plain"));
  }

  private String out(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void severalValuesAndAggregates() throws IOException, SQLException {
    DuckDb.require();
    Path csv = file("t.csv", "k,j,a,b\n2,7,1,0.5\n1,7,2,1.5\n2,7,3,2.5\n");
    Path parquet = folder.resolve("t.parquet");
    DuckDb.run("COPY (FROM '%s') TO '%s' (FORMAT parquet)".formatted(csv, parquet));
    SequencedMap<String, Npz.Array> arrays = new LinkedHashMap<>();
    arrays.put("k", Npz.Array.of(new long[] {2, 1, 2}));
    arrays.put("j", Npz.Array.of(new long[] {7, 7, 7}));
    arrays.put("a", Npz.Array.of(new long[] {1, 2, 3}));
    arrays.put("b", Npz.Array.of(new double[] {0.5, 1.5, 2.5}));
    Path npz = folder.resolve("t.npz");
    Npz.write(npz, arrays);
    for (Path file : List.of(csv, parquet, npz)) {
      assertEquals(
          "j,k,count,a_sum,a_variance,b_sum,b_variance, 7,1,1,2,0,1.5,0, 7,2,2,4,1,3,1",
          done(
              "",
              words(
                  "group %s --keys j,k --values a,b --count --sum --variance --csv"
                      .formatted(file))));
    }
    String line =
        done("", words("group %s --keys k --values b --sample-variance --json".formatted(csv)));
    assertTrue(
        line.contains("\"columns\":{\"key\":[1,2],\"sample-variance\":[\"NaN\",2.0]}"), line);
  }

  @Test
  void otherFormats() throws IOException {
    DuckDb.require();
    String tsv = file("t.tsv", "a\tb,c\n1\t2\n3\t4\n").toString();
    assertEquals("6", done("", "reduce", tsv, "--column=b,c", "--op=sum", "--plain"));
    String bare = file("u.csv", "1,2\n3,4\n").toString();
    assertEquals("4", done("", "reduce", bare, "--column=2", "--op=max", "--no-header", "--plain"));
    assertEquals("4", done("", "reduce", bare, "--column=2", "--op=sum", "--plain"));
    String named = file("data", "a b\n1 2\n").toString();
    assertEquals(
        "2",
        done(
            "",
            "reduce",
            named,
            "--format=csv",
            "--separator= ",
            "--column=b",
            "--op=sum",
            "--plain"));
    refused(ExitCode.FAILURE, "Arrow's files are not read", "", "reduce", out("x.feather"));
  }

  @Test
  void headPrintsRowsOrElements() throws IOException {
    assertEquals("3, 1", done("3 1 4", false, "head", "-", "-n", "2"));
    DuckDb.require();
    String csv = file("sales.csv", SALES).toString();
    assertEquals(
        "shop  day         price  ok, b     2024-02-01  3.5    true, a     2024-01-01        "
            + " false",
        done("", false, "head", csv, "-n2"));
    assertEquals("price, 3.5", done("", false, "head", csv, "--column=price", "--csv", "-n1"));
    assertEquals(
        "price, 3.5, nan, 1.0",
        done("", false, words("head %s --column=price --csv --skip-missing".formatted(csv))));
  }

  @Test
  void describeSaysWhatIsThere() throws IOException {
    assertEquals(
        "name  type     count  nan  min  max  mean  std, -     float64      4    1    1    3     2 "
            + "   1",
        done("1 2 nan 3", "describe", "-"));
    Npz.write(folder.resolve("e.npz"), new LinkedHashMap<>(Map.of("x", Npz.Array.of(new long[0]))));
    assertEquals("name  type   count, x     int64      0", done("", "describe", out("e.npz")));
    DuckDb.require();
    String csv = file("late.csv", "k,s\n" + "1,x\n".repeat(30_000) + "2.5,\n").toString();
    String text = done("", "describe", csv);
    assertTrue(text.startsWith("name  type     count  missing  min  max  mean "), text);
    assertTrue(text.contains(", k     double   30001           1    2.5  1.0000499983"), text);
    assertTrue(text.endsWith(", s     varchar  30001  1        x    x"), text);
    String json = done("", "describe", csv, "--column=s", "--json");
    assertTrue(json.contains("\"type\":\"varchar\",\"count\":30001,\"missing\":1,"), json);
  }

  @Test
  void describeLeavesNanOut() throws IOException {
    DuckDb.require();
    String rows = "x,t,d\n1.5,%s,1.10\nnan,b,2.00\n,c,3\n-0.5,,4\n".formatted("a".repeat(100));
    String csv = file("nan.csv", rows).toString();
    String a40 = "a".repeat(40);
    assertEquals(
        List.of(
            "name type count missing nan min max mean std",
            "x double 4 1 1 -0.5 1.5 0.5 1.4142135623730951",
            "t varchar 4 1 %s c".formatted(a40),
            "d double 4 1.1 4 2.525 1.2526638282742368"),
        Stream.of(done("", "describe", csv).split(", "))
            .map(line -> line.replaceAll(" +", " "))
            .toList());
    String json = done("", "describe", csv, "--column=x", "--json");
    assertTrue(
        json.contains("\"missing\":1,\"nan\":1,\"min\":-0.5,\"max\":1.5,\"mean\":0.5"), json);
  }

  /** As float64 they would be other numbers. */
  @Test
  void wholeNumbersBesideFractionsAreHeld() throws IOException {
    for (String text :
        List.of("9007199254740993 0.5", "0.5 -9223372036854775809", "18446744073709551615")) {
      refused(ExitCode.FAILURE, "does not fit float64", text, false, "reduce", "-", "--op=max");
    }
    assertEquals("1e300", done("1e300 18446744073709551616", "reduce", "-", "--op=max", "--plain"));
  }

  @Test
  void convertKeepsNumbersOrRefusesThem() throws IOException {
    assertEquals("", done("1 2 300", false, "convert", "-", "--out=" + out("x.npy")));
    assertEquals("", done("", false, "convert", out("x.npy"), "--to=i2", "--out=" + out("y.bin")));
    assertEquals(6, Files.size(folder.resolve("y.bin")));
    assertEquals("303", done("", "reduce", out("y.bin"), "--type=i2", "--op=sum", "--plain"));
    refused(
        ExitCode.FAILURE,
        "element 2 is 300, which is no uint8",
        "",
        false,
        "convert",
        out("x.npy"),
        "--to=u1",
        "--out=" + out("z.npy"));
    refused(
        ExitCode.FAILURE,
        "element 2 is 300, but INT8 takes -128 to 127",
        "",
        false,
        "convert",
        out("x.npy"),
        "--to=i1",
        "--out=" + out("z.npy"));
    refused(
        ExitCode.FAILURE,
        "element 1 is 0.5, which is no int64",
        "1 0.5",
        false,
        "convert",
        "-",
        "--to=int64",
        "--out=" + out("z.npy"));
    for (String odd :
        List.of(
            "16777217 f4",
            "9007199254740993 f8",
            "-9223372036854775807 f8",
            "1e39 f4",
            "70000.5 f2",
            "65520 f2")) {
      String[] pair = odd.split(" ");
      refused(
          ExitCode.FAILURE,
          ", which is no ",
          "1 " + pair[0],
          false,
          "convert",
          "-",
          "--to=" + pair[1],
          "--out=" + out("z.npy"));
    }
    assertTrue(Files.notExists(folder.resolve("z.npy")));
    assertEquals("", done("1 0.1", false, "convert", "-", "--to=f2", "--out=" + out("h.npy")));
    assertEquals("", done("", false, "convert", out("h.npy"), "--out=" + out("h.txt")));
    assertEquals("1\n0.099975586\n", Files.readString(folder.resolve("h.txt")));
    refused(ExitCode.USAGE, "exists: --force", "1", false, "convert", "-", "--out=" + out("h.txt"));
    refused(
        ExitCode.USAGE,
        "formats take a table",
        "1",
        false,
        "convert",
        "-",
        "--out=" + out("h.csv"));
  }

  @Test
  void convertTables() throws IOException {
    DuckDb.require();
    String csv = file("sales.csv", SALES).toString();
    for (String name : List.of("t.parquet", "t.jsonl", "t.tsv")) {
      assertEquals("", done("", false, "convert", csv, "--out=" + out(name)));
      assertEquals(
          "", done("", false, "convert", out(name), "--force", "--out=" + out("back.csv")));
      assertEquals(SALES.replace(",1,", ",1.0,"), Files.readString(folder.resolve("back.csv")));
    }
    assertEquals(
        "",
        done(
            "",
            false,
            words(
                "convert %s --skip-missing --column price --out %s".formatted(csv, out("p.npy")))));
    assertEquals(
        "2", done("", words("histogram %s --bins 1 --range 0,9 --plain".formatted(out("p.npy")))));
    assertEquals("", done("", false, "convert", csv, "--missing=0", "--out=" + out("t.npz")));
    assertEquals(List.of("price"), Npz.names(folder.resolve("t.npz")));
    refused(ExitCode.USAGE, "name a .csv", "", false, "convert", csv, "--out=" + out("t.xls"));
    try (Stream<Path> files = Files.list(folder)) {
      assertTrue(files.noneMatch(file -> file.toString().endsWith(".part")));
    }
  }
}
