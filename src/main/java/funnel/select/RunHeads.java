package funnel.select;

import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.invoke.MethodHandles;

/**
 * Where runs begin, on a device: a bit for each element, 32 per int, and how many bits are set
 * among each 4096. For 4, 4, 7, 9, 9, 9 the bits are 0b1101, after {@link #lead} zeros.
 *
 * @param id its name and that of the array of bits
 * @param input the elements
 * @param type their type
 * @param counts the name of the array of these numbers. It has one more tile with a count of 0,
 *     since segments' tiles end elsewhere; the counts of tiles after the last element are undefined
 * @param capacity the largest number of elements
 */
record RunHeads(String id, String input, ElementType type, String counts, int capacity)
    implements Primitive {

  /** Bits of the first word before element 0. */
  static int lead(ElementType type) {
    return SelectTiles.lead(type);
  }

  /** Tiles over elements, at least one. */
  static LengthRule tiles(ElementType type) {
    return LengthRule.parts(IntRunKernels.TILE).beginning(lead(type)).within(1, Integer.MAX_VALUE);
  }

  /** Elements of the array of counts. */
  int mostCounts() {
    return 2 * (tiles(type).of(capacity) + 1);
  }

  @Override
  public Layout layout() {
    int tiles = tiles(type).of(capacity);
    return Layout.reads(input)
        .derives(0, input)
        .derives(1, input, tiles(type))
        .writes(
            id,
            ElementType.INT,
            tiles * IntRunKernels.THREADS,
            lengths -> tiles(type).of(lengths.length(input)) * IntRunKernels.THREADS)
        .writes(counts, ElementType.INT, mostCounts())
        .counts(id)
        .checkedWith(2 * IntRunKernels.TILE + 77);
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {0, 0, lengths.offset(input), 1};
  }

  @Override
  public void launch(Launches launches) {
    launches
        .array("values", input)
        .array("bits", id)
        .array("counts", counts)
        .value("lead", lead(type))
        .add(
            "heads",
            TwinClass.of(MethodHandles.lookup(), IntRunKernels.class, type),
            "heads",
            Grid.of(tiles(type).of(capacity) + 1, IntRunKernels.THREADS));
  }

  @Override
  public Primitive in(Setting setting) {
    return new RunHeads(id, input, type, counts, setting.capacity(capacity));
  }

  /** The JVM finds runs when it stores them. */
  @Override
  public void runOnJvm(JvmRun run) {}
}
