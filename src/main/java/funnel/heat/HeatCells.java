package funnel.heat;

import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;

/**
 * A diffusivity for each node's cell.
 *
 * @param a the diffusivities, index {@code j * nx + i}
 * @param nx nodes along x
 * @param ny nodes along y
 * @param largest the largest of them
 */
record HeatCells(double[] a, int nx, int ny, double largest) {

  /**
   * Copies diffusivities.
   *
   * @throws HeatFieldException if one is negative, NaN or infinite
   * @throws IllegalArgumentException if there are more or fewer than nodes
   */
  static HeatCells of(double[] cells, int nx, int ny) {
    double[] a = cells.clone();
    HeatValues values = HeatValues.of("diffusivity", a, nx, ny);
    double largest = 0;
    for (int j = 0; j < ny; j++) {
      for (int i = 0; i < nx; i++) {
        double value = values.nodes().at(i, j);
        if (!(value >= 0 && Double.isFinite(value))) {
          throw new HeatFieldException("diffusivity", i, j, value, "0 or more, and finite");
        }
        largest = Math.max(largest, value);
      }
    }
    return new HeatCells(a, nx, ny, largest);
  }

  /** The array {@link HeatArrays#facesX}. */
  MemorySegment facesX(ElementType type, boolean wraps, double dt, double dx) {
    MemorySegment faces = HeatNumbers.allocate(type, (nx + 1) * ny);
    for (int j = 0; j < ny; j++) {
      for (int i = 0; i <= nx; i++) {
        int left = j * nx + before(i, nx, wraps);
        int right = j * nx + after(i, nx, wraps);
        double face = HeatNumbers.face(a[left], a[right]);
        HeatNumbers.set(type, faces, j * (nx + 1) + i, face * dt / (dx * dx));
      }
    }
    return faces;
  }

  /** The array {@link HeatArrays#facesY}. */
  MemorySegment facesY(ElementType type, boolean wraps, double dt, double dy) {
    MemorySegment faces = HeatNumbers.allocate(type, nx * (ny + 1));
    for (int j = 0; j <= ny; j++) {
      int below = before(j, ny, wraps);
      int above = after(j, ny, wraps);
      for (int i = 0; i < nx; i++) {
        double face = HeatNumbers.face(a[below * nx + i], a[above * nx + i]);
        HeatNumbers.set(type, faces, j * nx + i, face * dt / (dy * dy));
      }
    }
    return faces;
  }

  /** The node before a face, or the one that replaces it. */
  private static int before(int face, int count, boolean wraps) {
    int ghost = wraps ? count - 1 : 0;
    return face > 0 ? face - 1 : ghost;
  }

  /** The node after a face, or the one that replaces it. */
  private static int after(int face, int count, boolean wraps) {
    int ghost = wraps ? 0 : count - 1;
    return face < count ? face : ghost;
  }
}
