package funnel.bench;

import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;

/** Inclusive scans over arrays on the heap, as one would write them without Funnel. */
final class HostScanSubject extends HeapSubject<Workload, Operator, PrimitiveCase> {

  /* Arrays.parallelPrefix works in place, so its input is copied again before each run, outside the
   * time; there is no parallelPrefix over floats. The loop over floats adds in double precision,
   * since a float sum stops growing at 2^24.
   */

  private final boolean isLoop;

  /** A sequential loop from one array to another, or {@link Arrays#parallelPrefix}. */
  HostScanSubject(boolean isLoop) {
    super(isLoop ? "jvm-loop" : "jdk-parallelPrefix", 2);
    this.isLoop = isLoop;
  }

  @Override
  public boolean takes(Workload workload, Operator operator) {
    return isLoop || workload.type() != ElementType.FLOAT;
  }

  @Override
  PrimitiveCase what(Workload workload, Operator operator) {
    return PrimitiveCase.of(Work.SCAN, workload, operator);
  }

  /** Arrays, and the work over them. */
  private record Scan(Runnable before, Runnable run, MemorySegment results) {

    /** From one array to another. */
    static Scan loop(Object out, Runnable run) {
      return new Scan(() -> {}, run, segment(out));
    }

    /** In place. */
    static Scan prefix(Object in, Object out, Runnable run) {
      int length = Array.getLength(in);
      return new Scan(() -> System.arraycopy(in, 0, out, 0, length), run, segment(out));
    }

    private static MemorySegment segment(Object array) {
      return switch (array) {
        case int[] ints -> MemorySegment.ofArray(ints);
        case long[] longs -> MemorySegment.ofArray(longs);
        case float[] floats -> MemorySegment.ofArray(floats);
        case double[] doubles -> MemorySegment.ofArray(doubles);
        default ->
            throw new IllegalArgumentException("benchmarks do not support " + array.getClass());
      };
    }
  }

  @Override
  Loop loop(Workload workload, Operator operator) {
    Scan scan = scan(workload, operator);
    return new Loop(
        scan.before(),
        scan.run(),
        () ->
            new Outcome(
                workload.expected(operator).toString(),
                workload.scan(operator).firstWrong(scan.results())));
  }

  private Scan scan(Workload workload, Operator operator) {
    MemorySegment from = workload.array().getSegment();
    boolean max = operator.equals(Operator.MAX);
    return switch (workload.type()) {
      case INT -> ints(from.toArray(ValueLayout.JAVA_INT), max);
      case LONG ->
          longs(
              from.toArray(ValueLayout.JAVA_LONG),
              operator.function() instanceof LongBinaryOperator own
                  ? own
                  : max ? Math::max : Long::sum);
      case FLOAT -> floats(from.toArray(ValueLayout.JAVA_FLOAT), max);
      case DOUBLE -> doubles(from.toArray(ValueLayout.JAVA_DOUBLE), max);
      case BYTE -> throw new IllegalArgumentException("benchmarks do not support bytes");
    };
  }

  private Scan ints(int[] in, boolean max) {
    int[] out = new int[in.length];
    if (!isLoop) {
      IntBinaryOperator combine = max ? Math::max : Integer::sum;
      return Scan.prefix(in, out, () -> Arrays.parallelPrefix(out, combine));
    }
    Runnable run =
        max
            ? () -> {
              int running = Integer.MIN_VALUE;
              for (int i = 0; i < in.length; i++) {
                running = Math.max(running, in[i]);
                out[i] = running;
              }
            }
            : () -> {
              int running = 0;
              for (int i = 0; i < in.length; i++) {
                running += in[i];
                out[i] = running;
              }
            };
    return Scan.loop(out, run);
  }

  private Scan longs(long[] in, LongBinaryOperator combine) {
    long[] out = new long[in.length];
    if (!isLoop) {
      return Scan.prefix(in, out, () -> Arrays.parallelPrefix(out, combine));
    }
    return Scan.loop(
        out,
        () -> {
          long running = in[0];
          out[0] = running;
          for (int i = 1; i < in.length; i++) {
            running = combine.applyAsLong(running, in[i]);
            out[i] = running;
          }
        });
  }

  private static Scan floats(float[] in, boolean max) {
    float[] out = new float[in.length];
    Runnable run =
        max
            ? () -> {
              float running = Float.NEGATIVE_INFINITY;
              for (int i = 0; i < in.length; i++) {
                running = Math.max(running, in[i]);
                out[i] = running;
              }
            }
            : () -> {
              double running = 0;
              for (int i = 0; i < in.length; i++) {
                running += in[i];
                out[i] = (float) running;
              }
            };
    return Scan.loop(out, run);
  }

  private Scan doubles(double[] in, boolean max) {
    double[] out = new double[in.length];
    DoubleBinaryOperator combine = max ? Math::max : Double::sum;
    if (!isLoop) {
      return Scan.prefix(in, out, () -> Arrays.parallelPrefix(out, combine));
    }
    return Scan.loop(
        out,
        () -> {
          double running = in[0];
          out[0] = running;
          for (int i = 1; i < in.length; i++) {
            running = combine.applyAsDouble(running, in[i]);
            out[i] = running;
          }
        });
  }
}
