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
 * @param next another of its size, of no meaning between routines
 * @param coefficients cx, k, -m; for left, right, bottom, top what a ghost has besides its part of
 *     the node before it; that part, of a Dirichlet side 1 if it sets its nodes; and {@linkplain
 *     HeatGrid#coefficients where sides have values} by nodes, these, or what ghosts have besides,
 *     one side after the other
 * @param source what is added in each step, where there is a source
 * @param facesX coefficients of faces across x, where the diffusivity is given by cells: index
 *     {@code j * (nx + 1) + i} is that between (i - 1, j) and (i, j)
 * @param facesY likewise across y: index {@code j * nx + i} is that between (i, j - 1) and (i, j)
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

  /** How many coefficients there are besides values by nodes. */
  static final int COUNT = 11;

  /** Where the first of those of sides are. */
  static final int ADDENDS = 3;

  static final int FACTORS = 7;

  /** The names, in the order of the program's inputs. */
  static final List<String> NAMES = List.of(FIELD, NEXT, COEFFICIENTS, SOURCE, FACES_X, FACES_Y);

  /** The program's inputs; what a grid does without has one element. */
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

  /** Sets all of them in a program. */
  void setIn(LoadedProgram program) {
    program.set(FIELD, field);
    program.set(NEXT, next);
    program.set(COEFFICIENTS, coefficients);
    program.set(SOURCE, source);
    program.set(FACES_X, facesX);
    program.set(FACES_Y, facesY);
  }
}
