package funnel.functions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.ElementStream;
import funnel.Elements;
import funnel.EngineContract;
import funnel.Plan;
import funnel.Seed;
import funnel.histogram.Histogram;
import funnel.io.Source;
import funnel.operation.Operation;
import funnel.operation.Target;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorException;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import funnel.select.FindFirst;
import funnel.select.Partition;
import funnel.select.Select;
import funnel.sort.Merge;
import funnel.sort.MergeSort;
import funnel.sort.SetOperation;
import funnel.transform.Elementwise;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Functions that look up elements of arrays that they captured; the oracle is a plain loop. */
abstract class LookUpContract extends EngineContract {

  private static final int[] SQUARES = {0, 1, 4, 9, 16, 25, 36, 49};

  private final SplittableRandom random = Seed.random("look-ups");

  /** Numbers from 0 below a bound. */
  private int[] ints(int length, int bound) {
    return random.ints(length, 0, bound).toArray();
  }

  private Object array(Operation operation, Object... inputs) {
    return funnel
        .run(operation, Arrays.stream(inputs).map(Elements::ofArray).toArray(Elements[]::new))
        .array("result");
  }

  private Number value(Operation operation, int[] input) {
    return funnel.run(operation, Elements.of(input)).get("result");
  }

  /** The parallel loop of every book. */
  @Test
  void loopsOverArrays() {
    for (int length : lengths()) {
      int[] a = ints(length, 1000);
      int[] b = ints(length, 1000);
      long[] far = random.longs(length).toArray();
      for (int k : new int[] {3, -7}) {
        int[] wanted = new int[length];
        long[] longs = new long[length];
        for (int i = 0; i < length; i++) {
          wanted[i] = a[i] * k + b[i];
          longs[i] = far[i] + (long) a[i] * k;
        }
        assertArrayEquals(
            wanted, (int[]) array(Elementwise.ofInt("loop", i -> a[i] * k + b[i]).indexed(length)));
        assertArrayEquals(
            longs,
            (long[])
                array(
                    Elementwise.ofLong("loop", i -> far[(int) i] + (long) a[(int) i] * k)
                        .indexed(length)));
      }
    }
  }

  @Test
  void arraysOfEachType() {
    byte[] bytes = {1, -2, 127, -128, 0};
    short[] shorts = {1, -2, Short.MAX_VALUE, Short.MIN_VALUE, 0};
    char[] chars = {'a', 0, Character.MAX_VALUE, 'z', 1};
    boolean[] booleans = {true, false, true, true, false};
    int[] ints = {1, -2, Integer.MAX_VALUE, Integer.MIN_VALUE, 0};
    long[] longs = {1, -2, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40};
    float[] floats = {1.5f, -0.0f, Float.NaN, Float.NEGATIVE_INFINITY, Float.MIN_VALUE};
    double[] doubles = {1.5, -0.0, Double.NaN, Double.POSITIVE_INFINITY, -Double.MIN_VALUE};
    for (int length : lengths()) {
      int[] x = ints(length, 5);
      int[] ofInts = new int[length];
      long[] ofLongs = new long[length];
      float[] ofFloats = new float[length];
      double[] ofDoubles = new double[length];
      float[] xf = new float[length];
      double[] xd = new double[length];
      long[] xl = new long[length];
      for (int i = 0; i < length; i++) {
        int v = x[i];
        ofInts[i] = bytes[v] + shorts[v] * 3 + chars[v] * 5 + (booleans[v] ? ints[v] : ints.length);
        xl[i] = v;
        ofLongs[i] = longs[v] ^ bytes[v];
        xf[i] = v;
        ofFloats[i] = floats[v];
        xd[i] = v;
        ofDoubles[i] = doubles[v];
      }
      assertArrayEquals(
          ofInts,
          (int[])
              array(
                  Elementwise.ofInt(
                      "all",
                      v ->
                          bytes[v]
                              + shorts[v] * 3
                              + chars[v] * 5
                              + (booleans[v] ? ints[v] : ints.length)),
                  x));
      assertArrayEquals(
          ofLongs,
          (long[]) array(Elementwise.ofLong("longs", v -> longs[(int) v] ^ bytes[(int) v]), xl));
      assertArrayEquals(
          ofFloats, (float[]) array(Elementwise.ofFloat("floats", v -> floats[(int) v]), xf));
      assertArrayEquals(
          ofDoubles, (double[]) array(Elementwise.ofDouble("doubles", v -> doubles[(int) v]), xd));
    }
  }

  private static int at(int[] table, int i) {
    return table[i % table.length];
  }

  private static int[] smaller(int[] a, int[] b) {
    return a.length < b.length ? a : b;
  }

  @Test
  void arraysThatAreHandedOn() {
    int[] x = ints(most(), 100);
    int[] a = {5, 6, 7};
    int[] b = {50, 60, 70, 80};
    assertArrayEquals(
        IntStream.of(x).map(v -> at(a, v) + at(b, v)).toArray(),
        (int[]) array(Elementwise.ofInt("at", v -> at(a, v) + at(b, v)), x));
    assertArrayEquals(
        IntStream.of(x).map(v -> (v > 50 ? a : b)[v % 3] + smaller(a, b)[1]).toArray(),
        (int[])
            array(Elementwise.ofInt("either", v -> (v > 50 ? a : b)[v % 3] + smaller(a, b)[1]), x));
    assertArrayEquals(
        IntStream.of(x).map(v -> v + 260).toArray(),
        (int[])
            array(
                Elementwise.ofInt(
                    "sum",
                    v -> {
                      int sum = v;
                      for (int each : b) {
                        sum += each;
                      }
                      return sum;
                    }),
                x));
  }

  /** Arrays in fields of the function's object, and in constants. */
  private record Polynomial(int[] coefficients, int shift) {
    int at(int x) {
      int y = 0;
      for (int i = 0; i < coefficients.length; i++) {
        y = y * x + coefficients[i];
      }
      return y + shift;
    }

    Elementwise lambda(int[] more) {
      return Elementwise.ofInt("lambda", x -> coefficients[0] * x + more[1] + SQUARES[3]);
    }
  }

  @Test
  void arraysInFields() {
    int[] x = ints(most(), 8);
    for (int k = 1; k < 3; k++) {
      Polynomial of = new Polynomial(new int[] {k, 2, 3}, 4 * k);
      int[] more = {k, 10 * k};
      int first = k;
      assertArrayEquals(
          IntStream.of(x).map(of::at).toArray(),
          (int[]) array(Elementwise.ofInt("polynomial", of::at), x));
      assertArrayEquals(
          IntStream.of(x).map(v -> first * v + 10 * first + 9).toArray(),
          (int[]) array(of.lambda(more), x));
      assertArrayEquals(
          IntStream.of(x).map(v -> v * v).toArray(),
          (int[]) array(Elementwise.ofInt("squares", v -> SQUARES[v]), x));
    }
  }

  @Test
  void selectionsAndCounts() {
    boolean[] wanted = {true, false, false, true, true, false, true};
    int[] bins = {2, 0, 1, 1, 3, 0, 2};
    for (int length : lengths()) {
      int[] x = ints(length, 7);
      Transform isWanted = Transform.testInt("wanted", v -> wanted[v]);
      assertArrayEquals(
          IntStream.of(x).filter(v -> wanted[v]).toArray(),
          (int[]) array(Select.where(isWanted), x));
      assertArrayEquals(
          IntStream.of(x).filter(v -> !wanted[v]).toArray(),
          (int[]) array(Select.where(Transform.testInt("unwanted", v -> !wanted[v])), x));
      assertArrayEquals(
          IntStream.of(x).filter(v -> wanted[v]).map(v -> bins[v]).toArray(),
          (int[]) array(Select.where(isWanted).mapped(Transform.ofInt("bin", v -> bins[v])), x));
      int[] counts = new int[4];
      IntStream.of(x).forEach(v -> counts[bins[v]]++);
      assertArrayEquals(
          counts,
          (int[]) array(Histogram.even(4, 0, 4).mapped(Transform.ofInt("bin", v -> bins[v])), x));
      if (length > 0) {
        assertEquals(
            IntStream.of(x).filter(v -> wanted[v]).count(),
            value(Reduction.countIf(isWanted), x).longValue());
        assertEquals(
            IntStream.range(0, length).filter(i -> wanted[x[i]]).findFirst().orElse(-1),
            value(FindFirst.where(isWanted), x).intValue());
      }
    }
  }

  @Test
  void reductionsAndScans() {
    int[] weights = {3, 1, 4, 1, 5, 9, 2};
    int[] key = {0x55};
    for (int length : lengths()) {
      int[] x = ints(length, 7);
      Transform weight = Transform.ofInt("weight", v -> weights[v]);
      assertEquals(
          IntStream.of(x).map(v -> weights[v]).sum(),
          value(Reduction.of(Operator.SUM, weight), x).intValue());
      Operator xor = Operator.ofInt("xor", 0x55, (int a, int b) -> a ^ b ^ key[0]);
      assertEquals(
          IntStream.of(x).reduce(0x55, (a, b) -> a ^ b ^ 0x55),
          value(Reduction.of(xor.commutative()), x).intValue());
      int[] sums = new int[length];
      int[] scanned = new int[length];
      int[] segmented = new int[length];
      byte[] heads = new byte[length];
      int sum = 0;
      int running = 0x55;
      int inSegment = 0x55;
      for (int i = 0; i < length; i++) {
        heads[i] = (byte) (i % 13 == 0 ? 1 : 0);
        sum += weights[x[i]];
        sums[i] = sum;
        running = running ^ x[i] ^ 0x55;
        scanned[i] = running;
        inSegment = (heads[i] == 1 ? 0x55 : inSegment) ^ x[i] ^ 0x55;
        segmented[i] = inSegment;
      }
      for (ScanForm form : new ScanForm[] {ScanForm.SINGLE_PASS, ScanForm.REDUCE_THEN_SCAN}) {
        assertArrayEquals(scanned, (int[]) array(Scan.inclusive(xor).by(form), x));
        assertArrayEquals(
            sums, (int[]) array(Scan.inclusive(Operator.SUM).mapped(weight).by(form), x));
      }
      assertArrayEquals(
          segmented,
          (int[]) array(SegmentedScan.inclusive(xor).segments(Segments.byHeads()), x, heads));
    }
  }

  @Test
  void orders() {
    int[] rank = {4, 2, 6, 0, 1, 5, 3};
    Comparison byRank = Comparison.ofInt("by rank", (a, b) -> Integer.compare(rank[a], rank[b]));
    for (int length : lengths()) {
      int[] x = ints(length, 7);
      int[] wanted =
          IntStream.of(x)
              .boxed()
              .sorted((a, b) -> Integer.compare(rank[a], rank[b]))
              .mapToInt(Integer::intValue)
              .toArray();
      assertArrayEquals(wanted, (int[]) array(MergeSort.by(byRank), x));
      int[] all =
          IntStream.concat(IntStream.of(wanted), IntStream.of(wanted))
              .boxed()
              .sorted((a, b) -> Integer.compare(rank[a], rank[b]))
              .mapToInt(Integer::intValue)
              .toArray();
      assertArrayEquals(all, (int[]) array(Merge.by(byRank), wanted, wanted));
    }
  }

  @Test
  void partitionsSetsAndSegments() {
    boolean[] isFirst = {true, false, true, true, false, false, true};
    int[] rank = {6, 5, 4, 3, 2, 1, 0};
    Transform first = Transform.testInt("first", v -> isFirst[v]);
    Comparison down = Comparison.ofInt("down", (a, b) -> Integer.compare(rank[a], rank[b]));
    for (int length : lengths()) {
      int[] x = ints(length, 7);
      assertArrayEquals(
          IntStream.concat(
                  IntStream.of(x).filter(v -> isFirst[v]), IntStream.of(x).filter(v -> !isFirst[v]))
              .toArray(),
          (int[]) array(Partition.where(first).joined(), x));
      int[] some = IntStream.of(x).map(v -> 6 - v).sorted().distinct().map(v -> 6 - v).toArray();
      assertArrayEquals(
          some,
          (int[])
              array(SetOperation.intersection().by(down), some, new int[] {6, 5, 4, 3, 2, 1, 0}));
      byte[] heads = new byte[length];
      int[] sums = new int[length];
      int sum = 0;
      for (int i = 0; i < length; i++) {
        heads[i] = (byte) (i % 13 == 0 ? 1 : 0);
        sum = (heads[i] == 1 ? 0 : sum) + rank[x[i]];
        sums[i] = sum;
      }
      assertArrayEquals(
          sums,
          (int[])
              array(
                  SegmentedScan.inclusive(Operator.SUM)
                      .segments(Segments.byHeads())
                      .mapped(Transform.ofInt("rank", v -> rank[v])),
                  x,
                  heads));
    }
  }

  private static Elementwise in(int[] table) {
    return Elementwise.ofInt("in", v -> table[v]);
  }

  @Test
  void anIndexOutside_isNamed_andNothingIsWritten() {
    int[] x = ints(most(), 5);
    int[] table = {10, 11, 12, 13, 14};
    int[] into = new int[x.length];
    for (int bad : new int[] {5, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      int[] wrong = x.clone();
      wrong[x.length / 2] = bad;
      Arrays.fill(into, 77);
      ArrayIndexOutOfBoundsException e =
          assertThrows(
              ArrayIndexOutOfBoundsException.class,
              () -> funnel.run(in(table), Map.of("result", Elements.of(into)), Elements.of(wrong)));
      assertTrue(
          e.getMessage().startsWith("Index %s out of bounds for length 5".formatted(bad)),
          e.getMessage());
      if (target() != Target.JVM) {
        assertTrue(e.getMessage().contains("array table that a function of result"), e::toString);
        assertArrayEquals(new int[x.length], IntStream.of(into).map(v -> v - 77).toArray());
      }
      assertArrayEquals(IntStream.of(x).map(v -> 10 + v).toArray(), (int[]) array(in(table), x));
    }
    int[] none = {};
    assertThrows(ArrayIndexOutOfBoundsException.class, () -> array(in(none), x));
    IllegalArgumentException overlap =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                funnel.run(
                    Elementwise.ofInt("in", v -> into[v]),
                    Map.of("result", Elements.of(into)),
                    Elements.of(x)));
    assertTrue(
        overlap.getMessage().contains("overlaps input result.captured_into"), overlap::getMessage);
  }

  @Test
  void otherArraysInPlans() {
    int[] x = ints(most(), 5);
    int[] table = {1, 2, 3, 4, 5};
    try (Plan plan =
        funnel
            .plan("tables")
            .input("x", ElementType.INT, x.length)
            .add("y", in(table), "x")
            .add("sum", Reduction.of(Operator.SUM, Transform.ofInt("in", v -> table[v - 1])), "y")
            .build()) {
      plan.set("x", Elements.of(x));
      assertArrayEquals(IntStream.of(x).map(v -> v + 1).toArray(), (int[]) plan.run().array("y"));
      assertEquals(IntStream.of(x).map(v -> v + 1).sum(), plan.run().get("sum"));
      table[2] = 1; // arrays are read in each run
      assertArrayEquals(
          IntStream.of(x).map(v -> v == 2 ? 1 : v + 1).toArray(), (int[]) plan.run().array("y"));
      plan.set("y", in(new int[] {5, 4, 3, 2, 1, 1, 1}));
      assertArrayEquals(IntStream.of(x).map(v -> 5 - v).toArray(), (int[]) plan.run().array("y"));
      assertThrows(
          IllegalArgumentException.class, () -> plan.set("y", in(new int[100_000])), "too long");
    }
  }

  @Test
  void arraysOfManyLengths() {
    int[] x = ints(most(), 5);
    for (int length : new int[] {5, 7, 100, 1023, 1024, 1025, 5000, 5001, 70_000}) {
      int[] table = ints(length, 1000);
      int step = length / 5;
      int[] far = IntStream.of(x).map(v -> v * step).toArray();
      assertArrayEquals(
          IntStream.of(far).map(v -> table[v]).toArray(), (int[]) array(in(table), far));
    }
  }

  @Test
  void inTaskGraphs_theyAreRefused() {
    int[] table = {1, 2};
    try (Plan plan =
        funnel.plan("graph").input("x", ElementType.INT, 10).add("y", in(table), "x").build()) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  plan.addTo(
                      new TaskGraph("g"), new GridScheduler(), Map.of("x", new IntArray(10))));
      assertTrue(e.getMessage().contains("read them with Gather"), e.getMessage());
    }
  }

  @Test
  void inStreams() throws Exception {
    int[] x = ints(most(), 5);
    int[] table = {7, 5, 3, 2, 1};
    ElementStream stream =
        funnel.over(Source.of(MemorySegment.ofArray(x), ElementType.INT)).pieces(1000);
    assertEquals(
        IntStream.of(x).map(v -> table[v]).sum(),
        stream.reduce(Reduction.of(Operator.SUM, Transform.ofInt("in", v -> table[v]))));
  }

  @Test
  void whatADeviceCannotDo_isNamed() {
    int[] table = {1, 2};
    int[] x = {0, 1};
    Object[] objects = {1};
    refused("writes to an array", Elementwise.ofInt("f", v -> table[0] = v), x);
    refused("captures an array and makes another one", makesOne(table), x);
    refused(
        "passes an object to hashCode", Elementwise.ofInt("f", v -> Arrays.hashCode(table) + v), x);
    refused("captures an object of type Object[]", Elementwise.ofInt("f", v -> objects.length), x);
  }

  private static Elementwise makesOne(int[] table) {
    return Elementwise.ofInt("f", v -> new int[] {v}[0] + table[0]);
  }

  private void refused(String why, Operation operation, int[] x) {
    if (target() == Target.JVM) {
      array(operation, x);
      return;
    }
    OperatorException e = assertThrows(OperatorException.class, () -> array(operation, x));
    assertTrue(e.getMessage().contains(why), e.getMessage());
  }
}
