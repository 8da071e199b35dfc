package funnel.scan;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorThrewException;
import funnel.operator.Transform;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A segmented scan of an input to an array.
 *
 * @param id the name of the array, and of the scan in its tasks' names
 * @param input the values
 * @param type their type and the array's
 * @param segments the input that says where segments begin
 * @param segmentsType its type
 * @param by how it says so
 * @param operator the operator
 * @param map the function whose values are scanned, if there is one
 * @param inclusive whether an element's result contains the element
 * @param initial the initial value of each segment
 * @param form how a device computes it
 * @param isNamed whether the caller named the form
 * @param capacity the largest number of values
 * @param segmentsCapacity the largest number of elements of {@code segments}
 * @param cut whether offsets may be after the values, because these have been cut off
 */
record SegmentedTileScan(
    String id,
    String input,
    ElementType type,
    String segments,
    ElementType segmentsType,
    By by,
    Operator operator,
    @Nullable Transform map,
    boolean inclusive,
    Number initial,
    ScanForm form,
    boolean isNamed,
    int capacity,
    int segmentsCapacity,
    boolean cut)
    implements Primitive {

  /** Property: how many chunks the single pass sums before it scans the first; the default is 2. */
  static final String AHEAD_PROPERTY = "funnel.scan.ahead";

  /** A whole chunk of tiles, a full tile after it, and part of another tile. */
  private static final int CHECKED_CHUNKS = SegmentedTree.CHUNK + 1;

  /** The kinds of segments. */
  enum By {
    HEADS,
    HEAD_BITS,
    OFFSETS,
    OFFSETS_WITH_END,
    KEYS;

    boolean isOffsets() {
      return this == OFFSETS || this == OFFSETS_WITH_END;
    }

    boolean isOf(ElementType type) {
      return switch (this) {
        case HEADS -> type == ElementType.BYTE;
        case HEAD_BITS, OFFSETS, OFFSETS_WITH_END -> type == ElementType.INT;
        case KEYS -> type == ElementType.INT || type == ElementType.LONG;
      };
    }

    /** What {@link #isOf} allows, for messages. */
    String takes() {
      return switch (this) {
        case HEADS -> "a byte for each element";
        case HEAD_BITS -> "a bit for each element in ints";
        case OFFSETS, OFFSETS_WITH_END -> "ints";
        case KEYS -> "an int or a long for each element";
      };
    }

    /** For messages. */
    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  private String total() {
    return TileScan.total(id);
  }

  private String slot(String name) {
    return id + "." + name;
  }

  private String gaveUpName() {
    return slot("gaveup");
  }

  private boolean isSinglePass() {
    return form == ScanForm.SINGLE_PASS;
  }

  /** Whether launches before the scan make bits: a single pass takes those that are given. */
  private boolean isPacked() {
    return by != By.HEAD_BITS || !isSinglePass();
  }

  private int mostTiles() {
    return SegmentedTree.tiles(type).of(capacity);
  }

  /** Where segments begin, as the kernels and their JVM form find it. */
  SegmentBits heads() {
    return new SegmentBits(id, input, segments, segmentsType, by, capacity, segmentsCapacity, cut);
  }

  /** The number of elements in a check of kernels. */
  int checked() {
    return CHECKED_CHUNKS * SegmentedTree.tile(type) + 77;
  }

  @Override
  public Layout layout() {
    int places = SegmentedTree.places(mostTiles());
    int words = type.bytes() / Integer.BYTES * places;
    Layout lengths =
        Layout.reads(input).derives(1, input).derives(3, input, SegmentedTree.tiles(type));
    Layout layout =
        heads()
            .reading(lengths)
            .writes(id, type, capacity, input)
            .delivers(total(), type)
            .reports(gaveUpName(), ElementType.INT)
            .scratch(slot("flags"), ElementType.INT, isSinglePass() ? 1 : places)
            .scratch(
                slot("bits"),
                ElementType.INT,
                isPacked() ? SegmentedOffsetKernels.words(capacity) : 1)
            .scratch(slot("packed"), ElementType.INT, 2)
            .scratch(slot("bytes"), ElementType.BYTE, 1)
            .scratch(slot("ints"), ElementType.INT, 1)
            .scratch(slot("longs"), ElementType.LONG, 1)
            .filled(slot("sums"), type, isSinglePass() ? 1 : places, initial)
            .filled(slot("words"), ElementType.LONG, isSinglePass() ? words : 1, 0)
            .checkedWith(checked());
    if (!by.isOffsets()) {
      return layout.inPlaceOf(id, input).inPlaceOf(id, segments);
    }
    if (!input.equals(segments)) {
      layout.inPlaceOf(id, input);
    }
    return heads().reporting(layout);
  }

  @Override
  public void requireLengths(Lengths lengths) {
    heads().requireLengths(lengths);
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      lengths.offset(input),
      0, // length
      lengths.offset(id),
      0, // tiles
      mostTiles(),
      lengths.offset(segments),
      heads().offsets(lengths),
      heads().strictness(),
      1,
      Integer.getInteger(TileScan.POLLS_PROPERTY, TileScan.POLLS),
      lengths.index(total()),
      lengths.index(gaveUpName()),
      ahead()
    };
  }

  private Class<?> kernels() {
    Class<?> kernels = TwinClass.of(MethodHandles.lookup(), IntSegmentedScanKernels.class, type);
    return FunctionCopies.kernels(
        MethodHandles.lookup(), kernels, operator, Stream.ofNullable(map).toList());
  }

  private SegmentedScanLoops loops() {
    return FunctionCopies.loops(
        MethodHandles.lookup(),
        SegmentedScanLoops.class,
        TwinClass.of(MethodHandles.lookup(), IntSegmentedScanLoops.class, type)
            .asSubclass(SegmentedScanLoops.class),
        operator,
        map);
  }

  private static int ahead() {
    return Integer.getInteger(AHEAD_PROPERTY, 2);
  }

  @Override
  public void launch(Launches launches) {
    Class<?> kernels = kernels();
    SegmentBits heads = heads();
    int threads = SegmentedTree.THREADS;
    int chunks = SegmentedTree.chunks(mostTiles());
    launches
        .array("values", input)
        .array("bits", isPacked() ? slot("bits") : segments)
        .array("output", id)
        .array("sums", slot("sums"))
        .array("flags", slot("flags"))
        .array("words", slot("words"))
        .array("result", total())
        .array("gaveUp", gaveUpName())
        .value("operator", operator.code())
        .value("identity", operator.neutral(type))
        .value("items", SegmentedTree.items(type))
        .value("lead", SegmentedTree.lead(type))
        .value("inclusive", inclusive ? 1 : 0)
        .value("isPacked", isPacked() ? 1 : 0)
        .value("mayBeWrong", by.isOffsets() ? 1 : 0);
    if (isPacked()) {
      heads.make(launches.array("done", slot("packed")).value("doneAt", 0), slot("bits"));
    }
    if (isSinglePass()) {
      launches
          .value("phase", IntSegmentedScanKernels.AHEAD)
          .add(
              "singlePass",
              kernels,
              "tiles",
              Grid.of((ahead() + 2 * chunks) * SegmentedTree.CHUNK, threads));
    } else {
      Grid tiles = Grid.of(mostTiles(), threads);
      launches
          .value("phase", IntSegmentedScanKernels.PAIRS)
          .add("pairs", kernels, "tiles", tiles)
          .add("prefixes", kernels, "prefixes", Grid.of(chunks, threads))
          .add("starts", kernels, "starts", Grid.of(1, threads))
          .value("phase", IntSegmentedScanKernels.SCAN)
          .add("scan", kernels, "tiles", tiles);
    }
    heads.refuse(launches);
  }

  @Override
  public String gaveUp(Function<String, Number> results, Lengths lengths) {
    var _ = heads().gaveUp(results, lengths);
    int place = results.apply(gaveUpName()).intValue();
    return place == 0 ? "" : "tile " + (place - 1);
  }

  @Override
  public Primitive in(Setting setting) {
    ScanForm fastest = isNamed || setting.device() == null ? form : ScanForm.SINGLE_PASS;
    return new SegmentedTileScan(
        id,
        input,
        type,
        segments,
        segmentsType,
        by,
        operator,
        map,
        inclusive,
        initial,
        setting.mayGiveUp() ? fastest : ScanForm.REDUCE_THEN_SCAN,
        isNamed,
        setting.capacity(capacity),
        setting.capacity(segmentsCapacity),
        cut || setting.most() < Integer.MAX_VALUE);
  }

  @Override
  public List<Combined> combined() {
    return List.of(new Combined(operator, input, type, map));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    run.deliver(total(), scan(run, heads().heads(run), run.input(input), run.output(id)));
  }

  /** Scans values, which may differ from the input's, and returns the last result. */
  Number scan(JvmRun run, long[] heads, MemorySegment values, MemorySegment output) {
    Number[] last = new Number[1];
    OperatorThrewException.naming(
        operator,
        map,
        () ->
            last[0] =
                run.kept(id, SegmentedScanLoops.class, this::loops)
                    .scan(
                        values,
                        heads,
                        output,
                        run.length(input),
                        operator.function(),
                        operator.neutral(type),
                        initial,
                        inclusive));
    return last[0];
  }
}
