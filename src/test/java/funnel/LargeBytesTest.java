package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.histogram.Histogram;
import funnel.histogram.Tickets;
import funnel.operation.Input;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** As many bytes as there can be: byte i is i, so that all results have closed forms. */
@Tag("large")
@Tag("gpu")
class LargeBytesTest {

  private static final int N = Input.LARGEST_CAPACITY;
  private static final int CHUNK = 1 << 16;
  private static final long GIB = 1L << 30;

  private static void fill(MemorySegment memory) {
    int length = (int) memory.byteSize();
    IntStream.rangeClosed(0, length / CHUNK)
        .parallel()
        .forEach(
            chunk -> {
              int end = (int) Math.min((chunk + 1L) * CHUNK, length);
              for (int i = chunk * CHUNK; i < end; i++) {
                memory.set(ValueLayout.JAVA_BYTE, i, (byte) i);
              }
            });
  }

  /** How many of the first {@code n} bytes have a value. */
  private static int count(int value, int n) {
    return n / 256 + (value < n % 256 ? 1 : 0);
  }

  private static long sum(int n) {
    return IntStream.range(0, 256).mapToLong(v -> (long) v * count(v, n)).sum();
  }

  private static Plan.Builder primitives(Plan.Builder plan) {
    return plan.add("sum", Reduction.sumAsLong(), "x")
        .add("max", Reduction.max(), "x")
        .add("arg", Reduction.argMin(), "x")
        .add("even", Histogram.even(16, 0, 256), "x")
        .add("bytes", Histogram.ofBytes(), "x");
  }

  private static void check(Results results, int n) {
    assertEquals(sum(n), results.getLong("sum"));
    assertEquals(255, results.getInt("max"));
    assertEquals(0, results.getInt("arg"));
    int[] even = results.ints("even");
    int[] bytes = results.ints("bytes");
    for (int v = 0; v < 256; v++) {
      assertEquals(count(v, n), bytes[v], "bytes of value " + v);
    }
    for (int bin = 0; bin < 16; bin++) {
      int first = 16 * bin;
      assertEquals(
          IntStream.range(first, first + 16).map(v -> count(v, n)).sum(), even[bin], "bin " + bin);
    }
  }

  /**
   * The most bytes that kernels reach in an array of bytes, see {@link funnel.operation.Device}.
   */
  private static int reached(Funnel funnel) {
    return "PTX".equals(funnel.details().get("backend"))
        ? (int) ((1L << 31) - TornadoNativeArray.ARRAY_HEADER)
        : N;
  }

  @Test
  void boundArray() throws IOException {
    FreeMemory.assume("LargeBytesTest", 6 * GIB);
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      int n = reached(funnel);
      ByteArray x = new ByteArray(n);
      fill(x.getSegment());
      if (n < N) {
        Plan.Builder builder = primitives(funnel.plan("larger").input("x", new ByteArray(N)));
        IllegalArgumentException e =
            assertThrows(IllegalArgumentException.class, () -> builder.build().close());
        assertTrue(e.getMessage().contains("largest=" + n), e.getMessage());
      }
      try (Plan plan = primitives(funnel.plan("large").input("x", x)).build()) {
        check(plan.run(), n);
        long last = sum(n) - sum(n - 3);
        assertEquals(last, plan.changed("x", n - 3, n).run().getLong("sum"));
      }
    }
  }

  /** The histogram of bytes takes them as longs, whose indices are small. */
  @Test
  void bytesAsLongs() throws IOException {
    FreeMemory.assume("LargeBytesTest", 6 * GIB);
    try (Arena arena = Arena.ofShared();
        Funnel funnel = Funnel.open(Target.TORNADO);
        Plan plan =
            funnel
                .plan("large")
                .input("x", ElementType.BYTE, N)
                .add("bytes", Histogram.ofBytes(), "x")
                .build()) {
      MemorySegment memory = arena.allocate(N, 8);
      fill(memory);
      int[] bytes = plan.run(Map.of("x", Elements.of(memory, ElementType.BYTE))).ints("bytes");
      for (int v = 0; v < 256; v++) {
        assertEquals(count(v, N), bytes[v], "bytes of value " + v);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ScanForm.class)
  void scanAndTickets(ScanForm form) throws IOException {
    FreeMemory.assume("LargeBytesTest", 48 * GIB);
    long most = Runtime.getRuntime().maxMemory(); // also of arrays off the heap
    assumeTrue(most >= 40 * GIB, "NOT run: maxMemory=" + most);
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      int n = reached(funnel);
      ByteArray x = new ByteArray(n);
      fill(x.getSegment());
      IntArray y = new IntArray(n);
      try (Plan plan =
          funnel
              .plan("scan")
              .input("x", x)
              .add("y", Scan.inclusive(Operator.SUM).by(form), "x")
              .output("y", y)
              .build()) {
        assertEquals((int) sum(n), plan.run().getInt("y_total"));
        for (int i = n - 10_000; i < n; i++) {
          assertEquals((int) sum(i + 1), y.get(i), "element " + i);
        }
      }
      try (Plan plan =
          funnel
              .plan("tickets")
              .input("x", x)
              .add("t", Tickets.stable(), "x")
              .output("t", y)
              .build()) {
        assertEquals(n - count(0, n), plan.run().getInt("t_total"));
        for (int i = n - 10_000; i < n; i++) {
          assertEquals((i & 0xff) == 0 ? -1 : i - count(0, i), y.get(i), "element " + i);
        }
      }
    }
  }
}
