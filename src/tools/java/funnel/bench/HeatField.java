package funnel.bench;

import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** The initial field of the heat benchmark, and the expected field after some steps. */
record HeatField(ElementType type, GridSize size) implements Input {

  /* As in heat.cu: node k begins with splitmix64(k) in [0, 1), sides keep their values, cx is 0.2
   * and dx^2/dy^2 is 1. A plain loop computes two windows of the field, with all nodes that they
   * depend on. The hash shows whether all subjects agree on the rest.
   */

  static final double CX = 0.2;
  private static final double M = 4;
  private static final int WINDOW = 32;

  @Override
  public long bytes() {
    return (long) size.nodes() * type.bytes();
  }

  /** The initial field, an array on the heap. */
  MemorySegment initial() {
    MemorySegment field =
        type == ElementType.FLOAT
            ? MemorySegment.ofArray(new float[size.nodes()])
            : MemorySegment.ofArray(new double[size.nodes()]);
    ParallelRows.deal(
        size.ny(),
        j -> {
          for (int k = j * size.nx(); k < (j + 1) * size.nx(); k++) {
            if (type == ElementType.FLOAT) {
              field.setAtIndex(ValueLayout.JAVA_FLOAT, k, (float) node(k));
            } else {
              field.setAtIndex(ValueLayout.JAVA_DOUBLE, k, node(k));
            }
          }
        });
    return field;
  }

  private double node(int k) {
    long bits = Workload.splitmix64(k);
    return type == ElementType.FLOAT ? (bits >>> 40) * 0x1p-24f : (bits >>> 11) * 0x1p-53;
  }

  /** The sum of each node's bits times 2k + 1, modulo 2^64, in hexadecimal. */
  String hash(MemorySegment field) {
    LongAdder sum = new LongAdder();
    ParallelRows.deal(
        size.ny(),
        j -> {
          long part = 0;
          for (int k = j * size.nx(); k < (j + 1) * size.nx(); k++) {
            long bits =
                type == ElementType.FLOAT
                    ? Integer.toUnsignedLong(field.getAtIndex(ValueLayout.JAVA_INT, k))
                    : field.getAtIndex(ValueLayout.JAVA_LONG, k);
            part += bits * (2L * k + 1);
          }
          sum.add(part);
        });
    return String.format(Locale.ROOT, "%016x", sum.sum());
  }

  /** The first wrong node of the field after some steps, or an empty string. */
  String check(MemorySegment field, int steps) {
    String corner = wrong(field, 0, 0, steps);
    return corner.isEmpty() ? wrong(field, size.nx() / 2, size.ny() / 2, steps) : corner;
  }

  private String wrong(MemorySegment field, int i0, int j0, int steps) {
    int left = Math.max(0, i0 - steps);
    int below = Math.max(0, j0 - steps);
    int width = (int) Math.min(size.nx(), (long) i0 + WINDOW + steps) - left;
    int height = (int) Math.min(size.ny(), (long) j0 + WINDOW + steps) - below;
    double[] now = new double[width * height];
    for (int j = 0; j < height; j++) {
      for (int i = 0; i < width; i++) {
        now[j * width + i] = node((below + j) * size.nx() + left + i);
      }
    }
    double[] after = now.clone();
    for (int s = 0; s < steps; s++) {
      for (int j = 1; j < height - 1; j++) {
        for (int at = j * width + 1; at < (j + 1) * width - 1; at++) {
          after[at] =
              type == ElementType.FLOAT
                  ? next(
                      (float) now[at],
                      (float) now[at - 1],
                      (float) now[at + 1],
                      (float) now[at - width],
                      (float) now[at + width])
                  : next(now[at], now[at - 1], now[at + 1], now[at - width], now[at + width]);
        }
      }
      double[] before = now;
      now = after;
      after = before;
    }
    for (int j = j0; j < Math.min(size.ny(), j0 + WINDOW); j++) {
      for (int i = i0; i < Math.min(size.nx(), i0 + WINDOW); i++) {
        double expected = now[(j - below) * width + i - left];
        long at = (long) j * size.nx() + i;
        double found = Workload.floating(type, field, at);
        if (Double.doubleToLongBits(expected) != Double.doubleToLongBits(found)) {
          return "node (%s, %s) is %s, expected %s".formatted(i, j, found, expected);
        }
      }
    }
    return "";
  }

  private static float next(float u, float left, float right, float below, float above) {
    float z = Math.fma(1f, below + above, left + right);
    z = Math.fma((float) -M, u, z);
    return Math.fma((float) CX, z, u);
  }

  private static double next(double u, double left, double right, double below, double above) {
    double z = Math.fma(1.0, below + above, left + right);
    z = Math.fma(-M, u, z);
    return Math.fma(CX, z, u);
  }
}
