package funnel.sort;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.operator.OperatorThrewException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sorts keys, or positions of keys or rows, stably, by merges.
 *
 * @param id its name, and that of the array it writes
 * @param keys the keys; for rows two or three columns, as many as the order compares
 * @param type their type
 * @param order the order
 * @param isOrder whether the positions are wanted instead of the keys; true for rows
 * @param capacity the largest number of keys
 */
record TileMergeSort(
    String id, List<String> keys, ElementType type, MergeOrder order, boolean isOrder, int capacity)
    implements Primitive {

  /* Tiles are sorted, and then merged in as many passes as the capacity needs, alternating between
   * two places, the second of which is the output, or scratch for keys that are not wanted. A
   * shorter length needs fewer passes. If the number of passes that are not needed is even, they do
   * nothing; if it is odd, the first of them, whose second runs are all empty, copies. So each pass
   * has a length up to which it does nothing.
   */

  /**
   * The number of columns that kernels have parameters for. Each missing column is a separate
   * array, since TornadoVM does not terminate if the same array is bound to two parameters and
   * written through the first.
   */
  private static final int MOST_COLUMNS = 3;

  private String slot(String name) {
    return id + "." + name;
  }

  private String slot(String name, int column) {
    return slot(name + column);
  }

  /** A column of the input; an unused array if there are fewer. */
  private String column(int column) {
    return column < keys.size() ? keys.get(column) : slot("column", column);
  }

  /** Elements of a tile that is sorted. */
  private int tile() {
    return IntMergeKernels.sortedItems(type, isOrder) * IntMergeKernels.THREADS;
  }

  /** Elements that a thread merges. */
  private int mergeItems() {
    return IntMergeKernels.items(type);
  }

  private int passes() {
    int passes = 0;
    for (long run = tile(); run < capacity; run *= 2) {
      passes++;
    }
    return passes;
  }

  @Override
  public Layout layout() {
    int other = passes() > 0 ? capacity : 1;
    int splits = 1 + IntMergeKernels.tiles(capacity, mergeItems());
    Layout layout =
        Layout.reads()
            .derives(0, keys.getFirst())
            .scratch(slot("otherpositions"), ElementType.INT, isOrder ? other : 1)
            .scratch(slot("splits"), ElementType.INT, splits)
            .writes(id, isOrder ? ElementType.INT : type, capacity, keys.getFirst())
            .counts(id)
            .checkedWith(2 * tile() + 77);
    for (int column = 0; column < MOST_COLUMNS; column++) {
      boolean isThere = column < keys.size();
      if (isThere) {
        layout.readsFound(keys.get(column)).sameLength(keys.get(column), keys.getFirst());
      } else {
        layout.scratch(slot("column", column), type, 1);
      }
      layout
          .scratch(slot("keys", column), type, isThere && isOrder && passes() > 1 ? capacity : 1)
          .scratch(slot("otherkeys", column), type, isThere ? other : 1);
    }
    return layout;
  }

  @Override
  public void requireLengths(Lengths lengths) {
    String first = keys.getFirst();
    for (String column : keys) {
      if (lengths.length(column) != lengths.length(first)) {
        throw new IllegalArgumentException(
            "columns of %s are equally long: length of %s=%s, length of %s=%s"
                .formatted(id, first, lengths.length(first), column, lengths.length(column)));
      }
    }
  }

  @Override
  public int[] shape(Lengths lengths) {
    int to = lengths.offset(id);
    return new int[] {
      0, // length
      0,
      offset(lengths, 0),
      0,
      isOrder ? 0 : to,
      0,
      to, // of positions
      0,
      offset(lengths, 1),
      offset(lengths, 2)
    };
  }

  private int offset(Lengths lengths, int column) {
    return column < keys.size() ? lengths.offset(keys.get(column)) : 0;
  }

  private boolean isOther(int pass) {
    return (passes() - pass) % 2 == 1;
  }

  /** Where a column of keys is before a pass, or after the last pass. */
  private String keys(int column, int pass) {
    return isOther(pass)
        ? slot("otherkeys", column)
        : isOrder || column > 0 ? slot("keys", column) : id;
  }

  private String positions(int pass) {
    return isOther(pass) || !isOrder ? slot("otherpositions") : id;
  }

  private int offsetAt(int pass) {
    return isOther(pass) ? IntMergeKernels.IN_OTHER : IntMergeKernels.IN_OUTPUT;
  }

  private int outputs(int pass) {
    boolean isLast = pass == passes();
    return (isOrder ? IntMergeKernels.POSITIONS : 0)
        + (isOrder && isLast ? 0 : IntMergeKernels.KEYS)
        + (isLast ? IntMergeKernels.LAST : 0);
  }

  @Override
  public void launch(Launches launches) {
    Class<?> kernels = order.kernels(IntMergeKernels.class, type);
    int sortedItems = IntMergeKernels.sortedItems(type, isOrder);
    int tiles = IntMergeKernels.tiles(capacity, mergeItems());
    Grid blocks = Grid.of(tiles, IntMergeKernels.THREADS);
    int splitBlocks = tiles / IntMergeKernels.SPLIT_THREADS + 1;
    launches
        .array("keys", keys.getFirst())
        .array("column2", column(1))
        .array("column3", column(2))
        .array("sortedKeys", keys(0, 0))
        .array("sorted2", keys(1, 0))
        .array("sorted3", keys(2, 0))
        .array("sortedPositions", positions(0))
        .array("splits", slot("splits"))
        .value("by", order.by())
        .value("outputs", outputs(0))
        .value("items", sortedItems)
        .value("toAt", offsetAt(0))
        .add(
            "tiles",
            kernels,
            "sortTiles",
            Grid.of(IntMergeKernels.tiles(capacity, sortedItems), IntMergeKernels.THREADS));
    for (int pass = 0; pass < passes(); pass++) {
      int run = tile() << pass;
      launches
          .array("first", keys(0, pass))
          .array("second", keys(1, pass))
          .array("column3", keys(2, pass))
          .array("merged", keys(0, pass + 1))
          .array("merged2", keys(1, pass + 1))
          .array("merged3", keys(2, pass + 1))
          .array("positions", positions(pass))
          .array("mergedPositions", positions(pass + 1))
          .value("run", run)
          .value("least", !isOther(pass) ? run : pass == 0 ? 0 : run / 2)
          .value("outputs", outputs(pass + 1) + (isOrder ? IntMergeKernels.MOVED : 0))
          .value("fromAt", offsetAt(pass))
          .value("items", mergeItems())
          .add(
              "split" + pass, kernels, "split", Grid.of(splitBlocks, IntMergeKernels.SPLIT_THREADS))
          .add("merge" + pass, kernels, "merge", blocks);
    }
  }

  @Override
  public Primitive in(Setting setting) {
    return new TileMergeSort(id, keys, type, order, isOrder, setting.capacity(capacity));
  }

  @Override
  public String takesForGranted() {
    return order.takesForGranted();
  }

  @Override
  public List<Combined> combined() {
    return order.combined(keys.getFirst());
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MemorySegment output = run.output(id);
    int length = run.length(keys.getFirst());
    if (order.columns() > 1) {
      RowComparator rows = order.rows(type);
      rows.take(keys.stream().map(run::input).toList(), order.comparator());
      MemorySegment positions = MemorySegment.ofArray(IntStream.range(0, length).toArray());
      OperatorThrewException.naming(
          order.functions(),
          () -> MergeOrder.calling().sort(positions, length, output, null, rows));
      return;
    }
    MergeLoops loops = run.kept(id, MergeLoops.class, () -> order.loops(type));
    OperatorThrewException.naming(
        order.functions(),
        () ->
            loops.sort(
                run.input(keys.getFirst()),
                length,
                isOrder ? null : output,
                isOrder ? output : null,
                order.comparator()));
  }
}
