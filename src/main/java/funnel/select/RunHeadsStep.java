package funnel.select;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import org.jspecify.annotations.Nullable;

/**
 * Where runs begin, on a device: a bit for each element, 32 per int, and how many bits are set
 * among each 4096. For 4, 4, 7, 9, 9, 9 the bits are 0b1101, after {@link #lead} zeros.
 *
 * @param counts the name of the array of these numbers. It has one more tile with a count of 0,
 *     since segments' tiles end elsewhere; the counts of tiles after the last element are undefined
 */
record RunHeadsStep(String id, Input elements, String counts) implements Primitive {

  /** Bits of the first word before element 0. */
  static int lead(ElementType type) {
    return SelectTiles.lead(type);
  }

  /** Tiles over elements, at least one. */
  static LengthRule tiles(ElementType type) {
    return LengthRule.parts(IntRunKernels.TILE).beginning(lead(type)).within(1, Integer.MAX_VALUE);
  }

  int mostCounts() {
    return 2 * (tiles(elements.type()).of(elements.capacity()) + 1);
  }

  @Override
  public Step in(Setting setting) {
    LengthRule rule = tiles(elements.type());
    int tiles = rule.of(setting.capacity(elements.capacity()));
    return Step.of(this, setting)
        .reads("values", elements.name(), IntRunKernels.FROM_AT, IntRunKernels.LENGTH_AT)
        .derives(IntRunKernels.TILES_AT, elements.name(), rule)
        .number(IntRunKernels.ONE_AT, 1)
        .writes(
            "bits",
            id,
            ElementType.INT,
            tiles * IntRunKernels.THREADS,
            elements.name(),
            rule.times(IntRunKernels.THREADS))
        .writes("counts", counts, ElementType.INT, 2 * (tiles + 1))
        .counts()
        .checkedWith(2 * IntRunKernels.TILE + 77)
        .onDevice(
            launches ->
                launches
                    .value("lead", lead(elements.type()))
                    .kernels(IntRunKernels.class, elements.type())
                    .launch("heads", "heads", Grid.of(tiles + 1, IntRunKernels.THREADS)))
        .onJvm(run -> {}); // the JVM finds runs when it stores them
  }

  /**
   * The first elements of runs, and their positions: 4, 7, 9 and 0, 2, 3 for 4, 4, 7, 9, 9, 9.
   *
   * @param before the array of the numbers of runs that begin before each 4096 bits
   * @param starts the name of the array of the positions, or null
   */
  record Store(String id, RunHeadsStep heads, String before, @Nullable String starts)
      implements Primitive {

    @Override
    public Step in(Setting setting) {
      String input = heads.elements().name();
      ElementType type = heads.elements().type();
      int capacity = setting.capacity(heads.elements().capacity());
      LengthRule tiles = tiles(type);
      String count = id + ".count";
      Step step =
          Step.of(this, setting)
              .reads("values", input, IntRunKernels.FROM_AT, IntRunKernels.LENGTH_AT)
              .reads("bits", heads.id())
              .reads("before", before)
              .derives(IntRunKernels.TILES_AT, input, tiles)
              .delivers("count", count, ElementType.INT)
              .writesFound("output", id, type, capacity, count, input, IntRunKernels.TO_AT)
              .onDevice(
                  launches ->
                      launches
                          .value("lead", lead(type))
                          .value("hasStarts", starts == null ? 0 : 1)
                          .kernels(IntRunKernels.class, type)
                          .launch(
                              "store",
                              "store",
                              Grid.of(tiles.of(capacity), IntRunKernels.THREADS)));
      return starts == null
          ? step.scratch("starts", id + ".nostarts", ElementType.INT, 1)
              .number(IntRunKernels.STARTS_TO_AT, 0)
          : step.writesFound(
              "starts",
              starts,
              ElementType.INT,
              capacity,
              count,
              input,
              IntRunKernels.STARTS_TO_AT);
    }
  }
}
