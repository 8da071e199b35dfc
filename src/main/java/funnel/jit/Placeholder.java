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
public final class Placeholder {

  private Placeholder() {}

  /** The user's operator over ints; returns {@code left} outside a copy. */
  public static int combine(int left, int right) {
    return left;
  }

  /** The user's operator over longs; returns {@code left} outside a copy. */
  public static long combine(long left, long right) {
    return left;
  }

  /** The user's operator over floats; returns {@code left} outside a copy. */
  public static float combine(float left, float right) {
    return left;
  }

  /** The user's operator over doubles; returns {@code left} outside a copy. */
  public static double combine(double left, double right) {
    return left;
  }

  /**
   * The user's function of an int, or of its index and it; returns {@code value} outside a copy.
   */
  public static int map(int index, int value) {
    return value;
  }

  /**
   * The user's function of a long, or of its index and it; returns {@code value} outside a copy.
   */
  public static long map(int index, long value) {
    return value;
  }

  /**
   * The user's function of a float, or of its index and it; returns {@code value} outside a copy.
   */
  public static float map(int index, float value) {
    return value;
  }

  /**
   * The user's function of a double, or of its index and it; returns {@code value} outside a copy.
   */
  public static double map(int index, double value) {
    return value;
  }

  /** The user's function of three ints; returns {@code first} outside a copy. */
  public static int map(int first, int second, int third) {
    return first;
  }

  /** The user's function of three longs; returns {@code first} outside a copy. */
  public static long map(long first, long second, long third) {
    return first;
  }

  /** The user's function of three floats; returns {@code first} outside a copy. */
  public static float map(float first, float second, float third) {
    return first;
  }

  /** The user's function of three doubles; returns {@code first} outside a copy. */
  public static double map(double first, double second, double third) {
    return first;
  }

  /** The user's predicate of an int, or of its index and it; false outside a copy. */
  public static boolean test(int index, int value) {
    return false;
  }

  /** The user's predicate of a long, or of its index and it; false outside a copy. */
  public static boolean test(int index, long value) {
    return false;
  }

  /** The user's predicate of a float, or of its index and it; false outside a copy. */
  public static boolean test(int index, float value) {
    return false;
  }

  /** The user's predicate of a double, or of its index and it; false outside a copy. */
  public static boolean test(int index, double value) {
    return false;
  }

  /** The user's comparator of ints; returns 0 outside a copy. */
  public static int compare(int first, int second) {
    return 0;
  }

  /** The user's comparator of longs; returns 0 outside a copy. */
  public static int compare(long first, long second) {
    return 0;
  }

  /** The user's comparator of floats; returns 0 outside a copy. */
  public static int compare(float first, float second) {
    return 0;
  }

  /** The user's comparator of doubles; returns 0 outside a copy. */
  public static int compare(double first, double second) {
    return 0;
  }

  /** The user's comparator of rows of two ints; returns 0 outside a copy. */
  public static int compare(int a1, int b1, int a2, int b2) {
    return 0;
  }

  /** The user's comparator of rows of three ints; returns 0 outside a copy. */
  public static int compare(int a1, int b1, int c1, int a2, int b2, int c2) {
    return 0;
  }

  /** The user's comparator of rows of two longs; returns 0 outside a copy. */
  public static int compare(long a1, long b1, long a2, long b2) {
    return 0;
  }

  /** The user's comparator of rows of three longs; returns 0 outside a copy. */
  public static int compare(long a1, long b1, long c1, long a2, long b2, long c2) {
    return 0;
  }

  /** The user's comparator of rows of two floats; returns 0 outside a copy. */
  public static int compare(float a1, float b1, float a2, float b2) {
    return 0;
  }

  /** The user's comparator of rows of three floats; returns 0 outside a copy. */
  public static int compare(float a1, float b1, float c1, float a2, float b2, float c2) {
    return 0;
  }

  /** The user's comparator of rows of two doubles; returns 0 outside a copy. */
  public static int compare(double a1, double b1, double a2, double b2) {
    return 0;
  }

  /** The user's comparator of rows of three doubles; returns 0 outside a copy. */
  public static int compare(double a1, double b1, double c1, double a2, double b2, double c2) {
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
