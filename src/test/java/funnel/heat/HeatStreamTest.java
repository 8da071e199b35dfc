package funnel.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.Order;
import funnel.kernel.KernelTask;
import funnel.operator.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The register stream's kernels in the emulator, bit for bit against single sequential steps. */
class HeatStreamTest {

  private static final int DIRICHLET = 0;
  private static final int GHOST = 1;
  private static final int PERIODIC = 2;

  private static final int GUARDS = 70;
  private static final float GUARD = 12345.5f;
  private static final int SHAPE_AT = 3;
  private static final List<Integer> FIXED = List.of(0, 0, 0, 0);

  /**
   * Grids without and with tiles that no side touches, and sizes around where those begin; and one
   * whose stretch of 7 rows takes two levels into all rows of a second trip.
   */
  private static final int[][] GRIDS = {
    {180, 11}, {1, 1}, {1, 9}, {9, 1}, {2, 2}, {33, 17}, {147, 40}, {148, 21}, {149, 20}, {112, 40},
    {113, 41}, {127, 33}, {128, 17}, {128, 16}, {179, 40}, {180, 16}, {180, 17}, {181, 41},
    {250, 70}, {335, 33}, {336, 18}, {493, 25}
  };

  private static final int[][] SIDES = {
    {DIRICHLET, DIRICHLET, DIRICHLET, DIRICHLET},
    {GHOST, GHOST, GHOST, GHOST},
    {PERIODIC, PERIODIC, PERIODIC, PERIODIC},
    {DIRICHLET, GHOST, PERIODIC, PERIODIC},
    {PERIODIC, PERIODIC, GHOST, DIRICHLET}
  };

  /**
   * Whether tiles inside of a grid begin at its width, or at those next to it, with so many levels:
   * where they do with others only, some grids are drawn.
   */
  private static boolean isOfLevels(int levels, int nx) {
    boolean isOfWidth = levels > 8 ? nx <= 149 : nx > 149 && (nx < 335 || levels == 2);
    return nx <= 128 || nx == 250 || isOfWidth;
  }

  /** Sides by turns, so that each grid has several of the five in one build. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8, 10})
  void advancesByItsLevels(int levels) {
    SplittableRandom random = Seed.random("advancesByItsLevels" + levels);
    int turn = Seed.random("sides").nextInt(SIDES.length) + levels / 2;
    for (int[] grid : GRIDS) {
      turn++;
      if (!isOfLevels(levels, grid[0]) && !Seed.draws(random, 8)) {
        continue;
      }
      check(levels, grid, grid, SIDES[turn % SIDES.length], random, Order.FORWARD);
      for (int[] sides : SIDES) {
        if (Seed.draws(random, 40)) {
          check(levels, grid, grid, sides, random, Order.FORWARD);
        }
      }
      if (Seed.draws(random, 8)) {
        check(levels, grid, grid, mixed(random), random, Order.RANDOM);
      }
    }
  }

  /** A plan for the largest grid takes smaller ones, too: two of them in one build. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8, 10})
  void takesSmallerGridsThanStated(int levels) {
    SplittableRandom random = Seed.random("takesSmallerGridsThanStated" + levels);
    int[] most = {500, 60};
    for (int[] grid : new int[][] {{500, 60}, {300, 25}, {40, 60}, {500, 5}, {1, 1}}) {
      if (Seed.draws(random, 2)) {
        check(levels, grid, most, mixed(random), random, Order.REVERSE);
      }
    }
  }

  @Test
  void refusesWhatItHasNoKernelFor() {
    refuses(3, new HeatGrid(ElementType.FLOAT, 2, 2, FIXED, false, false, 0.2, 1));
    refuses(2, new HeatGrid(ElementType.FLOAT, 2, 2, FIXED, true, false, 0.2, 1));
    refuses(2, new HeatGrid(ElementType.FLOAT, 2, 2, FIXED, false, true, 0.2, 1));
    refuses(2, new HeatGrid(ElementType.FLOAT, 32769, 32768, FIXED, false, false, 0.2, 1));
  }

  private static void refuses(int levels, HeatGrid grid) {
    FloatArray field = new FloatArray(4);
    IntArray shape = IntArray.fromElements(new HeatSides("sides", grid).asIs().shape(_ -> 0));
    LaunchArrays arrays = arrays(grid, shape, field, new FloatArray(4), field, 0);
    assertThrows(
        IllegalArgumentException.class, () -> arrays.launch(l -> l.pass("h", levels, true)));
  }

  /** Kinds of the four sides: left, right, bottom, top. */
  private static int[] mixed(SplittableRandom random) {
    int[] sides = new int[4];
    for (int axis = 0; axis < 4; axis += 2) {
      boolean isPeriodic = random.nextInt(4) == 0;
      sides[axis] = isPeriodic ? PERIODIC : random.nextInt(2);
      sides[axis + 1] = isPeriodic ? PERIODIC : random.nextInt(2);
    }
    return sides;
  }

  private static LaunchArrays arrays(
      HeatGrid grid, IntArray shape, FloatArray from, FloatArray to, FloatArray c, int shapeAt) {
    return new LaunchArrays(
        grid,
        shape,
        shapeAt,
        Map.of(
            HeatArrays.FIELD, from,
            HeatArrays.NEXT, to,
            HeatArrays.COEFFICIENTS, c,
            HeatArrays.SOURCE, from,
            HeatArrays.FACES_X, from,
            HeatArrays.FACES_Y, from));
  }

  private static void check(
      int levels, int[] grid, int[] most, int[] sides, SplittableRandom random, Order order) {
    int nx = grid[0];
    int ny = grid[1];
    boolean rowsAtOnce = random.nextBoolean();
    String what =
        "levels=%s, rowsAtOnce=%b, grid=%s x %s, sides=%s%s"
            .formatted(levels, rowsAtOnce, nx, ny, Arrays.toString(sides), Seed.replay());
    float[] field = new float[nx * ny];
    for (int i = 0; i < field.length; i++) {
      field[i] = random.nextInt(9) == 0 ? -0f : (float) (2 * random.nextDouble() - 1);
    }
    float k = random.nextInt(3) == 0 ? 1 : 1.25f;
    float[] c = {
      0.21f, k, -(2 + 2 * k), 0.3f, -0.7f, 0.011f, -0f, 1, -1, random.nextFloat() * 2 - 1, 0.5f
    };

    FloatArray from = FloatArray.fromElements(Arrays.copyOf(field, nx * ny + GUARDS));
    FloatArray to = new FloatArray(nx * ny + GUARDS);
    for (int i = 0; i < to.getSize(); i++) {
      to.set(i, GUARD);
      if (i >= nx * ny) {
        from.set(i, Float.NaN);
      }
    }
    IntArray shape =
        IntArray.fromElements(-1, -1, -1, nx, ny, sides[0], sides[1], sides[2], sides[3]);
    List<Integer> kinds = Arrays.stream(sides).boxed().toList();
    FloatArray coefficients = FloatArray.fromElements(c);
    HeatGrid largest =
        new HeatGrid(ElementType.FLOAT, most[0], most[1], kinds, false, false, c[0], k);
    KernelTask pass =
        arrays(largest, shape, from, to, coefficients, SHAPE_AT)
            .launch(launches -> launches.pass("h", levels, rowsAtOnce));
    Emulator.builder()
        .order(order)
        .seed(Seed.VALUE)
        .detectRaces(order == Order.RANDOM)
        .parallel(true)
        .build()
        .run(pass);

    float[] expected = field;
    for (int step = 0; step < levels; step++) {
      expected = step(expected, nx, ny, sides, c);
    }
    for (int i = 0; i < to.getSize(); i++) {
      float wanted = i < nx * ny ? expected[i] : GUARD;
      if (Float.floatToRawIntBits(wanted) != Float.floatToRawIntBits(to.get(i))) {
        assertEquals(wanted, to.get(i), "i=%s, j=%s, %s".formatted(i % nx, i / nx, what));
      }
    }
  }

  /** The definition, a step at a time. */
  private static float[] step(float[] field, int nx, int ny, int[] sides, float[] c) {
    float[] next = new float[nx * ny];
    for (int j = 0; j < ny; j++) {
      for (int i = 0; i < nx; i++) {
        float u = field[j * nx + i];
        boolean isFixed =
            i == 0 && sides[0] == DIRICHLET
                || i == nx - 1 && sides[1] == DIRICHLET
                || j == 0 && sides[2] == DIRICHLET
                || j == ny - 1 && sides[3] == DIRICHLET;
        if (isFixed) {
          next[j * nx + i] = u;
        } else {
          float l =
              i > 0
                  ? field[j * nx + i - 1]
                  : ghost(sides[0], u, c[7], c[3], field, j * nx + nx - 1);
          float r =
              i < nx - 1 ? field[j * nx + i + 1] : ghost(sides[1], u, c[8], c[4], field, j * nx);
          float d =
              j > 0
                  ? field[j * nx - nx + i]
                  : ghost(sides[2], u, c[9], c[5], field, ny * nx - nx + i);
          float t = j < ny - 1 ? field[j * nx + nx + i] : ghost(sides[3], u, c[10], c[6], field, i);
          float h = l + r;
          float v = d + t;
          float z = Math.fma(c[1], v, h);
          z = Math.fma(c[2], u, z);
          next[j * nx + i] = Math.fma(c[0], z, u);
        }
      }
    }
    return next;
  }

  private static float ghost(
      int side, float edge, float part, float more, float[] field, int opposite) {
    return side == GHOST ? Math.fma(part, edge, more) : field[opposite];
  }
}
