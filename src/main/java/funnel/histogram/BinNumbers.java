package funnel.histogram;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;

/**
 * The number of each sample's counter: {@code channel * bins + bin}, or the number of all counters
 * if the sample is in none of the bins.
 *
 * @param id name of the array of numbers
 * @param of the beginning of the names of the results of {@link Outside}
 * @param input the samples
 * @param element their type
 * @param bins the bins
 * @param capacity the largest number of samples
 */
record BinNumbers(String id, String of, String input, ElementType element, Bins bins, int capacity)
    implements Primitive {

  /** The array of one int, the position of the first sample that is not a valid key, or -1. */
  String refused() {
    return id + ".refused";
  }

  /** What each block finds outside the bins, see {@link HistogramShape#TALLIES}. */
  String tallies() {
    return slot("tallies");
  }

  private String slot(String name) {
    return id + "." + name;
  }

  /** Blocks of the launch. */
  int blocks() {
    return HistogramShape.blocks(capacity);
  }

  @Override
  public Layout layout() {
    Layout layout =
        Layout.reads(input)
            .writes(id, ElementType.INT, capacity, input)
            .writes(refused(), ElementType.INT, 1)
            .scratch(tallies(), ElementType.INT, HistogramShape.TALLIES * blocks())
            .scratch(slot("counts"), ElementType.INT, 1)
            .checkedWith(5 * HistogramShape.THREADS * 12);
    HistogramShape.derive(layout, input, 1, blocks() * HistogramShape.THREADS);
    if (bins.channels() > 1) {
      layout.alsoReads(input); // as many of each channel, which is checked before a run
    }
    return bins.layOut(Outside.layOut(layout, of, bins.areKeys()), id);
  }

  @Override
  public void requireLengths(Lengths lengths) {
    int length = lengths.length(input);
    if (length % bins.channels() != 0) {
      throw new IllegalArgumentException(
          "samples %s have interleaved channels, but their number is not a multiple of the channels: length=%s, channels=%s"
              .formatted(input, length, bins.channels()));
    }
  }

  @Override
  public int[] shape(Lengths lengths) {
    return HistogramShape.of(lengths.offset(input), lengths.offset(id), 0, new int[0], bins);
  }

  @Override
  public void launch(Launches launches) {
    List<String> names = Outside.names(of, bins.areKeys());
    bins.bind(launches, id)
        .array("samples", input)
        .array("into", id)
        .array("counts", slot("counts"))
        .array("tallies", tallies())
        .array("refused", refused())
        .result("first", names.get(0))
        .result("second", names.get(1))
        .result("third", names.get(2))
        .value("counters", 0)
        .value("use", IntHistogramKernels.NUMBERS)
        .value("blocks", blocks());
    if (bins.edgeCount() > 0) {
      Grid edges = HistogramShape.counterGrid(bins.edgeCount());
      launches.add("clear", CounterKernels.class, "clear", edges);
    }
    launches
        .add(
            "numbers", bins.kernels(element), "oneByOne", Grid.of(blocks(), HistogramShape.THREADS))
        .add("tell", CounterKernels.class, "tell", Grid.of(1, HistogramShape.THREADS));
  }

  @Override
  public String gaveUp(Function<String, Number> results, Lengths lengths) {
    Outside.requireKeys(of, input, bins, results);
    return "";
  }

  @Override
  public Primitive in(Setting setting) {
    return new BinNumbers(id, of, input, element, bins, setting.capacity(capacity));
  }

  @Override
  public List<Combined> combined() {
    return bins.combined(input);
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MemorySegment samples = run.input(input);
    int length = run.length(input);
    MemorySegment output = run.output(id);
    AtomicIntegerArray outside = new AtomicIntegerArray(HistogramLoops.OUTSIDE);
    ParallelRows.run(
        Math.ceilDiv(length, BinLoops.CHUNK),
        ParallelRows.mayBeShared(samples, output) ? length : 0,
        (from, to) -> {
          BinLoops loops = bins.loops(element);
          int[] numbers = new int[BinLoops.CHUNK];
          for (int chunk = from; chunk < to; chunk++) {
            number(loops, samples, length, chunk, numbers, output, outside);
          }
        });
    if (bins.areKeys() && outside.get(0) > 0) {
      throw HistogramLoops.noKey(of, input, samples, length, element, bins);
    }
    run.output(refused()).set(ValueLayout.JAVA_INT_UNALIGNED, 0, -1);
    Outside.deliver(run, of, bins, outside.get(0), outside.get(1), outside.get(2));
  }

  private void number(
      BinLoops loops,
      MemorySegment samples,
      int length,
      int chunk,
      int[] numbers,
      MemorySegment output,
      AtomicIntegerArray outside) {
    int first = chunk * BinLoops.CHUNK;
    int count = Math.min(BinLoops.CHUNK, length - first);
    loops.number(samples, first, count, bins, numbers);
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
