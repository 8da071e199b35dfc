package funnel.heat;

import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Numbers of one type: the coefficients of a heat equation, and arrays of them. */
final class HeatNumbers {

  /* The step of a node u with neighbours l, r, d, t is
   *
   *   h = l + r;  v = d + t;  z = k v + h;  z = z - m u;  u' = cx z + u
   *
   * with cx = a dt / dx^2, k = dx^2 / dy^2 and m = 2 + 2k. What is rounded in cx and k is a
   * slightly other diffusivity, and does no more harm; what is rounded in m would be a source of
   * heat, which adds up. So k is rounded to a multiple of the distance of numbers near 1 + k: then
   * 1 + k and m are exact.
   *
   * Where dx is far below dy, little is left of k. Then the axes are to be exchanged.
   */

  /** How much of k may be lost in rounding it. */
  private static final double MOST_LOSS = 1e-3;

  private HeatNumbers() {}

  /** The number rounded to the type. */
  static double rounded(ElementType type, double value) {
    return type == ElementType.FLOAT ? (float) value : value;
  }

  /**
   * The number rounded to the type.
   *
   * @throws IllegalArgumentException if it is too large for it
   */
  static double fitting(ElementType type, String name, double value) {
    double rounded = rounded(type, value);
    if (!Double.isFinite(rounded)) {
      throw new IllegalArgumentException("%s=%s is too large for %s".formatted(name, value, type));
    }
    return rounded;
  }

  /** The largest dt at which no error grows; infinite where nothing is conducted. */
  static double limit(double diffusivity, double dx, double dy) {
    return 0.5 / (diffusivity * (1 / (dx * dx) + 1 / (dy * dy)));
  }

  /** dx^2 / dy^2, rounded so that twice it and 2 are together a number of the type. */
  static double ratio(ElementType type, double dx, double dy) {
    double exact = dx / dy * (dx / dy);
    double size = fitting(type, "2 + 2 dx^2/dy^2", 2 + 2 * exact);
    double quantum = (type == ElementType.FLOAT ? Math.ulp((float) size) : Math.ulp(size)) / 2;
    double ratio = Math.rint(exact / quantum) * quantum;
    if (Math.abs(ratio - exact) > MOST_LOSS * exact) {
      throw new IllegalArgumentException(
          "dx=%s is too small beside dy=%s for %s: dx^2/dy^2=%s would be taken for %s; exchange the axes or use double"
              .formatted(dx, dy, type, exact, ratio));
    }
    return ratio;
  }

  /** cx, k, -m, and what ghosts have more than their edges: left, right, bottom, top. */
  static double[] coefficients(
      ElementType type, double diffusivity, double dt, double dx, double dy, List<Side> sides) {
    double k = ratio(type, dx, dy);
    double[] ghosts = new double[sides.size()];
    for (int side = 0; side < ghosts.length; side++) {
      double distance = side == HeatGrid.LEFT || side == HeatGrid.RIGHT ? dx : dy;
      ghosts[side] = fitting(type, "flux times distance", sides.get(side).flux() * distance);
    }
    double cx = fitting(type, "diffusivity * dt / dx^2", diffusivity * dt / (dx * dx));
    return new double[] {cx, k, -(2 + 2 * k), ghosts[0], ghosts[1], ghosts[2], ghosts[3]};
  }

  /** The harmonic mean of two cells' diffusivities, which the face between them has. */
  static double face(double a, double b) {
    double smaller = Math.min(a, b);
    return smaller == 0 ? 0 : 2 * (smaller / (1 + smaller / Math.max(a, b)));
  }

  /** New memory for numbers of the type. */
  static MemorySegment allocate(ElementType type, int count) {
    return type == ElementType.FLOAT
        ? MemorySegment.ofArray(new float[count])
        : MemorySegment.ofArray(new double[count]);
  }

  /** The numbers as a segment of the type. */
  static MemorySegment of(ElementType type, double[] numbers) {
    MemorySegment segment = allocate(type, numbers.length);
    for (int i = 0; i < numbers.length; i++) {
      set(type, segment, i, numbers[i]);
    }
    return segment;
  }

  static void set(ElementType type, MemorySegment segment, long at, double value) {
    if (type == ElementType.FLOAT) {
      segment.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, at, (float) value);
    } else {
      segment.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, at, value);
    }
  }

  static double get(ElementType type, MemorySegment segment, long at) {
    return type == ElementType.FLOAT
        ? segment.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, at)
        : segment.getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, at);
  }
}
