package funnel.scan;

import funnel.jit.KernelTask;
import funnel.operator.ElementType;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The launch of {@link ScanVariant#CHAINED}, for the types that fit into words. */
interface ChainedTasks {

  /** The distance between the two words of a value; 0 if it has one only. */
  static int pitch(ElementType element, int blocks) {
    return element.bytes() > Integer.BYTES ? 1 + blocks : 0;
  }

  /** Longs in which the blocks pass words to each other, all zero before the first run. */
  static int words(ElementType element, int blocks) {
    return 1 + blocks + pitch(element, blocks);
  }

  /**
   * The whole scan.
   *
   * @param level the input and where its scan goes
   * @param words {@link #words} longs
   * @param gaveUp 0 until a block has waited too long; behind it, the run counter
   * @param gaveUpAt its index
   */
  KernelTask chained(
      String id,
      int blocks,
      int threads,
      VariantTasks.Level level,
      LongArray words,
      IntArray gaveUp,
      int gaveUpAt);
}
