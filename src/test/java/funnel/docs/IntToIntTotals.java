package funnel.docs;

import funnel.jit.Accumulator;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.Scalars;

// @start region="totals"
/** Totals of ints; its twins are ByteToLongTotals and FloatToDoubleTotals. */
@Twins({"ByteToLong", "FloatToDouble"})
final class IntToIntTotals {

  private IntToIntTotals() {}

  // in the twins: static long total(byte[] x, int n), static double total(float[] x, int n)
  static @Accumulator int total(@Element int[] x, int n) {
    @Accumulator int total = 0;
    for (int i = 0; i < n; i++) {
      @Value int value = Scalars.value(x[i]); // of a byte it is an int, 0 to 255
      total += value;
    }
    return total;
  }
}
// @end
