package funnel.lessons;

import funnel.heat.HeatGrid;
import funnel.heat.HeatMethod;
import funnel.heat.HeatStepper;
import funnel.kernel.Kernel;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Launches;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The methods by which lectures on GPU computing compute a step of the heat equation, in which
 * shared memory replaces missing caches. For real work leave the choice to {@link
 * funnel.heat.HeatProblem}, whose methods are faster than all of them.
 *
 * {@snippet class="funnel.docs.HeatSnippets" region="variant"}
 */
public enum HeatVariant implements HeatStepper {
  /** 1: each thread reads its five nodes from global memory. */
  GLOBAL,
  /** 2: a tile in shared memory, loaded by a block of 34 x 18 threads for 32 x 16 nodes. */
  HALO_THREADS,
  /** 3: a tile in shared memory; some threads of the 32 x 16 load the nodes around it, too. */
  TILE,
  /** 4: a tile marches along a strip and passes on its last columns in shared memory. */
  STRIP;

  /** These and the {@linkplain HeatMethod solver's own}, in the order of their numbers, from 1. */
  public static final List<HeatStepper> ALL =
      Stream.<HeatStepper>concat(Stream.of(values()), Stream.of(HeatMethod.values())).toList();

  /** The largest number of blocks along y on a device. */
  private static final int MOST_UP = 65535;

  @Override
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Diffusivities by cell only by {@link #GLOBAL}. */
  @Override
  public boolean takes(HeatGrid grid) {
    return this == GLOBAL || !grid.hasCells();
  }

  /** A block for each tile, or strip of tiles. */
  @Override
  public void launch(Launches launches, String task, HeatGrid grid, boolean rowsAtOnce) {
    int width = FloatHeatTileKernels.WIDTH;
    int height = FloatHeatTileKernels.HEIGHT;
    int lead = 16 / grid.type().bytes(); // the kernels' LEAD
    int around = this == HALO_THREADS ? 2 : 0;
    int rows = Math.ceilDiv(grid.ny(), height);
    int up = Math.min(rows, MOST_UP);
    int layers = Math.ceilDiv(rows, MOST_UP);
    int across = this == STRIP ? 1 : Math.ceilDiv(grid.nx() + lead, width);
    launches
        .value("across", layers > 1 ? across : 0)
        .value("up", up)
        .kernels(FloatHeatTileKernels.class, grid.type())
        .launch(
            task,
            Kernel.nameOf(this) + (grid.hasCells() ? "StepOfCells" : "Step"),
            new Grid(Math.multiplyExact(across, layers), width + around, up, height + around));
  }

  /**
   * The variant or method of a name.
   *
   * @param name a label, in any case, or a number
   * @throws IllegalArgumentException if there is none; the message has the names
   */
  public static HeatStepper of(String name) {
    String wanted = name.strip().toLowerCase(Locale.ROOT);
    return IntStream.range(0, ALL.size())
        .filter(at -> wanted.equals(ALL.get(at).label()) || wanted.equals("" + (at + 1)))
        .mapToObj(ALL::get)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown method '%s': use auto, %s"
                        .formatted(
                            name,
                            IntStream.range(0, ALL.size())
                                .mapToObj(at -> at + 1 + " or " + ALL.get(at).label())
                                .collect(Collectors.joining(", ")))));
  }
}
