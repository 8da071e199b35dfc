package funnel.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where elements of a tile are in padded local memory. */
class BlockExchangeTest {

  private static final int BANKS = 32;

  @ParameterizedTest
  @ValueSource(ints = {Integer.BYTES, Long.BYTES})
  void slots_differ_andFit(int bytes) {
    for (int elements : new int[] {1, 31, 32, 33, 96, 256 * 16}) {
      BitSet taken = new BitSet();
      for (int e = 0; e < elements; e++) {
        int slot = BlockExchange.slot(e, bytes);
        assertTrue(slot >= 0 && slot < BlockExchange.length(elements, bytes), "element " + e);
        assertTrue(!taken.get(slot), "element " + e);
        taken.set(slot);
      }
    }
    assertEquals(33, BlockExchange.slot(32, Integer.BYTES));
    assertEquals(264, BlockExchange.length(256, Integer.BYTES));
  }

  @Test
  void arrangements_haveEachElementOnce() {
    int threads = 32;
    int items = 7;
    BitSet striped = new BitSet();
    BitSet blocked = new BitSet();
    for (int thread = 0; thread < threads; thread++) {
      for (int item = 0; item < items; item++) {
        striped.set(BlockExchange.striped(thread, threads, item));
        blocked.set(BlockExchange.blocked(thread, items, item));
      }
    }
    assertEquals(threads * items, striped.cardinality());
    assertEquals(striped, blocked);
    assertEquals(threads * items, striped.length());
  }

  /** The threads that are served together: a warp, or half of one where elements are wide. */
  private static void assertNoConflicts(IntUnaryOperator element, int bytes, String what) {
    int width = bytes / Integer.BYTES;
    int together = BANKS / width;
    for (int first = 0; first < 256; first += together) {
      BitSet banks = new BitSet();
      for (int thread = first; thread < first + together; thread++) {
        banks.set(BlockExchange.slot(element.applyAsInt(thread), bytes) * width % BANKS);
      }
      assertEquals(together, banks.cardinality(), what + ", threads from " + first);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.BYTES, Long.BYTES})
  void noBankConflicts(int bytes) {
    for (int items = 1; items <= 128 / bytes; items *= 2) {
      for (int item = 0; item < items; item++) {
        int now = item;
        int all = items;
        String what = "bytes=%s, items=%s, item=%s".formatted(bytes, items, item);
        assertNoConflicts(t -> BlockExchange.blocked(t, all, now), bytes, "blocked, " + what);
        assertNoConflicts(t -> BlockExchange.striped(t, 256, now), bytes, "striped, " + what);
      }
    }
  }
}
