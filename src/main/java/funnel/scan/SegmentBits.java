package funnel.scan;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.scan.SegmentedTileScan.By;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;

/**
 * Where segments begin, as bits.
 *
 * @param id its name and that of the array of bits
 * @param input the values
 * @param segments the input that says where segments begin
 * @param segmentsType its type
 * @param by how it says so
 * @param capacity the largest number of values
 * @param segmentsCapacity the largest number of elements of {@code segments}
 * @param cut whether offsets may be after the values, because these have been cut off
 */
record SegmentBits(
    String id,
    String input,
    String segments,
    ElementType segmentsType,
    By by,
    int capacity,
    int segmentsCapacity,
    boolean cut)
    implements Primitive {

  /** Where kernels find the number of offsets. */
  static final int OFFSETS_AT = 6;

  /** The name of the caller's operation, of which this may be a part. */
  private String operation() {
    int dot = id.indexOf('.');
    return dot < 0 ? id : id.substring(0, dot);
  }

  private String slot(String name) {
    return id + "." + name;
  }

  /** Adds the input that says where segments begin to a layout. */
  Layout reading(Layout layout) {
    return switch (by) {
      case HEADS, KEYS -> layout.readsFound(segments).sameLength(input, segments);
      case HEAD_BITS -> layout.alsoReads(input).alsoReads(segments); // 32 values per int
      case OFFSETS -> layout.derives(OFFSETS_AT, segments).readsFound(segments);
      case OFFSETS_WITH_END -> layout.alsoReads(segments);
    };
  }

  /** Whether the last offset is the end of the values. */
  boolean hasEnd() {
    return by == By.OFFSETS_WITH_END;
  }

  /** The number of offsets without the end; 0 if it is derived, or there are none. */
  int offsets(Lengths lengths) {
    return hasEnd() ? Math.max(lengths.length(segments) - 1, 0) : 0;
  }

  /** What kernels require of offsets: 0 or 1, that they are among the values, and 2 for the end. */
  int strictness() {
    return cut ? 0 : hasEnd() ? 3 : 1;
  }

  /** Adds the results that report wrong offsets. */
  Layout reporting(Layout layout) {
    return !by.isOffsets()
        ? layout
        : layout
            .reports(slot("index"), ElementType.INT)
            .reports(slot("offset"), ElementType.INT)
            .reports(slot("before"), ElementType.INT);
  }

  @Override
  public Layout layout() {
    Layout layout =
        reporting(reading(Layout.reads(input).derives(1, input)))
            .writes(
                id,
                ElementType.INT,
                SegmentedOffsetKernels.words(capacity),
                lengths -> SegmentedOffsetKernels.words(lengths.length(input)))
            .scratch(slot("flags"), ElementType.INT, 1)
            .scratch(slot("bytes"), ElementType.BYTE, 1)
            .scratch(slot("ints"), ElementType.INT, 1)
            .scratch(slot("longs"), ElementType.LONG, 1);
    return by.isOffsets() ? layout : layout.counts(id);
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
          case OFFSETS_WITH_END -> Math.max(given, 1);
        };
    if (given != wanted) {
      throw new IllegalArgumentException(
          "segments of %s by %s %s: length=%s, for %s values it is %s%s"
              .formatted(
                  operation(),
                  by.label(),
                  segments,
                  given,
                  length,
                  wanted,
                  hasEnd()
                      ? " or more"
                      : by == By.HEAD_BITS && given == length
                          ? ", since each int is 32 heads; for one head an element use byHeads()"
                              + " and bytes"
                          : ""));
    }
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      0,
      0, // length
      0,
      0,
      0,
      lengths.offset(segments),
      offsets(lengths),
      strictness(),
      1
    };
  }

  /** The number in kernels of the kind of segments. */
  private int code() {
    return switch (by) {
      case HEADS -> HeadBits.HEADS;
      case HEAD_BITS -> HeadBits.HEAD_BITS;
      case KEYS -> segmentsType == ElementType.INT ? HeadBits.INT_KEYS : HeadBits.LONG_KEYS;
      case OFFSETS, OFFSETS_WITH_END ->
          throw new IllegalStateException("bits of offsets are marked");
    };
  }

  /** The segments if they are of this type, otherwise an array of one element in their place. */
  private String segmentsOr(ElementType wanted, String other) {
    return segmentsType == wanted ? segments : slot(other);
  }

  /** Adds launches that make bits: several for offsets, otherwise one, which counts its runs. */
  void make(Launches launches, String bits) {
    Class<?> kernels = SegmentedOffsetKernels.class;
    int threads = SegmentedTree.THREADS;
    Grid words = Grid.of(SegmentedOffsetKernels.blocksOfWords(capacity), threads);
    if (!by.isOffsets()) {
      launches
          .array("bytes", segmentsOr(ElementType.BYTE, "bytes"))
          .array("ints", segmentsOr(ElementType.INT, "ints"))
          .array("longs", segmentsOr(ElementType.LONG, "longs"))
          .array("bits", bits)
          .value("segments", code())
          .add("pack", kernels, "pack", words);
    } else {
      Grid marking = Grid.of(SegmentedOffsetKernels.markingBlocks(segmentsCapacity), threads);
      launches
          .array("offsets", segments)
          .array("bits", bits)
          .array("flags", slot("flags"))
          .add("clear", kernels, "clear", words)
          .add("mark", kernels, "mark", marking);
    }
  }

  /** Adds the launch that finds the first wrong offset, if flag 0 says that there is one. */
  void refuse(Launches launches) {
    if (by.isOffsets()) {
      launches
          .array("offsets", segments)
          .result("index", slot("index"))
          .result("offset", slot("offset"))
          .result("before", slot("before"))
          .add("refuse", SegmentedOffsetKernels.class, "refuse", Grid.of(1, SegmentedTree.THREADS));
    }
  }

  @Override
  public void launch(Launches launches) {
    make(launches, id);
    refuse(launches);
  }

  @Override
  public String gaveUp(Function<String, Number> results, Lengths lengths) {
    int index = by.isOffsets() ? results.apply(slot("index")).intValue() : -1;
    if (index >= 0) {
      throw new SegmentOffsetsException(
          operation(),
          segments,
          index,
          results.apply(slot("offset")).intValue(),
          results.apply(slot("before")).intValue(),
          lengths.length(input),
          hasEnd());
    }
    return "";
  }

  @Override
  public Primitive in(Setting setting) {
    return new SegmentBits(
        id,
        input,
        segments,
        segmentsType,
        by,
        setting.capacity(capacity),
        setting.capacity(segmentsCapacity),
        cut || setting.most() < Integer.MAX_VALUE);
  }

  /** One bit for each element. */
  long[] heads(JvmRun run) {
    MemorySegment given = run.input(segments);
    int length = run.length(input);
    return switch (by) {
      case HEADS -> SegmentedHeads.ofBytes(given, length);
      case HEAD_BITS -> SegmentedHeads.ofBits(given, length);
      case KEYS -> SegmentedHeads.ofKeys(given, segmentsType, length);
      case OFFSETS, OFFSETS_WITH_END -> {
        int count = cut ? run.length(segments) - (hasEnd() ? 1 : 0) : run.length(segments);
        int wrong =
            SegmentedHeads.wrong(given, count, cut ? Integer.MAX_VALUE : length, !cut && hasEnd());
        if (wrong >= 0) {
          throw new SegmentOffsetsException(
              operation(),
              segments,
              wrong,
              SegmentedHeads.offset(given, wrong),
              wrong > 0 ? SegmentedHeads.offset(given, wrong - 1) : 0,
              length,
              hasEnd());
        }
        yield SegmentedHeads.ofOffsets(given, count, length);
      }
    };
  }

  @Override
  public void runOnJvm(JvmRun run) {
    long bytes = (long) Integer.BYTES * SegmentedOffsetKernels.words(run.length(input));
    MemorySegment.copy(MemorySegment.ofArray(heads(run)), 0, run.output(id), 0, bytes);
  }
}
