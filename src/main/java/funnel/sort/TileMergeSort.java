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

/**
 * Sorts keys, or the positions that they are at, stably, by merges.
 *
 * @param id its name, and that of the array it writes
 * @param input the keys
 * @param type their type
 * @param order the order
 * @param isOrder whether the positions are wanted, and not the keys
 * @param capacity the most keys
 */
record TileMergeSort(
    String id, String input, ElementType type, MergeOrder order, boolean isOrder, int capacity)
    implements Primitive {

  /* Tiles are sorted, and then merged in as many passes as the capacity needs, to and fro between
   * two places, the second of which is the output, or scratch for keys that are not wanted. A length
   * may be found to need fewer passes. Then an even number of passes is left, which do nothing; of
   * an odd number the first one, whose second runs are all empty, copies. So each pass has a length
   * up to which it does nothing.
   */

  /** Three tiles, the last of which is not full: two passes. */
  private static final int CHECKED = 2 * IntMergeKernels.TILE + 77;

  private String slot(String name) {
    return id + "." + name;
  }

  private int passes() {
    int passes = 0;
    for (long run = IntMergeKernels.TILE; run < capacity; run *= 2) {
      passes++;
    }
    return passes;
  }

  @Override
  public Layout layout() {
    int other = passes() > 0 ? capacity : 1;
    int splits = 1 + IntMergeKernels.tiles(capacity);
    return Layout.reads(input)
        .derives(0, input)
        .scratch(slot("keys"), type, isOrder && passes() > 1 ? capacity : 1)
        .scratch(slot("otherkeys"), type, other)
        .scratch(slot("otherpositions"), ElementType.INT, isOrder ? other : 1)
        .scratch(slot("splits"), ElementType.INT, splits)
        .writes(id, isOrder ? ElementType.INT : type, capacity, input)
        .counts(id)
        .checkedWith(CHECKED);
  }

  @Override
  public int[] shape(Lengths lengths) {
    int to = lengths.offset(id);
    return new int[] {
      0, // length
      0,
      IntMergeKernels.ITEMS,
      lengths.offset(input),
      0,
      isOrder ? 0 : to,
      0,
      to, // of positions
      0
    };
  }

  private boolean isOther(int pass) {
    return (passes() - pass) % 2 == 1;
  }

  /** Where the keys are before a pass, or after the last. */
  private String keys(int pass) {
    return isOther(pass) ? slot("otherkeys") : isOrder ? slot("keys") : id;
  }

  private String positions(int pass) {
    return isOther(pass) || !isOrder ? slot("otherpositions") : id;
  }

  private int offsetAt(int pass) {
    return isOther(pass) ? IntMergeKernels.IN_OTHER : IntMergeKernels.IN_OUTPUT;
  }

  private int outputs(int pass) {
    return isOrder
        ? IntMergeKernels.POSITIONS + (pass < passes() ? IntMergeKernels.KEYS : 0)
        : IntMergeKernels.KEYS;
  }

  @Override
  public void launch(Launches launches) {
    Class<?> kernels = order.kernels(type);
    int tiles = IntMergeKernels.tiles(capacity);
    Grid blocks = Grid.of(tiles, IntMergeKernels.THREADS);
    int splitBlocks = tiles / IntMergeKernels.SPLIT_THREADS + 1;
    launches
        .array("keys", input)
        .array("sortedKeys", keys(0))
        .array("sortedPositions", positions(0))
        .array("splits", slot("splits"))
        .value("by", order.by())
        .value("outputs", outputs(0))
        .value("toAt", offsetAt(0))
        .value("last", passes() == 0 ? 1 : 0)
        .add("tiles", kernels, "sortTiles", blocks);
    for (int pass = 0; pass < passes(); pass++) {
      int run = IntMergeKernels.TILE << pass;
      launches
          .array("first", keys(pass))
          .array("second", keys(pass))
          .array("merged", keys(pass + 1))
          .array("positions", positions(pass))
          .array("mergedPositions", positions(pass + 1))
          .value("run", run)
          .value("least", !isOther(pass) ? run : pass == 0 ? 0 : run / 2)
          .value("outputs", outputs(pass + 1) + (isOrder ? IntMergeKernels.MOVED : 0))
          .value("fromAt", offsetAt(pass))
          .value("toAt", offsetAt(pass + 1))
          .value("last", pass + 1 == passes() ? 1 : 0)
          .add(
              "split" + pass, kernels, "split", Grid.of(splitBlocks, IntMergeKernels.SPLIT_THREADS))
          .add("merge" + pass, kernels, "merge", blocks);
    }
  }

  @Override
  public Primitive in(Setting setting) {
    return new TileMergeSort(id, input, type, order, isOrder, setting.capacity(capacity));
  }

  @Override
  public String takesForGranted() {
    return order.takesForGranted();
  }

  @Override
  public List<Combined> combined() {
    return order.combined(input);
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MergeLoops loops = run.kept(id, MergeLoops.class, () -> order.loops(type));
    MemorySegment output = run.output(id);
    OperatorThrewException.naming(
        order.functions(),
        () ->
            loops.sort(
                run.input(input),
                run.length(input),
                isOrder ? null : output,
                isOrder ? output : null,
                order.comparator()));
  }
}
