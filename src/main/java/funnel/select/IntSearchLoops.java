package funnel.select;

import funnel.jit.Calls;
import funnel.jit.Element;
import funnel.jit.JvmValues;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** JVM form of {@link Search}. */
@Twins({"Long", "Float", "Double", "Byte"})
final class IntSearchLoops implements Search.Loops {

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;

  IntSearchLoops() {}

  @Override
  public int first(MemorySegment values, int from, int to, @Nullable Object function) {
    for (int i = from; i < to; i++) {
      @Element int x = values.getAtIndex(VALUES, i);
      boolean holds =
          Placeholder.transform() == Calls.TEST
              ? Calls.test(function, JvmValues.of(x))
              : Placeholder.test(JvmValues.of(x));
      if (holds == (Placeholder.operator() != 0)) {
        return i;
      }
    }
    return -1;
  }
}
