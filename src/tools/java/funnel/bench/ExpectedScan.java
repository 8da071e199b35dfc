package funnel.bench;

import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A plain loop's result for every element of a workload, to check inclusive scans: integers and
 * maxima exactly, floating-point sums in double precision and within the workload's tolerance.
 */
final class ExpectedScan {

  /* Only the loop's values at every CHUNK-th element are kept. A check continues from these, in all
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
        doublesBefore[chunk + 1] = doubles(chunk, null);
      }
    } else {
      this.doublesBefore = new double[0];
      this.longsBefore = new long[chunks + 1];
      longsBefore[0] = identity.longValue();
      for (int chunk = 0; chunk < chunks; chunk++) {
        longsBefore[chunk + 1] = longs(chunk, null);
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
   * The first wrong result of an inclusive scan, or an empty string.
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
                    ? (long) doubles(chunk, results)
                    : longs(chunk, results));
    long wrong = LongStream.of(wrongs).filter(at -> at >= 0).min().orElse(-1);
    if (wrong < 0) {
      return "";
    }
    return workload.type().isFloating()
        ? "%s at %s".formatted(Workload.floating(workload.type(), results, wrong), wrong)
        : "%s at %s".formatted(Workload.whole(workload.type(), results, wrong), wrong);
  }

  private int end(int chunk) {
    return (int) Math.min((chunk + 1L) * CHUNK, workload.length());
  }

  /** The first index with a wrong result, or -1; without results, the loop's last value. */
  private long longs(int chunk, @Nullable MemorySegment results) {
    LongBinaryOperator combine = onLongs();
    ElementType type = workload.type();
    MemorySegment values = workload.array().getSegment();
    long running = longsBefore[chunk];
    for (int i = chunk * CHUNK; i < end(chunk); i++) {
      running = combine.applyAsLong(running, Workload.whole(type, values, i));
      if (results != null && Workload.whole(type, results, i) != running) {
        return i;
      }
    }
    return results == null ? running : -1;
  }

  /** As {@link #longs}, within the tolerance. */
  private double doubles(int chunk, @Nullable MemorySegment results) {
    DoubleBinaryOperator combine = onDoubles();
    ElementType type = workload.type();
    MemorySegment values = workload.array().getSegment();
    double tolerance = workload.tolerance(operator);
    double running = doublesBefore[chunk];
    for (int i = chunk * CHUNK; i < end(chunk); i++) {
      running = combine.applyAsDouble(running, Workload.floating(type, values, i));
      if (results != null) {
        double distance = Math.abs(Workload.floating(type, results, i) - running);
        if (!(distance <= tolerance * Math.abs(running))) {
          return i;
        }
      }
    }
    return results == null ? running : -1;
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
