package funnel.heat;

import funnel.Funnel;
import funnel.engine.Input;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.Routine;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The heat equation {@code du/dt = div(a grad u) + s} on a rectangle: a field of temperatures that
 * is advanced step by step on a device, or on the JVM, with the same bits.
 *
 * {@snippet class="funnel.docs.HeatSnippets" region="heat"}
 *
 * <p><b>Grid.</b> nx nodes along x and ny along y, at distances dx and dy; node (i, j) is at x = i
 * dx, y = j dy, and at index {@code j * nx + i} of all arrays. Lengths, times and temperatures are
 * in units of the caller's; the diffusivity a is in square lengths a time, the source s in
 * temperatures a time.
 *
 * <p><b>A step</b> (forward in time, centred in space) replaces each node u, with l, r, d, t to the
 * left, to the right, below and above, by
 *
 * <pre>{@code
 * h = l + r;  v = d + t;  z = fma(k, v, h);  z = fma(-m, u, z);  u' = fma(cx, z, u) + s dt
 * }</pre>
 *
 * where {@code cx = a dt / dx^2}, {@code k = dx^2 / dy^2} and {@code m = 2 + 2k}; k is rounded so
 * that m is exact. Of five nodes 0, 0, 1, 0, 0 in one row between two sides of value 0, with the
 * others insulated, a = dx = dy = 1 and dt = 1/4, the step makes 0, 1/4, 1/2, 1/4, 0. Without
 * source the last addition is left out. If the diffusivity is given for each cell, faces between
 * nodes have the harmonic mean of theirs, and the step is {@code a = fma(fr, r - u, -(fl * (u -
 * l)))}, {@code b = fma(ft, t - u, -(fd * (u - d)))}, {@code u' = u + (a + b)}, with f the faces'
 * mean times dt / dx^2 or dt / dy^2.
 *
 * <p><b>Same bits.</b> All methods, the JVM and every device give these bits, however steps are
 * divided among calls. Fields that are symmetric under a reflection stay so to the bit, those
 * symmetric under transposition where dx = dy.
 *
 * <p><b>Sides</b> are {@linkplain Side#neumann insulated} unless said otherwise. At a corner,
 * Dirichlet comes before others, and the bottom's and top's values before the left's and right's.
 *
 * <p><b>Stability.</b> Above {@code dt = 1 / (2a (1/dx^2 + 1/dy^2))}, a the largest diffusivity,
 * errors grow without bound; such a dt is refused unless {@link Builder#unstable} asks for it.
 * Below it, a field's extremes never grow (without source and flux). Changes in a step below half a
 * unit in the last place are lost: very smooth fields of floats stand still; take doubles for them.
 *
 * <p><b>Cost.</b> Two fields in the device's memory, and two on the host; one more for a source,
 * two for diffusivities by cell. A step moves two elements a node to and from memory, one more with
 * a source, at least two more with cells; {@link HeatMethod#REGISTER_STREAM} moves an eighth. Steps
 * run in batches of up to 512, with nothing copied to the host between them.
 *
 * <p>Used by one thread at a time.
 *
 * <p>Source: the explicit scheme of Courant, Friedrichs and Lewy, 1928; several steps a pass after
 * Matsumura et al., <i>AN5D: Automated Stencil Framework for High-Degree Temporal Blocking on
 * GPUs</i>, 2020.
 */
public final class Heat2D implements AutoCloseable {

  /* A program with three routines that measure and one for each number of steps in `batches`. n
   * steps are as many of the largest batches as fit, and the rest such as take the least time
   * together. Every routine finds and leaves the field in the same array; the other one of its size
   * belongs to whatever runs.
   *
   * LONG_BATCHES are for methods that make several steps a launch. More launches than that in a
   * batch do not fit into a task graph of TornadoVM's, nor would they gain anything.
   *
   * An engine can bring back only what it has run on. `initial` is the field until the first run.
   */

  private static final int TOTAL = 0;
  private static final int SQUARES = 1;
  private static final int CHANGE = 2;
  private static final int FIRST_BATCH = 3;

  private static final List<Integer> BATCHES = List.of(16, 8, 4, 2, 1);
  private static final List<Integer> LONG_BATCHES = List.of(512, 64, 20, 16, 8, 4, 2, 1);

  /**
   * What these batches take on a large grid of an H200, in units of what one step by method 5 does.
   */
  private static final List<Double> LONG_COSTS = List.of(97., 12.2, 3.9, 3.2, 2.7, 2.9, 2.1, 2.05);

  private final HeatGrid grid;
  private final double dx;
  private final double dy;
  private final double dt;
  private final double diffusivity;
  private final List<Side> sides;
  private final List<Integer> batches;
  private final int[] nextBatch;
  private final List<Observer> observers;
  private final @Nullable Funnel own;
  private final LoadedProgram loaded;
  private @Nullable MemorySegment initial;
  private long steps;
  private double startTime;
  private long kernelNanos = -1;
  private boolean measured;
  private boolean busy;
  private boolean closed;

  private record Observer(int every, HeatObserver action) {
    void observe(Heat2D heat) {
      try {
        action.observe(heat);
      } catch (IOException e) {
        throw new UncheckedIOException(
            "the observer of every=%d steps failed at step=%d, which is made, as are those before it (%s); mend the cause and step on"
                .formatted(every, heat.steps(), e),
            e);
      }
    }
  }

  private Heat2D(Builder builder, HeatGrid grid, double dt, MemorySegment[] arrays) {
    this.grid = grid;
    this.dx = builder.dx;
    this.dy = builder.dy;
    this.dt = dt;
    this.diffusivity = builder.cells == null ? builder.diffusivity : Double.NaN;
    this.sides = List.of(builder.sides);
    this.batches = batches(grid, builder.method);
    this.nextBatch = nextBatch(batches, builder.batch);
    this.observers = List.copyOf(builder.observers);
    this.own = builder.funnel == null ? Funnel.open() : null;
    Funnel funnel = own != null ? own : Objects.requireNonNull(builder.funnel);
    try {
      loaded = funnel.load(program(grid, builder.method));
    } catch (RuntimeException e) {
      if (own != null) {
        own.close();
      }
      throw e;
    }
    for (int i = 0; i < arrays.length; i++) {
      loaded.set(HeatArrays.NAMES.get(i), arrays[i]);
    }
    this.initial = arrays[0];
  }

  private static HeatMethod method(HeatGrid grid, @Nullable HeatMethod named) {
    return named == null ? HeatChoice.unmeasured(grid) : named;
  }

  private static List<Integer> batches(HeatGrid grid, @Nullable HeatMethod named) {
    return method(grid, named) == HeatMethod.REGISTER_STREAM ? LONG_BATCHES : BATCHES;
  }

  /** For each number of steps up to the largest batch, the batch to begin with. */
  private static int[] nextBatch(List<Integer> batches, int most) {
    int largest = Math.min(most, batches.getFirst());
    int[] next = new int[largest + 1];
    double[] cost = new double[largest + 1];
    for (int steps = 1; steps <= largest; steps++) {
      cost[steps] = Double.POSITIVE_INFINITY;
      for (int i = 0; i < batches.size(); i++) {
        int batch = batches.get(i);
        double own = batches.equals(LONG_BATCHES) ? LONG_COSTS.get(i) : batch + 1. / batch;
        if (batch <= steps && own + cost[steps - batch] < cost[steps]) {
          cost[steps] = own + cost[steps - batch];
          next[steps] = i;
        }
      }
    }
    return next;
  }

  private static Program program(HeatGrid grid, @Nullable HeatMethod named) {
    HeatMethod method = method(grid, named);
    boolean isNamed = named != null;
    List<Input> inputs = HeatArrays.inputs(grid);
    List<Routine> routines = new ArrayList<>();
    List<Input> field = List.of(inputs.get(HeatArrays.NAMES.indexOf(HeatArrays.FIELD)));
    List<Input> next = List.of(inputs.get(HeatArrays.NAMES.indexOf(HeatArrays.NEXT)));
    routines.add(new Routine(Reduction.sumAsDouble().expand("total", field).primitives()));
    routines.add(new Routine(Reduction.sumOfSquares().expand("squares", field).primitives()));
    routines.add(
        new Routine(
            List.of(
                new HeatChange("distances", grid, method, isNamed, false),
                Reduction.max().expand("change", next).primitives().getFirst())));
    for (int steps : batches(grid, named)) {
      routines.add(
          new Routine(
              List.of(new HeatSteps("steps" + steps, grid, method, isNamed, false, steps))));
    }
    return new Program(inputs, routines);
  }

  /**
   * Starts a solver of nx x ny nodes.
   *
   * @throws IllegalArgumentException if a number is below 1, or there are more nodes than an array
   *     can have elements
   */
  public static Builder builder(int nx, int ny) {
    return new Builder(nx, ny);
  }

  /** Lists what a solver needs, then builds it. Used by one thread. */
  public static final class Builder {

    private static final List<String> SIDES = List.of("left", "right", "bottom", "top");

    private final int nx;
    private final int ny;
    private final Side[] sides = new Side[SIDES.size()];
    private final List<Observer> observers = new ArrayList<>();
    private @Nullable Funnel funnel;
    private ElementType type = ElementType.FLOAT;
    private double dx = 1;
    private double dy = 1;
    private double diffusivity = 1;
    private double @Nullable [] cells;
    private @Nullable Double dt;
    private double safety = 0.8;
    private boolean mayBeUnstable;
    private @Nullable HeatValues field;
    private @Nullable DoubleBinaryOperator fieldFunction;
    private @Nullable HeatValues source;
    private @Nullable DoubleBinaryOperator sourceFunction;
    private @Nullable HeatMethod method;
    private int batch = LONG_BATCHES.getFirst();

    private Builder(int nx, int ny) {
      long nodes = (nx + 1L) * (ny + 1L);
      if (nx < 1 || ny < 1 || nodes > Input.LARGEST_CAPACITY) {
        throw new IllegalArgumentException(
            "no such grid: nx=%d, ny=%d; each is at least 1, and (nx + 1) * (ny + 1)=%d at most %d"
                .formatted(nx, ny, nodes, Input.LARGEST_CAPACITY));
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

    /** Runs on a Funnel of the caller's, which must stay open; else on the best engine there is. */
    public Builder on(Funnel newFunnel) {
      funnel = Objects.requireNonNull(newFunnel, "funnel");
      return this;
    }

    /**
     * The type of the field: {@link ElementType#FLOAT} unless said otherwise, or DOUBLE.
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
     * The distances of nodes along x and y; 1 unless said otherwise.
     *
     * @throws IllegalArgumentException if one is not positive and finite
     */
    public Builder spacing(double newDx, double newDy) {
      dx = positive("dx", newDx);
      dy = positive("dy", newDy);
      return this;
    }

    /**
     * The diffusivity of all nodes; 1 unless said otherwise.
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
      HeatValues values = HeatValues.of("diffusivity", newCells, nx, ny);
      double largest = 0;
      for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
          double value = values.nodes().at(i, j);
          if (!(value >= 0 && Double.isFinite(value))) {
            throw new HeatFieldException("diffusivity", i, j, value, "0 or more, and finite");
          }
          largest = Math.max(largest, value);
        }
      }
      cells = newCells.clone();
      diffusivity = largest;
      return this;
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
     * The time of a step as a part of the largest stable one; 0.8 of it unless said otherwise. At 1
     * the field of a chessboard changes its sign with every step, and never decays.
     *
     * @throws IllegalArgumentException if it is not above 0 and at most 1
     */
    public Builder largestStable(double newSafety) {
      if (!(newSafety > 0 && newSafety <= 1)) {
        throw new IllegalArgumentException("safety is not above 0 and at most 1: " + newSafety);
      }
      safety = newSafety;
      dt = null;
      return this;
    }

    /** Lets dt be above the limit of stability. */
    public Builder unstable() {
      mayBeUnstable = true;
      return this;
    }

    /**
     * The field to begin with; 0 unless said otherwise.
     *
     * @param values nx * ny of them, read when the solver is built
     * @throws IllegalArgumentException if there are more or fewer
     */
    public Builder initial(float[] values) {
      return initial(HeatValues.of("initial field", values, nx, ny));
    }

    /** The same from doubles. */
    public Builder initial(double[] values) {
      return initial(HeatValues.of("initial field", values, nx, ny));
    }

    /** The field to begin with as a function of x and y, called once a node, row after row. */
    public Builder initial(DoubleBinaryOperator function) {
      fieldFunction = Objects.requireNonNull(function, "function");
      return this;
    }

    /**
     * The field to begin with from a {@code .npy} file of shape (ny, nx), of float or double.
     *
     * @throws IllegalArgumentException if it is of another shape or type
     * @throws IOException if it is no such file, or cannot be read
     */
    public Builder initial(Path file) throws IOException {
      return initial(HeatValues.read("initial field", file, nx, ny));
    }

    private Builder initial(HeatValues values) {
      field = values;
      fieldFunction = null;
      return this;
    }

    /** What holds at the left side, i = 0. */
    public Builder left(Side side) {
      return side(HeatGrid.LEFT, side);
    }

    /** What holds at the right side, i = nx - 1. */
    public Builder right(Side side) {
      return side(HeatGrid.RIGHT, side);
    }

    /** What holds at the bottom, j = 0. */
    public Builder bottom(Side side) {
      return side(HeatGrid.BOTTOM, side);
    }

    /** What holds at the top, j = ny - 1. */
    public Builder top(Side side) {
      return side(HeatGrid.TOP, side);
    }

    /** What holds at all sides. */
    public Builder sides(Side side) {
      return left(side).right(side).bottom(side).top(side);
    }

    private Builder side(int place, Side side) {
      sides[place] = Objects.requireNonNull(side, SIDES.get(place));
      return this;
    }

    /**
     * What warms each node, in temperatures a time.
     *
     * @param values nx * ny of them, read when the solver is built
     * @throws IllegalArgumentException if there are more or fewer
     */
    public Builder source(double[] values) {
      source = HeatValues.of("source", values, nx, ny);
      sourceFunction = null;
      return this;
    }

    /** The same as a function of x and y, called once a node, row after row. */
    public Builder source(DoubleBinaryOperator function) {
      sourceFunction = Objects.requireNonNull(function, "function");
      return this;
    }

    /**
     * How a device makes the steps: {@code auto}, the fastest by measurements, or a method's label
     * or number.
     *
     * @throws IllegalArgumentException if there is no such method
     */
    public Builder method(String name) {
      method = name.strip().toLowerCase(Locale.ROOT).equals("auto") ? null : HeatMethod.of(name);
      return this;
    }

    /** How a device makes the steps. */
    public Builder method(HeatMethod newMethod) {
      method = Objects.requireNonNull(newMethod, "method");
      return this;
    }

    /**
     * Steps of a run on a device at most, to measure what runs cost on the host; 512 unless said
     * otherwise, which is 16 where a launch makes one step. A run of one step copies the field as
     * well.
     *
     * @throws IllegalArgumentException if it is not 1, 2, 4, 8, 16, 20, 64 or 512
     */
    public Builder batch(int most) {
      if (!LONG_BATCHES.contains(most)) {
        throw new IllegalArgumentException("batch=%d is none of %s".formatted(most, LONG_BATCHES));
      }
      batch = most;
      return this;
    }

    /**
     * Has something done after all steps whose number is a multiple of {@code every}: a frame be
     * drawn or a checkpoint be written, for example. It may read the solver and not step it.
     * Several observers of one step are called in the order in which they were given.
     *
     * <p>What it throws ends the call that steps: an {@link IOException} comes as the cause of an
     * {@link UncheckedIOException}, anything else as it is. The steps up to there are made, the
     * solver is whole, and the next call goes on from there; that step is not observed again, nor
     * by observers that were to come behind this one.
     *
     * @throws IllegalArgumentException if {@code every} is below 1
     */
    public Builder observe(int every, HeatObserver action) {
      if (every < 1) {
        throw new IllegalArgumentException("every=%d: 1 or more expected".formatted(every));
      }
      observers.add(new Observer(every, Objects.requireNonNull(action, "action")));
      return this;
    }

    private void requireSides() {
      for (int place = 0; place < sides.length; place++) {
        boolean alongY = place == HeatGrid.LEFT || place == HeatGrid.RIGHT;
        sides[place].requireLength(SIDES.get(place), alongY ? ny : nx);
      }
      for (int place = 0; place < sides.length; place += 2) {
        if ((sides[place].kind() == HeatGrid.PERIODIC)
            != (sides[place + 1].kind() == HeatGrid.PERIODIC)) {
          throw new IllegalArgumentException(
              "opposite sides are both periodic or none is: %s=%s, %s=%s"
                  .formatted(
                      SIDES.get(place), sides[place], SIDES.get(place + 1), sides[place + 1]));
        }
      }
    }

    private double requireDt() {
      double limit = HeatNumbers.limit(diffusivity, dx, dy);
      if (dt == null) {
        return positive(
            "dt of safety=%s, largest stable dt=%s".formatted(safety, limit), safety * limit);
      }
      if (dt > limit && !mayBeUnstable) {
        throw new UnstableStepException(dt, limit, diffusivity, dx, dy);
      }
      return dt;
    }

    private void requireMethod(HeatGrid grid) {
      if (method != null && !method.takes(grid)) {
        throw new IllegalArgumentException(
            "method %s takes no such grid: type=%s, source=%s, diffusivity by cell=%s; use auto"
                .formatted(method.label(), type, grid.hasSource(), grid.hasCells()));
      }
    }

    /**
     * Builds the solver: checks everything, then compiles kernels and allocates the device's
     * memory.
     *
     * @throws UnstableStepException if dt is above the limit of stability
     * @throws HeatFieldException if a field has NaN, infinities, or numbers too large for the type
     * @throws IllegalArgumentException if a profile is too long or short, one of two opposite sides
     *     is periodic alone, the method does not take such a grid, or a number is too large or
     *     small for the type
     * @throws funnel.engine.FunnelMemoryException if the fields do not fit on the device
     * @throws funnel.engine.FunnelDeviceException if a kernel does not compile
     */
    public Heat2D build() {
      requireSides();
      double step = requireDt();
      int code = 0;
      for (int place = 0; place < sides.length; place++) {
        code |= sides[place].kind() << 2 * place;
      }
      HeatValues sourceValues =
          sourceFunction == null ? source : HeatValues.of("source", sourceFunction, dx, dy);
      double[] coefficients =
          HeatNumbers.coefficients(type, diffusivity, step, dx, dy, List.of(sides));
      HeatGrid grid =
          new HeatGrid(
              type,
              nx,
              ny,
              code,
              sourceValues != null,
              cells != null,
              coefficients[0],
              coefficients[1]);
      requireMethod(grid);
      HeatValues fieldValues =
          fieldFunction == null ? field : HeatValues.of("initial field", fieldFunction, dx, dy);
      MemorySegment none = HeatNumbers.allocate(type, 1);
      MemorySegment first =
          fieldValues == null
              ? HeatNumbers.allocate(type, nx * ny)
              : fieldValues.times(1, type, nx, ny);
      setSides(first);
      return new Heat2D(
          this,
          grid,
          step,
          new MemorySegment[] {
            first,
            first,
            HeatNumbers.of(type, coefficients),
            sourceValues == null ? none : sourceValues.times(step, type, nx, ny),
            cells == null ? none : facesX(cells, step),
            cells == null ? none : facesY(cells, step)
          });
    }

    private void setSides(MemorySegment values) {
      for (int j = 0; j < ny; j++) {
        setNode(values, HeatGrid.LEFT, 0, j, j);
        setNode(values, HeatGrid.RIGHT, nx - 1, j, j);
      }
      for (int i = 0; i < nx; i++) {
        setNode(values, HeatGrid.BOTTOM, i, 0, i);
        setNode(values, HeatGrid.TOP, i, ny - 1, i);
      }
    }

    private void setNode(MemorySegment values, int place, int i, int j, int at) {
      if (sides[place].hasValues()) {
        double value = sides[place].value(at);
        String name = "value of side " + SIDES.get(place);
        HeatNumbers.set(type, values, j * nx + i, HeatNumbers.fitting(type, name, value));
      }
    }

    private MemorySegment facesX(double[] a, double step) {
      MemorySegment faces = HeatNumbers.allocate(type, (nx + 1) * ny);
      boolean wraps = sides[HeatGrid.LEFT].kind() == HeatGrid.PERIODIC;
      for (int j = 0; j < ny; j++) {
        for (int i = 0; i <= nx; i++) {
          int before = i > 0 ? i - 1 : wraps ? nx - 1 : 0;
          int behind = i < nx ? i : wraps ? 0 : nx - 1;
          double face = HeatNumbers.face(a[j * nx + before], a[j * nx + behind]);
          HeatNumbers.set(type, faces, j * (nx + 1) + i, face * step / (dx * dx));
        }
      }
      return faces;
    }

    private MemorySegment facesY(double[] a, double step) {
      MemorySegment faces = HeatNumbers.allocate(type, nx * (ny + 1));
      boolean wraps = sides[HeatGrid.BOTTOM].kind() == HeatGrid.PERIODIC;
      for (int j = 0; j <= ny; j++) {
        int below = j > 0 ? j - 1 : wraps ? ny - 1 : 0;
        int above = j < ny ? j : wraps ? 0 : ny - 1;
        for (int i = 0; i < nx; i++) {
          double face = HeatNumbers.face(a[below * nx + i], a[above * nx + i]);
          HeatNumbers.set(type, faces, j * nx + i, face * step / (dy * dy));
        }
      }
      return faces;
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("this heat equation is closed");
    }
  }

  private void run(int routine) {
    loaded.run(routine);
    initial = null;
  }

  /**
   * Makes steps.
   *
   * @param count 0 or more
   * @return this
   * @throws IllegalArgumentException if the number is negative
   * @throws IllegalStateException if an observer calls it, or the solver is closed
   * @throws UncheckedIOException if an {@linkplain Builder#observe observer} threw an {@link
   *     IOException}, which is its cause; {@link #steps} says how many steps were made, and the
   *     next call goes on from there
   * @throws funnel.engine.FunnelDeviceException if the device failed; {@link #steps} says how many
   *     steps were made before
   */
  public Heat2D step(long count) {
    if (count < 0) {
      throw new IllegalArgumentException("negative number of steps: " + count);
    }
    begin();
    try {
      advance(count);
    } finally {
      busy = false;
    }
    return this;
  }

  private void begin() {
    requireOpen();
    if (busy) {
      throw new IllegalStateException("an observer may not step what it observes");
    }
    busy = true;
    kernelNanos = measured ? 0 : -1;
  }

  private void advance(long count) {
    long end = steps + count;
    while (steps < end) {
      long next = end;
      for (Observer observer : observers) {
        next = Math.min(next, (steps / observer.every() + 1) * observer.every());
      }
      advanceTo(next);
      for (Observer observer : observers) {
        if (steps % observer.every() == 0) {
          observer.observe(this);
        }
      }
    }
  }

  private void advanceTo(long end) {
    while (steps < end) {
      int next = nextBatch[(int) Math.min(nextBatch.length - 1, end - steps)];
      run(FIRST_BATCH + next);
      steps += batches.get(next);
      if (measured) {
        kernelNanos += loaded.kernelNanos();
      }
    }
  }

  /**
   * Makes steps until the next one would change no node by more than a tolerance, or so many are
   * made.
   *
   * @param tolerance 0 or more
   * @param every how many steps are made between two looks, each of which takes the time of two or
   *     three steps
   * @param most steps at most
   * @return whether the tolerance was reached
   * @throws IllegalArgumentException if a number is negative, or {@code every} is 0
   * @throws ArithmeticException if a change is NaN or infinite, which ends an unstable run
   * @throws IllegalStateException as {@link #step}
   * @throws UncheckedIOException likewise
   */
  public boolean stepUntil(double tolerance, int every, long most) {
    if (!(tolerance >= 0) || every < 1 || most < 0) {
      throw new IllegalArgumentException(
          "tolerance=%s, every=%d, most=%d: 0 or more, 1 or more, and 0 or more expected"
              .formatted(tolerance, every, most));
    }
    begin();
    try {
      long end = steps + most;
      while (true) {
        double change = maxChange();
        if (change <= tolerance) {
          return true;
        }
        if (!Double.isFinite(change)) {
          throw new ArithmeticException(
              "the field's largest change is %s after step %d: dt=%s, limit=%s"
                  .formatted(change, steps, dt, HeatNumbers.limit(diffusivity, dx, dy)));
        }
        if (steps >= end) {
          return false;
        }
        advance(Math.min(every, end - steps));
      }
    } finally {
      busy = false;
    }
  }

  /** The number of nodes along x. */
  public int nx() {
    return grid.nx();
  }

  /** The number of nodes along y. */
  public int ny() {
    return grid.ny();
  }

  /** The distance of nodes along x. */
  public double dx() {
    return dx;
  }

  /** The distance of nodes along y. */
  public double dy() {
    return dy;
  }

  /** The type of the field. */
  public ElementType type() {
    return grid.type();
  }

  /** The time of a step. */
  public double dt() {
    return dt;
  }

  /** Steps made since the beginning, those before a checkpoint included. */
  public long steps() {
    return steps;
  }

  /** Time since the beginning: steps times dt. */
  public double time() {
    return startTime + steps * dt;
  }

  /** A copy of the field, with the time it is of. */
  public HeatSnapshot snapshot() {
    requireOpen();
    MemorySegment values = HeatNumbers.allocate(grid.type(), grid.nodes());
    if (initial != null) {
      values.copyFrom(initial);
    } else {
      loaded.fetch(HeatArrays.FIELD, values);
    }
    return new HeatSnapshot(grid.type(), grid.nx(), grid.ny(), steps, time(), values);
  }

  /** A copy of the field as floats, to which doubles are rounded. */
  public float[] toFloats() {
    MemorySegment values = snapshot().values();
    Object array = values.heapBase().orElseThrow();
    if (array instanceof float[] floats) {
      return floats;
    }
    double[] doubles = (double[]) array;
    float[] floats = new float[doubles.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) doubles[i];
    }
    return floats;
  }

  /** A copy of the field as doubles. */
  public double[] toDoubles() {
    MemorySegment values = snapshot().values();
    Object array = values.heapBase().orElseThrow();
    if (array instanceof double[] doubles) {
      return doubles;
    }
    float[] floats = (float[]) array;
    double[] doubles = new double[floats.length];
    for (int i = 0; i < floats.length; i++) {
      doubles[i] = floats[i];
    }
    return doubles;
  }

  private double measured(int routine, String result) {
    requireOpen();
    run(routine);
    return loaded.result(result).doubleValue();
  }

  /**
   * The field's sum times dx dy, added as doubles in a fixed order. Insulated and periodic sides
   * leave it as it is, up to rounding, except that a reflecting edge counts as its node's whole
   * cell.
   */
  public double totalHeat() {
    return measured(TOTAL, "total") * dx * dy;
  }

  /** The square root of the sum of the field's squares times dx dy, added likewise. */
  public double l2Norm() {
    return Math.sqrt(measured(SQUARES, "squares") * dx * dy);
  }

  /** The largest size of a change that the next step makes; NaN where there is one. */
  public double maxChange() {
    return measured(CHANGE, "change");
  }

  /** What {@link #resume(HeatCheckpoint)} takes to go on from here, in memory. */
  public HeatCheckpoint checkpoint() {
    return new HeatCheckpoint(
        snapshot(),
        dx,
        dy,
        dt,
        diffusivity,
        sides.stream().map(Side::kind).toList(),
        sides.stream().map(Side::flux).toList());
  }

  /**
   * Writes a checkpoint; one that is there is replaced when the new one is complete.
   *
   * @throws IOException if it cannot be written; then the one that was there still is
   */
  public void checkpoint(Path file) throws IOException {
    checkpoint().write(file);
  }

  /**
   * Goes on from a checkpoint that was written by a solver built like this one: field, steps and
   * time are then those, and later steps give the bits of a run that never stopped. Sources, and
   * diffusivities by cell, are this solver's own. If anything is thrown, nothing has changed.
   *
   * @throws HeatCheckpointException if it is damaged, or of a solver with another grid, type, dt,
   *     diffusivity or sides, with both
   * @throws HeatFieldException if its field has NaN or infinities
   * @throws IllegalStateException if an observer calls it, or the solver is closed
   * @throws IOException if it cannot be read
   */
  public void resume(Path file) throws IOException {
    requireIdle();
    HeatCheckpoint from = HeatCheckpoint.read(file);
    Optional<String> difference = difference(from);
    if (difference.isPresent()) {
      throw new HeatCheckpointException(file, difference.get());
    }
    goOnFrom(from.state());
  }

  /**
   * Goes on likewise from a checkpoint in memory: this solver's own, to go back to a step, or one
   * of another that was built like this one.
   *
   * {@snippet class="funnel.docs.HeatOutputSnippets" region="go-back"}
   *
   * @throws IllegalArgumentException if it is of a solver with another grid, type, dt, diffusivity
   *     or sides, with both
   * @throws HeatFieldException if its field has NaN or infinities
   * @throws IllegalStateException if an observer calls it, or the solver is closed
   */
  public void resume(HeatCheckpoint from) {
    requireIdle();
    Optional<String> difference = difference(from);
    if (difference.isPresent()) {
      throw new IllegalArgumentException(
          difference.get() + "; build a solver like the one that made it");
    }
    goOnFrom(from.state());
  }

  private void requireIdle() {
    requireOpen();
    if (busy) {
      throw new IllegalStateException("an observer may not change what it observes");
    }
  }

  /** What is said of a checkpoint of another run, with both; nothing if it is of this one. */
  private Optional<String> difference(HeatCheckpoint from) {
    List<Object> mine =
        List.of(
            dx,
            dy,
            dt,
            diffusivity,
            sides.stream().map(Side::kind).toList(),
            sides.stream().map(Side::flux).toList());
    List<Object> theirs =
        List.of(from.dx(), from.dy(), from.dt(), from.diffusivity(), from.sides(), from.fluxes());
    return from.otherShape(grid.type(), grid.nx(), grid.ny())
        .or(
            () ->
                mine.equals(theirs)
                    ? Optional.empty()
                    : Optional.of(
                        "checkpoint of another run: expected dx, dy, dt, diffusivity, sides, fluxes %s, found %s"
                            .formatted(mine, theirs)));
  }

  private void goOnFrom(HeatSnapshot state) {
    MemorySegment values =
        new HeatValues("checkpoint's field", state::at).times(1, grid.type(), grid.nx(), grid.ny());
    loaded.set(HeatArrays.FIELD, values);
    initial = values;
    steps = state.step();
    double regular = steps * dt;
    startTime = state.time() == regular ? 0 : state.time() - regular;
  }

  /** Bytes that the arrays take on the device; 0 on the JVM. */
  public long deviceBytes() {
    return loaded.deviceBytes();
  }

  /**
   * Switches the measuring of kernel time on or off; on a device it makes runs slower, in all plans
   * of the process.
   */
  public void measureKernels(boolean on) {
    requireOpen();
    loaded.measureKernels(on);
    measured = on;
    kernelNanos = -1;
  }

  /** Kernel time of the last call that made steps, in nanoseconds, if it was measured, else -1. */
  public long kernelNanos() {
    return kernelNanos;
  }

  /**
   * Frees the fields, and the engine if it is this solver's own. Closing again does nothing.
   *
   * @throws IllegalStateException if an observer calls it
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    if (busy) {
      throw new IllegalStateException(
          "an observer may not close what it observes: close it after the call that makes the"
              + " steps");
    }
    closed = true;
    loaded.close();
    if (own != null) {
      own.close();
    }
  }

  @Override
  public String toString() {
    return "heat equation on %d x %d nodes of %s, sides %s, dt=%s, step %d"
        .formatted(grid.nx(), grid.ny(), grid.type(), sides, dt, steps);
  }
}
