package funnel.block;

import funnel.jit.Element;
import funnel.jit.Overloads;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Two arrangements of a block's tile of {@code threads * items} elements, and the local memory in
 * which they are exchanged.
 *
 * <p>Striped: thread t has elements t, t + threads, t + 2 threads, ...; so a warp's loads and
 * stores are to neighbouring words of global memory, which is fast. Blocked: thread t has the
 * {@code items} consecutive elements from t * items on; so a thread can scan, compare or count its
 * own elements alone. With {@code threads=2} and {@code items=3}, thread 1 has elements 1, 3 and 5
 * striped, and 3, 4 and 5 blocked. To convert one into the other, write a local array in one
 * arrangement, wait at a barrier, and read it in the other.
 *
 * <p>Elements are padded in that array: after each 128 bytes one place is left free, so that
 * threads that read in steps of 2, 4, 8, 16 or 32 elements do not all access the same bank of local
 * memory. Element {@code e} of the tile is at {@code slot(e, bytes)}, and the array has {@code
 * length(threads * items, bytes)} places, with {@code bytes} the width of an element: {@code
 * Integer.BYTES} and so on. All of these except the element must be constants of the kernel.
 *
 * <p>TornadoVM cannot take a local array as an argument of a method. So these methods only compute
 * places, and the kernel reads and writes the array itself; {@code load}, which fills a new array
 * from global memory, is the exception. A user's kernel that scans tiles:
 *
 * {@snippet class="funnel.docs.ScanBlockSnippets" region="tile"}
 */
@Overloads({"Long", "Float", "Double"})
public final class BlockExchange {

  /* Local memory has 32 banks of 4 bytes, 128 bytes in all; wider elements are served half a warp
   * at a time. With one free place in 33 (or in 17 for 8 bytes), both arrangements are free of
   * conflicts for any power of two of items up to 32 (16); striped access always is.
   */

  private static final int BANKS_BYTES = 128;

  private BlockExchange() {}

  /** The element of the tile that a thread has as its {@code item}-th when striped. */
  public static int striped(int thread, int threads, int item) {
    return item * threads + thread;
  }

  /** The element of the tile that a thread has as its {@code item}-th when blocked. */
  public static int blocked(int thread, int items, int item) {
    return thread * items + item;
  }

  /**
   * The padded place of an element in local memory: element 31 of ints is at 31, element 32 at 33.
   *
   * @param element its number in the tile, from 0
   * @param bytes the width of an element, a power of two
   */
  public static int slot(int element, int bytes) {
    return element + element / (BANKS_BYTES / bytes);
  }

  /** The number of places for {@code elements} elements with padding: 264 for 256 ints. */
  public static int length(int elements, int bytes) {
    return slot(elements, bytes);
  }

  /**
   * Loads the tile that begins at {@code begin}, striped, into a new local array, and waits at a
   * barrier. Elements from {@code end} on are not read; they become {@code outside}.
   *
   * @param in the array in global memory
   * @param begin the index of the tile's first element
   * @param end the index after the last element to load, at least 1; may be before, in or after the
   *     tile
   * @return a local array with element {@code e} of the tile at {@code slot(e, Integer.BYTES)}
   */
  public static @Element int[] load(
      KernelContext context,
      IntArray in,
      int begin,
      int end,
      @Element int outside,
      int thread,
      int threads,
      int items) {
    return IntBlockExchange.load(
        context, in, begin, end, outside, thread, threads, items, Integer.BYTES);
  }
}
