package funnel.heat;

import funnel.Seed;
import funnel.operator.ElementType;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A heat equation with random numbers, for a solver and for the plain loop alike.
 *
 * @param name what it is, for messages
 * @param isFloat whether the type is float, not double
 * @param nx nodes along x
 * @param ny nodes along y
 * @param kinds of the sides left, right, bottom, top: 'D', 'N' or 'P'
 * @param hasSource whether there is a source
 * @param hasCells whether the diffusivity differs from cell to cell
 * @param method of a device
 */
record HeatCase(
    String name,
    boolean isFloat,
    int nx,
    int ny,
    String kinds,
    boolean hasSource,
    boolean hasCells,
    String method) {

  private static final double DX = 0.5;
  private static final double DY = 0.375;

  HeatCase(
      boolean isFloat,
      int nx,
      int ny,
      String kinds,
      boolean hasSource,
      boolean hasCells,
      String method) {
    this(
        "%s %d x %d, sides %s%s%s, method %s"
            .formatted(
                isFloat ? "float" : "double",
                nx,
                ny,
                kinds,
                hasSource ? ", source" : "",
                hasCells ? ", cells" : "",
                method),
        isFloat,
        nx,
        ny,
        kinds,
        hasSource,
        hasCells,
        method);
  }

  private SplittableRandom random(String what) {
    return Seed.random(name + what);
  }

  private double[] numbers(String what, int count, double from, double to) {
    SplittableRandom random = random(what);
    double[] numbers = new double[count];
    for (int i = 0; i < count; i++) {
      double number = random.nextInt(8) == 0 ? 0 : random.nextDouble(from, to);
      numbers[i] = random.nextInt(16) == 0 ? -0.0 : number;
    }
    return numbers;
  }

  private double rounded(double value) {
    return isFloat ? (float) value : value;
  }

  private double[] rounded(double[] values) {
    return Arrays.stream(values).map(this::rounded).toArray();
  }

  private double[] cells() {
    return Arrays.stream(numbers("cells", nx * ny, 0, 3)).map(Math::abs).toArray();
  }

  private double diffusivity() {
    return hasCells ? Arrays.stream(cells()).max().orElseThrow() : 1.75;
  }

  private double dt() {
    double a = diffusivity();
    return a == 0 ? 0.01 : 0.45 / (a * (1 / (DX * DX) + 1 / (DY * DY)));
  }

  private double[] source() {
    return numbers("source", nx * ny, -1, 1);
  }

  private double[] profile(int side) {
    return numbers("side" + side, side < 2 ? ny : nx, -2, 2);
  }

  private double flux(int side) {
    return random("flux" + side).nextInt(3) == 0 ? 0 : random("flux" + side).nextDouble(-1, 1);
  }

  private Side side(int side) {
    return switch (kinds.charAt(side)) {
      case 'D' -> Side.dirichlet(profile(side));
      case 'N' -> Side.neumann(flux(side));
      default -> Side.periodic();
    };
  }

  /** The builder of the solver. */
  HeatProblem.Builder builder() {
    HeatProblem.Builder builder =
        HeatProblem.builder(nx, ny)
            .type(isFloat ? ElementType.FLOAT : ElementType.DOUBLE)
            .spacing(DX, DY)
            .diffusivity(diffusivity())
            .dt(dt())
            .method(method)
            .initial(numbers("field", nx * ny, -3, 3))
            .left(side(0))
            .right(side(1))
            .bottom(side(2))
            .top(side(3));
    if (hasSource) {
      builder.source(source());
    }
    return hasCells ? builder.diffusivity(cells()) : builder;
  }

  /** The field to begin with. */
  double[] field() {
    double[] field = rounded(numbers("field", nx * ny, -3, 3));
    for (int side = 0; side < 4; side++) {
      if (kinds.charAt(side) == 'D') {
        double[] profile = rounded(profile(side));
        for (int at = 0; at < profile.length; at++) {
          int i = side == 0 ? 0 : side == 1 ? nx - 1 : at;
          int j = side == 2 ? 0 : side == 3 ? ny - 1 : at;
          field[j * nx + i] = profile[at];
        }
      }
    }
    return field;
  }

  /** The plain loop. */
  HeatOracle oracle() {
    double ratio = DX / DY * (DX / DY); // 16/9, to 23 or 52 bits of 1 + 16/9 behind the point
    double ulp = isFloat ? 0x1p-22 : 0x1p-51;
    double k = Math.rint(ratio / ulp) * ulp;
    double[] coefficients = {
      diffusivity() * dt() / (DX * DX),
      k,
      -(2 + 2 * k),
      kinds.charAt(0) == 'N' ? flux(0) * DX : 0,
      kinds.charAt(1) == 'N' ? flux(1) * DX : 0,
      kinds.charAt(2) == 'N' ? flux(2) * DY : 0,
      kinds.charAt(3) == 'N' ? flux(3) * DY : 0
    };
    double dt = dt();
    double[] source = Arrays.stream(source()).map(s -> rounded(s * dt)).toArray();
    return new HeatOracle(
        isFloat,
        nx,
        ny,
        kinds,
        rounded(coefficients),
        hasSource ? source : new double[0],
        hasCells ? facesX() : new double[0],
        hasCells ? facesY() : new double[0]);
  }

  private double[] facesX() {
    double[] a = cells();
    double dt = dt();
    double[] faces = new double[(nx + 1) * ny];
    for (int j = 0; j < ny; j++) {
      for (int i = 0; i <= nx; i++) {
        int before = i > 0 ? i - 1 : kinds.charAt(0) == 'P' ? nx - 1 : 0;
        int behind = i < nx ? i : kinds.charAt(0) == 'P' ? 0 : nx - 1;
        double mean = harmonic(a[j * nx + before], a[j * nx + behind]);
        faces[j * (nx + 1) + i] = rounded(mean * dt / (DX * DX));
      }
    }
    return faces;
  }

  private double[] facesY() {
    double[] a = cells();
    double dt = dt();
    double[] faces = new double[nx * (ny + 1)];
    for (int j = 0; j <= ny; j++) {
      int below = j > 0 ? j - 1 : kinds.charAt(2) == 'P' ? ny - 1 : 0;
      int above = j < ny ? j : kinds.charAt(2) == 'P' ? 0 : ny - 1;
      for (int i = 0; i < nx; i++) {
        double mean = harmonic(a[below * nx + i], a[above * nx + i]);
        faces[j * nx + i] = rounded(mean * dt / (DY * DY));
      }
    }
    return faces;
  }

  private static double harmonic(double a, double b) {
    return a * b == 0 ? 0 : 2 * (Math.min(a, b) / (1 + Math.min(a, b) / Math.max(a, b)));
  }

  @Override
  public String toString() {
    return name + Seed.replay();
  }
}
