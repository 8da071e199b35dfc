package funnel.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.Order;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.lessons.HeatVariant;
import funnel.operation.RunCounter;
import funnel.operator.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Kernels in the emulator, bit for bit against a plain loop of this class. */
class HeatKernelsTest {

  private static final int DIRICHLET = 0;
  private static final int PERIODIC = 2;
  private static final int PROFILE = 3;

  private static final int[] OTHERS = {DIRICHLET, 1, PROFILE};

  private static final int SHAPE_AT = 3;

  /** Elements behind a field, which no kernel may touch. */
  private static final int GUARDS = 40;

  private static final double GUARD = 12345.0;

  private static final List<HeatStepper> SINGLE_STEPS =
      HeatVariant.ALL.stream().filter(m -> m != HeatMethod.REGISTER_STREAM).toList();

  private static final int[][] SIZES = {
    {1, 1}, {1, 7}, {7, 1}, {2, 2}, {3, 3}, {31, 15}, {32, 16}, {33, 17}, {65, 50}, {100, 37},
    {128, 32}, {129, 9}, {16, 33}, {64, 34}
  };

  /** A step in plain doubles, each operation rounded to the type. */
  private record Case(
      boolean isFloat,
      int nx,
      int ny,
      int[] kinds,
      double[] field,
      double[] coefficients,
      double[] source,
      double[] facesX,
      double[] facesY) {

    static Case random(
        boolean isFloat,
        int nx,
        int ny,
        int[] kinds,
        boolean hasSource,
        boolean hasFaces,
        SplittableRandom random) {
      double[] coefficients = new double[11 + 2 * (nx + ny)];
      for (int c = 0; c < coefficients.length; c++) {
        coefficients[c] = random.nextInt(4) == 0 ? c < 11 ? 0.0 : 1.0 : random.nextDouble(-1, 1);
      }
      coefficients[0] = 0.2;
      coefficients[1] = 0.75;
      coefficients[2] = -3.5;
      Case made =
          new Case(
              isFloat,
              nx,
              ny,
              kinds,
              values(nx * ny, -2, 2, random),
              coefficients,
              hasSource ? values(nx * ny, -1, 1, random) : new double[0],
              hasFaces ? values((nx + 1) * ny, 0, 0.25, random) : new double[0],
              hasFaces ? values(nx * (ny + 1), 0, 0.25, random) : new double[0]);
      for (double[] array :
          List.of(made.field, coefficients, made.source, made.facesX, made.facesY)) {
        Arrays.setAll(array, i -> made.rounded(array[i]));
      }
      return made;
    }

    /** Some of them zeros of both signs, whose bits are lost by an addition of 0.0. */
    private static double[] values(int count, double least, double most, SplittableRandom random) {
      return random
          .doubles(count, least, most)
          .map(v -> random.nextInt(4) > 0 ? v : random.nextBoolean() ? 0.0 : -0.0)
          .toArray();
    }

    double rounded(double value) {
      return isFloat ? (float) value : value;
    }

    double fma(double a, double b, double c) {
      return isFloat ? Math.fma((float) a, (float) b, (float) c) : Math.fma(a, b, c);
    }

    boolean hasFaces() {
      return facesX.length > 0;
    }

    private double beyond(double u, int opposite, int side, int values) {
      double more = coefficients[kinds[side] == PROFILE ? 11 + values : 3 + side];
      return kinds[side] == PERIODIC ? field[opposite] : fma(coefficients[7 + side], u, more);
    }

    double[] next() {
      double[] next = new double[nx * ny];
      for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
          int at = j * nx + i;
          boolean kept =
              i == 0 && kinds[0] == DIRICHLET
                  || i == nx - 1 && kinds[1] == DIRICHLET
                  || j == 0 && kinds[2] == DIRICHLET
                  || j == ny - 1 && kinds[3] == DIRICHLET;
          next[at] = kept ? field[at] : node(i, j);
        }
      }
      return next;
    }

    private double node(int i, int j) {
      int at = j * nx + i;
      double u = field[at];
      double[] c = coefficients;
      double l = i > 0 ? field[at - 1] : beyond(u, at + nx - 1, 0, j);
      double r = i < nx - 1 ? field[at + 1] : beyond(u, at - nx + 1, 1, ny + j);
      double d = j > 0 ? field[at - nx] : beyond(u, (ny - 1) * nx + i, 2, 2 * ny + i);
      double t = j < ny - 1 ? field[at + nx] : beyond(u, i, 3, 2 * ny + nx + i);
      double value;
      if (hasFaces()) {
        int face = j * (nx + 1) + i;
        double outX = rounded(facesX[face] * rounded(u - l));
        double outY = rounded(facesY[at] * rounded(u - d));
        double a = fma(facesX[face + 1], rounded(r - u), -outX);
        double b = fma(facesY[at + nx], rounded(t - u), -outY);
        value = rounded(u + rounded(a + b));
      } else {
        double h = rounded(l + r);
        double v = rounded(d + t);
        double z = fma(c[1], v, h);
        z = fma(c[2], u, z);
        value = fma(c[0], z, u);
      }
      return source.length > 0 ? rounded(value + source[at]) : value;
    }

    @Override
    public String toString() {
      return "%s %sx%s sides=%s source=%b faces=%b"
          .formatted(
              isFloat ? "float" : "double",
              nx,
              ny,
              Arrays.toString(kinds),
              source.length > 0,
              hasFaces());
    }

    // On the device.

    Object array(double[] values, int guards) {
      int count = Math.max(values.length, 1);
      double[] padded = Arrays.copyOf(values, count + guards);
      Arrays.fill(padded, values.length, count + guards, GUARD);
      if (!isFloat) {
        return DoubleArray.fromArray(padded);
      }
      FloatArray array = new FloatArray(padded.length);
      for (int i = 0; i < padded.length; i++) {
        array.set(i, (float) padded[i]);
      }
      return array;
    }

    static double get(Object array, int i) {
      return array instanceof FloatArray floats ? floats.get(i) : ((DoubleArray) array).get(i);
    }

    static int size(Object array) {
      return array instanceof FloatArray floats
          ? floats.getSize()
          : ((DoubleArray) array).getSize();
    }

    LaunchArrays arguments(int spare) {
      return arguments(nx + spare, ny + spare);
    }

    /** As if the grid could be that large. */
    LaunchArrays arguments(int mostX, int mostY) {
      IntArray shape = new IntArray(SHAPE_AT + 6);
      shape.set(SHAPE_AT, nx);
      shape.set(SHAPE_AT + 1, ny);
      for (int side = 0; side < kinds.length; side++) {
        shape.set(SHAPE_AT + 2 + side, kinds[side]);
      }
      double[] old = new double[nx * ny];
      Arrays.fill(old, GUARD);
      HeatGrid grid =
          new HeatGrid(
              isFloat ? ElementType.FLOAT : ElementType.DOUBLE,
              mostX,
              mostY,
              Arrays.stream(kinds).boxed().toList(),
              source.length > 0,
              hasFaces(),
              coefficients[0],
              coefficients[1]);
      return new LaunchArrays(
          grid,
          shape,
          SHAPE_AT,
          Map.of(
              HeatArrays.FIELD, array(field, 0),
              HeatArrays.NEXT, array(old, GUARDS),
              HeatArrays.COEFFICIENTS, array(coefficients, 0),
              HeatArrays.SOURCE, array(source, 0),
              HeatArrays.FACES_X, array(facesX, 0),
              HeatArrays.FACES_Y, array(facesY, 0)));
    }

    void requireRight(LaunchArrays a, double[] expected, String what) {
      for (int i = 0; i < size(a.to()); i++) {
        double wanted = i < expected.length ? expected[i] : GUARD;
        int index = i;
        assertEquals(
            Double.doubleToRawLongBits(wanted),
            Double.doubleToRawLongBits(get(a.to(), i)),
            () ->
                "%s, %s, node (%s, %s): expected %s, got %s%s"
                    .formatted(
                        what,
                        this,
                        index % nx,
                        index / nx,
                        wanted,
                        get(a.to(), index),
                        Seed.replay()));
      }
      for (int i = 0; i < field.length; i++) {
        assertEquals(field[i], get(a.from(), i), what + " wrote over the field before");
      }
    }
  }

  /** Sides at random: an axis is periodic as a whole, or its ends are of any two other kinds. */
  private static int[] sides(SplittableRandom random) {
    int[] kinds = new int[4];
    for (int axis = 0; axis < 2; axis++) {
      boolean wraps = random.nextInt(3) == 0;
      kinds[2 * axis] = wraps ? PERIODIC : OTHERS[random.nextInt(OTHERS.length)];
      kinds[2 * axis + 1] = wraps ? PERIODIC : OTHERS[random.nextInt(OTHERS.length)];
    }
    return kinds;
  }

  private static Emulator emulator(Order order, SplittableRandom random) {
    return Emulator.builder()
        .order(order)
        .groupOrder(order)
        .seed(random.nextLong())
        .detectRaces(true)
        .build();
  }

  private static void check(
      Case c, HeatStepper method, Order order, int spare, SplittableRandom r) {
    LaunchArrays a = c.arguments(spare);
    emulator(order, r).run(a.step(method));
    c.requireRight(a, c.next(), method + " " + order);
    if (method == HeatMethod.REGISTER_MARCH) {
      LaunchArrays again = c.arguments(spare);
      emulator(order, r).run(again.launch(l -> l.step("march", method, true)));
      c.requireRight(again, c.next(), method + " " + order + ", rows at once");
    }
  }

  static Stream<HeatStepper> singleSteps() {
    return SINGLE_STEPS.stream();
  }

  @ParameterizedTest
  @MethodSource("singleSteps")
  void sizesOfAllKinds_areTheLoopsBits(HeatStepper method) {
    SplittableRandom random = Seed.random("sizes " + method);
    for (int[] size : SIZES) {
      for (int trial = 0; trial < 6; trial++) {
        boolean isFloat = trial % 2 == 0;
        boolean hasSource = trial % 3 == 0;
        Order order = Order.values()[trial % 3];
        int spare = trial < 4 ? 0 : 35;
        Case c = Case.random(isFloat, size[0], size[1], sides(random), hasSource, false, random);
        check(c, method, order, spare, random);
      }
    }
  }

  /** Every pair of sides' kinds on the x axis with every one on the y axis. */
  @ParameterizedTest
  @MethodSource("singleSteps")
  void sidesOfAllKinds_areTheLoopsBits(HeatStepper method) {
    SplittableRandom random = Seed.random("sides " + method);
    int[][] pairs = {{0, 0}, {0, 1}, {1, 0}, {1, 3}, {2, 2}};
    for (int[] x : pairs) {
      for (int[] y : pairs) {
        int[] kinds = {x[0], x[1], y[0], y[1]};
        check(
            Case.random(true, 35, 19, kinds, false, false, random),
            method,
            Order.FORWARD,
            0,
            random);
        check(
            Case.random(false, 3, 11, kinds, false, false, random),
            method,
            Order.REVERSE,
            0,
            random);
      }
    }
  }

  static Stream<HeatStepper> singleStepsOfCells() {
    return Stream.of(HeatVariant.GLOBAL, HeatMethod.REGISTER_MARCH);
  }

  @ParameterizedTest
  @MethodSource("singleStepsOfCells")
  void diffusivityByCells_isTheLoopsBits(HeatStepper method) {
    SplittableRandom random = Seed.random("cells " + method);
    for (int[] size : SIZES) {
      for (int trial = 0; trial < 6; trial++) {
        Case c =
            Case.random(
                trial % 2 == 0, size[0], size[1], sides(random), trial % 3 == 0, true, random);
        check(c, method, Order.values()[trial % 3], trial < 4 ? 0 : 35, random);
      }
    }
  }

  /** As if a device took no more than a few rows of blocks: they lie side by side in layers. */
  @Test
  void layersOfBlocks_reachAllTiles() {
    SplittableRandom random = Seed.random("layers");
    for (int trial = 0; trial < 12; trial++) {
      Case c = Case.random(true, 40, 70, sides(random), trial % 2 == 0, false, random);
      int up = 1 + trial % 3;
      int layers = Math.ceilDiv(5, up);
      for (HeatStepper method : SINGLE_STEPS) {
        if (method != HeatMethod.REGISTER_MARCH) {
          LaunchArrays a = c.arguments(0);
          KernelTask whole = a.step(method);
          int across = whole.grid().blocks();
          Object[] arguments = whole.arguments().toArray();
          arguments[arguments.length - 1] = up;
          if (method != HeatVariant.STRIP) {
            arguments[arguments.length - 2] = across;
          }
          KernelTask layered =
              new KernelTask(
                  "step",
                  new Grid(across * layers, whole.grid().threads(), up, whole.grid().threadsY()),
                  whole.code(),
                  List.of(arguments));
          emulator(Order.values()[trial % 3], random).run(layered);
          c.requireRight(a, c.next(), method + " with up=" + up);
        }
      }
    }
  }

  @Test
  void gridsOfAnyShape_fitTheDevicesLimits() {
    Case c = Case.random(false, 1, 1, new int[4], false, false, Seed.random("grids"));
    int[][] sizes = {{1, 1 << 30}, {1 << 30, 1}, {14400, 14400}, {40000, 50000}, {3, 500_000_000}};
    for (int[] size : sizes) {
      LaunchArrays a = c.arguments(size[0], size[1]);
      for (HeatStepper method : SINGLE_STEPS) {
        Grid grid = a.step(method).grid();
        String what = method + " " + Arrays.toString(size) + " " + grid;
        assertTrue(grid.blocksY() <= 65535, what);
        assertTrue((long) grid.blocks() * grid.threads() <= Integer.MAX_VALUE, what);
        assertTrue(grid.threads() * grid.threadsY() <= 1024, what);
      }
    }
  }

  /** With cells also such as are no whole number of groups. */
  @Test
  void chunksOfOtherLengths_areTheLoopsBits() {
    SplittableRandom random = Seed.random("chunks");
    for (boolean hasFaces : new boolean[] {false, true}) {
      for (int chunk : hasFaces ? new int[] {1, 3, 8, 9, 24, 100} : new int[] {4, 8, 24, 100}) {
        Case c = Case.random(true, 30, 67, sides(random), false, hasFaces, random);
        LaunchArrays a = c.arguments(0);
        KernelTask whole = a.step(HeatMethod.REGISTER_MARCH);
        Object[] arguments = whole.arguments().toArray();
        arguments[arguments.length - 1] = chunk;
        KernelTask other =
            new KernelTask(
                "step",
                new Grid(2, 32, Math.ceilDiv(67, chunk), 1),
                whole.code(),
                List.of(arguments));
        emulator(Order.RANDOM, random).run(other);
        c.requireRight(a, c.next(), "chunk=" + chunk);
      }
    }
  }

  /** In the plain loop's order of sides, so that later ones have the corners. */
  @Test
  void setsTheNodesOfDirichletSides() {
    SplittableRandom random = Seed.random("set");
    for (int trial = 0; trial < 60; trial++) {
      int[] size = SIZES[trial % 8];
      Case c = Case.random(trial % 2 == 0, size[0], size[1], sides(random), false, false, random);
      LaunchArrays a = c.arguments(0);
      double[] expected = new double[c.nx * c.ny];
      Arrays.fill(expected, GUARD);
      int value = 11;
      for (int side = 0; side < 4; side++) {
        for (int at = 0; at < (side < 2 ? c.ny : c.nx); at++) {
          int i = side < 2 ? side * (c.nx - 1) : at;
          int j = side < 2 ? at : (side - 2) * (c.ny - 1);
          if (c.kinds[side] == DIRICHLET && c.coefficients[7 + side] > 0) {
            expected[j * c.nx + i] = c.coefficients[value];
          }
          value++;
        }
      }
      emulator(Order.RANDOM, random).run(a.launch(l -> l.setSides("set")));
      c.requireRight(a, expected, "sides set");
    }
  }

  @Test
  void copiesTheField() {
    SplittableRandom random = Seed.random("copy");
    for (int[] size : new int[][] {{1, 1}, {7, 5}, {64, 32}, {65, 63}, {100, 61}}) {
      for (boolean isFloat : new boolean[] {true, false}) {
        Case c = Case.random(isFloat, size[0], size[1], new int[4], false, false, random);
        LaunchArrays a = c.arguments(0);
        emulator(Order.RANDOM, random).run(a.launch(l -> l.copy("copy")));
        c.requireRight(a, c.field(), "copy");
      }
    }
  }

  @Test
  void deliversTheLastNode_andCountsRuns() {
    SplittableRandom random = Seed.random("delivered");
    for (boolean isFloat : new boolean[] {true, false}) {
      Case c = Case.random(isFloat, 5, 3, new int[4], false, false, random);
      Object result = c.array(new double[] {-1, -1, -1, 0, -1}, 0);
      LaunchArrays a = c.arguments(0).with(LaunchArrays.LAST, result);
      Emulator emulator = emulator(Order.FORWARD, random);
      emulator.run(a.launch(l -> l.copy("copy")));
      KernelTask task = a.launch(l -> l.deliver("last"));
      for (int run = 1; run <= 3; run++) {
        emulator.run(task);
        assertEquals(c.field()[14], Case.get(result, 2));
        assertEquals(run, Case.get(result, 3));
      }
      Object full = c.array(new double[] {0, 0, 0, RunCounter.LAST}, 0);
      emulator.run(a.with(LaunchArrays.LAST, full).launch(l -> l.deliver("last")));
      assertEquals(0, Case.get(full, 3));
      int[] others = {0, 1, 4};
      IntStream.of(others).forEach(i -> assertEquals(-1, Case.get(result, i)));
    }
  }

  @Test
  void axesThatAreTooLong_areRefusedWithTheNumbers() {
    Case c = Case.random(true, 2, 2, new int[4], false, false, Seed.random("long"));
    LaunchArrays a = c.arguments((1 << 30) - 1);
    String message =
        assertThrows(IllegalArgumentException.class, () -> a.step(HeatMethod.REGISTER_MARCH))
            .getMessage();
    assertTrue(message.contains("nx=1073741825"), message);
  }
}
