package funnel.heat;

import funnel.jit.KernelTask;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Launches of the kernels of one element type that advance a field by one step. */
interface HeatTasks {

  /**
   * What kernels work on. A grid has node (i, j) at index {@code j * nx + i}.
   *
   * @param shape holds nx, ny and the code of the sides: left + 4 right + 16 bottom + 64 top, 0 for
   *     Dirichlet, 1 for Neumann, 2 for periodic
   * @param from the field before
   * @param to the field after
   * @param coefficients cx, k, -m, and what a ghost has more than its edge: left, right, bottom,
   *     top
   * @param source what is added to each node in each step, if {@code hasSource}
   * @param facesX if {@code hasFaces}, coefficients of the (nx + 1) * ny faces across x: index
   *     {@code j * (nx + 1) + i} is that between (i - 1, j) and (i, j), index {@code j * (nx + 1) +
   *     nx} the one behind the last node; periodic sides have the same coefficient at both ends
   * @param facesY likewise the nx * (ny + 1) faces across y: index {@code j * nx + i} is that
   *     between (i, j - 1) and (i, j)
   * @param nx the most nodes along x, for the grid of blocks
   * @param ny likewise along y
   * @param shapeAt where in {@code shape} nx is
   * @param hasSource whether there is a source
   * @param hasFaces whether the diffusivity is given by cells
   */
  record Arguments(
      IntArray shape,
      Object from,
      Object to,
      Object coefficients,
      Object source,
      Object facesX,
      Object facesY,
      int nx,
      int ny,
      int shapeAt,
      boolean hasSource,
      boolean hasFaces) {}

  /** One step by method 1 to 5, in groups of rows. */
  KernelTask step(String id, HeatMethod method, Arguments arguments);

  /**
   * One step by method 5.
   *
   * @param rowsAtOnce whether a thread loads all its rows before it computes one, or in groups; not
   *     for diffusivities by cell
   */
  KernelTask march(String id, boolean rowsAtOnce, Arguments arguments);

  /** A copy of the field before to the field after. */
  KernelTask copy(String id, Arguments arguments);

  /**
   * Delivers the last node of the field after, and counts the run behind it.
   *
   * @param result the array of the result
   * @param index of the result in it
   */
  KernelTask delivered(String id, Arguments arguments, Object result, int index);
}
