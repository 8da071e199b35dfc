package funnel.select;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.Device;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.LengthRule;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.OperatorThrewException;
import funnel.operator.Transform;
import funnel.scan.ScanForm;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A selection among the elements of an input: by {@link IntSelectKernels} on a device and by {@link
 * IntSelectLoops} on the JVM, or their forms for other types.
 *
 * @param id the selection's name in its tasks' names, and the beginning of the names of hidden
 *     arrays
 * @param by what decides: a constant of the kernels
 * @param map the function whose values are kept instead of the elements, if there is one
 * @param criterion the flags or bits, if these decide, else the input
 * @param keeps whether elements for which the criterion holds are kept, or the others
 * @param form how a device computes it, null until it is chosen
 * @param room the largest number of elements that can be kept
 */
record SelectStep(
    String id,
    Input elements,
    int by,
    @Nullable Transform predicate,
    @Nullable Transform map,
    String criterion,
    boolean keeps,
    Names names,
    @Nullable ScanForm form,
    int room)
    implements Primitive {

  /**
   * Property: how often a block of the single pass reads a word again before it gives up; the
   * default is 65536.
   */
  static final String POLLS_PROPERTY = "funnel.select.polls";

  private static final int POLLS = 1 << 16;

  /** More elements than these are read twice, where that was measured to be faster. */
  private static final int TWO_READINGS_FROM = 1 << 26;

  private static final int CHECKED_TILES = SelectTiles.CHUNK + 1;

  /**
   * Names of the output arrays; null for one that is not an output.
   *
   * @param isJoined whether the rejected elements follow the kept ones in one array
   * @param lengths the distances of positions, the last from the end; with positions
   * @param marks a bit for each place of the tiles, set if its element is kept; the JVM leaves it
   */
  record Names(
      @Nullable String kept,
      @Nullable String positions,
      @Nullable String rejected,
      boolean isJoined,
      @Nullable String lengths,
      @Nullable String marks) {

    Names(
        @Nullable String kept,
        @Nullable String positions,
        @Nullable String rejected,
        boolean isJoined) {
      this(kept, positions, rejected, isJoined, null, null);
    }

    int code() {
      return (kept == null ? 0 : IntSelectKernels.ELEMENTS)
          | (positions == null ? 0 : IntSelectKernels.POSITIONS)
          | (rejected == null ? 0 : IntSelectKernels.REJECTED)
          | (isJoined ? IntSelectKernels.JOINED : 0)
          | (lengths == null ? 0 : IntSelectKernels.LENGTHS)
          | (marks == null ? 0 : IntSelectKernels.MARKS);
    }
  }

  /** This selection with a function's values instead of the kept elements. */
  SelectStep mapped(Transform function) {
    return new SelectStep(
        id, elements, by, predicate, function, criterion, keeps, names, form, room);
  }

  /** This selection, which keeps at most as many elements. */
  SelectStep within(int most) {
    return new SelectStep(id, elements, by, predicate, map, criterion, keeps, names, form, most);
  }

  private List<Transform> functions() {
    return Stream.of(predicate, map).flatMap(Stream::ofNullable).toList();
  }

  private String slot(String name) {
    return id + "." + name;
  }

  /** The result that has the number of kept elements. */
  String count() {
    return slot("count");
  }

  /**
   * The array of the numbers of kept elements before each {@link #stretch}, if there are lengths or
   * marks.
   */
  String numbers() {
    return slot("headsbefore");
  }

  /** The elements of a warp. */
  int stretch() {
    return SelectTiles.stretch(items());
  }

  private String countRejected() {
    return slot("rejected");
  }

  /** Two readings were measured to be faster on ptx. */
  static ScanForm fastest(Device device, int capacity) {
    return device.backend().equals("ptx") && capacity > TWO_READINGS_FROM
        ? ScanForm.REDUCE_THEN_SCAN
        : ScanForm.SINGLE_PASS;
  }

  private boolean isIndexed() {
    return map != null && map.isIndexed();
  }

  /** Whether elements and their places are ranked, not places alone. */
  private boolean hasBoth() {
    boolean hasOthers = names.rejected() != null || names.isJoined();
    return hasOthers && (names.positions() != null || isIndexed());
  }

  private boolean isPaired() {
    return elements.type() == ElementType.INT;
  }

  private boolean isStriped() {
    return elements.type().bytes() == Long.BYTES
        && by != IntSelectKernels.HEADS
        && names.marks() == null;
  }

  /** Whether bits pass: only where that was measured to be faster than to compare twice. */
  private boolean isPassed() {
    return by == IntSelectKernels.HEADS
        && elements.type() != ElementType.BYTE
        && elements.type() != ElementType.INT
        && names.rejected() == null
        && !names.isJoined();
  }

  private int words(int mostTiles) {
    return isPassed()
        ? SelectTiles.passedAt(mostTiles, mostTiles, 0)
        : SelectTiles.places(mostTiles);
  }

  private int items() {
    return SelectTiles.items(elements.type(), elements.capacity(), hasBoth());
  }

  @Nullable ScanForm form(Setting setting) {
    if (!setting.mayGiveUp() || names.isJoined()) {
      return ScanForm.REDUCE_THEN_SCAN;
    }
    Device device = setting.device();
    return form != null || device == null ? form : fastest(device, elements.capacity());
  }

  @Override
  public Step in(Setting setting) {
    String input = elements.name();
    ElementType type = elements.type();
    int most = setting.capacity(elements.capacity());
    LengthRule tiles = SelectTiles.tiles(type, items());
    int mostTiles = tiles.of(most);
    String gaveUp = slot("gaveup");
    Step step =
        Step.of(this, setting)
            .reads("values", input, SelectTiles.FROM_AT, SelectTiles.LENGTH_AT)
            .derives(SelectTiles.TILES_AT, input, tiles)
            .number(SelectTiles.MOST_TILES_AT, mostTiles)
            .number(SelectTiles.LEAD_AT, SelectTiles.lead(type))
            .number(SelectTiles.ROUNDS_AT, items() / 8)
            .number(SelectTiles.POLLS_AT, _ -> Integer.getInteger(POLLS_PROPERTY, POLLS))
            .offset(SelectTiles.FLAGS_FROM_AT, criterion)
            .delivers("count", count(), ElementType.INT, SelectTiles.COUNT_AT)
            .delivers(
                "countRejected", countRejected(), ElementType.INT, SelectTiles.COUNT_REJECTED_AT)
            .reports("gaveUp", gaveUp, ElementType.INT, SelectTiles.GAVE_UP_AT)
            .gaveUpAt(gaveUp, place -> "tile " + (place - 1))
            .placeholder(slot("elements"), type, "kept")
            .placeholder(slot("pairs"), ElementType.LONG, "pairs")
            .placeholder(slot("positions"), ElementType.INT, "positions")
            .placeholder(slot("nolengths"), ElementType.INT, "lengths")
            .placeholder(slot("nonumbers"), ElementType.INT, "numbers")
            .placeholder(slot("others"), type, "rejected")
            .placeholder(slot("flags"), ElementType.BYTE, "flags")
            .placeholder(slot("bits"), ElementType.INT, "bits")
            .filled("words", slot("words"), ElementType.LONG, words(mostTiles), 0)
            .checkedWith(CHECKED_TILES * SelectTiles.THREADS * items() + 77)
            .requires(this::requireFlags)
            .onDevice(launches -> launch(launches, form(setting), mostTiles))
            .onJvm(this::select);
    if (isPaired()) {
      step.readsFound("pairs", input).bitsOf("pairs");
    }
    if (by == IntSelectKernels.FLAGS) {
      step.readsFound("flags", criterion).sameLength(input, criterion);
    } else if (by == IntSelectKernels.BITS) {
      step.needsLength(input).reads("bits", criterion);
    }
    writes(step, Math.min(most, room), "kept", names.kept(), type, count(), SelectTiles.KEPT_TO_AT);
    writes(
        step,
        most,
        "positions",
        names.positions(),
        ElementType.INT,
        count(),
        SelectTiles.POSITIONS_TO_AT);
    writes(
        step,
        most,
        "rejected",
        names.rejected(),
        type,
        countRejected(),
        SelectTiles.REJECTED_TO_AT);
    writes(
        step,
        most,
        "lengths",
        names.lengths(),
        ElementType.INT,
        count(),
        SelectTiles.LENGTHS_TO_AT);
    int warps = mostTiles * SelectTiles.WARPS;
    if (names.marks() != null) {
      step.writes("bits", names.marks(), ElementType.INT, warps * items());
      step.writes("numbers", numbers(), ElementType.INT, warps + 1);
    } else if (names.lengths() != null) {
      step.scratch("numbers", numbers(), ElementType.INT, warps + 1);
    }
    if (names.lengths() != null) {
      step.counts();
    }
    functions().forEach(function -> step.applies(function, input));
    return step;
  }

  private void writes(
      Step step,
      int most,
      String parameter,
      @Nullable String array,
      ElementType of,
      String found,
      int at) {
    if (array == null) {
      step.number(at, 0);
    } else if (names.isJoined()) {
      step.writes(parameter, array, of, most, elements.name(), at);
    } else {
      step.writesFound(parameter, array, of, most, found, elements.name(), at);
    }
  }

  private void requireFlags(Lengths lengths) {
    int length = lengths.length(elements.name());
    int given = lengths.length(criterion);
    int wanted = by == IntSelectKernels.BITS ? Math.ceilDiv(length, Integer.SIZE) : length;
    if (given != wanted) {
      throw new IllegalArgumentException(
          "flags %s of selection %s: length=%s, for %s elements it is %s%s"
              .formatted(
                  criterion,
                  id,
                  given,
                  length,
                  wanted,
                  by == IntSelectKernels.BITS && given == length
                      ? ", since each int is 32 flags; for one flag an element use bytes"
                      : ""));
    }
  }

  private int code() {
    return names.code()
        | (isIndexed() ? IntSelectKernels.INDEXED : 0)
        | (keeps ? 0 : IntSelectKernels.REVERSED)
        | (isPaired() ? IntSelectKernels.PAIRED : 0)
        | (isStriped() ? IntSelectKernels.STRIPED : 0)
        | (isPassed() ? IntSelectKernels.PASSED : 0);
  }

  private void launch(Launches launches, @Nullable ScanForm wanted, int mostTiles) {
    int chunks = SelectTiles.chunks(mostTiles);
    ElementType type = elements.type();
    launches
        .value("by", by)
        .value("outputs", code())
        .value("items", items())
        .kernels(IntSelectKernels.class, type);
    if (wanted == ScanForm.SINGLE_PASS) {
      int blocks = (IntSelectKernels.AHEAD_CHUNKS + 2 * chunks) * SelectTiles.CHUNK;
      launches
          .value("phase", IntSelectKernels.AHEAD)
          .launch("singlePass", "tiles", Grid.of(blocks, SelectTiles.THREADS));
    } else {
      Grid tiles = Grid.of(mostTiles, SelectTiles.THREADS);
      launches
          .value("phase", IntSelectKernels.COUNT)
          .launch("count", "tiles", tiles)
          .launch("totals", "totals", Grid.of(chunks, SelectTiles.CHUNK))
          .launch("starts", "starts", Grid.of(1, SelectTiles.GROUP * SelectTiles.TOTALS))
          .value("phase", IntSelectKernels.STORE)
          .launch("store", "tiles", tiles);
    }
    if (names.lengths() != null) {
      int blocks = mostTiles * SelectTiles.WARPS / RunLengthsKernels.THREADS + 1;
      Grid grid = Grid.of(blocks, RunLengthsKernels.THREADS);
      launches.add("lengths", RunLengthsKernels.class, "last", grid);
    }
  }

  private void select(JvmRun run) {
    Loops.Given given =
        new Loops.Given(
            run.input(elements.name()), run.input(criterion), run.length(elements.name()));
    Loops.Outputs outputs =
        new Loops.Outputs(
            output(run, names.kept()),
            output(run, names.positions()),
            output(run, names.rejected()),
            names.isJoined());
    Loops loops = run.kept(id, Loops.class, this::loops);
    OperatorThrewException.naming(
        functions(),
        () -> {
          int kept = loops.select(given, outputs);
          run.deliver(count(), kept);
          run.deliver(countRejected(), given.length() - kept);
          if (names.lengths() != null) {
            MemorySegment starts = Objects.requireNonNull(outputs.positions(), id);
            RunLengths.subtract(starts, kept, given.length(), run.output(names.lengths()));
          }
        });
  }

  private static @Nullable MemorySegment output(JvmRun run, @Nullable String name) {
    return name == null ? null : run.output(name);
  }

  private Loops loops() {
    return Criterion.loops(
        Loops.class, IntSelectLoops.class, elements.type(), by, keeps, functions());
  }

  interface Loops {

    /**
     * The input of a selection.
     *
     * @param criterion the flags or bits, if these decide
     */
    record Given(MemorySegment values, MemorySegment criterion, int length) {}

    /**
     * Where kept elements, their positions and rejected elements go; null for none.
     *
     * @param isJoined whether the rejected elements follow the kept ones in the same memory
     */
    record Outputs(
        @Nullable MemorySegment kept,
        @Nullable MemorySegment positions,
        @Nullable MemorySegment rejected,
        boolean isJoined) {

      /** Whether other threads may read the input and write these. */
      boolean mayBeShared(Given given) {
        return Stream.of(given.values(), given.criterion(), kept, positions, rejected)
            .filter(Objects::nonNull)
            .allMatch(memory -> ParallelRows.mayBeShared(memory, memory));
      }
    }

    /** Selects, and returns how many elements were kept. */
    int select(Given given, Outputs outputs);
  }
}
