package funnel.math;

import java.util.SplittableRandom;

/** Arguments of elementary functions: special ones, near special ones, and random ones. */
final class Arguments {

  static final double[] SPECIAL = {
    Double.NaN,
    0.0,
    -0.0,
    1,
    -1,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Double.MIN_NORMAL,
    -Double.MIN_NORMAL,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    Float.MIN_VALUE,
    Float.MIN_NORMAL,
    -Float.MAX_VALUE,
    0.5,
    -0.5,
    1.5,
    2,
    -2,
    3,
    -3,
    2.5,
    10,
    1000,
    1e22,
    1 / 3.0,
    Math.E,
    Math.PI,
    Math.PI / 2,
    -Math.PI / 4,
    Math.log(2),
    -Math.log(2) / 2,
    709.782712893384, // of exp: the largest
    709.7827128933841,
    -708.3964185322641, // subnormal
    -745.1332191019411,
    -745.1332191019412,
    710.4758600739439, // of sinh
    710.475860073944,
    88.72284,
    -103.97208,
    0x1p52 + 1,
    0x1p53 - 1,
    -0x1p53 + 1,
    0x1p53,
    0x1p30,
    0x1.0000000000001p30,
    0x1.6ac5b262ca1ffp849, // of all doubles nearest to a multiple of pi/2
    6381956970095103.0 * 0x1p797,
    0x1p1023,
    0x1p31,
    0x1p63,
    -0x1p63,
    0.49999999999999994,
    Math.sqrt(2),
    Math.sqrt(0.5)
  };

  private Arguments() {}

  /** One argument, of one of several kinds. */
  static double next(SplittableRandom random) {
    int sign = random.nextInt(2) * 2 - 1;
    return switch (random.nextInt(10)) {
      case 0 -> near(random, SPECIAL[random.nextInt(SPECIAL.length)]);
      case 1 -> Double.longBitsToDouble(random.nextLong());
      case 2 -> random.nextDouble(-1, 1);
      case 3 -> random.nextDouble(-20, 20);
      case 4 -> random.nextDouble(-750, 750);
      case 5 -> sign * Math.scalb(random.nextDouble(1, 2), random.nextInt(-60, 60));
      case 6 -> near(random, random.nextInt(-1_000_000, 1_000_000) * (Math.PI / 2));
      case 7 -> 1 + Math.scalb(random.nextDouble(-1, 1), -random.nextInt(53));
      case 8 -> random.nextInt(-99, 99) / 2.0;
      default -> sign * Math.scalb(random.nextDouble(), random.nextInt(-1074, -1000));
    };
  }

  /** The number itself or one of its neighbours. */
  private static double near(SplittableRandom random, double v) {
    return switch (random.nextInt(4)) {
      case 0 -> Math.nextUp(v);
      case 1 -> Math.nextDown(v);
      default -> v;
    };
  }

  static double[] doubles(SplittableRandom random, int count) {
    double[] x = new double[count];
    for (int i = 0; i < count; i++) {
      x[i] = i < SPECIAL.length ? SPECIAL[i] : next(random);
    }
    return x;
  }

  static float[] floats(SplittableRandom random, int count) {
    float[] x = new float[count];
    for (int i = 0; i < count; i++) {
      x[i] =
          i < SPECIAL.length
              ? (float) SPECIAL[i]
              : random.nextBoolean()
                  ? (float) next(random)
                  : Float.intBitsToFloat(random.nextInt());
    }
    return x;
  }

  /**
   * Second arguments: of all kinds, of the size of the first ones, or so that powers are finite.
   */
  static double[] partners(SplittableRandom random, double[] x) {
    double[] y = new double[x.length];
    for (int i = 0; i < y.length; i++) {
      y[i] =
          switch (random.nextInt(4)) {
            case 0 -> SPECIAL[random.nextInt(SPECIAL.length)];
            case 1 -> next(random);
            case 2 -> x[i] * random.nextDouble(-3, 3);
            default -> random.nextDouble(-745, 710) / Math.log(Math.abs(x[i]));
          };
    }
    return y;
  }
}
