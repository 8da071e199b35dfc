package funnel.sort;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Seed;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Keys and positions on the JVM, in buckets of all sizes and in none. */
class MovedKeysTest {

  private static void check(boolean isPacked, int parts, int from, int bits, LongSupplier keys) {
    int length = (1 << 16) + parts;
    LongMovedKeys moved =
        new LongMovedKeys(length, isPacked, parts, from + (isPacked ? 32 : 0), bits);
    long[] words = new long[length];
    long differing = 0;
    for (int i = 0; i < length; i++) {
      words[i] = isPacked ? keys.getAsLong() << 32 | i : keys.getAsLong();
      moved.words[i] = words[i];
      differing |= words[i] ^ words[0];
      if (!isPacked) {
        moved.positions[i] = i;
      }
    }
    int shift = from + (isPacked ? 32 : 0);
    long mask = -1L >>> Long.SIZE - bits;
    int[] order =
        SortOracle.order(
            length,
            false,
            (i, j) -> Long.compareUnsigned(words[i] >>> shift & mask, words[j] >>> shift & mask));
    moved.sort(differing);
    for (int i = 0; i < length; i++) {
      int at = isPacked ? (int) moved.words[i] : moved.positions[i];
      assertEquals(order[i], at, () -> "bits %s from %s%s".formatted(bits, from, Seed.replay()));
      assertEquals(words[at], moved.words[i]);
    }
  }

  @Test
  void sorts() {
    SplittableRandom random = Seed.random("moved keys");
    List<LongSupplier> kinds =
        List.of(
            random::nextLong,
            () -> random.nextLong(1000) * 0x9E3779B97F4A7C15L, // each often
            () ->
                (random.nextInt(1000) == 0 ? 5L + random.nextInt(3) : random.nextLong(5)) << 61
                    | random.nextLong(4) << 40, // a few equal ones in some buckets
            () -> random.nextInt(20) == 0 ? random.nextLong() : random.nextLong(5000),
            () -> random.nextLong() >>> random.nextInt(12) & 0xffffffff0000ffffL);
    for (LongSupplier kind : kinds) {
      check(false, 1, 0, 64, kind);
      check(false, 2, 3 + random.nextInt(20), 1 + random.nextInt(40), kind);
      check(true, 2, 0, 32, () -> kind.getAsLong() >>> 32);
      check(true, 1, random.nextInt(8), 1 + random.nextInt(24), kind);
    }
  }

  /** Without positions, in any part of an array; what is around stays. */
  @Test
  void sortsKeysAlone() {
    SplittableRandom random = Seed.random("moved keys alone");
    List<LongUnaryOperator> kinds =
        List.of(
            _ -> random.nextLong(),
            _ -> random.nextLong(1000) - 500,
            _ -> random.nextInt(20) == 0 ? random.nextLong() : random.nextLong(5000) << 28,
            _ -> random.nextLong() & 0xff0000ff00L,
            _ -> Double.doubleToLongBits(random.nextGaussian()), // few exponents
            i -> i == 77 ? 3 : i << 7, // in order but for one
            i -> i - 100_000,
            i -> -i,
            _ -> 42);
    for (LongUnaryOperator kind : kinds) {
      for (int begin : new int[] {0, 5}) {
        int length = begin + (1 << 17) + random.nextInt(-1, 100_000);
        long[] longs = LongStream.range(0, length + 3).map(kind).toArray();
        int[] ints = LongStream.of(longs).mapToInt(key -> (int) key).toArray();
        long[] sortedLongs = longs.clone();
        int[] sortedInts = ints.clone();
        Arrays.sort(sortedLongs, begin, length);
        Arrays.sort(sortedInts, begin, length);
        long[] moved = longs.clone();
        int[] movedInts = ints.clone();
        KeyOrder ofLongs = KeyOrder.of(ElementType.LONG, false);
        KeyOrder ofInts = KeyOrder.of(ElementType.INT, false);
        int count = length - begin;
        MemorySegment part = MemorySegment.ofArray(moved).asSlice(8L * begin, 8L * count);
        LongMovedKeys.sortMany(ofLongs, part, count, part, 3); // also where the JDK sorts
        part = MemorySegment.ofArray(movedInts).asSlice(4L * begin, 4L * count);
        IntMovedKeys.sortMany(ofInts, part, count, part, 3);
        assertArrayEquals(sortedLongs, moved, Seed::replay);
        assertArrayEquals(sortedInts, movedInts, Seed::replay);
        part = MemorySegment.ofArray(longs).asSlice(8L * begin, 8L * count);
        LongMovedKeys.sort(ofLongs, part, count, null, part);
        part = MemorySegment.ofArray(ints).asSlice(4L * begin, 4L * count);
        IntMovedKeys.sort(ofInts, part, count, null, part);
        assertArrayEquals(sortedLongs, longs, Seed::replay);
        assertArrayEquals(sortedInts, ints, Seed::replay);
      }
    }
  }
}
