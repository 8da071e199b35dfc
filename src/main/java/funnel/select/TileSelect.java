package funnel.select;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Device;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorThrewException;
import funnel.operator.Transform;
import funnel.scan.ScanForm;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A selection among the elements of an input: by {@link IntSelectKernels} on a device and by {@link
 * IntSelectLoops} on the JVM, or their forms for other types.
 *
 * @param id the selection's name in its tasks' names, and the beginning of the names of hidden
 *     arrays
 * @param input the elements
 * @param type their type
 * @param by what decides: a constant of the kernels
 * @param predicate the predicate, if one decides
 * @param map the function whose values are kept instead of the elements, if there is one
 * @param criterion the flags or bits, if these decide, else the input
 * @param keeps whether elements for which the criterion holds are kept, or the others
 * @param names the names of the wanted arrays
 * @param form how a device computes it, null until it is chosen
 * @param capacity the largest number of elements
 */
record TileSelect(
    String id,
    String input,
    ElementType type,
    int by,
    @Nullable Transform predicate,
    @Nullable Transform map,
    String criterion,
    boolean keeps,
    Names names,
    @Nullable ScanForm form,
    int capacity)
    implements Primitive {

  /**
   * Property: how often a block of the single pass reads a word again before it gives up; the
   * default is 65536.
   */
  static final String POLLS_PROPERTY = "funnel.select.polls";

  private static final int POLLS = 1 << 16;

  /** More elements than these are read twice, where that was measured to be faster. */
  private static final int TWO_READINGS_FROM = 1 << 26;

  private static final int CHECKED_CHUNKS = SelectTiles.CHUNK + 1;

  /**
   * Names of arrays, null for unwanted ones.
   *
   * @param isJoined whether the rejected elements follow the kept ones in one array
   */
  record Names(
      @Nullable String kept,
      @Nullable String positions,
      @Nullable String rejected,
      boolean isJoined) {

    int code() {
      return (kept == null ? 0 : IntSelectKernels.ELEMENTS)
          | (positions == null ? 0 : IntSelectKernels.POSITIONS)
          | (rejected == null ? 0 : IntSelectKernels.REJECTED)
          | (isJoined ? IntSelectKernels.JOINED : 0);
    }
  }

  /** The same with a function's values instead of the kept elements. */
  TileSelect mapped(Transform function) {
    return new TileSelect(
        id, input, type, by, predicate, function, criterion, keeps, names, form, capacity);
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

  /** The result that has the number of the others. */
  private String countRejected() {
    return slot("rejected");
  }

  private String gaveUpName() {
    return slot("gaveup");
  }

  private int mostTiles() {
    return SelectTiles.tiles(type, capacity);
  }

  @Override
  public Layout layout() {
    Layout layout =
        Layout.reads(input)
            .derives(1, input)
            .derives(2, input, SelectTiles.tiles(type))
            .delivers(count(), ElementType.INT)
            .delivers(countRejected(), ElementType.INT)
            .reports(gaveUpName(), ElementType.INT)
            .scratch(slot("elements"), type, 1)
            .scratch(slot("positions"), ElementType.INT, 1)
            .scratch(slot("others"), type, 1)
            .scratch(slot("flags"), ElementType.BYTE, 1)
            .scratch(slot("bits"), ElementType.INT, 1)
            .filled(slot("words"), ElementType.LONG, SelectTiles.places(mostTiles()), 0)
            .checkedWith(CHECKED_CHUNKS * SelectTiles.tile(type) + 77);
    if (by == IntSelectKernels.FLAGS) {
      layout.readsFound(criterion).sameLength(input, criterion);
    }
    if (by == IntSelectKernels.BITS) {
      layout.alsoReads(input).alsoReads(criterion);
    }
    writes(layout, names.kept(), type, count());
    writes(layout, names.positions(), ElementType.INT, count());
    writes(layout, names.rejected(), type, countRejected());
    return layout;
  }

  private void writes(Layout layout, @Nullable String array, ElementType of, String found) {
    if (array != null && names.isJoined()) {
      layout.writes(array, of, capacity, input);
    } else if (array != null) {
      layout.writesFound(array, of, capacity, found, input);
    }
  }

  @Override
  public void requireLengths(Lengths lengths) {
    int length = lengths.length(input);
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

  private static int offset(Lengths lengths, @Nullable String array) {
    return array == null ? 0 : lengths.offset(array);
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      lengths.offset(input),
      0, // length
      0, // tiles
      mostTiles(),
      SelectTiles.items(type) / 8,
      Integer.getInteger(POLLS_PROPERTY, POLLS),
      lengths.offset(criterion),
      offset(lengths, names.kept()),
      offset(lengths, names.positions()),
      offset(lengths, names.rejected()),
      lengths.index(count()),
      lengths.index(countRejected()),
      lengths.index(gaveUpName())
    };
  }

  private static String or(@Nullable String name, String other) {
    return name == null ? other : name;
  }

  @Override
  public void launch(Launches launches) {
    Class<?> kernels = TwinClass.of(MethodHandles.lookup(), IntSelectKernels.class, type);
    kernels = FunctionCopies.kernels(MethodHandles.lookup(), kernels, Operator.SUM, functions());
    launches
        .array("values", input)
        .array("flags", by == IntSelectKernels.FLAGS ? criterion : slot("flags"))
        .array("bits", by == IntSelectKernels.BITS ? criterion : slot("bits"))
        .array("kept", or(names.kept(), slot("elements")))
        .array("positions", or(names.positions(), slot("positions")))
        .array("rejected", or(names.rejected(), slot("others")))
        .array("words", slot("words"))
        .array("count", count())
        .array("countRejected", countRejected())
        .array("gaveUp", gaveUpName())
        .value("by", by)
        .value("keeps", keeps ? 1 : 0)
        .value("outputs", names.code())
        .value("items", SelectTiles.items(type))
        .value("lead", SelectTiles.lead(type));
    int chunks = SelectTiles.chunks(mostTiles());
    if (form == ScanForm.SINGLE_PASS) {
      int blocks = (IntSelectKernels.AHEAD_CHUNKS + 2 * chunks) * SelectTiles.CHUNK;
      launches
          .value("phase", IntSelectKernels.AHEAD)
          .add("singlePass", kernels, "tiles", Grid.of(blocks, SelectTiles.THREADS));
      return;
    }
    Grid tiles = Grid.of(mostTiles(), SelectTiles.THREADS);
    launches
        .value("phase", IntSelectKernels.COUNT)
        .add("count", kernels, "tiles", tiles)
        .add("totals", kernels, "totals", Grid.of(chunks, SelectTiles.CHUNK))
        .add("starts", kernels, "starts", Grid.of(1, SelectTiles.GROUP))
        .value("phase", IntSelectKernels.STORE)
        .add("store", kernels, "tiles", tiles);
  }

  @Override
  public String gaveUp(Function<String, Number> results, Lengths lengths) {
    int place = results.apply(gaveUpName()).intValue();
    return place == 0 ? "" : "tile " + (place - 1);
  }

  /** Two readings were measured to be faster where neighbours are compared, and on ptx. */
  static ScanForm fastest(Device device, int by, int capacity) {
    boolean readsTwice = by == IntSelectKernels.HEADS || device.backend().equals("ptx");
    return readsTwice && capacity > TWO_READINGS_FROM
        ? ScanForm.REDUCE_THEN_SCAN
        : ScanForm.SINGLE_PASS;
  }

  @Override
  public Primitive in(Setting setting) {
    ScanForm fastest =
        form != null || setting.device() == null ? form : fastest(setting.device(), by, capacity);
    return new TileSelect(
        id,
        input,
        type,
        by,
        predicate,
        map,
        criterion,
        keeps,
        names,
        setting.mayGiveUp() && !names.isJoined() ? fastest : ScanForm.REDUCE_THEN_SCAN,
        setting.capacity(capacity));
  }

  @Override
  public List<Combined> combined() {
    return functions().stream()
        .map(function -> new Combined(Operator.SUM, input, function.type(), function))
        .toList();
  }

  @Override
  public void runOnJvm(JvmRun run) {
    SelectLoops.Given given =
        new SelectLoops.Given(
            run.input(input),
            run.input(criterion),
            run.length(input),
            predicate == null ? null : predicate.function());
    SelectLoops.Outputs outputs =
        new SelectLoops.Outputs(
            output(run, names.kept()),
            output(run, names.positions()),
            output(run, names.rejected()),
            names.isJoined());
    SelectLoops loops = run.kept(id, SelectLoops.class, this::loops);
    OperatorThrewException.naming(
        functions(),
        () -> {
          int kept = loops.select(given, outputs);
          run.deliver(count(), kept);
          run.deliver(countRejected(), given.length() - kept);
        });
  }

  private static @Nullable MemorySegment output(JvmRun run, @Nullable String name) {
    return name == null ? null : run.output(name);
  }

  private SelectLoops loops() {
    return Criterion.loops(SelectLoops.class, IntSelectLoops.class, type, by, keeps, functions());
  }
}
