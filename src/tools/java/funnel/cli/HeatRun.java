package funnel.cli;

import funnel.file.WholeFile;
import funnel.heat.Heat2D;
import funnel.heat.HeatCheckpoint;
import funnel.heat.HeatFrames;
import funnel.heat.HeatImage;
import funnel.heat.HeatMovie;
import funnel.heat.HeatSnapshot;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A run of a heat equation with its output: pictures, a movie, checkpoints. */
final class HeatRun implements AutoCloseable {

  /* Results do not depend on the clock: pictures, and checks of the change, are at multiples of a
   * number of steps. Between these, steps are made in pieces of some tenths of a second, for the
   * progress bar and for Ctrl-C; the division into pieces does not change the field.
   *
   * Whatever can be refused is refused by open, before anything is computed.
   */

  private static final double PIECE_NANOS = 2e8;

  /** The solver, as runs see it. */
  interface Solver {
    /** The library's solver. */
    static Solver of(Heat2D heat) {
      return new OfHeat(heat);
    }

    /** Steps made since the beginning. */
    long step();

    /** Makes some steps. */
    void advance(long steps);

    /** The field now. */
    HeatSnapshot snapshot();

    /** Everything that a later run needs to continue from here. */
    HeatCheckpoint checkpoint();

    /** The sum of all nodes, which is finite unless one of them is not. */
    double total();

    /** The largest change of a node in one more step. */
    double change();
  }

  /** A solver for a run. */
  private record OfHeat(Heat2D heat) implements Solver {
    @Override
    public long step() {
      return heat.steps();
    }

    @Override
    public void advance(long steps) {
      heat.step(steps);
    }

    @Override
    public HeatSnapshot snapshot() {
      return heat.snapshot();
    }

    @Override
    public HeatCheckpoint checkpoint() {
      return heat.checkpoint();
    }

    @Override
    public double total() {
      return heat.totalHeat();
    }

    @Override
    public double change() {
      return heat.maxChange();
    }
  }

  /**
   * The request for a run.
   *
   * @param steps steps of the whole run, since the beginning
   * @param every steps between pictures, and between checkpoints if {@code checkpointsOften}
   * @param checkpointsOften whether there is a checkpoint every {@code every} steps, or only at the
   *     end
   * @param check steps between checks of the change
   * @param tolerance the change at which to stop, or a negative number for never
   */
  record Request(long steps, long every, boolean checkpointsOften, long check, double tolerance) {}

  /** How it ended. */
  enum End {
    STEPS,
    TOLERANCE,
    INTERRUPTED
  }

  private final @Nullable HeatFrames frames;
  private final @Nullable HeatMovie movie;
  private final @Nullable Path checkpoint;
  private HeatImage image;
  private long pictured = -1;
  private long saved = -1;

  private HeatRun(
      HeatImage image,
      @Nullable HeatFrames frames,
      @Nullable HeatMovie movie,
      @Nullable Path checkpoint) {
    this.image = image;
    this.frames = frames;
    this.movie = movie;
    this.checkpoint = checkpoint;
  }

  /**
   * Checks that all output can be written.
   *
   * @param image how to draw; without a range it takes that of the first picture
   * @param folder the folder for frames, or null
   * @param gif the file of a movie, or null
   * @param millis how long each picture of the movie is shown
   * @param checkpoint the file of checkpoints, or null
   * @throws IOException if something cannot be written
   */
  static HeatRun open(
      HeatImage image,
      @Nullable Path folder,
      @Nullable Path gif,
      int millis,
      @Nullable Path checkpoint)
      throws IOException {
    if (checkpoint != null) {
      requireWritable(checkpoint);
    }
    HeatFrames frames = folder == null ? null : HeatFrames.in(folder);
    HeatMovie movie = gif == null ? null : HeatMovie.create(gif, millis);
    return new HeatRun(image, frames, movie, checkpoint);
  }

  /**
   * Checks that a file can be created or replaced.
   *
   * @throws IOException if it cannot
   */
  static void requireWritable(Path file) throws IOException {
    WholeFile.create(file).close();
  }

  private boolean hasPictures() {
    return frames != null || movie != null;
  }

  /**
   * Makes the steps. However it ends, the last picture and checkpoint are of the last step.
   *
   * @param stop checked between pieces of the work
   * @param done told the steps of each piece
   */
  End run(Solver solver, Request request, BooleanSupplier stop, LongConsumer done)
      throws IOException {
    End end = null;
    double perStep = PIECE_NANOS;
    picture(solver);
    while (end == null) {
      long step = solver.step();
      if (step >= request.steps) {
        end = End.STEPS;
      } else if (stop.getAsBoolean()) {
        end = End.INTERRUPTED;
      } else {
        long next = Math.min(request.steps, multipleAfter(step, request.every));
        if (request.tolerance >= 0) {
          next = Math.min(next, multipleAfter(step, request.check));
        }
        long piece = Math.clamp((long) (PIECE_NANOS / perStep), 1, next - step);
        long started = System.nanoTime();
        solver.advance(piece);
        perStep = Math.max(1, (System.nanoTime() - started) / (double) piece);
        done.accept(piece);
        end = after(solver, request);
      }
    }
    picture(solver);
    if (movie != null) {
      movie.finish();
    }
    save(solver);
    return end;
  }

  /** Does what is due at the solver's step. */
  private @Nullable End after(Solver solver, Request request) throws IOException {
    long step = solver.step();
    if (step % request.every == 0) {
      picture(solver);
      if (request.checkpointsOften) {
        save(solver);
      }
    }
    if (request.tolerance < 0 || step % request.check != 0) {
      return null;
    }
    double change = finite("largest change", solver.change(), step);
    return change <= request.tolerance ? End.TOLERANCE : null;
  }

  private static double finite(String name, double value, long step) {
    if (!Double.isFinite(value)) {
      throw new ArithmeticException(
          "the field has blown up: %s=%s at step=%s; use a smaller time step"
              .formatted(name, value, step));
    }
    return value;
  }

  private static long multipleAfter(long step, long of) {
    return of > Long.MAX_VALUE - step ? Long.MAX_VALUE : (step / of + 1) * of;
  }

  private void picture(Solver solver) throws IOException {
    if (!hasPictures() || pictured == solver.step()) {
      return;
    }
    HeatSnapshot snapshot = solver.snapshot();
    if (!image.hasRange()) {
      image = image.rangeOf(snapshot);
    }
    BufferedImage drawn = image.draw(snapshot);
    if (frames != null) {
      frames.write(snapshot.step(), drawn);
    }
    if (movie != null) {
      movie.add(drawn);
    }
    pictured = snapshot.step();
  }

  /* A field that has blown up does not replace a checkpoint from which a run could continue. */
  private void save(Solver solver) throws IOException {
    var _ = finite("total", solver.total(), solver.step());
    if (checkpoint != null && saved != solver.step()) {
      solver.checkpoint().write(checkpoint);
      saved = solver.step();
    }
  }

  /** Deletes incomplete files. */
  @Override
  public void close() throws IOException {
    if (movie != null) {
      movie.close();
    }
  }
}
