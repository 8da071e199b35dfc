package funnel.bench;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.util.Arrays;
import java.util.SplittableRandom;
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
 * Reductions on the JVM: Funnel's plan and one-shot call, the JDK's parallel stream, and a plain
 * loop on one core.
 *
 * <pre>{@code
 * mvn test-compile
 * java -Xmx3g -cp 'target/jmh-classes:target/tools-classes:target/classes:target/tornado-api-classes:target/lib/*:target/test-lib/*' \
 *   org.openjdk.jmh.Main ReduceJmh
 * }</pre>
 *
 * <p>{@code -p length=67108864 ReduceJmh.intSum} runs a part of it; {@code -rf json} writes a file.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReduceJmh {

  private static final float TOLERANCE = 1e-4f;

  /** Elements: 2^10, 2^20, 2^26. */
  @Param({"1024", "1048576", "67108864"})
  public int length;

  private int[] ints;
  private float[] floats;
  private Funnel funnel;
  private Plan intPlan;
  private Plan floatPlan;

  /** Makes the inputs and compares all results. */
  @Setup(Level.Trial)
  public void open() {
    SplittableRandom random = new SplittableRandom(1);
    ints = random.ints(length).toArray();
    floats = new float[length];
    for (int i = 0; i < length; i++) {
      floats[i] = (float) random.nextDouble();
    }
    funnel = Funnel.open(Target.JVM);
    intPlan =
        funnel
            .plan("ints")
            .input("x", ElementType.INT, length)
            .add("sum", Reduction.sum(), "x")
            .build()
            .set("x", Elements.of(ints));
    floatPlan =
        funnel
            .plan("floats")
            .input("x", ElementType.FLOAT, length)
            .add("sum", Reduction.sum(), "x")
            .build()
            .set("x", Elements.of(floats));
    require(intSumByPlan() == intSumByLoop());
    require(intSumByCall() == intSumByLoop());
    require(intSumByStream() == intSumByLoop());
    double exact = floatSumByStream();
    require(Math.abs(floatSumByPlan() - exact) < TOLERANCE * exact);
  }

  static void require(boolean right) {
    if (!right) {
      throw new IllegalStateException("a result is wrong");
    }
  }

  /** Closes Funnel. */
  @TearDown(Level.Trial)
  public void close() {
    funnel.close();
  }

  /** A plan that is run again and again. */
  @Benchmark
  public int intSumByPlan() {
    return intPlan.run().getInt("sum");
  }

  /** A one-shot call. */
  @Benchmark
  public int intSumByCall() {
    return funnel.sum(ints);
  }

  /** The JDK's parallel stream. */
  @Benchmark
  public int intSumByStream() {
    return Arrays.stream(ints).parallel().sum();
  }

  /** A plain loop on one core. */
  @Benchmark
  public int intSumByLoop() {
    int sum = 0;
    for (int value : ints) {
      sum += value;
    }
    return sum;
  }

  /** A plan that is run again and again. */
  @Benchmark
  public float floatSumByPlan() {
    return floatPlan.run().getFloat("sum");
  }

  /** The JDK's parallel stream, mapped to doubles, as there is none of floats. */
  @Benchmark
  public double floatSumByStream() {
    return IntStream.range(0, floats.length).parallel().mapToDouble(i -> floats[i]).sum();
  }

  /** A plain loop on one core; it rounds after every element. */
  @Benchmark
  public float floatSumByLoop() {
    float sum = 0;
    for (float value : floats) {
      sum += value;
    }
    return sum;
  }
}
