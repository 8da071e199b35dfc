package funnel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.operation.Target;
import funnel.operator.ElementType;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Plans over arrays whose lengths are found, on an engine and on the JVM from known lengths. */
abstract class FoundLengths {

  static final int SCAN_TILE = 256 * 32;
  static final int SORT_TILE = 4096;
  static final int REDUCE_TILE = 2048;

  Funnel funnel;
  Funnel jvm;

  abstract Target target();

  /** How many times as large arrays are. */
  int scale() {
    return 1;
  }

  @BeforeEach
  void open() {
    funnel = Funnel.open(target());
    jvm = Funnel.open(Target.JVM);
  }

  @AfterEach
  void close() {
    funnel.close();
    jvm.close();
  }

  static SplittableRandom random(String test) {
    return Seed.random("found lengths of " + test);
  }

  /** Elements of a type from 0 below a bound, but all of a byte's, and of floating point any. */
  static Elements elements(ElementType type, SplittableRandom random, int n, int bound) {
    return switch (type) {
      case BYTE -> {
        byte[] bytes = new byte[n];
        random.nextBytes(bytes);
        yield Elements.of(bytes);
      }
      case INT -> Elements.of(random.ints(n, 0, bound).toArray());
      case LONG -> Elements.of(random.longs(n, 0, bound).toArray());
      case FLOAT -> {
        float[] floats = new float[n];
        for (int i = 0; i < n; i++) {
          floats[i] = (float) ((random.nextDouble() - 0.3) * (1 << random.nextInt(20)));
        }
        yield Elements.of(floats);
      }
      case DOUBLE ->
          Elements.of(random.doubles(n).map(x -> (x - 0.3) * (1 << (int) (20 * x * x))).toArray());
    };
  }

  static Object read(Results results, String name) {
    Object value;
    try {
      value = results.get(name);
    } catch (NoSuchElementException e) {
      value = String.valueOf(e.getMessage());
    } catch (IllegalArgumentException e) {
      value =
          switch (results.type(name)) {
            case BYTE -> results.bytes(name);
            case INT -> results.ints(name);
            case LONG -> results.longs(name);
            case FLOAT -> results.floats(name);
            case DOUBLE -> results.doubles(name);
          };
    }
    return value;
  }

  static void same(Results expected, Results actual, String run) {
    for (String name : expected.names()) {
      String what = name + ", " + run;
      Object wanted = read(expected, name);
      Object got = read(actual, name);
      switch (wanted) {
        case byte[] array -> assertArrayEquals(array, (byte[]) got, what);
        case int[] array -> assertArrayEquals(array, (int[]) got, what);
        case long[] array -> assertArrayEquals(array, (long[]) got, what);
        case float[] array -> assertArrayEquals(array, (float[]) got, what);
        case double[] array -> assertArrayEquals(array, (double[]) got, what);
        default -> assertEquals(wanted, got, what);
      }
      if (wanted.getClass().isArray()) {
        assertEquals(Array.getLength(wanted), actual.length(name), what);
      }
    }
  }

  static Plan.Builder inputs(Plan.Builder builder, Map<String, Elements> inputs) {
    inputs.forEach((name, input) -> builder.input(name, input.type(), input.length()));
    return builder;
  }

  /**
   * Compares operations over the first elements of arrays, as many as are found, with the JVM's
   * over arrays of so many.
   *
   * @param found arrays of one length, of which the operations know as {@code f}, {@code f_1} ...
   * @param known other inputs
   * @param add adds the operations
   * @param lengths what is found, in one plan, one after the other
   */
  void check(
      List<Elements> found,
      Map<String, Elements> known,
      UnaryOperator<Plan.Builder> add,
      int... lengths) {
    Map<String, Elements> given = new HashMap<>(known);
    List<String> names = new ArrayList<>(List.of("k"));
    for (int i = 0; i < found.size(); i++) {
      names.add("a" + i);
      given.put("a" + i, found.get(i));
    }
    given.put("k", Elements.of(new int[1]));
    Plan.Builder finding =
        inputs(funnel.plan("finding"), given)
            .add("f", FirstOf.OPERATION, names.toArray(String[]::new));
    Map<String, Elements> whole = new HashMap<>(known);
    for (int i = 0; i < found.size(); i++) {
      whole.put(i == 0 ? "f" : "f_" + i, found.get(i));
    }
    try (Plan plan = add.apply(finding).build();
        Plan oracle = add.apply(inputs(jvm.plan("oracle"), whole)).build()) {
      given.forEach(plan::set);
      known.forEach(oracle::set);
      for (int length : lengths) {
        plan.set("k", Elements.of(new int[] {length}));
        Map<String, Elements> cut = new HashMap<>();
        whole.forEach((name, all) -> cut.put(name, all));
        cut.keySet().removeAll(known.keySet());
        cut.replaceAll((name, all) -> all.range(0, length));
        same(oracle.run(cut), plan.run(), "length=%s, seed=%s".formatted(length, Seed.VALUE));
      }
    }
  }

  int[] around(int capacity, int... bounds) {
    return IntStream.concat(
            IntStream.of(capacity, 0, 1),
            IntStream.of(bounds)
                .flatMap(bound -> IntStream.of(bound, bound + 1, scale() * bound + 1)))
        .distinct()
        .toArray();
  }
}
