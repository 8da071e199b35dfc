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
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The total of each segment: the last element of each segment in a segmented scan, and the initial
 * value for empty segments. For 3, 4, 4, 5, 10, the scan of the segments that begin at 0, 2 and 2,
 * it is 4, 0, 10. A device does not write the scan itself.
 *
 * @param id its name and that of the array
 * @param scan the inclusive scan, whose capacity is that of the values
 * @param element the type of the values, which are combined in the scan's type
 * @param segments where segments begin
 * @param areGiven whether these are the caller's offsets, which are checked and some of which may
 *     be equal
 * @param mostSegments the largest number of segments
 */
record SegmentReduction(
    String id,
    SegmentedTileScan scan,
    ElementType element,
    Segments segments,
    boolean areGiven,
    int mostSegments)
    implements Primitive {

  /** The JVM form for any types, based on the scan. */
  interface Loops {
    /** Memory for the scan. */
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

  private ElementType type() {
    return scan.type();
  }

  private int mostTiles() {
    return SegmentedTree.tiles(type()).of(scan.capacity());
  }

  private String slot(String name) {
    return id + "." + name;
  }

  /** Whether the last of the caller's offsets begins no segment. */
  private boolean hasEnd() {
    return scan.heads().hasEnd();
  }

  private String starts() {
    return segments.each().name();
  }

  @Override
  public Layout layout() {
    int places = SegmentedTree.places(mostTiles());
    Layout read =
        Layout.reads(scan.input())
            .derives(1, scan.input())
            .derives(3, scan.input(), SegmentedTree.tiles(type()))
            .readsFound(starts());
    if (segments.bits() == null) {
      if (!hasEnd()) {
        read.derives(SegmentBits.OFFSETS_AT, starts());
      }
      read.scratch(slot("nobits"), ElementType.INT, 1)
          .scratch(
              slot("numbers"), ElementType.INT, scan.capacity() / SegmentedOffsetKernels.GRAIN + 2);
    } else {
      read.alsoReads(segments.bits())
          .alsoReads(Objects.requireNonNull(segments.before()))
          .scratch(slot("nostarts"), ElementType.INT, 1);
    }
    scan.heads().reading(read);
    if (hasEnd()) {
      read.writes(id, type(), Math.max(mostSegments - 1, 0), scan.heads()::offsets);
    } else {
      read.writes(id, type(), mostSegments, starts());
    }
    Layout layout =
        read.filled(slot("sums"), type(), places, scan.initial())
            .scratch(slot("flags"), ElementType.INT, places)
            .scratch(slot("open"), type(), IntToIntSegmentReductionKernels.OPEN * mostTiles())
            .scratch(slot("ends"), ElementType.INT, 2 * mostTiles())
            .counts(id)
            .checkedWith(scan.checked());
    return scan.heads().reporting(layout);
  }

  @Override
  public void requireLengths(Lengths lengths) {
    scan.requireLengths(lengths);
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      lengths.offset(scan.input()),
      0, // length
      lengths.offset(id),
      0, // tiles
      mostTiles(),
      segments.bits() == null ? lengths.offset(starts()) : 0,
      scan.heads().offsets(lengths), // or segments, which are derived
      scan.heads().strictness(),
      1
    };
  }

  private Class<?> withOperator(Class<?> kernels) {
    return FunctionCopies.kernels(MethodHandles.lookup(), kernels, scan.operator(), List.of());
  }

  @Override
  public void launch(Launches launches) {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    Class<?> kernels =
        withOperator(TwinClass.of(lookup, IntToIntSegmentReductionKernels.class, element, type()));
    Class<?> scans = withOperator(TwinClass.of(lookup, IntSegmentedScanKernels.class, type()));
    int threads = SegmentedTree.THREADS;
    int numbers = scan.capacity() / SegmentedOffsetKernels.GRAIN + 2;
    launches
        .array("values", scan.input())
        .array("starts", segments.bits() == null ? starts() : slot("nostarts"))
        .array("bits", segments.bits() == null ? slot("nobits") : segments.bits())
        .array("numbers", segments.before() == null ? slot("numbers") : segments.before())
        .array("output", id)
        .array("sums", slot("sums"))
        .array("flags", slot("flags"))
        .array("open", slot("open"))
        .array("ends", slot("ends"))
        .value("operator", scan.operator().code())
        .value("identity", scan.operator().neutral(type()))
        .value("items", SegmentedTree.items(type()))
        .value("lead", SegmentedTree.lead(type()))
        .value("isOfBits", segments.bits() == null ? 0 : 1)
        .value("bitsLead", segments.lead());
    if (segments.bits() == null) {
      launches.add(
          "search",
          SegmentedOffsetKernels.class,
          "search",
          Grid.of(Math.ceilDiv(numbers, threads), threads));
    }
    if (areGiven) {
      Class<?> checks = TwinClass.of(lookup, IntSegmentCheckKernels.class, type());
      Grid checking = Grid.of(IntSegmentCheckKernels.blocks(mostSegments), threads);
      launches.add("check", checks, "check", checking);
    }
    launches
        .add("tiles", kernels, "tiles", Grid.of(mostTiles(), threads))
        .add("prefixes", scans, "prefixes", Grid.of(SegmentedTree.chunks(mostTiles()), threads))
        .add("starts", scans, "starts", Grid.of(1, threads))
        .add("finish", kernels, "finish", Grid.of(Math.ceilDiv(mostTiles(), threads), threads));
    scan.heads().refuse(launches);
  }

  @Override
  public String gaveUp(Function<String, Number> results, Lengths lengths) {
    return scan.heads().gaveUp(results, lengths);
  }

  @Override
  public Primitive in(Setting setting) {
    return new SegmentReduction(
        id,
        (SegmentedTileScan) scan.in(setting),
        element,
        segments,
        areGiven,
        setting.capacity(mostSegments));
  }

  @Override
  public List<Combined> combined() {
    return scan.combined();
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    Class<?> twin = TwinClass.of(lookup, IntToIntSegmentReductionLoops.class, element, type());
    Loops loops = FunctionCopies.instance(lookup, Loops.class, twin);
    int length = run.length(scan.input());
    MemorySegment values = run.input(scan.input());
    MemorySegment scanned = loops.memory(length);
    if (element != type()) {
      loops.widen(values, length, scanned);
      values = scanned;
    }
    long[] heads = scan.heads().heads(run);
    scan.scan(run, heads, values, scanned);
    if (!areGiven) {
      loops.last(scanned, length, heads, run.output(id));
      return;
    }
    MemorySegment of = run.input(starts());
    int given = run.length(starts()) - (hasEnd() ? 1 : 0);
    loops.last(scanned, length, of, given, run.output(id), scan.initial());
  }
}
