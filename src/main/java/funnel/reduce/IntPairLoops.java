package funnel.reduce;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.Scalars;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** JVM form of reductions to two values over one element type. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntPairLoops implements PairLoops {

  private static final int PARTS = 64;

  IntPairLoops() {}

  @Override
  public Number[] reduce(MemorySegment values, int length, int code) {
    int[] smallest = new int[PARTS];
    int[] largest = new int[PARTS];
    int parts = Math.clamp(length, 1, PARTS);
    ParallelRows.run(
        parts,
        ParallelRows.mayBeShared(values, values) ? length : 0,
        (from, to) -> {
          for (int part = from; part < to; part++) {
            int begin = (int) ((long) length * part / parts);
            int end = (int) ((long) length * (part + 1) / parts);
            smallest[part] = code == PairCode.ARG_MAX ? begin : smallest(values, begin, end);
            largest[part] = code == PairCode.ARG_MIN ? begin : largest(values, begin, end);
          }
        });
    int min = smallest[0];
    int max = largest[0];
    for (int part = 1; part < parts; part++) {
      min = Scalars.isSmaller(at(values, smallest[part]), at(values, min)) ? smallest[part] : min;
      max = Scalars.isLarger(at(values, largest[part]), at(values, max)) ? largest[part] : max;
    }
    return switch (code) {
      case PairCode.ARG_MIN -> new Number[] {at(values, min), min};
      case PairCode.ARG_MAX -> new Number[] {at(values, max), max};
      default -> new Number[] {at(values, min), at(values, max)};
    };
  }

  private static int smallest(MemorySegment values, int begin, int end) {
    int best = begin;
    for (int i = begin + 1; i < end; i++) {
      if (Scalars.isSmaller(at(values, i), at(values, best))) {
        best = i;
      }
    }
    return best;
  }

  private static int largest(MemorySegment values, int begin, int end) {
    int best = begin;
    for (int i = begin + 1; i < end; i++) {
      if (Scalars.isLarger(at(values, i), at(values, best))) {
        best = i;
      }
    }
    return best;
  }

  private static @Value int at(MemorySegment values, int index) {
    ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    return Scalars.value(values.getAtIndex(layout, index));
  }
}
