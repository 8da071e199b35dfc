package funnel.plan;

import static funnel.Segments.ofKeys;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.Ints;
import funnel.Plan;
import funnel.histogram.ScatterReduce;
import funnel.lessons.LadderVariant;
import funnel.lessons.ScanVariant;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorLawException;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Plans try the identities of operators of the user's, whatever combines by them. */
class IdentityCheckTest {

  private static final Operator MX = Operator.ofInt("mx", 100, Math::max).commutative();

  private static void refused(String text, Executable run) {
    OperatorLawException e = assertThrows(OperatorLawException.class, run);
    assertEquals(OperatorLawException.Law.IDENTITY, e.law());
    assertTrue(String.valueOf(e.getMessage()).contains(text), e.getMessage());
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void everythingThatCombines(Target target) {
    List<Consumer<Plan.Builder>> families =
        List.of(
            plan -> plan.add("y", Reduction.of(MX), "x"),
            plan -> plan.add("y", Reduction.of(MX, Transform.ofInt("half", x -> x / 2)), "twice"),
            plan -> plan.add("y", LadderVariant.values()[0].reduction(64, MX), "x"),
            plan -> plan.add("y", Scan.inclusive(MX), "x"),
            plan -> plan.add("y", Scan.exclusive(MX).continuing(), "x", "one"),
            plan -> plan.add("y", ScanVariant.values()[0].scan(64, MX), "x"),
            plan ->
                plan.add("y", SegmentedScan.inclusive(MX).segments(Segments.byKeys()), "x", "keys"),
            plan -> plan.add("y", ScatterReduce.by(MX), "keys", "x", "into"),
            plan -> plan.add("y", Reduction.of(MX), "bytes"));
    try (Funnel funnel = Funnel.open(target)) {
      for (Consumer<Plan.Builder> family : families) {
        Plan.Builder builder =
            funnel
                .plan("p")
                .input("x", ElementType.INT, 100)
                .input("twice", ElementType.INT, 100)
                .input("bytes", ElementType.BYTE, 100)
                .input("keys", ElementType.INT, 100)
                .input("one", ElementType.INT, 1)
                .input("into", ElementType.INT, 10);
        family.accept(builder);
        Map<String, Elements> empty =
            Map.of(
                "x", Elements.of(new int[0]),
                "twice", Elements.of(new int[0]),
                "bytes", Elements.of(new byte[0]),
                "keys", Elements.of(new int[0]),
                "one", Elements.of(new int[1]),
                "into", Elements.of(new int[10]));
        Map<String, Elements> low =
            Map.of(
                "x", Elements.of(new int[] {101, 3}),
                "twice", Elements.of(new int[] {202, 6}),
                "bytes", Elements.of(new byte[] {(byte) 200, 3}),
                "keys", Elements.of(new int[2]),
                "one", Elements.of(new int[1]),
                "into", Elements.of(new int[10]));
        try (Plan plan = builder.build()) {
          plan.run(empty); // nothing to try yet
          for (int i = 0; i < 2; i++) { // a second run is no way round
            refused("operator mx: 100 is not an identity: f(100, 3) gave 100", () -> plan.run(low));
          }
        }
      }
    }
  }

  /** Where the operator has elements that other operations computed. */
  @Test
  void whatIsComputed() {
    Operator least = Operator.ofInt("least", 0, Math::min);
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      Ints x = funnel.of(3, 1, 4, 1, 5);
      Ints keys = funnel.of(7, 9, 7, 9, 8);
      int[] one = {1};
      List<Executable> readings =
          List.of(
              () -> x.filter(v -> v > 1).reduce(least),
              () -> x.sorted().reduce(least),
              () -> x.map(v -> v + one[0]).scan(least).toArray(),
              () -> x.sorted().exclusiveScan(least).toArray(),
              () -> x.sorted().reduce(least, ofKeys(keys)).toArray(),
              () -> x.sorted().rolling(2).reduce(least).toArray(),
              () -> keys.groupBy().reduce(least, x).toArray(),
              () -> keys.sorted().groupBy().reduce(least, x.sorted()).toArray(),
              () -> keys.groupByRuns().reduce(least, x).toArray(),
              () -> keys.asLongs().map(k -> k << 40).groupBy().reduce(least, x).toArray());
      for (int i = 0; i < 2 * readings.size(); i++) { // a second reading is no way round
        OperatorLawException e =
            assertThrows(OperatorLawException.class, readings.get(i / 2), "reading " + i / 2);
        assertTrue(String.valueOf(e.getMessage()).contains("0 is not an identity"), e.getMessage());
      }
      Operator right = Operator.ofInt("least", Integer.MAX_VALUE, Math::min);
      assertEquals(3, x.filter(v -> v > 1).reduce(right));
      assertArrayEquals(new int[] {3, 5, 1}, keys.groupBy().reduce(right, x).toArray());
    }
  }

  @Test
  void someElementsOnly_andOnce() {
    AtomicInteger calls = new AtomicInteger();
    Operator counted =
        Operator.ofInt(
            "counted",
            0,
            (a, b) -> {
              calls.incrementAndGet();
              return a + b;
            });
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            funnel
                .plan("p")
                .input("x", ElementType.INT, 100)
                .add("y", Reduction.of(counted), "x")
                .build()) {
      Map<String, Elements> ones = Map.of("x", Elements.of(new int[50]));
      plan.run(ones);
      int first = calls.getAndSet(0);
      plan.run(ones);
      assertEquals(2 * 16 + 4 * 14, first - calls.get(), "identities, and triples");
    }
  }

  /** What only some elements show, wherever these are. */
  @Test
  void elementsFromAllOverTheArray() {
    Operator most = Operator.ofInt("most", 0, Math::max);
    int[] x = new int[1000];
    Arrays.fill(x, 930, 1000, -5);
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      refused("f(0, -5) gave 0", () -> funnel.reduce(x, most));
      Arrays.fill(x, 0);
      x[999] = -7;
      refused("f(0, -7) gave 0", () -> funnel.reduce(x, most));
      x[999] = 7;
      assertEquals(7, funnel.reduce(x, most));
    }
  }

  /** Rounding is no reason to refuse an operator over floats. */
  @Test
  void associativityOverIntegers() {
    Operator less = Operator.ofInt("less", 0, (a, b) -> b == 0 ? a : a == 0 ? b : a - b);
    Operator sums = Operator.ofFloat("sums", 0, (a, b) -> a + b);
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      OperatorLawException e =
          assertThrows(
              OperatorLawException.class, () -> funnel.inclusiveScan(new int[] {5, 2, 1}, less));
      assertEquals(OperatorLawException.Law.ASSOCIATIVITY, e.law());
      assertTrue(
          String.valueOf(e.getMessage())
              .startsWith(
                  "operator less: it is not associative: f(f(5, 2), 1) gave 2, f(5, f(2, 1)) gave"
                      + " 4;"),
          e.getMessage());
      assertEquals(0.1f + 1e9f - 1e9f, funnel.reduce(new float[] {0.1f, 1e9f, -1e9f}, sums));
    }
  }

  @Test
  void whatIsSet_isTriedAsItWasThen() {
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            funnel
                .plan("p")
                .input("x", ElementType.INT, 9)
                .add("y", Reduction.of(MX), "x")
                .build()) {
      int[] x = {3, 101};
      plan.set("x", Elements.of(x));
      x[0] = 102;
      refused("f(100, 3)", plan::run);
      assertEquals(102, plan.run(Map.of("x", Elements.of(x))).getInt("y"));
    }
  }

  @Test
  void arraysOfTheCaller_partsOfThem() {
    IntArray x = IntArray.fromElements(101, 102, 3);
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      try (Plan plan = funnel.plan("p").input("x", x).add("y", Reduction.of(MX), "x").build()) {
        refused("f(100, 3)", plan::run);
        assertEquals(102, plan.changed("x", 0, 2).run().getInt("y"));
      }
    }
  }

  /** Where the operator throws there is nothing to say; what it threw comes from the run. */
  @Test
  void operatorsThatThrow() {
    Operator exact =
        Operator.ofInt(
            "exact",
            0,
            (a, b) -> {
              if (a == 0 || b == 0) {
                throw new ArithmeticException("zero");
              }
              return a + b;
            });
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      assertThrows(ArithmeticException.class, () -> funnel.reduce(new int[] {1, 2}, exact));
    }
  }

  /** NaN are alike, zeros too, and what a function rounds. */
  @Test
  void floatingPoint() {
    Operator logs =
        Operator.ofDouble(
            "log of sum", Double.NEGATIVE_INFINITY, (a, b) -> Math.log(Math.exp(a) + Math.exp(b)));
    double[] x = {0.1, -3, 2.7, Double.NaN, -0.0, 17.3};
    Operator size = Operator.ofDouble("size", 0, (a, b) -> Math.max(Math.abs(a), Math.abs(b)));
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      assertEquals(Double.NaN, funnel.reduce(x, logs));
      assertEquals(x.length, funnel.inclusiveScan(x, logs).length);
      refused("f(0.0, -3.0) gave 3.0", () -> funnel.reduce(x, size));
      assertArrayEquals(
          new float[] {0, 0},
          funnel.exclusiveScan(new float[] {-0f, 1}, Operator.ofFloat("p", 0, Float::sum)),
          "a sum of zeros");
    }
  }
}
