package funnel.scan;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorThrewException;
import funnel.operator.Transform;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A scan of an input to an array: by {@link IntToIntScanKernels} on a device and by {@link
 * IntToIntScanLoops} on the JVM, or their forms for other types.
 *
 * @param id the name of the array, and of the scan in its tasks' names
 * @param input the input
 * @param element the input's type
 * @param accumulator the array's type
 * @param operator the operator
 * @param map the function whose values are scanned, if there is one
 * @param inclusive whether an element's result contains the element
 * @param initial the initial value; if null, the one element of {@code from}
 * @param from an input of one accumulator, if {@code initial} is null
 * @param form how a device computes it
 * @param isNamed whether the caller named the form
 * @param capacity the largest number of elements
 */
record TileScan(
    String id,
    String input,
    ElementType element,
    ElementType accumulator,
    Operator operator,
    @Nullable Transform map,
    boolean inclusive,
    @Nullable Number initial,
    @Nullable String from,
    ScanForm form,
    boolean isNamed,
    int capacity)
    implements Primitive {

  /**
   * Property: how often a block of the single pass reads a word again before it gives up; the
   * default is 65536, about a tenth of a second.
   */
  static final String POLLS_PROPERTY = "funnel.scan.polls";

  static final int POLLS = 1 << 16;

  /** More elements than these are read twice by an operator of the user's: it is faster. */
  private static final int TWO_READINGS_FROM = 1 << 25;

  /** A whole chunk of tiles, a full tile after it, and part of another tile. */
  private static final int CHECKED_CHUNKS = ScanTree.CHUNK + 1;

  /** The name of the scan's total among the results. */
  static String total(String id) {
    return id + "_total";
  }

  private String gaveUpName() {
    return id + ".gaveup";
  }

  private LengthRule tiles() {
    return ScanTree.tiles(element, accumulator);
  }

  private int mostTiles() {
    return tiles().of(capacity);
  }

  private boolean isSinglePass() {
    return form == ScanForm.SINGLE_PASS;
  }

  @Override
  public Layout layout() {
    int planes = accumulator.bytes() / Integer.BYTES;
    int words = isSinglePass() ? planes * ScanTree.places(mostTiles()) : 1;
    Layout layout =
        Layout.reads(input)
            .derives(1, input)
            .derives(3, input, tiles())
            .writes(id, accumulator, capacity, input)
            .delivers(total(id), accumulator)
            .reports(gaveUpName(), ElementType.INT)
            .scratch(id + ".sums", accumulator, ScanTree.places(mostTiles()))
            .filled(id + ".words", ElementType.LONG, words, 0)
            .checkedWith(CHECKED_CHUNKS * ScanTree.tile(accumulator) + 77);
    if (!input.equals(from)) {
      layout.inPlaceOf(id, input);
    }
    return initial == null
        ? layout.alsoReads(Objects.requireNonNull(from))
        : layout.filled(id + ".initial", accumulator, 1, initial);
  }

  @Override
  public void requireLengths(Lengths lengths) {
    if (from != null && lengths.length(from) != 1) {
      throw new IllegalArgumentException(
          "input %s of scan %s is its initial value and has one element: length=%s"
              .formatted(from, id, lengths.length(from)));
    }
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      lengths.offset(input),
      0, // length
      lengths.offset(id),
      0, // tiles
      mostTiles(),
      ScanTree.items(accumulator) / 8,
      Integer.getInteger(POLLS_PROPERTY, POLLS),
      from == null ? 0 : lengths.offset(from),
      lengths.index(total(id)),
      lengths.index(gaveUpName())
    };
  }

  private Class<?> kernels() {
    Class<?> kernels =
        TwinClass.of(MethodHandles.lookup(), IntToIntScanKernels.class, element, accumulator);
    return FunctionCopies.kernels(
        MethodHandles.lookup(), kernels, operator, Stream.ofNullable(map).toList());
  }

  @Override
  public void launch(Launches launches) {
    Class<?> kernels = kernels();
    int chunks = ScanTree.chunks(mostTiles());
    launches
        .array("values", input)
        .array("output", id)
        .array("initial", from == null ? id + ".initial" : from)
        .array("sums", id + ".sums")
        .array("words", id + ".words")
        .array("result", total(id))
        .array("gaveUp", gaveUpName())
        .value("operator", operator.code())
        .value("identity", operator.neutral(accumulator))
        .value("items", ScanTree.items(accumulator))
        .value("lead", ScanTree.lead(element))
        .value("inclusive", inclusive ? 1 : 0);
    if (isSinglePass()) {
      int blocks = (IntToIntScanKernels.AHEAD_CHUNKS + 2 * chunks) * ScanTree.CHUNK;
      launches
          .value("phase", IntToIntScanKernels.AHEAD)
          .add("singlePass", kernels, "tiles", Grid.of(blocks, ScanTree.THREADS));
      return;
    }
    Grid tiles = Grid.of(mostTiles(), ScanTree.THREADS);
    launches
        .value("phase", IntToIntScanKernels.SUMS)
        .add("sums", kernels, "tiles", tiles)
        .add("totals", kernels, "totals", Grid.of(chunks, ScanTree.THREADS))
        .add("starts", kernels, "starts", Grid.of(1, ScanTree.THREADS))
        .value("phase", IntToIntScanKernels.SCAN)
        .add("scan", kernels, "tiles", tiles);
  }

  @Override
  public String gaveUp(Function<String, Number> results, Lengths lengths) {
    int place = results.apply(gaveUpName()).intValue();
    return place == 0 ? "" : "tile " + (place - 1);
  }

  @Override
  public Primitive in(Setting setting) {
    ScanForm fastest =
        isNamed || setting.device() == null
            ? form
            : operator.isUser() && capacity > TWO_READINGS_FROM
                ? ScanForm.REDUCE_THEN_SCAN
                : ScanForm.SINGLE_PASS;
    return new TileScan(
        id,
        input,
        element,
        accumulator,
        operator,
        map,
        inclusive,
        initial,
        from,
        setting.mayGiveUp() ? fastest : ScanForm.REDUCE_THEN_SCAN,
        isNamed,
        setting.capacity(capacity));
  }

  @Override
  public List<Combined> combined() {
    return List.of(new Combined(operator, input, accumulator, map));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    Number start = initial != null ? initial : onlyElement(run.input(from == null ? input : from));
    ScanLoops loops = run.kept(id, ScanLoops.class, this::loops);
    OperatorThrewException.naming(
        operator,
        map,
        () ->
            run.deliver(
                total(id),
                loops.scan(
                    run.input(input),
                    run.output(id),
                    run.length(input),
                    operator.function(),
                    operator.neutral(accumulator),
                    start,
                    inclusive)));
  }

  private ScanLoops loops() {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    return FunctionCopies.loops(
        lookup,
        ScanLoops.class,
        TwinClass.of(lookup, IntToIntScanLoops.class, element, accumulator)
            .asSubclass(ScanLoops.class),
        operator,
        map);
  }

  private Number onlyElement(MemorySegment values) {
    return switch (accumulator) {
      case BYTE -> throw new IllegalStateException("no scan to bytes");
      case INT -> values.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
      case LONG -> values.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
      case FLOAT -> values.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0);
      case DOUBLE -> values.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0);
    };
  }
}
