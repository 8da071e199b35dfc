package funnel.histogram;

import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;

/**
 * Counts how often each number is in sorted keys.
 *
 * <p>For 0, 1, 1, 3, 9 and 4 bins the counts are 1, 2, 0, 1: keys from {@code bins} on are outside
 * the bins. The result is then 4, the number of keys inside.
 *
 * <p>It is a part of composites that have other parts on the JVM.
 *
 * @param id name of the array of counts, ints
 * @param input sorted ints, none negative
 * @param bins the number of bins, at least 1
 * @param capacity the largest number of keys
 */
record RunCounts(String id, String input, int bins, int capacity) implements Primitive {

  private String counted() {
    return id + ".counted";
  }

  @Override
  public Layout layout() {
    return Layout.reads(input)
        .derives(1, input)
        .writes(id, ElementType.INT, bins)
        .delivers(counted(), ElementType.INT);
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {lengths.offset(input), 0, lengths.offset(id)}; // 0: length
  }

  @Override
  public void launch(Launches launches) {
    launches
        .array("keys", input)
        .array("counts", id)
        .result("counted", counted())
        .value("bins", bins)
        .add("counts", RunCountsKernels.class, "counts", RunCountsKernels.grid(bins));
  }

  @Override
  public Primitive in(Setting setting) {
    return new RunCounts(id, input, bins, setting.capacity(capacity));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    throw new IllegalStateException("a device's part of counts %s".formatted(id));
  }
}
