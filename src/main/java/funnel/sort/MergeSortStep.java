package funnel.sort;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.OperatorThrewException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sorts keys, or positions of keys or rows, stably, by merges.
 *
 * @param keys the keys; for rows two or three columns, as many as the order compares
 * @param isOrder whether the output is positions instead of keys; true for rows
 */
record MergeSortStep(
    String id, List<String> keys, ElementType type, MergeOrder order, boolean isOrder, int capacity)
    implements Primitive {

  /* Tiles are sorted, and then merged in as many passes as the capacity needs, alternating between
   * two places, the second of which is the output, or scratch for keys that are no output. A
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

  private static final int[] OFFSETS_AT = {
    IntMergeKernels.IN_FIRST, IntMergeKernels.IN_SECOND_COLUMN, IntMergeKernels.IN_THIRD_COLUMN
  };

  private String slot(String name) {
    return id + "." + name;
  }

  private String slot(String name, int column) {
    return slot(name + column);
  }

  private int tile() {
    return IntMergeKernels.sortedItems(type, isOrder) * IntMergeKernels.THREADS;
  }

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
  public Step in(Setting setting) {
    return new MergeSortStep(id, keys, type, order, isOrder, setting.capacity(capacity))
        .step(Step.of(this, setting));
  }

  private Step step(Step step) {
    int other = passes() > 0 ? capacity : 1;
    int splits = 1 + IntMergeKernels.tiles(capacity, mergeItems());
    String first = keys.getFirst();
    ElementType written = isOrder ? ElementType.INT : type;
    order.functions().forEach(function -> step.applies(function, first));
    step.derives(IntMergeKernels.LENGTH, first, LengthRule.LENGTH)
        .numbers(IntMergeKernels.SECOND_LENGTH, 0)
        .numbers(IntMergeKernels.IN_SECOND, 0)
        .numbers(IntMergeKernels.IN_OTHER, 0)
        .numbers(IntMergeKernels.POSITIONS_IN_OTHER, 0)
        .number(IntMergeKernels.IN_OUTPUT, lengths -> isOrder ? 0 : lengths.offset(id))
        .scratch("otherPositions", slot("otherpositions"), ElementType.INT, isOrder ? other : 1)
        .scratch("splits", slot("splits"), ElementType.INT, splits)
        .writes("output", id, written, capacity, first, IntMergeKernels.POSITIONS_IN_OUTPUT)
        .counts()
        .checkedWith(2 * tile() + 77)
        .takesForGranted(order.takesForGranted())
        .onDevice(this::merge)
        .onJvm(this::sort);
    for (int column = 0; column < MOST_COLUMNS; column++) {
      boolean isThere = column < keys.size();
      String parameter = column == 0 ? "keys" : "column" + (column + 1);
      if (isThere) {
        step.readsFound(parameter, keys.get(column), OFFSETS_AT[column])
            .equallyLong(keys.get(column), first, "columns of %s are equally long".formatted(id));
      } else {
        step.scratch(parameter, slot("column", column), type, 1).number(OFFSETS_AT[column], 0);
      }
      int most = isThere && isOrder && passes() > 1 ? capacity : 1;
      step.scratch("ownKeys" + column, slot("keys", column), type, most)
          .scratch("otherKeys" + column, slot("otherkeys", column), type, isThere ? other : 1);
    }
    return step;
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

  private void merge(Launches launches) {
    int sortedItems = IntMergeKernels.sortedItems(type, isOrder);
    int tiles = IntMergeKernels.tiles(capacity, mergeItems());
    Grid blocks = Grid.of(tiles, IntMergeKernels.THREADS);
    int splitBlocks = tiles / IntMergeKernels.SPLIT_THREADS + 1;
    launches
        .array("sortedKeys", keys(0, 0))
        .array("sorted2", keys(1, 0))
        .array("sorted3", keys(2, 0))
        .array("sortedPositions", positions(0))
        .value("by", order.by())
        .value("outputs", outputs(0))
        .value("items", sortedItems)
        .value("toAt", offsetAt(0))
        .kernels(IntMergeKernels.class, type)
        .launch(
            "tiles",
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
          .launch("split" + pass, "split", Grid.of(splitBlocks, IntMergeKernels.SPLIT_THREADS))
          .launch("merge" + pass, "merge", blocks);
    }
  }

  private void sort(JvmRun run) {
    MemorySegment output = run.output(id);
    int length = run.length(keys.getFirst());
    if (order.columns() > 1) {
      MergeOrder.Rows rows = order.rows(type);
      rows.take(keys.stream().map(run::input).toList());
      MemorySegment positions = MemorySegment.ofArray(IntStream.range(0, length).toArray());
      OperatorThrewException.naming(
          order.functions(), () -> MergeOrder.calling(rows).sort(positions, length, output, null));
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
                isOrder ? output : null));
  }
}
