package funnel.functions;

import funnel.functions.RandomFunctions.Mixed;
import funnel.operator.ElementFunction;
import java.util.LinkedHashMap;
import java.util.Map;

/** Functions that call the JDK's methods of numbers, cast, or use what devices have no form of. */
final class JdkCalls {

  /** With a result whose 64 bits count. */
  interface Whole extends ElementFunction {
    long of(int i, long l, float x, double y);
  }

  private JdkCalls() {}

  static Map<String, Whole> integers() {
    Map<String, Whole> of = new LinkedHashMap<>();
    of.put("byte", (i, l, x, y) -> (byte) i + 256 * (byte) l + 65536L * (byte) (i >> 9));
    of.put("short", (i, l, x, y) -> (short) i + 65536L * (short) l);
    of.put("char", (i, l, x, y) -> (char) i - 70000L * (char) l);
    of.put(
        "narrowed numbers are signed", (i, l, x, y) -> (byte) i < 0 ? (short) l < 1 ? 3 : -4 : 5);
    of.put("narrowed floats", (i, l, x, y) -> (byte) x + 300L * (char) y - (short) x);
    of.put("masks", (i, l, x, y) -> (i & 255) - 300 < -50 ? (l & 65535) - 70000 : (i & 15) - 20L);
    of.put(
        "negative numbers",
        (i, l, x, y) -> {
          int least = i > 0 ? -40 : -50;
          int size = -1 - (i & 63);
          long other = (l & 63) - 90;
          return (size < least ? 1 : 2)
              + (-45 <= size ? 4 : 8)
              + (other > -60L ? 16 : 32)
              + (other < size ? 64 : 128)
              + 1000L * Math.min(size, -30)
              + 100000L * Integer.compare(-20, size)
              + 1000000L * Math.max(other, -70);
        });
    of.put(
        "unsigned small numbers",
        (i, l, x, y) ->
            Integer.compareUnsigned(i & 255, 99) + 3L * Long.compareUnsigned(l & 255, i & 127));
    of.put(
        "narrow variables",
        (i, l, x, y) -> {
          byte b = (byte) i;
          b += 100;
          char c = (char) l;
          c -= 3;
          short s = (short) (b * c);
          return s++ + b-- + (long) c;
        });
    of.put(
        "floorDiv",
        (i, l, x, y) -> Math.floorDiv(i, 3) + Math.floorDiv(l, -7) + Math.floorDiv(l, i | 1));
    of.put(
        "floorMod",
        (i, l, x, y) -> Math.floorMod(i, 5) + Math.floorMod(l, -9L) + Math.floorMod(l, i | 1));
    of.put(
        "ceilDiv",
        (i, l, x, y) ->
            Math.ceilDiv(i, 3) + Math.ceilDiv(l, -7L) + Math.ceilMod(i, -4) + Math.ceilMod(l, 6L));
    of.put("rotate", (i, l, x, y) -> Integer.rotateLeft(i, (int) l) + Integer.rotateRight(i, 5));
    of.put("rotate longs", (i, l, x, y) -> Long.rotateLeft(l, i) ^ Long.rotateRight(l, 41));
    of.put("bitCount", (i, l, x, y) -> Integer.bitCount(i) + 100L * Long.bitCount(l));
    of.put(
        "leading zeros",
        (i, l, x, y) -> Integer.numberOfLeadingZeros(i) + 100L * Long.numberOfLeadingZeros(l));
    of.put(
        "trailing zeros",
        (i, l, x, y) -> Integer.numberOfTrailingZeros(i) + 100L * Long.numberOfTrailingZeros(l));
    of.put(
        "highest and lowest bits",
        (i, l, x, y) ->
            Integer.highestOneBit(i)
                + 3L * Integer.lowestOneBit(i)
                + 7 * Long.highestOneBit(l)
                + 9 * Long.lowestOneBit(l));
    of.put("reverse", (i, l, x, y) -> Integer.reverse(i) + Long.reverse(l));
    of.put(
        "reverseBytes",
        (i, l, x, y) ->
            Integer.reverseBytes(i)
                + Long.reverseBytes(l)
                + Short.reverseBytes((short) i)
                + Character.reverseBytes((char) i));
    of.put("signum", (i, l, x, y) -> Integer.signum(i) + 9L * Long.signum(l));
    of.put("abs", (i, l, x, y) -> Math.abs(i) + Math.abs(l));
    of.put("clamp", (i, l, x, y) -> Math.clamp(l, -20, 30) + Math.clamp(l, -5000L, 100L));
    of.put(
        "multiplyHigh",
        (i, l, x, y) -> Math.multiplyHigh(l, l * 31 + i) ^ Math.unsignedMultiplyHigh(l, -i));
    of.put("multiplyFull", (i, l, x, y) -> Math.multiplyFull(i, (int) l));
    of.put(
        "unsigned ints",
        (i, l, x, y) ->
            Integer.divideUnsigned(i, 7)
                + 3L * Integer.remainderUnsigned(i, (int) l | 1)
                + Integer.compareUnsigned(i, (int) l)
                + Integer.toUnsignedLong(i));
    of.put(
        "unsigned longs",
        (i, l, x, y) ->
            Long.divideUnsigned(l, 7)
                + Long.remainderUnsigned(l, i | 1)
                + Long.compareUnsigned(l, i));
    of.put(
        "unsigned shorts",
        (i, l, x, y) ->
            Short.toUnsignedInt((short) i)
                + 5L * Byte.toUnsignedInt((byte) l)
                + Short.compareUnsigned((short) i, (short) l)
                + Byte.compareUnsigned((byte) i, (byte) l));
    of.put(
        "hashCode",
        (i, l, x, y) ->
            Integer.hashCode(i)
                + 3L * Long.hashCode(l)
                + 5L * Float.hashCode(x)
                + 7L * Double.hashCode(y)
                + Boolean.hashCode(i > 0));
    of.put(
        "hashCode of small ones",
        (i, l, x, y) ->
            Short.hashCode((short) i)
                + 3L * Byte.hashCode((byte) i)
                + 5L * Character.hashCode((char) i));
    of.put(
        "compare",
        (i, l, x, y) ->
            Integer.compare(i, 2)
                + 3 * Long.compare(l, i)
                + 9 * Short.compare((short) i, (short) l)
                + 9L * Byte.compare((byte) i, (byte) l)
                + Character.compare((char) i, (char) l)
                + Boolean.compare(i > 0, l > 0));
    of.put(
        "compare floats", (i, l, x, y) -> Float.compare(x, (float) y) + 3 * Double.compare(y, x));
    of.put(
        "compress",
        (i, l, x, y) -> Integer.sum(i, 3) + Long.sum(l, i) + Integer.max(i, 2) + Long.min(l, 2));
    of.put(
        "bits of floats",
        (i, l, x, y) -> Float.floatToIntBits(x) + (x == x ? 3L * Float.floatToRawIntBits(x) : 0));
    of.put(
        "bits of doubles",
        (i, l, x, y) ->
            Double.doubleToLongBits(y) + (y == y ? 3 * Double.doubleToRawLongBits(y) : 0));
    of.put("exponents", (i, l, x, y) -> Math.getExponent(x) + 9999L * Math.getExponent(y));
    of.put("round", (i, l, x, y) -> Math.round(x) + 3 * Math.round(y));
    of.put(
        "logical",
        (i, l, x, y) ->
            (Boolean.logicalXor(i > 0, l > 0) ? 1 : 2)
                + (Boolean.logicalAnd(x > 0, y > 0) ? 10L : 20L));
    of.put(
        "is finite",
        (i, l, x, y) ->
            (Float.isFinite(x) ? 1 : 0)
                + (Double.isInfinite(y) ? 2 : 0)
                + (Double.isFinite(y) ? 4 : 0)
                + (Float.isInfinite(x) ? 8L : 0L));
    return of;
  }

  private static Mixed ofCaptured(int k, double e) {
    return (i, l, x, y) -> 0 * e <= e ? (y >= e ? 0 : -1) : k;
  }

  static Map<String, Mixed> floats() {
    Map<String, Mixed> of = new LinkedHashMap<>();
    of.put("remainder", (i, l, x, y) -> y % (l % 1000));
    of.put("remainder of constants", (i, l, x, y) -> y % 3 + 1e300 % y);
    of.put("remainder of floats", (i, l, x, y) -> x % (float) y);
    of.put("remainder by itself", (i, l, x, y) -> y % y);
    of.put("infinite constant", (i, l, x, y) -> y < 5 ? y : Double.POSITIVE_INFINITY);
    of.put(
        "infinite floats",
        (i, l, x, y) ->
            (x < 5 ? x : Float.NEGATIVE_INFINITY) + (y > 7 ? Double.NEGATIVE_INFINITY : y));
    of.put(
        "compared to infinity",
        (i, l, x, y) -> y < Double.POSITIVE_INFINITY ? 1 : x == Float.NEGATIVE_INFINITY ? 2 : 3);
    of.put("NaN", (i, l, x, y) -> i > 0 ? Double.NaN : x > 0 ? Float.NaN : y);
    of.put("of bits", (i, l, x, y) -> Float.intBitsToFloat(i) + Double.longBitsToDouble(l));
    of.put("float of bits", (i, l, x, y) -> Float.intBitsToFloat(i * 0x9e3779b9));
    of.put("double of bits", (i, l, x, y) -> Double.longBitsToDouble(l * 0x9e3779b97f4a7c15L));
    of.put("rint", (i, l, x, y) -> Math.rint(y));
    of.put("rint of small ones", (i, l, x, y) -> Math.rint(i * 0.5) + Math.rint(x));
    of.put("signum", (i, l, x, y) -> Math.signum(x) + 3 * Math.signum(y));
    of.put("signum of zero", (i, l, x, y) -> Math.signum(y));
    of.put(
        "copySign",
        (i, l, x, y) ->
            Math.copySign(y, x == x ? x : 1) + Math.copySign(x, y == y ? (float) y : 1));
    of.put("nextUp", (i, l, x, y) -> Math.nextUp(x) + Math.nextUp(y));
    of.put("nextUp of a float", (i, l, x, y) -> Math.nextUp(x));
    of.put("scalb", (i, l, x, y) -> Math.scalb(y, i) + Math.scalb(y, (int) l));
    of.put("nextAfter", (i, l, x, y) -> Math.nextAfter(y, x) + Math.nextAfter(x, y));
    of.put("nextDown", (i, l, x, y) -> Math.nextDown(y));
    of.put("nextDown of a float", (i, l, x, y) -> Math.nextDown(x));
    of.put(
        "strict", (i, l, x, y) -> StrictMath.sqrt(y) + StrictMath.max(x, 1f) + StrictMath.floor(y));
    of.put("abs", (i, l, x, y) -> Math.abs(x) + Math.abs(y));
    of.put("floor", (i, l, x, y) -> Math.floor(y) - Math.ceil(x));
    of.put("clamp", (i, l, x, y) -> Math.clamp(y, -2.5, 9) + Math.clamp(x, -0f, 8f));
    of.put(
        "sum", (i, l, x, y) -> Double.sum(Float.sum(x, 1), y) + Double.max(y, 1) + Float.min(x, 2));
    of.put(
        "a condition, and others in its arms",
        (i, l, x, y) -> Math.min(x - x, x / x) > x ? (int) -x : (i + i) % 5);
    of.put("a condition that is known before", ofCaptured(-3, 0.25));
    return of;
  }
}
