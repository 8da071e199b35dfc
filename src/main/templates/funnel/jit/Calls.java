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
@Overloads({"Long", "Float", "Double"})
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
  public static @Element int combine(
      @Nullable Object operator, @Element int left, @Element int right) {
    return ((Operator.IntCombine) present(operator)).applyAsInt(left, right);
  }

  /** Calls a function of an element, or of its index and the element. */
  public static @Element int map(@Nullable Object map, int index, @Element int value) {
    return map instanceof Transform.IndexedIntMap indexed
        ? indexed.applyAsInt(index, value)
        : ((Transform.IntMap) present(map)).applyAsInt(value);
  }

  /** Calls a function of three elements. */
  public static @Element int map(
      @Nullable Object map, @Element int first, @Element int second, @Element int third) {
    return ((Transform.IntMap3) present(map)).applyAsInt(first, second, third);
  }

  /** Calls a predicate of an element, or of its index and the element. */
  public static boolean test(@Nullable Object predicate, int index, @Element int value) {
    return predicate instanceof Transform.IndexedIntTest indexed
        ? indexed.test(index, value)
        : ((Transform.IntTest) present(predicate)).test(value);
  }

  /** Calls a comparator. */
  public static int compare(@Nullable Object comparator, @Element int first, @Element int second) {
    return ((Comparison.IntComparator) present(comparator)).compare(first, second);
  }

  /** Calls a comparator of rows of two. */
  public static int compare(
      @Nullable Object comparator,
      @Element int a1,
      @Element int b1,
      @Element int a2,
      @Element int b2) {
    return ((Comparison.IntComparator2) present(comparator)).compare(a1, b1, a2, b2);
  }

  /** Calls a comparator of rows of three. */
  public static int compare(
      @Nullable Object comparator,
      @Element int a1,
      @Element int b1,
      @Element int c1,
      @Element int a2,
      @Element int b2,
      @Element int c2) {
    return ((Comparison.IntComparator3) present(comparator)).compare(a1, b1, c1, a2, b2, c2);
  }
}
