package funnel.bench;

import funnel.Elements;
import funnel.engine.tornado.HostArrays;
import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Random elements, and a plain loop's results: the input of a benchmark. */
final class Workload implements Input {

  /* Element i is made from splitmix64(i), as in peers.cu, so that both programs work on the same
   * numbers. Integers take all values, so sums wrap around. Floating-point numbers are uniform in
   * [0, 1) with full mantissas, so that a sum's relative error is bounded in any order.
   */

  private static final int CHUNK = 1 << 16;
  private static final double FLOAT_TOLERANCE = 1e-5;
  private static final double DOUBLE_TOLERANCE = 1e-9;

  private final ElementType type;
  private final int length;
  private final TornadoNativeArray array;
  private final Number sum;
  private final Number max;
  private final Map<Operator, ExpectedScan> scans = new HashMap<>();

  private Workload(ElementType type, int length) {
    this.type = type;
    this.length = length;
    this.array = HostArrays.allocate(type, length);
    MemorySegment segment = array.getSegment();
    ParallelRows.deal(
        Math.ceilDiv(length, CHUNK),
        chunk -> fill(segment, chunk * CHUNK, (int) Math.min((chunk + 1L) * CHUNK, length)));
    Number[] results = type.isFloating() ? ofFloating(segment) : ofWhole(segment);
    this.sum = results[0];
    this.max = results[1];
  }

  /**
   * Makes a workload.
   *
   * @param type int, long, float or double
   * @param length at least 1
   */
  static Workload random(ElementType type, int length) {
    if (type == ElementType.BYTE) {
      throw new IllegalArgumentException("benchmarks do not support bytes");
    }
    if (length < 1) {
      throw new IllegalArgumentException("a benchmark needs an element: length=" + length);
    }
    return new Workload(type, length);
  }

  static long splitmix64(long i) {
    long z = (i + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  private void fill(MemorySegment segment, int from, int to) {
    for (int i = from; i < to; i++) {
      long bits = splitmix64(i);
      switch (type) {
        case INT -> segment.setAtIndex(ValueLayout.JAVA_INT, i, (int) bits);
        case LONG -> segment.setAtIndex(ValueLayout.JAVA_LONG, i, bits);
        case FLOAT -> segment.setAtIndex(ValueLayout.JAVA_FLOAT, i, (bits >>> 40) * 0x1p-24f);
        default -> segment.setAtIndex(ValueLayout.JAVA_DOUBLE, i, (bits >>> 11) * 0x1p-53);
      }
    }
  }

  private Number[] ofWhole(MemorySegment segment) {
    long total = 0;
    long largest = Long.MIN_VALUE;
    for (int i = 0; i < length; i++) {
      long value = whole(type, segment, i);
      total += value;
      largest = Math.max(largest, value);
    }
    return type == ElementType.INT
        ? new Number[] {(int) total, (int) largest}
        : new Number[] {total, largest};
  }

  private Number[] ofFloating(MemorySegment segment) {
    double total = 0;
    double largest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < length; i++) {
      double value = floating(type, segment, i);
      total += value;
      largest = Math.max(largest, value);
    }
    return new Number[] {total, type == ElementType.FLOAT ? (Number) (float) largest : largest};
  }

  /** An int or a long. */
  static long whole(ElementType type, MemorySegment elements, long i) {
    return type == ElementType.INT
        ? elements.getAtIndex(ValueLayout.JAVA_INT, i)
        : elements.getAtIndex(ValueLayout.JAVA_LONG, i);
  }

  /** A float or a double. */
  static double floating(ElementType type, MemorySegment elements, long i) {
    return type == ElementType.FLOAT
        ? elements.getAtIndex(ValueLayout.JAVA_FLOAT, i)
        : elements.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
  }

  ElementType type() {
    return type;
  }

  String typeName() {
    return Named.of(type);
  }

  int length() {
    return length;
  }

  TornadoNativeArray array() {
    return array;
  }

  Elements elements() {
    return Elements.ofTornado(array);
  }

  @Override
  public long bytes() {
    return (long) length * type.bytes();
  }

  /** The result of a plain loop; for a sum of floats, in double precision. */
  Number expected(Operator operator) {
    return operator.equals(Operator.SUM)
        ? sum
        : operator.equals(Operator.MAX) ? max : scan(operator).total();
  }

  /** The results of a plain loop for every element. */
  ExpectedScan scan(Operator operator) {
    return scans.computeIfAbsent(operator, op -> new ExpectedScan(this, op));
  }

  /** The tolerance of a floating-point result, relative to the expected one. */
  double tolerance(Operator operator) {
    if (!operator.equals(Operator.SUM)) {
      return 0;
    }
    return type == ElementType.FLOAT ? FLOAT_TOLERANCE : DOUBLE_TOLERANCE;
  }

  /** Whether a result is the plain loop's, or for a floating-point sum within the tolerance. */
  boolean isRight(Operator operator, Number result) {
    Number expected = expected(operator);
    if (type.isFloating()) {
      double allowed = tolerance(operator) * Math.abs(expected.doubleValue());
      return Math.abs(result.doubleValue() - expected.doubleValue()) <= allowed;
    }
    return result.longValue() == expected.longValue();
  }

  /** A result, and what is wrong with it. */
  Outcome outcome(Operator operator, Number result) {
    return new Outcome(result.toString(), isRight(operator, result) ? "" : result.toString());
  }

  /** A printed result, as a number of this type. */
  Number parsed(String text) {
    return type.isFloating() ? (Number) Double.valueOf(text) : (Number) Long.valueOf(text);
  }
}
