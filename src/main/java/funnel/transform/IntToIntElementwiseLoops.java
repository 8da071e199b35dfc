package funnel.transform;

import funnel.jit.Accumulator;
import funnel.jit.Element;
import funnel.jit.JvmValues;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** JVM form of {@link ElementwiseStep}. */
@Twins({
  "ByteToByte",
  "ByteToInt",
  "ByteToLong",
  "ByteToFloat",
  "ByteToDouble",
  "IntToByte",
  "IntToLong",
  "IntToFloat",
  "IntToDouble",
  "LongToByte",
  "LongToInt",
  "LongToLong",
  "LongToFloat",
  "LongToDouble",
  "FloatToByte",
  "FloatToInt",
  "FloatToLong",
  "FloatToFloat",
  "FloatToDouble",
  "DoubleToByte",
  "DoubleToInt",
  "DoubleToLong",
  "DoubleToFloat",
  "DoubleToDouble"
})
final class IntToIntElementwiseLoops implements ElementwiseStep.Loops {

  /* C2 vectorizes loops over arrays, which may have the same type if all are accessed at the same
   * index; otherwise elements might overlap. So arrays of segments on the heap are used directly if
   * the elements are at the same index in all, and copied in blocks otherwise, like other memory.
   *
   * Always run as a copy of this class in which Placeholder.transform() is a constant.
   */

  private static final int BLOCK = 1 << 10;

  private static final ValueLayout.@Element OfInt FROM = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.@Accumulator OfInt TO = ValueLayout.JAVA_INT_UNALIGNED;

  IntToIntElementwiseLoops() {}

  @Override
  public void apply(List<MemorySegment> inputs, MemorySegment output, int length) {
    boolean isShared =
        inputs.stream().allMatch(input -> ParallelRows.mayBeShared(input, output))
            && ParallelRows.mayBeShared(output, output);
    ParallelRows.run(length, isShared ? length : 0, (from, to) -> rows(inputs, output, from, to));
  }

  private static void rows(List<MemorySegment> given, MemorySegment output, int from, int to) {
    boolean isOfIndex = Placeholder.transform() == ElementwiseStep.INDEXED + 1;
    List<MemorySegment> inputs = isOfIndex ? List.of() : given;
    int most = Math.min(BLOCK, to - from);
    long at = output.address() / TO.byteSize();
    boolean isDirect = isArray(output, TO, at, new @Accumulator int[0]);
    for (MemorySegment input : inputs) {
      isDirect &= isArray(input, FROM, at, new @Element int[0]);
    }
    @Accumulator
    int[] y = isDirect ? (@Accumulator int[]) heap(output) : new @Accumulator int[most];
    @Element int[][] x = new @Element int[3][];
    for (int k = 0; k < inputs.size(); k++) {
      x[k] = isDirect ? (@Element int[]) heap(inputs.get(k)) : new @Element int[most];
    }
    if (isDirect) {
      compute(x[0], x[1], x[2], y, (int) at + from, from, to - from);
      return;
    }
    int count;
    for (int first = from; first < to; first += count) {
      count = Math.min(most, to - first);
      for (int k = 0; k < inputs.size(); k++) {
        MemorySegment.copy(inputs.get(k), FROM, first * FROM.byteSize(), x[k], 0, count);
      }
      compute(x[0], x[1], x[2], y, 0, first, count);
      MemorySegment.copy(y, 0, output, TO, first * TO.byteSize(), count);
    }
  }

  /** Whether a segment has elements of an array on the heap, of some class, from an index on. */
  private static boolean isArray(MemorySegment segment, ValueLayout layout, long at, Object like) {
    Object heap = segment.heapBase().orElse(null);
    return heap != null
        && heap.getClass() == like.getClass()
        && segment.address() == at * layout.byteSize();
  }

  private static Object heap(MemorySegment segment) {
    return segment.heapBase().orElseThrow();
  }

  private static void compute(
      @Element int[] a,
      @Element int[] b,
      @Element int[] c,
      @Accumulator int[] y,
      int at,
      int first,
      int count) {
    int shift = at - first;
    int end = first + count;
    if (shift == 0) { // C2 sees that a function reads at the index that is written, and vectorizes
      for (int i = first; i < end; i++) {
        y[i] = value(a, b, c, i, i);
      }
    } else {
      for (int i = first; i < end; i++) {
        y[shift + i] = value(a, b, c, i, shift + i);
      }
    }
  }

  private static @Accumulator int value(
      @Element int[] a, @Element int[] b, @Element int[] c, int i, int k) {
    @Value int index = (@Value int) i;
    return (@Accumulator int)
        switch (Placeholder.transform()) {
          case 1 -> Placeholder.map(i, JvmValues.of(a[k]));
          case 2 -> Placeholder.combine(JvmValues.of(a[k]), JvmValues.of(b[k]));
          case 3 -> Placeholder.map(JvmValues.of(a[k]), JvmValues.of(b[k]), JvmValues.of(c[k]));
          case ElementwiseStep.INDEXED + 1 -> Placeholder.map(i, index);
          case ElementwiseStep.INDEXED + 2 -> Placeholder.combine(index, JvmValues.of(a[k]));
          default -> Placeholder.map(index, JvmValues.of(a[k]), JvmValues.of(b[k]));
        };
  }
}
