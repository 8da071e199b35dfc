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
 * @param kinds of the sides left, right, bottom, top: 'D', 'G' for one with ghosts, or 'P'
 * @param coefficients cx, k, -m
 * @param parts what ghosts have of the nodes before them, in the sides' order
 * @param addends what they have besides, by sides and nodes
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
    double[] parts,
    double[][] addends,
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
    double l = i > 0 ? here[j * nx + i - 1] : beyond(here, u, 0, j, j * nx + nx - 1);
    double r = i < nx - 1 ? here[j * nx + i + 1] : beyond(here, u, 1, j, j * nx);
    double d = j > 0 ? here[(j - 1) * nx + i] : beyond(here, u, 2, i, (ny - 1) * nx + i);
    double t = j < ny - 1 ? here[(j + 1) * nx + i] : beyond(here, u, 3, i, i);
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

  private double beyond(double[] here, double u, int side, int at, int opposite) {
    return kinds.charAt(side) == 'P' ? here[opposite] : fma(parts[side], u, addends[side][at]);
  }
}
