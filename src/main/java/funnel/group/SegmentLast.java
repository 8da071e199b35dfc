package funnel.group;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.scan.SegmentedScan;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.List;

/**
 * The last element of each segment, and another value for those that are empty: of 3, 4, 4, 5, 10
 * in segments that begin at 0, 2, 2 it is 4, that value, 10. Of the scan of each segment these are
 * the segments' reductions.
 *
 * @param id its name and that of the array
 * @param values the elements
 * @param starts where segments begin, ascending
 * @param none what an empty one has
 * @param type of the elements
 * @param capacity the most segments
 */
record SegmentLast(
    String id, String values, String starts, Number none, ElementType type, int capacity)
    implements Primitive {

  /** The JVM form, whatever the type. */
  interface Loops {
    /** Puts the last elements of {@code segments} segments among {@code length} elements. */
    void last(
        MemorySegment values,
        int length,
        MemorySegment starts,
        int segments,
        MemorySegment output,
        Number none);
  }

  /**
   * The reductions of segments.
   *
   * @param name of the array
   * @param scan an inclusive one, by what says where segments begin
   * @param values the values
   * @param segments what says where segments begin
   * @param starts where that is
   * @param parts where what computes it is added
   */
  static Input reduced(
      String name,
      SegmentedScan scan,
      Input values,
      Input segments,
      Input starts,
      List<Primitive> parts) {
    ElementType type = values.type();
    String scanned = name + ".scanned";
    parts.addAll(scan.expand(scanned, List.of(values, segments)).primitives());
    Number none = scan.operator().identity(type);
    parts.add(new SegmentLast(name, scanned, starts.name(), none, type, starts.capacity()));
    return new Input(name, type, starts.capacity());
  }

  @Override
  public Layout layout() {
    return Layout.reads(starts, values)
        .derives(0, starts)
        .derives(1, values)
        .writes(id, type, capacity, starts)
        .counts(id);
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      0, // segments
      0, // length
      lengths.offset(starts),
      lengths.offset(values),
      lengths.offset(id)
    };
  }

  @Override
  public void launch(Launches launches) {
    launches
        .array("starts", starts)
        .array("values", values)
        .array("output", id)
        .value("none", none)
        .add(
            "last",
            TwinClass.of(MethodHandles.lookup(), IntSegmentLastKernels.class, type),
            "last",
            Grid.of(IntSegmentLastKernels.blocks(capacity), IntSegmentLastKernels.THREADS));
  }

  @Override
  public Primitive in(Setting setting) {
    return new SegmentLast(id, values, starts, none, type, setting.capacity(capacity));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    FunctionCopies.instance(
            MethodHandles.lookup(),
            Loops.class,
            TwinClass.of(MethodHandles.lookup(), IntSegmentLastLoops.class, type))
        .last(
            run.input(values),
            run.length(values),
            run.input(starts),
            run.length(starts),
            run.output(id),
            none);
  }
}
