package funnel.bench;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.Scan;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
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
 * Inclusive scans on the JVM, in place: Funnel's plan, the JDK's {@code Arrays.parallelPrefix} and
 * a plain loop on one core. There is no {@code parallelPrefix} of floats.
 *
 * <p>Run as {@link ReduceJmh} is. Each run scans the results of the run before, which takes as long
 * as any other elements: sums wrap around or become infinite.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ScanJmh {

  /** A plan over an array. */
  @State(Scope.Benchmark)
  public abstract static class InPlace {
    /** Elements: 2^20, 2^23, 2^26. */
    @Param({"1048576", "8388608", "67108864"})
    public int length;

    private Funnel funnel;
    private Plan sum;
    private Plan max;

    void open(Elements elements, ElementType type) {
      funnel = Funnel.open(Target.JVM);
      sum = plan(elements, type, Operator.SUM);
      max = plan(elements, type, Operator.MAX);
    }

    private Plan plan(Elements elements, ElementType type, Operator operator) {
      return funnel
          .plan(operator.name())
          .input("x", type, length)
          .add("y", Scan.inclusive(operator), "x")
          .build()
          .set("x", elements)
          .into("y", elements);
    }

    void sum() {
      sum.run();
    }

    void max() {
      max.run();
    }

    /** Closes Funnel. */
    @TearDown(Level.Trial)
    public void close() {
      funnel.close();
    }
  }

  /** Ints. */
  public static class Ints extends InPlace {
    int[] values;

    /** Makes the input and compares results. */
    @Setup(Level.Trial)
    public void open() {
      values = new SplittableRandom(1).ints(length).toArray();
      open(Elements.of(values), ElementType.INT);
      int[] expected = values.clone();
      Arrays.parallelPrefix(expected, Integer::sum);
      sum();
      if (!Arrays.equals(expected, values)) {
        throw new IllegalStateException("a scan is wrong");
      }
    }
  }

  /** Longs. */
  public static class Longs extends InPlace {
    long[] values;

    /** Makes the input. */
    @Setup(Level.Trial)
    public void open() {
      values = new SplittableRandom(1).longs(length).toArray();
      open(Elements.of(values), ElementType.LONG);
    }
  }

  /** Floats. */
  public static class Floats extends InPlace {
    float[] values;

    /** Makes the input. */
    @Setup(Level.Trial)
    public void open() {
      SplittableRandom random = new SplittableRandom(1);
      values = new float[length];
      for (int i = 0; i < length; i++) {
        values[i] = (float) random.nextDouble();
      }
      open(Elements.of(values), ElementType.FLOAT);
    }
  }

  /** Doubles. */
  public static class Doubles extends InPlace {
    double[] values;

    /** Makes the input. */
    @Setup(Level.Trial)
    public void open() {
      values = new SplittableRandom(1).doubles(length).toArray();
      open(Elements.of(values), ElementType.DOUBLE);
    }
  }

  /** A plan that is run again and again. */
  @Benchmark
  public void intSumByPlan(Ints state) {
    state.sum();
  }

  /** The JDK's parallel prefix. */
  @Benchmark
  public void intSumByParallelPrefix(Ints state) {
    Arrays.parallelPrefix(state.values, Integer::sum);
  }

  /** A plain loop on one core. */
  @Benchmark
  public void intSumByLoop(Ints state) {
    int[] values = state.values;
    int running = 0;
    for (int i = 0; i < values.length; i++) {
      running = running + values[i];
      values[i] = running;
    }
  }

  /** A plan that is run again and again. */
  @Benchmark
  public void intMaxByPlan(Ints state) {
    state.max();
  }

  /** The JDK's parallel prefix. */
  @Benchmark
  public void intMaxByParallelPrefix(Ints state) {
    Arrays.parallelPrefix(state.values, Math::max);
  }

  /** A plain loop on one core. */
  @Benchmark
  public void intMaxByLoop(Ints state) {
    int[] values = state.values;
    int running = Integer.MIN_VALUE;
    for (int i = 0; i < values.length; i++) {
      running = Math.max(running, values[i]);
      values[i] = running;
    }
  }

  /** A plan that is run again and again. */
  @Benchmark
  public void longSumByPlan(Longs state) {
    state.sum();
  }

  /** The JDK's parallel prefix. */
  @Benchmark
  public void longSumByParallelPrefix(Longs state) {
    Arrays.parallelPrefix(state.values, Long::sum);
  }

  /** A plain loop on one core. */
  @Benchmark
  public void longSumByLoop(Longs state) {
    long[] values = state.values;
    long running = 0;
    for (int i = 0; i < values.length; i++) {
      running = running + values[i];
      values[i] = running;
    }
  }

  /** A plan that is run again and again. */
  @Benchmark
  public void floatSumByPlan(Floats state) {
    state.sum();
  }

  /** A plain loop on one core. */
  @Benchmark
  public void floatSumByLoop(Floats state) {
    float[] values = state.values;
    float running = 0;
    for (int i = 0; i < values.length; i++) {
      running = running + values[i];
      values[i] = running;
    }
  }

  /** A plan that is run again and again. */
  @Benchmark
  public void doubleSumByPlan(Doubles state) {
    state.sum();
  }

  /** The JDK's parallel prefix. */
  @Benchmark
  public void doubleSumByParallelPrefix(Doubles state) {
    Arrays.parallelPrefix(state.values, Double::sum);
  }

  /** A plain loop on one core. */
  @Benchmark
  public void doubleSumByLoop(Doubles state) {
    double[] values = state.values;
    double running = 0;
    for (int i = 0; i < values.length; i++) {
      running = running + values[i];
      values[i] = running;
    }
  }
}
