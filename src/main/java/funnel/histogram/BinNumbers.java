package funnel.histogram;

import funnel.engine.DeviceArrays;
import funnel.engine.JvmRun;
import funnel.engine.Launches;
import funnel.engine.ParallelRows;
import funnel.engine.Primitive;
import funnel.jit.KernelTask;
import funnel.jit.KernelTask.Grid;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;

/**
 * The number of each sample's counter: {@code channel * bins + bin}, or the number of all counters
 * if it is in no bin.
 *
 * @param id name of the array of numbers
 * @param of names the results of {@link Outside}
 * @param input the samples
 * @param element their type
 * @param bins the bins
 * @param capacity the most samples
 */
record BinNumbers(String id, String of, String input, ElementType element, Bins bins, int capacity)
    implements Primitive {

  /** The array of one int, the position of the first sample that is no key, or -1. */
  String refused() {
    return id + ".refused";
  }

  /** What each block found in no bin, see {@link HistogramShape#TALLIES}. */
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
  public String signature() {
    return "bin numbers of %s, %s/%d/%d"
        .formatted(element, bins.label(), bins.bins(), bins.channels())
        .toLowerCase(Locale.ROOT);
  }

  @Override
  public List<String> inputs() {
    return List.of(input);
  }

  @Override
  public List<Slot> arrays() {
    return List.of(
        new Slot(id, ElementType.INT, capacity), new Slot(refused(), ElementType.INT, 1));
  }

  @Override
  public int lengthOf(String array, Lengths lengths) {
    return array.equals(id) ? lengths.length(input) : 1;
  }

  @Override
  public List<Slot> results() {
    return Outside.slots(of, bins.areKeys());
  }

  @Override
  public List<Slot> scratch() {
    return List.of(
        new Slot(tallies(), ElementType.INT, HistogramShape.TALLIES * blocks()),
        new Slot(slot("counts"), ElementType.INT, 1),
        new Slot(slot("edges"), ElementType.LONG, Math.max(1, bins.edges().length)),
        new Slot(slot("limits"), ElementType.DOUBLE, Math.max(1, bins.limits().length)));
  }

  @Override
  public void requireLengths(Lengths lengths) {
    int length = lengths.length(input);
    if (length % bins.channels() != 0) {
      throw new IllegalArgumentException(
          "samples %s are of interleaved channels, as many of each: length=%d, channels=%d"
              .formatted(input, length, bins.channels()));
    }
  }

  @Override
  public int[] shape(Lengths lengths) {
    return HistogramShape.of(
        lengths.offset(input),
        lengths.length(input),
        lengths.offset(id),
        0,
        new int[0],
        bins,
        1,
        blocks() * HistogramShape.THREADS);
  }

  @Override
  public List<KernelTask> tasks(DeviceArrays arrays) {
    List<String> names = Outside.names(of, bins.areKeys());
    Launches launches =
        bins.bind(new Launches(this, arrays), id)
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
    Class<?> kernels = TwinClass.of(MethodHandles.lookup(), IntHistogramKernels.class, element);
    return launches
        .add("numbers", kernels, "oneByOne", Grid.of(blocks(), HistogramShape.THREADS))
        .add("tell", CounterKernels.class, "tell", Grid.of(1, HistogramShape.THREADS))
        .tasks();
  }

  @Override
  public void requireAccepted(Function<String, Number> results, Lengths lengths) {
    Outside.requireKeys(of, input, bins, results);
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MemorySegment samples = run.input(input);
    int length = run.length(input);
    MemorySegment output = run.output(id);
    AtomicInteger wrong = new AtomicInteger(Integer.MAX_VALUE);
    AtomicIntegerArray outside = new AtomicIntegerArray(HistogramLoops.OUTSIDE);
    ParallelRows.run(
        Math.ceilDiv(length, BinLoops.CHUNK),
        ParallelRows.mayBeShared(samples, output) ? length : 0,
        (from, to) -> {
          BinLoops loops = BinLoops.of(element);
          int[] numbers = new int[BinLoops.CHUNK];
          for (int chunk = from; chunk < to; chunk++) {
            number(loops, samples, length, chunk, numbers, output, wrong, outside);
          }
        });
    if (bins.areKeys() && wrong.get() < Integer.MAX_VALUE) {
      long key = BinLoops.of(element).key(samples, wrong.get());
      throw new KeyOutsideException(of, input, wrong.get(), key, bins.bins());
    }
    run.output(refused()).set(ValueLayout.JAVA_INT_UNALIGNED, 0, -1);
    List<String> names = Outside.names(of, bins.areKeys());
    run.deliver(names.get(0), bins.areKeys() ? Outside.NO_POSITION : outside.get(0));
    run.deliver(names.get(1), (long) outside.get(1));
    run.deliver(names.get(2), (long) outside.get(2));
  }

  private void number(
      BinLoops loops,
      MemorySegment samples,
      int length,
      int chunk,
      int[] numbers,
      MemorySegment output,
      AtomicInteger wrong,
      AtomicIntegerArray outside) {
    int first = chunk * BinLoops.CHUNK;
    int count = Math.min(BinLoops.CHUNK, length - first);
    loops.number(samples, first, count, bins, numbers);
    int counters = bins.counters();
    for (int i = 0; i < count; i++) {
      if (numbers[i] >= counters) {
        outside.getAndIncrement(numbers[i] - counters);
        wrong.accumulateAndGet(first + i, Math::min);
        numbers[i] = counters;
      }
    }
    MemorySegment.copy(
        numbers, 0, output, ValueLayout.JAVA_INT_UNALIGNED, (long) first * Integer.BYTES, count);
  }

  @Override
  public int checkedElements() {
    return 5 * HistogramShape.THREADS * 12;
  }

  @Override
  public Primitive withCapacity(int most) {
    return new BinNumbers(id, of, input, element, bins, Math.min(capacity, most));
  }
}
