package funnel.ptx;

import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/**
 * What instructions compute, on the bits in registers: by the PTX ISA, where that leaves a result
 * open as a device of compute capability 9.0 does it. Approximations are computed exactly.
 */
final class Operations {

  /* Sums, products, quotients and roots of floats are computed as doubles and rounded again, which
   * gives the same bits, as 53 >= 2 * 24 + 2 (Figueroa 1995). The sign's bits of 32-bit registers
   * keep the order of unsigned ints.
   */

  /** Of three operands. */
  interface Ternary {
    long of(long a, long b, long c);
  }

  private static final long NAN32 = 0x7fffffff;

  private Operations() {}

  static IllegalArgumentException unknown(String instruction) {
    return new IllegalArgumentException("the interpreter does not know " + instruction);
  }

  static LongUnaryOperator unary(String name, Type type) {
    if (name.startsWith("testp.")) {
      return test(name, type);
    }
    if (type.isFloat()) {
      DoubleUnaryOperator of =
          switch (name) {
            case "neg" -> a -> -a;
            case "abs" -> Math::abs;
            case "sqrt" -> Math::sqrt;
            case "rsqrt" -> a -> 1 / Math.sqrt(a);
            case "rcp" -> a -> 1 / a;
            case "ex2" -> a -> Math.pow(2, a);
            case "lg2" -> a -> Math.log(a) / Math.log(2);
            case "sin" -> Math::sin;
            case "cos" -> Math::cos;
            case "tanh" -> Math::tanh;
            default -> throw unknown(name + " of " + type);
          };
      return a -> number(type, of.applyAsDouble(type.toDouble(a)));
    }
    return switch (name) {
      case "not" -> type == Type.PRED ? a -> bit(a == 0) : a -> ~a;
      case "neg" -> a -> type.extended(-a);
      case "abs" -> a -> type.extended(Math.abs(a));
      case "low" -> a -> (int) a; // these and pack: of mov with two registers
      case "high" -> a -> (int) (a >> 32);
      case "popc" -> type.bytes == 8 ? Long::bitCount : a -> Integer.bitCount((int) a);
      case "clz" ->
          type.bytes == 8 ? Long::numberOfLeadingZeros : a -> Integer.numberOfLeadingZeros((int) a);
      case "brev" -> type.bytes == 8 ? Long::reverse : a -> Integer.reverse((int) a);
      default -> throw unknown(name + " of " + type);
    };
  }

  private static LongUnaryOperator test(String name, Type type) {
    double least = type == Type.F32 ? Float.MIN_NORMAL : Double.MIN_NORMAL;
    return switch (name) {
      case "testp.normal" -> a -> bit(isNormal(Math.abs(type.toDouble(a)), least));
      case "testp.number" -> a -> bit(!Double.isNaN(type.toDouble(a)));
      case "testp.notanumber" -> a -> bit(Double.isNaN(type.toDouble(a)));
      default -> throw unknown(name);
    };
  }

  private static boolean isNormal(double size, double least) {
    return size >= least && size < Double.POSITIVE_INFINITY;
  }

  private static long bit(boolean value) {
    return value ? 1 : 0;
  }

  /** The result of arithmetic: of floats that are not numbers a device has one, of doubles all. */
  private static long number(Type type, double value) {
    return type == Type.F32 && Double.isNaN(value) ? NAN32 : type.toBits(value);
  }

  static LongBinaryOperator binary(String name, Type type) {
    if (name.startsWith("setp.")) {
      return compare(name.substring("setp.".length()), type);
    }
    if (type.isFloat()) {
      if (name.equals("copysign")) {
        long sign = type == Type.F32 ? Integer.MIN_VALUE : Long.MIN_VALUE;
        return (a, b) -> (b & ~sign) | (a & sign);
      }
      DoubleBinaryOperator of =
          switch (name) {
            case "add" -> Double::sum;
            case "sub" -> (a, b) -> a - b;
            case "mul" -> (a, b) -> a * b;
            case "div" -> (a, b) -> a / b;
            case "min" -> (a, b) -> a != a ? b : b != b ? a : Math.min(a, b);
            case "max" -> (a, b) -> a != a ? b : b != b ? a : Math.max(a, b);
            default -> throw unknown(name + " of " + type);
          };
      return (a, b) -> number(type, of.applyAsDouble(type.toDouble(a), type.toDouble(b)));
    }
    boolean isLong = type.bytes == 8;
    boolean isUnsigned = type.isUnsigned();
    return switch (name) {
      case "add" -> isLong ? Long::sum : (a, b) -> (int) (a + b);
      case "sub" -> isLong ? (a, b) -> a - b : (a, b) -> (int) (a - b);
      case "mul" -> isLong ? (a, b) -> a * b : (a, b) -> (int) (a * b);
      case "mul.wide" ->
          isUnsigned ? (a, b) -> (a & 0xffffffffL) * (b & 0xffffffffL) : (a, b) -> a * b;
      case "mul.hi" -> mulHigh(isLong, isUnsigned);
      case "div" ->
          (a, b) ->
              b == 0
                  ? -1
                  : type.extended(
                      isUnsigned ? Long.divideUnsigned(wide(type, a), wide(type, b)) : a / b);
      case "rem" ->
          (a, b) ->
              b == 0
                  ? a
                  : type.extended(
                      isUnsigned ? Long.remainderUnsigned(wide(type, a), wide(type, b)) : a % b);
      case "min" -> isUnsigned ? (a, b) -> Long.compareUnsigned(a, b) < 0 ? a : b : Math::min;
      case "max" -> isUnsigned ? (a, b) -> Long.compareUnsigned(a, b) > 0 ? a : b : Math::max;
      case "and" -> (a, b) -> a & b;
      case "or" -> (a, b) -> a | b;
      case "xor" -> (a, b) -> a ^ b;
      case "exch" -> (_, b) -> b;
      case "pack" -> (a, b) -> b << 32 | a & 0xffffffffL;
      case "shl" ->
          isLong ? (a, b) -> over(b, 64) ? 0 : a << b : (a, b) -> over(b, 32) ? 0 : (int) a << b;
      case "shr" -> shiftRight(isLong, isUnsigned);
      default -> throw unknown(name + " of " + type);
    };
  }

  private static long wide(Type type, long value) {
    return type.bytes == 4 ? value & 0xffffffffL : value;
  }

  private static boolean over(long distance, int bits) {
    return (distance & 0xffffffffL) >= bits;
  }

  private static LongBinaryOperator mulHigh(boolean isLong, boolean isUnsigned) {
    if (isLong) {
      return isUnsigned ? Math::unsignedMultiplyHigh : Math::multiplyHigh;
    }
    return isUnsigned
        ? (a, b) -> (int) ((a & 0xffffffffL) * (b & 0xffffffffL) >>> 32)
        : (a, b) -> (int) (a * b >> 32);
  }

  private static LongBinaryOperator shiftRight(boolean isLong, boolean isUnsigned) {
    if (isUnsigned) {
      return isLong
          ? (a, b) -> over(b, 64) ? 0 : a >>> b
          : (a, b) -> over(b, 32) ? 0 : (int) a >>> b;
    }
    return (a, b) -> a >> (over(b, isLong ? 64 : 32) ? 63 : b); // of ints the sign's bits follow
  }

  private static LongBinaryOperator compare(String how, Type type) {
    if (type.isFloat()) {
      return switch (how) {
        case "eq" -> (a, b) -> bit(type.toDouble(a) == type.toDouble(b));
        case "ne" ->
            (a, b) ->
                bit(type.toDouble(a) < type.toDouble(b) || type.toDouble(a) > type.toDouble(b));
        case "lt" -> (a, b) -> bit(type.toDouble(a) < type.toDouble(b));
        case "le" -> (a, b) -> bit(type.toDouble(a) <= type.toDouble(b));
        case "gt" -> (a, b) -> bit(type.toDouble(a) > type.toDouble(b));
        case "ge" -> (a, b) -> bit(type.toDouble(a) >= type.toDouble(b));
        case "equ" ->
            (a, b) ->
                bit(!(type.toDouble(a) < type.toDouble(b) || type.toDouble(a) > type.toDouble(b)));
        case "neu" -> (a, b) -> bit(type.toDouble(a) != type.toDouble(b));
        case "ltu" -> (a, b) -> bit(!(type.toDouble(a) >= type.toDouble(b)));
        case "leu" -> (a, b) -> bit(!(type.toDouble(a) > type.toDouble(b)));
        case "gtu" -> (a, b) -> bit(!(type.toDouble(a) <= type.toDouble(b)));
        case "geu" -> (a, b) -> bit(!(type.toDouble(a) < type.toDouble(b)));
        case "num" ->
            (a, b) -> bit(!Double.isNaN(type.toDouble(a)) && !Double.isNaN(type.toDouble(b)));
        case "nan" ->
            (a, b) -> bit(Double.isNaN(type.toDouble(a)) || Double.isNaN(type.toDouble(b)));
        default -> throw unknown("setp." + how + " of " + type);
      };
    }
    long flip = type.isUnsigned() ? Long.MIN_VALUE : 0;
    return switch (how) {
      case "eq" -> (a, b) -> bit(a == b);
      case "ne" -> (a, b) -> bit(a != b);
      case "lt" -> (a, b) -> bit((a ^ flip) < (b ^ flip));
      case "le" -> (a, b) -> bit((a ^ flip) <= (b ^ flip));
      case "gt" -> (a, b) -> bit((a ^ flip) > (b ^ flip));
      case "ge" -> (a, b) -> bit((a ^ flip) >= (b ^ flip));
      default -> throw unknown("setp." + how + " of " + type);
    };
  }

  static Ternary ternary(String name, Type type) {
    if (name.equals("mad") && !type.isFloat()) {
      return (a, b, c) -> type.extended(a * b + c);
    }
    switch (name) {
      case "mad.wide" -> {
        LongBinaryOperator product = binary("mul.wide", type);
        return (a, b, c) -> product.applyAsLong(a, b) + c;
      }
      case "shf.l.wrap" -> {
        return (a, b, c) -> (int) (((b << 32 | wide(type, a)) << (c & 31)) >>> 32);
      }
      case "shf.r.wrap" -> {
        return (a, b, c) -> (int) ((b << 32 | wide(type, a)) >>> (c & 31));
      }
      case "prmt" -> {
        return Operations::permuted;
      }
      case "bfe" -> {
        return (a, b, c) -> type.extended(field(type, a, (int) b & 255, (int) c & 255));
      }
      default -> {}
    }
    if (!type.isFloat() || !name.matches("mad|fma")) {
      throw unknown(name + " of " + type);
    }
    return type == Type.F32
        ? (a, b, c) -> number(type, Math.fma(single(a), single(b), single(c)))
        : (a, b, c) -> number(type, Math.fma(type.toDouble(a), type.toDouble(b), type.toDouble(c)));
  }

  /** The bytes of two ints that a third one chooses, four bits for each; the highest: its sign. */
  private static long permuted(long a, long b, long choice) {
    long both = b << 32 | a & 0xffffffffL;
    int chosen = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      int by = (int) (choice >> 4 * i);
      int one = (byte) (both >> 8 * (by & 7));
      chosen |= ((by & 8) == 0 ? one & 255 : one >> 7 & 255) << 8 * i;
    }
    return chosen;
  }

  private static long field(Type type, long value, int from, int length) {
    int bits = 8 * type.bytes;
    if (length == 0) {
      return 0;
    }
    int last = Math.min(from + length, bits) - 1;
    if (type.isUnsigned()) {
      return from >= bits ? 0 : wide(type, value) << 63 - last >>> 63 - last + from;
    }
    return value << 63 - last >> Math.min(63, 63 - last + from);
  }

  /** Of {@code bfi}: the lowest bits of one number replace some of another. */
  static LongBinaryOperator insert(Type type, int from, int length) {
    long mask = (length >= 64 ? -1 : (1L << length) - 1) << from;
    return (a, b) -> type.extended(a << from & mask | b & ~mask);
  }

  private static float single(long bits) {
    return Float.intBitsToFloat((int) bits);
  }

  /**
   * Of {@code cvt}.
   *
   * @param rounding rni, rzi, rmi, rpi, or anything else for none
   */
  static LongUnaryOperator conversion(String rounding, Type to, Type from) {
    DoubleUnaryOperator whole =
        switch (rounding) {
          case "rni" -> Math::rint;
          case "rzi" -> a -> a < 0 ? Math.ceil(a) : Math.floor(a);
          case "rmi" -> Math::floor;
          case "rpi" -> Math::ceil;
          default -> a -> a;
        };
    if (from.isFloat() && to.isFloat()) {
      return a -> number(to, whole.applyAsDouble(from.toDouble(a)));
    }
    if (from.isFloat()) {
      if (to.isUnsigned() || to.bytes < 4 || !rounding.endsWith("i")) {
        throw unknown("cvt." + rounding + " from " + from + " to " + to);
      }
      return to == Type.S32
          ? a -> (int) whole.applyAsDouble(from.toDouble(a))
          : a -> (long) whole.applyAsDouble(from.toDouble(a));
    }
    if (to.isFloat()) {
      if (from == Type.U64) { // halved, with a bit for what that drops: rounded as the whole
        LongUnaryOperator signed = conversion(rounding, to, Type.S64);
        return a ->
            a >= 0
                ? signed.applyAsLong(a)
                : to.toBits(2 * to.toDouble(signed.applyAsLong(a >>> 1 | a & 1)));
      }
      return to == Type.F32
          ? a -> Float.floatToRawIntBits((float) whole(from, a))
          : a -> Double.doubleToRawLongBits((double) whole(from, a));
    }
    return a -> to.extended(whole(from, a));
  }

  private static long whole(Type from, long value) {
    return from == Type.U32 ? value & 0xffffffffL : from.extended(value);
  }
}
