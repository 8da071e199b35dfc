package funnel.heat;

import funnel.Array;
import funnel.Doubles;
import funnel.Floats;
import funnel.Funnel;
import funnel.operation.Input;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The heat equation {@code du/dt = div(a grad u) + s} on a rectangle: a field of temperatures that
 * is advanced step by step on a device, or on the JVM, with the same bits. This class describes the
 * problem and checks it as a whole; {@link #open(Funnel)} creates the solver, a {@link Heat2D}.
 *
 * {@snippet class="funnel.docs.HeatSnippets" region="problem"}
 *
 * <p><b>Grid.</b> nx nodes along x and ny along y, at distances dx and dy; node (i, j) is at x = i
 * dx, y = j dy, and at index {@code j * nx + i} of all arrays. Lengths, times and temperatures are
 * in the caller's units; the diffusivity a is in square lengths per time, the source s in
 * temperatures per time.
 *
 * <p><b>A step</b> (forward in time, centred in space) replaces each node u, with l, r, d, t to the
 * left, to the right, below and above, by
 *
 * <pre>{@code
 * h = l + r;  v = d + t;  z = fma(k, v, h);  z = fma(-m, u, z);  u' = fma(cx, z, u) + s dt
 * }</pre>
 *
 * where {@code cx = a dt / dx^2}, {@code k = dx^2 / dy^2} and {@code m = 2 + 2k}; k is rounded so
 * that m is exact. For example, with five nodes 0, 0, 1, 0, 0 in one row between two sides of value
 * 0, the other sides insulated, a = dx = dy = 1 and dt = 1/4, the step gives 0, 1/4, 1/2, 1/4, 0.
 * Without a source the last addition is omitted. If each cell has its own diffusivity, faces
 * between nodes have the harmonic mean of their cells', and the step is {@code a = fma(fr, r - u,
 * -(fl * (u - l)))}, {@code b = fma(ft, t - u, -(fd * (u - d)))}, {@code u' = u + (a + b)}, with f
 * the faces' mean times dt / dx^2 or dt / dy^2.
 *
 * <p><b>Same bits.</b> All methods, the JVM and every device give these bits, however steps are
 * divided among calls. Fields that are symmetric under a reflection stay so to the bit; those that
 * are symmetric under transposition stay so if dx = dy.
 *
 * <p><b>Sides</b> are {@linkplain Side#neumann(double) insulated} by default. At a corner,
 * Dirichlet sides take precedence over others, and the bottom and top over the left and right.
 * Sides and source may change in time, see {@link Heat2D}.
 *
 * <p><b>Stability.</b> Above {@code dt = 1 / (a (w/dx^2 + v/dy^2))}, a the largest diffusivity,
 * errors can grow; building a problem with such a dt throws an {@link UnstableStepException},
 * unless {@link Builder#unstable} allows it. w is 2, or with a wall at the left or right 3, with a
 * Robin side there 2 + (b - 2) / (b + 2), b = transfer times dx, where that is more; v is the same
 * along y. (In a grid of one node along an axis both its sides count.) Below it, a field's extremes
 * never grow, except through a source and through the sides. Changes in a step below half a unit in
 * the last place are lost: very smooth fields of floats stand still; use doubles for them.
 *
 * <p>Immutable; any number of solvers may be opened, also simultaneously. It holds one field on the
 * host, unless the initial field is a kept array, one more for a source, two for diffusivities by
 * cell, and the grid's rim for values of sides.
 *
 * <p>Source: the explicit scheme of Courant, Friedrichs and Lewy, 1928; several steps per pass
 * after Matsumura et al., <i>AN5D: Automated Stencil Framework for High-Degree Temporal Blocking on
 * GPUs</i>, 2020.
 */
public final class HeatProblem {

  private final HeatScheme scheme;
  private final @Nullable HeatStepper method;
  private final int batch;
  private final HeatArrays arrays;
  private final @Nullable Array<?, ?> given;

  private HeatProblem(
      HeatScheme scheme,
      @Nullable HeatStepper method,
      int batch,
      HeatArrays arrays,
      @Nullable Array<?, ?> given) {
    this.given = given;
    this.scheme = scheme;
    this.method = method;
    this.batch = batch;
    this.arrays = arrays;
  }

  /**
   * Starts a problem of nx x ny nodes.
   *
   * @throws IllegalArgumentException if a number is less than 1, or there are more nodes than an
   *     array can have elements
   */
  public static Builder builder(int nx, int ny) {
    return new Builder(nx, ny);
  }

  /**
   * Opens a solver on the caller's Funnel, which must stay open: compiles kernels and allocates the
   * device's memory, or reuses those of a closed solver of the same kind.
   *
   * @throws HeatFieldException if the initial field is a kept array with NaN or infinities
   * @throws IllegalArgumentException if it is a kept array of another Funnel
   * @throws IllegalStateException if it is a closed one
   * @throws funnel.operation.FunnelMemoryException if the fields do not fit on the device
   * @throws funnel.operation.FunnelDeviceException if a kernel does not compile
   */
  public Heat2D open(Funnel funnel) {
    return new Heat2D(this, Objects.requireNonNull(funnel, "funnel"), false);
  }

  /** Opens a solver on the best available engine, which is closed with the solver. */
  public Heat2D open() {
    return new Heat2D(this, Funnel.open(), true);
  }

  HeatScheme scheme() {
    return scheme;
  }

  /** The method that {@link Builder#method} has set, or null. */
  @Nullable HeatStepper method() {
    return method;
  }

  /** The maximum number of steps of a run. */
  int batch() {
    return batch;
  }

  /** The initial arrays of a program. */
  HeatArrays arrays() {
    return arrays;
  }

  /** The kept array that is the initial field, in place of that of {@link #arrays}. */
  @Nullable Array<?, ?> given() {
    return given;
  }

  /** The number of nodes along x. */
  public int nx() {
    return scheme.grid().nx();
  }

  /** The number of nodes along y. */
  public int ny() {
    return scheme.grid().ny();
  }

  /** The distance of nodes along x. */
  public double dx() {
    return scheme.dx();
  }

  /** The distance of nodes along y. */
  public double dy() {
    return scheme.dy();
  }

  /** The type of the field. */
  public ElementType type() {
    return scheme.grid().type();
  }

  /** The time of a step. */
  public double dt() {
    return scheme.dt();
  }

  @Override
  public String toString() {
    return scheme.toString();
  }

  /** Collects the parts of a problem, then builds it. For use by one thread. */
  public static final class Builder {

    private final int nx;
    private final int ny;
    private final Side[] sides = new Side[HeatGrid.SIDES.size()];
    private ElementType type = ElementType.FLOAT;
    private double dx = 1;
    private double dy = 1;
    private double diffusivity = 1;
    private @Nullable HeatCells cells;
    private @Nullable Double dt;
    private double safety = 0.8;
    private boolean mayBeUnstable;
    private @Nullable HeatValues field;
    private @Nullable DoubleBinaryOperator fieldFunction;
    private @Nullable Array<?, ?> given;
    private @Nullable HeatValues source;
    private @Nullable DoubleBinaryOperator sourceFunction;
    private @Nullable HeatStepper method;
    private int batch = HeatBatches.LARGEST;

    private Builder(int nx, int ny) {
      long nodes = (nx + 1L) * (ny + 1L);
      int most = Input.LARGEST_CAPACITY - HeatArrays.COUNT; // one row has more of them
      if (nx < 1 || ny < 1 || nodes > most) {
        throw new IllegalArgumentException(
            "no such grid: nx=%s, ny=%s; each is at least 1, and (nx + 1) * (ny + 1)=%s at most %s"
                .formatted(nx, ny, nodes, most));
      }
      this.nx = nx;
      this.ny = ny;
      Arrays.fill(sides, Side.neumann(0));
    }

    private static double positive(String name, double value) {
      if (!(value > 0 && Double.isFinite(value))) {
        throw new IllegalArgumentException(
            "%s is not positive and finite: %s".formatted(name, value));
      }
      return value;
    }

    /**
     * The type of the field: {@link ElementType#FLOAT}, the default, or DOUBLE.
     *
     * @throws IllegalArgumentException if it is another type
     */
    public Builder type(ElementType newType) {
      if (!newType.isFloating()) {
        throw new IllegalArgumentException("a field is of FLOAT or DOUBLE: type=" + newType);
      }
      type = newType;
      return this;
    }

    /**
     * The distances of nodes along x and y; the default is 1.
     *
     * @throws IllegalArgumentException if one is not positive and finite
     */
    public Builder spacing(double newDx, double newDy) {
      dx = positive("dx", newDx);
      dy = positive("dy", newDy);
      return this;
    }

    /**
     * The diffusivity of all nodes; the default is 1.
     *
     * @throws IllegalArgumentException if it is negative, NaN or infinite
     */
    public Builder diffusivity(double newDiffusivity) {
      if (!(newDiffusivity >= 0 && Double.isFinite(newDiffusivity))) {
        throw new IllegalArgumentException(
            "diffusivity is negative or not finite: " + newDiffusivity);
      }
      diffusivity = newDiffusivity;
      cells = null;
      return this;
    }

    /**
     * The diffusivity of each node's cell.
     *
     * @param newCells nx * ny of them, copied
     * @throws HeatFieldException if one is negative, NaN or infinite
     * @throws IllegalArgumentException if there are more or fewer
     */
    public Builder diffusivity(double[] newCells) {
      cells = HeatCells.of(newCells, nx, ny);
      diffusivity = cells.largest();
      return this;
    }

    /**
     * The diffusivity of each node's cell from a {@code .npy} file of shape (ny, nx), of float or
     * double.
     *
     * @throws HeatFieldException if one is negative, NaN or infinite
     * @throws IllegalArgumentException if it is of another shape or type
     * @throws IOException if it is not such a file, or cannot be read
     */
    public Builder diffusivity(Path file) throws IOException {
      return diffusivity(HeatValues.read("diffusivity", file, nx, ny).toArray(nx, ny));
    }

    /**
     * The time of a step.
     *
     * @throws IllegalArgumentException if it is not positive and finite
     */
    public Builder dt(double newDt) {
      dt = positive("dt", newDt);
      return this;
    }

    /**
     * The time of a step as a fraction of the largest stable one; the default is 0.8. At 1 a
     * chessboard field changes its sign with every step, and never decays.
     *
     * @throws IllegalArgumentException if it is not greater than 0 and at most 1
     */
    public Builder largestStable(double newSafety) {
      if (!(newSafety > 0 && newSafety <= 1)) {
        throw new IllegalArgumentException("safety is not above 0 and at most 1: " + newSafety);
      }
      safety = newSafety;
      dt = null;
      return this;
    }

    /** Allows dt above the limit of stability. */
    public Builder unstable() {
      mayBeUnstable = true;
      return this;
    }

    /**
     * The initial field; the default is 0.
     *
     * @param values nx * ny of them, read when the problem is built
     * @throws IllegalArgumentException if there are more or fewer
     */
    public Builder initial(float[] values) {
      return initial(HeatValues.of("initial field", values, nx, ny));
    }

    /** The initial field, from doubles. */
    public Builder initial(double[] values) {
      return initial(HeatValues.of("initial field", values, nx, ny));
    }

    /**
     * The initial field, as arrays of rows: {@code rows[j][i]} is that of node (i, j).
     *
     * @param rows ny of them, of nx values each, read when the problem is built
     * @throws IllegalArgumentException if there are more or fewer, or a row has more or fewer
     */
    public Builder initial(float[][] rows) {
      return initial(HeatValues.of("initial field", rows, nx, ny));
    }

    /** The initial field, as arrays of rows, from doubles. */
    public Builder initial(double[][] rows) {
      return initial(HeatValues.of("initial field", rows, nx, ny));
    }

    /** The initial field as a function of x and y, called once per node, row after row. */
    public Builder initial(DoubleBinaryOperator function) {
      fieldFunction = Objects.requireNonNull(function, "function");
      given = null;
      return this;
    }

    /**
     * The initial field from a {@code .npy} file of shape (ny, nx), of float or double.
     *
     * @throws IllegalArgumentException if it is of another shape or type
     * @throws IOException if it is not such a file, or cannot be read
     */
    public Builder initial(Path file) throws IOException {
      return initial(HeatValues.read("initial field", file, nx, ny));
    }

    private Builder initial(HeatValues values) {
      field = values;
      fieldFunction = null;
      given = null;
      return this;
    }

    /**
     * The initial field, a {@linkplain Array#keep kept} array: each solver reads it when it is
     * opened, where it is, on a device without a copy on the host. It must be open then, and of the
     * solver's Funnel; later it may be closed.
     *
     * {@snippet class="funnel.docs.HeatSnippets" region="kept"}
     *
     * @param values nx * ny of them, of the problem's type
     * @throws IllegalArgumentException if there are more or fewer
     * @throws IllegalStateException if the array is not kept
     */
    public Builder initial(Floats values) {
      return initial((Array<?, ?>) values);
    }

    /** The initial field, a kept array of doubles, see {@link #initial(Floats)}. */
    public Builder initial(Doubles values) {
      return initial((Array<?, ?>) values);
    }

    private Builder initial(Array<?, ?> values) {
      if (!values.isKept()) {
        throw new IllegalStateException(
            "%s is no initial field, for it is not kept: keep() it first, or give toArray()"
                .formatted(values));
      }
      HeatValues.requireCount("initial field", values.count(), nx, ny);
      given = values;
      field = null;
      fieldFunction = null;
      return this;
    }

    /** The condition at the left side, i = 0. */
    public Builder left(Side side) {
      return side(HeatGrid.LEFT, side);
    }

    /** The condition at the right side, i = nx - 1. */
    public Builder right(Side side) {
      return side(HeatGrid.RIGHT, side);
    }

    /** The condition at the bottom, j = 0. */
    public Builder bottom(Side side) {
      return side(HeatGrid.BOTTOM, side);
    }

    /** The condition at the top, j = ny - 1. */
    public Builder top(Side side) {
      return side(HeatGrid.TOP, side);
    }

    /** The condition at all sides. */
    public Builder sides(Side side) {
      return left(side).right(side).bottom(side).top(side);
    }

    private Builder side(int place, Side side) {
      sides[place] = Objects.requireNonNull(side, HeatGrid.SIDES.get(place));
      return this;
    }

    /**
     * The source that warms each node, in temperatures per time.
     *
     * @param values nx * ny of them, read when the problem is built
     * @throws IllegalArgumentException if there are more or fewer
     */
    public Builder source(double[] values) {
      source = HeatValues.of("source", values, nx, ny);
      sourceFunction = null;
      return this;
    }

    /** The source, as arrays of rows like those of {@link #initial(float[][])}. */
    public Builder source(double[][] rows) {
      source = HeatValues.of("source", rows, nx, ny);
      sourceFunction = null;
      return this;
    }

    /**
     * The source from a {@code .npy} file of shape (ny, nx), of float or double.
     *
     * @throws IllegalArgumentException if it is of another shape or type
     * @throws IOException if it is not such a file, or cannot be read
     */
    public Builder source(Path file) throws IOException {
      source = HeatValues.read("source", file, nx, ny);
      sourceFunction = null;
      return this;
    }

    /** The source as a function of x and y, called once per node, row after row. */
    public Builder source(DoubleBinaryOperator function) {
      sourceFunction = Objects.requireNonNull(function, "function");
      return this;
    }

    /**
     * How a device computes the steps: a {@link HeatMethod}, or another way. The default is the
     * fastest method by measurements.
     */
    public Builder method(HeatStepper newMethod) {
      method = Objects.requireNonNull(newMethod, "method");
      return this;
    }

    /**
     * The maximum number of steps of a run on a device, to measure the host's cost of runs; the
     * default is 512, or 16 if a launch makes one step. A run of one step copies the field as well.
     *
     * @throws IllegalArgumentException if it is not 1, 2, 4, 8, 16, 20, 64 or 512
     */
    public Builder batch(int most) {
      HeatBatches.require(most);
      batch = most;
      return this;
    }

    private void requireSides() {
      for (int place = 0; place < sides.length; place++) {
        sides[place].requireLength(HeatGrid.SIDES.get(place), HeatGrid.isAcrossX(place) ? ny : nx);
      }
      for (int place = 0; place < sides.length; place += 2) {
        if (isPeriodic(place) != isPeriodic(place + 1)) {
          throw new IllegalArgumentException(
              "both or none of two opposite sides must be periodic: %s=%s, %s=%s"
                  .formatted(
                      HeatGrid.SIDES.get(place),
                      sides[place],
                      HeatGrid.SIDES.get(place + 1),
                      sides[place + 1]));
        }
      }
    }

    private double stepTime() {
      if (dt != null) {
        return dt;
      }
      double limit = HeatNumbers.limit(diffusivity, dx, dy, nx, ny, List.of(sides));
      return positive(
          "dt of safety=%s, largest stable dt=%s".formatted(safety, limit), safety * limit);
    }

    private void requireMethod(HeatGrid grid) {
      if (method != null && !method.takes(grid)) {
        throw new IllegalArgumentException(
            "method %s does not support the grid: type=%s, source=%s, diffusivity by cell=%s, sides %s; leave the choice to Funnel"
                .formatted(
                    method.label(), type, grid.hasSource(), grid.hasCells(), List.of(sides)));
      }
    }

    /**
     * Builds the problem: checks everything, and reads the fields.
     *
     * @throws UnstableStepException if dt is above the limit of stability
     * @throws HeatFieldException if a field has NaN, infinities, or numbers too large for the type
     * @throws IllegalArgumentException if a profile is too long or short, only one of two opposite
     *     sides is periodic, the method does not support the grid, or a number is too large or
     *     small for the type, or a kept initial field is of another type
     */
    public HeatProblem build() {
      requireSides();
      double step = stepTime();
      HeatValues sourceValues =
          sourceFunction == null ? source : HeatValues.of("source", sourceFunction, dx, dy);
      HeatGrid grid =
          new HeatGrid(
              type,
              nx,
              ny,
              Stream.of(sides).map(Side::code).toList(),
              sourceValues != null,
              cells != null,
              HeatNumbers.fitting(type, "diffusivity * dt / dx^2", diffusivity * step / (dx * dx)),
              HeatNumbers.ratio(type, dx, dy));
      HeatScheme scheme =
          new HeatScheme(
              grid, dx, dy, step, diffusivity, mayBeUnstable, List.of(sides), List.of(0L, 0L));
      requireMethod(grid);
      HeatValues fieldValues =
          fieldFunction == null ? field : HeatValues.of("initial field", fieldFunction, dx, dy);
      requireType();
      MemorySegment none = HeatNumbers.allocate(type, 1);
      MemorySegment first =
          fieldValues == null
              ? HeatNumbers.allocate(type, given == null ? nx * ny : 1)
              : fieldValues.times(1, type, nx, ny);
      HeatArrays arrays =
          new HeatArrays(
              first,
              first,
              scheme.coefficients(),
              sourceValues == null ? none : sourceValues.times(step, type, nx, ny),
              cells == null ? none : cells.facesX(type, isPeriodic(HeatGrid.LEFT), step, dx),
              cells == null ? none : cells.facesY(type, isPeriodic(HeatGrid.BOTTOM), step, dy));
      if (given == null) {
        HeatLoops.of(type).setSides(grid, arrays);
      }
      return new HeatProblem(scheme.of(arrays), method, batch, arrays, given);
    }

    private void requireType() {
      if (given != null && (type == ElementType.FLOAT) != given instanceof Floats) {
        throw new IllegalArgumentException(
            "the initial field is %s, the problem of type %s: convert the array, asFloats() or asDoubles(), before it is kept"
                .formatted(given, type));
      }
    }

    private boolean isPeriodic(int place) {
      return sides[place].kind() == Side.Kind.PERIODIC;
    }
  }
}
