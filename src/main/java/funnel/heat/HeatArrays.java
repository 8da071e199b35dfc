package funnel.heat;

import funnel.engine.LoadedProgram;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The arrays of a heat equation's program, on the JVM.
 *
 * @param field the field
 * @param next another array of its size, undefined between routines
 * @param coefficients cx, k, -m; for left, right, bottom and top the addend of a ghost; then the
 *     factor of the node next to it, for a Dirichlet side 1 if it sets its nodes; and {@linkplain
 *     HeatGrid#coefficients if sides have values} by node, these values or the ghosts' addends, one
 *     side after the other
 * @param source the addend of each step, if there is a source
 * @param facesX coefficients of faces across x, if the diffusivity is given by cells: index {@code
 *     j * (nx + 1) + i} is the face between (i - 1, j) and (i, j)
 * @param facesY coefficients of faces across y: index {@code j * nx + i} is the face between (i, j
 *     - 1) and (i, j)
 */
record HeatArrays(
    MemorySegment field,
    MemorySegment next,
    MemorySegment coefficients,
    MemorySegment source,
    MemorySegment facesX,
    MemorySegment facesY) {

  static final String FIELD = "field";
  static final String NEXT = "next";
  static final String COEFFICIENTS = "coefficients";
  static final String SOURCE = "source";
  static final String FACES_X = "facesX";
  static final String FACES_Y = "facesY";

  /** The number of coefficients besides values by node. */
  static final int COUNT = 11;

  /** The index of the first coefficient of sides. */
  static final int ADDENDS = 3;

  static final int FACTORS = 7;

  /** The names, in the order of the program's inputs. */
  static final List<String> NAMES = List.of(FIELD, NEXT, COEFFICIENTS, SOURCE, FACES_X, FACES_Y);

  /** The program's inputs; those that a grid does not need have one element. */
  static List<Input> inputs(HeatGrid grid) {
    ElementType type = grid.type();
    return List.of(
        new Input(FIELD, type, grid.nodes()),
        new Input(NEXT, type, grid.nodes()),
        new Input(COEFFICIENTS, type, grid.coefficients()),
        new Input(SOURCE, type, grid.hasSource() ? grid.nodes() : 1),
        new Input(FACES_X, type, grid.hasCells() ? grid.nodes() + grid.ny() : 1),
        new Input(FACES_Y, type, grid.hasCells() ? grid.nodes() + grid.nx() : 1));
  }

  /** The arrays of a run. */
  static HeatArrays of(JvmRun run) {
    return new HeatArrays(
        run.input(FIELD),
        run.input(NEXT),
        run.input(COEFFICIENTS),
        run.input(SOURCE),
        run.input(FACES_X),
        run.input(FACES_Y));
  }

  /**
   * Sets all arrays in a program.
   *
   * @param nodes 0, or the number of nodes if a routine will write the field first
   */
  void setIn(LoadedProgram program, int nodes) {
    if (nodes > 0) {
      program.setLength(FIELD, nodes);
      program.setLength(NEXT, nodes);
    } else {
      program.set(FIELD, field);
      program.set(NEXT, next);
    }
    program.set(COEFFICIENTS, coefficients);
    program.set(SOURCE, source);
    program.set(FACES_X, facesX);
    program.set(FACES_Y, facesY);
  }
}
