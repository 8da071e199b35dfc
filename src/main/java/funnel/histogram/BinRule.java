package funnel.histogram;

import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The rule that maps a sample to its bin, in a form that is correct on the JVM and on devices. */
final class BinRule {

  /* Bins are 0 to bins - 1. Three more numbers follow: `bins` is below the range, or not a key;
   * bins + 1 is above it; bins + 2 is NaN.
   *
   * Even bins over integers: with d = x - low and r = high - low, both unsigned, the bin is floor(d
   * * bins / r). An estimate q is at most one off; the remainder t = d * bins - q * r, which must
   * be in [0, r), shows this. There are these forms:
   *
   *   NARROW   r <= 2^32: the estimate is (d * floor(bins * 2^32 / r)) / 2^32, all below 2^56, and
   *            never too large, since rounding down loses less than d / 2^32, less than 1.
   *   SHORT    the same for r <= 2^30 and bins <= r between ints, all but the estimate in 32 bits.
   *   MIDDLE   r <= 2^62: estimated in double; t, which lies between -r and 2 r, is right in 64
   *            bits although its two products wrap around.
   *   WIDE     any r: estimated in double, and d is compared with the neighbouring edges. Edge q is
   *            ceil(q * r / bins) = q * (r / bins) + ceil(q * (r % bins) / bins), where
   *            q * (r % bins) is below 2^48.
   *
   * The estimate in double has a relative error of about 2^-52 and is below 2^24, so it is at most
   * one off.
   *
   * The division in ceil is a product with the reciprocal. It is right: since 0.5 is added, the
   * quotient is at least 0.5 / b away from a whole number, more than its error, 2^-4 / b. A
   * division of longs is a subroutine; with it in a branch of the loop, fourteen threads of a warp
   * whose others had no sample came too late for the sums after the next barrier, on ptx only; a
   * smaller kernel does not show it.
   *
   * Even bins over floating-point numbers, EVEN: edge i is low + i * width, both operations rounded,
   * and a sample is at the edge or in the bins that the comparison with it says. (x - low) / width,
   * estimated and rounded to an integer, is the number of the nearest edge, and the only one that
   * has to be compared: a bin is at least four ulps of the larger end wide, so that rounding moves
   * an edge by an eighth of a bin at most, and the estimate by less than 2^-26 of one. Narrower bins
   * are RANGES between the same edges. The estimate may be contracted. The edge may not: so the
   * width is a sum of an upper and a lower part with half of its bits each, whose products with i
   * are exact, and i * width is their sum, rounded once with or without contraction. What is added
   * to low is then no product. An edge that is computed needs no reading of memory.
   *
   * Samples outside the bins are replaced by the nearest number inside, so that nothing overflows,
   * and a selection at the end gives them their numbers. TornadoVM compiles it to a branch, which
   * both backends' assemblers turn back into a selection. A mask takes two more operations. A sum
   * with a product becomes, if the compiler knows that no sample is outside, a comparison of
   * negative numbers as unsigned ones, which TornadoVM gets wrong.
   *
   * Kernels treat some signed numbers as unsigned: masked ones, those that the compiler knows not
   * to be negative, and all that are computed from them; then every comparison is wrong. So signs
   * are extracted by a shift, from differences that cannot overflow.
   *
   * As everywhere in kernels, comparisons give ints, which are joined by & and |; >= is not used on
   * numbers that may be NaN; a right shift of a number that may be negative has a mask.
   *
   * CLOSED is added to the kind if the last bin includes its upper end. Without it, what it takes
   * is constant, so that the kernel is the same as if there were only half-open bins.
   */

  static final int KEYS = 0;
  static final int NARROW = 1;
  static final int MIDDLE = 2;
  static final int WIDE = 3;
  static final int EVEN = 4;
  static final int RANGES = 5;
  static final int SHORT = 6;
  static final int CLOSED = 8;

  /** Added to a double, leaves the nearest integer in the lowest bits. */
  static final double ROUNDING = 0x1.8p52;

  private BinRule() {}

  private static int isNegative(long t) {
    return (int) ((t >> 63) & 1);
  }

  /** 1 if {@code a < b}, else 0, even if the compiler treats one of them as unsigned. */
  private static int isLess(long a, long b) {
    int upperA = (int) (a >> 32);
    int upperB = (int) (b >> 32);
    int lowerA = (int) a ^ Integer.MIN_VALUE;
    int lowerB = (int) b ^ Integer.MIN_VALUE;
    return (upperA < upperB ? 1 : 0) | (upperA == upperB ? 1 : 0) & (lowerA < lowerB ? 1 : 0);
  }

  static int key(long x, int bins) {
    int inside = (x > -1 ? 1 : 0) & (x < bins ? 1 : 0);
    return inside == 1 ? (int) x : bins;
  }

  /** {@code q} if {@code inside} is 1, {@code outside} if it is 0. */
  private static int chosen(int inside, int q, int outside) {
    return inside == 1 ? q : outside;
  }

  /** The number for an integer outside the bins. */
  private static int outside(long x, int bins, long low) {
    return bins + 1 - (x < low ? 1 : 0);
  }

  /** The bin of an integer by NARROW; {@code factor} is {@code floor(bins * 2^32 / range)}. */
  static int narrow(long x, int bins, long low, long range, long factor) {
    long near = Scalars.max(low, Scalars.min(x, low + (range - 1)));
    long d = near - low;
    int q = (int) ((d * factor) >> 32);
    long t = d * bins - q * range;
    int isExact = factor * range == (long) bins << 32 ? 1 : 0; // then the estimate is the bin
    q = q + (isNegative(range - 1 - t) & (1 - isExact));
    int inside = near == x ? 1 : 0;
    return chosen(inside, q, outside(x, bins, low));
  }

  /** The bin of an int by SHORT; {@code factor} is {@code floor(bins * 2^32 / range)}. */
  static int ofInt(int x, int bins, int low, int range, long factor) {
    int near = Scalars.max(low, Scalars.min(x, low + (range - 1)));
    int d = near - low;
    int q = (int) ((d * factor) >> 32);
    int t = d * bins - q * range;
    int isExact = factor * range == (long) bins << 32 ? 1 : 0;
    q = q + (((range - 1 - t) >> 31) & (1 - isExact));
    int inside = near == x ? 1 : 0;
    return chosen(inside, q, bins + 1 - (x < low ? 1 : 0));
  }

  /** The bin of an integer by MIDDLE; {@code scale} is {@code bins / range}. */
  static int middle(long x, int bins, long low, long range, double scale) {
    long near = Scalars.max(low, Scalars.min(x, low + (range - 1)));
    long d = near - low;
    int q = (int) (d * scale);
    q = q < bins ? q : bins - 1;
    long t = d * bins - q * range;
    q = q + isNegative(range - 1 - t) - isNegative(t);
    int inside = near == x ? 1 : 0;
    return chosen(inside, q, outside(x, bins, low));
  }

  /** The bin of an integer by WIDE; {@code quotient} is {@code range / bins}, unsigned. */
  static int wide(long x, int bins, long low, long range, long quotient, double scale) {
    long near = Scalars.max(low, Scalars.min(x, low + (range - 1)));
    long d = near - low;
    long upper = (d >> 32) & 0xffffffffL;
    long lower = d & 0xffffffffL;
    int q = (int) ((upper * 0x1p32 + lower) * scale);
    q = q < bins ? q : bins - 1;
    long rest = range - quotient * bins;
    long edge = q * quotient + ceilDiv(q * rest, bins);
    long last = (q + 1) * quotient + ceilDiv((q + 1) * rest, bins) - 1;
    q = q + isLess(low + last, near) - isLess(near, low + edge);
    int inside = near == x ? 1 : 0;
    return chosen(inside, q, outside(x, bins, low));
  }

  /** {@code ceil(a / b)} for {@code a} from 0 below 2^48 and {@code b} up to 2^24. */
  private static long ceilDiv(long a, int b) {
    return (long) ((a + (b - 0.5)) * (1.0 / b));
  }

  /** 1 if the last bin includes its upper end, else 0. */
  static int closed(int kind) {
    return kind < CLOSED ? 0 : 1;
  }

  /** An integer's bin, from its bin if all were half-open. */
  static int ended(int closed, long x, long high, int number, int bins) {
    return chosen(closed & (x == high ? 1 : 0), bins - 1, number);
  }

  /** The bin of a floating-point number by EVEN; {@code upper} is the upper half of the width. */
  static int even(double x, int bins, double low, double high, double upper, int closed) {
    int nan = x != x ? 1 : 0;
    int below = x < low ? 1 : 0;
    int above = (x > high ? 1 : 0) | (x == high ? 1 : 0) & (1 - closed);
    int inside = 1 - (nan | below | above);
    double width = (high - low) / bins;
    double nearest = ((x - low) * (1 / width) + ROUNDING) - ROUNDING;
    double edge = low + (nearest * upper + nearest * (width - upper));
    int q = (int) nearest - (x < edge ? 1 : 0);
    q = q < bins ? q : bins - 1;
    return chosen(inside, q, bins + 1 + nan - below);
  }

  /** The bin, from the number of edges that are not above the sample. */
  static int between(int notAbove, int bins) {
    int inside = (notAbove > 0 ? 1 : 0) & (notAbove < bins + 1 ? 1 : 0);
    int outside = notAbove == 0 ? bins : bins + 1;
    return inside == 1 ? notAbove - 1 : outside;
  }

  /** The bin of an integer by RANGES; {@code top} is the highest power of two in the edges. */
  static int range(long x, int bins, LongArray edges, int top, int closed) {
    int at = 0;
    for (int step = top; step > 0; step = step / 2) {
      int next = at + step;
      int fits = next < bins + 2 ? 1 : 0;
      long edge = edges.get(fits == 1 ? next - 1 : bins);
      int isEnd = closed & (next == bins + 1 ? 1 : 0);
      int notAbove = (edge < x ? 1 : 0) | (edge == x ? 1 : 0) & (1 - isEnd);
      at = (fits & notAbove) == 1 ? next : at;
    }
    return between(at, bins);
  }

  static int range(double x, int bins, DoubleArray edges, int top, int closed) {
    int at = 0;
    for (int step = top; step > 0; step = step / 2) {
      int next = at + step;
      int fits = next < bins + 2 ? 1 : 0;
      double edge = edges.get(fits == 1 ? next - 1 : bins);
      int isEnd = closed & (next == bins + 1 ? 1 : 0);
      int notAbove = (edge < x ? 1 : 0) | (edge == x ? 1 : 0) & (1 - isEnd);
      at = (fits & notAbove) == 1 ? next : at;
    }
    int nan = x != x ? 1 : 0;
    return nan == 1 ? bins + 2 : between(at, bins);
  }

  /** The bin of an int in a kernel; its constant {@code kind} leaves only one form. */
  static int number(
      int kind,
      int x,
      int bins,
      long low,
      long range,
      long factor,
      double from,
      double to,
      double scale,
      LongArray edges,
      DoubleArray limits,
      int top) {
    int number = bins;
    int form = kind & (CLOSED - 1);
    if (form == SHORT) {
      number = ofInt(x, bins, (int) low, (int) range, factor);
      number = ended(closed(kind), x, low + range, number, bins);
    }
    if (form != SHORT) {
      number =
          number(kind, (long) x, bins, low, range, factor, from, to, scale, edges, limits, top);
    }
    return number;
  }

  static int number(
      int kind,
      long x,
      int bins,
      long low,
      long range,
      long factor,
      double from,
      double to,
      double scale,
      LongArray edges,
      DoubleArray limits,
      int top) {
    int form = kind & (CLOSED - 1);
    int number = bins;
    if (form == KEYS) {
      number = key(x, bins);
    }
    if (form == NARROW) {
      number = narrow(x, bins, low, range, factor);
    }
    if (form == MIDDLE) {
      number = middle(x, bins, low, range, scale);
    }
    if (form == WIDE) {
      number = wide(x, bins, low, range, factor, scale);
    }
    if (form == RANGES) {
      number = range(x, bins, edges, top, closed(kind));
    }
    if (form != RANGES) {
      number = ended(closed(kind), x, low + range, number, bins);
    }
    return number;
  }

  static int number(
      int kind,
      double x,
      int bins,
      long low,
      long range,
      long factor,
      double from,
      double to,
      double scale,
      LongArray edges,
      DoubleArray limits,
      int top) {
    int form = kind & (CLOSED - 1);
    int number = bins;
    if (form == EVEN) {
      number = even(x, bins, from, to, scale, closed(kind));
    }
    if (form == RANGES) {
      number = range(x, bins, limits, top, closed(kind));
    }
    return number;
  }
}
