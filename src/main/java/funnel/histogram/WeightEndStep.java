package funnel.histogram;

import funnel.histogram.ScatterReduceStep.Loops.Keys;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Composite;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.sort.Sort;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The last part of a weighted histogram, after parts that numbered the samples, sorted the weights
 * by these numbers and scanned them: adds each number's sum to the previous sums, or to zeros,
 * unless a sample is not a valid key.
 *
 * @param numbers the part that numbered the samples
 * @param sort the part that sorted the numbers, into an array of its name
 */
record WeightEndStep(
    String id,
    BinNumbersStep numbers,
    Primitive sort,
    Input weights,
    @Nullable String old,
    ElementType type)
    implements Primitive {

  /* It is the last part of a scatter reduction into the previous sums; without them into the output
   * itself, after it was cleared. Samples outside the bins have a number after all counters, which
   * is skipped.
   *
   * As there, the JVM does not need the earlier parts, unless there are more counters than weights:
   * it numbers a block of samples and combines their weights immediately.
   */

  private static final Operator SUM = Operator.SUM;

  /**
   * The parts of a weighted histogram: those of a scatter reduction, the indices being the numbers
   * of the samples' bins.
   */
  static Composite histogram(
      String output,
      Input samples,
      Bins bins,
      Input weights,
      @Nullable Input old,
      ElementType type) {
    int capacity = samples.capacity();
    BinNumbersStep numbers = new BinNumbersStep(output + ".numbers", output, samples, bins);
    Input counters = new Input(numbers.id(), ElementType.INT, capacity);
    String positions = output + ".positions";
    Primitive sort = Sort.step(output + ".sorted", positions, counters, bins.counters() + 1);
    String before = old == null ? null : old.name();
    WeightEndStep end = new WeightEndStep(output, numbers, sort, weights, before, type);
    List<Primitive> parts = new ArrayList<>(List.of(numbers, sort));
    Input moved = new Input(weights.name(), weights.type(), capacity);
    parts.addAll(WideningGatherStep.scanned(output, moved, positions, sort.id(), SUM, type));
    parts.add(end);
    return Composite.of(output, parts, Set.of(output), end.isSortedOnJvm() ? parts : List.of(end));
  }

  /** Whether the JVM runs the sort and the scan, too. */
  private boolean isSortedOnJvm() {
    int samples = numbers.samples().capacity();
    return ScatterReduceStep.isSortedOnJvm(type, SUM, samples, bins().counters());
  }

  private String scan() {
    return id + ".scan";
  }

  private Bins bins() {
    return numbers.bins();
  }

  @Override
  public Step in(Setting setting) {
    int counters = bins().counters();
    int checked = sort.in(setting).layout().checkedElements();
    int ofAllChannels = Math.ceilDiv(checked, 12) * 12;
    Grid grid = IntScatterReduceKernels.grid(setting.capacity(numbers.samples().capacity()));
    String into = old == null ? id : old;
    Step step =
        Step.of(this, setting)
            .reads("refused", numbers.refused())
            .derives(IntScatterReduceKernels.LENGTH_AT, numbers.id(), LengthRule.LENGTH)
            .readsFound("numbers", numbers.id())
            .readsFound("weights", weights.name(), IntScatterReduceKernels.VALUES_FROM_AT)
            .readsFound("keys", sort.id())
            .readsFound("values", scan())
            .equallyLong(
                numbers.samples().name(),
                weights.name(),
                "histogram %s takes a weight for each sample".formatted(id))
            .number(IntScatterReduceKernels.SIZE_AT, counters)
            .offset(IntScatterReduceKernels.FROM_AT, into)
            .writes("output", id, type, counters, IntScatterReduceKernels.TO_AT)
            .counts()
            .onDevice(launches -> sum(launches, into, grid))
            .onJvm(this::sum);
    Outside.state(step, id, bins().areKeys()); // the JVM may not need the numbers
    if (old == null) {
      return step.checkedWith(ofAllChannels);
    }
    if (!old.equals(weights.name())) {
      step.inPlaceOf(id, old);
    }
    return step.needsLength(old)
        .requires(lengths -> CountEndStep.requireOld(id, old, bins(), lengths.length(old)))
        .checkedWith(Math.max(ofAllChannels, counters));
  }

  private void sum(Launches launches, String into, Grid grid) {
    Grid sums = IntScatterReduceKernels.grid(bins().counters());
    launches
        .kernels(IntScatterReduceKernels.class, type)
        .array("into", into)
        .value("operator", SUM.code());
    if (old == null) {
      launches.launch("clear", "clear", sums);
    } else if (!launches.isInPlace(id, into)) {
      launches.launch("copy", "copy", sums);
    }
    launches.launch("combine", "combine", grid);
  }

  private void sum(JvmRun run) {
    MemorySegment output = run.output(id);
    MemorySegment given = run.input(weights.name());
    MemorySegment before =
        old == null ? MemorySegment.ofArray(new byte[(int) output.byteSize()]) : run.input(old);
    MemorySegment samples = run.input(numbers.samples().name());
    int length = run.length(numbers.samples().name());
    int counters = bins().counters();
    ElementType come = isSortedOnJvm() ? type : weights.type();
    ScatterReduceStep.Loops loops =
        run.kept(id, ScatterReduceStep.Loops.class, () -> ScatterReduceStep.loops(come, type, SUM));
    if (isSortedOnJvm()) {
      ScatterReduceStep.copy(before, output);
      loops.ends(run.input(sort.id()), run.input(scan()), length, output, counters);
      return;
    }
    Number none = SUM.neutral(type);
    AtomicIntegerArray outside = new AtomicIntegerArray(HistogramLoops.OUTSIDE);
    boolean areKeys = bins().areKeys();
    boolean areInside;
    if (ScatterReduceStep.isDirectOnJvm(type, SUM)) {
      int workers = HistogramLoops.workers(samples, given, length, counters);
      int limit = areKeys ? counters : counters + 1; // those outside the bins are after all others
      Supplier<Keys> keys = () -> keys(samples, outside);
      areInside = loops.all(keys, given, length, workers, before, output, limit, none);
    } else {
      int[] counts = HistogramLoops.count(samples, length, numbers.samples().type(), bins());
      areInside = !areKeys || counts[counters] == 0;
      if (areInside) {
        counts[counters] += counts[counters + 1] + counts[counters + 2];
        Keys keys = keys(samples, outside);
        int limit = counters + 1;
        loops.tree(keys, counts, given, length, before, output, limit, none);
      }
    }
    if (!areInside) {
      throw HistogramLoops.noKey(id, numbers.samples(), samples, length, bins());
    }
    Outside.deliver(run, id, bins(), outside.get(0), outside.get(1), outside.get(2));
  }

  private Keys keys(MemorySegment samples, AtomicIntegerArray outside) {
    Bins.Loops loops = bins().loops(numbers.samples().type());
    int[] block = new int[Bins.CHUNK];
    return (first, count) -> {
      loops.number(samples, first, count, bins(), block);
      BinNumbersStep.tally(block, count, bins().counters(), outside);
      return block;
    };
  }
}
