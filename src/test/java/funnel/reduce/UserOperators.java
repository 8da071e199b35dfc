package funnel.reduce;

import funnel.operator.Operator;

/** Operators as users write them: static methods that a device can compile. */
public final class UserOperators {

  /** What {@link #MERGE} gives once its operands were not adjacent. */
  public static final long NOT_ADJACENT = -1L;

  /** Affine maps {@code x -> a * x + b} modulo 2^32, packed as (a, b), left one applied first. */
  public static final Operator AFFINE =
      Operator.ofLong("affine", pack(1, 0), UserOperators::affine);

  /** Index ranges [a, b), packed, that must meet; the identity is an empty one. */
  public static final Operator MERGE = Operator.ofLong("merge", 0L, UserOperators::merge);

  /**
   * Products of 2 x 2 matrices modulo 2^16, packed row by row: as much work as users may ask for.
   */
  public static final Operator MATRIX =
      Operator.ofLong("matrix", matrix(1, 0, 0, 1), UserOperators::product);

  /** Products of polynomials modulo x^4 - 1 and 2^16: as much work, and commutative. */
  public static final Operator CONVOLUTION =
      Operator.ofLong("convolution", matrix(1, 0, 0, 0), UserOperators::convolution).commutative();

  public static final Operator FIRST_INT =
      Operator.ofInt("firstNonZero", 0, (a, b) -> a != 0 ? a : b);
  public static final Operator LAST_INT =
      Operator.ofInt("lastNonZero", 0, (a, b) -> b != 0 ? b : a);
  public static final Operator FIRST_LONG =
      Operator.ofLong("firstNonZero", 0L, (a, b) -> a != 0 ? a : b);
  /* Zeros of both signs count as nothing and give +0.0, whatever the tree. */
  public static final Operator FIRST_FLOAT =
      Operator.ofFloat("firstNonZero", 0f, (a, b) -> a != 0f ? a : (b != 0f ? b : 0f));
  public static final Operator FIRST_DOUBLE =
      Operator.ofDouble("firstNonZero", 0d, (a, b) -> a != 0d ? a : (b != 0d ? b : 0d));

  /** {@code (1 + a) * (1 + b) - 1}: commutative, and says so. */
  public static final Operator JOIN_INT =
      Operator.ofInt("join", 0, (a, b) -> a + b + a * b).commutative();

  public static final Operator JOIN_LONG =
      Operator.ofLong("join", 0L, (a, b) -> a + b + a * b).commutative();

  /** Sums that do not say that they are commutative: the ordered tree in floating point. */
  public static final Operator PLUS_FLOAT = Operator.ofFloat("plus", 0f, (a, b) -> a + b);

  public static final Operator PLUS_DOUBLE = Operator.ofDouble("plus", 0d, (a, b) -> a + b);

  private UserOperators() {}

  public static long pack(int high, int low) {
    return ((long) high << 32) | (low & 0xffffffffL);
  }

  static long affine(long left, long right) {
    int a = (int) (left >> 32);
    int b = (int) left;
    int c = (int) (right >> 32);
    int d = (int) right;
    int factor = a * c;
    int summand = b * c + d;
    return ((long) factor << 32) | (summand & 0xffffffffL);
  }

  /** A matrix for {@link #MATRIX}. */
  public static long matrix(int a, int b, int c, int d) {
    return ((long) (a & 0xffff) << 48)
        | ((long) (b & 0xffff) << 32)
        | ((long) (c & 0xffff) << 16)
        | (d & 0xffff);
  }

  static long product(long left, long right) {
    int a = (int) (left >> 48) & 0xffff;
    int b = (int) (left >> 32) & 0xffff;
    int c = (int) (left >> 16) & 0xffff;
    int d = (int) left & 0xffff;
    int e = (int) (right >> 48) & 0xffff;
    int f = (int) (right >> 32) & 0xffff;
    int g = (int) (right >> 16) & 0xffff;
    int h = (int) right & 0xffff;
    return matrix(a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h);
  }

  static long convolution(long left, long right) {
    int a = (int) (left >> 48) & 0xffff;
    int b = (int) (left >> 32) & 0xffff;
    int c = (int) (left >> 16) & 0xffff;
    int d = (int) left & 0xffff;
    int e = (int) (right >> 48) & 0xffff;
    int f = (int) (right >> 32) & 0xffff;
    int g = (int) (right >> 16) & 0xffff;
    int h = (int) right & 0xffff;
    return matrix(
        a * e + b * h + c * g + d * f,
        a * f + b * e + c * h + d * g,
        a * g + b * f + c * e + d * h,
        a * h + b * g + c * f + d * e);
  }

  static long merge(long left, long right) {
    int a = (int) (left >> 32);
    int b = (int) left;
    int c = (int) (right >> 32);
    int d = (int) right;
    int poisoned = (left == NOT_ADJACENT ? 1 : 0) | (right == NOT_ADJACENT ? 1 : 0);
    long joined = b == c ? ((long) a << 32) | (d & 0xffffffffL) : NOT_ADJACENT;
    long unlessRightEmpty = c == d ? left : joined;
    long unlessLeftEmpty = a == b ? right : unlessRightEmpty;
    return poisoned == 1 ? NOT_ADJACENT : unlessLeftEmpty;
  }
}
