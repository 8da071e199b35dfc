package funnel.heat;

import funnel.Array;
import funnel.Funnel;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.Routine;
import funnel.operation.Input;
import funnel.reduce.Reduction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The solver of a {@link HeatProblem}: a field of temperatures that is advanced step by step on a
 * device, or on the JVM, with the same bits.
 *
 * {@snippet class="funnel.docs.HeatSnippets" region="heat"}
 *
 * <p><b>Changes in time.</b> Between two calls, or in an {@linkplain #observe observer}, a {@link
 * Side} and the source may be replaced. The new one holds from the solver's time on, beginning with
 * the next step.
 *
 * {@snippet class="funnel.docs.HeatSnippets" region="in-time"}
 *
 * <p><b>Cost.</b> Two fields in the device's memory, and two on the host; one more for a source,
 * two for diffusivities by cell. A step moves two elements per node to and from memory, one more
 * with a source, at least two more with cells; {@link HeatMethod#REGISTER_STREAM} moves an eighth.
 * Steps run in batches of up to 512, with nothing copied to the host between them.
 *
 * <p>Used by one thread at a time.
 */
public final class Heat2D implements AutoCloseable {

  /* A program has three routines that measure, one for each number of steps in `batches`, and one
   * that sets nodes of Dirichlet sides. Every routine begins and ends with the field in the same
   * array; any routine may use the other array of that size.
   *
   * An engine can copy back only what it has run on. `initial` is the field until the first run.
   */

  private static final int TOTAL = 0;
  private static final int SQUARES = 1;
  private static final int CHANGE = 2;
  private static final int FIRST_BATCH = 3;

  private HeatScheme scheme; // not the problem, which holds fields
  private final HeatBatches batches;
  private final List<Observer> observers = new ArrayList<>();
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
            "the observer of every=%s steps failed at step=%s, and all steps up to it are made (%s); remove the cause and continue"
                .formatted(every, heat.steps(), e),
            e);
      }
    }
  }

  /** Takes over a Funnel that belongs to the solver. */
  Heat2D(HeatProblem problem, Funnel funnel, boolean isOwn) {
    scheme = problem.scheme();
    own = isOwn ? funnel : null;
    HeatGrid grid = scheme.grid();
    HeatStepper named = problem.method();
    HeatStepper method = named == null ? HeatMethod.fastest(grid) : named;
    batches = HeatBatches.of(method, problem.batch());
    Array<?, ?> given = problem.given();
    Program program = program(grid, method, batches.sizes(), given != null);
    try {
      loaded = funnel.load(program);
    } catch (RuntimeException e) {
      if (own != null) {
        own.close();
      }
      throw e;
    }
    if (given == null) {
      problem.arrays().setIn(loaded, 0);
      initial = problem.arrays().field();
      return;
    }
    try {
      problem.arrays().setIn(loaded, grid.nodes());
      int start = program.routines().size() - 1;
      funnel.lend(
          given,
          loaded,
          HeatStart.GIVEN,
          () -> {
            HeatStart.requireFinite(given, grid);
            loaded.run(start);
          });
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  static Program program(HeatGrid grid, HeatStepper method, List<Integer> batches) {
    return program(grid, method, batches, false);
  }

  /** With {@code isGiven}, its last routine reads a kept array. */
  private static Program program(
      HeatGrid grid, HeatStepper method, List<Integer> batches, boolean isGiven) {
    List<Input> inputs = new ArrayList<>(HeatArrays.inputs(grid));
    List<Routine> routines = new ArrayList<>();
    List<Input> field = List.of(inputs.get(HeatArrays.NAMES.indexOf(HeatArrays.FIELD)));
    List<Input> next = List.of(inputs.get(HeatArrays.NAMES.indexOf(HeatArrays.NEXT)));
    routines.add(Routine.of(Reduction.sumAsDouble().expand("total", field).primitives()));
    routines.add(Routine.of(Reduction.sumOfSquares().expand("squares", field).primitives()));
    routines.add(
        Routine.of(
            List.of(
                new HeatChange("distances", grid, method, false),
                Reduction.max().expand("change", next).primitives().getFirst())));
    for (int steps : batches) {
      routines.add(Routine.of(List.of(new HeatSteps("steps" + steps, grid, method, false, steps))));
    }
    if (grid.sides().contains(HeatGrid.DIRICHLET)) {
      routines.add(Routine.of(List.of(new HeatSides("sides", grid))));
    }
    if (isGiven) {
      inputs.add(new Input(HeatStart.GIVEN, grid.type(), 1));
      routines.add(Routine.of(List.of(new HeatStart("start", grid))));
    }
    return new Program(inputs, routines);
  }

  /**
   * Calls an observer after all steps whose number is a multiple of {@code every}: to draw a frame
   * or write a checkpoint, for example. It may read the solver, and change its sides and source,
   * but not step it. Several observers of one step are called in the order in which they were
   * added.
   *
   * <p>If it throws, the stepping call ends: it throws an {@link IOException} as the cause of an
   * {@link UncheckedIOException}, any other exception unchanged. The steps up to there are done,
   * the solver stays usable, and the next call continues from there; that step is not observed
   * again, not even by observers after this one.
   *
   * @return this
   * @throws IllegalArgumentException if {@code every} is less than 1
   * @throws IllegalStateException if an observer calls it, or the solver is closed
   */
  public Heat2D observe(int every, HeatObserver action) {
    if (every < 1) {
      throw new IllegalArgumentException("every=%s: 1 or more expected".formatted(every));
    }
    requireIdle();
    observers.add(new Observer(every, Objects.requireNonNull(action, "action")));
    return this;
  }

  /**
   * Replaces the condition at the left side from now on. Nothing is compiled or allocated: the next
   * run sends a few numbers for each node of the grid's rim. Nodes of a Dirichlet side are set
   * immediately.
   *
   * <p>A Dirichlet or periodic side cannot become a side of another kind; all others can replace
   * each other. A profile needs a side that was built with one, except for a Dirichlet side.
   *
   * @return this
   * @throws UnstableStepException if dt is then above the limit
   * @throws IllegalArgumentException if the side cannot replace the one that the problem was built
   *     with, has a profile of another length, or has a number too large for the type
   * @throws IllegalStateException if the solver is closed
   * @throws funnel.operation.FunnelDeviceException if the device failed
   */
  public Heat2D left(Side side) {
    return side(HeatGrid.LEFT, side);
  }

  /** Replaces the condition at the right side, see {@link #left}. */
  public Heat2D right(Side side) {
    return side(HeatGrid.RIGHT, side);
  }

  /** Replaces the condition at the bottom, see {@link #left}. */
  public Heat2D bottom(Side side) {
    return side(HeatGrid.BOTTOM, side);
  }

  /** Replaces the condition at the top, see {@link #left}. */
  public Heat2D top(Side side) {
    return side(HeatGrid.TOP, side);
  }

  private Heat2D side(int place, Side side) {
    requireOpen();
    HeatScheme changed = scheme.with(place, Objects.requireNonNull(side, "side"));
    loaded.set(HeatArrays.COEFFICIENTS, changed.coefficients());
    scheme = changed;
    if (side.setsNodes()) {
      run(FIRST_BATCH + batches.sizes().size());
    }
    return this;
  }

  /**
   * Replaces the source from now on, in temperatures per time. The next run sends all of it.
   *
   * @param values nx * ny of them, read now
   * @return this
   * @throws IllegalArgumentException if there are more or fewer, or the problem was built without a
   *     source
   * @throws HeatFieldException if one is NaN, infinite or too large for the type
   * @throws IllegalStateException if the solver is closed
   */
  public Heat2D source(double[] values) {
    return source(HeatValues.of("source", values, scheme.grid().nx(), scheme.grid().ny()));
  }

  /** Replaces the source by a function of x and y, called once per node, row after row. */
  public Heat2D source(DoubleBinaryOperator function) {
    return source(
        HeatValues.of(
            "source", Objects.requireNonNull(function, "function"), scheme.dx(), scheme.dy()));
  }

  private Heat2D source(HeatValues values) {
    requireOpen();
    HeatGrid grid = scheme.grid();
    if (!grid.hasSource()) {
      throw new IllegalArgumentException(
          "the problem was built without a source: build it with one, for example of zeros");
    }
    MemorySegment source = values.times(scheme.dt(), grid.type(), grid.nx(), grid.ny());
    loaded.set(HeatArrays.SOURCE, source);
    scheme = scheme.withSource(source);
    return this;
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
   * @throws UncheckedIOException if an {@linkplain #observe observer} threw an {@link IOException},
   *     which is its cause; {@link #steps} says how many steps were made, and the next call
   *     continues from there
   * @throws funnel.operation.FunnelDeviceException if the device failed; {@link #steps} says how
   *     many steps were made before
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
      throw new IllegalStateException("an observer must not step the solver");
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
      int next = batches.first(end - steps);
      run(FIRST_BATCH + next);
      steps += batches.sizes().get(next);
      if (measured) {
        kernelNanos += loaded.kernelNanos();
      }
    }
  }

  /**
   * Makes steps until the next one would change no node by more than a tolerance, or {@code most}
   * steps are made.
   *
   * @param tolerance 0 or more
   * @param every the number of steps between two checks, each of which takes the time of two or
   *     three steps
   * @param most the maximum number of steps
   * @return whether the tolerance was reached
   * @throws IllegalArgumentException if a number is negative, or {@code every} is 0
   * @throws ArithmeticException if a change is NaN or infinite, which ends an unstable run
   * @throws IllegalStateException as {@link #step}
   * @throws UncheckedIOException as {@link #step}
   */
  public boolean stepUntil(double tolerance, int every, long most) {
    if (!(tolerance >= 0) || every < 1 || most < 0) {
      throw new IllegalArgumentException(
          "tolerance=%s, every=%s, most=%s: 0 or more, 1 or more, and 0 or more expected"
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
              "the field's largest change is %s after step %s: dt=%s, limit=%s"
                  .formatted(change, steps, scheme.dt(), scheme.limit()));
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

  /** The time of a step. */
  public double dt() {
    return scheme.dt();
  }

  /** Steps made since the beginning, those before a checkpoint included. */
  public long steps() {
    return steps;
  }

  /** Time since the beginning: steps times dt. */
  public double time() {
    return startTime + steps * scheme.dt();
  }

  /** A copy of the field, with its step and time. */
  public HeatSnapshot snapshot() {
    HeatGrid grid = scheme.grid();
    MemorySegment values = HeatNumbers.allocate(grid.type(), grid.nodes());
    copyTo(values);
    return new HeatSnapshot(grid.type(), grid.nx(), grid.ny(), steps, time(), values);
  }

  /**
   * Copies the field to the caller's memory, such as {@code MemorySegment.ofArray(array)}: value
   * (i, j) of the grid's type to index i + j nx. Allocates nothing: a new Java array takes more
   * time than the copy from a device, since the JVM clears it first.
   *
   * @throws IllegalArgumentException if the memory is read-only, or has another size than the field
   */
  public void copyTo(MemorySegment into) {
    requireOpen();
    HeatGrid grid = scheme.grid();
    long bytes = (long) grid.nodes() * grid.type().bytes();
    if (into.isReadOnly() || into.byteSize() != bytes) {
      throw new IllegalArgumentException(
          "the field needs %s bytes that can be written (%s values of type %s): bytes=%s%s"
              .formatted(
                  bytes,
                  grid.nodes(),
                  grid.type(),
                  into.byteSize(),
                  into.isReadOnly() ? ", read-only" : ""));
    }
    if (initial != null) {
      into.copyFrom(initial);
    } else {
      loaded.fetch(HeatArrays.FIELD, into);
    }
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
   * leave it unchanged, up to rounding, except that a reflecting edge counts as its node's whole
   * cell.
   */
  public double totalHeat() {
    return measured(TOTAL, "total") * scheme.dx() * scheme.dy();
  }

  /** The square root of the sum of the field's squares times dx dy, added in the same way. */
  public double l2Norm() {
    return Math.sqrt(measured(SQUARES, "squares") * scheme.dx() * scheme.dy());
  }

  /** The largest absolute change that the next step would make; NaN if there is one. */
  public double maxChange() {
    return measured(CHANGE, "change");
  }

  /** A checkpoint in memory, from which {@link #resume(HeatCheckpoint)} continues. */
  public HeatCheckpoint checkpoint() {
    return scheme.checkpoint(snapshot());
  }

  /**
   * Writes a checkpoint; an existing one is replaced when the new one is complete.
   *
   * @throws IOException if it cannot be written; an existing one is then unchanged
   */
  public void checkpoint(Path file) throws IOException {
    checkpoint().write(file);
  }

  /**
   * Continues from a checkpoint that was written by a solver like this one: takes its field, steps
   * and time, and later steps give the bits of a run that never stopped. If sides or the source
   * change in time, set those of the checkpoint's time first; values of Dirichlet nodes are in the
   * field. If it throws, nothing has changed.
   *
   * @throws HeatCheckpointException if it is damaged, or of a solver with another grid, type, dt,
   *     diffusivity, sides or source; the message has both
   * @throws HeatFieldException if its field has NaN or infinities
   * @throws IllegalStateException if an observer calls it, or the solver is closed
   * @throws IOException if it cannot be read
   */
  public void resume(Path file) throws IOException {
    requireIdle();
    HeatCheckpoint from = HeatCheckpoint.read(file);
    Optional<String> difference = scheme.difference(from);
    if (difference.isPresent()) {
      throw new HeatCheckpointException(file, difference.get());
    }
    goOnFrom(from);
  }

  /**
   * Continues in the same way from a checkpoint in memory: this solver's own, to go back to a step,
   * or that of another solver that was built like this one.
   *
   * {@snippet class="funnel.docs.HeatOutputSnippets" region="go-back"}
   *
   * @throws IllegalArgumentException if it is of a solver with another grid, type, dt, diffusivity,
   *     sides or source; the message has both
   * @throws HeatFieldException if its field has NaN or infinities
   * @throws IllegalStateException if an observer calls it, or the solver is closed
   */
  public void resume(HeatCheckpoint from) {
    requireIdle();
    Optional<String> difference = scheme.difference(from);
    if (difference.isPresent()) {
      throw new IllegalArgumentException(
          difference.get() + "; build a solver like the one that made it");
    }
    goOnFrom(from);
  }

  private void requireIdle() {
    requireOpen();
    if (busy) {
      throw new IllegalStateException("an observer must not change the solver's state");
    }
  }

  private void goOnFrom(HeatCheckpoint from) {
    HeatSnapshot state = from.state();
    HeatGrid grid = scheme.grid();
    MemorySegment values =
        new HeatValues("checkpoint's field", state::at).times(1, grid.type(), grid.nx(), grid.ny());
    loaded.set(HeatArrays.FIELD, values);
    initial = values;
    scheme = scheme.at(from);
    steps = state.step();
    double regular = steps * scheme.dt();
    startTime = state.time() == regular ? 0 : state.time() - regular;
  }

  /** Bytes that the arrays take on the device; 0 on the JVM. */
  public long deviceBytes() {
    return loaded.deviceBytes();
  }

  /**
   * Switches the measurement of kernel time on or off; on a device it makes runs slower, in all
   * plans of the process.
   */
  public void measureKernels(boolean on) {
    requireOpen();
    loaded.measureKernels(on);
    measured = on;
    kernelNanos = -1;
  }

  /**
   * The time of the kernels, or on the JVM of the loops, in the last call that made steps, in
   * nanoseconds, if it was measured, else -1.
   */
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
          "an observer must not close the solver: close it after the call that makes the"
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
    return scheme + ", step " + steps;
  }
}
