package funnel.histogram;

import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Composite;
import funnel.operation.Device;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.sort.Sort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
record HistogramStep(
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

  /** Requires a method that supports the number of counters. */
  HistogramStep {
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
  public Step in(Setting setting) {
    Device device = setting.device();
    if (device != null && method == HistogramMethod.PRIVATISED) {
      Optional<String> mistake = setting.localAtomics().mistake();
      if (mistake.isPresent()) {
        throw new LocalAtomicsException(id, device, mistake.get());
      }
    }
    HistogramMethod by =
        isNamed || device == null
            ? method
            : HistogramChoice.of(device, setting.localAtomics(), bins.counters(), capacity);
    boolean hasParts = by == HistogramMethod.SORTED && (device != null || !setting.mayGiveUp());
    return hasParts
        ? sorted().in(setting).formOf(this, setting)
        : by(by, setting.capacity(capacity)).state(Step.of(this, setting));
  }

  private HistogramStep by(HistogramMethod other, int most) {
    return new HistogramStep(id, input, element, old, counter, bins, other, true, most);
  }

  /** The parts that sort the bins' numbers, which cannot be one launch. */
  private Composite sorted() {
    BinNumbersStep numbers =
        new BinNumbersStep(slot("numbers"), id, input, element, bins, capacity);
    Input counters = new Input(numbers.id(), ElementType.INT, capacity);
    Primitive sort = Sort.step(slot("sorted"), null, counters, bins.counters() + 1);
    RunCountsStep runs = new RunCountsStep(slot("runs"), sort.id(), bins.counters(), capacity);
    CountEndStep end = new CountEndStep(id, numbers, runs.id(), old, counter);
    return Composite.of(
        id,
        List.of(numbers, sort, runs, end),
        Set.of(id),
        List.of(by(HistogramMethod.SECTIONED, capacity)));
  }

  /** States the form by this method, for this capacity. */
  private Step state(Step step) {
    int counters = bins.counters();
    if (isOfBytes()) {
      step.readsAsLongs("samples", input, HistogramShape.OFFSET, HistogramShape.LENGTH);
    } else {
      step.reads("samples", input, HistogramShape.OFFSET, HistogramShape.LENGTH);
    }
    String what = "samples %s of histogram %s".formatted(input, id);
    bins.state(step, id, input, what, countingBlocks(), capacity)
        .scratch("counts", slot("counts"), ElementType.INT, counters)
        .scratch("tallies", slot("tallies"), ElementType.INT, HistogramShape.TALLIES * blocks());
    Outside.state(
        step,
        id,
        bins.areKeys(),
        HistogramShape.FIRST,
        HistogramShape.SECOND,
        HistogramShape.THIRD);
    CountEndStep.output(step, counter, bins);
    if (hasRows()) {
      int blocks = Math.max(countingBlocks(), isOfBytes() ? ByteCounters.blocks(capacity) : 0);
      int tiles = HistogramShape.mostTiles(counters, capacity);
      step.scratch("rows", slot("rows"), ElementType.INT, counters * blocks)
          .scratch("alike", slot("alike"), ElementType.INT, tiles);
    }
    if (old != null && !old.equals(input)) {
      step.inPlaceOf(id, old);
    }
    return CountEndStep.previous(step, old, counter, bins)
        .checkedWith(old == null ? CHECKED : Math.max(CHECKED, counters))
        .onDevice(this::addTo)
        .onJvm(this::count);
  }

  private void addTo(Launches launches) {
    bins.bind(launches).array("into", slot("counts"));
    if (isOfBytes() && launches.isOfLongs(input)) {
      int blocks = ByteCounters.blocks(capacity);
      Grid grid = Grid.of(blocks, ByteCounters.THREADS);
      launches
          .array("bytes", input)
          .value("blocks", blocks)
          .add("count", ByteCounters.class, "count", grid);
      if (old == null) { // then nothing can overflow, and the totals are the output
        Class<?> counters = TwinClass.of(IntCounterKernels.class, counter);
        launches.add("totals", counters, "ofBytes", ByteCounters.TOTALS);
        return;
      }
      launches.add("totals", ByteCounters.class, "totals", ByteCounters.TOTALS).value("blocks", 1);
    } else {
      count(launches);
    }
    CountEndStep.launch(launches, old, counter, bins);
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
    launches.kernels(IntHistogramKernels.class, element);
    Grid grid = Grid.of(blocks(), HistogramShape.THREADS);
    switch (method) {
      case SECTIONED ->
          launches.value("use", IntHistogramKernels.SECTIONS).launch("count", "oneByOne", grid);
      case STRIDED ->
          launches.value("use", IntHistogramKernels.STRIDES).launch("count", "oneByOne", grid);
      case PRIVATISED -> launches.launch("count", "addInBlock", grid);
      case THREAD_COUNTERS, PASSES -> {
        int blocks = blocks() * HistogramShape.passes(counters);
        int threads = CounterKernels.totalThreads(blocks());
        boolean isLookedAt = counters > HistogramShape.PASS && bins.channels() == 1;
        launches.value("isLookedAt", isLookedAt ? 1 : 0).value("threads", threads);
        if (isLookedAt) {
          int tiles = HistogramShape.mostTiles(counters, capacity);
          launches
              .kernels(IntTileKernels.class, element)
              .launch("alike", "alike", Grid.of(tiles, HistogramShape.COUNTING_THREADS))
              .kernels(IntHistogramKernels.class, element);
        }
        launches
            .launch("count", "threadCounters", Grid.of(blocks, HistogramShape.COUNTING_THREADS))
            .add("totals", CounterKernels.class, "totals", Grid.of(counters, threads));
      }
      case SORTED -> throw new IllegalStateException("has parts of its own");
    }
  }

  private void count(JvmRun run) {
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
        throw new CounterOverflowException(id, i, bins, counter);
      }
    }
  }

  private void requireNoLongOverflow(int[] counts, @Nullable MemorySegment before) {
    for (int i = 0; before != null && i < bins.counters(); i++) {
      if (counts[i] + longAt(before, i) < longAt(before, i)) {
        throw new CounterOverflowException(id, i, bins, counter);
      }
    }
  }
}
