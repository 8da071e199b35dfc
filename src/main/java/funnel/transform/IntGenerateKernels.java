package funnel.transform;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.Scalars;
import funnel.kernel.ShapeLongs;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link GenerateStep}. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntGenerateKernels {

  static final int LENGTH_AT = 0;
  static final int TO_AT = 1;
  static final int START_AT = 2;
  static final int STEP_AT = START_AT + ShapeLongs.INTS;

  static final int THREADS = 256;
  static final int TILE = 8 * THREADS;

  private IntGenerateKernels() {}

  static void generate(
      KernelContext context,
      IntArray shape,
      @Element IntArray output,
      IntArray done,
      int random,
      int shapeAt,
      int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt);
    int to = shape.get(shapeAt + TO_AT);
    long start = ShapeLongs.get(shape, shapeAt + START_AT);
    long step = ShapeLongs.get(shape, shapeAt + STEP_AT);
    @Value int like = (@Value int) 0;
    @Value int from = random == 1 ? like : Scalars.ofBits(start, like);
    @Value int by = random == 1 ? like : Scalars.ofBits(step, like);
    int first = block * TILE;
    int end = Scalars.min(length - first, TILE);
    for (int k = thread; k < end; k += THREADS) {
      int i = first + k;
      @Value
      int value =
          random == 1
              ? SplitMix.value(start + (i + 1L) * step, like)
              : Scalars.fma((@Value int) i, by, from);
      output.set(to + i, (@Element int) value);
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
