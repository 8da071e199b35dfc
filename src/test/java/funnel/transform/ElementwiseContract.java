package funnel.transform;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.EngineContract;
import funnel.Plan;
import funnel.Seed;
import funnel.Types;
import funnel.Values;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorException;
import funnel.operator.OperatorThrewException;
import funnel.reduce.Reduction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** What functions element by element are on every engine; the oracle is a plain loop. */
abstract class ElementwiseContract extends EngineContract {

  static final int TILE = IntToIntElementwiseKernels.TILE;

  private static final List<String> NAMES = List.of("a", "b", "c");

  private static final List<Number> SPECIAL =
      List.of(
          Double.NaN,
          Double.POSITIVE_INFINITY,
          Double.NEGATIVE_INFINITY,
          Double.MAX_VALUE,
          -Double.MAX_VALUE,
          (double) Float.MAX_VALUE,
          Double.MIN_VALUE,
          -(double) Float.MIN_VALUE,
          0x1.fffffeffp127,
          -0.0,
          0.0,
          -0.99,
          255.7,
          -256.2,
          0x1p31,
          0x1.fffffep30,
          2147483647.5,
          -2147483648.5,
          -2147483904.0,
          0x1p63,
          0x1.fffffffffffffp62,
          -0x1p63,
          0x1.23456789abcdep61,
          -0x1.23456789abcdep40,
          Long.MIN_VALUE,
          Long.MAX_VALUE,
          0xffffffffL,
          -1);

  /** A function of this many arguments, the first of which may be the index; and its oracle. */
  private record Case(Elementwise operation, int arrays, boolean isIndexed, Oracle oracle) {
    Number at(int i, List<Values> inputs) {
      List<Number> arguments = new ArrayList<>();
      if (isIndexed) {
        arguments.add(i);
      }
      inputs.subList(0, arrays).forEach(input -> arguments.add(input.at(i)));
      arguments.addAll(List.of(0, 0));
      return oracle.of(arguments.get(0), arguments.get(1), arguments.get(2));
    }
  }

  private interface Oracle {
    Number of(Number a, Number b, Number c);
  }

  private static Number cast(Number value, ElementType to) {
    Number cast =
        switch (value) {
          case Integer v -> castOf(v, v, (float) v, to);
          case Long v -> castOf(v.intValue(), v, (float) v, to);
          case Float v -> castOf((int) (float) v, (long) (float) v, v, to);
          default -> {
            double v = (Double) value;
            yield castOf((int) v, (long) v, (float) v, to);
          }
        };
    return to == ElementType.DOUBLE ? (Number) value.doubleValue() : cast;
  }

  private static Number castOf(int i, long l, float f, ElementType to) {
    return switch (to) {
      case BYTE -> i & 0xff;
      case INT -> i;
      case LONG -> l;
      case FLOAT -> f;
      case DOUBLE -> 0;
    };
  }

  private static Values draw(ElementType type, int length, SplittableRandom random) {
    Values values = Values.random(type, length, random);
    for (int i = 0; i < length; i++) {
      if (random.nextInt(3) == 0) {
        values.put(i, SPECIAL.get(random.nextInt(SPECIAL.size())));
      } else if (type.isFloating()) {
        values.put(i, random.nextDouble(-1, 1) * Math.pow(2, random.nextInt(70)));
      }
    }
    return values;
  }

  /** A copy at an offset in memory of its own. */
  private static Elements apart(Values of, int from) {
    Values all = Values.guard(of.type(), from + of.length() + 2);
    System.arraycopy(of.array(), 0, all.array(), from, of.length());
    return all.range(from, from + of.length()).elements();
  }

  private void check(ElementType from, Map<String, Case> cases) {
    SplittableRandom random = Seed.random("elementwise of " + from);
    Plan.Builder builder = funnel.plan("p");
    NAMES.forEach(name -> builder.input(name, from, most()));
    Map<String, ElementType> types = new HashMap<>();
    cases.forEach(
        (name, of) -> {
          builder.add(name, of.operation(), NAMES.subList(0, of.arrays()).toArray(String[]::new));
          String text = of.operation().toString();
          types.put(name, ElementType.valueOf(text.substring(text.lastIndexOf(' ') + 1)));
        });
    try (Plan plan = builder.build()) {
      for (int length : lengths()) {
        List<Values> inputs = new ArrayList<>();
        for (int k = 0; k < 3; k++) {
          inputs.add(draw(from, length, random));
          plan.set(NAMES.get(k), apart(inputs.get(k), random.nextInt(5)));
        }
        int to = random.nextInt(1, 5);
        Map<String, Values> outputs = new HashMap<>();
        Map<String, Elements> into = new HashMap<>();
        types.forEach(
            (name, type) -> {
              outputs.put(name, Values.guard(type, to + length + 3));
              into.put(name, outputs.get(name).range(to, to + length).elements());
            });
        plan.run(Map.of(), into);
        cases.forEach(
            (name, of) -> {
              Values y = outputs.get(name);
              Number guard = Values.guard(y.type(), 1).at(0);
              for (int i = -to; i < length + 3; i++) {
                boolean isInside = i >= 0 && i < length;
                Number wanted = isInside ? cast(of.at(i, inputs), y.type()) : guard;
                int at = i;
                assertEquals(
                    wanted,
                    y.at(to + i),
                    () ->
                        "%s of %s, length %s, element %s%s"
                            .formatted(of.operation(), from, length, at, Seed.replay()));
              }
            });
      }
    }
  }

  private static Elementwise identity(ElementType from) {
    return switch (from) {
      case BYTE, INT -> Elementwise.ofInt("same", x -> x);
      case LONG -> Elementwise.ofLong("same", x -> x);
      case FLOAT -> Elementwise.ofFloat("same", x -> x);
      case DOUBLE -> Elementwise.ofDouble("same", x -> x);
    };
  }

  @ParameterizedTest
  @Types
  void casts(ElementType from) {
    Map<String, Case> cases = new HashMap<>();
    for (ElementType to : ElementType.values()) {
      cases.put("to" + to, new Case(identity(from).to(to), 1, false, (a, b, c) -> a));
    }
    check(from, cases);
  }

  private static Map<String, Case> cases(
      Elementwise one,
      Elementwise two,
      Elementwise three,
      Function<Number, Number> index,
      Oracle oracleOfOne,
      Oracle oracleOfTwo,
      Oracle oracleOfThree) {
    Oracle two2 = (a, b, c) -> oracleOfTwo.of(index.apply(a), b, c);
    Oracle three2 = (a, b, c) -> oracleOfThree.of(index.apply(a), b, c);
    return Map.of(
        "one", new Case(one, 1, false, oracleOfOne),
        "two", new Case(two, 2, false, oracleOfTwo),
        "three", new Case(three, 3, false, oracleOfThree),
        "itwo", new Case(two.indexed(), 1, true, two2),
        "ithree", new Case(three.indexed(), 2, true, three2));
  }

  @ParameterizedTest
  @EnumSource(names = {"BYTE", "INT"})
  void functionsOfInts(ElementType from) {
    check(
        from,
        cases(
            Elementwise.ofInt("one", x -> 3 * x + 7),
            Elementwise.ofInt("two", (a, b) -> 5 * a - b),
            Elementwise.ofInt("three", (a, b, c) -> a < b ? c >> 3 : 31 * a + b),
            i -> i,
            (a, b, c) -> 3 * (Integer) a + 7,
            (a, b, c) -> 5 * (Integer) a - (Integer) b,
            (a, b, c) ->
                (Integer) a < (Integer) b ? (Integer) c >> 3 : 31 * (Integer) a + (Integer) b));
  }

  @Test
  void functionsOfLongs() {
    check(
        ElementType.LONG,
        cases(
            Elementwise.ofLong("one", x -> x >>> 3),
            Elementwise.ofLong("two", (a, b) -> 5 * a - b),
            Elementwise.ofLong("three", (a, b, c) -> a < b ? c : a ^ b),
            i -> (long) (Integer) i,
            (a, b, c) -> (Long) a >>> 3,
            (a, b, c) -> 5 * (Long) a - (Long) b,
            (a, b, c) -> (Long) a < (Long) b ? c : (Number) ((Long) a ^ (Long) b)));
  }

  @Test
  void functionsOfFloats() {
    check(
        ElementType.FLOAT,
        cases(
            Elementwise.ofFloat("one", x -> 3 * x).to(ElementType.DOUBLE),
            Elementwise.ofFloat("two", (a, b) -> a - b),
            Elementwise.ofFloat("three", (a, b, c) -> a < b ? c : a + b),
            i -> (float) (Integer) i,
            (a, b, c) -> 3 * (Float) a,
            (a, b, c) -> (Float) a - (Float) b,
            (a, b, c) -> (Float) a < (Float) b ? c : (Number) ((Float) a + (Float) b)));
  }

  @Test
  void functionsOfDoubles() {
    check(
        ElementType.DOUBLE,
        cases(
            Elementwise.ofDouble("one", x -> 3 * x),
            Elementwise.ofDouble("two", Math::max).to(ElementType.FLOAT),
            Elementwise.ofDouble("three", (a, b, c) -> a < b ? c : a + b),
            i -> (double) (Integer) i,
            (a, b, c) -> 3 * (Double) a,
            (a, b, c) -> Math.max((Double) a, (Double) b),
            (a, b, c) -> (Double) a < (Double) b ? c : (Number) ((Double) a + (Double) b)));
  }

  /** No input at all, in one call and in a plan. */
  @Test
  void functionsOfTheIndex() {
    Elementwise squares = Elementwise.ofInt("squares", i -> i * i);
    for (int length : lengths()) {
      int[] expected = IntStream.range(0, length).map(i -> i * i).toArray();
      assertArrayEquals(expected, funnel.run(squares.indexed(length)).ints("result"));
    }
    Elementwise halves = Elementwise.ofDouble("halves", i -> i / 2).indexed(TILE + 1);
    try (Plan plan =
        funnel
            .plan("p")
            .input("x", ElementType.INT, 9)
            .add("halves", halves)
            .add("longs", halves.to(ElementType.LONG))
            .add("sum", Reduction.sum(), "longs")
            .add("y", Elementwise.ofInt("x", x -> x), "x")
            .build()) {
      double[] into = new double[TILE + 1];
      for (int run = 0; run < 2; run++) {
        var results =
            plan.run(
                Map.of("x", Elements.of(new int[] {run})), Map.of("halves", Elements.of(into)));
        assertEquals(TILE / 2.0, into[TILE]);
        assertEquals(0.5, into[1]);
        assertEquals((long) TILE * TILE / 4, results.getLong("sum"));
        assertArrayEquals(new int[] {run}, results.ints("y"));
      }
    }
  }

  @Test
  void inPlaceOfAnyInput() {
    int length = 2 * TILE + 77;
    Elementwise minus = Elementwise.ofInt("minus", (a, b) -> a - b);
    SplittableRandom random = Seed.random("in place");
    int[] a = random.ints(length).toArray();
    int[] b = random.ints(length).toArray();
    int[] expected = IntStream.range(0, length).map(i -> a[i] - b[i]).toArray();
    for (int place = 0; place < 2; place++) {
      int[][] given = {a.clone(), b.clone()};
      Elements into = Elements.of(given[place]);
      Elements first = place == 0 ? into : Elements.of(given[0]);
      Elements second = place == 1 ? into : Elements.of(given[1]);
      funnel.run(minus, Map.of("result", into), first, second);
      assertArrayEquals(expected, given[place], "in place of " + place + Seed.replay());
      IntArray[] bound = {IntArray.fromArray(a), IntArray.fromArray(b)};
      try (Plan plan =
          funnel
              .plan("p")
              .input("a", bound[0])
              .input("b", bound[1])
              .add("y", minus, "a", "b")
              .output("y", bound[place])
              .build()) {
        plan.run();
        assertArrayEquals(expected, bound[place].toHeapArray(), "bound" + Seed.replay());
      }
    }
    int[] same = a.clone();
    Elements x = Elements.of(same);
    funnel.run(Elementwise.ofInt("twice", Integer::sum), Map.of("result", x), x, x);
    assertArrayEquals(Arrays.stream(a).map(v -> 2 * v).toArray(), same);
    assertThrows(
        IllegalArgumentException.class,
        () ->
            funnel.run(
                Elementwise.ofInt("float", v -> v).to(ElementType.FLOAT),
                Map.of(
                    "result",
                    Elements.of(java.lang.foreign.MemorySegment.ofArray(same), ElementType.FLOAT)),
                x));
  }

  private record Half(int of) {
    static int of(int x) {
      return x / 2;
    }
  }

  @Test
  void examplesAndEmptyInput() {
    Elements a = Elements.of(new int[] {3, 1, 4});
    Elements b = Elements.of(new int[] {1, 5, 9});
    assertArrayEquals(
        new int[] {31, 15, 49},
        funnel.run(Elementwise.ofInt("digits", (x, y) -> 10 * x + y), a, b).ints("result"));
    assertArrayEquals(
        new int[] {1, 0, 2}, funnel.run(Elementwise.ofInt("half", Half::of), a).ints("result"));
    Elementwise sum = Elementwise.ofInt("sum", (x, y, z) -> x + y + z);
    Elements none = Elements.of(new int[0]);
    assertArrayEquals(new int[0], funnel.run(sum, none, none, none).ints("result"));
    Elementwise later = Elementwise.ofInt("later", (i, x) -> x - i).indexed();
    assertArrayEquals(new int[] {3, 0, 2}, funnel.run(later, a).ints("result"));
    assertArrayEquals(
        new int[0], funnel.run(Elementwise.ofInt("i", i -> i).indexed(0)).ints("result"));
  }

  /** The JVM calls what it cannot copy; a device refuses it, by the name. */
  @Test
  void functionsThatCaptureObjects() {
    List<Integer> k = List.of(1, 2, 3);
    int[] x = IntStream.range(0, 3000).toArray();
    float[] f = new float[x.length];
    Arrays.stream(x).forEach(i -> f[i] = i);
    List<Elementwise> ints =
        List.of(
            Elementwise.ofInt("capturing", v -> v + k.size()),
            Elementwise.ofInt("capturing", (i, v) -> v + k.size()).indexed());
    List<Elementwise> floats =
        List.of(
            Elementwise.ofFloat("capturing", (v, w) -> w + k.size()),
            Elementwise.ofFloat("capturing", (i, v, w) -> v + k.size()).indexed(),
            Elementwise.ofFloat("capturing", (v, w) -> v + k.size()));
    if (target() == Target.JVM) {
      int[] expected = Arrays.stream(x).map(v -> v + k.size()).toArray();
      for (Elementwise each : ints) {
        assertArrayEquals(expected, funnel.run(each, Elements.of(x)).ints("result"));
      }
      for (Elementwise each : floats) {
        float[] y = funnel.run(each, Elements.of(f), Elements.of(f)).floats("result");
        assertArrayEquals(expected, IntStream.range(0, y.length).map(i -> (int) y[i]).toArray());
      }
    } else {
      OperatorException e =
          assertThrows(OperatorException.class, () -> funnel.run(ints.getFirst(), Elements.of(x)));
      assertEquals("capturing", e.operator());
    }
  }

  @Test
  void whatAFunctionThrows_hasItsName() {
    int[] x = IntStream.range(-2000, 2000).toArray();
    Elementwise inverse = Elementwise.ofInt("inverse", v -> 100 / v);
    if (target() != Target.TORNADO) { // a device gives some number
      RuntimeException e =
          assertThrows(RuntimeException.class, () -> funnel.run(inverse, Elements.of(x)));
      if (target() == Target.JVM) {
        assertEquals(
            "inverse",
            OperatorThrewException.of(e).flatMap(OperatorThrewException::transform).orElseThrow());
      }
    }
  }

  @Test
  void whatIsNotTaken_isNamed() {
    Plan.Builder plan =
        funnel
            .plan("p")
            .input("x", ElementType.INT, 5)
            .input("f", ElementType.FLOAT, 5)
            .input("b", ElementType.BYTE, 5);
    Elementwise one = Elementwise.ofInt("one", x -> x);
    Elementwise two = Elementwise.ofInt("two", (x, y) -> x + y);
    Map<Runnable, String> messages = new HashMap<>();
    messages.put(() -> plan.add("y", one), "one element by element to INT takes 1 inputs, given=0");
    messages.put(() -> plan.add("y", one, "x", "x"), "takes 1 inputs, given=2");
    messages.put(() -> plan.add("y", two.indexed(), "x", "x"), "takes 1 inputs, given=2");
    messages.put(() -> plan.add("y", one.indexed(3), "x"), "takes 0 inputs, given=1");
    messages.put(() -> plan.add("y", one, "f"), "is over INT, input f is of type FLOAT");
    messages.put(() -> plan.add("y", two, "x", "b"), "x is of type INT, b of type BYTE");
    messages.put(one::indexed, "one has one argument");
    messages.put(() -> two.indexed(3), "two has 2 arguments");
    messages.put(() -> one.indexed(-1), "length=-1");
    messages.put(() -> one.indexed(Integer.MAX_VALUE), "length=2147483647");
    messages.put(
        () -> funnel.run(two, Elements.of(new int[2]), Elements.of(new int[3])),
        "equal length: length of input1=2, length of input2=3");
    messages.forEach(
        (run, message) -> {
          String given = assertThrows(IllegalArgumentException.class, run::run).getMessage();
          assertTrue(String.valueOf(given).contains(message), given);
        });
  }

  /** A function's body may call an operator's, and be used as one. */
  @Test
  void ofAnOperatorsFunction() {
    Operator.IntCombine larger = (a, b) -> a > b ? a : b;
    Elements a = Elements.of(new int[] {3, 1, 4});
    Elements b = Elements.of(new int[] {1, 5, 9});
    assertArrayEquals(
        new int[] {3, 5, 9}, funnel.run(Elementwise.ofInt("larger", larger), a, b).ints("result"));
  }
}
