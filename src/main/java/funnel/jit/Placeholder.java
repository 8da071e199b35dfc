package funnel.jit;

/**
 * Calls that stand in a kernel's source for what the user brings: {@code Placeholder.combine(a, b)}
 * is his operator once {@link KernelCopies} has made a copy of the kernel's class.
 *
 * {@snippet class="funnel.docs.KernelCopySnippets" region="sums"}
 *
 * <p>The methods themselves do nothing of use: they give their first element, false, 0 or -1. They
 * do not throw, since a kernel class that is run as it stands, with an operator that Funnel ships,
 * still has such calls in branches that are folded away, and TornadoVM reads the methods called
 * there before it folds; a {@code throw} would not compile. So a kernel that reaches one of them
 * outside of a copy gives a wrong result: whoever launches a kernel with {@link
 * funnel.operator.OperatorCode#USER} must launch a copy.
 */
public final class Placeholder {

  private Placeholder() {}

  /** The user's operator over ints; gives {@code left} outside of a copy. */
  public static int combine(int left, int right) {
    return left;
  }

  /** The user's operator over longs; gives {@code left} outside of a copy. */
  public static long combine(long left, long right) {
    return left;
  }

  /** The user's operator over floats; gives {@code left} outside of a copy. */
  public static float combine(float left, float right) {
    return left;
  }

  /** The user's operator over doubles; gives {@code left} outside of a copy. */
  public static double combine(double left, double right) {
    return left;
  }

  /** The user's function of an int, or of its index too; gives {@code value} outside of a copy. */
  public static int map(int index, int value) {
    return value;
  }

  /** The user's function of a long, or of its index too; gives {@code value} outside of a copy. */
  public static long map(int index, long value) {
    return value;
  }

  /** The user's function of a float, or of its index too; gives {@code value} outside of a copy. */
  public static float map(int index, float value) {
    return value;
  }

  /**
   * The user's function of a double, or of its index too; gives {@code value} outside of a copy.
   */
  public static double map(int index, double value) {
    return value;
  }

  /** The user's function of three ints; gives {@code first} outside of a copy. */
  public static int map(int first, int second, int third) {
    return first;
  }

  /** The user's function of three longs; gives {@code first} outside of a copy. */
  public static long map(long first, long second, long third) {
    return first;
  }

  /** The user's function of three floats; gives {@code first} outside of a copy. */
  public static float map(float first, float second, float third) {
    return first;
  }

  /** The user's function of three doubles; gives {@code first} outside of a copy. */
  public static double map(double first, double second, double third) {
    return first;
  }

  /** The user's predicate of an int, or of its index too; false outside of a copy. */
  public static boolean test(int index, int value) {
    return false;
  }

  /** The user's predicate of a long, or of its index too; false outside of a copy. */
  public static boolean test(int index, long value) {
    return false;
  }

  /** The user's predicate of a float, or of its index too; false outside of a copy. */
  public static boolean test(int index, float value) {
    return false;
  }

  /** The user's predicate of a double, or of its index too; false outside of a copy. */
  public static boolean test(int index, double value) {
    return false;
  }

  /** The user's comparator of ints; gives 0 outside of a copy. */
  public static int compare(int first, int second) {
    return 0;
  }

  /** The user's comparator of longs; gives 0 outside of a copy. */
  public static int compare(long first, long second) {
    return 0;
  }

  /** The user's comparator of floats; gives 0 outside of a copy. */
  public static int compare(float first, float second) {
    return 0;
  }

  /** The user's comparator of doubles; gives 0 outside of a copy. */
  public static int compare(double first, double second) {
    return 0;
  }

  /** The user's comparator of rows of two ints; gives 0 outside of a copy. */
  public static int compare(int a1, int b1, int a2, int b2) {
    return 0;
  }

  /** The user's comparator of rows of three ints; gives 0 outside of a copy. */
  public static int compare(int a1, int b1, int c1, int a2, int b2, int c2) {
    return 0;
  }

  /** The user's comparator of rows of two longs; gives 0 outside of a copy. */
  public static int compare(long a1, long b1, long a2, long b2) {
    return 0;
  }

  /** The user's comparator of rows of three longs; gives 0 outside of a copy. */
  public static int compare(long a1, long b1, long c1, long a2, long b2, long c2) {
    return 0;
  }

  /** The user's comparator of rows of two floats; gives 0 outside of a copy. */
  public static int compare(float a1, float b1, float a2, float b2) {
    return 0;
  }

  /** The user's comparator of rows of three floats; gives 0 outside of a copy. */
  public static int compare(float a1, float b1, float c1, float a2, float b2, float c2) {
    return 0;
  }

  /** The user's comparator of rows of two doubles; gives 0 outside of a copy. */
  public static int compare(double a1, double b1, double a2, double b2) {
    return 0;
  }

  /** The user's comparator of rows of three doubles; gives 0 outside of a copy. */
  public static int compare(double a1, double b1, double c1, double a2, double b2, double c2) {
    return 0;
  }

  /**
   * Code of the operator, a constant in each copy: lets the JVM fold a switch out of a hot loop
   * that several operators share. -1 outside of a copy.
   */
  public static int operator() {
    return -1;
  }

  /** Code of the transform, a constant in each copy like {@link #operator}; -1 outside of one. */
  public static int transform() {
    return -1;
  }
}
