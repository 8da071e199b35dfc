package funnel.math;

/** Remainders of huge numbers, divided by pi/2. */
final class HugeAngles {

  /* As Payne and Hanek (1983): of the product with 2/pi, only the bits that matter are computed. 2/pi
   * is a string of words of 48 bits; words whose product with the number is a multiple of 4 are left
   * out, and five follow. They are chosen by the bits of a number, since a device has no tables. Each
   * of the products is exact as a number and a rest. Their sum is carried in three numbers, as a
   * remainder can be as small as 2^-61; what a sum s of a and b has lost is (a - (s - (s - a))) +
   * (b - (s - a)) (Knuth). It is written out: with a method for it, TornadoVM 5.2.0 failed to
   * compile kernels of these functions, and with fewer calls it did not; why, was not found out.
   */

  private HugeAngles() {}

  /** Without multiples of 4; v is exact. */
  static double modulo(double v) {
    double near = Math.abs(v) < 0x1p54 ? v : 0;
    double quarter = Math.fma(near, 0.25, Exponentials.INTEGER) - Exponentials.INTEGER;
    return Math.fma(-4, quarter, near);
  }

  /**
   * Part 0 is the nearest multiple of pi/2, of which the last two bits matter; parts 1 and 2 are
   * the remainder and its rest.
   *
   * @param v 2^30 or more
   */
  static double reduce(double v, int part) {
    int e = PowersOfTwo.exponent(v);
    int dropped = e < 54 ? 0 : (((e - 54) * 1366) >> 16) & 31;
    double x = PowersOfTwo.scale(PowersOfTwo.mantissa(v), e - 48 * dropped);
    double bit = (dropped >> 4) & 1;
    double w0 = Math.fma(bit, 0xef2f118b5a0ap0 - 0xa2f9836e4e44p0, 0xa2f9836e4e44p0);
    double w1 = Math.fma(bit, 0x6d1f6d367ecfp0 - 0x1529fc2757d1p0, 0x1529fc2757d1p0);
    double w2 = Math.fma(bit, 0x27cb09b74f46p0 - 0xf534ddc0db62p0, 0xf534ddc0db62p0);
    double w3 = Math.fma(bit, 0x3f669e5fea2dp0 - 0x95993c439041p0, 0x95993c439041p0);
    double w4 = Math.fma(bit, 0x7527bac7ebe5p0 - 0xfe5163abdebbp0, 0xfe5163abdebbp0);
    double w5 = Math.fma(bit, 0xf17b3d0739f7p0 - 0xc561b7246e3ap0, 0xc561b7246e3ap0);
    double w6 = Math.fma(bit, 0x8a5292ea6bfbp0 - 0x424dd2e00649p0, 0x424dd2e00649p0);
    double w7 = Math.fma(bit, 0x5fb11f8d5d08p0 - 0x2eea09d1921cp0, 0x2eea09d1921cp0);
    double w8 = Math.fma(bit, 0x56033046fc7bp0 - 0xfe1deb1cb129p0, 0xfe1deb1cb129p0);
    double w9 = 0xa73ee88235f5p0;
    double w10 = 0x2ebb4484e99cp0;
    double w11 = 0x7026b45f7e41p0;
    double w12 = 0x3991d6398353p0;
    double w13 = 0x39f49c845f8bp0;
    double w14 = 0xbdf9283b1ff8p0;
    double w15 = 0x97ffde05980fp0;
    double w16 = 0xef2f118b5a0ap0;
    double w17 = 0x6d1f6d367ecfp0;
    double w18 = 0x27cb09b74f46p0;
    double w19 = 0x3f669e5fea2dp0;
    bit = (dropped >> 3) & 1;
    w0 = Math.fma(bit, w8 - w0, w0);
    w1 = Math.fma(bit, w9 - w1, w1);
    w2 = Math.fma(bit, w10 - w2, w2);
    w3 = Math.fma(bit, w11 - w3, w3);
    w4 = Math.fma(bit, w12 - w4, w4);
    w5 = Math.fma(bit, w13 - w5, w5);
    w6 = Math.fma(bit, w14 - w6, w6);
    w7 = Math.fma(bit, w15 - w7, w7);
    w8 = Math.fma(bit, w16 - w8, w8);
    w9 = Math.fma(bit, w17 - w9, w9);
    w10 = Math.fma(bit, w18 - w10, w10);
    w11 = Math.fma(bit, w19 - w11, w11);
    bit = (dropped >> 2) & 1;
    w0 = Math.fma(bit, w4 - w0, w0);
    w1 = Math.fma(bit, w5 - w1, w1);
    w2 = Math.fma(bit, w6 - w2, w2);
    w3 = Math.fma(bit, w7 - w3, w3);
    w4 = Math.fma(bit, w8 - w4, w4);
    w5 = Math.fma(bit, w9 - w5, w5);
    w6 = Math.fma(bit, w10 - w6, w6);
    w7 = Math.fma(bit, w11 - w7, w7);
    bit = (dropped >> 1) & 1;
    w0 = Math.fma(bit, w2 - w0, w0);
    w1 = Math.fma(bit, w3 - w1, w1);
    w2 = Math.fma(bit, w4 - w2, w2);
    w3 = Math.fma(bit, w5 - w3, w3);
    w4 = Math.fma(bit, w6 - w4, w4);
    w5 = Math.fma(bit, w7 - w5, w5);
    bit = dropped & 1;
    w0 = Math.fma(bit, w1 - w0, w0);
    w1 = Math.fma(bit, w2 - w1, w1);
    w2 = Math.fma(bit, w3 - w2, w2);
    w3 = Math.fma(bit, w4 - w3, w3);
    w4 = Math.fma(bit, w5 - w4, w4);
    double c0 = w0 * 0x1p-48;
    double c1 = w1 * 0x1p-96;
    double c2 = w2 * 0x1p-144;
    double c3 = w3 * 0x1p-192;
    double p0 = x * c0;
    double p1 = x * c1;
    double p2 = x * c2;
    double p3 = x * c3;
    double last = Math.fma(x, c3, -p3) + x * (w4 * 0x1p-240);
    double high = modulo(p0);
    double middle = 0;
    double low = last;
    double term = modulo(Math.fma(x, c0, -p0));
    double sum = high + term;
    double error = ((high - (sum - (sum - high))) + (term - (sum - high)));
    high = sum;
    double next = middle + error;
    low = low + ((middle - (next - (next - middle))) + (error - (next - middle)));
    middle = next;
    term = modulo(p1);
    sum = high + term;
    error = ((high - (sum - (sum - high))) + (term - (sum - high)));
    high = sum;
    next = middle + error;
    low = low + ((middle - (next - (next - middle))) + (error - (next - middle)));
    middle = next;
    term = Math.fma(x, c1, -p1);
    sum = high + term;
    error = ((high - (sum - (sum - high))) + (term - (sum - high)));
    high = sum;
    next = middle + error;
    low = low + ((middle - (next - (next - middle))) + (error - (next - middle)));
    middle = next;
    term = modulo(p2);
    sum = high + term;
    error = ((high - (sum - (sum - high))) + (term - (sum - high)));
    high = sum;
    next = middle + error;
    low = low + ((middle - (next - (next - middle))) + (error - (next - middle)));
    middle = next;
    term = Math.fma(x, c2, -p2);
    next = middle + term;
    low = low + ((middle - (next - (next - middle))) + (term - (next - middle)));
    middle = next;
    next = middle + p3;
    low = low + ((middle - (next - (next - middle))) + (p3 - (next - middle)));
    middle = next;

    double k = (high + Exponentials.INTEGER) - Exponentials.INTEGER;
    double fraction = high - k;
    sum = fraction + middle;
    low = low + ((fraction - (sum - (sum - fraction))) + (middle - (sum - fraction)));
    double turn = sum + low;
    double turnRest = (sum - turn) + low;
    double r = turn * Circular.HALF_PI;
    double rest = Math.fma(turn, Circular.HALF_PI, -r);
    rest = rest + Math.fma(turn, Circular.HALF_PI_REST, turnRest * Circular.HALF_PI);
    double remainder = part == 1 ? r : rest;
    return part == 0 ? k : remainder;
  }
}
