package funnel.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.Results;
import funnel.Seed;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.histogram.Histogram;
import funnel.io.Source;
import funnel.operation.Operation;
import funnel.operation.Parts;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.FindFirst;
import funnel.sort.IsSorted;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operations in parts, however the input is cut, give what they give of an array. */
class PartsTest {

  private static final Funnel FUNNEL = Funnel.open(Target.JVM);

  /** Not commutative: the last element other than 0. */
  private static final Operator LAST = Operator.ofInt("last", 0, (int a, int b) -> b == 0 ? a : b);

  @AfterAll
  static void close() {
    FUNNEL.close();
  }

  /** Operations over one array of any type but bytes. */
  static List<Operation> ofOneArray() {
    return List.of(
        Reduction.sum(),
        Reduction.product(),
        Reduction.min(),
        Reduction.max(),
        Reduction.sumAsDouble(),
        Reduction.sumOfSquares(),
        Reduction.mean(),
        Reduction.meanFromFirst(),
        Reduction.variance(),
        Reduction.sampleVariance(),
        Reduction.argMin(),
        Reduction.argMax(),
        Reduction.minMax(),
        Histogram.even(5, -3, 7),
        Histogram.even(3, -3, 7).closed(),
        TopK.largest(4),
        TopK.smallest(40).positions(),
        TopK.largest(9).withPositions(),
        IsSorted.ascending(),
        IsSorted.descending());
  }

  /** Operations over ints alone. */
  static List<Operation> ofInts() {
    List<Operation> all = new ArrayList<>(ofOneArray());
    all.add(Reduction.of(LAST));
    all.add(Reduction.of(Operator.SUM, Transform.ofInt("double", x -> 2 * x)));
    all.add(Reduction.countIf(Transform.testInt("even", x -> x % 2 == 0)));
    all.add(FindFirst.where(Transform.testInt("seven", x -> x == 7)));
    all.add(FindFirst.where(Transform.testInt("below seven", x -> x < 7)).rejecting());
    all.add(GroupBy.of());
    all.add(GroupBy.of().runs());
    return all;
  }

  /** Operations over keys and a column. */
  static List<Operation> ofTwoArrays() {
    GroupBy all =
        GroupBy.of(
            Aggregate.count(),
            Aggregate.sum(1),
            Aggregate.min(1),
            Aggregate.mean(1),
            Aggregate.meanFromFirst(1),
            Aggregate.variance(1),
            Aggregate.sampleVariance(1),
            Aggregate.argMin(1),
            Aggregate.argMax(1),
            Aggregate.first(1),
            Aggregate.last(1),
            Aggregate.of(Operator.MAX, 1));
    return List.of(
        Reduction.dot(),
        all,
        all.runs(),
        GroupBy.of(Aggregate.count(), Aggregate.argMax(1)),
        GroupBy.of(Aggregate.of(LAST, 1)).runs(),
        GroupBy.of(Aggregate.count()).keys(2),
        Histogram.even(5, -3, 7).weighted());
  }

  @ParameterizedTest
  @MethodSource("ofInts")
  void ints(Operation operation) throws Exception {
    SplittableRandom random = Seed.random("parts");
    for (int length : lengths()) {
      check(operation, random, random.ints(length, -4, 9).toArray());
      check(operation, random, random.ints(length, -4, 9).sorted().toArray());
      check(operation, random, new int[length]);
    }
  }

  @ParameterizedTest
  @MethodSource("ofOneArray")
  void doublesAndOthers(Operation operation) throws Exception {
    SplittableRandom random = Seed.random("parts");
    for (int length : lengths()) {
      double[] doubles = new double[length];
      float[] floats = new float[length];
      for (int i = 0; i < length; i++) {
        doubles[i] = 1e6 + random.nextGaussian();
        floats[i] = random.nextInt(9) == 0 ? -0.0f : random.nextInt(-4, 9) / 4f;
      }
      check(operation, random, doubles);
      check(operation, random, floats);
      check(operation, random, random.longs(length, -4, 9).toArray());
      if (length > 0) {
        doubles[random.nextInt(length)] = Double.NaN;
        doubles[random.nextInt(length)] = Double.NEGATIVE_INFINITY;
        check(operation, random, doubles);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("ofTwoArrays")
  void keysAndColumn(Operation operation) throws Exception {
    SplittableRandom random = Seed.random("parts");
    for (int length : lengths()) {
      int[] keys = random.ints(length, -4, 9).toArray();
      check(operation, random, keys, random.ints(length, -1000, 1000).toArray());
      Arrays.sort(keys);
      check(operation, random, keys, random.ints(length, 0, 3).toArray());
    }
  }

  /** Clusters send parts from process to process. */
  @ParameterizedTest
  @MethodSource({"ofInts", "ofTwoArrays"})
  void areSerializable(Operation operation) throws Exception {
    int[] array = {3, 1, 4, 1};
    areSerializable(
        operation.inParts(List.of(ElementType.INT, ElementType.INT)).orElseThrow(),
        ofTwoArrays().contains(operation)
            ? List.of(Elements.of(array), Elements.of(array))
            : List.of(Elements.of(array)));
  }

  private static <P extends Serializable> void areSerializable(
      Parts<P> parts, List<Elements> inputs) throws Exception {
    Results results = FUNNEL.run(parts.ofPiece(), inputs.toArray(Elements[]::new));
    P part = parts.of(new Parts.Piece(4, 3, 1, Parts.OUTPUT, results));
    try (ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream())) {
      out.writeObject(part);
      out.writeObject(parts);
    }
  }

  private static int[] lengths() {
    return new int[] {0, 1, 2, 3, 7, 64, 1000};
  }

  private static void check(Operation operation, SplittableRandom random, Object... arrays)
      throws Exception {
    Elements[] inputs = Arrays.stream(arrays).map(PartsTest::elements).toArray(Elements[]::new);
    int length = inputs[0].length();
    Results whole = FUNNEL.run(operation, inputs);
    int[] pieces =
        length > 64 // where single elements are many runs, and their edges have been seen
            ? new int[] {97, random.nextInt(length / 20, length), length + 1}
            : new int[] {1, 2, 3, random.nextInt(1, length + 2), length + 1};
    for (int piece : pieces) {
      Source[] others = Arrays.stream(inputs).skip(1).map(PartsTest::source).toArray(Source[]::new);
      Results parts = FUNNEL.over(source(inputs[0])).pieces(piece).run(operation, others);
      assertEquals(whole.names(), parts.names());
      for (String name : whole.names()) {
        String what = "%s of %s, %s in pieces of %s".formatted(name, operation, length, piece);
        Object expected = read(whole, name);
        Object actual = read(parts, name);
        if (!operation.equals(Reduction.meanFromFirst()) || isFinite(expected)) {
          same(what, piece > length, expected, actual);
        } else {
          assertFalse(isFinite(actual), what); // NaN from a piece that begins with an infinity
        }
      }
    }
  }

  private static boolean isFinite(Object value) {
    return !(value instanceof Double number) || Double.isFinite(number);
  }

  private static Object read(Results results, String name) {
    try {
      return results.get(name);
    } catch (IllegalArgumentException anArray) {
      return results.array(name);
    } catch (NoSuchElementException none) {
      return "none";
    }
  }

  private static void same(String what, boolean isExact, Object expected, Object actual) {
    if (!expected.getClass().isArray()) {
      sameElement(what, isExact, expected, actual);
      return;
    }
    assertEquals(Array.getLength(expected), Array.getLength(actual), what);
    for (int i = 0; i < Array.getLength(expected); i++) {
      sameElement(what + " at " + i, isExact, Array.get(expected, i), Array.get(actual, i));
    }
  }

  private static void sameElement(String what, boolean isExact, Object expected, Object actual) {
    if (expected instanceof Integer wide && actual instanceof Long) {
      assertEquals(wide.longValue(), actual, what);
    } else if (isExact
        || !(expected instanceof Double || expected instanceof Float)
        || !Double.isFinite(((Number) expected).doubleValue())) {
      assertEquals(expected, actual, what);
    } else {
      double wanted = ((Number) expected).doubleValue();
      double relative = expected instanceof Float ? 1e-4 : 1e-9;
      assertEquals(
          wanted, ((Number) actual).doubleValue(), relative * (1 + Math.abs(wanted)), what);
    }
  }

  private static Elements elements(Object array) {
    return switch (array) {
      case int[] ints -> Elements.of(ints);
      case long[] longs -> Elements.of(longs);
      case float[] floats -> Elements.of(floats);
      default -> Elements.of((double[]) array);
    };
  }

  private static Source source(Elements elements) {
    MemorySegment memory = elements.segment();
    return Source.of(memory, elements.type());
  }

  @Test
  void severalInOnePass_whoseNamesWouldClash() throws Exception {
    int[] x = IntStream.range(0, 100).toArray();
    Results results =
        FUNNEL
            .over(Source.of(MemorySegment.ofArray(x), ElementType.INT))
            .pieces(7)
            .reduce(Map.of("v", Reduction.variance(), "v_sum", Reduction.max()));
    assertEquals(833.25, results.getDouble("v"), 1e-9);
    assertEquals(99, results.getInt("v_sum"));
  }

  @Test
  void anOperationThatIsNotDoneInParts() {
    Source source = source(Elements.of(new int[] {3, 1, 4}));
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> FUNNEL.over(source).run(Scan.inclusive(LAST)));
    assertTrue(e.getMessage().contains("not done in parts"), e.getMessage());
  }
}
