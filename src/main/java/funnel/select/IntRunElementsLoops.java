package funnel.select;

import funnel.jit.Element;
import funnel.jit.Twins;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** JVM form of {@link RunElements}. */
@Twins({"Long", "Float", "Double", "Byte"})
final class IntRunElementsLoops implements RunElements.Loops {

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;

  IntRunElementsLoops() {}

  @Override
  public void fill(
      MemorySegment values, MemorySegment ends, int run, MemorySegment to, int from, int end) {
    int at = from;
    for (int r = run; at < end; r++) {
      @Element int value = values.getAtIndex(VALUES, r);
      int endOfRun = (int) Math.min(end, ends.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, r));
      for (; at < endOfRun; at++) {
        to.setAtIndex(VALUES, at, value);
      }
    }
  }
}
