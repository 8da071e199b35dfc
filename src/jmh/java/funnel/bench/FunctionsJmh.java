package funnel.bench;

import funnel.Elements;
import funnel.Funnel;
import funnel.Ints;
import funnel.Plan;
import funnel.Results;
import funnel.operation.Target;
import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import funnel.transform.Elementwise;
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
 * Functions on the JVM that capture numbers and arrays, or have arguments of several types, beside
 * plain loops; run as {@link ReduceJmh} is. {@code -jvmArgsAppend -XX:ActiveProcessorCount=1}
 * leaves Funnel one thread, as the loops have.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class FunctionsJmh {

  private static final int USERS = 1000;

  /** A predicate of two types. */
  interface Late extends ElementFunction {
    boolean test(int user, long time);
  }

  /** Elements. */
  @Param("4194304")
  public int length;

  /** Times are below it, and limits about 1000: at 1010 few users are late, at 2000 half. */
  @Param("1010")
  public long latest;

  private int k;
  private int[] a;
  private int[] b;
  private int[] users;
  private long[] times;
  private long[] limits;
  private int[] sums;
  private byte[] late;
  private Funnel funnel;
  private Plan lookUps;
  private Plan inputs;
  private Plan lateUsers;
  private Plan lateTimes;
  private Ints ints;

  /** Makes the inputs and compares all results. */
  @Setup(Level.Trial)
  public void open() {
    SplittableRandom random = new SplittableRandom(1);
    k = random.nextInt();
    a = random.ints(length).toArray();
    b = random.ints(length).toArray();
    users = random.ints(length, 0, USERS).toArray();
    times = random.longs(length, 0, latest).toArray();
    limits = random.longs(USERS, 1000, 1010).toArray();
    sums = new int[length];
    late = new byte[length];
    funnel = Funnel.open(Target.JVM);
    int factor = k;
    int[] x = a;
    int[] y = b;
    long[] until = limits;
    long limit = until[0];
    lookUps =
        funnel
            .plan("lookUps")
            .add("y", Elementwise.ofInt("f", i -> x[i] * factor + y[i]).indexed(length))
            .build();
    inputs =
        funnel
            .plan("inputs")
            .input("a", ElementType.INT, length)
            .input("b", ElementType.INT, length)
            .add("y", Elementwise.ofInt("f", (v, w) -> v * factor + w), "a", "b")
            .build()
            .set("a", Elements.of(a))
            .set("b", Elements.of(b));
    lateUsers = rows((user, time) -> time > until[user]);
    lateTimes = rows((user, time) -> user > 0 & time > limit);
    ints = funnel.of(a);
    ReduceJmh.require(Arrays.equals(halvesByLoop(), halvesByFunction()));
    double norm = normByLoop();
    ReduceJmh.require(Math.abs(normByFunctions() - norm) < 1e-9 * norm);
    ReduceJmh.require(Arrays.equals(sumsByLoop(), sumsByLookUps().ints("y")));
    ReduceJmh.require(Arrays.equals(sums, sumsByInputs().ints("y")));
    ReduceJmh.require(Arrays.equals(lateUsersByLoop(), lateUsersByFunction().bytes("y")));
    ReduceJmh.require(Arrays.equals(lateTimesByLoop(), lateTimesByFunction().bytes("y")));
  }

  private Plan rows(Late function) {
    return funnel
        .plan("rows")
        .input("users", ElementType.INT, length)
        .input("times", ElementType.LONG, length)
        .add("y", Elementwise.of("late", function), "users", "times")
        .build()
        .set("users", Elements.of(users))
        .set("times", Elements.of(times));
  }

  /** Closes Funnel. */
  @TearDown(Level.Trial)
  public void close() {
    funnel.close();
  }

  /** A function of the index that looks elements up. */
  @Benchmark
  public Results sumsByLookUps() {
    return lookUps.run();
  }

  /** A function of two inputs. */
  @Benchmark
  public Results sumsByInputs() {
    return inputs.run();
  }

  /** A plain loop on one core. */
  @Benchmark
  public int[] sumsByLoop() {
    for (int i = 0; i < length; i++) {
      sums[i] = a[i] * k + b[i];
    }
    return sums;
  }

  /** A function of two types that looks elements up. */
  @Benchmark
  public Results lateUsersByFunction() {
    return lateUsers.run();
  }

  /** A plain loop on one core. */
  @Benchmark
  public byte[] lateUsersByLoop() {
    for (int i = 0; i < length; i++) {
      late[i] = (byte) (times[i] > limits[users[i]] ? 1 : 0);
    }
    return late;
  }

  /** A function of two types without look-ups. */
  @Benchmark
  public Results lateTimesByFunction() {
    return lateTimes.run();
  }

  /** A plain loop on one core. */
  @Benchmark
  public byte[] lateTimesByLoop() {
    long limit = limits[0];
    for (int i = 0; i < length; i++) {
      late[i] = (byte) (users[i] > 0 & times[i] > limit ? 1 : 0);
    }
    return late;
  }

  /** A function from ints to doubles, over an array of Funnel's. */
  @Benchmark
  public double[] halvesByFunction() {
    return ints.mapToDouble(value -> 0.5 * value).toArray();
  }

  /** A plain loop on one core. */
  @Benchmark
  public double[] halvesByLoop() {
    double[] halves = new double[length];
    for (int i = 0; i < length; i++) {
      halves[i] = 0.5 * a[i];
    }
    return halves;
  }

  /** The sum of the squares of ints as doubles. */
  @Benchmark
  public double normByFunctions() {
    return ints.asDoubles().map(value -> value * value).sum();
  }

  /** A plain loop on one core, which adds in order. */
  @Benchmark
  public double normByLoop() {
    double sum = 0;
    for (int i = 0; i < length; i++) {
      double value = a[i];
      sum += value * value;
    }
    return sum;
  }
}
