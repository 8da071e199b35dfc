package funnel.histogram;

import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Launches;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import org.jspecify.annotations.Nullable;

/**
 * The last part of a histogram, after parts that numbered the samples and counted the numbers: adds
 * the previous counts, and writes the counters unless a key is invalid or a count overflows.
 *
 * <p>It is a part of composites that have other parts on the JVM.
 */
record CountEndStep(
    String id, BinNumbersStep numbers, String counts, @Nullable String old, ElementType counter)
    implements Primitive {

  @Override
  public Step in(Setting setting) {
    Bins bins = numbers.bins();
    Step step =
        Step.of(this, setting)
            .reads("counts", counts)
            .filled("first", id + ".first", ElementType.LONG, 2, 0) // reports of the samples' part
            .filled("second", id + ".second", ElementType.LONG, 2, 0)
            .filled("third", id + ".third", ElementType.LONG, 2, 0)
            .numbers(HistogramShape.OFFSET, 0, 0)
            .numbers(HistogramShape.TILES, new int[HistogramShape.OVERFLOW - HistogramShape.TILES])
            .onDevice(
                launches -> {
                  launches
                      .array("tallies", numbers.tallies())
                      .value("areKeys", bins.areKeys() ? 1 : 0)
                      .value("blocks", numbers.blocks(setting));
                  launch(launches, old, counter, bins);
                });
    return previous(output(step, counter, bins), old, counter, bins);
  }

  /** States the output of a histogram, and that a count too large for it throws. */
  static Step output(Step step, ElementType counter, Bins bins) {
    String id = step.id();
    int counters = bins.counters();
    String overflow = id + ".overflow"; // the first counter that overflows, or -1
    return step.writes("output", id, counter, counters, HistogramShape.OUTPUT)
        .reports("overflow", overflow, ElementType.LONG, HistogramShape.OVERFLOW)
        .refuses(
            (results, lengths) -> {
              int at = results.apply(overflow).intValue();
              if (at >= 0) {
                throw new CounterOverflowException(id, at, bins, counter);
              }
            })
        .scratch("over", id + ".over", ElementType.INT, HistogramShape.counterBlocks(counters));
  }

  /** States the previous counts of a histogram, if there are any. */
  static Step previous(Step step, @Nullable String old, ElementType counter, Bins bins) {
    return old == null
        ? step.scratch("old", step.id() + ".old", counter, 1).number(HistogramShape.OLD, 0)
        : step.reads("old", old, HistogramShape.OLD)
            .requires(lengths -> requireOld(step.id(), old, bins, lengths.length(old)));
  }

  static void requireOld(String id, String old, Bins bins, int length) {
    if (length != bins.counters()) {
      throw new IllegalArgumentException(
          "the previous counts %s of histogram %s have length=%s, but it has %s counters: bins=%s, channels=%s"
              .formatted(old, id, length, bins.counters(), bins.bins(), bins.channels()));
    }
  }

  static void launch(Launches launches, @Nullable String old, ElementType counter, Bins bins) {
    Grid grid = HistogramShape.counterGrid(bins.counters());
    Class<?> kernels = TwinClass.of(IntCounterKernels.class, counter); // without the map
    launches
        .value("largest", Operator.MIN.identity(counter))
        .value("isAccumulating", old == null ? 0 : 1)
        .value("counters", bins.counters());
    if (old != null) {
      launches.add("check", kernels, "check", grid);
    }
    launches.add("finish", kernels, "finish", grid);
  }
}
