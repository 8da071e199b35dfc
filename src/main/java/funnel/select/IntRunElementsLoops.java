package funnel.select;

import funnel.jit.Element;
import funnel.jit.Twins;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

@Twins({"Long", "Float", "Double", "Byte"})
final class IntRunElementsLoops implements RunElementsStep.Loops {

  private static final int BLOCK = 1 << 10;

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;

  IntRunElementsLoops() {}

  @Override
  public void fill(
      MemorySegment values, MemorySegment ends, int run, MemorySegment to, int from, int end) {
    int most = Math.min(BLOCK, end - from);
    @Element int[] y = new @Element int[most];
    int r = run;
    int count;
    for (int first = from; first < end; first += count) {
      count = Math.min(most, end - first);
      int k = 0;
      while (k < count) {
        long endOfRun = ends.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, r);
        @Element int value = values.getAtIndex(VALUES, r);
        int stop = (int) Math.min(count, endOfRun - first);
        for (; k < stop; k++) {
          y[k] = value;
        }
        r += first + k == endOfRun ? 1 : 0;
      }
      MemorySegment.copy(y, 0, to, VALUES, first * VALUES.byteSize(), count);
    }
  }
}
