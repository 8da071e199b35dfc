package funnel.select;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;

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
record RunHeadsStep(String id, String input, ElementType type, String counts, int capacity)
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
  public Step in(Setting setting) {
    LengthRule rule = tiles(type);
    int tiles = rule.of(setting.capacity(capacity));
    return Step.of(this, setting)
        .reads("values", input, IntRunKernels.FROM_AT, IntRunKernels.LENGTH_AT)
        .derives(IntRunKernels.TILES_AT, input, rule)
        .number(IntRunKernels.ONE_AT, 1)
        .writes(
            "bits",
            id,
            ElementType.INT,
            tiles * IntRunKernels.THREADS,
            input,
            rule.times(IntRunKernels.THREADS))
        .writes("counts", counts, ElementType.INT, 2 * (tiles + 1))
        .counts()
        .checkedWith(2 * IntRunKernels.TILE + 77)
        .onDevice(
            launches ->
                launches
                    .value("lead", lead(type))
                    .kernels(IntRunKernels.class, type)
                    .launch("heads", "heads", Grid.of(tiles + 1, IntRunKernels.THREADS)))
        .onJvm(run -> {}); // the JVM finds runs when it stores them
  }
}
