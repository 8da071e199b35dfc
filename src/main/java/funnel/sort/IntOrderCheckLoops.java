package funnel.sort;

import funnel.jit.Element;
import funnel.jit.JvmValues;
import funnel.jit.Twins;
import funnel.jit.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** JVM form of {@link OrderCheck}. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntOrderCheckLoops implements OrderCheck.Loops {

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;

  IntOrderCheckLoops() {}

  @Override
  public int first(MemorySegment values, int from, int to, int sign) {
    @Value int before = JvmValues.of(values.getAtIndex(VALUES, from - 1));
    for (int i = from; i < to; i++) {
      @Value int value = JvmValues.of(values.getAtIndex(VALUES, i));
      if (JvmValues.compare(before, value) * sign > 0) {
        return i;
      }
      before = value;
    }
    return Integer.MAX_VALUE;
  }
}
