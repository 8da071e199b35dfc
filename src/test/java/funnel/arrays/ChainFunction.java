package funnel.arrays;

import funnel.Functions;
import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import java.util.Map;

/**
 * A function in a chain of arrays.
 *
 * @param function a lambda, which captured a number
 * @param text its source
 */
record ChainFunction(Object function, String text) {

  /** A function of two columns. */
  interface Both extends ElementFunction {
    boolean f(int v, double w);
  }

  /** A function of an array and a value. */
  interface WithInt extends ElementFunction {
    double f(double v, int w);
  }

  private static ChainFunction of(Object function, String text, int k) {
    return new ChainFunction(function, text.replace("k", Integer.toString(k)));
  }

  /** A predicate. */
  static ChainFunction test(ElementType type, int which, int k) {
    boolean isFirst = which == 0;
    return switch (type) {
      case BYTE, INT ->
          isFirst
              ? of((Transform.IntTest) v -> v > k, "v -> v > k", k)
              : of((Transform.IntTest) v -> ((v + k) & 1) == 0, "v -> ((v + k) & 1) == 0", k);
      case LONG ->
          isFirst
              ? of((Transform.LongTest) v -> v <= k, "v -> v <= k", k)
              : of((Transform.LongTest) v -> ((v ^ k) & 3) != 0, "v -> ((v ^ k) & 3) != 0", k);
      case FLOAT ->
          isFirst
              ? of((Transform.FloatTest) v -> v < k, "v -> v < k", k)
              : of((Transform.FloatTest) v -> v * k >= 0, "v -> v * k >= 0", k);
      case DOUBLE ->
          isFirst
              ? of((Transform.DoubleTest) v -> v != k, "v -> v != k", k)
              : of((Transform.DoubleTest) v -> Math.abs(v) < k, "v -> Math.abs(v) < k", k);
    };
  }

  /** A predicate for flags. */
  static ChainFunction flags(ElementType type, int which, int k) {
    boolean isFirst = which == 0;
    return switch (type) {
      case BYTE, INT ->
          isFirst
              ? of((Functions.IntToBoolean) v -> v > k, "v -> v > k", k)
              : of((Functions.IntToBoolean) v -> ((v + k) & 1) == 0, "v -> ((v + k) & 1) == 0", k);
      case LONG ->
          isFirst
              ? of((Functions.LongToBoolean) v -> v <= k, "v -> v <= k", k)
              : of((Functions.LongToBoolean) v -> ((v ^ k) & 3) != 0, "v -> ((v ^ k) & 3) != 0", k);
      case FLOAT ->
          isFirst
              ? of((Functions.FloatToBoolean) v -> v < k, "v -> v < k", k)
              : of((Functions.FloatToBoolean) v -> v * k >= 0, "v -> v * k >= 0", k);
      case DOUBLE ->
          isFirst
              ? of((Functions.DoubleToBoolean) v -> v != k, "v -> v != k", k)
              : of((Functions.DoubleToBoolean) v -> Math.abs(v) < k, "v -> Math.abs(v) < k", k);
    };
  }

  /** A function from elements to elements. */
  static ChainFunction map(ElementType type, int which, int k) {
    boolean isFirst = which == 0;
    return switch (type) {
      case BYTE, INT ->
          isFirst
              ? of((Transform.IntMap) v -> v * k + 1, "v -> v * k + 1", k)
              : of((Transform.IntMap) v -> v / 3 - k, "v -> v / 3 - k", k);
      case LONG ->
          isFirst
              ? of((Transform.LongMap) v -> v * k - 7, "v -> v * k - 7", k)
              : of((Transform.LongMap) v -> v >> 3 ^ k, "v -> v >> 3 ^ k", k);
      case FLOAT ->
          isFirst
              ? of((Transform.FloatMap) v -> v * k, "v -> v * k", k)
              : of((Transform.FloatMap) v -> Math.min(v, k), "v -> Math.min(v, k)", k);
      case DOUBLE ->
          isFirst
              ? of((Transform.DoubleMap) v -> k - v, "v -> k - v", k)
              : of((Transform.DoubleMap) v -> Math.sqrt(v) * k, "v -> Math.sqrt(v) * k", k);
    };
  }

  /** A function of two elements. */
  static ChainFunction zip(ElementType type, int which, int k) {
    boolean isFirst = which == 0;
    return switch (type) {
      case BYTE, INT ->
          isFirst
              ? of((Operator.IntCombine) (v, w) -> v - w * k, "(v, w) -> v - w * k", k)
              : of((Operator.IntCombine) (v, w) -> Math.max(v, w), "(v, w) -> Math.max(v, w)", k);
      case LONG ->
          isFirst
              ? of((Operator.LongCombine) (v, w) -> v ^ w + k, "(v, w) -> v ^ w + k", k)
              : of((Operator.LongCombine) (v, w) -> v < w ? k : v, "(v, w) -> v < w ? k : v", k);
      case FLOAT ->
          isFirst
              ? of((Operator.FloatCombine) (v, w) -> v - w, "(v, w) -> v - w", k)
              : of((Operator.FloatCombine) (v, w) -> v < w ? k : w, "(v, w) -> v < w ? k : w", k);
      case DOUBLE ->
          isFirst
              ? of((Operator.DoubleCombine) (v, w) -> v + w, "(v, w) -> v + w", k)
              : of((Operator.DoubleCombine) (v, w) -> v > k ? v : w, "(v, w) -> v > k ? v : w", k);
    };
  }

  /** A function of an index and the element there. */
  static ChainFunction indexed(ElementType type, int k) {
    return switch (type) {
      case BYTE, INT -> of((Transform.IndexedIntMap) (i, v) -> i - v * k, "(i, v) -> i - v * k", k);
      case LONG -> of((Transform.IndexedLongMap) (i, v) -> i / 2 ^ v, "(i, v) -> i / 2 ^ v", k);
      case FLOAT -> of((Transform.IndexedFloatMap) (i, v) -> i / 2 - v, "(i, v) -> i / 2 - v", k);
      case DOUBLE ->
          of(
              (Transform.IndexedDoubleMap) (i, v) -> v > k ? v : i / 2,
              "(i, v) -> v > k ? v : i / 2",
              k);
    };
  }

  /** A function of three elements. */
  static ChainFunction zip3(ElementType type, int k) {
    return switch (type) {
      case BYTE, INT ->
          of((Transform.IntMap3) (v, w, u) -> v - w + k * u, "(v, w, u) -> v - w + k * u", k);
      case LONG -> of((Transform.LongMap3) (v, w, u) -> v * w ^ u, "(v, w, u) -> v * w ^ u", k);
      case FLOAT ->
          of((Transform.FloatMap3) (v, w, u) -> v < w ? u : k, "(v, w, u) -> v < w ? u : k", k);
      case DOUBLE ->
          of((Transform.DoubleMap3) (v, w, u) -> v < k ? u : w, "(v, w, u) -> v < k ? u : w", k);
    };
  }

  /** A function to another type, which the text names: {@code mapToLong(v -> v)}. */
  static Map.Entry<ElementType, ChainFunction> to(ElementType type, int which, int k) {
    boolean isFirst = which == 0;
    return switch (type) {
      case BYTE -> Map.entry(ElementType.INT, of((Functions.IntToInt) v -> v * k, "v -> v * k", k));
      case INT ->
          isFirst
              ? Map.entry(
                  ElementType.LONG,
                  of((Functions.IntToLong) v -> v * 123456789L + k, "v -> v * 123456789L + k", k))
              : Map.entry(
                  ElementType.FLOAT, of((Functions.IntToFloat) v -> v * 0.5f, "v -> v * 0.5f", k));
      case LONG ->
          isFirst
              ? Map.entry(
                  ElementType.INT,
                  of((Functions.LongToInt) v -> (int) (v % 97) + k, "v -> (int) (v % 97) + k", k))
              : Map.entry(
                  ElementType.DOUBLE,
                  of((Functions.LongToDouble) v -> v * 0.25, "v -> v * 0.25", k));
      case FLOAT ->
          isFirst
              ? Map.entry(
                  ElementType.INT,
                  of((Functions.FloatToInt) v -> (int) v ^ k, "v -> (int) v ^ k", k))
              : Map.entry(
                  ElementType.DOUBLE,
                  of((Functions.FloatToDouble) v -> v * (double) k, "v -> v * (double) k", k));
      case DOUBLE ->
          isFirst
              ? Map.entry(
                  ElementType.LONG,
                  of((Functions.DoubleToLong) v -> (long) v + k, "v -> (long) v + k", k))
              : Map.entry(
                  ElementType.FLOAT,
                  of((Functions.DoubleToFloat) v -> (float) v, "v -> (float) v", k));
    };
  }

  static Both both(int k) {
    return (v, w) -> v > k || w < k;
  }

  static WithInt withInt(int k) {
    return (v, w) -> v > w ? v : w + k;
  }
}
