package funnel.histogram;

import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;

/**
 * Counts the keys of each value in sorted keys: {@code counts[i]} is how many equal {@code i}.
 *
 * <p>For 0, 1, 1, 3, 9 and 4 bins the counts are 1, 2, 0, 1: keys from {@code bins} on are outside.
 * The result is 4, the number of keys inside.
 *
 * <p>It is a part of composites that have other parts on the JVM.
 *
 * @param id name of the array of counts, ints
 * @param input sorted ints, none negative
 */
record RunCountsStep(String id, String input, int bins) implements Primitive {

  @Override
  public Step in(Setting setting) {
    return Step.of(this, setting)
        .reads("keys", input, RunCountsKernels.FROM_AT, RunCountsKernels.LENGTH_AT)
        .writes("counts", id, ElementType.INT, bins, RunCountsKernels.TO_AT)
        .delivers("counted", id + ".counted", ElementType.INT)
        .onDevice(
            launches ->
                launches
                    .kernels(RunCountsKernels.class)
                    .value("bins", bins)
                    .launch("counts", "counts", RunCountsKernels.grid(bins)));
  }
}
