package funnel.histogram;

import funnel.engine.AtomicsProbe;
import funnel.engine.Composite;
import funnel.engine.Device;
import funnel.engine.DeviceArrays;
import funnel.engine.JvmRun;
import funnel.engine.Launches;
import funnel.engine.Primitive;
import funnel.jit.KernelTask;
import funnel.jit.KernelTask.Grid;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * One histogram of an input to an array of counters.
 *
 * @param id name of the array
 * @param input the samples
 * @param element their type
 * @param old the counts so far, or null
 * @param counter the counters' type
 * @param bins the bins
 * @param method how a device counts
 * @param isNamed whether the caller named the method
 * @param capacity the most samples
 */
record CountHistogram(
    String id,
    String input,
    ElementType element,
    @Nullable String old,
    ElementType counter,
    Bins bins,
    HistogramMethod method,
    boolean isNamed,
    int capacity)
    implements Primitive {

  /** Refuses methods that are not for so many counters. */
  CountHistogram {
    int most =
        switch (method) {
          case THREAD_COUNTERS -> HistogramShape.PASS;
          case PASSES -> HistogramShape.MOST_PASSED;
          case PRIVATISED -> HistogramShape.MOST_PRIVATISED;
          case SECTIONED, STRIDED, SORTED -> Integer.MAX_VALUE;
        };
    if (bins.counters() > most) {
      throw new IllegalArgumentException(
          "histogram %s by method %s has at most %d counters: bins=%d, channels=%d; name another method, or none"
              .formatted(id, method.label(), most, bins.bins(), bins.channels()));
    }
  }

  /** The method for so many counters where the device is not known. */
  static HistogramMethod unmeasured(int counters) {
    if (counters <= HistogramShape.PASS) {
      return HistogramMethod.THREAD_COUNTERS;
    }
    return counters <= 8 * HistogramShape.PASS ? HistogramMethod.PASSES : HistogramMethod.SORTED;
  }

  private String slot(String name) {
    return id + "." + name;
  }

  private boolean hasRows() {
    return method == HistogramMethod.THREAD_COUNTERS || method == HistogramMethod.PASSES;
  }

  private int countingBlocks() {
    return HistogramShape.countingBlocks(bins.counters(), capacity);
  }

  /** Whether bytes, eight a long, are counted by {@link ByteCounters}. */
  private boolean isOfBytes() {
    return element == ElementType.BYTE
        && method == HistogramMethod.THREAD_COUNTERS
        && bins.areKeys()
        && bins.counters() == ByteCounters.BINS
        && bins.channels() == 1;
  }

  @Override
  public List<String> inputsAsLongs() {
    return isOfBytes() ? List.of(input) : List.of();
  }

  private int blocks() {
    return hasRows() ? countingBlocks() : HistogramShape.blocks(capacity);
  }

  @Override
  public String signature() {
    return "histogram of %s to %s, %s/%d/%d/%s%s"
        .formatted(
            element,
            counter,
            bins.label(),
            bins.bins(),
            bins.channels(),
            method.label(),
            old == null ? "" : "/accumulating")
        .toLowerCase(Locale.ROOT);
  }

  @Override
  public List<String> inputs() {
    return old == null ? List.of(input) : List.of(input, old);
  }

  @Override
  public List<Slot> arrays() {
    return List.of(new Slot(id, counter, bins.counters()));
  }

  @Override
  public List<String> inputsInPlace(String array) {
    return old == null || old.equals(input) ? List.of() : List.of(old);
  }

  @Override
  public int lengthOf(String array, Lengths lengths) {
    return bins.counters();
  }

  @Override
  public List<Slot> results() {
    List<Slot> results = new ArrayList<>(Outside.slots(id, bins.areKeys()));
    results.add(new Slot(CountEnd.overflow(id), ElementType.LONG, 1));
    return results;
  }

  @Override
  public List<Slot> scratch() {
    int counters = bins.counters();
    List<Slot> scratch = new ArrayList<>();
    scratch.add(new Slot(slot("counts"), ElementType.INT, counters));
    scratch.add(new Slot(slot("tallies"), ElementType.INT, HistogramShape.TALLIES * blocks()));
    scratch.add(new Slot(slot("over"), ElementType.INT, HistogramShape.counterBlocks(counters)));
    scratch.add(new Slot(slot("edges"), ElementType.LONG, Math.max(1, bins.edges().length)));
    scratch.add(new Slot(slot("limits"), ElementType.DOUBLE, Math.max(1, bins.limits().length)));
    if (hasRows()) {
      int blocks =
          isOfBytes()
              ? Math.max(countingBlocks(), ByteCounters.blocks(capacity))
              : countingBlocks();
      scratch.add(new Slot(slot("rows"), ElementType.INT, counters * blocks));
    }
    if (old == null) {
      scratch.add(new Slot(slot("old"), counter, 1));
    }
    return scratch;
  }

  @Override
  public void requireLengths(Lengths lengths) {
    int length = lengths.length(input);
    if (length % bins.channels() != 0) {
      throw new IllegalArgumentException(
          "samples %s of histogram %s are of interleaved channels, as many of each: length=%d, channels=%d"
              .formatted(input, id, length, bins.channels()));
    }
    requireOld(id, old, bins, lengths);
  }

  /** Refuses counts so far that are not as many as counters. */
  static void requireOld(String id, @Nullable String old, Bins bins, Lengths lengths) {
    if (old != null && lengths.length(old) != bins.counters()) {
      throw new IllegalArgumentException(
          "the counts so far %s of histogram %s: length=%d, there are %d counters: bins=%d, channels=%d"
              .formatted(
                  old, id, lengths.length(old), bins.counters(), bins.bins(), bins.channels()));
    }
  }

  @Override
  public int[] shape(Lengths lengths) {
    return HistogramShape.of(
        lengths.offset(input),
        lengths.length(input),
        lengths.offset(id),
        old == null ? 0 : lengths.offset(old),
        results().stream().mapToInt(result -> lengths.index(result.name())).toArray(),
        bins,
        countingBlocks(),
        HistogramShape.blocks(capacity) * HistogramShape.THREADS);
  }

  @Override
  public List<KernelTask> tasks(DeviceArrays arrays) {
    boolean asLongs = isOfBytes() && arrays.array(input) instanceof LongArray;
    Launches launches =
        bins.bind(new Launches(this, arrays), id)
            .array("samples", input)
            .array("bytes", input)
            .array("counts", slot("counts"))
            .array("into", slot("counts"))
            .array("tallies", slot("tallies"));
    CountEnd.bind(launches, id, Outside.names(id, bins.areKeys()), old, counter);
    if (hasRows()) {
      launches.array("rows", slot("rows"));
    }
    if (asLongs) {
      int blocks = ByteCounters.blocks(capacity);
      Grid grid = Grid.of(blocks, ByteCounters.THREADS);
      launches.value("blocks", blocks).add("count", ByteCounters.class, "count", grid);
      if (old == null) { // then nothing can be refused, and the totals are the output
        Class<?> ends = CountEnd.kernels(counter);
        return launches.add("totals", ends, "ofBytes", ByteCounters.TOTALS).tasks();
      }
      launches.add("totals", ByteCounters.class, "totals", ByteCounters.TOTALS).value("blocks", 1);
    } else {
      count(launches);
    }
    return CountEnd.add(launches, old, counter, bins).tasks();
  }

  private void count(Launches launches) {
    int counters = bins.counters();
    launches.value("blocks", blocks());
    if (!hasRows() || bins.edgeCount() > 0) {
      int cleared = hasRows() ? 0 : counters;
      int most = Math.max(cleared, bins.edgeCount());
      launches
          .value("counters", cleared)
          .add("clear", CounterKernels.class, "clear", HistogramShape.counterGrid(most));
    }
    Class<?> kernels = TwinClass.of(MethodHandles.lookup(), IntHistogramKernels.class, element);
    Grid grid = Grid.of(blocks(), HistogramShape.THREADS);
    switch (method) {
      case SECTIONED ->
          launches
              .value("use", IntHistogramKernels.SECTIONS)
              .add("count", kernels, "oneByOne", grid);
      case STRIDED ->
          launches
              .value("use", IntHistogramKernels.STRIDES)
              .add("count", kernels, "oneByOne", grid);
      case PRIVATISED -> launches.add("count", kernels, "addInBlock", grid);
      case THREAD_COUNTERS, PASSES -> {
        int blocks = blocks() * HistogramShape.passes(counters);
        int threads = CounterKernels.totalThreads(blocks());
        launches
            .value("threads", threads)
            .add(
                "count",
                kernels,
                "threadCounters",
                Grid.of(blocks, HistogramShape.COUNTING_THREADS))
            .add("totals", CounterKernels.class, "totals", Grid.of(counters, threads));
      }
      case SORTED -> throw new IllegalStateException("has parts of its own");
    }
  }

  @Override
  public Primitive on(Device device) {
    if (method == HistogramMethod.PRIVATISED) {
      AtomicsProbe.Finding finding = AtomicsProbe.localAdd(device);
      if (finding.outcome() != AtomicsProbe.Outcome.RIGHT) {
        throw new LocalAtomicsException(id, device, finding);
      }
    }
    return by(isNamed ? method : HistogramChoice.of(device, bins.counters(), capacity), capacity)
        .instead();
  }

  private CountHistogram by(HistogramMethod newMethod, int newCapacity) {
    return new CountHistogram(
        id, input, element, old, counter, bins, newMethod, isNamed, newCapacity);
  }

  /**
   * The parts that sort the bins' numbers, if that is the method: they cannot be launched as one.
   */
  @Override
  public Primitive instead() {
    return method == HistogramMethod.SORTED ? sorted() : this;
  }

  private Composite sorted() {
    BinNumbers numbers = new BinNumbers(slot("numbers"), id, input, element, bins, capacity);
    KeySort sort =
        new KeySort(slot("sort"), numbers.id(), bins.counters() + 1, false, true, capacity);
    RunCounts runs = RunCounts.of(slot("runs"), sort, ElementType.INT, bins.counters());
    CountEnd end = new CountEnd(id, numbers, runs.id(), old, counter);
    return Composite.of(
        id,
        List.of(numbers, sort, runs, end),
        Set.of(id),
        run -> {
          runOnJvm(run);
          long outside =
              bins.areKeys()
                  ? 0
                  : Outside.names(id, false).stream()
                      .mapToLong(name -> run.result(name).longValue())
                      .sum();
          run.deliver(runs.counted(), (int) (run.length(input) - outside));
        });
  }

  @Override
  public void requireAccepted(Function<String, Number> results, Lengths lengths) {
    Outside.requireKeys(id, input, bins, results);
    requireNoOverflow(id, bins, counter, results);
  }

  /** Refuses a sum that its counter does not hold. */
  static void requireNoOverflow(
      String id, Bins bins, ElementType counter, Function<String, Number> results) {
    int overflow = results.apply(CountEnd.overflow(id)).intValue();
    if (overflow >= 0) {
      throw overflowOf(id, bins, counter, overflow);
    }
  }

  private static CounterOverflowException overflowOf(
      String id, Bins bins, ElementType counter, int at) {
    return new CounterOverflowException(id, at % bins.bins(), at / bins.bins(), counter);
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MemorySegment samples = run.input(input);
    int length = run.length(input);
    int[] counts = HistogramLoops.count(samples, length, element, bins);
    int counters = bins.counters();
    List<String> names = Outside.names(id, bins.areKeys());
    if (bins.areKeys() && counts[counters] > 0) {
      int position = HistogramLoops.firstOutside(samples, length, element, bins);
      throw new KeyOutsideException(
          id, input, position, BinLoops.of(element).key(samples, position), bins.bins());
    }
    MemorySegment before = old == null ? null : run.input(old);
    if (counter == ElementType.INT) {
      requireNoIntOverflow(counts, before);
    } else {
      requireNoLongOverflow(counts, before);
    }
    MemorySegment output = run.output(id);
    if (counter == ElementType.INT) {
      for (int i = 0; i < counters; i++) {
        int sum = counts[i] + (before == null ? 0 : intAt(before, i));
        output.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i, sum);
      }
    } else {
      for (int i = 0; i < counters; i++) {
        long sum = counts[i] + (before == null ? 0 : longAt(before, i));
        output.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i, sum);
      }
    }
    run.deliver(names.get(0), bins.areKeys() ? Outside.NO_POSITION : counts[counters]);
    run.deliver(names.get(1), (long) (bins.areKeys() ? 0 : counts[counters + 1]));
    run.deliver(names.get(2), (long) counts[counters + 2]);
    run.deliver(CountEnd.overflow(id), -1L);
  }

  private static int intAt(MemorySegment counts, int i) {
    return counts.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i);
  }

  private static long longAt(MemorySegment counts, int i) {
    return counts.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i);
  }

  private void requireNoIntOverflow(int[] counts, @Nullable MemorySegment before) {
    for (int i = 0; before != null && i < bins.counters(); i++) {
      if (counts[i] + intAt(before, i) < intAt(before, i)) {
        throw overflowOf(id, bins, counter, i);
      }
    }
  }

  private void requireNoLongOverflow(int[] counts, @Nullable MemorySegment before) {
    for (int i = 0; before != null && i < bins.counters(); i++) {
      if (counts[i] + longAt(before, i) < longAt(before, i)) {
        throw overflowOf(id, bins, counter, i);
      }
    }
  }

  /** Several tiles, the last one not full; and all counts so far. */
  @Override
  public int checkedElements() {
    int samples = 3 * HistogramShape.COUNTING_THREADS * HistogramShape.ROUND * 31 + 77 * 12;
    return old == null ? samples : Math.max(samples, bins.counters());
  }

  @Override
  public Primitive withCapacity(int most) {
    return by(method, Math.min(capacity, most));
  }
}
