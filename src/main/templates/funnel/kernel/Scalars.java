package funnel.kernel;

import funnel.jit.Element;
import funnel.jit.Overloads;

/**
 * Operations on single values in a form that TornadoVM compiles correctly on every backend.
 *
 * <p>For use in kernels. On the JVM and on devices, each method gives the result of the
 * corresponding Java operation. The plain Java operations do not (TornadoVM 5.2.0 confuses
 * arithmetic and logical shifts, compares unsigned numbers as signed ones, and drops NaN in min and
 * max). In user-defined functions, Funnel replaces the plain operations by these methods.
 *
 * {@snippet class="funnel.docs.KernelSnippets" region="scalars"}
 */
@Overloads("Long")
public final class Scalars {

  /* Math.min and Math.max become one instruction that returns the operand that is not NaN. So where
   * the operands' difference is NaN, both are replaced by their sum: it is NaN if an operand is, and
   * of two equal infinities it is the same. That is one comparison and no branch, as it would be with
   * the minimum itself in an arm of a selection. Comparisons with <= and >= are emitted as negations
   * and are true for NaN; only <, > and == are used here. The sign of a zero shows in its reciprocal.
   * Conditions are joined as ints, 1 or 0, by & and |: negations inside nested && and || get lost on
   * the cuda backend.
   *
   * Of >> and >>>, one backend makes logical shifts and the other arithmetic ones, whichever is
   * written. So either a number that is not negative is shifted, or the bits above are masked away.
   * A division by a constant power of two becomes such shifts: it is applied to a non-negative
   * number. For negative v that number is ~v, which is -v - 1 and exists for the smallest v too.
   *
   * The sign of compare's result comes from a single term, so that a compiler reduces compare(a, b)
   * < 0 to one comparison. From a < b ? -1 : (a > b ? 1 : 0) TornadoVM's compiler makes a node that
   * its backends do not support.
   */

  private static final double ROOT_OF_TWO = 0x1.6a09e667f3bcdp0;

  private Scalars() {}

  /** {@code v >>> distance} for {@code 0 < distance && distance < 32}. */
  public static int logicalShiftRight(int v, int distance) {
    return (v >> distance) & ((1 << (32 - distance)) - 1);
  }

  /** {@code Integer.compareUnsigned(a, b) < 0}. */
  public static boolean lessUnsigned(@Element int a, @Element int b) {
    return (a ^ Integer.MIN_VALUE) < (b ^ Integer.MIN_VALUE);
  }

  /** {@code Math.min(a, b)}. */
  public static @Element int min(@Element int a, @Element int b) {
    return a < b ? a : b;
  }

  /** {@code Math.min(a, b)}: NaN if either is, -0.0 below 0.0. */
  @Overloads("Double")
  public static @Element float min(@Element float a, @Element float b) {
    @Element float difference = a - b;
    @Element float left = difference == difference ? a : a + b;
    @Element float right = difference == difference ? b : left;
    return Math.min(left, right);
  }

  /** {@code Math.max(a, b)}. */
  public static @Element int max(@Element int a, @Element int b) {
    return a > b ? a : b;
  }

  /** {@code Math.max(a, b)}: NaN if either is, 0.0 above -0.0. */
  @Overloads("Double")
  public static @Element float max(@Element float a, @Element float b) {
    @Element float difference = a - b;
    @Element float left = difference == difference ? a : a + b;
    @Element float right = difference == difference ? b : left;
    return Math.max(left, right);
  }

  /** {@code Math.clamp(v, least, most)}, where {@code least} is not more than {@code most}. */
  public static @Element int clamp(@Element int v, @Element int least, @Element int most) {
    return min(most, max(v, least));
  }

  /** {@code Math.clamp(v, least, most)}, where {@code least} is not more than {@code most}. */
  @Overloads("Double")
  public static @Element float clamp(@Element float v, @Element float least, @Element float most) {
    return min(most, max(v, least));
  }

  /** {@code Math.clamp(v, least, most)}, where {@code least} is not more than {@code most}. */
  public static int clamp(long v, int least, int most) {
    return (int) clamp(v, (long) least, (long) most);
  }

  /** {@code v << distance}, by the low five bits of the distance, or six for longs. */
  public static @Element int shiftLeft(@Element int v, int distance) {
    return v << (Integer.SIZE - 1 - (~distance & (Integer.SIZE - 1)));
  }

  /** {@code v >> distance}, by the low five bits of the distance, or six for longs. */
  public static @Element int shiftRight(@Element int v, int distance) {
    @Element
    int shifted = (v < 0 ? ~v : v) >> (Integer.SIZE - 1 - (~distance & (Integer.SIZE - 1)));
    return v < 0 ? ~shifted : shifted;
  }

  /** {@code v >>> distance}, by the low five bits of the distance, or six for longs. */
  public static @Element int shiftRightUnsigned(@Element int v, int distance) {
    @Element int half = (v >> 1) & Integer.MAX_VALUE;
    int oneLess = Integer.SIZE - 2 - (~distance & (Integer.SIZE - 1));
    return oneLess < 0 ? v : half >> oneLess;
  }

  /**
   * {@code a / b}. The ptx backend divides floats with an error of two units in the last place; a
   * quotient of doubles, rounded once more, is exact.
   */
  public static float divide(float a, float b) {
    return (float) ((double) a / (double) b);
  }

  /**
   * {@code a / b}; the quotient of {@code Integer.MIN_VALUE} and -1 is {@code Integer.MIN_VALUE}.
   *
   * @throws ArithmeticException if {@code b} is 0, on the JVM; on a device the result is undefined
   */
  public static int divide(int a, int b) {
    int whole = a < 0 ? ~a : a;
    int quotient = whole / b;
    int next = whole - quotient * b + 1;
    int negative = a < 0 ? 1 : 0;
    int up = negative & (b > 0 ? 1 : 0) & (next == b ? 1 : 0);
    int down = negative & (b < 0 ? 1 : 0) & (next == -b ? 1 : 0);
    int corrected = quotient + up - down;
    return a < 0 ? -corrected : corrected;
  }

  /**
   * {@code a % b}, which has the sign of {@code a}.
   *
   * @throws ArithmeticException if {@code b} is 0, on the JVM; on a device the result is undefined
   */
  public static @Element int remainder(@Element int a, @Element int b) {
    return a - divide(a, b) * b;
  }

  /** {@code Math.abs(v)}: {@code Integer.MIN_VALUE} stays unchanged. */
  public static @Element int abs(@Element int v) {
    return v < 0 ? -v : v;
  }

  /** {@code Integer.compare(a, b)}: -1, 0 or 1. */
  public static int compare(@Element int a, @Element int b) {
    return (a < b ? -1 : 0) | (a > b ? 1 : 0);
  }

  /** {@code Integer.compareUnsigned(a, b)}: -1, 0 or 1. */
  public static int compareUnsigned(@Element int a, @Element int b) {
    return compare(a ^ Integer.MIN_VALUE, b ^ Integer.MIN_VALUE);
  }

  /**
   * {@code a / b}; the quotient of {@code Long.MIN_VALUE} and -1 is {@code Long.MIN_VALUE}.
   *
   * @throws ArithmeticException if {@code b} is 0, on the JVM; on a device the result is undefined
   */
  public static long divide(long a, long b) {
    long whole = a < 0 ? ~a : a;
    long quotient = whole / b;
    long next = whole - quotient * b + 1;
    int negative = a < 0 ? 1 : 0;
    int up = negative & (b > 0 ? 1 : 0) & (next == b ? 1 : 0);
    int down = negative & (b < 0 ? 1 : 0) & (next + b == 0 ? 1 : 0);
    long corrected = quotient + up - down;
    return corrected * (1L - 2L * negative);
  }

  /** {@code Float.compare(a, b)}, as -1, 0 or 1: NaN above all numbers, 0.0 above -0.0. */
  @Overloads("Double")
  public static int compare(@Element float a, @Element float b) {
    int firstNaN = a != a ? 1 : 0;
    int secondNaN = b != b ? 1 : 0;
    int larger = (a > b ? 1 : 0) | (firstNaN & (1 - secondNaN));
    int smaller = (a < b ? 1 : 0) | (secondNaN & (1 - firstNaN));
    if (a == 0 & b == 0) { // only then, since divisions are slow
      larger = 1 / a > 1 / b ? 1 : 0;
      smaller = 1 / a < 1 / b ? 1 : 0;
    }
    return larger | (0 - smaller);
  }

  /** -1, 0 or 1 as {@code a} is less than, equal to or greater than {@code b}; -1 with NaN. */
  @Overloads("Double")
  public static int compareOrLess(@Element float a, @Element float b) {
    return (a > b ? 2 : 0) + (a == b ? 1 : 0) - 1;
  }

  /** -1, 0 or 1 as {@code a} is less than, equal to or greater than {@code b}; 1 with NaN. */
  @Overloads("Double")
  public static int compareOrGreater(@Element float a, @Element float b) {
    return 1 - (a < b ? 2 : 0) - (a == b ? 1 : 0);
  }

  /** {@code compareOrLess(v, v)}, as {@link #isNaN} is. */
  @Overloads("Double")
  public static int compareToItselfOrLess(@Element float v, @Element float same) {
    return ((v < 1 ? 1 : 0) | (v > 0 ? 1 : 0)) - 1;
  }

  /** {@code compareOrGreater(v, v)}, as {@link #isNaN} is. */
  @Overloads("Double")
  public static int compareToItselfOrGreater(@Element float v, @Element float same) {
    return 1 - ((v < 1 ? 1 : 0) | (v > 0 ? 1 : 0));
  }

  /**
   * Whether {@code v} is NaN. Not {@code v != v}: beside other conditions, TornadoVM's ptx backend
   * emits a comparison for it that is false for NaN.
   */
  @Overloads("Double")
  public static boolean isNaN(@Element float v) {
    return ((v < 1 ? 1 : 0) | (v > 0 ? 1 : 0)) == 0;
  }

  /** The number itself. */
  public static int toInt(int v) {
    return v;
  }

  /** {@code (int) v}. */
  public static int toInt(long v) {
    return (int) v;
  }

  /* Not v & 0xff, which devices take for unsigned. */

  /** {@code (byte) v}. */
  public static int toByte(int v) {
    return v - ((v + 0x80) & -0x100);
  }

  /** {@code (short) v}. */
  public static int toShort(int v) {
    return v - ((v + 0x8000) & -0x10000);
  }

  /** {@code (char) v}. */
  public static int toChar(int v) {
    return v - (v & -0x10000);
  }

  /* Casts of NaN, infinities and numbers out of range differ on devices. Longs are computed in
   * pieces, since the cuda backend converts to them by way of ints.
   */

  /** {@code (int) v}: rounds towards 0; the nearest int for a number out of range, 0 for NaN. */
  public static int toInt(float v) {
    float low = v > -0x1p31f ? v : -0x1p31f;
    int inRange = (int) (low < 0x1p31f ? low : 0f);
    int large = v < 0x1p31f ? inRange : Integer.MAX_VALUE;
    return isNaN(v) ? 0 : large;
  }

  /** {@code (int) v}: rounds towards 0; the nearest int for a number out of range, 0 for NaN. */
  public static int toInt(double v) {
    double low = v > -0x1p31 ? v : -0x1p31;
    int inRange = (int) (low < 0x1p31 ? low : 0d);
    int large = v < 0x1p31 ? inRange : Integer.MAX_VALUE;
    return isNaN(v) ? 0 : large;
  }

  /** The number itself. */
  public static long toLong(int v) {
    return v;
  }

  /** The number itself. */
  public static long toLong(long v) {
    return v;
  }

  /** {@code (long) v}: rounds towards 0; the nearest long for a number out of range, 0 for NaN. */
  public static long toLong(float v) {
    return toLong((double) v);
  }

  /** {@code (long) v}: rounds towards 0; the nearest long for a number out of range, 0 for NaN. */
  public static long toLong(double v) {
    double size = v < 0d ? -v : v;
    double inRange = size < 0x1p63 ? size : 0d;
    int high = (int) (inRange * 0x1p-42);
    double below = inRange - high * 0x1p42;
    int middle = (int) (below * 0x1p-21);
    int low = (int) (below - middle * 0x1p21);
    long sum = ((long) high << 42) + ((long) middle << 21) + low;
    long positive = size < 0x1p63 ? sum : Long.MAX_VALUE;
    long negative = size < 0x1p63 ? 0L - sum : Long.MIN_VALUE;
    long number = v < 0d ? negative : positive;
    return isNaN(v) ? 0L : number;
  }

  /* TornadoVM takes some longs for unsigned ones: those that it computes from an int that is not
   * negative. So a long is converted in two halves, which are signed ints.
   */

  /** {@code (double) v}. */
  public static double toDouble(long v) {
    int high = (int) (v >> 32);
    int low = (int) v;
    double below = low + (low < 0 ? 0x1p32 : 0d);
    return high * 0x1p32 + below;
  }

  /** {@code (float) v}: of a large number, a bit stands for the last ones, so as to round once. */
  public static float toFloat(long v) {
    int high = (int) (v >> 32);
    long last = v & 0x7ffL;
    long odd = (v & -0x800L) | (last == 0L ? 0L : 0x400L);
    int isSmall = (high < 1 << 20 ? 1 : 0) & (high >= -(1 << 20) ? 1 : 0); // exact as a double
    return (float) toDouble(isSmall == 1 ? v : odd);
  }

  /** {@code Math.floor(v)}. */
  public static double floor(double v) {
    double towardsZero = (double) toLong(v);
    double below = towardsZero > v ? towardsZero - 1 : towardsZero;
    double whole = below == v ? v : below; // -0.0 stays
    int hasFraction = (v < 0x1p52 ? 1 : 0) & (v > -0x1p52 ? 1 : 0); // or may have
    return hasFraction == 1 ? whole : v;
  }

  /** {@code Math.ceil(v)}. */
  public static double ceil(double v) {
    return -1 * floor(-1 * v); // 0 - v would lose the sign of -0.0
  }

  /** Whether {@code a} comes strictly before {@code b} in ascending order. */
  public static boolean isSmaller(@Element int a, @Element int b) {
    return a < b;
  }

  /** Whether min prefers {@code a} to {@code b}: NaN before all numbers, -0.0 before 0.0. */
  @Overloads("Double")
  public static boolean isSmaller(@Element float a, @Element float b) {
    int onlyFirstNaN = (a != a ? 1 : 0) & (b != b ? 0 : 1);
    int bothZero = (a == 0 ? 1 : 0) & (b == 0 ? 1 : 0);
    int zerosDiffer = bothZero & (1 / a < 1 / b ? 1 : 0);
    return (onlyFirstNaN | zerosDiffer | (a < b ? 1 : 0)) != 0;
  }

  /** Whether {@code a} comes strictly before {@code b} in descending order. */
  public static boolean isLarger(@Element int a, @Element int b) {
    return a > b;
  }

  /** Whether max prefers {@code a} to {@code b}: NaN before all numbers, 0.0 before -0.0. */
  @Overloads("Double")
  public static boolean isLarger(@Element float a, @Element float b) {
    int onlyFirstNaN = (a != a ? 1 : 0) & (b != b ? 0 : 1);
    int bothZero = (a == 0 ? 1 : 0) & (b == 0 ? 1 : 0);
    int zerosDiffer = bothZero & (1 / a > 1 / b ? 1 : 0);
    return (onlyFirstNaN | zerosDiffer | (a > b ? 1 : 0)) != 0;
  }

  /** {@code a * b + c}. */
  public static @Element int fma(@Element int a, @Element int b, @Element int c) {
    return a * b + c;
  }

  /** {@code Math.fma(a, b, c)}: product and sum with one rounding. */
  @Overloads("Double")
  public static @Element float fma(@Element float a, @Element float b, @Element float c) {
    return Math.fma(a, b, c);
  }

  /**
   * The value of an unsigned byte, 0 to 255. The result of {@code & 0xff} is unsigned on devices,
   * and so are numbers computed from it: -1 would then be greater.
   */
  public static int value(byte element) {
    return element + 256 * (element < 0 ? 1 : 0);
  }

  /** The element itself. */
  @Overloads({"Long", "Float", "Double"})
  public static @Element int value(@Element int element) {
    return element;
  }

  /*
   * Bits of floating-point numbers by arithmetic, since TornadoVM cannot reinterpret them: the
   * exponent is found by scaling with powers of two, which is exact, and the rest is the mantissa.
   * Mantissas of doubles are handled as two halves of 26 bits, since the cuda backend converts
   * doubles to longs by way of ints.
   */

  /** The bits of a value: those of an int, in the lower half of a long. */
  public static long bits(int value) {
    return value & 0xffffffffL;
  }

  /** The bits of a value: itself. */
  public static long bits(long value) {
    return value;
  }

  /** The bits of a value: {@code Float.floatToIntBits}, in the lower half of a long. */
  public static long bits(float value) {
    float size = value < 0f ? -value : value;
    int negative = (value < 0f ? 1 : 0) | ((value == 0f ? 1 : 0) & (1f / value < 0f ? 1 : 0));
    int tiny = size < 0x1p-126f ? 1 : 0;
    int tinyBits = (int) (size * 0x1p75f * 0x1p74f);
    float x = tiny == 1 ? 1f : size;
    int exponent = 0;
    int step;
    step = x < 0x1p-63f ? 1 : 0;
    x = step == 1 ? x * 0x1p64f : x;
    exponent = exponent - 64 * step;
    step = x < 0x1p-31f ? 1 : 0;
    x = step == 1 ? x * 0x1p32f : x;
    exponent = exponent - 32 * step;
    step = x < 0x1p-15f ? 1 : 0;
    x = step == 1 ? x * 0x1p16f : x;
    exponent = exponent - 16 * step;
    step = x < 0x1p-7f ? 1 : 0;
    x = step == 1 ? x * 0x1p8f : x;
    exponent = exponent - 8 * step;
    step = x < 0x1p-3f ? 1 : 0;
    x = step == 1 ? x * 0x1p4f : x;
    exponent = exponent - 4 * step;
    step = x < 0x1p-1f ? 1 : 0;
    x = step == 1 ? x * 0x1p2f : x;
    exponent = exponent - 2 * step;
    step = x < 1f ? 1 : 0;
    x = step == 1 ? x * 2f : x;
    exponent = exponent - step;
    step = x > 0x1.fffffep63f ? 1 : 0;
    x = step == 1 ? x * 0x1p-64f : x;
    exponent = exponent + 64 * step;
    step = x > 0x1.fffffep31f ? 1 : 0;
    x = step == 1 ? x * 0x1p-32f : x;
    exponent = exponent + 32 * step;
    step = x > 0x1.fffffep15f ? 1 : 0;
    x = step == 1 ? x * 0x1p-16f : x;
    exponent = exponent + 16 * step;
    step = x > 0x1.fffffep7f ? 1 : 0;
    x = step == 1 ? x * 0x1p-8f : x;
    exponent = exponent + 8 * step;
    step = x > 0x1.fffffep3f ? 1 : 0;
    x = step == 1 ? x * 0x1p-4f : x;
    exponent = exponent + 4 * step;
    step = x > 0x1.fffffep1f ? 1 : 0;
    x = step == 1 ? x * 0x1p-2f : x;
    exponent = exponent + 2 * step;
    step = x > 0x1.fffffep0f ? 1 : 0;
    x = step == 1 ? x * 0x1p-1f : x;
    exponent = exponent + 1 * step;
    int bits = ((exponent + 127) << 23) | (int) ((x - 1f) * 0x1p23f);
    bits = tiny == 1 ? tinyBits : bits;
    bits = size > Float.MAX_VALUE ? 0x7f800000 : bits;
    long all = ((long) negative << 31) | bits;
    return value == value ? all : 0x7fc00000L;
  }

  /** The bits of a value: {@code Double.doubleToLongBits}. */
  public static long bits(double value) {
    double size = value < 0d ? -value : value;
    int negative = (value < 0d ? 1 : 0) | ((value == 0d ? 1 : 0) & (1d / value < 0d ? 1 : 0));
    int tiny = size < 0x1p-1022 ? 1 : 0;
    double units = size * 0x1p537 * 0x1p537;
    int tinyHigh = (int) (units * 0x1p-26);
    int tinyLow = (int) (units - tinyHigh * 0x1p26);
    double x = tiny == 1 ? 1d : size;
    int exponent = 0;
    int step;
    step = x < 0x1p-511d ? 1 : 0;
    x = step == 1 ? x * 0x1p512d : x;
    exponent = exponent - 512 * step;
    step = x < 0x1p-255d ? 1 : 0;
    x = step == 1 ? x * 0x1p256d : x;
    exponent = exponent - 256 * step;
    step = x < 0x1p-127d ? 1 : 0;
    x = step == 1 ? x * 0x1p128d : x;
    exponent = exponent - 128 * step;
    step = x < 0x1p-63d ? 1 : 0;
    x = step == 1 ? x * 0x1p64d : x;
    exponent = exponent - 64 * step;
    step = x < 0x1p-31d ? 1 : 0;
    x = step == 1 ? x * 0x1p32d : x;
    exponent = exponent - 32 * step;
    step = x < 0x1p-15d ? 1 : 0;
    x = step == 1 ? x * 0x1p16d : x;
    exponent = exponent - 16 * step;
    step = x < 0x1p-7d ? 1 : 0;
    x = step == 1 ? x * 0x1p8d : x;
    exponent = exponent - 8 * step;
    step = x < 0x1p-3d ? 1 : 0;
    x = step == 1 ? x * 0x1p4d : x;
    exponent = exponent - 4 * step;
    step = x < 0x1p-1d ? 1 : 0;
    x = step == 1 ? x * 0x1p2d : x;
    exponent = exponent - 2 * step;
    step = x < 1d ? 1 : 0;
    x = step == 1 ? x * 2d : x;
    exponent = exponent - step;
    step = x > 0x1.fffffffffffffp511d ? 1 : 0;
    x = step == 1 ? x * 0x1p-512d : x;
    exponent = exponent + 512 * step;
    step = x > 0x1.fffffffffffffp255d ? 1 : 0;
    x = step == 1 ? x * 0x1p-256d : x;
    exponent = exponent + 256 * step;
    step = x > 0x1.fffffffffffffp127d ? 1 : 0;
    x = step == 1 ? x * 0x1p-128d : x;
    exponent = exponent + 128 * step;
    step = x > 0x1.fffffffffffffp63d ? 1 : 0;
    x = step == 1 ? x * 0x1p-64d : x;
    exponent = exponent + 64 * step;
    step = x > 0x1.fffffffffffffp31d ? 1 : 0;
    x = step == 1 ? x * 0x1p-32d : x;
    exponent = exponent + 32 * step;
    step = x > 0x1.fffffffffffffp15d ? 1 : 0;
    x = step == 1 ? x * 0x1p-16d : x;
    exponent = exponent + 16 * step;
    step = x > 0x1.fffffffffffffp7d ? 1 : 0;
    x = step == 1 ? x * 0x1p-8d : x;
    exponent = exponent + 8 * step;
    step = x > 0x1.fffffffffffffp3d ? 1 : 0;
    x = step == 1 ? x * 0x1p-4d : x;
    exponent = exponent + 4 * step;
    step = x > 0x1.fffffffffffffp1d ? 1 : 0;
    x = step == 1 ? x * 0x1p-2d : x;
    exponent = exponent + 2 * step;
    step = x > 0x1.fffffffffffffp0d ? 1 : 0;
    x = step == 1 ? x * 0x1p-1d : x;
    exponent = exponent + 1 * step;
    double mantissa = (x - 1d) * 0x1p26;
    int high = (int) mantissa;
    int low = (int) ((mantissa - high) * 0x1p26);
    high = tiny == 1 ? tinyHigh : high;
    low = tiny == 1 ? tinyLow : low;
    int biased = tiny == 1 ? 0 : exponent + 1023;
    long bits = ((long) biased << 52) | ((long) high << 26) | low;
    bits = size > Double.MAX_VALUE ? 0x7ff0000000000000L : bits;
    long all = ((long) negative << 63) | bits;
    return value == value ? all : 0x7ff8000000000000L;
  }

  /** The int of these bits; {@code like} selects the type. */
  public static int ofBits(long bits, int like) {
    return (int) bits;
  }

  /** The long of these bits; {@code like} selects the type. */
  public static long ofBits(long bits, long like) {
    return bits;
  }

  /*
   * The power of two is the product of powers whose exponents are groups of the biased exponent's
   * bits. It is multiplied in two parts: all products are exact but the last, which is infinite for
   * the largest exponent.
   */

  /** The float of these bits, as {@code Float.intBitsToFloat}; {@code like} selects the type. */
  public static float ofBits(long bits, float like) {
    int word = (int) bits;
    int biased = (word >> 23) & 0xff;
    int mantissa = word & 0x7fffff;
    int normal = biased > 0 ? 1 : 0;
    int exponent = biased + 1 - normal;
    float power = (1 << ((exponent >> 4) & 15)) * 0x1p-8f;
    power = power * power;
    power = power * power;
    power = power * power;
    float size = (mantissa + (normal << 23)) * 0x1p-22f * (1 << (exponent & 15)) * power * power;
    size = (biased == 255 & mantissa > 0) ? size - size : size;
    return size * (1 - 2 * ((word >> 31) & 1));
  }

  /**
   * The double of these bits, as {@code Double.longBitsToDouble}; {@code like} selects the type.
   */
  public static double ofBits(long bits, double like) {
    int biased = (int) ((bits >> 52) & 0x7ff);
    int high = (int) ((bits >> 26) & 0x3ffffff);
    int low = (int) (bits & 0x3ffffff);
    int normal = biased > 0 ? 1 : 0;
    int exponent = biased + 1 - normal;
    double middle = (1 << ((exponent >> 4) & 15)) * 0x1p-8;
    middle = middle * middle;
    middle = middle * middle;
    middle = middle * middle;
    middle = middle * middle;
    double power = (1 << ((exponent >> 8) & 7)) * 0x1p-4;
    power = power * power;
    power = power * power;
    power = power * power;
    power = power * power;
    power = power * power;
    power = power * power;
    power = power * power;
    double size = (high + (normal << 26)) * 0x1p26 + low;
    size = size * 0x1p77 * (1 << (exponent & 15)) * middle * power * power;
    size = (biased == 2047 & (high | low) > 0) ? size - size : size;
    return size * (1 - 2 * (int) ((bits >> 63) & 1L));
  }

  /*
   * Exponents by search: a number is brought to 1 or above, then divided by halving powers of two.
   * The conditions of an exponent and of its mantissa are the same, so that the compiler computes
   * them once. A power of two is that of groups of the exponent's bits: the lowest three give v's
   * factor, the others a power that is multiplied eight times; all products are exact but the last.
   */

  /** 2 to a power from -160 to 143. */
  public static double power(int exponent) {
    int shifted = exponent + 160;
    double high = (1 << ((shifted >> 4) & 31)) * 0x1p-10;
    high = high * high;
    high = high * high;
    high = high * high;
    high = high * high;
    return high * (1 << (shifted & 15));
  }

  /**
   * {@code Math.scalb(v, exponent)}, rounded once, for {@code v} from 1/8 to 8 or NaN, and
   * exponents from -1152 to 1032.
   */
  public static double scale(double v, int exponent) {
    int shifted = exponent + 1152;
    double eighth = power(((shifted >> 3) & 0x1ff) - 144);
    double half = eighth * eighth;
    half = half * half;
    return v * (1 << (shifted & 7)) * half * half;
  }

  /** {@code Math.getExponent(v)}, but of the number itself if it is subnormal; v positive. */
  public static int exponent(double v) {
    double x = v < 0x1p-1022 ? v * 0x1p54 : v;
    int exponent = v < 0x1p-1022 ? -54 : 0;
    exponent = x < 1 ? exponent - 1022 : exponent;
    x = x < 1 ? x * 0x1p1022 : x;
    exponent = x > 0x1.fffffffffffffp511 ? exponent + 512 : exponent;
    x = x > 0x1.fffffffffffffp511 ? x * 0x1p-512 : x;
    exponent = x > 0x1.fffffffffffffp255 ? exponent + 256 : exponent;
    x = x > 0x1.fffffffffffffp255 ? x * 0x1p-256 : x;
    exponent = x > 0x1.fffffffffffffp127 ? exponent + 128 : exponent;
    x = x > 0x1.fffffffffffffp127 ? x * 0x1p-128 : x;
    exponent = x > 0x1.fffffffffffffp63 ? exponent + 64 : exponent;
    x = x > 0x1.fffffffffffffp63 ? x * 0x1p-64 : x;
    exponent = x > 0x1.fffffffffffffp31 ? exponent + 32 : exponent;
    x = x > 0x1.fffffffffffffp31 ? x * 0x1p-32 : x;
    exponent = x > 0x1.fffffffffffffp15 ? exponent + 16 : exponent;
    x = x > 0x1.fffffffffffffp15 ? x * 0x1p-16 : x;
    exponent = x > 0x1.fffffffffffffp7 ? exponent + 8 : exponent;
    x = x > 0x1.fffffffffffffp7 ? x * 0x1p-8 : x;
    exponent = x > 0x1.fffffffffffffp3 ? exponent + 4 : exponent;
    x = x > 0x1.fffffffffffffp3 ? x * 0x1p-4 : x;
    exponent = x > 0x1.fffffffffffffp1 ? exponent + 2 : exponent;
    x = x > 0x1.fffffffffffffp1 ? x * 0x1p-2 : x;
    exponent = x > 0x1.fffffffffffffp0 ? exponent + 1 : exponent;
    return exponent;
  }

  /** {@code v} divided by the power of two of its exponent: at least 1, below 2; v positive. */
  public static double mantissa(double v) {
    double x = v < 0x1p-1022 ? v * 0x1p54 : v;
    x = x < 1 ? x * 0x1p1022 : x;
    x = x > 0x1.fffffffffffffp511 ? x * 0x1p-512 : x;
    x = x > 0x1.fffffffffffffp255 ? x * 0x1p-256 : x;
    x = x > 0x1.fffffffffffffp127 ? x * 0x1p-128 : x;
    x = x > 0x1.fffffffffffffp63 ? x * 0x1p-64 : x;
    x = x > 0x1.fffffffffffffp31 ? x * 0x1p-32 : x;
    x = x > 0x1.fffffffffffffp15 ? x * 0x1p-16 : x;
    x = x > 0x1.fffffffffffffp7 ? x * 0x1p-8 : x;
    x = x > 0x1.fffffffffffffp3 ? x * 0x1p-4 : x;
    x = x > 0x1.fffffffffffffp1 ? x * 0x1p-2 : x;
    return x > 0x1.fffffffffffffp0 ? x * 0.5 : x;
  }

  /** The exponent of the power of two that {@link #centred(double)} divides by; v positive. */
  public static int centredExponent(double v) {
    int exponent = exponent(v);
    return mantissa(v) > ROOT_OF_TWO ? exponent + 1 : exponent;
  }

  /** {@code v} divided by a power of two: above sqrt(1/2), at most sqrt(2); v positive. */
  public static double centred(double v) {
    double mantissa = mantissa(v);
    return mantissa > ROOT_OF_TWO ? mantissa * 0.5 : mantissa;
  }

  /** As {@link #centredExponent(double)}. */
  public static int centredExponent(float v) {
    int exponent = exponent(v);
    return mantissa(v) > ROOT_OF_TWO ? exponent + 1 : exponent;
  }

  /** As {@link #centred(double)}. */
  public static float centred(float v) {
    float mantissa = mantissa(v);
    return mantissa > ROOT_OF_TWO ? mantissa * 0.5f : mantissa;
  }

  private static int exponent(float v) {
    float x = v < 0x1p-126f ? v * 0x1p24f : v;
    int exponent = v < 0x1p-126f ? -24 : 0;
    exponent = x < 1f ? exponent - 126 : exponent;
    x = x < 1f ? x * 0x1p126f : x;
    exponent = x > 0x1.fffffep63f ? exponent + 64 : exponent;
    x = x > 0x1.fffffep63f ? x * 0x1p-64f : x;
    exponent = x > 0x1.fffffep31f ? exponent + 32 : exponent;
    x = x > 0x1.fffffep31f ? x * 0x1p-32f : x;
    exponent = x > 0x1.fffffep15f ? exponent + 16 : exponent;
    x = x > 0x1.fffffep15f ? x * 0x1p-16f : x;
    exponent = x > 0x1.fffffep7f ? exponent + 8 : exponent;
    x = x > 0x1.fffffep7f ? x * 0x1p-8f : x;
    exponent = x > 0x1.fffffep3f ? exponent + 4 : exponent;
    x = x > 0x1.fffffep3f ? x * 0x1p-4f : x;
    exponent = x > 0x1.fffffep1f ? exponent + 2 : exponent;
    x = x > 0x1.fffffep1f ? x * 0x1p-2f : x;
    exponent = x > 0x1.fffffep0f ? exponent + 1 : exponent;
    return exponent;
  }

  private static float mantissa(float v) {
    float x = v < 0x1p-126f ? v * 0x1p24f : v;
    x = x < 1f ? x * 0x1p126f : x;
    x = x > 0x1.fffffep63f ? x * 0x1p-64f : x;
    x = x > 0x1.fffffep31f ? x * 0x1p-32f : x;
    x = x > 0x1.fffffep15f ? x * 0x1p-16f : x;
    x = x > 0x1.fffffep7f ? x * 0x1p-8f : x;
    x = x > 0x1.fffffep3f ? x * 0x1p-4f : x;
    x = x > 0x1.fffffep1f ? x * 0x1p-2f : x;
    return x > 0x1.fffffep0f ? x * 0.5f : x;
  }
}
