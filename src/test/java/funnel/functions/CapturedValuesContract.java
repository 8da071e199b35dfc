package funnel.functions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.ElementStream;
import funnel.Elements;
import funnel.EngineContract;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.histogram.Histogram;
import funnel.histogram.ScatterReduce;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.operator.Operator;
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
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Functions that captured values, on every engine; the oracle is a plain loop. */
abstract class CapturedValuesContract extends EngineContract {

  private static final int[] VALUES = {3, 0, -7, Integer.MAX_VALUE, Integer.MIN_VALUE};

  /** The number of calls with a value each. */
  abstract int calls();

  private int[] ints(int length) {
    SplittableRandom random = Seed.random("captured values");
    return random.ints(length, -20, 20).toArray();
  }

  private Object array(Operation operation, String suffix, Object... inputs) {
    Elements[] elements =
        Arrays.stream(inputs)
            .map(
                input ->
                    switch (input) {
                      case byte[] a -> Elements.of(a);
                      case int[] a -> Elements.of(a);
                      case long[] a -> Elements.of(a);
                      case float[] a -> Elements.of(a);
                      default -> Elements.of((double[]) input);
                    })
            .toArray(Elements[]::new);
    Results results = funnel.run(operation, elements);
    return results.array("result" + suffix);
  }

  private Number value(Operation operation, int[] input) {
    return funnel.run(operation, Elements.of(input)).get("result");
  }

  @Test
  void mapsOfEachType() {
    for (int length : lengths()) {
      int[] x = ints(length);
      for (int k : VALUES) {
        long far = k * 0x1_0000_0001L;
        float f = k == 0 ? -0.0f : k / 3f;
        double d = k == -7 ? Double.NEGATIVE_INFINITY : k / 3d;
        boolean isOdd = (k & 1) == 1;
        byte b = (byte) k;
        short s = (short) k;
        char c = (char) k;
        assertArrayEquals(
            IntStream.of(x).map(v -> v * k + (isOdd ? 1 : 2)).toArray(),
            (int[]) array(Elementwise.ofInt("f", v -> v * k + (isOdd ? 1 : 2)), "", x));
        assertArrayEquals(
            IntStream.of(x).map(v -> (v ^ b) + (s & c)).toArray(),
            (int[]) array(Elementwise.ofInt("f", v -> (v ^ b) + (s & c)), "", x));
        long[] longs = IntStream.of(x).mapToLong(v -> v * 0x1234_5678_9abcL).toArray();
        assertArrayEquals(
            Arrays.stream(longs).map(v -> v + far).toArray(),
            (long[]) array(Elementwise.ofLong("f", v -> v + far), "", longs));
        float[] floats = new float[length];
        float[] wantedFloats = new float[length];
        double[] doubles = new double[length];
        double[] wantedDoubles = new double[length];
        for (int i = 0; i < length; i++) {
          floats[i] = x[i] / 7f;
          wantedFloats[i] = floats[i] * f;
          doubles[i] = x[i] / 7d;
          wantedDoubles[i] = doubles[i] * d;
        }
        assertArrayEquals(
            wantedFloats, (float[]) array(Elementwise.ofFloat("f", v -> v * f), "", floats));
        assertArrayEquals(
            wantedDoubles, (double[]) array(Elementwise.ofDouble("f", v -> v * d), "", doubles));
      }
    }
  }

  @Test
  void specialFloatsAndDoubles() {
    int[] x = ints(most());
    double[] zeros = new double[most()];
    float[] floatZeros = new float[most()];
    for (double d :
        new double[] {
          Double.NaN,
          -0.0,
          0.0,
          Double.MIN_VALUE,
          -Double.MAX_VALUE,
          Double.POSITIVE_INFINITY,
          1 / 3d,
          Double.MIN_NORMAL,
          -0x1.23456789abcdep-1030
        }) {
      float f = (float) d;
      double[] wanted = new double[x.length];
      Arrays.fill(wanted, d);
      assertArrayEquals(
          wanted, (double[]) array(Elementwise.ofDouble("d", v -> v > 1 ? v : d), "", zeros));
      float[] wantedFloats = new float[x.length];
      Arrays.fill(wantedFloats, f);
      assertArrayEquals(
          wantedFloats,
          (float[]) array(Elementwise.ofFloat("f", v -> v > 1 ? v : f), "", floatZeros));
    }
  }

  @Test
  void functionsOfSeveralArraysAndTheIndex() {
    for (int length : lengths()) {
      int[] x = ints(length);
      int[] y = IntStream.of(x).map(v -> v * v).toArray();
      for (int k : VALUES) {
        int[] two = new int[length];
        int[] three = new int[length];
        int[] indexed = new int[length];
        for (int i = 0; i < length; i++) {
          two[i] = x[i] * k - y[i];
          three[i] = (x[i] - y[i]) * (x[i] + k);
          indexed[i] = i * k + x[i];
        }
        assertArrayEquals(
            two, (int[]) array(Elementwise.ofInt("f", (int a, int b) -> a * k - b), "", x, y));
        assertArrayEquals(
            three,
            (int[]) array(Elementwise.ofInt("f", (a, b, c) -> (a - b) * (c + k)), "", x, y, x));
        assertArrayEquals(
            indexed,
            (int[]) array(Elementwise.ofInt("f", (int i, int a) -> i * k + a).indexed(), "", x));
      }
    }
  }

  @Test
  void selections() {
    for (int length : lengths()) {
      int[] x = ints(length);
      for (int k : VALUES) {
        Transform above = Transform.testInt("above", v -> v > k);
        int[] wanted = IntStream.of(x).filter(v -> v > k).toArray();
        assertArrayEquals(wanted, (int[]) array(Select.where(above), "", x));
        assertArrayEquals(
            IntStream.of(x).filter(v -> v <= k).toArray(),
            (int[]) array(Select.where(above).rejecting(), "", x));
        assertArrayEquals(
            IntStream.range(0, length).filter(i -> x[i] > k || i == 5).toArray(),
            (int[])
                array(
                    Select.where(Transform.testIndexedInt("at", (i, v) -> v > k || i == 5))
                        .positions(),
                    "",
                    x));
        assertArrayEquals(
            IntStream.of(wanted).map(v -> v ^ k).toArray(),
            (int[]) array(Select.where(above).mapped(Transform.ofInt("xor", v -> v ^ k)), "", x));
        if (length > 0) {
          assertEquals(wanted.length, value(Reduction.countIf(above), x).intValue());
          assertEquals(
              IntStream.range(0, length).filter(i -> x[i] > k).findFirst().orElse(-1),
              value(FindFirst.where(above), x).intValue());
        }
      }
    }
  }

  @Test
  void reductionsAndScans() {
    for (int length : lengths()) {
      int[] x = ints(length);
      for (int k : VALUES) {
        // associative, not commutative: the last element other than 0
        IntBinaryOperator plain = (a, b) -> b == 0 ? a : b;
        Operator last = Operator.ofInt("last", 0, (int a, int b) -> b == 0 || k == 12 ? a : b);
        Operator xor = Operator.ofInt("xor", k, (int a, int b) -> a ^ b ^ k).commutative();
        assertEquals(
            IntStream.of(x).reduce(0, plain), value(Reduction.of(last), x), "length " + length);
        assertEquals(IntStream.of(x).reduce(k, (a, b) -> a ^ b ^ k), value(Reduction.of(xor), x));
        Transform map = Transform.ofInt("times", v -> v * k);
        assertEquals(
            IntStream.of(x).map(v -> v * k).sum(), value(Reduction.of(Operator.SUM, map), x));
        assertEquals(
            IntStream.of(x).map(v -> v * k).reduce(k, (a, b) -> a ^ b ^ k),
            value(Reduction.of(xor, map), x));
        int[] scanned = new int[length];
        int[] sums = new int[length];
        int[] segmented = new int[length];
        byte[] heads = new byte[length];
        int running = k;
        int sum = 0;
        int inSegment = k;
        for (int i = 0; i < length; i++) {
          heads[i] = (byte) (i % 11 == 0 ? 1 : 0);
          running = running ^ x[i] ^ k;
          scanned[i] = running;
          sum += x[i] * k;
          sums[i] = sum;
          inSegment = (heads[i] == 1 ? k : inSegment) ^ x[i] ^ k;
          segmented[i] = inSegment;
        }
        for (ScanForm form : new ScanForm[] {ScanForm.SINGLE_PASS, ScanForm.REDUCE_THEN_SCAN}) {
          assertArrayEquals(scanned, (int[]) array(Scan.inclusive(xor).by(form), "", x));
        }
        assertArrayEquals(sums, (int[]) array(Scan.inclusive(Operator.SUM).mapped(map), "", x));
        assertArrayEquals(
            segmented,
            (int[]) array(SegmentedScan.inclusive(xor).segments(Segments.byHeads()), "", x, heads));
      }
    }
  }

  @Test
  void countsAndGroups() {
    for (int length : lengths()) {
      int[] x = ints(length);
      for (int k : VALUES) {
        int[] counts = new int[16];
        IntStream.of(x).map(v -> v ^ k).filter(v -> v >= -8 && v < 8).forEach(v -> counts[v + 8]++);
        assertArrayEquals(
            counts,
            (int[])
                array(Histogram.even(16, -8, 8).mapped(Transform.ofInt("xor", v -> v ^ k)), "", x));
        Operator xor = Operator.ofInt("xor", k, (int a, int b) -> a ^ b ^ k).commutative();
        int[] keys = IntStream.of(x).map(v -> v & 7).toArray();
        int[] wanted = new int[8];
        Arrays.fill(wanted, k);
        for (int i = 0; i < length; i++) {
          wanted[keys[i]] = wanted[keys[i]] ^ x[i] ^ k;
        }
        int[] into = new int[8];
        Arrays.fill(into, k);
        funnel.scatterReduce(
            Elements.of(keys), Elements.of(x), ScatterReduce.by(xor), Elements.of(into));
        assertArrayEquals(wanted, into);
        int[] present = IntStream.of(keys).distinct().sorted().toArray();
        assertArrayEquals(
            IntStream.of(present).map(key -> wanted[key]).toArray(),
            (int[]) array(GroupBy.of(Aggregate.of(xor, 1)), "_1", keys, x));
      }
    }
  }

  @Test
  void orders() {
    for (int length : lengths()) {
      int[] x = ints(length);
      for (int k : new int[] {3, 7, 1}) {
        Comparison byRemainder =
            Comparison.ofInt("by remainder", (a, b) -> Integer.compare(a % k, b % k));
        int[] wanted =
            IntStream.of(x)
                .boxed()
                .sorted((a, b) -> Integer.compare(a % k, b % k))
                .mapToInt(Integer::intValue)
                .toArray();
        assertArrayEquals(wanted, (int[]) array(MergeSort.by(byRemainder), "", x));
        int[] all =
            IntStream.concat(IntStream.of(wanted), IntStream.of(wanted))
                .boxed()
                .sorted((a, b) -> Integer.compare(a % k, b % k))
                .mapToInt(Integer::intValue)
                .toArray();
        assertArrayEquals(all, (int[]) array(Merge.by(byRemainder), "", wanted, wanted));
      }
    }
  }

  @Test
  void partitionsAndSets() {
    for (int length : lengths()) {
      int[] x = ints(length);
      int[] sorted = IntStream.of(x).sorted().distinct().toArray();
      int[] others = IntStream.of(x).map(v -> v + 7).sorted().distinct().toArray();
      for (int k : VALUES) {
        assertArrayEquals(
            IntStream.concat(
                    IntStream.of(x).filter(v -> v > k), IntStream.of(x).filter(v -> v <= k))
                .toArray(),
            (int[]) array(Partition.where(Transform.testInt("above", v -> v > k)).joined(), "", x));
        boolean isDown = k < 0;
        Comparison order =
            Comparison.ofInt("up or down", (a, b) -> isDown ? b - a : Integer.compare(a, b));
        assertArrayEquals(
            inOrder(IntStream.concat(IntStream.of(sorted), IntStream.of(others)), isDown),
            (int[])
                array(
                    SetOperation.union().by(order),
                    "",
                    inOrder(IntStream.of(sorted), isDown),
                    inOrder(IntStream.of(others), isDown)));
      }
    }
  }

  private static int[] inOrder(IntStream of, boolean isDown) {
    return of.map(v -> isDown ? -v : v).sorted().distinct().map(v -> isDown ? -v : v).toArray();
  }

  /** Lambdas of an object, and its methods. */
  private record Line(int slope, double intercept, boolean isFlat) {
    int at(int x) {
      return isFlat ? rounded() : steep(x) + rounded();
    }

    private int steep(int x) {
      int y = slope * x;
      for (int i = 0; i < 3; i++) {
        y += i;
      }
      return y;
    }

    private int rounded() {
      return (int) intercept;
    }

    Elementwise lambda(int more) {
      return Elementwise.ofInt("lambda", x -> slope * x + rounded() + more);
    }
  }

  @Test
  void fieldsAndMethodsOfAnObject() {
    int[] x = ints(most());
    for (Line line :
        List.of(new Line(3, 7.5, false), new Line(-2, -3, false), new Line(1, 4, true))) {
      assertArrayEquals(
          IntStream.of(x).map(line::at).toArray(),
          (int[]) array(Elementwise.ofInt("at", line::at), "", x));
      assertArrayEquals(
          IntStream.of(x).map(v -> line.slope * v + line.rounded() + 5).toArray(),
          (int[]) array(line.lambda(5), "", x));
      Operator last = Operator.ofInt("last", 0, (int a, int b) -> b == 0 ? a : b);
      assertEquals(
          IntStream.of(x).map(line::at).reduce(0, (a, b) -> b == 0 ? a : b),
          value(Reduction.of(last, Transform.ofInt("at", line::at)), x));
    }
  }

  @Test
  void inPlansWithFunctionsOfOneLine() {
    int[] x = ints(most());
    List<Elementwise> adds = new ArrayList<>();
    for (int k = 0; k < 4; k++) {
      int added = 10 * k;
      adds.add(Elementwise.ofInt("add", v -> v + added));
    }
    var builder = funnel.plan("several").input("x", ElementType.INT, x.length);
    for (int k = 0; k < adds.size(); k++) {
      builder.add("y" + k, adds.get(k), "x");
    }
    try (var plan = builder.build()) {
      plan.set("x", Elements.of(x));
      for (int run = 0; run < 3; run++) {
        Results results = plan.run();
        for (int k = 0; k < adds.size(); k++) {
          int added = 10 * k;
          assertArrayEquals(
              IntStream.of(x).map(v -> v + added).toArray(), (int[]) results.array("y" + k));
        }
      }
    }
  }

  /** Private methods are not overridden by those of the same name, others are. */
  private static class Base {
    final int k;

    Base(int k) {
      this.k = k;
    }

    Elementwise lambda() {
      return Elementwise.ofInt("lambda", v -> v + hidden(v) + open(v));
    }

    private int hidden(int v) {
      return k;
    }

    int open(int v) {
      return 2 * k;
    }
  }

  private static final class Derived extends Base {
    final int more;

    Derived(int k, int more) {
      super(k);
      this.more = more;
    }

    @Override
    Elementwise lambda() {
      return Elementwise.ofInt("lambda", v -> v * more);
    }

    Elementwise ofBase() {
      return super.lambda();
    }

    int hidden(int v) {
      return 1000 * more;
    }

    @Override
    int open(int v) {
      return super.open(v) + more;
    }
  }

  /** One lambda of objects of two classes is two functions. */
  @Test
  void methodsOfObjectsOfTwoClasses() {
    int[] x = ints(most());
    for (int k = 0; k < 3; k++) {
      Derived derived = new Derived(k, 7);
      int sum = 3 * k;
      assertArrayEquals(
          IntStream.of(x).map(v -> v + sum + 7).toArray(), (int[]) array(derived.ofBase(), "", x));
      assertArrayEquals(
          IntStream.of(x).map(v -> v + sum).toArray(), (int[]) array(new Base(k).lambda(), "", x));
      assertArrayEquals(
          IntStream.of(x).map(v -> v * 7).toArray(), (int[]) array(derived.lambda(), "", x));
    }
  }

  private static Elementwise add(int added) {
    return Elementwise.ofInt("add", v -> v + added);
  }

  private static Reduction last(int k) {
    return Reduction.of(Operator.ofInt("last", 0, (int a, int b) -> b == 0 || k == 12 ? a : b));
  }

  @Test
  void newValuesInPlans() {
    int[] x = ints(most());
    try (Plan plan =
        funnel
            .plan("values")
            .input("x", ElementType.INT, x.length)
            .add("y", add(1), "x")
            .add("last", last(1), "y")
            .add("z", add(2), "y")
            .build()) {
      plan.set("x", Elements.of(x));
      for (int k : VALUES) {
        Results results = plan.set("y", add(k)).set("last", last(k)).run();
        int[] y = IntStream.of(x).map(v -> v + k).toArray();
        assertArrayEquals(y, (int[]) results.array("y"));
        assertArrayEquals(IntStream.of(y).map(v -> v + 2).toArray(), (int[]) results.array("z"));
        assertEquals(IntStream.of(y).reduce(0, (a, b) -> b == 0 ? a : b), results.get("last"));
      }
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () -> plan.set("y", Elementwise.ofInt("add", v -> v + 1)));
      assertTrue(e.getMessage().contains("differs in more than values"), e.getMessage());
      e = assertThrows(IllegalArgumentException.class, () -> plan.set("w", add(1)));
      assertTrue(
          e.getMessage().contains("no operation 'w'; there are [last, y, z]"), e.getMessage());
      assertArrayEquals(
          IntStream.of(x).map(v -> v + Integer.MIN_VALUE).toArray(), (int[]) plan.run().array("y"));
    }
  }

  /** An operation of a user's own that is made of others. */
  private record Above(int least) implements Operation {
    @Override
    public Expansion expand(String output, List<Input> inputs) {
      Transform above = Transform.testInt("above", v -> v >= least);
      return Reduction.countIf(above).expand(output, inputs);
    }
  }

  @Test
  void inOperationsOfOnesOwn() {
    int[] x = ints(most());
    for (int k : VALUES) {
      assertEquals(IntStream.of(x).filter(v -> v >= k).count(), value(new Above(k), x).longValue());
    }
  }

  @Test
  void inStreams() throws Exception {
    int[] x = ints(most());
    for (int k : VALUES) {
      ElementStream stream =
          funnel.over(Source.of(MemorySegment.ofArray(x), ElementType.INT)).pieces(1000);
      assertEquals(
          IntStream.of(x).map(v -> v ^ k).sum(),
          stream.reduce(Reduction.of(Operator.SUM, Transform.ofInt("xor", v -> v ^ k))));
      int[] kept = IntStream.of(x).filter(v -> v > k).toArray();
      int[] into = new int[x.length];
      assertEquals(
          kept.length,
          stream.select(
              Select.where(Transform.testInt("above", v -> v > k)),
              Sink.of(MemorySegment.ofArray(into), ElementType.INT)));
      assertArrayEquals(kept, Arrays.copyOf(into, kept.length));
    }
  }

  /** Neither code nor plans are made for new values. */
  @Test
  void manyCalls() {
    int[] x = ints(100);
    ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
    long before = 0;
    for (int call = 0; call < calls(); call++) {
      int added = call;
      int[] y = (int[]) array(Elementwise.ofInt("add", v -> v + added), "", x);
      assertEquals(x[99] + added, y[99]);
      if (call == calls() / 10) {
        before = classes.getTotalLoadedClassCount();
      }
    }
    long after = classes.getTotalLoadedClassCount();
    assertTrue(after - before < 100, "classes before=%s, after=%s".formatted(before, after));
  }

  @Test
  void fromEightThreads() throws Exception {
    int[] x = ints(1000);
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        int first = 100 * thread;
        all.add(
            threads.submit(
                () -> {
                  for (int k = first; k < first + 20; k++) {
                    int added = k;
                    assertArrayEquals(
                        IntStream.of(x).map(v -> v + added).toArray(),
                        (int[]) array(Elementwise.ofInt("add", v -> v + added), "", x));
                  }
                }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
  }
}
