package funnel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.histogram.Histogram;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.transform.AdjacentDifference;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Arrays that are large enough to go to the device in pieces, of all types, at the pieces' ends.
 */
@Tag("gpu")
class StagedTransfersTest {

  /** The most bytes of a piece. */
  private static final int PIECE = 8 << 20;

  private static final int BYTES = 5 * PIECE + 24;
  private static Funnel funnel;

  @BeforeAll
  static void open() {
    funnel = Funnel.open(Target.TORNADO);
  }

  @AfterAll
  static void close() {
    funnel.close();
  }

  private static int[] lengths(ElementType type) {
    int piece = PIECE / type.bytes();
    return new int[] {
      0,
      1,
      piece - 1,
      piece,
      piece + 1,
      2 * piece,
      3 * piece + 5,
      BYTES / type.bytes() - 1,
      BYTES / type.bytes()
    };
  }

  private static Elements random(ElementType type, int length) {
    Elements elements = Elements.allocate(type, length);
    RandomGenerator random = Seed.random("staged " + type + length);
    byte[] bytes = new byte[type.bytes()];
    MemorySegment segment = elements.segment();
    for (long at = 0; at < segment.byteSize(); at += bytes.length) {
      random.nextBytes(bytes);
      if (type == ElementType.FLOAT || type == ElementType.DOUBLE) {
        Arrays.fill(bytes, (byte) 0); // ordinary numbers, with exponents near one
        bytes[0] = (byte) random.nextInt();
        bytes[bytes.length - 1] = 63;
      }
      MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, at, bytes.length);
    }
    return elements;
  }

  /** Differences put each element to its own place; a sum of differences is the last element. */
  @ParameterizedTest
  @EnumSource(value = ElementType.class, mode = EnumSource.Mode.EXCLUDE, names = "BYTE")
  void everyElementComesToItsPlace_andBack(ElementType type) {
    try (Funnel jvm = Funnel.open(Target.JVM);
        Plan plan =
            funnel
                .plan("staged")
                .input("x", type, BYTES / type.bytes())
                .add("d", AdjacentDifference.left(), "x")
                .build()) {
      for (int length : lengths(type)) {
        Elements x = random(type, length);
        Elements into = Elements.allocate(type, length + 1);
        byte guard = 77;
        into.range(length, length + 1).segment().fill(guard);
        Results results = plan.run(Map.of("x", x), Map.of("d", into));
        Elements expected = Elements.allocate(type, length);
        jvm.run(AdjacentDifference.left(), Map.of("result", expected), x);
        MemorySegment found = into.segment().asSlice(0, expected.segment().byteSize());
        assertEquals(-1, found.mismatch(expected.segment()), type + " " + length + Seed.replay());
        assertEquals(
            guard, into.range(length, length + 1).segment().toArray(ValueLayout.JAVA_BYTE)[0]);
        if (type == ElementType.INT) {
          assertEquals(-1, MemorySegment.ofArray(results.ints("d")).mismatch(expected.segment()));
        }
      }
    }
  }

  @Test
  void bytes() {
    try (Plan plan =
        funnel
            .plan("bytes")
            .input("x", ElementType.BYTE, BYTES)
            .add("counts", Histogram.ofBytes(), "x")
            .add("sum", Reduction.sum(), "x")
            .build()) {
      for (int length : lengths(ElementType.BYTE)) {
        byte[] x = random(ElementType.BYTE, length).segment().toArray(ValueLayout.JAVA_BYTE);
        int[] counts = new int[256];
        long sum = 0;
        for (byte each : x) {
          counts[each & 255]++;
          sum += each & 255;
        }
        Results results = plan.run(Map.of("x", Elements.of(x)));
        assertArrayEquals(counts, results.ints("counts"), Seed.replay());
        assertEquals((int) sum, results.getInt("sum"), Seed.replay());
      }
    }
  }

  /** Then kernels take them as longs, of which the last one may be a part. */
  @Test
  void bytesThatAreOnlyCounted_besideASmallOutput() {
    try (Plan plan =
        funnel
            .plan("counted")
            .input("x", ElementType.BYTE, BYTES)
            .add("counts", Histogram.ofBytes(), "x")
            .build()) {
      for (int length : new int[] {BYTES, BYTES - 1, PIECE + 3, PIECE - 7, 1}) {
        byte[] x = new byte[length];
        Arrays.fill(x, (byte) 7);
        int[] counts = plan.run(Map.of("x", Elements.of(x))).ints("counts");
        assertEquals(length, counts[7]);
        assertEquals(0, counts[0]);
      }
    }
  }

  /** Small arrays are copied as before after large ones have been, and kernels can be measured. */
  @Test
  void smallOutputsAfterLargeOnes_measuredToo() {
    int n = BYTES / 4;
    Elements x = random(ElementType.INT, n);
    int[] sums = x.segment().toArray(ValueLayout.JAVA_INT_UNALIGNED);
    Arrays.parallelPrefix(sums, Integer::sum);
    int[] counts = new int[100];
    try (Plan plan =
        funnel
            .plan("both")
            .input("x", ElementType.INT, n)
            .input("keys", ElementType.INT, 1000)
            .add("s", Scan.inclusive(Operator.SUM), "x")
            .add("counts", Histogram.ofKeys(100), "keys")
            .build()) {
      int[] keys = Seed.random("keys").ints(1000, 0, 100).toArray();
      Arrays.stream(keys).forEach(key -> counts[key]++);
      Results results = plan.set("x", x).set("keys", Elements.of(keys)).run();
      assertArrayEquals(sums, results.ints("s"), Seed.replay());
      assertArrayEquals(counts, results.ints("counts"), Seed.replay());
      plan.measureKernels(true);
      Results measured = plan.run();
      assertTrue(plan.kernelNanos() > 0);
      assertArrayEquals(sums, measured.ints("s"), Seed.replay());
      assertArrayEquals(counts, measured.ints("counts"), Seed.replay());
    }
    try (Plan other =
        funnel
            .plan("other")
            .input("x", ElementType.INT, n - 1)
            .add("sum", Reduction.sum(), "x")
            .build()) {
      assertEquals(
          sums[n - 2], other.run(Map.of("x", x.range(0, n - 1))).getInt("sum"), Seed.replay());
    }
  }

  /** TornadoVM's profiler is one for all plans, and nothing can be recorded while it is on. */
  @Test
  void besideAPlanThatIsMeasured() {
    int n = BYTES / 4;
    Elements x = random(ElementType.INT, n);
    try (Plan small =
        funnel
            .plan("small")
            .input("x", ElementType.INT, 9)
            .add("sum", Reduction.sum(), "x")
            .build()) {
      small.measureKernels(true);
      for (int round = 0; round < 3; round++) {
        small.set("x", Elements.of(new int[] {round, 2})).run();
        assertTrue(small.kernelNanos() > 0);
        try (Plan large =
            funnel
                .plan("large")
                .input("x", ElementType.INT, n + round)
                .add("sum", Reduction.sum(), "x")
                .build()) {
          int sum = large.set("x", x).run().getInt("sum");
          large.measureKernels(true);
          assertEquals(sum, large.run().getInt("sum"), Seed.replay());
        }
        assertEquals(round + 2, small.run().getInt("sum"));
      }
    }
  }

  /** After so many runs TornadoVM uses its events again, and waits for each before. */
  @Test
  void whatIsFetchedFirstAfterThousandsOfRuns() {
    int n = BYTES / 4;
    Elements x = random(ElementType.INT, n);
    int[] sums = x.segment().toArray(ValueLayout.JAVA_INT_UNALIGNED);
    Arrays.parallelPrefix(sums, Integer::sum);
    try (Plan plan =
        funnel
            .plan("often")
            .input("x", ElementType.INT, n)
            .add("s", Scan.inclusive(Operator.SUM), "x")
            .build()
            .set("x", x)) {
      for (int run = 0; run < 3000; run++) {
        plan.run();
      }
      assertArrayEquals(sums, plan.run().ints("s"), Seed.replay());
      plan.measureKernels(true);
      assertArrayEquals(sums, plan.run().ints("s"), Seed.replay());
    }
  }

  /** Also where only their own thread may read the elements, and from a mapped file's memory. */
  @Test
  void segments() {
    int[] x = random(ElementType.INT, BYTES / 4).segment().toArray(ValueLayout.JAVA_INT_UNALIGNED);
    int[] sums = x.clone();
    Arrays.parallelPrefix(sums, Integer::sum);
    try (Arena confined = Arena.ofConfined();
        Arena shared = Arena.ofShared()) {
      for (Arena arena : new Arena[] {confined, shared}) {
        MemorySegment segment =
            arena.allocate(BYTES + 4).asSlice(4).copyFrom(MemorySegment.ofArray(x));
        Elements elements = Elements.of(segment, ElementType.INT);
        funnel.scan(elements, Scan.inclusive(Operator.SUM), elements);
        assertEquals(-1, segment.mismatch(MemorySegment.ofArray(sums)), Seed.replay());
      }
    }
  }

  @Test
  void partsOfBoundArrays() {
    int n = BYTES / 4;
    int[] x = random(ElementType.INT, n).segment().toArray(ValueLayout.JAVA_INT_UNALIGNED);
    IntArray in = IntArray.fromArray(x);
    IntArray out = new IntArray(n);
    out.init(-7);
    try (Plan plan =
        funnel
            .plan("bound")
            .input("x", in)
            .add("s", Scan.inclusive(Operator.SUM), "x")
            .output("s", out)
            .build()) {
      int piece = PIECE / 4;
      for (int[] range :
          new int[][] {{0, n}, {3, piece + 3}, {piece - 1, 3 * piece + 1}, {n - 1, n}, {5, 5}}) {
        for (int i = range[0]; i < range[1]; i++) {
          in.set(i, ++x[i]);
        }
        plan.changed("x", range[0], range[1]);
        plan.run();
        int sum = 0;
        for (int i = range[0]; i < range[1]; i++) {
          sum += x[i];
          assertEquals(sum, out.get(i - range[0]), Seed.replay());
        }
      }
    }
  }

  /** Residents stay while others come and go, and eight threads use the one way to the device. */
  @Test
  void manyThreadsAndPlans() {
    int n = BYTES / 4;
    Elements x = random(ElementType.INT, n);
    try (Plan resident =
        funnel
            .plan("resident")
            .input("x", ElementType.INT, n)
            .add("sum", Reduction.sum(), "x")
            .build()) {
      int expected = resident.set("x", x).run().getInt("sum");
      CompletableFuture<?>[] threads = new CompletableFuture<?>[8];
      for (int t = 0; t < threads.length; t++) {
        int thread = t;
        threads[t] =
            CompletableFuture.runAsync(
                () -> {
                  for (int round = 0; round < 5; round++) {
                    int length = n - thread * 1000 - round;
                    Elements part = x.range(0, length);
                    int[] own = new int[length];
                    Number total =
                        funnel.scan(part, Scan.inclusive(Operator.SUM), Elements.of(own));
                    assertEquals(own[length - 1], total);
                    assertEquals(total, funnel.reduce(part, Reduction.sum()));
                    try (Plan plan =
                        funnel
                            .plan("small")
                            .input("x", ElementType.INT, 1000)
                            .add("sum", Reduction.sum(), "x")
                            .build()) {
                      assertEquals(
                          3, plan.run(Map.of("x", Elements.of(new int[] {1, 2}))).getInt("sum"));
                    }
                    assertEquals(expected, resident.run().getInt("sum"));
                  }
                });
      }
      CompletableFuture.allOf(threads).join();
    }
  }
}
