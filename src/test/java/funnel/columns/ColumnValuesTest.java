package funnel.columns;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.operator.ElementType;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TimeZone;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No value is changed on its way: it is read exactly, rounded where that is said, or refused. */
class ColumnValuesTest {

  /** More lines than those from which DuckDB infers the types of columns. */
  private static final int SAMPLE = 30_000;

  @TempDir Path folder;

  @BeforeEach
  void requireDriver() {
    DuckDb.require();
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("table.csv"), text);
  }

  /** Whole numbers, and then others. */
  private Columns late(String... fields) throws IOException {
    return Columns.csv(
        file("v,w\n" + "1,x\n".repeat(SAMPLE) + String.join(",y\n", fields) + ",y\n"));
  }

  private static ColumnException refused(String part, Executable call) {
    ColumnException e = assertThrows(ColumnException.class, call);
    assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
    return e;
  }

  @Test
  void lateFractionsAreNeitherRoundedNorLost() throws IOException {
    Columns table = late("2.5", "-0.7", "9007199254740993");
    double[] doubles = table.doubles("v");
    float[] floats = table.floats("v");
    double[] ofRows = table.read("v").doubles("v");
    for (double[] read : List.of(doubles, ofRows)) {
      assertEquals(1, read[SAMPLE - 1]);
      assertEquals(2.5, read[SAMPLE]);
      assertEquals(-0.7, read[SAMPLE + 1]);
      assertEquals(9007199254740992.0, read[SAMPLE + 2]);
    }
    assertEquals(-0.7f, floats[SAMPLE + 1]);
    assertEquals(-0.7f, table.read("v").floats("v")[SAMPLE + 1]);
    String where = "column 'v' has 2.5 in row 30000 (from 0), line 30002, which does not fit ";
    refused(where + "LONG: read it as doubles", () -> table.longs("v"));
    refused(where + "INT: read it as doubles", () -> table.ints("v"));
    refused(where + "LONG", () -> table.read("w", "v").longs("v"));
    refused(where + "LONG", () -> table.forEach(777, rows -> rows.longs("v"), "v"));
    assertEquals("2.5", table.strings("v").get(SAMPLE));
  }

  @Test
  void lateIntegersOfOtherForms() throws IOException {
    Columns table = late("1.0", "2e3", "007", "+5", "0x1F", " 6 ", "-9223372036854775808", "15e-1");
    long[] expected = {1, 2000, 7, 5, 31, 6, Long.MIN_VALUE};
    table.forEach(
        SAMPLE + expected.length,
        rows -> {
          if (rows.from() == 0) {
            long[] longs = rows.longs("v");
            double[] doubles = rows.doubles("v");
            for (int i = 0; i < expected.length; i++) {
              assertEquals(expected[i], longs[SAMPLE + i]);
              assertEquals(expected[i], doubles[SAMPLE + i]);
            }
          } else {
            assertArrayEquals(new double[] {1.5}, rows.doubles("v"));
          }
        },
        "v");
    double[] doubles = table.doubles("v");
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], doubles[SAMPLE + i]);
    }
    refused("has 1.5 in row 30007", () -> table.longs("v"));
    assertEquals("007", table.strings("v").get(SAMPLE + 2));
  }

  /** The oracle is BigDecimal; half of the numbers lie between two floats or near that. */
  @Test
  void numbersAreTheNearest() throws IOException {
    SplittableRandom random = Seed.random("nearest");
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      long bits = random.nextLong() >>> random.nextInt(64);
      fields.add(
          switch (i % 4) {
            case 0 -> bits + "." + random.nextInt(1_000_000);
            case 1 -> BigInteger.valueOf(bits).multiply(BigInteger.valueOf(3).pow(i % 40)) + "";
            case 2 -> new BigDecimal(Float.intBitsToFloat(random.nextInt(1 << 30))) + "1";
            default -> halfway(random);
          });
    }
    Columns table = late(fields.toArray(String[]::new));
    double[] doubles = table.doubles("v");
    float[] floats = table.floats("v");
    double[] doublesOfRows = table.read("v").doubles("v");
    float[] floatsOfRows = table.read("v").floats("v");
    for (int i = 0; i < fields.size(); i++) {
      BigDecimal exact = new BigDecimal(fields.get(i));
      String what = fields.get(i) + Seed.replay();
      assertEquals(exact.doubleValue(), doubles[SAMPLE + i], what);
      assertEquals(exact.floatValue(), floats[SAMPLE + i], what);
      assertEquals(exact.doubleValue(), doublesOfRows[SAMPLE + i], what);
      assertEquals(exact.floatValue(), floatsOfRows[SAMPLE + i], what);
    }
  }

  /** A little more or less than the middle of two floats, so that a double in between misleads. */
  private static String halfway(SplittableRandom random) {
    BigInteger middle = BigInteger.valueOf(random.nextInt(1 << 23, 1 << 24) * 2L + 1);
    return middle.shiftLeft(39).add(BigInteger.valueOf(random.nextInt(-1, 2))).toString();
  }

  @Test
  void integersOfMoreThan64BitsAreRounded() throws IOException {
    SplittableRandom random = Seed.random("big");
    List<String> values = new ArrayList<>(List.of("9223372036854775808", "18446744073709551615"));
    for (int i = 0; i < 200; i++) {
      values.add(i % 2 == 0 ? halfway(random) : Long.toUnsignedString(random.nextLong()));
    }
    Path csv = file("x\n" + String.join("\n", values) + "\n");
    for (Columns table :
        List.of(
            Columns.sql("SELECT unnest([%s])::UBIGINT x".formatted(String.join(", ", values))),
            Columns.sql("SELECT unnest([%s])::HUGEINT x".formatted(String.join(", ", values))),
            Columns.sql(
                "SELECT unnest(['%s'])::DECIMAL(38, 0) x".formatted(String.join("', '", values))),
            Columns.csv(csv))) {
      assertEquals(ElementType.LONG, table.type("x"));
      double[] doubles = table.doubles("x");
      float[] floats = table.read().floats("x");
      assertArrayEquals(floats, table.floats("x"));
      for (int i = 0; i < doubles.length; i++) {
        BigDecimal exact = new BigDecimal(values.get(i));
        assertEquals(exact.doubleValue(), doubles[i], values.get(i));
        assertEquals(exact.floatValue(), floats[i], values.get(i) + Seed.replay());
      }
      ColumnException e =
          refused("has 9223372036854775808 in row 0 (from 0)", () -> table.longs("x"));
      assertEquals(ElementType.DOUBLE, ((ColumnTypeException) e).other().orElseThrow());
    }
  }

  @Test
  void decimalsWithoutFractionsAreIntegers() throws IOException {
    Columns table =
        Columns.sql(
            "SELECT unnest([9007199254740993, NULL])::DECIMAL(18, 0) x, 1.5::DECIMAL(9, 1) y");
    assertEquals(ElementType.LONG, table.type("x"));
    assertEquals(ElementType.DOUBLE, table.type("y"));
    assertArrayEquals(new long[] {9007199254740993L, -1}, table.longs("x", -1));
    refused("DECIMAL(9,1), whose numbers may have fractions", () -> table.ints("y"));
  }

  @Test
  void whatIsNoNumberIsRefusedWithItsLine() throws IOException {
    Columns texts = late("NA");
    String where = "'NA' in row 30000 (from 0), line 30002, which is no number: ";
    refused(where, () -> texts.ints("v"));
    refused(where, () -> texts.doubles("v"));
    refused(where, () -> texts.read("v"));
    assertEquals("NA", texts.strings("v").get(SAMPLE));
    Columns large = late("1e400");
    refused(
        "'1e400' in row 30000 (from 0), line 30002, which does not fit DOUBLE",
        () -> large.ints("v"));
    refused(
        "'1e400' in row 30000 (from 0), line 30002, which does not fit DOUBLE",
        () -> large.doubles("v"));
    refused(
        "'1e400' in row 30000 (from 0), line 30002, which does not fit FLOAT",
        () -> large.floats("v"));
    Columns fractions = Columns.csv(file("v\n" + "0.5\n".repeat(SAMPLE) + "-1e999\n"));
    refused("line 30002, which does not fit DOUBLE", () -> fractions.read("v"));
    Columns infinite = late("inf", "-Infinity", "NaN");
    double[] expected = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN};
    for (double[] read : List.of(infinite.doubles("v"), infinite.read("v").doubles("v"))) {
      for (int i = 0; i < expected.length; i++) {
        assertEquals(expected[i], read[SAMPLE + i]);
      }
    }
    assertEquals(Float.NEGATIVE_INFINITY, infinite.read("v").floats("v")[SAMPLE + 1]);
    refused("has Infinity in row 30000", () -> infinite.longs("v"));
  }

  /** Rows are not lines where a field has line feeds, and empty lines are no rows. */
  @Test
  void linesAreThoseOfTheFile() throws IOException {
    Columns table = Columns.csv(file("v,w\n1,\"a\nb\"\n\n2,\"c \"\"\n\"\"\"\n3000000000,x\n"));
    assertEquals(3, table.count());
    refused("3000000000 in row 2 (from 0), line 7,", () -> table.ints("v"));
    Columns only = Columns.csv(file("v\n1\n\n3000000000\n"));
    refused("row 2 (from 0), line 4,", () -> only.ints("v", 0));
  }

  /** Booleans, dates, times and numbers are not read and written again. */
  @Test
  void textIsThatOfTheFile() throws IOException {
    List<String> names = List.of("b", "d", "t", "z", "n", "q", "e");
    List<String> first =
        List.of("True", "13/02/2020", "7:05", "2020-01-01T00:00:00.123456789Z", "0.10", "x", "");
    List<String> last = List.of("t", "1/3/2020", "noon", "never", "00", "\"y, \"\"z\"", "none");
    String text =
        String.join(",", names)
            + "\n"
            + (String.join(",", first) + "\n").repeat(SAMPLE)
            + String.join(",", last)
            + "\n";
    Columns table = Columns.csv(file(text));
    List<String> expected = List.of("t", "1/3/2020", "noon", "never", "00", "y, \"z", "none");
    for (int i = 0; i < names.size(); i++) {
      List<String> read = table.strings(names.get(i), "");
      assertEquals(first.get(i), read.getFirst());
      assertEquals(expected.get(i), read.get(SAMPLE));
    }
    Rows rows = table.read("z", "d");
    assertEquals(first.get(3), rows.strings("z").getFirst());
    assertEquals(last.get(1), rows.strings("d").get(SAMPLE));
  }

  /** Which a time zone skips, and others. */
  @Test
  void timesDoNotDependOnTheTimeZone() throws IOException {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
    try {
      assertEquals(
          List.of("2020-03-29T02:30", "2020-03-29T03:30:00.000001", "none"),
          Columns.sql(
                  "SELECT unnest(['2020-03-29 02:30', '2020-03-29 03:30:00.000001',"
                      + " NULL])::TIMESTAMP t")
              .strings("t", "none"));
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id,name;1,2;4,5,6     | line 3 has 3 fields, not 2",
        "id,name;1,2;4         | line 3 has 1 field, not 2",
        "id,name,x;1,2;4,3     | line 2 has 2 fields, not 3",
        "id,name;1,2,3;4,3,5   | line 2 has 3 fields, not 2",
        "id,name;'\"a,;b\",2';3 | line 4 has 1 field, not 2",
      })
  void raggedLinesAreNamed(String lines, String message) throws IOException {
    String text = lines.replace("'", "").replace(';', '\n') + "\n";
    Columns table = Columns.csv(file(text));
    refused(message, () -> table.ints("name"));
    refused(message, () -> table.type("name"));
    refused(message, () -> table.read("id"));
  }

  @Test
  void oneColumnMayHaveSeparatorsInItsName() throws IOException {
    assertArrayEquals(new int[] {1, 2}, Columns.csv(file("a|b\n1\n2\n")).ints("a|b"));
    refused("there are 'a, b'", () -> Columns.csv(file("\"a, b\"\n1\n2\n")).ints("a"));
  }

  private static final Pattern SQL =
      Pattern.compile("(?:take|rounded,) (\\w+\\(.+\\)) in a query(, and read it as longs)?");

  /** What a message says to take in a query is taken, for every type of column and of array. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "DATE '2020-02-29'",
        "TIME '12:30:00'",
        "TIMESTAMP '2020-02-29 12:30:00'",
        "TIMESTAMP_S '2020-02-29 12:30:00'",
        "TIMESTAMP_MS '2020-02-29 12:30:00'",
        "TIMESTAMP_NS '2020-02-29 12:30:00.123456789'",
        "'12:30:00'::TIME_NS",
        "'12:30:00+01'::TIMETZ",
        "TIMESTAMPTZ '2020-02-29 12:30:00+01'",
        "INTERVAL '3 days'",
        "'12'",
        "'12'::ENUM('12')",
        "true",
        "2.5::FLOAT",
        "2.5::DOUBLE",
        "2.5::DECIMAL(9, 1)",
        "7",
        "7::UBIGINT",
        "'x'::BLOB",
        "uuid()",
        "[1, 2]",
        "{'a': 1}",
      })
  void adviceIsValid(String value) throws IOException {
    Columns table = Columns.sql("SELECT %s AS \"a \"\"b\"\"\"".formatted(value));
    String name = "a \"b\"";
    Rows rows = table.read();
    List<Executable> calls =
        List.of(
            () -> rows.ints(name),
            () -> rows.longs(name),
            () -> rows.floats(name),
            () -> rows.doubles(name),
            () -> rows.strings(name));
    for (int call = 0; call < calls.size(); call++) {
      try {
        calls.get(call).execute();
      } catch (ColumnTypeException e) {
        Matcher advice = SQL.matcher(String.valueOf(e.getMessage()));
        if (!advice.find()) {
          assertTrue(value.matches(".*(BLOB|uuid|\\[|\\{).*"), e.getMessage());
          continue;
        }
        Columns query =
            Columns.sql("SELECT %s AS y FROM (%s)".formatted(advice.group(1), query(value)));
        switch (advice.group(2) == null ? call : 1) {
          case 0 -> assertEquals(1, query.ints("y").length);
          case 1 -> assertEquals(1, query.longs("y").length);
          case 2 -> assertEquals(1, query.floats("y").length);
          case 3 -> assertEquals(1, query.doubles("y").length);
          default -> assertEquals(1, query.strings("y").size());
        }
        assertFalse(e.problem().contains("(\""), e.problem());
      } catch (Throwable e) {
        throw new AssertionError(value, e);
      }
    }
  }

  private static String query(String value) {
    return "SELECT %s AS \"a \"\"b\"\"\"".formatted(value);
  }

  @Test
  void linesOfParquetFilesAreNotLookedFor() throws IOException, SQLException {
    Path parquet = folder.resolve("t.parquet");
    DuckDb.run("COPY (SELECT unnest([1, 3000000000]) x) TO '%s'".formatted(parquet));
    refused("in row 1 (from 0), which does", () -> Columns.parquet(parquet).ints("x"));
  }
}
