package funnel.scan;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.scan.Segments.By;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.function.Function;

/**
 * Where segments begin, as bits.
 *
 * @param cut whether offsets may exceed the number of values, because values have been cut off
 */
record SegmentBitsStep(String id, Input values, Input segments, By by, boolean cut)
    implements Primitive {

  /** These bits for the first values alone, if the setting's capacity is smaller. */
  SegmentBitsStep within(Setting setting) {
    return setting.most() == Integer.MAX_VALUE
        ? this
        : new SegmentBitsStep(id, within(values, setting), within(segments, setting), by, true);
  }

  private static Input within(Input input, Setting setting) {
    return new Input(input.name(), input.type(), setting.capacity(input.capacity()));
  }

  /** The name of the caller's operation, of which this may be a part. */
  private String operation() {
    int dot = id.indexOf('.');
    return dot < 0 ? id : id.substring(0, dot);
  }

  private String slot(String name) {
    return id + "." + name;
  }

  boolean hasEnd() {
    return by == By.OFFSETS_WITH_END;
  }

  int offsets(Lengths lengths) {
    return Math.max(lengths.length(segments.name()) - 1, 0);
  }

  /** States placeholders for the kinds of segments, and the input that says where they begin. */
  Step reading(Step step) {
    step.placeholder(slot("bytes"), ElementType.BYTE, "bytes")
        .placeholder(slot("ints"), ElementType.INT, "ints")
        .placeholder(slot("longs"), ElementType.LONG, "longs");
    return readingAlone(step);
  }

  /** States the input that says where segments begin. */
  Step readingAlone(Step step) {
    String parameter =
        switch (by) {
          case OFFSETS, OFFSETS_WITH_END -> "offsets";
          default -> segments.type().name().toLowerCase(Locale.ROOT) + "s";
        };
    return switch (by) {
      case HEADS, KEYS ->
          step.readsFound(parameter, segments.name()).sameLength(values.name(), segments.name());
      case HEAD_BITS ->
          step.needsLength(values.name()).reads(parameter, segments.name()); // 32 values per int
      case OFFSETS -> step.readsFound(parameter, segments.name());
      case OFFSETS_WITH_END -> step.reads(parameter, segments.name());
    };
  }

  /** States what is required of offsets and their number, 0 if segments are not given by them. */
  Step counting(Step step) {
    requiring(step);
    return switch (by) {
      case HEADS, HEAD_BITS, KEYS -> step.number(SegmentedTree.OFFSETS_AT, 0);
      case OFFSETS -> step.derives(SegmentedTree.OFFSETS_AT, segments.name(), LengthRule.LENGTH);
      case OFFSETS_WITH_END -> step.number(SegmentedTree.OFFSETS_AT, this::offsets);
    };
  }

  Step requiring(Step step) {
    return step.number(SegmentedTree.STRICTNESS_AT, cut ? 0 : hasEnd() ? 3 : 1)
        .number(SegmentedTree.ONE_AT, 1);
  }

  /** States the results that report wrong offsets. */
  Step reporting(Step step) {
    return !by.isOffsets()
        ? step
        : step.reports("index", slot("index"), ElementType.INT)
            .reports("offset", slot("offset"), ElementType.INT)
            .reports("before", slot("before"), ElementType.INT)
            .refuses(this::requireRight);
  }

  @Override
  public Step in(Setting setting) {
    return within(setting).step(Step.of(this, setting));
  }

  private Step step(Step step) {
    step.reads("values", values.name())
        .derives(SegmentedTree.LENGTH_AT, values.name(), LengthRule.LENGTH)
        .number(SegmentedTree.FROM_AT, 0)
        .number(SegmentedTree.TO_AT, 0)
        .number(SegmentedTree.TILES_AT, 0)
        .number(SegmentedTree.MOST_TILES_AT, 0)
        .offset(SegmentedTree.SEGMENTS_FROM_AT, segments.name())
        .scratch("flags", slot("flags"), ElementType.INT, 1);
    reporting(counting(reading(step)))
        .writes(
            "bits",
            id,
            ElementType.INT,
            SegmentBitsKernels.words(values.capacity()),
            values.name(),
            LengthRule.parts(Integer.SIZE))
        .requires(this::requireSegments)
        .onDevice(
            launches -> {
              make(launches);
              refuse(launches);
            })
        .onJvm(
            run -> {
              long bytes =
                  (long) Integer.BYTES * SegmentBitsKernels.words(run.length(values.name()));
              MemorySegment.copy(MemorySegment.ofArray(heads(run)), 0, run.output(id), 0, bytes);
            });
    return by.isOffsets() ? step : step.counts();
  }

  /** Requires a head, bit or key for each value, or if offsets have an end, at least one. */
  void requireSegments(Lengths lengths) {
    int length = lengths.length(values.name());
    int given = lengths.length(segments.name());
    int wanted =
        switch (by) {
          case HEADS, KEYS -> length;
          case HEAD_BITS -> SegmentBitsKernels.words(length);
          case OFFSETS -> given;
          case OFFSETS_WITH_END -> Math.max(given, 1);
        };
    if (given != wanted) {
      throw new IllegalArgumentException(
          "segments of %s by %s %s: length=%s, for %s values it is %s%s"
              .formatted(
                  operation(),
                  by.label(),
                  segments.name(),
                  given,
                  length,
                  wanted,
                  hasEnd()
                      ? " or more"
                      : by == By.HEAD_BITS && given == length
                          ? ", since each int is 32 heads; for one head an element use"
                              + " segments(Segments.byHeads()) and bytes"
                          : ""));
    }
  }

  /** The number by which kernels know the kind of segments. */
  private int code() {
    return switch (by) {
      case HEADS -> HeadBits.HEADS;
      case HEAD_BITS -> HeadBits.HEAD_BITS;
      case KEYS -> segments.type() == ElementType.INT ? HeadBits.INT_KEYS : HeadBits.LONG_KEYS;
      case OFFSETS, OFFSETS_WITH_END ->
          throw new IllegalStateException("bits of offsets are marked");
    };
  }

  /** Adds launches that make bits: several for offsets, otherwise one, which counts its runs. */
  void make(Launches launches) {
    Grid words =
        Grid.of(SegmentBitsKernels.blocksOfWords(values.capacity()), SegmentedTree.THREADS);
    Class<?> kernels = SegmentBitsKernels.class;
    if (!by.isOffsets()) {
      launches.value("segments", code()).add("pack", kernels, "pack", words);
      return;
    }
    int blocks = SegmentBitsKernels.markingBlocks(segments.capacity());
    launches
        .add("clear", kernels, "clear", words)
        .add("mark", kernels, "mark", Grid.of(blocks, SegmentedTree.THREADS));
  }

  /** Adds the launch that finds the first wrong offset, if flag 0 says there is one. */
  void refuse(Launches launches) {
    if (by.isOffsets()) {
      Grid block = Grid.of(1, SegmentedTree.THREADS);
      launches.add("refuse", SegmentBitsKernels.class, "refuse", block);
    }
  }

  private void requireRight(Function<String, Number> results, Lengths lengths) {
    int index = results.apply(slot("index")).intValue();
    if (index >= 0) {
      throw new SegmentOffsetsException(
          operation(),
          segments.name(),
          index,
          results.apply(slot("offset")).intValue(),
          results.apply(slot("before")).intValue(),
          lengths.length(values.name()),
          hasEnd());
    }
  }

  long[] heads(JvmRun run) {
    MemorySegment given = run.input(segments.name());
    int length = run.length(values.name());
    return switch (by) {
      case HEADS -> SegmentedHeads.ofBytes(given, length);
      case HEAD_BITS -> SegmentedHeads.ofBits(given, length);
      case KEYS -> SegmentedHeads.ofKeys(given, segments.type(), length);
      case OFFSETS, OFFSETS_WITH_END -> {
        int count =
            cut ? run.length(segments.name()) - (hasEnd() ? 1 : 0) : run.length(segments.name());
        int wrong =
            SegmentedHeads.wrong(given, count, cut ? Integer.MAX_VALUE : length, !cut && hasEnd());
        if (wrong >= 0) {
          throw new SegmentOffsetsException(
              operation(),
              segments.name(),
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
}
