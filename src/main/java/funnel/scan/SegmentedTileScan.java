package funnel.scan;

import funnel.engine.Device;
import funnel.engine.DeviceArrays;
import funnel.engine.JvmRun;
import funnel.engine.Launches;
import funnel.engine.Primitive;
import funnel.jit.FunctionCopies;
import funnel.jit.KernelTask;
import funnel.jit.KernelTask.Grid;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorThrewException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * One segmented scan of an input to an array.
 *
 * @param id name of the array and, in its tasks' names, of the scan
 * @param input the values
 * @param type their type and the array's
 * @param segments the input that says where segments begin
 * @param segmentsType its type
 * @param by how it says so
 * @param operator the operator
 * @param inclusive whether an element's result contains the element
 * @param initial what each segment begins with
 * @param form how a device computes it
 * @param isNamed whether the caller named the form
 * @param capacity the most values
 * @param segmentsCapacity the most elements of {@code segments}
 * @param cut whether offsets may be behind the values, which have been cut off
 */
record SegmentedTileScan(
    String id,
    String input,
    ElementType type,
    String segments,
    ElementType segmentsType,
    By by,
    Operator operator,
    boolean inclusive,
    Number initial,
    ScanForm form,
    boolean isNamed,
    int capacity,
    int segmentsCapacity,
    boolean cut)
    implements Primitive {

  /**
   * Property: how many chunks the single pass sums before it scans the first; 2, by keys 1, unless
   * set. What is read until a chunk is scanned has to stay in the second-level cache, and keys are
   * as much as the values.
   */
  static final String AHEAD_PROPERTY = "funnel.scan.ahead";

  /** What says where segments begin. */
  enum By {
    HEADS,
    HEAD_BITS,
    OFFSETS,
    KEYS;

    boolean isOf(ElementType type) {
      return switch (this) {
        case HEADS -> type == ElementType.BYTE;
        case HEAD_BITS, OFFSETS -> type == ElementType.INT;
        case KEYS -> type == ElementType.INT || type == ElementType.LONG;
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

  private int mostTiles() {
    return SegmentedTree.tiles(type, capacity);
  }

  @Override
  public String signature() {
    return "segmented scan %s %s by %s %s/%s/%s"
        .formatted(
            inclusive ? "inclusive" : "exclusive",
            kernels().getSimpleName(),
            by.label(),
            segmentsType,
            operator,
            form.label())
        .toLowerCase(Locale.ROOT);
  }

  @Override
  public List<String> inputs() {
    return List.of(input, segments);
  }

  @Override
  public List<Slot> arrays() {
    return List.of(new Slot(id, type, capacity));
  }

  @Override
  public List<String> inputsInPlace(String array) {
    if (by == By.OFFSETS) {
      return input.equals(segments) ? List.of() : List.of(input);
    }
    return List.of(input, segments);
  }

  @Override
  public int lengthOf(String array, Lengths lengths) {
    return lengths.length(input);
  }

  @Override
  public List<Slot> results() {
    List<Slot> results = new ArrayList<>();
    results.add(new Slot(total(), type, 1));
    results.add(new Slot(gaveUpName(), ElementType.INT, 1));
    if (by == By.OFFSETS) {
      results.add(new Slot(slot("index"), ElementType.INT, 1));
      results.add(new Slot(slot("offset"), ElementType.INT, 1));
      results.add(new Slot(slot("before"), ElementType.INT, 1));
    }
    return results;
  }

  @Override
  public List<Slot> scratch() {
    int bits = by == By.OFFSETS ? SegmentedOffsetKernels.words(capacity) : 1;
    int masks = mostTiles() * SegmentedTree.THREADS;
    int flags = isSinglePass() ? 1 : SegmentedTree.places(mostTiles()) + masks;
    return List.of(
        new Slot(slot("flags"), ElementType.INT, flags),
        new Slot(slot("bits"), ElementType.INT, bits),
        new Slot(slot("bytes"), ElementType.BYTE, 1),
        new Slot(slot("ints"), ElementType.INT, 1),
        new Slot(slot("longs"), ElementType.LONG, 1));
  }

  @Override
  public List<Preset> presets() {
    int places = SegmentedTree.places(mostTiles());
    boolean handsHeadsOn = by == By.HEADS || by == By.KEYS;
    int masks = handsHeadsOn ? mostTiles() * SegmentedTree.THREADS : 0;
    int words = isSinglePass() ? type.bytes() / Integer.BYTES * places + masks : 1;
    return List.of(
        new Preset(new Slot(slot("sums"), type, isSinglePass() ? 1 : places), initial),
        new Preset(new Slot(slot("words"), ElementType.LONG, words), 0));
  }

  @Override
  public void requireLengths(Lengths lengths) {
    int length = lengths.length(input);
    int given = lengths.length(segments);
    int wanted =
        switch (by) {
          case HEADS, KEYS -> length;
          case HEAD_BITS -> SegmentedOffsetKernels.words(length);
          case OFFSETS -> given;
        };
    if (given != wanted) {
      throw new IllegalArgumentException(
          "segments of scan %s by %s %s: length=%d, for %d values it is %d"
              .formatted(id, by.label(), segments, given, length, wanted));
    }
  }

  @Override
  public int[] shape(Lengths lengths) {
    int length = lengths.length(input);
    return new int[] {
      lengths.offset(input),
      length,
      lengths.offset(id),
      SegmentedTree.tiles(type, length),
      mostTiles(),
      lengths.offset(segments),
      lengths.length(segments),
      cut ? 0 : 1,
      1,
      Integer.getInteger(TileScan.POLLS_PROPERTY, TileScan.POLLS),
      lengths.index(total()),
      lengths.index(gaveUpName()),
      ahead()
    };
  }

  private Class<?> kernels() {
    Class<?> kernels = TwinClass.of(MethodHandles.lookup(), IntSegmentedScanKernels.class, type);
    return FunctionCopies.kernels(MethodHandles.lookup(), kernels, operator, null);
  }

  private SegmentedScanLoops loops() {
    return FunctionCopies.loops(
        MethodHandles.lookup(),
        SegmentedScanLoops.class,
        TwinClass.of(MethodHandles.lookup(), IntSegmentedScanLoops.class, type)
            .asSubclass(SegmentedScanLoops.class),
        operator);
  }

  private int ahead() {
    return Integer.getInteger(AHEAD_PROPERTY, by == By.KEYS ? 1 : 2);
  }

  /** What the kernels know of how segments are given. */
  private int code() {
    return switch (by) {
      case HEADS -> IntSegmentedScanKernels.HEADS;
      case HEAD_BITS -> IntSegmentedScanKernels.HEAD_BITS;
      case OFFSETS -> IntSegmentedScanKernels.OFFSETS;
      case KEYS ->
          segmentsType == ElementType.INT
              ? IntSegmentedScanKernels.INT_KEYS
              : IntSegmentedScanKernels.LONG_KEYS;
    };
  }

  /** The segments where they are of this type, or an array of one element in their place. */
  private String segmentsOr(ElementType wanted, String other) {
    return segmentsType == wanted ? segments : slot(other);
  }

  @Override
  public List<KernelTask> tasks(DeviceArrays arrays) {
    Class<?> kernels = kernels();
    int threads = SegmentedTree.THREADS;
    int chunks = SegmentedTree.chunks(mostTiles());
    Launches launches =
        new Launches(this, arrays)
            .array("values", input)
            .array("bytes", segmentsOr(ElementType.BYTE, "bytes"))
            .array("ints", by == By.OFFSETS ? slot("bits") : segmentsOr(ElementType.INT, "ints"))
            .array("longs", segmentsOr(ElementType.LONG, "longs"))
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
            .value("segments", code());
    Class<?> offsetKernels = SegmentedOffsetKernels.class;
    if (by == By.OFFSETS) {
      launches
          .array("offsets", segments)
          .array("bits", slot("bits"))
          .result("index", slot("index"))
          .result("offset", slot("offset"))
          .result("before", slot("before"))
          .add(
              "clear",
              offsetKernels,
              "clear",
              Grid.of(SegmentedOffsetKernels.clearingBlocks(capacity), threads))
          .add(
              "mark",
              offsetKernels,
              "mark",
              Grid.of(SegmentedOffsetKernels.markingBlocks(segmentsCapacity), threads));
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
    if (by == By.OFFSETS) {
      launches.add("refuse", offsetKernels, "refuse", Grid.of(1, threads));
    }
    return launches.tasks();
  }

  @Override
  public String gaveUp(Function<String, Number> results) {
    int place = results.apply(gaveUpName()).intValue();
    return place == 0 ? "" : "tile " + (place - 1);
  }

  @Override
  public Primitive on(Device device) {
    return isNamed
        ? this
        : with(ScanChoice.ofSegments(device, by, type, capacity), capacity, segmentsCapacity, cut);
  }

  @Override
  public Primitive instead() {
    return isSinglePass() ? with(ScanForm.REDUCE_THEN_SCAN, capacity, segmentsCapacity, cut) : this;
  }

  private SegmentedTileScan with(
      ScanForm newForm, int newCapacity, int newSegmentsCapacity, boolean newCut) {
    return new SegmentedTileScan(
        id,
        input,
        type,
        segments,
        segmentsType,
        by,
        operator,
        inclusive,
        initial,
        newForm,
        isNamed,
        newCapacity,
        newSegmentsCapacity,
        newCut);
  }

  @Override
  public void requireAccepted(Function<String, Number> results, Lengths lengths) {
    if (by == By.OFFSETS && results.apply(slot("index")).intValue() >= 0) {
      throw new SegmentOffsetsException(
          id,
          segments,
          results.apply(slot("index")).intValue(),
          results.apply(slot("offset")).intValue(),
          results.apply(slot("before")).intValue(),
          lengths.length(input));
    }
  }

  private long[] heads(JvmRun run) {
    MemorySegment given = run.input(segments);
    int length = run.length(input);
    return switch (by) {
      case HEADS -> SegmentedHeads.ofBytes(given, length);
      case HEAD_BITS -> SegmentedHeads.ofBits(given, length);
      case KEYS -> SegmentedHeads.ofKeys(given, segmentsType, length);
      case OFFSETS -> {
        int count = run.length(segments);
        int wrong = SegmentedHeads.wrong(given, count, cut ? Integer.MAX_VALUE : length);
        if (wrong >= 0) {
          throw new SegmentOffsetsException(
              id,
              segments,
              wrong,
              SegmentedHeads.offset(given, wrong),
              wrong > 0 ? SegmentedHeads.offset(given, wrong - 1) : 0,
              length);
        }
        run.deliver(slot("index"), -1);
        run.deliver(slot("offset"), 0);
        run.deliver(slot("before"), 0);
        yield SegmentedHeads.ofOffsets(given, count, length);
      }
    };
  }

  @Override
  public List<Combined> combined() {
    return List.of(new Combined(operator, input, type, null));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    long[] heads = heads(run);
    OperatorThrewException.naming(
        operator,
        null,
        () ->
            run.deliver(
                total(),
                loops()
                    .scan(
                        run.input(input),
                        heads,
                        run.output(id),
                        run.length(input),
                        operator.function(),
                        operator.neutral(type),
                        initial,
                        inclusive)));
    run.deliver(gaveUpName(), 0);
  }

  /** A whole chunk, a full tile behind it, and a part of one. */
  @Override
  public int checkedElements() {
    return (SegmentedTree.CHUNK + 1) * SegmentedTree.tile(type) + 77;
  }

  @Override
  public Primitive withCapacity(int most) {
    return with(form, Math.min(capacity, most), Math.min(segmentsCapacity, most), true);
  }
}
