package funnel.scan;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Objects;

/**
 * The total of each segment: the last element of each segment in a segmented scan, and the initial
 * value for empty segments. For 3, 4, 4, 5, 10, the scan of the segments that begin at 0, 2 and 2,
 * it is 4, 0, 10. A device does not write the scan itself.
 *
 * @param scan the inclusive scan, whose capacity is that of the values
 */
record SegmentReductionStep(String id, SegmentedScanStep scan, SegmentInputs segments)
    implements Primitive {

  /** The JVM form for any types, based on the scan. */
  interface Loops {
    MemorySegment memory(int length);

    /** Copies elements there, converted to the scan's type. */
    void widen(MemorySegment elements, int length, MemorySegment wide);

    /** Stores the last elements of segments that begin where bits are set. */
    void last(MemorySegment values, int length, long[] heads, MemorySegment output);

    /** Stores the last elements of {@code segments} segments among {@code length} elements. */
    void last(
        MemorySegment values,
        int length,
        MemorySegment starts,
        int segments,
        MemorySegment output,
        Number none);
  }

  /** Whether these are the caller's offsets, which need a check and may be equal. */
  private boolean areGiven() {
    return scan.by().isOffsets();
  }

  private ElementType type() {
    return scan.type();
  }

  private String slot(String name) {
    return id + "." + name;
  }

  private String starts() {
    return segments.each().name();
  }

  @Override
  public Step in(Setting setting) {
    String input = scan.values().name();
    SegmentBitsStep heads = scan.heads(setting);
    int capacity = setting.capacity(scan.values().capacity());
    int most = setting.capacity(segments.each().capacity());
    int mostTiles = SegmentedTree.tiles(type()).of(capacity);
    int places = SegmentedTree.places(mostTiles);
    int numbers = capacity / SegmentBitsKernels.GRAIN + 2;
    Step step =
        Step.of(this, setting)
            .reads("values", input, SegmentedTree.FROM_AT, SegmentedTree.LENGTH_AT)
            .derives(SegmentedTree.TILES_AT, input, SegmentedTree.tiles(type()))
            .number(SegmentedTree.MOST_TILES_AT, mostTiles);
    if (segments.bits() == null) {
      step.readsFound("starts", starts(), SegmentedTree.SEGMENTS_FROM_AT)
          .scratch("bits", slot("nobits"), ElementType.INT, 1)
          .scratch("numbers", slot("numbers"), ElementType.INT, numbers);
    } else {
      step.readsFound("each", starts())
          .number(SegmentedTree.SEGMENTS_FROM_AT, 0)
          .reads("bits", segments.bits())
          .reads("numbers", Objects.requireNonNull(segments.before()))
          .scratch("starts", slot("nostarts"), ElementType.INT, 1);
    }
    heads.readingAlone(step);
    if (heads.hasEnd() || segments.bits() != null) {
      heads.counting(step);
    } else {
      heads.requiring(step).derives(SegmentedTree.OFFSETS_AT, starts(), LengthRule.LENGTH);
    }
    if (heads.hasEnd()) {
      int whole = Math.max(most - 1, 0);
      step.writes("output", id, type(), whole, heads::offsets, SegmentedTree.TO_AT);
    } else {
      step.writes("output", id, type(), most, starts(), SegmentedTree.TO_AT);
    }
    step.filled("sums", slot("sums"), type(), places, scan.initial())
        .scratch("flags", slot("flags"), ElementType.INT, places)
        .scratch("open", slot("open"), type(), IntToIntSegmentReductionKernels.OPEN * mostTiles)
        .scratch("ends", slot("ends"), ElementType.INT, 2 * mostTiles)
        .counts()
        .checkedWith(scan.checked())
        .requires(heads::requireSegments)
        .combines(scan.operator(), input, type(), null)
        .onDevice(
            launches -> {
              launch(launches, mostTiles, numbers, most);
              heads.refuse(launches);
            })
        .onJvm(run -> reduce(run, heads));
    return heads.reporting(step);
  }

  private void launch(Launches launches, int mostTiles, int numbers, int most) {
    int threads = SegmentedTree.THREADS;
    launches
        .value("operator", scan.operator().code())
        .value("identity", scan.operator().neutral(type()))
        .value("items", SegmentedTree.items(type()))
        .value("lead", SegmentedTree.lead(type()))
        .value("isOfBits", segments.bits() == null ? 0 : 1)
        .value("bitsGrain", segments.grain())
        .value("bitsLead", segments.lead());
    if (segments.bits() == null) {
      Grid searching = Grid.of(Math.ceilDiv(numbers, threads), threads);
      launches.add("search", SegmentBitsKernels.class, "search", searching);
    }
    if (areGiven()) {
      Class<?> checks = TwinClass.of(IntSegmentCheckKernels.class, type());
      launches.add("check", checks, "check", Grid.of(IntSegmentCheckKernels.blocks(most), threads));
    }
    launches
        .kernels(IntToIntSegmentReductionKernels.class, scan.values().type(), type())
        .launch("tiles", "tiles", Grid.of(mostTiles, threads))
        .kernels(IntSegmentedScanKernels.class, type())
        .launch("prefixes", "prefixes", Grid.of(SegmentedTree.chunks(mostTiles), threads))
        .launch("starts", "starts", Grid.of(1, threads))
        .kernels(IntToIntSegmentReductionKernels.class, scan.values().type(), type())
        .launch("finish", "finish", Grid.of(Math.ceilDiv(mostTiles, threads), threads));
  }

  private void reduce(JvmRun run, SegmentBitsStep given) {
    Class<?> twin = TwinClass.of(IntToIntSegmentReductionLoops.class, scan.values().type(), type());
    Loops loops = FunctionCopies.instance(MethodHandles.lookup(), Loops.class, twin);
    int length = run.length(scan.values().name());
    MemorySegment values = run.input(scan.values().name());
    MemorySegment scanned = loops.memory(length);
    if (scan.values().type() != type()) {
      loops.widen(values, length, scanned);
      values = scanned;
    }
    long[] heads = given.heads(run);
    scan.scan(run, heads, values, scanned);
    if (!areGiven()) {
      loops.last(scanned, length, heads, run.output(id));
      return;
    }
    MemorySegment of = run.input(starts());
    int count = run.length(starts()) - (given.hasEnd() ? 1 : 0);
    loops.last(scanned, length, of, count, run.output(id), scan.initial());
  }
}
