package funnel.sort;

import funnel.jit.TwinClass;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;

/**
 * Sorts the keys of each segment, or their positions, stably, by a range of their bits.
 *
 * <p>For 3, 1, 4, 1, 5 in the segments 3, 1 and 4, 1, 5, whose bits are 0b00101, the keys are 1, 3,
 * 1, 4, 5 and the positions 1, 0, 3, 2, 4.
 *
 * @param id its name, and that of the array it writes
 * @param input the keys
 * @param bits which of them begin segments, 32 bits per int; the first one does
 * @param order the order, of integers
 * @param isOrder whether the positions are wanted instead of the keys
 * @param capacity the largest number of keys
 */
record SegmentedTileSort(
    String id, String input, String bits, KeyOrder order, boolean isOrder, int capacity)
    implements Primitive {

  /** Five tiles, and so two levels of merges. */
  private static final int CHECKED = 4 * IntSegmentSortKernels.CHUNK + 77;

  private String slot(String name) {
    return id + "." + name;
  }

  private int mostTiles() {
    return Math.max(1, Math.ceilDiv(capacity, IntSegmentSortKernels.TILE));
  }

  /** Blocks with a thread for each tile, and for the end of the last one. */
  private int groups() {
    return mostTiles() / IntSegmentSortKernels.THREADS + 1;
  }

  private int levels() {
    return IntSegmentSortKernels.levels(Math.max(1, capacity));
  }

  @Override
  public Layout layout() {
    int other = levels() > 0 ? capacity : 1;
    int tiles = mostTiles() + 1;
    return Layout.reads(input)
        .alsoReads(bits)
        .derives(0, input)
        .derives(1, input, LengthRule.parts(IntSegmentSortKernels.TILE))
        .scratch(slot("keys"), order.type(), isOrder ? other : 1)
        .scratch(slot("otherkeys"), order.type(), other)
        .scratch(slot("positions"), ElementType.INT, 1)
        .scratch(slot("otherpositions"), ElementType.INT, isOrder ? other : 1)
        .scratch(slot("firsts"), ElementType.INT, tiles)
        .scratch(slot("lasts"), ElementType.INT, tiles)
        .scratch(slot("groups"), ElementType.INT, 2 * groups())
        .scratch(slot("previous"), ElementType.INT, tiles)
        .scratch(slot("next"), ElementType.INT, tiles)
        .scratch(slot("needed"), ElementType.INT, IntSegmentSortKernels.NEEDED)
        .writes(id, isOrder ? ElementType.INT : order.type(), capacity, input)
        .counts(id)
        .checkedWith(CHECKED);
  }

  @Override
  public int[] shape(Lengths lengths) {
    int bitsOfWords = order.type() == ElementType.LONG ? Long.SIZE : Integer.SIZE;
    boolean isWhole = order.toBit() == bitsOfWords;
    return new int[] {
      0, // length
      0, // tiles
      IntSegmentSortKernels.PIECES,
      lengths.offset(input),
      isOrder ? 0 : lengths.offset(id),
      isOrder ? lengths.offset(id) : 0,
      order.fromBit(),
      order.toBit() - 1,
      isWhole == order.comparesSign() ? 0 : 1,
      order.isDescending() ? 1 : 0,
      levels(),
      IntSegmentSortKernels.ITEMS
    };
  }

  @Override
  public void launch(Launches launches) {
    Class<?> kernels =
        TwinClass.of(MethodHandles.lookup(), IntSegmentSortKernels.class, order.type());
    int threads = IntSegmentSortKernels.THREADS;
    int blocks = Math.min(2 * mostTiles(), IntSegmentSortKernels.MOST_BLOCKS);
    launches
        .array("input", input)
        .array("bits", bits)
        .array("sortedKeys", isOrder ? slot("keys") : id)
        .array("otherKeys", slot("otherkeys"))
        .array("sortedPositions", isOrder ? id : slot("positions"))
        .array("otherPositions", slot("otherpositions"))
        .array("firsts", slot("firsts"))
        .array("lasts", slot("lasts"))
        .array("groups", slot("groups"))
        .array("previous", slot("previous"))
        .array("next", slot("next"))
        .array("needed", slot("needed"))
        .value("blocks", blocks)
        .value("outputs", isOrder ? IntSegmentSortKernels.POSITIONS : IntSegmentSortKernels.KEYS)
        .add("find", SegmentLinkKernels.class, "find", Grid.of(groups(), threads))
        .add("link", SegmentLinkKernels.class, "link", Grid.of(groups(), threads))
        .add("sort", kernels, "sort", Grid.of(mostTiles(), threads));
    for (int level = 0; level < levels(); level++) {
      launches
          .value("turn", level % 2)
          .add(
              KernelTask.repetition(level % 2 == 0 ? "even" : "odd", level),
              kernels,
              "merge",
              Grid.of(blocks, threads));
    }
  }

  @Override
  public Primitive in(Setting setting) {
    return new SegmentedTileSort(id, input, bits, order, isOrder, setting.capacity(capacity));
  }

  @Override
  public void runOnJvm(JvmRun run) {
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

  /** For each key where its segment begins. */
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
