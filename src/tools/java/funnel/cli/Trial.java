package funnel.cli;

import funnel.operator.AffineMaps;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A reduction and the plain sequential loop that it is checked against.
 *
 * @param name what it computes, for people
 * @param type the elements' type
 * @param reduction what Funnel computes
 * @param loop the plain loop
 * @param bound the maximum difference of the two, given the data; 0 if neither rounds
 */
record Trial(
    String name,
    ElementType type,
    Reduction reduction,
    Function<MemorySegment, Number> loop,
    ToDoubleFunction<MemorySegment> bound) {

  static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** A user-defined operator: the greatest common divisor of two non-negative ints. */
  private static final Operator GCD =
      Operator.ofInt(
          "gcd",
          0,
          (a, b) -> {
            int greater = a;
            int smaller = b;
            while (smaller != 0) {
              int rest = greater % smaller;
              greater = smaller;
              smaller = rest;
            }
            return greater;
          });

  private static final Transform DOZENS = Transform.ofInt("dozens", x -> (x & 0xffffff) * 12);

  /** A user-defined transform: maps whose h is odd. */
  private static final Transform ODD = Transform.ofLong("odd", x -> x | (1L << 32));

  static final List<Trial> ALL =
      List.of(
          exact("sum of the bytes", ElementType.BYTE, Reduction.sumAsLong(), Trial::sumOfBytes),
          exact("largest byte", ElementType.BYTE, Reduction.max(), Trial::largestByte),
          exact(
              "zero bytes, counted",
              ElementType.BYTE,
              Reduction.countIf(Transform.testInt("x == 0", x -> x == 0)),
              Trial::zeroBytes),
          exact("mean byte", ElementType.BYTE, Reduction.mean(), Trial::meanByte),
          new Trial(
              "variance of the bytes",
              ElementType.BYTE,
              Reduction.variance(),
              Trial::varianceOfBytes,
              data -> data.byteSize() * 0x1p-52 * varianceOfBytes(data)),
          exact(
              "sum of the bytes' squares",
              ElementType.BYTE,
              Reduction.sumOfSquares(),
              Trial::squaresOfBytes),
          exact("sum of the ints", ElementType.INT, Reduction.sumAsLong(), Trial::sumOfInts),
          exact("smallest int", ElementType.INT, Reduction.min(), Trial::smallestInt),
          exact("index of the largest int", ElementType.INT, Reduction.argMax(), Trial::argMaxInt),
          exact("xor of the ints", ElementType.INT, Reduction.of(Operator.XOR), Trial::xorOfInts),
          exact(
              "own operator: gcd of 12 * int",
              ElementType.INT,
              Reduction.of(GCD.commutative(), DOZENS),
              Trial::gcdOfInts),
          exact("largest long", ElementType.LONG, Reduction.max(), Trial::largestLong),
          exact(
              "xor of the longs", ElementType.LONG, Reduction.of(Operator.XOR), Trial::xorOfLongs),
          exact(
              "own operator: affine maps in order",
              ElementType.LONG,
              Reduction.of(AffineMaps.FOLLOWED_BY, ODD),
              Trial::composedLongs),
          exact(
              "sum of the floats, in double",
              ElementType.FLOAT,
              Reduction.sumAsDouble(),
              Trial::sumOfFloats),
          new Trial(
              "sum of the floats, in float",
              ElementType.FLOAT,
              Reduction.sum(),
              Trial::sumOfFloats,
              data -> (data.byteSize() / 4 * 0x1p-21 + 24) * 0x1p-24 * sumOfMagnitudes(data)),
          exact("smallest float", ElementType.FLOAT, Reduction.min(), Trial::smallestFloat),
          exact(
              "sum of the floats' squares",
              ElementType.FLOAT,
              Reduction.sumOfSquares(),
              Trial::squaresOfFloats),
          exact("sum of the doubles", ElementType.DOUBLE, Reduction.sum(), Trial::sumOfDoubles),
          exact(
              "index of the smallest double",
              ElementType.DOUBLE,
              Reduction.argMin(),
              Trial::argMinDouble));

  private static Trial exact(
      String name, ElementType type, Reduction reduction, Function<MemorySegment, Number> loop) {
    return new Trial(name, type, reduction, loop, data -> 0);
  }

  /** Whether Funnel's value is right, given the loop's over the same data. */
  boolean isRight(Number value, Number expected, MemorySegment data) {
    if (value instanceof Integer || value instanceof Long) {
      return value.longValue() == expected.longValue();
    }
    double difference = Math.abs(value.doubleValue() - expected.doubleValue());
    return difference <= bound.applyAsDouble(data);
  }

  private static Number sumOfBytes(MemorySegment data) {
    long sum = 0;
    for (long i = 0; i < data.byteSize(); i++) {
      sum += data.get(ValueLayout.JAVA_BYTE, i) & 0xff;
    }
    return sum;
  }

  private static Number largestByte(MemorySegment data) {
    int largest = 0;
    for (long i = 0; i < data.byteSize(); i++) {
      largest = Math.max(largest, data.get(ValueLayout.JAVA_BYTE, i) & 0xff);
    }
    return largest;
  }

  private static Number zeroBytes(MemorySegment data) {
    long count = 0;
    for (long i = 0; i < data.byteSize(); i++) {
      count += data.get(ValueLayout.JAVA_BYTE, i) == 0 ? 1 : 0;
    }
    return count;
  }

  private static double meanByte(MemorySegment data) {
    return sumOfBytes(data).longValue() / (double) data.byteSize();
  }

  private static double varianceOfBytes(MemorySegment data) {
    double mean = meanByte(data);
    double sum = 0;
    for (long i = 0; i < data.byteSize(); i++) {
      double distance = (data.get(ValueLayout.JAVA_BYTE, i) & 0xff) - mean;
      sum += distance * distance;
    }
    return sum / data.byteSize();
  }

  private static Number squaresOfBytes(MemorySegment data) {
    long sum = 0;
    for (long i = 0; i < data.byteSize(); i++) {
      int value = data.get(ValueLayout.JAVA_BYTE, i) & 0xff;
      sum += value * value;
    }
    return sum;
  }

  private static Number sumOfInts(MemorySegment data) {
    long sum = 0;
    for (long i = 0; i < data.byteSize() / Integer.BYTES; i++) {
      sum += data.getAtIndex(INT, i);
    }
    return sum;
  }

  private static Number smallestInt(MemorySegment data) {
    int smallest = Integer.MAX_VALUE;
    for (long i = 0; i < data.byteSize() / Integer.BYTES; i++) {
      smallest = Math.min(smallest, data.getAtIndex(INT, i));
    }
    return smallest;
  }

  private static Number argMaxInt(MemorySegment data) {
    long best = 0;
    for (long i = 1; i < data.byteSize() / Integer.BYTES; i++) {
      best = data.getAtIndex(INT, i) > data.getAtIndex(INT, best) ? i : best;
    }
    return best;
  }

  private static Number xorOfInts(MemorySegment data) {
    int xor = 0;
    for (long i = 0; i < data.byteSize() / Integer.BYTES; i++) {
      xor ^= data.getAtIndex(INT, i);
    }
    return xor;
  }

  private static Number gcdOfInts(MemorySegment data) {
    int gcd = 0;
    for (long i = 0; i < data.byteSize() / Integer.BYTES; i++) {
      int next = (data.getAtIndex(INT, i) & 0xffffff) * 12;
      while (next != 0) {
        int rest = gcd % next;
        gcd = next;
        next = rest;
      }
    }
    return gcd;
  }

  private static Number largestLong(MemorySegment data) {
    long largest = Long.MIN_VALUE;
    for (long i = 0; i < data.byteSize() / Long.BYTES; i++) {
      largest = Math.max(largest, data.getAtIndex(LONG, i));
    }
    return largest;
  }

  private static Number xorOfLongs(MemorySegment data) {
    long xor = 0;
    for (long i = 0; i < data.byteSize() / Long.BYTES; i++) {
      xor ^= data.getAtIndex(LONG, i);
    }
    return xor;
  }

  private static Number composedLongs(MemorySegment data) {
    int half = 0;
    int summand = 0;
    for (long i = 0; i < data.byteSize() / Long.BYTES; i++) {
      long map = data.getAtIndex(LONG, i);
      int k = (int) (map >>> 32) | 1;
      summand = summand * (2 * k + 1) + (int) map;
      half = 2 * half * k + half + k;
    }
    return ((long) half << 32) | (summand & 0xffffffffL);
  }

  private static Number sumOfFloats(MemorySegment data) {
    double sum = 0;
    for (long i = 0; i < data.byteSize() / Float.BYTES; i++) {
      sum += data.getAtIndex(FLOAT, i);
    }
    return sum;
  }

  private static double sumOfMagnitudes(MemorySegment data) {
    double sum = 0;
    for (long i = 0; i < data.byteSize() / Float.BYTES; i++) {
      sum += Math.abs(data.getAtIndex(FLOAT, i));
    }
    return sum;
  }

  private static Number smallestFloat(MemorySegment data) {
    float smallest = Float.POSITIVE_INFINITY;
    for (long i = 0; i < data.byteSize() / Float.BYTES; i++) {
      smallest = Math.min(smallest, data.getAtIndex(FLOAT, i));
    }
    return smallest;
  }

  private static Number squaresOfFloats(MemorySegment data) {
    double sum = 0;
    for (long i = 0; i < data.byteSize() / Float.BYTES; i++) {
      double value = data.getAtIndex(FLOAT, i);
      sum += value * value;
    }
    return sum;
  }

  private static Number sumOfDoubles(MemorySegment data) {
    double sum = 0;
    for (long i = 0; i < data.byteSize() / Double.BYTES; i++) {
      sum += data.getAtIndex(DOUBLE, i);
    }
    return sum;
  }

  private static Number argMinDouble(MemorySegment data) {
    long best = 0;
    for (long i = 1; i < data.byteSize() / Double.BYTES; i++) {
      best = data.getAtIndex(DOUBLE, i) < data.getAtIndex(DOUBLE, best) ? i : best;
    }
    return best;
  }
}
