package funnel.histogram;

import funnel.engine.AtomicsProbe;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Composite;
import funnel.operation.Device;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.sort.Sort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A histogram of an input to an array of counters.
 *
 * @param id name of the array
 * @param input the samples
 * @param element their type
 * @param old the previous counts, or null
 * @param counter the counters' type
 * @param bins the bins
 * @param method how a device counts
 * @param isNamed whether the caller named the method
 * @param capacity the largest number of samples
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

  /** Several tiles, the last one not full. */
  private static final int CHECKED =
      3 * HistogramShape.COUNTING_THREADS * HistogramShape.ROUND * 31 + 77 * 12;

  /** Refuses methods that do not support the number of counters. */
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
          "histogram %s by method %s has at most %s counters: bins=%s, channels=%s; name another method, or none"
              .formatted(id, method.label(), most, bins.bins(), bins.channels()));
    }
  }

  /** The method for a number of counters if the device is not known. */
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

  /** Whether {@link ByteCounters} counts bytes directly, eight per long. */
  private boolean isOfBytes() {
    return element == ElementType.BYTE
        && method == HistogramMethod.THREAD_COUNTERS
        && bins.areKeys()
        && bins.map() == null
        && bins.counters() == ByteCounters.BINS
        && bins.channels() == 1;
  }

  private int blocks() {
    return hasRows() ? countingBlocks() : HistogramShape.blocks(capacity);
  }

  @Override
  public Layout layout() {
    int counters = bins.counters();
    Layout layout = isOfBytes() ? Layout.reads().readsAsLongs(input) : Layout.reads(input);
    layout.writes(id, counter, counters);
    HistogramShape.derive(
        layout, input, countingBlocks(), HistogramShape.blocks(capacity) * HistogramShape.THREADS);
    if (bins.channels() > 1) {
      layout.alsoReads(input); // as many of each channel, which is checked before a run
    }
    Outside.layOut(layout, id, bins.areKeys()).reports(CountEnd.overflow(id), ElementType.LONG);
    bins.layOut(layout, id)
        .scratch(slot("counts"), ElementType.INT, counters)
        .scratch(slot("tallies"), ElementType.INT, HistogramShape.TALLIES * blocks())
        .scratch(slot("over"), ElementType.INT, HistogramShape.counterBlocks(counters));
    if (hasRows()) {
      int ofBytes = isOfBytes() ? ByteCounters.blocks(capacity) : 0;
      int rows = counters * Math.max(countingBlocks(), ofBytes);
      layout.scratch(slot("rows"), ElementType.INT, rows);
      layout.scratch(slot("alike"), ElementType.INT, HistogramShape.mostTiles(counters, capacity));
    }
    if (old == null) {
      return layout.scratch(slot("old"), counter, 1).checkedWith(CHECKED);
    }
    layout.alsoReads(old).checkedWith(Math.max(CHECKED, counters));
    return old.equals(input) ? layout : layout.inPlaceOf(id, old);
  }

  @Override
  public void requireLengths(Lengths lengths) {
    int length = lengths.length(input);
    if (length % bins.channels() != 0) {
      throw new IllegalArgumentException(
          "samples %s of histogram %s have interleaved channels, but their number is not a multiple of the channels: length=%s, channels=%s"
              .formatted(input, id, length, bins.channels()));
    }
    requireOld(id, old, bins, lengths);
  }

  /** Refuses previous counts whose number is not that of the counters. */
  static void requireOld(String id, @Nullable String old, Bins bins, Lengths lengths) {
    if (old != null && lengths.length(old) != bins.counters()) {
      throw new IllegalArgumentException(
          "the previous counts %s of histogram %s have length=%s, but it has %s counters: bins=%s, channels=%s"
              .formatted(
                  old, id, lengths.length(old), bins.counters(), bins.bins(), bins.channels()));
    }
  }

  @Override
  public int[] shape(Lengths lengths) {
    return HistogramShape.of(
        lengths.offset(input),
        lengths.offset(id),
        old == null ? 0 : lengths.offset(old),
        Stream.concat(Outside.names(id, bins.areKeys()).stream(), Stream.of(CountEnd.overflow(id)))
            .mapToInt(lengths::index)
            .toArray(),
        bins);
  }

  @Override
  public void launch(Launches launches) {
    boolean asLongs = isOfBytes() && launches.isOfLongs(input);
    bins.bind(launches, id)
        .array("samples", input)
        .array("bytes", input)
        .array("counts", slot("counts"))
        .array("into", slot("counts"))
        .array("tallies", slot("tallies"));
    CountEnd.bind(launches, id, Outside.names(id, bins.areKeys()), old, counter);
    if (hasRows()) {
      launches.array("rows", slot("rows")).array("alike", slot("alike"));
    }
    if (asLongs) {
      int blocks = ByteCounters.blocks(capacity);
      Grid grid = Grid.of(blocks, ByteCounters.THREADS);
      launches.value("blocks", blocks).add("count", ByteCounters.class, "count", grid);
      if (old == null) { // then nothing is refused, and the totals are the output
        Class<?> ends = CountEnd.kernels(counter);
        launches.add("totals", ends, "ofBytes", ByteCounters.TOTALS);
        return;
      }
      launches.add("totals", ByteCounters.class, "totals", ByteCounters.TOTALS).value("blocks", 1);
    } else {
      count(launches);
    }
    CountEnd.add(launches, old, counter, bins);
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
    Class<?> kernels = bins.kernels(element);
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
        boolean isLookedAt = counters > HistogramShape.PASS && bins.channels() == 1;
        launches.value("isLookedAt", isLookedAt ? 1 : 0);
        if (isLookedAt) {
          Grid tiles =
              Grid.of(
                  HistogramShape.mostTiles(counters, capacity), HistogramShape.COUNTING_THREADS);
          launches.add("alike", bins.kernels(IntTileKernels.class, element), "alike", tiles);
        }
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
  public Primitive in(Setting setting) {
    Device device = setting.device();
    if (device != null && method == HistogramMethod.PRIVATISED) {
      AtomicsProbe.Finding finding = AtomicsProbe.localAdd(device);
      if (finding.outcome() != AtomicsProbe.Outcome.RIGHT) {
        throw new LocalAtomicsException(id, device, finding);
      }
    }
    HistogramMethod by =
        isNamed || device == null ? method : HistogramChoice.of(device, bins.counters(), capacity);
    CountHistogram histogram = by(by, isNamed, setting.capacity(capacity));
    boolean hasParts = by == HistogramMethod.SORTED && (device != null || !setting.mayGiveUp());
    return hasParts ? histogram.sorted() : histogram;
  }

  private CountHistogram by(HistogramMethod other, boolean naming, int most) {
    return new CountHistogram(id, input, element, old, counter, bins, other, naming, most);
  }

  /** The parts that sort the bins' numbers: they cannot be launched as one. */
  private Composite sorted() {
    BinNumbers numbers = new BinNumbers(slot("numbers"), id, input, element, bins, capacity);
    Input counters = new Input(numbers.id(), ElementType.INT, capacity);
    Primitive sort = Sort.step(slot("sorted"), null, counters, bins.counters() + 1);
    RunCounts runs = new RunCounts(slot("runs"), sort.id(), bins.counters(), capacity);
    CountEnd end = new CountEnd(id, numbers, runs.id(), old, counter);
    return Composite.of(
        id,
        List.of(numbers, sort, runs, end),
        Set.of(id),
        List.of(by(HistogramMethod.SECTIONED, true, capacity)));
  }

  @Override
  public String gaveUp(Function<String, Number> results, Lengths lengths) {
    Outside.requireKeys(id, input, bins, results);
    requireNoOverflow(id, bins, counter, results);
    return "";
  }

  /** Refuses a sum that is too large for its counter. */
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
  public List<Combined> combined() {
    return bins.combined(input);
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MemorySegment samples = run.input(input);
    int length = run.length(input);
    int[] counts = HistogramLoops.count(samples, length, element, bins);
    int counters = bins.counters();
    if (bins.areKeys() && counts[counters] > 0) {
      throw HistogramLoops.noKey(id, input, samples, length, element, bins);
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
    Outside.deliver(run, id, bins, counts[counters], counts[counters + 1], counts[counters + 2]);
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
}
