package funnel.bench;

import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/** Inclusive scans over arrays on the heap, as one would write them without Funnel. */
final class HostScanSubject implements Subject {

  /* Arrays.parallelPrefix works in place, so its input is copied back before each run, outside of
   * the time. The loop over floats adds in double precision: in float it would stay at 2^24 from
   * there on.
   */

  private static final String LOOP = "jvm-loop";
  private static final String PREFIX = "jdk-parallelPrefix";

  private final String name;

  private HostScanSubject(String name) {
    this.name = name;
  }

  /** A sequential loop from one array to another. */
  static HostScanSubject loop() {
    return new HostScanSubject(LOOP);
  }

  /** {@link Arrays#parallelPrefix}, of which there is none over floats. */
  static HostScanSubject parallelPrefix() {
    return new HostScanSubject(PREFIX);
  }

  @Override
  public String name() {
    return name;
  }

  /** Arrays, and what to do with them. */
  private record Scan(Runnable before, Runnable run, MemorySegment results) {}

  @Override
  public Measurement measure(Workload workload, Operator operator, Effort effort) {
    if (workload.bytes() > Runtime.getRuntime().maxMemory() / 4) {
      return Measurement.failed(
          name,
          0,
          Work.SCAN,
          workload,
          operator.name(),
          "the heap is too small for two arrays: bytes=%d, heap=%d; give java a larger -Xmx"
              .formatted(2 * workload.bytes(), Runtime.getRuntime().maxMemory()));
    }
    Scan scan = scan(workload, operator);
    effort.warmUp(
        () -> {
          scan.before().run();
          scan.run().run();
        });
    Timing wall =
        effort.times(
            () -> {
              scan.before().run();
              long start = System.nanoTime();
              scan.run().run();
              return System.nanoTime() - start;
            });
    String wrong = workload.scan(operator).firstWrong(scan.results());
    return new Measurement(
        name,
        0,
        Work.SCAN,
        workload.type(),
        operator.name(),
        workload.length(),
        "warm",
        null,
        wall,
        wrong.isEmpty() ? workload.expected(operator).toString() : wrong,
        workload.expected(operator).toString(),
        wrong.isEmpty(),
        "");
  }

  private Scan scan(Workload workload, Operator operator) {
    MemorySegment from = workload.array().getSegment();
    boolean loop = name.equals(LOOP);
    boolean max = operator.equals(Operator.MAX);
    return switch (workload.type()) {
      case INT -> ints(from.toArray(ValueLayout.JAVA_INT), max, loop);
      case LONG ->
          longs(
              from.toArray(ValueLayout.JAVA_LONG),
              operator.function() instanceof LongBinaryOperator own
                  ? own
                  : max ? Math::max : Long::sum,
              loop);
      case FLOAT -> floats(from.toArray(ValueLayout.JAVA_FLOAT), max);
      case DOUBLE -> doubles(from.toArray(ValueLayout.JAVA_DOUBLE), max, loop);
      case BYTE -> throw new IllegalArgumentException("no benchmark over bytes");
    };
  }

  private static Scan ints(int[] in, boolean max, boolean loop) {
    int[] out = new int[in.length];
    MemorySegment results = MemorySegment.ofArray(out);
    if (!loop) {
      return new Scan(
          () -> System.arraycopy(in, 0, out, 0, in.length),
          max
              ? () -> Arrays.parallelPrefix(out, Math::max)
              : () -> Arrays.parallelPrefix(out, Integer::sum),
          results);
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
    return new Scan(() -> {}, run, results);
  }

  private static Scan longs(long[] in, LongBinaryOperator combine, boolean loop) {
    long[] out = new long[in.length];
    MemorySegment results = MemorySegment.ofArray(out);
    if (!loop) {
      return new Scan(
          () -> System.arraycopy(in, 0, out, 0, in.length),
          () -> Arrays.parallelPrefix(out, combine),
          results);
    }
    return new Scan(
        () -> {},
        () -> {
          long running = in[0];
          out[0] = running;
          for (int i = 1; i < in.length; i++) {
            running = combine.applyAsLong(running, in[i]);
            out[i] = running;
          }
        },
        results);
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
    return new Scan(() -> {}, run, MemorySegment.ofArray(out));
  }

  private static Scan doubles(double[] in, boolean max, boolean loop) {
    double[] out = new double[in.length];
    DoubleBinaryOperator combine = max ? Math::max : Double::sum;
    MemorySegment results = MemorySegment.ofArray(out);
    if (!loop) {
      return new Scan(
          () -> System.arraycopy(in, 0, out, 0, in.length),
          () -> Arrays.parallelPrefix(out, combine),
          results);
    }
    return new Scan(
        () -> {},
        () -> {
          double running = in[0];
          out[0] = running;
          for (int i = 1; i < in.length; i++) {
            running = combine.applyAsDouble(running, in[i]);
            out[i] = running;
          }
        },
        results);
  }
}
