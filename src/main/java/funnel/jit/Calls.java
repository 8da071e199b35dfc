package funnel.jit;

import funnel.operator.Comparison;
import funnel.operator.Operator;
import funnel.operator.Transform;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Calls of user-defined functions on the JVM, for functions whose body cannot be copied into the
 * loops: lambdas that capture values, and instance methods.
 *
 * {@snippet class="funnel.docs.KernelCopySnippets" region="calls"}
 */
public final class Calls {
  /** Replaces {@code OperatorCode.USER} if the operator is called, not copied. */
  public static final int OPERATOR = 100;

  /** Replaces the code of a predicate in the same way. */
  public static final int TEST = 101;

  /** Replaces the code of a map in the same way. */
  public static final int MAP = 102;

  private Calls() {}

  private static Object present(@Nullable Object function) {
    return Objects.requireNonNull(function, "function");
  }

  /** Calls an operator. */
  public static int combine(@Nullable Object operator, int left, int right) {
    return ((Operator.IntCombine) present(operator)).applyAsInt(left, right);
  }

  /** Calls an operator. */
  public static long combine(@Nullable Object operator, long left, long right) {
    return ((Operator.LongCombine) present(operator)).applyAsLong(left, right);
  }

  /** Calls an operator. */
  public static float combine(@Nullable Object operator, float left, float right) {
    return ((Operator.FloatCombine) present(operator)).applyAsFloat(left, right);
  }

  /** Calls an operator. */
  public static double combine(@Nullable Object operator, double left, double right) {
    return ((Operator.DoubleCombine) present(operator)).applyAsDouble(left, right);
  }

  /** Calls a function of an element, or of its index and the element. */
  public static int map(@Nullable Object map, int index, int value) {
    return map instanceof Transform.IndexedIntMap indexed
        ? indexed.applyAsInt(index, value)
        : ((Transform.IntMap) present(map)).applyAsInt(value);
  }

  /** Calls a function of an element, or of its index and the element. */
  public static long map(@Nullable Object map, int index, long value) {
    return map instanceof Transform.IndexedLongMap indexed
        ? indexed.applyAsLong(index, value)
        : ((Transform.LongMap) present(map)).applyAsLong(value);
  }

  /** Calls a function of an element, or of its index and the element. */
  public static float map(@Nullable Object map, int index, float value) {
    return map instanceof Transform.IndexedFloatMap indexed
        ? indexed.applyAsFloat(index, value)
        : ((Transform.FloatMap) present(map)).applyAsFloat(value);
  }

  /** Calls a function of an element, or of its index and the element. */
  public static double map(@Nullable Object map, int index, double value) {
    return map instanceof Transform.IndexedDoubleMap indexed
        ? indexed.applyAsDouble(index, value)
        : ((Transform.DoubleMap) present(map)).applyAsDouble(value);
  }

  /** Calls a function of three elements. */
  public static int map(@Nullable Object map, int first, int second, int third) {
    return ((Transform.IntMap3) present(map)).applyAsInt(first, second, third);
  }

  /** Calls a function of three elements. */
  public static long map(@Nullable Object map, long first, long second, long third) {
    return ((Transform.LongMap3) present(map)).applyAsLong(first, second, third);
  }

  /** Calls a function of three elements. */
  public static float map(@Nullable Object map, float first, float second, float third) {
    return ((Transform.FloatMap3) present(map)).applyAsFloat(first, second, third);
  }

  /** Calls a function of three elements. */
  public static double map(@Nullable Object map, double first, double second, double third) {
    return ((Transform.DoubleMap3) present(map)).applyAsDouble(first, second, third);
  }

  /** Calls a predicate of an element, or of its index and the element. */
  public static boolean test(@Nullable Object predicate, int index, int value) {
    return predicate instanceof Transform.IndexedIntTest indexed
        ? indexed.test(index, value)
        : ((Transform.IntTest) present(predicate)).test(value);
  }

  /** Calls a predicate of an element, or of its index and the element. */
  public static boolean test(@Nullable Object predicate, int index, long value) {
    return predicate instanceof Transform.IndexedLongTest indexed
        ? indexed.test(index, value)
        : ((Transform.LongTest) present(predicate)).test(value);
  }

  /** Calls a predicate of an element, or of its index and the element. */
  public static boolean test(@Nullable Object predicate, int index, float value) {
    return predicate instanceof Transform.IndexedFloatTest indexed
        ? indexed.test(index, value)
        : ((Transform.FloatTest) present(predicate)).test(value);
  }

  /** Calls a predicate of an element, or of its index and the element. */
  public static boolean test(@Nullable Object predicate, int index, double value) {
    return predicate instanceof Transform.IndexedDoubleTest indexed
        ? indexed.test(index, value)
        : ((Transform.DoubleTest) present(predicate)).test(value);
  }

  /** Calls a comparator. */
  public static int compare(@Nullable Object comparator, int first, int second) {
    return ((Comparison.IntComparator) present(comparator)).compare(first, second);
  }

  /** Calls a comparator. */
  public static int compare(@Nullable Object comparator, long first, long second) {
    return ((Comparison.LongComparator) present(comparator)).compare(first, second);
  }

  /** Calls a comparator. */
  public static int compare(@Nullable Object comparator, float first, float second) {
    return ((Comparison.FloatComparator) present(comparator)).compare(first, second);
  }

  /** Calls a comparator. */
  public static int compare(@Nullable Object comparator, double first, double second) {
    return ((Comparison.DoubleComparator) present(comparator)).compare(first, second);
  }

  /** Calls a comparator of rows of two. */
  public static int compare(@Nullable Object comparator, int a1, int b1, int a2, int b2) {
    return ((Comparison.IntComparator2) present(comparator)).compare(a1, b1, a2, b2);
  }

  /** Calls a comparator of rows of three. */
  public static int compare(
      @Nullable Object comparator, int a1, int b1, int c1, int a2, int b2, int c2) {
    return ((Comparison.IntComparator3) present(comparator)).compare(a1, b1, c1, a2, b2, c2);
  }

  /** Calls a comparator of rows of two. */
  public static int compare(@Nullable Object comparator, long a1, long b1, long a2, long b2) {
    return ((Comparison.LongComparator2) present(comparator)).compare(a1, b1, a2, b2);
  }

  /** Calls a comparator of rows of three. */
  public static int compare(
      @Nullable Object comparator, long a1, long b1, long c1, long a2, long b2, long c2) {
    return ((Comparison.LongComparator3) present(comparator)).compare(a1, b1, c1, a2, b2, c2);
  }

  /** Calls a comparator of rows of two. */
  public static int compare(@Nullable Object comparator, float a1, float b1, float a2, float b2) {
    return ((Comparison.FloatComparator2) present(comparator)).compare(a1, b1, a2, b2);
  }

  /** Calls a comparator of rows of three. */
  public static int compare(
      @Nullable Object comparator, float a1, float b1, float c1, float a2, float b2, float c2) {
    return ((Comparison.FloatComparator3) present(comparator)).compare(a1, b1, c1, a2, b2, c2);
  }

  /** Calls a comparator of rows of two. */
  public static int compare(
      @Nullable Object comparator, double a1, double b1, double a2, double b2) {
    return ((Comparison.DoubleComparator2) present(comparator)).compare(a1, b1, a2, b2);
  }

  /** Calls a comparator of rows of three. */
  public static int compare(
      @Nullable Object comparator,
      double a1,
      double b1,
      double c1,
      double a2,
      double b2,
      double c2) {
    return ((Comparison.DoubleComparator3) present(comparator)).compare(a1, b1, c1, a2, b2, c2);
  }
}
