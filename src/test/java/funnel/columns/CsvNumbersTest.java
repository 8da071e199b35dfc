package funnel.columns;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plain numbers of CSV files, with the JDK's own conversions as the oracle. */
class CsvNumbersTest {

  private static final int MANY = Integer.MAX_VALUE - 8;

  @TempDir Path folder;

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("t.csv"), text);
  }

  private Optional<List<Column>> read(Path file, boolean hasNames, String... columns)
      throws IOException, SQLException {
    CsvFile csv = new CsvFile(file, "'" + file + "'", "", hasNames);
    try (Connection open = DriverManager.getConnection("jdbc:duckdb:")) {
      CsvNumbers plain = csv.reading(open, 0, false, null, "", columns).plain();
      return plain == null ? Optional.empty() : plain.read(MANY);
    }
  }

  private static String number(Random random) {
    List<Supplier<String>> forms =
        List.of(
            () -> String.valueOf(random.nextInt(1000) / 8.0),
            () -> String.valueOf(random.nextDouble()),
            () -> String.valueOf(random.nextGaussian() * 1e300),
            () -> String.valueOf(random.nextInt()),
            () -> "-0.0",
            () -> "-0",
            () -> random.nextLong() + "." + random.nextLong(Long.MAX_VALUE),
            () -> "0." + "0".repeat(random.nextInt(30)) + random.nextInt(1, 1 << 30),
            () -> random.nextInt(100) + "e" + random.nextInt(-330, 300),
            () -> "1.5E+" + random.nextInt(10));
    return forms.get(random.nextInt(forms.size())).get();
  }

  /** Lines that begin and end at all places of the parts that are read by themselves. */
  @ParameterizedTest
  @CsvSource({"1,\\n,true", "2,\\r\\n,true", "3,\\n,false"})
  void numbersOfSeveralParts(long seed, String named, boolean hasEnd)
      throws IOException, SQLException {
    String end = named.replace("\\r", "\r").replace("\\n", "\n");
    Random random = new Random(seed);
    int rows = 400_000;
    long[] keys = new long[rows];
    double[] values = new double[rows];
    StringBuilder text = new StringBuilder("key,name,value");
    for (int i = 0; i < rows; i++) {
      keys[i] = random.nextLong() >> random.nextInt(4, 64);
      String value = i == 0 ? "0.5" : number(random);
      values[i] = Double.parseDouble(value);
      text.append(end).append(keys[i]).append(',').append("ä".repeat(random.nextInt(9)));
      text.append("name").append(',').append(value);
    }
    Path file = write(text + (hasEnd ? end : ""));
    assertTrue(Files.size(file) > 10 << 20, "several parts");
    List<Column> read = read(file, true, "value", "key").orElseThrow();
    assertArrayEquals(keys, read.get(1).longs(0));
    assertArrayEquals(values, read.get(0).doubles(0));
    Rows all = Columns.csv(file).read("key", "value");
    assertArrayEquals(keys, all.longs("key"));
    assertArrayEquals(values, all.doubles("value"));
  }

  @Test
  void linesWithoutNames() throws IOException, SQLException {
    List<Column> read = read(write("1;2\n3;4\n"), false).orElseThrow();
    assertArrayEquals(new long[] {1, 3}, read.get(0).longs(0));
    assertArrayEquals(new long[] {2, 4}, read.get(1).longs(0));
  }

  /** After lines that tell DuckDB what the columns are. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2.5,1,x",
        "2.,1,x",
        "1e3,1,x",
        "+2,1,x",
        "007,1,x",
        "0x10,1,x",
        " 2,1,x",
        "2 ,1,x",
        ",1,x",
        "-,1,x",
        "12345678901234567890,1,x",
        "1,,x",
        "1,.5,x",
        "1,nan,x",
        "1,1e400,x",
        "1,1e,x",
        "1,1e+,x",
        "1,0x10,x",
        "1,1,\"x\"",
        "\"1\",1,x",
        "1,1",
        "1,1,x,2",
        "",
        "1,1,x\rx"
      })
  void whatIsNotPlainIsLeft(String line) throws IOException, SQLException {
    String lines = "a,b,c\n" + "1,0.5,x\n".repeat(30_000);
    assertEquals(30_000, read(write(lines), true, "a", "b").orElseThrow().getFirst().length());
    assertEquals(Optional.empty(), read(write(lines + line + "\n1,1,x\n"), true, "a", "b"));
    assertEquals(Optional.empty(), read(write(lines + line + "\n"), true, "a", "b"));
  }

  @Test
  void longLinesAreLeft() throws IOException, SQLException {
    String text = "a,b\n" + "1,x\n".repeat(1_000_000) + "2," + "y".repeat(1 << 20) + "\n3,x";
    assertEquals(Optional.empty(), read(write(text), true, "a"));
  }
}
