package funnel.heat;

import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.zip.CRC32;

/** Numbers of one type: the coefficients of a heat equation, and arrays of them. */
final class HeatNumbers {

  /* The step of a node u with neighbours l, r, d, t is
   *
   *   h = l + r;  v = d + t;  z = k v + h;  z = z - m u;  u' = cx z + u
   *
   * with cx = a dt / dx^2, k = dx^2 / dy^2 and m = 2 + 2k. Rounding cx and k amounts to a slightly
   * different diffusivity, which does no harm. Rounding m would be a source of heat, which
   * accumulates. So k is rounded to a multiple of the distance between numbers near 1 + k: then 1 +
   * k and m are exact.
   *
   * If dx is far below dy, rounding leaves little of k. Then the axes should be exchanged.
   */

  /** The largest share of k that may be lost in rounding. */
  private static final double MOST_LOSS = 1e-3;

  private static final long CHUNK = 1 << 20;

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

  /**
   * The largest dt at which no error grows in any node; infinite if nothing is conducted. In a
   * step, a node must not lose more of its value than it has.
   */
  static double limit(double diffusivity, double dx, double dy, int nx, int ny, List<Side> sides) {
    double x = lossAlong(dx, nx, sides.get(HeatGrid.LEFT), sides.get(HeatGrid.RIGHT));
    double y = lossAlong(dy, ny, sides.get(HeatGrid.BOTTOM), sides.get(HeatGrid.TOP));
    return 0.5 / (diffusivity * (x / (dx * dx) + y / (dy * dy)));
  }

  /** The most that a node loses to its neighbours along an axis, relative to an inner node. */
  private static double lossAlong(double distance, int nodes, Side before, Side behind) {
    double first = 1 - before.factor(distance);
    double last = 1 - behind.factor(distance);
    double most = nodes == 1 ? first + last : 1 + Math.max(first, last);
    return Math.max(2, most) / 2;
  }

  /** dx^2 / dy^2, rounded so that twice it plus 2 is a number of the type. */
  static double ratio(ElementType type, double dx, double dy) {
    double exact = dx / dy * (dx / dy);
    double size = fitting(type, "2 + 2 dx^2/dy^2", 2 + 2 * exact);
    double quantum = (type == ElementType.FLOAT ? Math.ulp((float) size) : Math.ulp(size)) / 2;
    double ratio = Math.rint(exact / quantum) * quantum;
    if (Math.abs(ratio - exact) > MOST_LOSS * exact) {
      throw new IllegalArgumentException(
          "dx=%s is too small beside dy=%s for %s: dx^2/dy^2=%s would be rounded to %s; exchange the axes or use double"
              .formatted(dx, dy, type, exact, ratio));
    }
    return ratio;
  }

  /** The harmonic mean of two cells' diffusivities, for the face between them. */
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

  /** The CRC-32 of all bits. */
  static long checksum(MemorySegment... arrays) {
    CRC32 crc = new CRC32();
    for (MemorySegment array : arrays) {
      for (long at = 0; at < array.byteSize(); at += CHUNK) {
        long size = Math.min(CHUNK, array.byteSize() - at);
        crc.update(array.asSlice(at, size).toArray(ValueLayout.JAVA_BYTE));
      }
    }
    return crc.getValue();
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
