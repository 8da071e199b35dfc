package funnel.sort;

import funnel.jit.Element;
import funnel.jit.JvmValues;
import funnel.jit.Twins;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

@Twins({"Byte", "Long", "Float", "Double"})
final class IntIsSortedLoops implements IsSortedStep.Loops {

  private static final int BLOCK = 1 << 10; // copied, since a segment checks bounds at each read

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;

  IntIsSortedLoops() {}

  @Override
  public int first(MemorySegment values, int from, int to, int sign) {
    int most = Math.min(BLOCK, to - from);
    @Element int[] x = new @Element int[most + 1];
    int count;
    for (int first = from; first < to; first += count) {
      count = Math.min(most, to - first);
      MemorySegment.copy(values, VALUES, (first - 1) * VALUES.byteSize(), x, 0, count + 1);
      for (int k = 0; k < count; k++) {
        if (JvmValues.compare(JvmValues.of(x[k]), JvmValues.of(x[k + 1])) * sign > 0) {
          return first + k;
        }
      }
    }
    return Integer.MAX_VALUE;
  }
}
