package funnel.jit;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ArrayPoolTest {

  private static final int MANY = 1 << 18;
  private static final long BYTES = 4L * MANY;

  @Test
  void whatIsGivenBackIsTakenOnce_byItsType() {
    ArrayPool pool = new ArrayPool(10 * BYTES);
    int[] ints = new int[MANY];
    long[] longs = new long[MANY];
    pool.give(ints);
    pool.give(longs);
    assertSame(longs, pool.take(long[].class, BYTES));
    assertNull(pool.take(long[].class, BYTES));
    assertSame(ints, pool.take(int[].class, BYTES));
    assertNull(pool.take(int[].class, BYTES));
    assertThrows(IllegalArgumentException.class, () -> pool.give(new float[MANY]));
  }

  /** No smaller one, and none that is much larger. */
  @Test
  void whatIsTakenFits() {
    ArrayPool pool = new ArrayPool(10 * BYTES);
    int[] ints = new int[2 * MANY + 1];
    pool.give(ints);
    assertNull(pool.take(int[].class, 2 * BYTES + 8));
    assertNull(pool.take(int[].class, BYTES - 4));
    assertSame(ints, pool.take(int[].class, BYTES + 4));
    pool.give(new int[10]);
    assertNull(pool.take(int[].class, 40));
  }

  @Test
  void whatWasGivenFirstGoes_whenThereIsTooMuch() {
    ArrayPool pool = new ArrayPool(2 * BYTES);
    int[] second = new int[MANY];
    int[] third = new int[MANY];
    pool.give(new int[MANY]);
    pool.give(second);
    pool.give(third);
    pool.give(new int[3 * MANY]);
    assertSame(third, pool.take(int[].class, BYTES));
    assertSame(second, pool.take(int[].class, BYTES));
    assertNull(pool.take(int[].class, BYTES));
  }

  @Test
  void arraysAreAsLongAsIsWanted() {
    for (int length : new int[] {0, 1, MANY, MANY}) {
      int[] ints = ArrayPool.ints(length);
      long[] longs = ArrayPool.longs(length);
      assertTrue(ints.length >= length && longs.length >= length, "length=" + length);
      ArrayPool.giveBack(ints);
      ArrayPool.giveBack(longs);
    }
    assertThrows(NegativeArraySizeException.class, () -> ArrayPool.longs(-1));
  }
}
