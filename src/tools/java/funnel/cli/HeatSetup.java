package funnel.cli;

import funnel.Funnel;
import funnel.heat.Heat2D;
import funnel.heat.HeatProblem;
import funnel.heat.Side;
import funnel.lessons.HeatVariant;
import funnel.operator.ElementType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The problem of a run, and its initial state.
 *
 * @param type of the field
 * @param nx nodes along x
 * @param ny nodes along y
 * @param dx distance between nodes along x
 * @param dy distance between nodes along y
 * @param alpha diffusivity, NaN if it differs from cell to cell
 * @param cells a .npy with the diffusivities in that case
 * @param source the source term, a number or a .npy; null for none
 * @param dt time of a step, or NaN for a share of the largest stable one
 * @param safety this share
 * @param sides left, right, bottom, top
 * @param begin the initial field, or the checkpoint to go on from
 */
record HeatSetup(
    ElementType type,
    int nx,
    int ny,
    double dx,
    double dy,
    double alpha,
    @Nullable Path cells,
    @Nullable String source,
    double dt,
    double safety,
    List<Side> sides,
    Begin begin) {

  static final double SAFETY = 0.8;
  private static final int SPOT = 6;

  /** The initial state of a run. */
  sealed interface Begin {
    /** At step 0, with a function of x and y. */
    record Function(DoubleBinaryOperator value) implements Begin {}

    /** At step 0, with a .npy. */
    record Npy(Path file) implements Begin {}

    /** At a checkpoint's step. */
    record Checkpoint(Path file, long step) implements Begin {}
  }

  /** The step that it begins at. */
  long step() {
    return begin instanceof Begin.Checkpoint checkpoint ? checkpoint.step() : 0;
  }

  /** 1 within a circle of a sixth of the shorter side in the middle, 0 elsewhere. */
  static Begin hotSpot(int nx, int ny, double dx, double dy) {
    double x0 = (nx - 1) * dx / 2;
    double y0 = (ny - 1) * dy / 2;
    double radius = Math.max(Math.min(nx * dx, ny * dy) / SPOT, Math.max(dx, dy));
    return new Begin.Function((x, y) -> Math.hypot(x - x0, y - y0) <= radius ? 1 : 0);
  }

  /** From 0 at the left side to 1 at the right. */
  static Begin gradient(int nx, double dx) {
    double width = Math.max(1, nx - 1) * dx;
    return new Begin.Function((x, y) -> x / width);
  }

  /**
   * Builds the solver, at the step that the run begins with.
   *
   * @throws IllegalArgumentException if a number is out of range, or the steps would be unstable
   * @throws funnel.heat.HeatFieldException if the field has numbers that it cannot have
   * @throws IOException if a file cannot be read, or is malformed
   */
  Heat2D build(Funnel funnel, String method, boolean unstable) throws IOException {
    HeatProblem.Builder builder =
        HeatProblem.builder(nx, ny)
            .type(type)
            .spacing(dx, dy)
            .left(sides.get(0))
            .right(sides.get(1))
            .bottom(sides.get(2))
            .top(sides.get(3));
    if (cells == null) {
      builder.diffusivity(alpha);
    } else {
      builder.diffusivity(InputFile.regular(cells));
    }
    if (source != null) {
      setSource(builder, source);
    }
    if (!method.strip().equalsIgnoreCase("auto")) {
      builder.method(HeatVariant.of(method));
    }
    if (unstable) {
      builder.unstable();
    }
    if (Double.isNaN(dt)) {
      builder.largestStable(safety);
    } else {
      builder.dt(dt);
    }
    return switch (begin) {
      case Begin.Function(DoubleBinaryOperator value) ->
          builder.initial(value).build().open(funnel);
      case Begin.Npy(Path file) -> builder.initial(file).build().open(funnel);
      case Begin.Checkpoint(Path file, long step) -> {
        Heat2D heat = builder.build().open(funnel);
        try {
          heat.resume(file);
        } catch (IOException | RuntimeException e) {
          heat.close();
          throw e;
        }
        yield heat;
      }
    };
  }

  /** Diffusivity for messages: a number, or the file that has it by cell. */
  Object shownDiffusivity() {
    return cells == null ? (Object) alpha : cells.toString();
  }

  private static void setSource(HeatProblem.Builder builder, String source) throws IOException {
    double value;
    try {
      value = Double.parseDouble(source);
    } catch (NumberFormatException e) {
      builder.source(InputFile.regular(Path.of(source)));
      return;
    }
    builder.source((x, y) -> value);
  }
}
