package funnel.scan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Bad input, and what a plan does with arrays that it writes. */
class ScanTest {

  private static final Scan SUM = Scan.inclusive(Operator.SUM);

  private final Funnel funnel = Funnel.open(Target.JVM);

  @AfterEach
  void close() {
    funnel.close();
  }

  private Plan plan(Scan scan) {
    return funnel.plan("p").input("x", ElementType.INT, 100).add("y", scan, "x").build();
  }

  private static void refuses(Class<? extends Exception> type, String text, Executable call) {
    Exception e = assertThrows(type, call);
    assertTrue(e.getMessage().contains(text), e.getMessage());
  }

  @Test
  void outputShorterThanInput() {
    int[] short3 = {9, 9, 9};
    refuses(
        IllegalArgumentException.class,
        "length=4, capacity=3",
        () -> funnel.scan(Elements.of(new int[4]), SUM, Elements.of(short3)));
    assertArrayEquals(new int[] {9, 9, 9}, short3);
  }

  @Test
  void overlappingButNotEqual() {
    int[] x = {1, 2, 3, 4, 5};
    refuses(
        IllegalArgumentException.class,
        "output into of plan scan overlaps input elements",
        () -> funnel.scan(Elements.of(x, 0, 4), SUM, Elements.of(x, 1, 5)));
    assertArrayEquals(new int[] {1, 2, 3, 4, 5}, x);
    long[] memory = new long[4];
    refuses(
        IllegalArgumentException.class,
        "output into of plan scan overlaps input elements",
        () ->
            funnel.scan(
                Elements.of(MemorySegment.ofArray(memory).asSlice(0, 16), ElementType.INT),
                SUM.to(ElementType.LONG),
                Elements.of(memory)));
    try (Plan plan = plan(SUM)) {
      plan.set("x", Elements.of(x, 0, 3));
      plan.into("y", Elements.of(x, 1, 5));
      refuses(IllegalArgumentException.class, "overlaps input x", plan::run);
      assertArrayEquals(new int[] {1, 2, 3, 4, 5}, x);
    }
  }

  @Test
  void initialValueThatDoesNotFit() {
    refuses(
        IllegalArgumentException.class,
        "initial value 4294967296 does not fit INT",
        () -> plan(SUM.from(1L << 32)));
    refuses(
        IllegalArgumentException.class,
        "initial value 0.5 does not fit INT",
        () -> plan(SUM.from(0.5)));
    try (Plan plan = plan(SUM.from(7L))) {
      assertEquals(8, plan.run(Map.of("x", Elements.of(new int[] {1}))).getInt("y_total"));
    }
  }

  /**
   * Fractions may be rounded to a float; what else would change is refused, however it is given.
   */
  @Test
  void initialValueThatWouldChange() {
    long odd = (1L << 53) + 1;
    refusesInitial(ElementType.DOUBLE, odd, "initial value 9007199254740993 does not fit DOUBLE");
    refusesInitial(ElementType.DOUBLE, -odd, "9.007199254740992E15");
    refusesInitial(ElementType.DOUBLE, Long.MAX_VALUE, "9223372036854775807");
    refusesInitial(ElementType.DOUBLE, BigInteger.ONE.shiftLeft(54).add(BigInteger.ONE), "DOUBLE");
    refusesInitial(ElementType.FLOAT, (1 << 24) + 1, "16777217");
    refusesInitial(ElementType.FLOAT, 1e39, "1.0E39 does not fit FLOAT: it would become Infinity");
    refusesInitial(ElementType.DOUBLE, new BigDecimal("-1e309"), "-Infinity");
    refusesInitial(ElementType.LONG, 0x1p63, "9.223372036854776E18");
    refusesInitial(ElementType.LONG, new BigDecimal("4611686018427387904.5"), "LONG");
    refusesInitial(ElementType.LONG, BigInteger.ONE.shiftLeft(64), "18446744073709551616");
    refusesInitial(ElementType.INT, 1L << 32, "4294967296");
    refusesInitial(ElementType.INT, Double.NaN, "NaN");
    refusesInitial(ElementType.LONG, Float.NEGATIVE_INFINITY, "-Infinity");
    Number[] exact = {
      1L << 53,
      Long.MIN_VALUE,
      (byte) -3,
      0.25f,
      BigInteger.TWO.pow(70),
      new BigDecimal("0.5"),
      Double.NaN,
      Float.POSITIVE_INFINITY,
      -0.0f,
      new AtomicInteger(12)
    };
    for (Number value : exact) {
      double total = run(ElementType.DOUBLE, SUM.from(value)).getDouble("y_total");
      assertEquals(value.doubleValue(), total, value.toString());
    }
    assertEquals(Long.MIN_VALUE, run(ElementType.LONG, SUM.from(-0x1p63)).getLong("y_total"));
    Number[] rounded = {0.1f, 0.1, new BigDecimal("0.1")};
    for (Number value : rounded) {
      assertEquals(0.1f, run(ElementType.FLOAT, SUM.from(value)).getFloat("y_total"));
    }
    assertEquals(0.1, run(ElementType.DOUBLE, SUM.from(rounded[2])).getDouble("y_total"));
    assertEquals(Float.NaN, run(ElementType.FLOAT, SUM.from(Double.NaN)).getFloat("y_total"));
  }

  private Results run(ElementType type, Scan scan) {
    try (Plan plan = funnel.plan("p").input("x", type, 0).add("y", scan, "x").build()) {
      return plan.run(Map.of("x", Elements.of(MemorySegment.NULL, type)));
    }
  }

  private void refusesInitial(ElementType type, Number value, String text) {
    refuses(
        IllegalArgumentException.class,
        text,
        () -> funnel.plan("p").input("x", type, 1).add("y", SUM.from(value), "x"));
    SegmentedScan segmented = SegmentedScan.exclusive(Operator.SUM).from(value);
    refuses(
        IllegalArgumentException.class,
        text,
        () ->
            funnel
                .plan("p")
                .input("x", type, 1)
                .input("s", ElementType.BYTE, 1)
                .add("y", segmented, "x", "s"));
  }

  @Test
  void typesWithoutThisScan() {
    refuses(
        IllegalArgumentException.class,
        "no scan of INT elements to DOUBLE",
        () -> plan(SUM.to(ElementType.DOUBLE)));
    refuses(
        IllegalArgumentException.class,
        "bitwise",
        () ->
            funnel
                .plan("p")
                .input("x", ElementType.FLOAT, 1)
                .add("y", Scan.inclusive(Operator.XOR), "x"));
    refuses(
        IllegalArgumentException.class,
        "takes 2 inputs, given are 1",
        () -> plan(SUM.continuing()));
    refuses(
        IllegalArgumentException.class,
        "build a plan",
        () -> funnel.scan(Elements.of(new int[1]), SUM.continuing(), Elements.of(new int[1])));
  }

  @Test
  void initialInputOfAnotherLength() {
    try (Plan plan =
        funnel
            .plan("p")
            .input("x", ElementType.INT, 10)
            .input("start", ElementType.INT, 10)
            .add("y", SUM.continuing(), "x", "start")
            .build()) {
      refuses(
          IllegalArgumentException.class,
          "length=2",
          () ->
              plan.run(
                  Map.of("x", Elements.of(new int[3]), "start", Elements.of(new int[] {1, 2}))));
    }
  }

  @Test
  void destinationOfAnotherTypeOrReadOnly_orOfNothing() {
    try (Plan plan = plan(SUM)) {
      refuses(
          IllegalArgumentException.class,
          "has INT elements, the destination LONG",
          () -> plan.into("y", Elements.of(new long[3])));
      refuses(
          IllegalArgumentException.class,
          "read-only",
          () ->
              plan.into(
                  "y",
                  Elements.of(MemorySegment.ofArray(new int[3]).asReadOnly(), ElementType.INT)));
      refuses(
          IllegalArgumentException.class,
          "writes no array 'z'",
          () -> plan.into("z", Elements.of(new int[3])));
      assertThrows(NullPointerException.class, () -> plan.into("y", null));
    }
    refuses(
        IllegalArgumentException.class,
        "does not fit",
        () ->
            funnel
                .plan("p")
                .input("x", ElementType.INT, 10)
                .add("y", SUM, "x")
                .output("y", new LongArray(10)));
    refuses(
        IllegalArgumentException.class,
        "INT[9] for INT[10]",
        () ->
            funnel
                .plan("p")
                .input("x", ElementType.INT, 10)
                .add("y", SUM, "x")
                .output("y", new IntArray(9)));
  }

  @Test
  void namesThatAreTaken() {
    refuses(
        IllegalArgumentException.class,
        "name 'x' is taken",
        () -> funnel.plan("p").input("x", ElementType.INT, 10).add("x", SUM, "x"));
    refuses(
        IllegalArgumentException.class,
        "name 'y_total' is taken",
        () ->
            funnel
                .plan("p")
                .input("x", ElementType.INT, 10)
                .input("y_total", ElementType.INT, 10)
                .add("y", SUM, "x"));
  }

  @Test
  void arraysAreReadBeforeTheNextRun() {
    try (Plan plan = plan(SUM)) {
      Results first = plan.run(Map.of("x", Elements.of(new int[] {1, 2})));
      assertArrayEquals(new int[] {1, 3}, first.ints("y"));
      Results second = plan.run(Map.of("x", Elements.of(new int[] {5})));
      refuses(IllegalStateException.class, "overwritten by a later run", () -> first.ints("y"));
      assertEquals(3, first.getInt("y_total"));
      assertArrayEquals(new int[] {5}, second.ints("y"));
      refuses(IllegalArgumentException.class, ", not LONG", () -> second.longs("y"));
      refuses(IllegalArgumentException.class, "is a single value", () -> second.ints("y_total"));
      refuses(IllegalArgumentException.class, "is an array of type INT", () -> second.get("y"));
    }
  }

  @Test
  void boundArrays() {
    IntArray x = IntArray.fromElements(1, 2, 3);
    IntArray y = new IntArray(5);
    try (Plan plan = funnel.plan("p").input("x", x).add("y", SUM, "x").output("y", y).build()) {
      plan.run();
      assertEquals(6, y.get(2));
      x.set(0, 11);
      plan.changed("x", 0, 2).run();
      assertEquals(13, y.get(1));
      assertEquals(6, y.get(2));
    }
    try (Plan inPlace = funnel.plan("p").input("x", x).add("y", SUM, "x").output("y", x).build()) {
      inPlace.run();
      assertEquals(16, x.get(2));
      inPlace.changed("x", 1, 3).run();
      assertEquals(11, x.get(0));
      assertEquals(13, x.get(1));
      assertEquals(29, x.get(2));
    }
  }
}
