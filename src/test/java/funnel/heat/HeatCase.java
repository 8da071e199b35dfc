package funnel.heat;

import funnel.Seed;
import funnel.lessons.HeatVariant;
import funnel.operator.ElementType;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A heat equation with random numbers, for a solver and for the plain loop alike.
 *
 * @param name what it is, for messages
 * @param isFloat whether the type is float, not double
 * @param nx nodes along x
 * @param ny nodes along y
 * @param kinds of the sides left, right, bottom, top: 'D', 'P', or 'N' for one of those with ghosts
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
        "%s %s x %s, sides %s%s%s, method %s"
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
    boolean hasWall =
        IntStream.range(0, 4).anyMatch(side -> hasGhosts(side) && kind(side) != Side.Kind.NEUMANN);
    return a == 0 ? 0.01 : (hasWall ? 0.24 : 0.45) / (a * (1 / (DX * DX) + 1 / (DY * DY)));
  }

  /** A source; another one from time to time. */
  double[] source(int time) {
    return numbers("source" + time, nx * ny, -1, 1);
  }

  private double[] profile(int side, int time) {
    return numbers("side" + side + "at" + time, side < 2 ? ny : nx, -2, 2);
  }

  private boolean hasGhosts(int side) {
    return kinds.charAt(side) == 'N';
  }

  private Side.Kind kind(int side) {
    Side.Kind[] kinds = {Side.Kind.NEUMANN, Side.Kind.WALL, Side.Kind.ROBIN};
    return kinds[random("kind" + side).nextInt(kinds.length)];
  }

  private boolean hasProfile(int side) {
    return !method.equals("6") && random("has profile" + side).nextInt(3) == 0;
  }

  private double transfer(int side) {
    return random("transfer" + side).nextDouble(0, 9);
  }

  /** What a side with ghosts has at its nodes at some time; different ones from time to time. */
  private double[] values(int side, int time) {
    double[] values = numbers("values" + side + "at" + time, side < 2 ? ny : nx, -1, 1);
    if (!hasProfile(side)) {
      Arrays.fill(values, values[0]);
    }
    return values;
  }

  /** What holds at a side at a time. */
  Side side(int side, int time) {
    if (!hasGhosts(side)) {
      return kinds.charAt(side) == 'D' ? Side.dirichlet(profile(side, time)) : Side.periodic();
    }
    double[] values = values(side, time);
    boolean isProfile = hasProfile(side);
    return switch (kind(side)) {
      case NEUMANN -> isProfile ? Side.neumann(values) : Side.neumann(values[0]);
      case WALL -> isProfile ? Side.wall(values) : Side.wall(values[0]);
      default ->
          isProfile ? Side.robin(transfer(side), values) : Side.robin(transfer(side), values[0]);
    };
  }

  private double share(int side) {
    double b = transfer(side) * (side < 2 ? DX : DY);
    return switch (kind(side)) {
      case NEUMANN -> 0;
      case WALL -> 2;
      default -> 2 * b / (2 + b);
    };
  }

  /** The plain loop with what the sides and the source are at a time. */
  HeatOracle oracle(int time) {
    double[] parts = new double[4];
    double[][] addends = new double[4][];
    for (int k = 0; k < 4; k++) {
      double factor = kind(k) == Side.Kind.NEUMANN ? (k < 2 ? DX : DY) : share(k);
      parts[k] = rounded(1 - share(k));
      addends[k] = Arrays.stream(values(k, time)).map(v -> rounded(v * factor)).toArray();
    }
    double dt = dt();
    double[] source = Arrays.stream(source(time)).map(s -> rounded(s * dt)).toArray();
    return oracle(parts, addends, hasSource ? source : new double[0]);
  }

  /** The builder of the solver. */
  HeatProblem.Builder builder() {
    HeatProblem.Builder builder =
        HeatProblem.builder(nx, ny)
            .type(isFloat ? ElementType.FLOAT : ElementType.DOUBLE)
            .spacing(DX, DY)
            .diffusivity(diffusivity())
            .dt(dt())
            .initial(numbers("field", nx * ny, -3, 3))
            .left(side(0, 0))
            .right(side(1, 0))
            .bottom(side(2, 0))
            .top(side(3, 0));
    if (!method.equals("auto")) {
      builder.method(HeatVariant.of(method));
    }
    if (hasSource) {
      builder.source(source(0));
    }
    return hasCells ? builder.diffusivity(cells()) : builder;
  }

  /** The field to begin with, before the sides have values. */
  double[] given() {
    return rounded(numbers("field", nx * ny, -3, 3));
  }

  /** The field to begin with. */
  double[] field() {
    double[] field = given();
    setSides(field, 0);
    return field;
  }

  /** Gives a field's Dirichlet nodes what they have at a time. */
  void setSides(double[] field, int time) {
    for (int side = 0; side < 4; side++) {
      if (kinds.charAt(side) == 'D') {
        double[] profile = rounded(profile(side, time));
        for (int at = 0; at < profile.length; at++) {
          int i = side == 0 ? 0 : side == 1 ? nx - 1 : at;
          int j = side == 2 ? 0 : side == 3 ? ny - 1 : at;
          field[j * nx + i] = profile[at];
        }
      }
    }
  }

  /** The plain loop at the beginning. */
  HeatOracle oracle() {
    return oracle(0);
  }

  private HeatOracle oracle(double[] parts, double[][] addends, double[] source) {
    double ratio = DX / DY * (DX / DY); // 16/9, to 23 or 52 bits of 1 + 16/9 behind the point
    double ulp = isFloat ? 0x1p-22 : 0x1p-51;
    double k = Math.rint(ratio / ulp) * ulp;
    double[] coefficients = {diffusivity() * dt() / (DX * DX), k, -(2 + 2 * k)};
    return new HeatOracle(
        isFloat,
        nx,
        ny,
        kinds.replace('N', 'G'),
        rounded(coefficients),
        parts,
        addends,
        source,
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
