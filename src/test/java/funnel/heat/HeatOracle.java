package funnel.heat;

import funnel.operator.ElementType;

/**
 * The steps of a heat equation as a plain loop over nodes: what all engines and methods are
 * compared with. Numbers are kept as doubles, which hold floats exactly; each operation rounds to
 * the type.
 *
 * @param isFloat whether the type is float, not double
 * @param nx nodes along x
 * @param ny nodes along y
 * @param kinds of the sides left, right, bottom, top: 'D', 'N' or 'P'
 * @param coefficients cx, k, -m, and what ghosts have more than their edges, in the sides' order
 * @param source what is added in each step; none if empty
 * @param facesX coefficients of (nx + 1) * ny faces across x; none if empty
 * @param facesY coefficients of nx * (ny + 1) faces across y; none if empty
 */
record HeatOracle(
    boolean isFloat,
    int nx,
    int ny,
    String kinds,
    double[] coefficients,
    double[] source,
    double[] facesX,
    double[] facesY) {

  ElementType type() {
    return isFloat ? ElementType.FLOAT : ElementType.DOUBLE;
  }

  private double sum(double a, double b) {
    return isFloat ? (float) a + (float) b : a + b;
  }

  private double product(double a, double b) {
    return isFloat ? (float) a * (float) b : a * b;
  }

  private double fma(double a, double b, double c) {
    return isFloat ? Math.fma((float) a, (float) b, (float) c) : Math.fma(a, b, c);
  }

  /** The field after steps. */
  double[] after(double[] field, int steps) {
    double[] u = field.clone();
    for (int step = 0; step < steps; step++) {
      double[] next = new double[u.length];
      for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
          next[j * nx + i] = isKept(i, j) ? u[j * nx + i] : node(u, i, j);
        }
      }
      u = next;
    }
    return u;
  }

  private boolean isKept(int i, int j) {
    return i == 0 && kinds.charAt(0) == 'D'
        || i == nx - 1 && kinds.charAt(1) == 'D'
        || j == 0 && kinds.charAt(2) == 'D'
        || j == ny - 1 && kinds.charAt(3) == 'D';
  }

  private double node(double[] here, int i, int j) {
    double u = here[j * nx + i];
    double l = neighbour(here, u, i > 0, j * nx + i - 1, 0, j * nx + nx - 1);
    double r = neighbour(here, u, i < nx - 1, j * nx + i + 1, 1, j * nx);
    double d = neighbour(here, u, j > 0, (j - 1) * nx + i, 2, (ny - 1) * nx + i);
    double t = neighbour(here, u, j < ny - 1, (j + 1) * nx + i, 3, i);
    double next;
    if (facesX.length > 0) {
      double fromLeft = product(facesX[j * (nx + 1) + i], sum(u, -l));
      double a = fma(facesX[j * (nx + 1) + i + 1], sum(r, -u), -fromLeft);
      double fromBelow = product(facesY[j * nx + i], sum(u, -d));
      double b = fma(facesY[(j + 1) * nx + i], sum(t, -u), -fromBelow);
      next = sum(u, sum(a, b));
    } else {
      double z = fma(coefficients[1], sum(d, t), sum(l, r));
      z = fma(coefficients[2], u, z);
      next = fma(coefficients[0], z, u);
    }
    return source.length > 0 ? sum(next, source[j * nx + i]) : next;
  }

  private double neighbour(
      double[] here, double u, boolean isInside, int at, int side, int opposite) {
    if (isInside) {
      return here[at];
    }
    return kinds.charAt(side) == 'P' ? here[opposite] : sum(u, coefficients[3 + side]);
  }
}
