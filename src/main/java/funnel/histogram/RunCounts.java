package funnel.histogram;

import funnel.jit.TwinClass;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/**
 * Counts how often each number is in sorted keys.
 *
 * <p>Of 0, 1, 1, 3, 9 there are, with 4 bins, 1, 2, 0, 1: keys from {@code bins} on are in no bin.
 * The result {@link #counted} is then 4, the keys that are in one.
 *
 * @param id name of the array of counts
 * @param input sorted ints, none negative
 * @param type of the counts, int or long
 * @param bins how many, at least 1
 * @param capacity the most keys
 */
record RunCounts(String id, String input, ElementType type, int bins, int capacity)
    implements Primitive {

  /** Checks type and bins. */
  RunCounts {
    if (type != ElementType.INT && type != ElementType.LONG) {
      throw new IllegalArgumentException("counts are int or long: type=" + type);
    }
    if (bins < 1) {
      throw new IllegalArgumentException("there is at least one bin: bins=" + bins);
    }
  }

  /** The counts of keys sorted by a part before this one. */
  static RunCounts of(String id, KeySort sort, ElementType type, int bins) {
    return new RunCounts(id, sort.sorted(), type, bins, sort.capacity());
  }

  /** The counts of an input's keys. */
  static RunCounts of(String id, Input sorted, ElementType type, int bins) {
    return new RunCounts(id, sorted.name(), type, bins, sorted.capacity());
  }

  /** Name of the result: how many keys are in a bin. */
  String counted() {
    return id + ".counted";
  }

  @Override
  public Layout layout() {
    return Layout.reads(input)
        .derives(1, input)
        .writes(id, type, bins)
        .delivers(counted(), ElementType.INT);
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {lengths.offset(input), 0, lengths.offset(id)}; // 0: length
  }

  @Override
  public void launch(Launches launches) {
    Class<?> kernels = TwinClass.of(MethodHandles.lookup(), IntRunCountsKernels.class, type);
    launches
        .array("keys", input)
        .array("counts", id)
        .result("counted", counted())
        .value("bins", bins)
        .add("counts", kernels, "counts", IntRunCountsKernels.grid(bins));
  }

  @Override
  public Primitive in(Setting setting) {
    return new RunCounts(id, input, type, bins, setting.capacity(capacity));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MemorySegment keys = run.input(input);
    MemorySegment counts = run.output(id);
    run.deliver(counted(), RunCountsLoops.counts(keys, run.length(input), counts, type, bins));
  }
}
