package funnel.columns;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.Seed;
import funnel.group.Dictionary;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnsTest {

  @TempDir Path folder;

  @BeforeEach
  void requireDriver() {
    DuckDb.require();
  }

  private Path file(String name, String... lines) throws IOException {
    return Files.writeString(folder.resolve(name), String.join("\n", lines) + "\n");
  }

  private Columns csv(String... lines) throws IOException {
    return Columns.csv(file("table.csv", lines));
  }

  private static <E extends Throwable> void refused(Class<E> type, String part, Executable call) {
    String message = String.valueOf(assertThrows(type, call).getMessage());
    assertTrue(message.contains(part), message);
  }

  @Test
  void columnsOfCsv() throws IOException {
    Columns table = csv("key,price,name", "7,3.5,x", "-9,4,\"y, z\"", "7,1e3,\"\"\"\"");
    assertEquals(List.of("key", "price", "name"), table.names());
    assertEquals(3, table.count());
    assertArrayEquals(new int[] {7, -9, 7}, table.ints("key"));
    assertArrayEquals(new long[] {7, -9, 7}, table.longs("key"));
    assertArrayEquals(new float[] {7, -9, 7}, table.floats("key"));
    assertArrayEquals(new double[] {7, -9, 7}, table.doubles("key"));
    assertArrayEquals(new float[] {3.5f, 4, 1000}, table.floats("price"));
    assertArrayEquals(new double[] {3.5, 4, 1000}, table.doubles("price"));
    assertEquals(List.of("x", "y, z", "\""), table.strings("name"));
    assertEquals(ElementType.LONG, table.type("key"));
    assertEquals(ElementType.DOUBLE, table.type("price"));
  }

  @Test
  void otherSeparatorsAndNoLastLineFeed() throws IOException {
    Path file = Files.writeString(folder.resolve("semicolon.csv"), "a;b\r\n1;2,5\r\n3;4");
    assertArrayEquals(new int[] {1, 3}, Columns.csv(file).ints("a"));
  }

  @Test
  void aFileMayChangeBetweenCalls() throws IOException {
    Path file = file("table.csv", "a,b", "1,2");
    Columns table = Columns.csv(file);
    assertArrayEquals(new int[] {1}, table.ints("a"));
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60)));
    assertArrayEquals(new int[] {2}, table.ints("b"));
    Path _ = file("table.csv", "c;d", "3;4");
    assertEquals(List.of("c", "d"), table.names());
    assertArrayEquals(new int[] {4}, table.ints("d"));
  }

  @Test
  void filesWithoutNames() throws IOException {
    Columns table = Columns.csv(file("t.txt", "7:x", "3000000000:y", "z:"), ":", false);
    assertEquals(List.of("column0", "column1"), table.names());
    assertEquals(List.of("7", "3000000000", "z"), table.strings("column0"));
    Columns late = Columns.csv(file("late.csv", "1\n".repeat(30_000) + "x"), "", false);
    refused(ColumnTypeException.class, "line 30001", () -> late.ints("column0"));
    refused(
        ColumnException.class,
        "is empty",
        () -> Columns.csv(Files.createFile(folder.resolve("none")), "", false).names());
  }

  @Test
  void linesOfJson() throws IOException {
    Columns table =
        Columns.json(file("t.jsonl", "{\"a\": 1, \"s\": \"x\"}", "{\"s\": null, \"a\": 2.5}"));
    assertArrayEquals(new double[] {1, 2.5}, table.doubles("a"));
    assertEquals(List.of("x", "none"), table.strings("s", "none"));
  }

  @Test
  void rowsWithValuesOnly() throws IOException, SQLException {
    Columns csv = csv("a,b,c", "1,,x", ",2,y", "3,4,", "5,0.5,z");
    Path parquet = folder.resolve("p.parquet");
    DuckDb.run("COPY (FROM '%s') TO '%s' (FORMAT parquet)".formatted(csv, parquet));
    Columns query = Columns.sql("FROM '%s'".formatted(parquet));
    for (Columns table : List.of(csv, Columns.parquet(parquet), query)) {
      assertArrayEquals(new int[] {1, 3, 5}, table.present("a").ints("a"));
      assertArrayEquals(new double[] {4, 0.5}, table.present("a", "b").doubles("b"));
      assertEquals(List.of("", "z"), table.present("b", "a").strings("c", ""));
      assertEquals(2, table.present("a", "b").count());
      assertEquals(2, Columns.sql("FROM " + table.present("a", "b").expression()).count());
      assertEquals(4, Columns.sql("FROM " + table.expression()).count());
    }
  }

  @Test
  void tablesWithoutRows() throws IOException {
    Columns empty = csv("a,b");
    assertEquals(0, empty.count());
    assertEquals(List.of(), empty.strings("a"));
    assertEquals(0, empty.read().length());
    assertEquals(0, Columns.sql("SELECT 1 AS a WHERE false").ints("a").length);
    refused(
        ColumnException.class,
        "is empty",
        () -> Columns.csv(Files.createFile(folder.resolve("empty.csv"))).ints("a"));
  }

  @Test
  void numbersOfAllTypes() throws IOException {
    Rows rows =
        Columns.sql(
                "SELECT -1::TINYINT a, -2::SMALLINT b, -3 c, -4::BIGINT d, 200::UTINYINT e,"
                    + " 60000::USMALLINT f, 4000000000::UINTEGER g, 8::UBIGINT h, -9::HUGEINT i,"
                    + " 0.1::FLOAT j, 0.1::DOUBLE k, 1.25::DECIMAL(9, 2) l, DATE '2020-02-29' m,"
                    + " true n, 9007199254740993 o")
            .read();
    assertEquals(15, rows.names().size());
    int[] expected = {-1, -2, -3, -4, 200, 60000};
    for (int i = 0; i < expected.length; i++) {
      assertArrayEquals(new int[] {expected[i]}, rows.ints(rows.names().get(i)));
      assertArrayEquals(new double[] {expected[i]}, rows.doubles(rows.names().get(i)));
      assertArrayEquals(new float[] {expected[i]}, rows.floats(rows.names().get(i)));
    }
    assertArrayEquals(new long[] {4_000_000_000L}, rows.longs("g"));
    assertArrayEquals(new int[] {8}, rows.ints("h"));
    assertArrayEquals(new long[] {-9}, rows.longs("i"));
    assertArrayEquals(new float[] {0.1f}, rows.floats("j"));
    assertArrayEquals(new double[] {0.1f}, rows.doubles("j"));
    assertArrayEquals(new float[] {0.1f}, rows.floats("k"));
    assertArrayEquals(new double[] {1.25}, rows.doubles("l"));
    assertEquals(List.of("2020-02-29"), rows.strings("m"));
    assertEquals(List.of("true"), rows.strings("n"));
    assertArrayEquals(new float[] {9007199254740993L}, rows.floats("o"));
  }

  @Test
  void noInfinityComesFromANumber() throws IOException {
    Columns table = Columns.sql("SELECT unnest(['inf', '-inf', 'nan', '-0.0'])::DOUBLE x");
    float[] floats = {Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN, -0.0f};
    assertArrayEquals(floats, table.floats("x"));
    refused(
        ColumnTypeException.class,
        "has 1.0E300 in row 1 (from 0), which does not fit FLOAT: read it as doubles",
        () -> Columns.sql("SELECT unnest([1, 1e300]) x").floats("x"));
  }

  @Test
  void whatFitsNoTypeIsRefusedWithItsRow() throws IOException {
    Columns table = csv("a,b", "1,x", "3000000000,y");
    refused(
        ColumnTypeException.class,
        "column 'a' has 3000000000 in row 1 (from 0), line 3, which does not fit INT: read it as"
            + " longs",
        () -> table.ints("a"));
    refused(ColumnTypeException.class, "is of type BIGINT", () -> table.read("a").strings("a"));
    refused(ColumnTypeException.class, "column 'b' is of type VARCHAR", () -> table.floats("b"));
    refused(ColumnTypeException.class, "has no numbers", () -> table.ints("b"));
    refused(ColumnTypeException.class, "has no numbers", () -> table.type("b"));
    refused(ColumnTypeException.class, "DOUBLE", () -> csv("a", "1.5").ints("a"));
    refused(ColumnTypeException.class, "DOUBLE", () -> csv("a", "1.5").longs("a"));
    refused(
        ColumnTypeException.class,
        "has 18446744073709551615 in row 0 (from 0), which does not fit LONG: read it as doubles",
        () -> Columns.sql("SELECT 18446744073709551615::UBIGINT x").longs("x"));
  }

  @Test
  void missingValues() throws IOException {
    Columns table = csv("a,b,c", "1,1.5,x", "2,,\"\"", ",2.5,");
    refused(
        MissingValueException.class,
        "column 'a' has no value in row 2 (from 0): give a value for missing ones, "
            + "ints(\"a\", -1)",
        () -> table.ints("a"));
    refused(MissingValueException.class, "row 2", () -> table.longs("a"));
    refused(MissingValueException.class, "row 1", () -> table.floats("b"));
    refused(MissingValueException.class, "row 1", () -> table.doubles("b"));
    refused(MissingValueException.class, "row 2", () -> table.strings("c"));
    assertArrayEquals(new int[] {1, 2, -1}, table.ints("a", -1));
    assertArrayEquals(new long[] {1, 2, -1}, table.longs("a", -1));
    assertArrayEquals(new float[] {1.5f, Float.NaN, 2.5f}, table.floats("b", Float.NaN));
    assertArrayEquals(new double[] {1.5, 7, 2.5}, table.doubles("b", 7));
    assertEquals(List.of("x", "", "nothing"), table.strings("c", "nothing"));
    Columns floats = Columns.sql("SELECT unnest([1, NULL])::FLOAT x");
    assertArrayEquals(new float[] {1, 9}, floats.floats("x", 9));
    refused(MissingValueException.class, "row 1", () -> floats.floats("x"));
    Columns big = Columns.sql("SELECT unnest([1, NULL])::HUGEINT x");
    assertArrayEquals(new long[] {1, 9}, big.longs("x", 9));
  }

  @Test
  void aTextIsNoNumberWhateverIsMissing() throws IOException {
    Columns table = csv("a,b", "x,1", ",2");
    refused(ColumnTypeException.class, "has no numbers", () -> table.ints("a"));
    refused(MissingValueException.class, "row 1", () -> table.strings("a"));
  }

  @Test
  void whatIsNotThere() throws IOException {
    Columns none = Columns.parquet(folder.resolve("none.parquet"));
    refused(NoSuchFileException.class, "the file does not exist", none::read);
    refused(NoSuchFileException.class, "not a regular file", () -> Columns.csv(folder).count());
    Columns table = csv("a,b", "1,2");
    refused(
        NoSuchColumnException.class,
        "has no column 'c'; there are 'a', 'b'",
        () -> table.read("a", "c"));
    refused(NoSuchColumnException.class, "are 'a'", () -> table.read("a").ints("b"));
    refused(NoSuchColumnException.class, "the query", () -> Columns.sql("SELECT 1 x").ints("y"));
    refused(
        ColumnException.class,
        "two or more columns 'x'",
        () -> Columns.sql("SELECT 1 x, 2 x").read().ints("x"));
    refused(IllegalArgumentException.class, "most=0", () -> table.forEach(0, rows -> {}));
  }

  @Test
  void malformedFilesAreRefused() throws IOException {
    Path text = file("text.parquet", "no", "parquet");
    refused(ColumnException.class, "text.parquet", () -> Columns.parquet(text).read());
    List<String> lines = new ArrayList<>(List.of("a,b"));
    lines.addAll(java.util.Collections.nCopies(30_000, "1,2"));
    lines.add("3");
    Columns ragged = csv(lines.toArray(String[]::new));
    refused(ColumnException.class, "line 30002 has 1 field, not 2", () -> ragged.ints("a"));
    lines.set(30_001, "x,2");
    Columns wrong = csv(lines.toArray(String[]::new));
    refused(ColumnException.class, "'x' in row 30000 (from 0), line 30002", () -> wrong.ints("a"));
    refused(
        NoSuchColumnException.class, "'# made by", () -> csv("# made by me", "a", "1").ints("a"));
  }

  @Test
  void anErrorInTheMiddleOfALargeFileIsSeen() throws IOException {
    byte[] line = "1,2\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    Path file = folder.resolve("late.csv");
    try (var out = new java.io.BufferedOutputStream(Files.newOutputStream(file))) {
      out.write("a,b\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      for (int i = 0; i < 2_000_000; i++) {
        out.write(
            i == 1_900_000 ? "x,2\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII) : line);
      }
    }
    refused(ColumnException.class, "line 1900002", () -> Columns.csv(file).ints("a"));
  }

  @Test
  void mistakesInQueriesHaveTheirReason() {
    refused(ColumnException.class, "syntax error", () -> Columns.sql("SELEC 1").read());
    refused(
        ColumnException.class,
        "out of range",
        () -> Columns.sql("SELECT CAST(9999999999 AS INTEGER) x").ints("x"));
  }

  @Test
  void namesThatNeedQuotes() throws IOException, SQLException {
    Path file = file("we[ir]d*'s?.csv", "a \"b\",c", "1,2");
    Files.copy(file, folder.resolve("weird*'s?.csv")); // what a pattern would find
    assertEquals(1, Columns.csv(file).count());
    Path quoted = file("quoted.csv", "\"a \"\"b\"\"\",\"c, d\"", "1,2");
    assertArrayEquals(new int[] {1}, Columns.csv(quoted).ints("a \"b\""));
    Path parquet = folder.resolve("key=3.parquet");
    DuckDb.run("COPY (FROM '%s') TO '%s'".formatted(quoted, parquet));
    assertEquals(List.of("a \"b\"", "c, d"), Columns.parquet(parquet).names());
    assertArrayEquals(new int[] {2}, Columns.parquet(parquet).ints("c, d"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 999, 1000, 1001, 1 << 20})
  void piecesAreTheRowsInOrder(int most) throws IOException {
    int length = most == 1 ? 5 : 3000;
    SplittableRandom random = Seed.random("pieces of " + most);
    int[] keys = random.ints(length).toArray();
    List<String> lines = new ArrayList<>(List.of("key,row"));
    for (int i = 0; i < length; i++) {
      lines.add(keys[i] + "," + (i == length - 1 ? "" : i));
    }
    Columns table = csv(lines.toArray(String[]::new));
    List<Integer> lengths = new ArrayList<>();
    List<Integer> read = new ArrayList<>();
    table.forEach(
        most,
        rows -> {
          assertEquals(read.size(), rows.from());
          lengths.add(rows.length());
          Arrays.stream(rows.ints("key")).forEach(read::add);
          int[] numbers = rows.ints("row", length - 1);
          for (int i = 0; i < numbers.length; i++) {
            assertEquals(rows.from() + i, numbers[i]);
          }
        },
        "row",
        "key");
    assertEquals(Arrays.stream(keys).boxed().toList(), read);
    assertEquals(Math.ceilDiv(length, most), lengths.size());
    assertTrue(lengths.subList(0, lengths.size() - 1).stream().allMatch(each -> each == most));
    refused(
        MissingValueException.class,
        "row " + (length - 1),
        () -> table.forEach(most, rows -> rows.ints("row")));
  }

  /** Texts as DuckDB has them: up to 12 bytes in place, longer ones elsewhere, some missing. */
  @ParameterizedTest
  @ValueSource(ints = {1000, 4096, 1 << 20})
  void encodedTextsAreTheTexts(int most) throws IOException, SQLException {
    Path file = folder.resolve("texts.parquet");
    String query =
        "SELECT CASE WHEN i % 11 = 0 THEN '' WHEN i % 7 = 0 THEN NULL"
            + " ELSE repeat('\u00e4b', CAST(i % 9 AS INTEGER)) || (i * 31 % 50) END AS s, i AS n"
            + " FROM range(10000) t(i)";
    DuckDb.run("COPY (" + query + ") TO '" + file + "'");
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      expected.add(i % 11 == 0 ? "" : i % 7 == 0 ? "none" : "\u00e4b".repeat(i % 9) + i * 31 % 50);
    }
    List<String> found = new ArrayList<>();
    List<String> strings = new ArrayList<>();
    Columns.parquet(file)
        .forEach(
            most,
            rows -> {
              Dictionary.Encoded<String> encoded = rows.encoded("s", "none");
              assertEquals(
                  encoded.dictionary().items(),
                  encoded.dictionary().items(encoded.keys()).stream().distinct().toList());
              found.addAll(encoded.dictionary().items(encoded.keys()));
              strings.addAll(rows.strings("s", "none"));
              refused(MissingValueException.class, "column 's'", () -> rows.encoded("s"));
              refused(ColumnTypeException.class, "texts of numbers", () -> rows.encoded("n"));
            });
    assertEquals(expected, found);
    assertEquals(expected, strings);
    Dictionary.Encoded<String> whole = Columns.sql(query.replace("NULL", "'none'")).encoded("s");
    assertEquals(expected, whole.dictionary().items(whole.keys()));
  }

  /** An error in the middle of a file, after pieces have been read. */
  @Test
  void errorsAfterManyRowsAreNoEnd() throws IOException {
    Path file = folder.resolve("late.csv");
    try (java.io.BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("a,b\n");
      for (int i = 0; i < 1_500_000; i++) {
        out.write(i == 1_400_000 ? "x,1,2\n" : "x" + i + "," + i + "\n");
      }
    }
    List<Integer> read = new ArrayList<>();
    refused(
        ColumnException.class,
        "line 1400002 has 3 fields, not 2",
        () -> Columns.csv(file).forEach(1000, rows -> read.add(rows.length())));
    assertTrue(read.size() <= 1400, () -> "pieces=" + read.size());
  }

  @Test
  void largeParquetFilesComeInOrder() throws IOException, SQLException {
    int length = 700_000;
    Path file = folder.resolve("large.parquet");
    DuckDb.run(
        "COPY (SELECT i::INTEGER AS i, i / 4.0 AS x, 'k' || i %% 3 AS s FROM range(%s) t(i)) TO '%s'"
                .formatted(length, file)
            + " (ROW_GROUP_SIZE 20480)");
    Columns table = Columns.parquet(file);
    assertEquals(length, table.count());
    assertArrayEquals(IntStream.range(0, length).toArray(), table.ints("i"));
    Rows rows = table.read("s", "x");
    List<String> strings = rows.strings("s");
    double[] doubles = rows.doubles("x");
    for (int i = 0; i < length; i++) {
      assertEquals("k" + i % 3, strings.get(i));
      assertEquals(i / 4.0, doubles[i]);
    }
    long sum =
        Arrays.stream(Columns.sql("SELECT sum(i) s FROM '%s'".formatted(file)).longs("s")).sum();
    assertEquals((length - 1L) * length / 2, sum);
  }

  @Test
  void aConnectionOfTheCallersStaysOpen() throws IOException, SQLException {
    try (Connection connection = DriverManager.getConnection(DuckDb.URL)) {
      try (var statement = connection.createStatement()) {
        var _ = statement.execute("CREATE TABLE t AS SELECT unnest([3, 1, 4]) x");
      }
      Columns table = Columns.of(connection, "SELECT x FROM t");
      assertEquals(3, table.count());
      assertArrayEquals(new int[] {3, 1, 4}, table.ints("x"));
      assertArrayEquals(new int[] {3, 1, 4}, table.ints("x"));
    }
  }

  @Test
  void withoutTheDriver() throws SQLException {
    Driver driver = DriverManager.getDriver(DuckDb.URL);
    DriverManager.deregisterDriver(driver);
    try {
      refused(
          DuckDbUnavailableException.class, Columns.DRIVER, () -> Columns.sql("SELECT 1").read());
    } finally {
      DriverManager.registerDriver(driver);
    }
  }

  @Test
  void theDriverIsThatOfTheBuild() throws IOException {
    Path pom = Path.of("pom.xml");
    assumeTrue(Files.exists(pom), "the sources are not here");
    String version = Columns.DRIVER.substring(Columns.DRIVER.lastIndexOf(':') + 1);
    assertTrue(
        Files.readString(pom).contains("<duckdb.version>%s</duckdb.version>".formatted(version)));
  }

  /** Files that several threads read. */
  @ParameterizedTest
  @ValueSource(strings = {"csv", "parquet"})
  void largeFiles(String format) throws IOException, SQLException {
    int length = 300_000;
    Path file = folder.resolve("large." + format);
    DuckDb.run(
        ("COPY (SELECT i::INTEGER AS i, i * 10000000000 AS l, i / 3 AS d, (i / 4)::FLOAT AS f,"
                + " CASE WHEN i %% 7 <> 0 THEN i END AS gaps, i::UINTEGER AS u,"
                + " (i %% 100)::TINYINT AS b, 't' || (i * 7919 %% 100003) AS t,"
                + " CASE WHEN i %% 5 <> 0 THEN 'a text of some length ' || i // 1000 END AS s"
                + " FROM range(%s) t(i)) TO '%s' (FORMAT %s)")
            .formatted(length, file, format));
    Columns table = format.equals("csv") ? Columns.csv(file) : Columns.parquet(file);
    int[] i = table.ints("i");
    long[] l = table.longs("l");
    double[] d = table.doubles("d");
    float[] f = table.floats("f");
    int[] gaps = table.ints("gaps", -1);
    long[] u = table.longs("u");
    int[] b = table.ints("b");
    Rows texts = table.read("s", "t", "i");
    Dictionary.Encoded<String> t = texts.encoded("t");
    List<String> s = texts.strings("s", "none");
    assertArrayEquals(i, texts.ints("i"));
    assertEquals(length, i.length);
    for (int row = 0; row < length; row++) {
      assertEquals(row, i[row]);
      assertEquals(row * 10_000_000_000L, l[row]);
      assertEquals(row / 3.0, d[row]);
      assertEquals(row / 4f, f[row]);
      assertEquals(row % 7 == 0 ? -1 : row, gaps[row]);
      assertEquals(row, u[row]);
      assertEquals(row % 100, b[row]);
      assertEquals(row < 100_003 ? row : t.keys()[row - 100_003], t.keys()[row]);
      assertEquals(row % 5 == 0 ? "none" : "a text of some length " + row / 1000, s.get(row));
    }
    assertEquals(
        IntStream.range(0, 100_003).mapToObj(k -> "t" + k * 7919L % 100_003).toList(),
        t.dictionary().items());
    refused(MissingValueException.class, "row 0", () -> table.ints("gaps"));
    Columns present = table.present("gaps");
    assertEquals(length - length / 7 - 1, present.ints("i").length);
    assertArrayEquals(present.ints("gaps"), present.ints("i"));
    List<Integer> lengths = new ArrayList<>();
    table.forEach(
        1 << 17,
        rows -> {
          assertEquals((long) lengths.size() << 17, rows.from());
          lengths.add(rows.length());
          int first = (int) rows.from();
          assertEquals(first, rows.ints("i")[0]);
          assertEquals(first % 7 == 0 ? -1 : first, rows.ints("gaps", -1)[0]);
          assertEquals(first + 1, rows.longs("i")[1]);
          assertEquals(first + 1, rows.doubles("i")[1]);
          assertEquals(first + 1, rows.floats("i")[1]);
          refused(MissingValueException.class, "row", () -> rows.numbers("gaps"));
          MemorySegment numbers = rows.numbers("i");
          assertEquals(
              first + 1L,
              numbers.byteSize() == 4L * rows.length()
                  ? numbers.get(ValueLayout.JAVA_INT, 4)
                  : numbers.get(ValueLayout.JAVA_LONG, 8));
        },
        "gaps",
        "i");
    assertEquals(List.of(1 << 17, 1 << 17, length - (1 << 18)), lengths);
  }

  /** Files that are read at the same time, and one whose contents change between readings. */
  @ParameterizedTest
  @ValueSource(strings = {"csv", "parquet"})
  void largeFilesAtTheSameTime(String format) throws IOException, SQLException {
    int length = 150_000;
    int files = 4;
    for (int turn = 0; turn < 2; turn++) {
      for (int k = 0; k < files; k++) {
        DuckDb.run(
            ("COPY (SELECT i + %s AS a, 'text number ' || (i %% %s) AS t FROM range(%s) t(i)) TO"
                    + " '%s' (FORMAT %s)")
                .formatted(
                    turn + k,
                    100 + k,
                    length,
                    folder.resolve("%s.%s".formatted(k, format)),
                    format));
      }
      int first = turn;
      List<Integer> different =
          IntStream.range(0, 2 * files)
              .parallel()
              .filter(
                  i -> {
                    int k = i % files;
                    Path file = folder.resolve("%s.%s".formatted(k, format));
                    try {
                      Rows rows =
                          (format.equals("csv") ? Columns.csv(file) : Columns.parquet(file))
                              .read("t", "a");
                      Dictionary.Encoded<String> texts = rows.encoded("t");
                      long[] a = rows.longs("a");
                      return texts.dictionary().size() != 100 + k
                          || a.length != length
                          || IntStream.range(0, length)
                              .anyMatch(
                                  row ->
                                      a[row] != row + first + k
                                          || texts.keys()[row] != row % (100 + k));
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  })
              .boxed()
              .toList();
      assertEquals(List.of(), different);
    }
  }

  @Test
  void largeFilesOfOtherFormats() throws IOException, SQLException {
    int length = 300_000;
    Path json = folder.resolve("large.json");
    DuckDb.run("COPY (SELECT i FROM range(%s) t(i)) TO '%s' (FORMAT json)".formatted(length, json));
    assertArrayEquals(IntStream.range(0, length).toArray(), Columns.json(json).ints("i"));
    Path tabs = folder.resolve("large.tsv");
    DuckDb.run(
        "COPY (SELECT i, 2 * i FROM range(%s) t(i)) TO '%s' (DELIMITER '\t', HEADER false)"
            .formatted(length, tabs));
    assertArrayEquals(
        IntStream.range(0, length).map(i -> 2 * i).toArray(),
        Columns.csv(tabs, "\t", false).ints("column1"));
  }

  /** Numbers of a large CSV file that its first lines do not promise. */
  @ParameterizedTest
  @ValueSource(
      strings = {"2.5", "2.99999999999999999999", "1e3", "1e400", "9223372036854775808", "x"})
  void largeFilesWithOddFields(String odd) throws IOException {
    StringBuilder lines = new StringBuilder("a,b\n");
    for (int i = 0; i < 100_000; i++) {
      lines.append(i).append(',').append(i).append(".5\n");
    }
    lines.append(odd).append(',').append(odd).append("\n9,7\n");
    Columns table = Columns.csv(Files.writeString(folder.resolve("odd.csv"), lines));
    if (odd.equals("1e3")) {
      assertEquals(1000, table.ints("a")[100_000]);
    } else {
      refused(ColumnTypeException.class, "line 100002", () -> table.longs("a"));
    }
    if (odd.equals("1e400") || odd.equals("x")) {
      refused(ColumnTypeException.class, "line 100002", () -> table.doubles("b"));
    } else {
      assertEquals(Double.parseDouble(odd), table.doubles("b")[100_000]);
    }
  }
}
