package funnel.heat;

import funnel.operation.Launches;

/**
 * A way in which a device computes a step: one of the solver's, see {@link HeatMethod}, or one with
 * kernels of the caller's. All must give the bits of {@link HeatProblem}. Equal ones launch the
 * same: an enum or a record serves.
 *
 * {@snippet class="funnel.docs.HeatStepperSnippets" region="stepper"}
 */
public interface HeatStepper {

  /**
   * Where {@code shape} has the number of nodes along y, behind {@code shapeAt} with that along x.
   */
  int NY_AT = HeatLaunches.NY_AT;

  /** Its name in messages. */
  String label();

  /** Whether it supports a grid. */
  boolean takes(HeatGrid grid);

  /**
   * Adds the launch of one step. Bound are {@code from} and {@code to}, the fields before and after
   * it, {@code hasSource}, 0 or 1, and {@code coefficients}, {@code source}, {@code facesX} and
   * {@code facesY}, which {@link FloatHeatStencil} and {@link DoubleHeatStencil} read.
   *
   * @param grid the largest grid that the launch is for; {@code shape} has the one that there is
   * @param rowsAtOnce whether a thread with several rows should load all before it computes one,
   *     which on this device is faster
   */
  void launch(Launches launches, String task, HeatGrid grid, boolean rowsAtOnce);
}
