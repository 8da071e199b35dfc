package funnel.scan;

import funnel.jit.FunctionCopies;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorThrewException;
import funnel.operator.Transform;
import funnel.scan.Segments.By;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A segmented scan of an input to an array.
 *
 * @param form how a device computes it, if the caller named a form
 */
record SegmentedScanStep(
    String id,
    Input values,
    ElementType type,
    Input segments,
    By by,
    Operator operator,
    @Nullable Transform map,
    boolean inclusive,
    Number initial,
    @Nullable ScanForm form)
    implements Primitive {

  /** Chunks that the single pass sums before it scans the first. */
  private static final int AHEAD = 2;

  /** A whole chunk of tiles, a full tile after it, and part of another tile. */
  private static final int CHECKED_CHUNKS = SegmentedTree.CHUNK + 1;

  ScanForm form(Setting setting) {
    if (!setting.mayGiveUp()) {
      return ScanForm.REDUCE_THEN_SCAN;
    }
    if (form != null) {
      return form;
    }
    return setting.device() == null ? ScanForm.REDUCE_THEN_SCAN : ScanForm.SINGLE_PASS;
  }

  /** Where segments begin, as the kernels and their JVM form find it. */
  SegmentBitsStep heads(Setting setting) {
    return new SegmentBitsStep(id, values, segments, by, false).within(setting);
  }

  int checked() {
    return CHECKED_CHUNKS * SegmentedTree.tile(type) + 77;
  }

  @Override
  public Step in(Setting setting) {
    String input = values.name();
    int most = setting.capacity(values.capacity());
    int mostTiles = SegmentedTree.tiles(type).of(most);
    int places = SegmentedTree.places(mostTiles);
    boolean isSinglePass = form(setting) == ScanForm.SINGLE_PASS;
    // whether launches before the scan make bits: a single pass takes those that are given
    boolean isPacked = by != By.HEAD_BITS || !isSinglePass;
    SegmentBitsStep heads = heads(setting);
    String total = ScanStep.total(id);
    String gaveUp = id + ".gaveup";
    String bits = id + ".bits";
    Step step =
        Step.of(this, setting)
            .reads("values", input, SegmentedTree.FROM_AT, SegmentedTree.LENGTH_AT)
            .derives(SegmentedTree.TILES_AT, input, SegmentedTree.tiles(type))
            .number(SegmentedTree.MOST_TILES_AT, mostTiles)
            .offset(SegmentedTree.SEGMENTS_FROM_AT, segments.name())
            .number(
                SegmentedTree.POLLS_AT,
                _ -> Integer.getInteger(ScanStep.POLLS_PROPERTY, ScanStep.POLLS))
            .number(SegmentedTree.AHEAD_AT, AHEAD)
            .writes("output", id, type, most, input, SegmentedTree.TO_AT)
            .delivers("result", total, type, SegmentedTree.RESULT_AT)
            .reports("gaveUp", gaveUp, ElementType.INT, SegmentedTree.GAVE_UP_AT)
            .scratch("flags", id + ".flags", ElementType.INT, isSinglePass ? 1 : places)
            .scratch("bits", bits, ElementType.INT, isPacked ? SegmentBitsKernels.words(most) : 1)
            .scratch("done", id + ".packed", ElementType.INT, 2);
    heads
        .reporting(heads.counting(heads.reading(step)))
        .gaveUpAt(gaveUp, place -> "tile " + (place - 1))
        .filled("sums", id + ".sums", type, isSinglePass ? 1 : places, initial)
        .filled(
            "words",
            id + ".words",
            ElementType.LONG,
            isSinglePass ? type.bytes() / Integer.BYTES * places : 1,
            0)
        .checkedWith(checked())
        .requires(heads::requireSegments)
        .combines(operator, input, type, map)
        .onDevice(
            launches -> {
              if (isPacked) {
                heads.make(launches.value("doneAt", 0));
              } else {
                launches.array("bits", segments.name());
              }
              launch(launches.value("isPacked", isPacked ? 1 : 0), isSinglePass, mostTiles);
              heads.refuse(launches);
            })
        .onJvm(
            run ->
                run.deliver(
                    total, scan(run, heads.heads(run), run.input(values.name()), run.output(id))));
    if (!by.isOffsets()) {
      return step.inPlaceOf(id, input).inPlaceOf(id, segments.name());
    }
    return input.equals(segments.name()) ? step : step.inPlaceOf(id, input);
  }

  private Loops loops() {
    return FunctionCopies.loops(Loops.class, IntSegmentedScanLoops.class, operator, map, type);
  }

  private void launch(Launches launches, boolean isSinglePass, int mostTiles) {
    int threads = SegmentedTree.THREADS;
    int chunks = SegmentedTree.chunks(mostTiles);
    launches
        .value("operator", operator.code())
        .value("identity", operator.neutral(type))
        .value("items", SegmentedTree.items(type))
        .value("lead", SegmentedTree.lead(type))
        .value("inclusive", inclusive ? 1 : 0)
        .value("mayBeWrong", by.isOffsets() ? 1 : 0)
        .kernels(IntSegmentedScanKernels.class, type);
    if (isSinglePass) {
      int blocks = (AHEAD + 2 * chunks) * SegmentedTree.CHUNK;
      launches
          .value("phase", IntSegmentedScanKernels.AHEAD)
          .launch("singlePass", "tiles", Grid.of(blocks, threads));
      return;
    }
    Grid tiles = Grid.of(mostTiles, threads);
    launches
        .value("phase", IntSegmentedScanKernels.PAIRS)
        .launch("pairs", "tiles", tiles)
        .launch("prefixes", "prefixes", Grid.of(chunks, threads))
        .launch("starts", "starts", Grid.of(1, threads))
        .value("phase", IntSegmentedScanKernels.SCAN)
        .launch("scan", "tiles", tiles);
  }

  /** Scans values, which may differ from the input's, and returns the last result. */
  Number scan(JvmRun run, long[] heads, MemorySegment given, MemorySegment output) {
    Number[] last = new Number[1];
    OperatorThrewException.naming(
        operator,
        map,
        () ->
            last[0] =
                run.kept(id, Loops.class, this::loops)
                    .scan(
                        given,
                        heads,
                        output,
                        run.length(values.name()),
                        operator.neutral(type),
                        initial,
                        inclusive));
    return last[0];
  }

  /** The JVM form of a segmented scan: what a loop class offers to {@link SegmentedScanStep}. */
  interface Loops {

    /**
     * Scans the segments of a range of elements; floating-point numbers in the tree of {@link
     * SegmentedTree}.
     *
     * @param values the input: little-endian elements, on the heap or off it
     * @param heads a bit for each element that begins a segment, element 0 among them
     * @param output where the results go, as many as there are elements; it may be {@code values}
     * @return the initial value combined with all elements of the last segment
     */
    Number scan(
        MemorySegment values,
        long[] heads,
        MemorySegment output,
        int length,
        Number identity,
        Number initial,
        boolean inclusive);
  }
}
