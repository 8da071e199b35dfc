package funnel.sort;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Seed;
import funnel.Values;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** What tests of orders share: keys of many kinds, and the JDK's stable sort of boxed positions. */
public final class SortOracle {

  static final int TURN = Seed.random("turn of keys").nextInt(5);

  /** Kinds of keys that all types have. */
  private static final int ORDINARY = 14;

  private SortOracle() {}

  public static final float[] FLOATS = {
    0f,
    -0f,
    Float.NaN,
    Float.intBitsToFloat(0x7f800001),
    Float.intBitsToFloat(0xff800001),
    Float.intBitsToFloat(-1),
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    Float.MIN_VALUE,
    -Float.MIN_VALUE,
    Float.MIN_NORMAL,
    Float.MAX_VALUE,
    -Float.MAX_VALUE,
    1f
  };

  public static final double[] DOUBLES = {
    0d,
    -0d,
    Double.NaN,
    Double.longBitsToDouble(0x7ff0000000000001L),
    Double.longBitsToDouble(0xfff0000000000001L),
    Double.longBitsToDouble(-1),
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Double.MIN_NORMAL,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    1d
  };

  /** An element's bits as a long, of bytes and bits of them without sign. */
  public static long bits(Values x, int i) {
    return switch (x.array()) {
      case float[] a -> Float.floatToRawIntBits(a[x.from() + i]);
      case double[] a -> Double.doubleToRawLongBits(a[x.from() + i]);
      default -> x.longAt(i);
    };
  }

  public static void setBits(Values x, int i, long bits) {
    switch (x.array()) {
      case float[] a -> a[x.from() + i] = Float.intBitsToFloat((int) bits);
      case double[] a -> a[x.from() + i] = Double.longBitsToDouble(bits);
      default -> x.set(i, bits);
    }
  }

  public static int compare(Values x, int i, int j) {
    return switch (x.array()) {
      case float[] a -> Float.compare(a[x.from() + i], a[x.from() + j]);
      case double[] a -> Double.compare(a[x.from() + i], a[x.from() + j]);
      default -> Long.compare(x.longAt(i), x.longAt(j));
    };
  }

  /** NaN by their bits too, as keys alone are. */
  public static int compareAlone(Values x, int i, int j) {
    int compared = compare(x, i, j);
    return compared != 0 ? compared : Long.compareUnsigned(bitsOfNaN(x, i), bitsOfNaN(x, j));
  }

  private static long bitsOfNaN(Values x, int i) {
    long bits = bits(x, i);
    return bits < 0 ? bits ^ Long.MAX_VALUE : bits;
  }

  /** The positions in a stable order. */
  public static int[] order(int length, boolean isDescending, Comparator<Integer> comparator) {
    return IntStream.range(0, length)
        .boxed()
        .sorted(isDescending ? comparator.reversed() : comparator)
        .mapToInt(i -> i)
        .toArray();
  }

  public static Values at(ElementType type, int from, Values of) {
    Values all = Values.guard(type, from + of.length() + 3);
    System.arraycopy(of.array(), of.from(), all.array(), from, of.length());
    return all;
  }

  public static void requireSorted(Values x, int[] order, Values all, int from, String what) {
    Values guard = Values.guard(x.type(), 1);
    for (int i = 0; i < all.to(); i++) {
      boolean isInside = i >= from && i < from + order.length;
      long wanted = isInside ? bits(x, order[i - from]) : bits(guard, 0);
      int at = i - from;
      assertEquals(wanted, bits(all, i), () -> what + ", element " + at + Seed.replay());
    }
  }

  /** Keys of many kinds. */
  public static List<Values> keys(ElementType type, int length, SplittableRandom random) {
    List<IntFunction<Long>> kinds =
        new ArrayList<>(
            List.of(
                i -> random.nextLong(),
                i -> random.nextLong() & random.nextLong() & random.nextLong(),
                i -> 77L,
                i -> random.nextLong(2),
                i -> (long) i,
                i -> (long) (length - i),
                i -> (long) (i % 4096),
                i -> i < length - 5 ? 0x11L : -1L,
                i -> random.nextLong() << 20,
                i -> random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE,
                bitsOf(random.nextLong() & random.nextLong(), random),
                bitsOf(random.nextLong() & random.nextLong() & random.nextLong(), random),
                bitsOf(1L << random.nextInt(64), random),
                i -> random.nextBoolean() ? Integer.MIN_VALUE : (long) Integer.MAX_VALUE));
    if (type == ElementType.FLOAT) {
      kinds.add(i -> (long) Float.floatToRawIntBits(FLOATS[random.nextInt(FLOATS.length)]));
    }
    if (type == ElementType.DOUBLE) {
      kinds.add(i -> Double.doubleToRawLongBits(DOUBLES[random.nextInt(DOUBLES.length)]));
    }
    return kinds.stream().map(kind -> made(type, length, kind)).toList();
  }

  /**
   * Those of all kinds that are one type's, of which all types together have each and the
   * floating-point ones their special values: where a case takes long.
   */
  public static List<Values> dealtKeys(ElementType type, int length, SplittableRandom random) {
    List<Values> all = keys(type, length, random);
    int turn = TURN + type.ordinal();
    return IntStream.range(0, all.size())
        .filter(i -> (turn + i) % 5 == 0 || i >= ORDINARY || Seed.draws(random, 20))
        .mapToObj(all::get)
        .toList();
  }

  /** Keys of which only some bits vary. */
  private static IntFunction<Long> bitsOf(long varying, SplittableRandom random) {
    long fixed = random.nextLong();
    return i -> random.nextLong() & varying | fixed & ~varying;
  }

  public static Values made(ElementType type, int length, IntFunction<Long> kind) {
    Values x = Values.ofLength(type, length);
    for (int i = 0; i < length; i++) {
      setBits(x, i, kind.apply(i));
    }
    return x;
  }
}
