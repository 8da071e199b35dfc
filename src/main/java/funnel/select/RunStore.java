package funnel.select;

import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * The first elements of runs, and their positions: 4, 7, 9 and 0, 2, 3 for 4, 4, 7, 9, 9, 9.
 *
 * @param id its name and that of the elements
 * @param heads the primitive that finds where runs begin
 * @param before the array of the numbers of runs that begin before each 4096 bits
 * @param starts the name of the array of the positions, or null
 */
record RunStore(String id, RunHeads heads, String before, @Nullable String starts)
    implements Primitive {

  private String count() {
    return id + ".count";
  }

  private String noStarts() {
    return id + ".nostarts";
  }

  @Override
  public Layout layout() {
    String input = heads.input();
    ElementType type = heads.type();
    Layout layout =
        Layout.reads(input, heads.id(), before)
            .derives(0, input)
            .derives(1, input, RunHeads.tiles(type))
            .delivers(count(), ElementType.INT)
            .writesFound(id, type, heads.capacity(), count(), input);
    return starts == null
        ? layout.scratch(noStarts(), ElementType.INT, 1)
        : layout.writesFound(starts, ElementType.INT, heads.capacity(), count(), input);
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      0,
      0,
      lengths.offset(heads.input()),
      lengths.offset(id),
      starts == null ? 0 : lengths.offset(starts)
    };
  }

  @Override
  public void launch(Launches launches) {
    ElementType type = heads.type();
    launches
        .array("values", heads.input())
        .array("bits", heads.id())
        .array("before", before)
        .array("output", id)
        .array("starts", starts == null ? noStarts() : starts)
        .result("count", count())
        .value("lead", RunHeads.lead(type))
        .value("hasStarts", starts == null ? 0 : 1)
        .add(
            "store",
            TwinClass.of(MethodHandles.lookup(), IntRunKernels.class, type),
            "store",
            Grid.of(RunHeads.tiles(type).of(heads.capacity()), IntRunKernels.THREADS));
  }

  @Override
  public Primitive in(Setting setting) {
    return new RunStore(id, (RunHeads) heads.in(setting), before, starts);
  }

  @Override
  public void runOnJvm(JvmRun run) {
    throw new UnsupportedOperationException("%s is for a device".formatted(id));
  }
}
