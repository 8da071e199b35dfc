package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Funnel;
import funnel.emulator.EmulatorEngine;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.scan.ScanForm;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples of scans do what they say. */
class ScanSnippetsTest {

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void scan(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(List.of(100L, 103L, 104L, 108L, 109L, 114L), ScanSnippets.starts(funnel));
      assertArrayEquals(
          new int[] {9, 10, 26}, ScanSnippets.sumsOfSquares(funnel, new int[] {3, 1, 4}));
      int[] values = {3, 1, 4, 1, 5};
      assertArrayEquals(new int[] {4, 10}, ScanSnippets.sums(funnel, values, new int[] {2, 3}));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void form(Target target) {
    int[] values = IntStream.range(0, 20_000).map(i -> i * i).toArray();
    int[] expected = values.clone();
    Arrays.parallelPrefix(expected, Integer::sum);
    try (Funnel funnel = Funnel.open(target)) {
      Map<ScanForm, int[]> results = ScanSnippets.byForm(funnel, values);
      assertArrayEquals(expected, results.get(ScanForm.REDUCE_THEN_SCAN));
      assertArrayEquals(expected, results.get(ScanForm.SINGLE_PASS));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void variant(Target target) {
    long[] values = LongStream.range(0, 3000).map(i -> i << 40).toArray();
    long[] expected = values.clone();
    Arrays.parallelPrefix(expected, Long::sum);
    try (Funnel funnel = Funnel.open(target)) {
      Map<String, long[]> results = ScanSnippets.byVariant(funnel, values);
      assertEquals(
          List.of("hillis-steele", "blelloch", "scan-then-propagate", "chained"),
          List.copyOf(results.keySet()));
      results.forEach((label, totals) -> assertArrayEquals(expected, totals, label));
    }
  }

  @Test
  void step() {
    try (Engine jvm = new JvmEngine();
        Engine emulator = new EmulatorEngine()) {
      for (Engine engine : List.of(jvm, emulator)) {
        ScanSnippets.Totals totals = ScanSnippets.expand(engine);
        assertArrayEquals(new int[] {3, 4, 8}, totals.running());
        assertEquals(8, totals.total());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void offsets(Target target) {
    int[] values = {3, 1, 4, 1, 5};
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals("[3, 4, 4, 5, 5]", ScanSnippets.totals(funnel, values, new int[] {0, 2, 4}));
      assertEquals(
          "cannot read the table: segments of totals by offsets offsets: offset[2]=2, previous"
              + " offset=4, length=5; offsets ascend from 0 to the length",
          ScanSnippets.totals(funnel, values, new int[] {0, 4, 2}));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void segmented(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertArrayEquals(
          new int[][] {{3, 4, 4, 5, 10}, {0, 3, 0, 4, 5}, {10, 10}},
          ScanSnippets.segmented(funnel).toArray(int[][]::new));
      assertArrayEquals(
          new int[][] {{3, 4, 8, 6, 10}, {3, 4, 4, 5, 10}},
          ScanSnippets.window(funnel).toArray(int[][]::new));
      int[] values = {3, 1, 4, 1, 5};
      assertArrayEquals(
          new int[] {9, 10, 16, 17, 42},
          ScanSnippets.sumsOfSquares(funnel, values, new int[] {0, 2}));
      List<float[]> customers =
          ScanSnippets.perCustomer(funnel, new int[] {7, 7, 2, 2, 2}, new float[] {3, 1, 4, 1, 5});
      assertArrayEquals(new float[] {0, 3, 0, 4, 5}, customers.getFirst());
      assertArrayEquals(new float[] {3, 5}, customers.getLast());
    }
  }

  @Test
  void tree() {
    assertEquals(28, ScanSnippets.leftInRow(0, ElementType.FLOAT)); // 16 bytes are before it
    assertEquals(32, ScanSnippets.leftInRow(28, ElementType.FLOAT));
    assertEquals(1, ScanSnippets.leftInRow(13, ElementType.DOUBLE));
  }

  @Test
  void segments() {
    assertEquals("sums", ScanSnippets.sumsOfSegments().id());
  }
}
