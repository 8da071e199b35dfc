package funnel.bench;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.histogram.Histogram;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Histograms on the JVM: Funnel's plan, a plain loop on one core, and the loop on all cores with
 * counters for each that are added up.
 *
 * <p>Run as {@link ReduceJmh} is. {@code taskset -c 0 java ... -p data=UNIFORM HistogramJmh} leaves
 * all of them one core.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class HistogramJmh {

  private static final int CORES = Runtime.getRuntime().availableProcessors();

  /** What counts some of the samples. */
  private interface Part {
    int[] count(int from, int to);
  }

  private static int[] onAllCores(int length, Part part) {
    return IntStream.range(0, CORES)
        .parallel()
        .mapToObj(
            k ->
                part.count(
                    (int) ((long) length * k / CORES), (int) ((long) length * (k + 1) / CORES)))
        .reduce(
            (a, b) -> {
              for (int bin = 0; bin < a.length; bin++) {
                a[bin] += b[bin];
              }
              return a;
            })
        .orElseThrow();
  }

  /** A plan over an array. */
  @State(Scope.Benchmark)
  public abstract static class Counted {
    /** Samples: 2^20, 2^26. */
    @Param({"1048576", "67108864"})
    public int length;

    /** How they are distributed. */
    @Param({"UNIFORM", "CONSTANT", "HOT"})
    public String data;

    private Funnel funnel;
    private Plan plan;
    private int[] counts;

    Samples samples(ElementType type) {
      return new Samples(type, SampleData.valueOf(data), length);
    }

    void open(Elements elements, ElementType type, Histogram histogram) {
      counts = new int[histogram.bins()];
      funnel = Funnel.open(Target.JVM);
      plan =
          funnel
              .plan("histogram")
              .input("x", type, length)
              .add("counts", histogram, "x")
              .build()
              .set("x", elements)
              .into("counts", Elements.of(counts));
    }

    int[] byPlan() {
      plan.run();
      return counts;
    }

    void requireSame(int[] first, int[] second) {
      if (!Arrays.equals(byPlan(), first) || !Arrays.equals(first, second)) {
        throw new IllegalStateException("a histogram is wrong");
      }
    }

    /** Closes Funnel. */
    @TearDown(Level.Trial)
    public void close() {
      funnel.close();
    }
  }

  /** Bytes. */
  public static class Bytes extends Counted {
    private byte[] values;

    /** Makes the samples and compares counts. */
    @Setup(Level.Trial)
    public void open() {
      values = samples(ElementType.BYTE).array().getSegment().toArray(ValueLayout.JAVA_BYTE);
      open(Elements.of(values), ElementType.BYTE, Histogram.ofBytes());
      requireSame(count(0, length), onAllCores(length, this::count));
    }

    int[] count(int from, int to) {
      int[] counts = new int[Samples.BYTE_BINS];
      for (int i = from; i < to; i++) {
        counts[values[i] & 0xff]++;
      }
      return counts;
    }
  }

  /** Ints. */
  public static class Ints extends Counted {
    /** Bins of the same width: 2^8, 2^16. */
    @Param({"256", "65536"})
    public int bins;

    private int[] values;

    /** Makes the samples and compares counts. */
    @Setup(Level.Trial)
    public void open() {
      Samples samples = samples(ElementType.INT);
      values = samples.array().getSegment().toArray(ValueLayout.JAVA_INT);
      open(Elements.of(values), ElementType.INT, samples.histogram(bins));
      requireSame(count(0, length), onAllCores(length, this::count));
    }

    int[] count(int from, int to) {
      int[] counts = new int[bins];
      for (int i = from; i < to; i++) {
        counts[Samples.bin(values[i], bins)]++;
      }
      return counts;
    }
  }

  /** A plan that is run again and again. */
  @Benchmark
  public int[] bytesByPlan(Bytes state) {
    return state.byPlan();
  }

  /** A plain loop on one core. */
  @Benchmark
  public int[] bytesByLoop(Bytes state) {
    return state.count(0, state.length);
  }

  /** The loop on all cores. */
  @Benchmark
  public int[] bytesByLoopOnAllCores(Bytes state) {
    return onAllCores(state.length, state::count);
  }

  /** A plan that is run again and again. */
  @Benchmark
  public int[] intsByPlan(Ints state) {
    return state.byPlan();
  }

  /** A plain loop on one core. */
  @Benchmark
  public int[] intsByLoop(Ints state) {
    return state.count(0, state.length);
  }

  /** The loop on all cores. */
  @Benchmark
  public int[] intsByLoopOnAllCores(Ints state) {
    return onAllCores(state.length, state::count);
  }
}
