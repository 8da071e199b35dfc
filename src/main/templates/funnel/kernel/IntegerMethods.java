package funnel.kernel;

import funnel.jit.Element;
import funnel.jit.Overloads;

/**
 * Methods of {@link Math}, {@link Integer} and {@link Long} in a form that TornadoVM compiles
 * correctly on every backend, also where it knows the signs of the numbers.
 *
 * <p>Each has the name, the parameters and the result of the JDK's method. In user-defined
 * functions, Funnel replaces the JDK's by these.
 *
 * {@snippet class="funnel.docs.KernelSnippets" region="integer-methods"}
 */
@Overloads("Long")
public final class IntegerMethods {

  /* A comparison of two numbers that TornadoVM's compiler knows to be negative becomes one of unsigned
   * numbers. Both backends emit it as one of signed numbers and a test for a negative one, which is
   * false then. It knows nothing of a maximum, which NVIDIA's compiler removes.
   */

  private IntegerMethods() {}

  /** The number itself; TornadoVM's compiler does not know its sign. */
  public static @Element int unknown(@Element int v) {
    return Math.max(v, v);
  }

  /**
   * False. Between the end of a loop and where it meets that of another one, it keeps the two
   * apart: where two exits of loops meet, TornadoVM takes the values of one of them for both.
   */
  public static boolean isNever(@Element int v) {
    return unknown(1 / unknown(Scalars.toInt(v) | 1)) == 77;
  }

  /** False, like {@link #isNever(int)}. */
  public static boolean isNever(double v) {
    return isNever(v > 1 ? 3 : 5);
  }

  /** False, like {@link #isNever(int)}. */
  public static boolean isNever(float v) {
    return isNever(v > 1 ? 3 : 5);
  }

  /** {@code Math.min(a, b)}. */
  public static @Element int min(@Element int a, @Element int b) {
    return Scalars.min(unknown(a), unknown(b));
  }

  /** {@code Math.max(a, b)}. */
  public static @Element int max(@Element int a, @Element int b) {
    return Scalars.max(unknown(a), unknown(b));
  }

  /** {@code Math.clamp(v, least, most)}, where {@code least} is not more than {@code most}. */
  public static @Element int clamp(@Element int v, @Element int least, @Element int most) {
    return min(most, max(v, least));
  }

  /** {@code Math.clamp(v, least, most)}, where {@code least} is not more than {@code most}. */
  public static int clamp(long v, int least, int most) {
    return (int) clamp(v, (long) least, (long) most);
  }

  /** {@code Integer.compare(a, b)}: -1, 0 or 1. */
  public static int compare(@Element int a, @Element int b) {
    return Scalars.compare(unknown(a), unknown(b));
  }

  /** {@code Integer.compareUnsigned(a, b)}: -1, 0 or 1. */
  public static int compareUnsigned(@Element int a, @Element int b) {
    return Scalars.compareUnsigned(unknown(a), unknown(b));
  }

  /** {@code Integer.numberOfLeadingZeros(v)}. */
  public static int numberOfLeadingZeros(@Element int v) {
    @Element int ones = v | Scalars.shiftRightUnsigned(v, 1);
    ones = ones | Scalars.shiftRightUnsigned(ones, 2);
    ones = ones | Scalars.shiftRightUnsigned(ones, 4);
    ones = ones | Scalars.shiftRightUnsigned(ones, 8);
    ones = ones | Scalars.shiftRightUnsigned(ones, 16);
    ones = ones | Scalars.shiftRightUnsigned(ones, Integer.SIZE / 2);
    return Integer.SIZE - bitCount(ones);
  }

  /** {@code Integer.numberOfTrailingZeros(v)}. */
  public static int numberOfTrailingZeros(@Element int v) {
    return bitCount(~v & (v - 1));
  }

  /** {@code Integer.bitCount(v)}. */
  public static int bitCount(int v) {
    int pairs = v - ((v >> 1) & 0x55555555);
    int fours = (pairs & 0x33333333) + ((pairs >> 2) & 0x33333333);
    int bytes = (fours + ((fours >> 4) & 0x0fffffff)) & 0x0f0f0f0f;
    return ((bytes * 0x01010101) >> 24) & 0x3f;
  }

  /** {@code Long.bitCount(v)}. */
  public static int bitCount(long v) {
    return bitCount((int) v) + bitCount((int) (v >> 32));
  }
}
