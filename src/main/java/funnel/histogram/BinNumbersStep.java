package funnel.histogram;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The number of each sample's counter: {@code channel * bins + bin}, or the number of all counters
 * if the sample is in none of the bins.
 *
 * @param of prefix of the names of the results of {@link Outside}
 */
record BinNumbersStep(String id, String of, Input samples, Bins bins) implements Primitive {

  /** The array of one int, the position of the first sample that is not a valid key, or -1. */
  String refused() {
    return id + ".refused";
  }

  /** What each block finds outside the bins, see {@link HistogramShape#TALLIES}. */
  String tallies() {
    return id + ".tallies";
  }

  int blocks(Setting setting) {
    return HistogramShape.blocks(setting.capacity(samples.capacity()));
  }

  @Override
  public Step in(Setting setting) {
    int most = setting.capacity(samples.capacity());
    int blocks = blocks(setting);
    Step step =
        Step.of(this, setting)
            .reads("samples", samples.name(), HistogramShape.OFFSET, HistogramShape.LENGTH)
            .writes("into", id, ElementType.INT, most, samples.name(), HistogramShape.OUTPUT)
            .writes("refused", refused(), ElementType.INT, 1)
            .scratch("tallies", tallies(), ElementType.INT, HistogramShape.TALLIES * blocks)
            .scratch("counts", id + ".counts", ElementType.INT, 1)
            .number(HistogramShape.OLD, 0)
            .numbers(HistogramShape.FIRST, 0, 0, 0, 0) // kernels have parameters for them
            .checkedWith(5 * HistogramShape.THREADS * 12)
            .onDevice(launches -> launch(launches, blocks))
            .onJvm(this::number);
    Outside.state(step, of, bins.areKeys());
    return bins.state(step, of, samples.name(), "samples " + samples.name(), 1, most);
  }

  private void launch(Launches launches, int blocks) {
    bins.bind(launches)
        .value("counters", 0)
        .value("use", IntHistogramKernels.NUMBERS)
        .value("blocks", blocks);
    if (bins.edgeCount() > 0) {
      Grid edges = HistogramShape.counterGrid(bins.edgeCount());
      launches.add("clear", CounterKernels.class, "clear", edges);
    }
    launches
        .kernels(IntHistogramKernels.class, samples.type())
        .launch("numbers", "oneByOne", Grid.of(blocks, HistogramShape.THREADS))
        .add("tell", CounterKernels.class, "tell", Grid.of(1, HistogramShape.THREADS));
  }

  private void number(JvmRun run) {
    MemorySegment given = run.input(samples.name());
    int length = run.length(samples.name());
    MemorySegment output = run.output(id);
    AtomicIntegerArray outside = new AtomicIntegerArray(HistogramLoops.OUTSIDE);
    ParallelRows.run(
        Math.ceilDiv(length, Bins.CHUNK),
        ParallelRows.mayBeShared(given, output) ? length : 0,
        (from, to) -> {
          Bins.Loops loops = bins.loops(samples.type());
          int[] numbers = new int[Bins.CHUNK];
          for (int chunk = from; chunk < to; chunk++) {
            number(loops, given, length, chunk, numbers, output, outside);
          }
        });
    if (bins.areKeys() && outside.get(0) > 0) {
      throw HistogramLoops.noKey(of, samples, given, length, bins);
    }
    run.output(refused()).set(ValueLayout.JAVA_INT_UNALIGNED, 0, -1);
    Outside.deliver(run, of, bins, outside.get(0), outside.get(1), outside.get(2));
  }

  private void number(
      Bins.Loops loops,
      MemorySegment given,
      int length,
      int chunk,
      int[] numbers,
      MemorySegment output,
      AtomicIntegerArray outside) {
    int first = chunk * Bins.CHUNK;
    int count = Math.min(Bins.CHUNK, length - first);
    loops.number(given, first, count, bins, numbers);
    tally(numbers, count, bins.counters(), outside);
    MemorySegment.copy(
        numbers, 0, output, ValueLayout.JAVA_INT_UNALIGNED, (long) first * Integer.BYTES, count);
  }

  /**
   * Gives all samples outside the bins the same number, and adds to the counts of those below,
   * above and NaN. It has no branches, so that C2 vectorizes it.
   */
  static void tally(int[] numbers, int count, int counters, AtomicIntegerArray outside) {
    int nowhere = 0;
    int notBelow = 0;
    int nan = 0;
    for (int i = 0; i < count; i++) {
      int number = numbers[i];
      nowhere += counters - 1 - number >>> 31;
      notBelow += counters - number >>> 31;
      nan += counters + 1 - number >>> 31;
      numbers[i] = Math.min(number, counters);
    }
    if (nowhere > 0) {
      outside.addAndGet(0, nowhere - notBelow);
      outside.addAndGet(1, notBelow - nan);
      outside.addAndGet(2, nan);
    }
  }
}
