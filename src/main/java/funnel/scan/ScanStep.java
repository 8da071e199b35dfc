package funnel.scan;

import funnel.jit.FunctionCopies;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorThrewException;
import funnel.operator.Transform;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A scan of an input to an array: by {@link IntToIntScanKernels} on a device and by {@link
 * IntToIntScanLoops} on the JVM, or their forms for other types.
 *
 * @param initial the initial value; if null, the one element of {@code from}
 * @param from the input with the one initial value, if {@code initial} is null
 * @param form how a device computes it, if the caller named a form
 */
record ScanStep(
    String id,
    Input values,
    ElementType accumulator,
    Operator operator,
    @Nullable Transform map,
    boolean inclusive,
    @Nullable Number initial,
    @Nullable String from,
    @Nullable ScanForm form)
    implements Primitive {

  /**
   * Property: how often a block of the single pass reads a word again before it gives up; the
   * default is 65536, about a tenth of a second.
   */
  static final String POLLS_PROPERTY = "funnel.scan.polls";

  static final int POLLS = 1 << 16;

  /** A whole chunk of tiles, a full tile after it, and part of another tile. */
  private static final int CHECKED_CHUNKS = ScanTree.CHUNK + 1;

  /** More elements than these are read twice by an operator of the user's: it is faster. */
  private static final int TWO_READINGS_FROM = 1 << 25;

  static String total(String id) {
    return id + "_total";
  }

  ScanForm form(Setting setting) {
    if (!setting.mayGiveUp()) {
      return ScanForm.REDUCE_THEN_SCAN;
    }
    if (form != null) {
      return form;
    }
    return setting.device() == null || operator.isUser() && values.capacity() > TWO_READINGS_FROM
        ? ScanForm.REDUCE_THEN_SCAN
        : ScanForm.SINGLE_PASS;
  }

  @Override
  public Step in(Setting setting) {
    String input = values.name();
    int most = setting.capacity(values.capacity());
    LengthRule tiles = ScanTree.tiles(values.type(), accumulator);
    int mostTiles = tiles.of(most);
    boolean isSinglePass = form(setting) == ScanForm.SINGLE_PASS;
    int planes = accumulator.bytes() / Integer.BYTES;
    int words = isSinglePass ? planes * ScanTree.places(mostTiles) : 1;
    String gaveUp = id + ".gaveup";
    Step step =
        Step.of(this, setting)
            .reads("values", input, IntToIntScanKernels.FROM_AT, IntToIntScanKernels.LENGTH_AT)
            .derives(IntToIntScanKernels.TILES_AT, input, tiles)
            .writes("output", id, accumulator, most, input, IntToIntScanKernels.TO_AT)
            .delivers("result", total(id), accumulator, ScanTree.RESULT_AT)
            .reports("gaveUp", gaveUp, ElementType.INT, ScanTree.GAVE_UP_AT)
            .gaveUpAt(gaveUp, place -> "tile " + (place - 1))
            .scratch("sums", id + ".sums", accumulator, ScanTree.places(mostTiles))
            .filled("words", id + ".words", ElementType.LONG, words, 0)
            .number(IntToIntScanKernels.MOST_TILES_AT, mostTiles)
            .number(IntToIntScanKernels.ROUNDS_AT, ScanTree.items(accumulator) / 8)
            .number(IntToIntScanKernels.POLLS_AT, _ -> Integer.getInteger(POLLS_PROPERTY, POLLS))
            .combines(operator, input, accumulator, map)
            .checkedWith(CHECKED_CHUNKS * ScanTree.tile(accumulator) + 77)
            .onDevice(launches -> launch(launches, isSinglePass, mostTiles))
            .onJvm(this::scan);
    if (!input.equals(from)) {
      step.inPlaceOf(id, input);
    }
    return from == null
        ? step.filled("initial", id + ".initial", accumulator, 1, Objects.requireNonNull(initial))
            .number(IntToIntScanKernels.INITIAL_AT, 0)
        : step.reads("initial", from, IntToIntScanKernels.INITIAL_AT)
            .requires(lengths -> requireOne(from, lengths.length(from)));
  }

  private void requireOne(String of, int length) {
    if (length != 1) {
      throw new IllegalArgumentException(
          "input %s of scan %s is its initial value and has one element: length=%s"
              .formatted(of, id, length));
    }
  }

  private void launch(Launches launches, boolean isSinglePass, int mostTiles) {
    int chunks = ScanTree.chunks(mostTiles);
    launches
        .kernels(IntToIntScanKernels.class, values.type(), accumulator)
        .value("operator", operator.code())
        .value("identity", operator.neutral(accumulator))
        .value("items", ScanTree.items(accumulator))
        .value("lead", ScanTree.lead(values.type()))
        .value("inclusive", inclusive ? 1 : 0);
    if (isSinglePass) {
      int blocks = (IntToIntScanKernels.AHEAD_CHUNKS + 2 * chunks) * ScanTree.CHUNK;
      launches
          .value("phase", IntToIntScanKernels.AHEAD)
          .launch("singlePass", "tiles", Grid.of(blocks, ScanTree.THREADS));
      return;
    }
    Grid ofTiles = Grid.of(mostTiles, ScanTree.THREADS);
    launches
        .value("phase", IntToIntScanKernels.SUMS)
        .launch("sums", "tiles", ofTiles)
        .launch("totals", "totals", Grid.of(chunks, ScanTree.THREADS))
        .launch("starts", "starts", Grid.of(1, ScanTree.THREADS))
        .value("phase", IntToIntScanKernels.SCAN)
        .launch("scan", "tiles", ofTiles);
  }

  private void scan(JvmRun run) {
    Number start =
        initial != null
            ? initial
            : JvmRun.element(run.input(Objects.requireNonNull(from)), accumulator, 0);
    Loops loops = run.kept(id, Loops.class, this::loops);
    OperatorThrewException.naming(
        operator,
        map,
        () ->
            run.deliver(
                total(id),
                loops.scan(
                    run.input(values.name()),
                    run.output(id),
                    run.length(values.name()),
                    operator.neutral(accumulator),
                    start,
                    inclusive)));
  }

  private Loops loops() {
    return FunctionCopies.loops(
        Loops.class, IntToIntScanLoops.class, operator, map, values.type(), accumulator);
  }

  /** The JVM form of a scan, for any types: what a loop class offers to {@link ScanStep}. */
  interface Loops {

    /**
     * Scans a range of elements in the tree of {@link ScanTree}.
     *
     * @param values the input: little-endian elements, on the heap or off it
     * @param output where the results go, as many as there are elements; it may be {@code values}
     * @return the initial value combined with all elements
     */
    Number scan(
        MemorySegment values,
        MemorySegment output,
        int length,
        Number identity,
        Number initial,
        boolean inclusive);
  }
}
