package funnel.sort;

import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Sorts the keys of each segment, or their positions, stably, by a range of their bits.
 *
 * <p>For 3, 1, 4, 1, 5 in the segments 3, 1 and 4, 1, 5, whose bits are 0b00101, the keys are 1, 3,
 * 1, 4, 5 and the positions 1, 0, 3, 2, 4.
 *
 * @param bits which of them begin segments, 32 bits per int; the first one does
 * @param isOrder whether the output is positions instead of keys
 */
record SegmentedSortStep(
    String id, String input, String bits, KeyOrder order, boolean isOrder, int capacity)
    implements Primitive {

  /* Segments are mostly short. Then all but one of the launches for long ones would find nothing to
   * do, 15 for 2^24 keys. So the first form assumes that each segment ends within the chunk of the
   * tile where it begins, and is one launch.
   */

  /** Five tiles, and so two levels of merges. */
  private static final int CHECKED = 4 * IntSegmentedSortKernels.CHUNK + 77;

  private String slot(String name) {
    return id + "." + name;
  }

  @Override
  public Step in(Setting setting) {
    int most = setting.capacity(capacity);
    int mostTiles = Math.max(1, Math.ceilDiv(most, IntSegmentedSortKernels.TILE));
    boolean isAlone = setting.mayAssume() || most <= IntSegmentedSortKernels.CHUNK;
    int levels = isAlone ? 0 : IntSegmentedSortKernels.levels(Math.max(1, most));
    int other = levels > 0 ? most : 1;
    int tiles = isAlone ? 1 : mostTiles + 1;
    // with a thread for each tile, and for the end of the last one
    int groups = isAlone ? 1 : mostTiles / IntSegmentedSortKernels.THREADS + 1;
    int bitsOfWords = words() == ElementType.LONG ? Long.SIZE : Integer.SIZE;
    boolean isWhole = order.toBit() == bitsOfWords;
    Step step =
        Step.of(this, setting)
            .reads("input", input, IntSegmentedSortKernels.IN_INPUT, IntSegmentedSortKernels.LENGTH)
            .reads("bits", bits)
            .derives(
                IntSegmentedSortKernels.TILES,
                input,
                LengthRule.parts(IntSegmentedSortKernels.TILE))
            .number(IntSegmentedSortKernels.PIECES_AT, isAlone ? 1 : IntSegmentedSortKernels.PIECES)
            .number(IntSegmentedSortKernels.FROM_BIT, order.fromBit())
            .number(IntSegmentedSortKernels.LAST_BIT, order.toBit() - 1)
            .number(IntSegmentedSortKernels.TURNS_SIGN, isWhole == order.comparesSign() ? 0 : 1)
            .number(IntSegmentedSortKernels.DESCENDING, order.isDescending() ? 1 : 0)
            .number(IntSegmentedSortKernels.LEVELS, levels)
            .number(IntSegmentedSortKernels.ITEMS_AT, IntSegmentedSortKernels.ITEMS);
    if (isOrder) {
      step.scratch("sortedKeys", slot("keys"), words(), other)
          .number(IntSegmentedSortKernels.IN_KEYS, 0);
    } else {
      step.placeholder(slot("keys"), words(), "sortedKeys")
          .writes("sortedKeys", id, order.type(), most, input, IntSegmentedSortKernels.IN_KEYS);
    }
    step.scratch("otherKeys", slot("otherkeys"), words(), other)
        .placeholder(slot("positions"), ElementType.INT, "sortedPositions")
        .scratch("otherPositions", slot("otherpositions"), ElementType.INT, isOrder ? other : 1);
    if (isOrder) {
      step.writes(
          "sortedPositions",
          id,
          ElementType.INT,
          most,
          input,
          IntSegmentedSortKernels.IN_POSITIONS);
    } else {
      step.number(IntSegmentedSortKernels.IN_POSITIONS, 0);
    }
    return step.scratch("firsts", slot("firsts"), ElementType.INT, tiles)
        .scratch("lasts", slot("lasts"), ElementType.INT, tiles)
        .scratch("groups", slot("groups"), ElementType.INT, 2 * groups)
        .scratch("previous", slot("previous"), ElementType.INT, tiles)
        .scratch("next", slot("next"), ElementType.INT, tiles)
        .scratch("needed", slot("needed"), ElementType.INT, IntSegmentedSortKernels.NEEDED)
        .bitsOf("input", "sortedKeys")
        .counts()
        .assumes(slot("done"), "a segment is longer than those that a block sorts alone")
        .checkedWith(CHECKED)
        .onDevice(launches -> launch(launches, mostTiles, isAlone ? 0 : groups, levels))
        .onJvm(this::sort);
  }

  private ElementType words() {
    return KeyWords.typeOf(order.type());
  }

  private void launch(Launches launches, int mostTiles, int groups, int levels) {
    int threads = IntSegmentedSortKernels.THREADS;
    int blocks = Math.min(2 * mostTiles, IntSegmentedSortKernels.MOST_BLOCKS);
    boolean isFloating = order.type().isFloating();
    launches
        .value("blocks", blocks)
        .value(
            "outputs", isOrder ? IntSegmentedSortKernels.POSITIONS : IntSegmentedSortKernels.KEYS)
        .value(
            "turned",
            !isFloating ? KeyWords.NOT_TURNED : isOrder ? KeyWords.MERGED : KeyWords.TURNED)
        .value("turnedBack", isFloating && !isOrder ? KeyWords.TURNED : KeyWords.NOT_TURNED)
        .value("isAlone", groups == 0 ? 1 : 0);
    if (groups > 0) {
      launches
          .add("find", SegmentLinkKernels.class, "find", Grid.of(groups, threads))
          .add("link", SegmentLinkKernels.class, "link", Grid.of(groups, threads));
    }
    launches
        .kernels(IntSegmentedSortKernels.class, words())
        .launch("sort", "sort", Grid.of(mostTiles, threads));
    for (int level = 0; level < levels; level++) {
      launches
          .value("turn", level % 2)
          .launch(
              KernelTask.repetition(level % 2 == 0 ? "even" : "odd", level),
              "merge",
              Grid.of(blocks, threads));
    }
  }

  private void sort(JvmRun run) {
    MemorySegment keys = run.input(input);
    MemorySegment output = run.output(id);
    int length = run.length(input);
    MemorySegment firsts = firsts(run.input(bits), length);
    if (!isOrder && order.isOfAllBits()) {
      new SortLoops(order).sort(keys, length, firsts, output);
      return;
    }
    MemorySegment byKeys = MemorySegment.ofArray(new int[length]);
    new SortLoops(order).sort(keys, length, null, null, byKeys);
    MemorySegment inOrder = MemorySegment.ofArray(new int[length]);
    take(firsts, byKeys, length, inOrder, ElementType.INT);
    MemorySegment positions = isOrder ? output : MemorySegment.ofArray(new int[length]);
    new SortLoops(KeyOrder.of(ElementType.INT, false))
        .sort(inOrder, length, byKeys, null, positions);
    if (!isOrder) {
      take(keys, positions, length, output, order.type());
    }
  }

  private static MemorySegment firsts(MemorySegment bits, int length) {
    int[] firsts = new int[length];
    for (int i = 0, first = 0; i < length; i++) {
      int word = bits.get(ValueLayout.JAVA_INT_UNALIGNED, i / Integer.SIZE * 4L);
      first = (word >>> i & 1) == 1 ? i : first;
      firsts[i] = first;
    }
    return MemorySegment.ofArray(firsts);
  }

  private static void take(
      MemorySegment from, MemorySegment positions, int length, MemorySegment to, ElementType type) {
    int bytes = type.bytes();
    for (int i = 0; i < length; i++) {
      long at = (long) bytes * positions.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i);
      MemorySegment.copy(from, at, to, (long) bytes * i, bytes);
    }
  }
}
