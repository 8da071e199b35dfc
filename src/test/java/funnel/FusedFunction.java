package funnel;

import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.transform.Elementwise;
import java.util.List;

/**
 * A function that operations apply where they load their elements, and one that makes an array of
 * the same values: what an operation gives of both is the same, to the last bit. None adds a
 * product to anything, which a device could contract.
 *
 * @param transform the function
 * @param values of one input; of bytes it makes ints
 */
public record FusedFunction(Transform transform, Elementwise values) {

  /** A function of elements of a type, and one of their indices too. */
  public static List<FusedFunction> over(ElementType type) {
    return switch (type) {
      case BYTE, INT ->
          List.of(
              new FusedFunction(
                  Transform.ofInt("mix", v -> 3 * v ^ 5), Elementwise.ofInt("mix", v -> 3 * v ^ 5)),
              new FusedFunction(
                  Transform.indexedInt("mixAt", (i, v) -> v ^ 7 * i),
                  Elementwise.ofInt("mixAt", (i, v) -> v ^ 7 * i).indexed()));
      case LONG ->
          List.of(
              new FusedFunction(
                  Transform.ofLong("mix", v -> 3 * v ^ 5),
                  Elementwise.ofLong("mix", v -> 3 * v ^ 5)),
              new FusedFunction(
                  Transform.indexedLong("mixAt", (i, v) -> v ^ 7L * i),
                  Elementwise.ofLong("mixAt", (i, v) -> v ^ 7 * i).indexed()));
      case FLOAT ->
          List.of(
              new FusedFunction(
                  Transform.ofFloat("half", v -> v * -0.5f),
                  Elementwise.ofFloat("half", v -> v * -0.5f)),
              new FusedFunction(
                  Transform.indexedFloat("turned", (i, v) -> (i & 3) == 1 ? -v : v),
                  Elementwise.ofFloat("turned", (i, v) -> ((int) i & 3) == 1 ? -v : v).indexed()));
      case DOUBLE ->
          List.of(
              new FusedFunction(
                  Transform.ofDouble("half", v -> v * -0.5),
                  Elementwise.ofDouble("half", v -> v * -0.5)),
              new FusedFunction(
                  Transform.indexedDouble("turned", (i, v) -> (i & 3) == 1 ? -v : v),
                  Elementwise.ofDouble("turned", (i, v) -> ((int) i & 3) == 1 ? -v : v).indexed()));
    };
  }

  /** The value of an element that is at an index. */
  public Number of(int index, Number element) {
    return switch (transform.function()) {
      case Transform.IntMap f -> f.applyAsInt(element.intValue());
      case Transform.LongMap f -> f.applyAsLong(element.longValue());
      case Transform.FloatMap f -> f.applyAsFloat(element.floatValue());
      case Transform.DoubleMap f -> f.applyAsDouble(element.doubleValue());
      case Transform.IndexedIntMap f -> f.applyAsInt(index, element.intValue());
      case Transform.IndexedLongMap f -> f.applyAsLong(index, element.longValue());
      case Transform.IndexedFloatMap f -> f.applyAsFloat(index, element.floatValue());
      case Transform.IndexedDoubleMap f -> f.applyAsDouble(index, element.doubleValue());
      default -> throw new IllegalStateException(transform + " is a predicate");
    };
  }

  /** A predicate of elements of a type and their indices, and the same as 1 or 0 of each. */
  public static FusedFunction test(ElementType type) {
    return switch (type) {
      case BYTE, INT ->
          new FusedFunction(
              Transform.testIndexedInt("there", (i, v) -> i % 3 != 0 && v > 40),
              Elementwise.ofInt("there", (i, v) -> i % 3 != 0 && v > 40 ? 1 : 0).indexed());
      case LONG ->
          new FusedFunction(
              Transform.testIndexedLong("there", (i, v) -> i % 3 != 0 && v > 40),
              Elementwise.ofLong("there", (i, v) -> i % 3 != 0 && v > 40 ? 1 : 0).indexed());
      case FLOAT ->
          new FusedFunction(
              Transform.testIndexedFloat("there", (i, v) -> i % 3 != 0 && v > 40),
              Elementwise.ofFloat("there", (i, v) -> (int) i % 3 != 0 && v > 40 ? 1 : 0).indexed());
      case DOUBLE ->
          new FusedFunction(
              Transform.testIndexedDouble("there", (i, v) -> i % 3 != 0 && v > 40),
              Elementwise.ofDouble("there", (i, v) -> (int) i % 3 != 0 && v > 40 ? 1 : 0)
                  .indexed());
    };
  }
}
