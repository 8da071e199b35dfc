package funnel.select;

import funnel.jit.Element;
import funnel.jit.JvmValues;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

@Twins({"Long", "Float", "Double", "Byte"})
final class IntFindFirstLoops implements FindFirstStep.Loops {

  private static final int BLOCK = 1 << 10; // copied, since a segment checks bounds at each read

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;

  IntFindFirstLoops() {}

  @Override
  public int first(MemorySegment values, int from, int to) {
    if (values.address() % VALUES.byteSize() == 0
        && values.heapBase().orElse(null) instanceof @Element int[] all) {
      int start = (int) (values.address() / VALUES.byteSize());
      int at = within(all, start + from, start + to, -start);
      return at < 0 ? at : at - start;
    }
    int most = Math.min(BLOCK, to - from);
    @Element int[] x = new @Element int[most];
    int count;
    for (int first = from; first < to; first += count) {
      count = Math.min(most, to - first);
      MemorySegment.copy(values, VALUES, first * VALUES.byteSize(), x, 0, count);
      int at = within(x, 0, count, first);
      if (at >= 0) {
        return first + at;
      }
    }
    return -1;
  }

  private static int within(@Element int[] x, int from, int to, int shift) {
    for (int k = from; k < to; k++) {
      boolean holds = Placeholder.test(k + shift, JvmValues.of(x[k]));
      if (holds == (Placeholder.operator() != 0)) {
        return k;
      }
    }
    return -1;
  }
}
