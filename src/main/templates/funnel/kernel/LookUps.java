package funnel.kernel;

import funnel.jit.Element;
import funnel.jit.Overloads;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * In a kernel: reads of arrays that a function captured, at any index. An index outside is a miss,
 * which is noted: element 0 is read instead, and the host throws when the run has ended.
 *
 * {@snippet class="funnel.docs.KernelSnippets" region="lookUp"}
 */
@Overloads({"Byte", "Long", "Float", "Double"})
public final class LookUps {

  /* A miss is 2^32 (number + 1) + index; of several, any one stays. */

  private static final long NUMBER = 1L << Integer.SIZE;

  private LookUps() {}

  /**
   * The element at an index.
   *
   * @param table the array, of at least one element
   * @param length the number of its elements that may be read
   * @param index any number
   * @param misses the array in which a miss is noted
   * @param missesAt the place in it
   * @param number the number of the array among those that a kernel reads
   */
  public static @Element int at(
      @Element IntArray table, int length, int index, LongArray misses, int missesAt, int number) {
    int isOutside = (index < 0 ? 1 : 0) | (index < length ? 0 : 1);
    if (isOutside == 1) {
      misses.set(missesAt, NUMBER * (number + 1) + index);
    }
    return table.get(isOutside == 1 ? 0 : index);
  }

  /** The number of the array that a miss was in. */
  public static int number(long miss) {
    return (int) ((miss - index(miss)) / NUMBER) - 1;
  }

  /** The index of a miss. */
  public static int index(long miss) {
    return (int) miss;
  }
}
