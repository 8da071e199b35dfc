package funnel.transform;

import funnel.jit.Accumulator;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.AtLaunch;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link ValueStep}. */
@Twins({"IntToLong", "LongToLong", "FloatToFloat", "DoubleToDouble"})
final class IntToIntValueKernels {

  static final int LENGTH_AT = 0;
  static final int TO_AT = 1;

  private IntToIntValueKernels() {}

  /** One thread. */
  static void compute(
      KernelContext context,
      IntArray shape,
      @Element IntArray result,
      @Accumulator IntArray value,
      IntArray done,
      @AtLaunch int resultAt,
      int isQuotient,
      int fewer,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt) {
    @Element int number = result.get(resultAt);
    if (isQuotient == 1) {
      number = number / (@Element int) (shape.get(shapeAt) - fewer);
    }
    value.set(shape.get(shapeAt + TO_AT), (@Accumulator int) number);
    done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
  }
}
