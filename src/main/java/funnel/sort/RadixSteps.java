package funnel.sort;

import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The steps of the passes of a {@link RadixSortStep}, which are decided on the device. */
final class RadixSteps {

  /* A step says by which digit keys are moved, and where keys and positions are before and after:
   * in the input, in another array, or in the output. Digits begin at bits that are not the same in
   * all keys. If there are fewer steps than passes, the blocks of the other passes return
   * immediately. The bits are those in which keys differ from the first key. Tiles find them with
   * the first count, which is of the lowest digit; if that digit does not vary, the first pass has
   * no step. If nothing varies, one step moves keys as they are.
   *
   * All passes have the same kernels, and read their number from memory. No kernel changes the
   * number that it reads: counting and starts read one number; scattering reads another, which
   * starts set, and sets the first for the next pass.
   *
   * Keys and positions end in the output.
   */

  /** Keys or positions are in the input, or positions are the initial ones. */
  static final int INPUT = 0;

  /** They are in an array that is not the output. */
  static final int OTHER = 1;

  /** They are in the output, or in an array in its place. */
  static final int OUTPUT = 2;

  /* Ints before the steps. */

  /** The pass that is counted and gets its starts. */
  static final int COUNTED = 0;

  static final int MOVED = 1;

  private static final int BEFORE = 2;

  /* Ints of a step, the first of which says where keys are. */

  private static final int STEP = 6;

  static final int TO = 1;
  static final int SHIFT = 2;
  static final int MASK = 3;
  static final int FLIP = 4;
  static final int IS_LAST = 5;
  static final int NONE = -1;

  private RadixSteps() {}

  /** Ints for the steps of {@code passes} passes, with those before the steps. */
  static int ints(int passes) {
    return at(passes);
  }

  static int at(int pass) {
    return BEFORE + pass * STEP;
  }

  /** The bits of digits to invert: all of them, or the sign. */
  static int flip(IntArray shape, int shapeAt, int bit, int width) {
    int sign = bit + width == shape.get(shapeAt + RadixSortStep.SIGNED_BITS) ? 1 << (width - 1) : 0;
    return (shape.get(shapeAt + RadixSortStep.DESCENDING) == 1 ? (1 << width) - 1 : 0) ^ sign;
  }

  /** Chooses the steps, in one thread. */
  static void plan(IntArray shape, IntArray steps, long varying, int shapeAt) {
    int passes = shape.get(shapeAt + RadixSortStep.PASSES);
    int to = shape.get(shapeAt + RadixSortStep.TO_BIT);
    int firstBits = shape.get(shapeAt + RadixSortStep.FIRST_BITS);
    int count = 0;
    int pass = 0;
    int width = firstBits;
    for (int bit = shape.get(shapeAt + RadixSortStep.FROM_BIT); bit < to; bit += width) {
      int mask = pass == 0 ? (1 << firstBits) - 1 : 1;
      int varies = (int) ((varying >> bit) & mask) == 0 ? 0 : 1;
      width = pass == 0 ? firstBits : varies == 0 ? 1 : Scalars.min(IntRadixKernels.BITS, to - bit);
      if (pass == 0 | varies == 1) {
        steps.set(at(pass), varies == 1 ? INPUT : NONE);
        steps.set(at(pass) + SHIFT, bit);
        steps.set(at(pass) + MASK, (1 << width) - 1);
        steps.set(at(pass) + FLIP, flip(shape, shapeAt, bit, width));
        count = count + varies;
        pass = pass + 1;
      }
    }
    int left = Scalars.max(count, 1);
    int from = INPUT;
    for (int p = 0; p < passes; p++) {
      int at = at(p);
      int isStep = p < pass & (steps.get(at) != NONE | count == 0) ? 1 : 0;
      steps.set(at, isStep == 1 ? from : NONE);
      if (isStep == 1) {
        int next = (left & 1) == 1 ? OUTPUT : OTHER;
        steps.set(at + TO, next);
        steps.set(at + IS_LAST, left == 1 ? 1 : 0);
        from = next;
        left = left - 1;
      }
    }
    steps.set(COUNTED, 0);
  }
}
