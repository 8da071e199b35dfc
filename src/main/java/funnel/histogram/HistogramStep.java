package funnel.histogram;

import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Composite;
import funnel.operation.Device;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.LocalAtomics;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.sort.Sort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A histogram of an input to an array of counters.
 *
 * @param old the previous counts, or null
 * @param method how a device counts, if the caller named a method
 */
record HistogramStep(
    String id,
    Input samples,
    @Nullable String old,
    ElementType counter,
    Bins bins,
    @Nullable HistogramMethod method)
    implements Primitive {

  /** Several tiles, the last one not full. */
  private static final int CHECKED =
      3 * HistogramShape.COUNTING_THREADS * HistogramShape.ROUND * 31 + 77 * 12;

  /** More passes take longer than a sort: measured on an H200 for 2^28 ints. */
  private static final int MOST_PASSES = 14;

  private static final int MOST_PASSES_ON_PTX = 9;

  /** From so many samples on a copy of the counters in each block costs little. */
  private static final int MANY_SAMPLES = 1 << 24;

  /** Requires a method that supports the number of counters. */
  HistogramStep {
    int most =
        switch (method) {
          case null -> Integer.MAX_VALUE;
          case THREAD_COUNTERS -> HistogramShape.PASS;
          case PASSES -> HistogramShape.MOST_PASSED;
          case PRIVATISED -> HistogramShape.MOST_PRIVATISED;
          case SECTIONED, STRIDED, SORTED -> Integer.MAX_VALUE;
        };
    if (method != null && bins.counters() > most) {
      throw new IllegalArgumentException(
          "histogram %s by method %s has at most %s counters: bins=%s, channels=%s; name another method, or none"
              .formatted(id, method.label(), most, bins.bins(), bins.channels()));
    }
  }

  /** The method for a number of counters if the device is not known. */
  private static HistogramMethod unmeasured(int counters) {
    if (counters <= HistogramShape.PASS) {
      return HistogramMethod.THREAD_COUNTERS;
    }
    return counters <= 8 * HistogramShape.PASS ? HistogramMethod.PASSES : HistogramMethod.SORTED;
  }

  /**
   * The method for a device: the fastest one that was measured among those whose time does not
   * depend on the samples. Atomic additions in global memory are never it: they take 2.7 ms for
   * 2^28 samples spread over 2^21 counters, where a sort takes 7.1 ms, but 200 ms for equal
   * samples.
   */
  static HistogramMethod fastest(Device device, LocalAtomics atomics, int counters, int capacity) {
    if (counters <= HistogramShape.PASS) {
      return HistogramMethod.THREAD_COUNTERS;
    }
    if (counters <= HistogramShape.MOST_PRIVATISED
        && capacity >= MANY_SAMPLES
        && atomics.areKnownToBeCorrect()) { // this tests none
      return HistogramMethod.PRIVATISED;
    }
    int most = device.backend().equals("ptx") ? MOST_PASSES_ON_PTX : MOST_PASSES;
    return HistogramShape.passes(counters) <= most
        ? HistogramMethod.PASSES
        : HistogramMethod.SORTED;
  }

  private String slot(String name) {
    return id + "." + name;
  }

  private boolean hasRows() {
    return method == HistogramMethod.THREAD_COUNTERS || method == HistogramMethod.PASSES;
  }

  private int countingBlocks() {
    return HistogramShape.countingBlocks(bins.counters(), samples.capacity());
  }

  /** Whether {@link ByteCounters} counts bytes directly, eight per long. */
  private boolean isOfBytes() {
    return samples.type() == ElementType.BYTE
        && method == HistogramMethod.THREAD_COUNTERS
        && bins.areKeys()
        && bins.map() == null
        && bins.counters() == ByteCounters.BINS
        && bins.channels() == 1;
  }

  private int blocks() {
    return hasRows() ? countingBlocks() : HistogramShape.blocks(samples.capacity());
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
        method != null
            ? method
            : device == null
                ? unmeasured(bins.counters())
                : fastest(device, setting.localAtomics(), bins.counters(), samples.capacity());
    boolean hasParts = by == HistogramMethod.SORTED && (device != null || !setting.mayGiveUp());
    return hasParts
        ? sorted().in(setting).formOf(this, setting)
        : by(by, setting.capacity(samples.capacity())).state(Step.of(this, setting));
  }

  private HistogramStep by(HistogramMethod other, int most) {
    Input of = new Input(samples.name(), samples.type(), most);
    return new HistogramStep(id, of, old, counter, bins, other);
  }

  private Composite sorted() {
    BinNumbersStep numbers = new BinNumbersStep(slot("numbers"), id, samples, bins);
    int capacity = samples.capacity();
    Input counters = new Input(numbers.id(), ElementType.INT, capacity);
    Primitive sort = Sort.step(slot("sorted"), null, counters, bins.counters() + 1);
    RunCountsStep runs = new RunCountsStep(slot("runs"), sort.id(), bins.counters());
    CountEndStep end = new CountEndStep(id, numbers, runs.id(), old, counter);
    return Composite.of(
        id,
        List.of(numbers, sort, runs, end),
        Set.of(id),
        List.of(by(HistogramMethod.SECTIONED, capacity)));
  }

  private Step state(Step step) {
    int counters = bins.counters();
    int capacity = samples.capacity();
    String input = samples.name();
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
    String input = samples.name();
    bins.bind(launches).array("into", slot("counts"));
    if (isOfBytes() && launches.isOfLongs(input)) {
      int blocks = ByteCounters.blocks(samples.capacity());
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
    launches.kernels(IntHistogramKernels.class, samples.type());
    Grid grid = Grid.of(blocks(), HistogramShape.THREADS);
    switch (Objects.requireNonNull(method)) {
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
          int tiles = HistogramShape.mostTiles(counters, samples.capacity());
          launches
              .kernels(IntTileKernels.class, samples.type())
              .launch("alike", "alike", Grid.of(tiles, HistogramShape.COUNTING_THREADS))
              .kernels(IntHistogramKernels.class, samples.type());
        }
        launches
            .launch("count", "threadCounters", Grid.of(blocks, HistogramShape.COUNTING_THREADS))
            .add("totals", CounterKernels.class, "totals", Grid.of(counters, threads));
      }
      case SORTED -> throw new IllegalStateException("has parts of its own");
    }
  }

  private void count(JvmRun run) {
    MemorySegment given = run.input(samples.name());
    int length = run.length(samples.name());
    int[] counts = HistogramLoops.count(given, length, samples.type(), bins);
    int counters = bins.counters();
    if (bins.areKeys() && counts[counters] > 0) {
      throw HistogramLoops.noKey(id, samples, given, length, bins);
    }
    MemorySegment before = old == null ? null : run.input(old);
    for (int i = 0; before != null && i < counters; i++) {
      long previous = at(before, i);
      long sum = previous + counts[i];
      if (sum < previous || counter == ElementType.INT && sum != (int) sum) {
        throw new CounterOverflowException(id, i, bins, counter);
      }
    }
    MemorySegment output = run.output(id);
    for (int i = 0; i < counters; i++) {
      long sum = counts[i] + (before == null ? 0 : at(before, i));
      if (counter == ElementType.INT) {
        output.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i, (int) sum);
      } else {
        output.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i, sum);
      }
    }
    Outside.deliver(run, id, bins, counts[counters], counts[counters + 1], counts[counters + 2]);
  }

  private long at(MemorySegment counts, int i) {
    return counter == ElementType.INT
        ? counts.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i)
        : counts.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i);
  }
}
