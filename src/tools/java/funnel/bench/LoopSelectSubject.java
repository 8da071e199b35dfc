package funnel.bench;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;

/** A selection by a sequential loop over an array on the heap, as one would write it. */
final class LoopSelectSubject extends HeapSubject<Selectable, SelectTask, SelectCase> {

  LoopSelectSubject() {
    super("jvm-loop", 3);
  }

  /** The loops over a type. */
  static PlainSelect loops(ElementType type) {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    return FunctionCopies.instance(
        lookup, PlainSelect.class, TwinClass.of(lookup, IntPlainSelect.class, type));
  }

  @Override
  SelectCase what(Selectable elements, SelectTask task) {
    return SelectCase.of(elements, task, 0, 0);
  }

  /** A copy on the heap. */
  static Object array(MemorySegment from, ElementType type) {
    return switch (type) {
      case BYTE -> from.toArray(ValueLayout.JAVA_BYTE);
      case INT -> from.toArray(ValueLayout.JAVA_INT);
      case LONG -> from.toArray(ValueLayout.JAVA_LONG);
      case FLOAT -> from.toArray(ValueLayout.JAVA_FLOAT);
      case DOUBLE -> from.toArray(ValueLayout.JAVA_DOUBLE);
    };
  }

  /** A view. */
  static MemorySegment segment(Object array) {
    return switch (array) {
      case byte[] bytes -> MemorySegment.ofArray(bytes);
      case int[] ints -> MemorySegment.ofArray(ints);
      case long[] longs -> MemorySegment.ofArray(longs);
      case float[] floats -> MemorySegment.ofArray(floats);
      default -> MemorySegment.ofArray((double[]) array);
    };
  }

  @Override
  Loop loop(Selectable elements, SelectTask task) {
    ElementType type = elements.type();
    boolean isPartition = task == SelectTask.PARTITION_50;
    Object x = array(elements.array().getSegment(), type);
    byte[] flags = elements.flags().getSegment().toArray(ValueLayout.JAVA_BYTE);
    Object kept = array(elements.array().getSegment(), type);
    ElementType otherType = task.others(type);
    Object others =
        array(Arena.ofAuto().allocate((elements.length() + 1L) * otherType.bytes(), 8), otherType);
    PlainSelect loops = loops(type);
    int[] count = new int[1];
    return new Loop(
        () -> {},
        () -> count[0] = task.loop(loops, x, flags, kept, others),
        () -> {
          long hash = Selectable.hash(type, segment(kept), count[0]);
          if (task == SelectTask.CHAIN_50) {
            long last = (long) elements.length() * otherType.bytes();
            hash = Selectable.hash(otherType, segment(others).asSlice(last), 1);
          } else if (isPartition) {
            hash += Selectable.hash(type, segment(others), elements.length() - count[0]);
          } else if (task.isRuns()) {
            hash += Selectable.hash(ElementType.INT, segment(others), count[0]);
          }
          return SelectSubject.compared(new Selectable.Kept(count[0], hash), elements, task);
        });
  }
}
