package funnel.bench;

import funnel.engine.ParallelRows;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.stream.LongStream;

/**
 * What a plain loop over a workload gives for every element, to compare inclusive scans with:
 * integers and maxima exactly, floating-point sums in double precision and within the workload's
 * tolerance.
 */
final class ExpectedScan {

  /* The loop's values at every CHUNK-th element are kept; a comparison goes on from there, in all
   * chunks at once.
   */

  private static final int CHUNK = 1 << 16;

  private final Workload workload;
  private final Operator operator;
  private final long[] longsBefore;
  private final double[] doublesBefore;

  ExpectedScan(Workload workload, Operator operator) {
    this.workload = workload;
    this.operator = operator;
    int chunks = Math.ceilDiv(workload.length(), CHUNK);
    Number identity = operator.identity(workload.type());
    if (workload.type().isFloating()) {
      this.longsBefore = new long[0];
      this.doublesBefore = new double[chunks + 1];
      doublesBefore[0] = identity.doubleValue();
      for (int chunk = 0; chunk < chunks; chunk++) {
        doublesBefore[chunk + 1] = doubleAfter(chunk);
      }
    } else {
      this.doublesBefore = new double[0];
      this.longsBefore = new long[chunks + 1];
      longsBefore[0] = identity.longValue();
      for (int chunk = 0; chunk < chunks; chunk++) {
        longsBefore[chunk + 1] = longAfter(chunk);
      }
    }
  }

  /** The last element's result. */
  Number total() {
    return workload.type().isFloating()
        ? (Number) doublesBefore[doublesBefore.length - 1]
        : (Number) longsBefore[longsBefore.length - 1];
  }

  /**
   * What is wrong first in an inclusive scan's results, or nothing.
   *
   * @param results one for each element of the workload
   */
  String firstWrong(MemorySegment results) {
    long[] wrongs = new long[Math.ceilDiv(workload.length(), CHUNK)];
    ParallelRows.deal(
        wrongs.length,
        chunk ->
            wrongs[chunk] =
                workload.type().isFloating()
                    ? firstWrongDouble(results, chunk)
                    : firstWrongLong(results, chunk));
    long wrong = LongStream.of(wrongs).filter(at -> at >= 0).min().orElse(-1);
    if (wrong < 0) {
      return "";
    }
    return workload.type().isFloating()
        ? "%s at %d".formatted(doubleAt(results, wrong), wrong)
        : "%s at %d".formatted(longAt(results, wrong), wrong);
  }

  private int end(int chunk) {
    return (int) Math.min((chunk + 1L) * CHUNK, workload.length());
  }

  private long longAfter(int chunk) {
    LongBinaryOperator combine = onLongs();
    MemorySegment values = workload.array().getSegment();
    long running = longsBefore[chunk];
    for (int i = chunk * CHUNK; i < end(chunk); i++) {
      running = combine.applyAsLong(running, longAt(values, i));
    }
    return running;
  }

  private long firstWrongLong(MemorySegment results, int chunk) {
    LongBinaryOperator combine = onLongs();
    MemorySegment values = workload.array().getSegment();
    long running = longsBefore[chunk];
    for (int i = chunk * CHUNK; i < end(chunk); i++) {
      running = combine.applyAsLong(running, longAt(values, i));
      if (longAt(results, i) != running) {
        return i;
      }
    }
    return -1;
  }

  private double doubleAfter(int chunk) {
    DoubleBinaryOperator combine = onDoubles();
    MemorySegment values = workload.array().getSegment();
    double running = doublesBefore[chunk];
    for (int i = chunk * CHUNK; i < end(chunk); i++) {
      running = combine.applyAsDouble(running, doubleAt(values, i));
    }
    return running;
  }

  private long firstWrongDouble(MemorySegment results, int chunk) {
    DoubleBinaryOperator combine = onDoubles();
    MemorySegment values = workload.array().getSegment();
    double tolerance = workload.tolerance(operator);
    double running = doublesBefore[chunk];
    for (int i = chunk * CHUNK; i < end(chunk); i++) {
      running = combine.applyAsDouble(running, doubleAt(values, i));
      if (!(Math.abs(doubleAt(results, i) - running) <= tolerance * Math.abs(running))) {
        return i;
      }
    }
    return -1;
  }

  private long longAt(MemorySegment values, long i) {
    return workload.type() == ElementType.INT
        ? values.getAtIndex(ValueLayout.JAVA_INT, i)
        : values.getAtIndex(ValueLayout.JAVA_LONG, i);
  }

  private double doubleAt(MemorySegment values, long i) {
    return workload.type() == ElementType.FLOAT
        ? values.getAtIndex(ValueLayout.JAVA_FLOAT, i)
        : values.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
  }

  private LongBinaryOperator onLongs() {
    if (operator.function() instanceof LongBinaryOperator own) {
      return own;
    }
    if (operator.equals(Operator.MAX)) {
      return Math::max;
    }
    return workload.type() == ElementType.INT ? (a, b) -> (int) (a + b) : Long::sum;
  }

  private DoubleBinaryOperator onDoubles() {
    return operator.equals(Operator.MAX) ? Math::max : Double::sum;
  }
}
