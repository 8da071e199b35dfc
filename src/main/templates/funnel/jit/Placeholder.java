package funnel.jit;

/**
 * Calls in a kernel's source that represent user-defined functions: {@code Placeholder.combine(a,
 * b)} becomes the user-defined operator in a copy of the kernel's class made by {@link
 * KernelCopies}.
 *
 * {@snippet class="funnel.docs.KernelCopySnippets" region="sums"}
 *
 * <p>The methods themselves do nothing useful: they return their first element, false, 0 or -1.
 * They do not throw, since an original kernel class, used with an operator that Funnel ships, still
 * has such calls in branches that are folded away, and TornadoVM reads the called methods before it
 * folds; a {@code throw} would not compile. So a kernel that reaches one of them outside a copy
 * gives a wrong result: with {@link funnel.operator.OperatorCode#USER}, always launch a copy.
 */
@Overloads({"Long", "Float", "Double"})
public final class Placeholder {

  private Placeholder() {}

  /** The user's operator over ints; returns {@code left} outside a copy. */
  public static @Element int combine(@Element int left, @Element int right) {
    return left;
  }

  /**
   * The user's function of an int, or of its index and it; returns {@code value} outside a copy.
   */
  public static @Element int map(int index, @Element int value) {
    return value;
  }

  /** The user's function of three ints; returns {@code first} outside a copy. */
  public static @Element int map(@Element int first, @Element int second, @Element int third) {
    return first;
  }

  /** The user's predicate of an int, or of its index and it; false outside a copy. */
  public static boolean test(int index, @Element int value) {
    return false;
  }

  /** The user's comparator of ints; returns 0 outside a copy. */
  public static int compare(@Element int first, @Element int second) {
    return 0;
  }

  /** The user's comparator of rows of two ints; returns 0 outside a copy. */
  public static int compare(@Element int a1, @Element int b1, @Element int a2, @Element int b2) {
    return 0;
  }

  /** The user's comparator of rows of three ints; returns 0 outside a copy. */
  public static int compare(
      @Element int a1,
      @Element int b1,
      @Element int c1,
      @Element int a2,
      @Element int b2,
      @Element int c2) {
    return 0;
  }

  /**
   * Code of the operator, a constant in each copy: lets the JVM fold a switch out of a hot loop
   * that several operators share. -1 outside a copy.
   */
  public static int operator() {
    return -1;
  }

  /** Code of the transform, a constant in each copy like {@link #operator}; -1 outside a copy. */
  public static int transform() {
    return -1;
  }
}
