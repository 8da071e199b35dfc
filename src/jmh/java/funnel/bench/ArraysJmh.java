package funnel.bench;

import static funnel.bench.ReduceJmh.require;

import funnel.Elements;
import funnel.Funnel;
import funnel.Ints;
import funnel.Plan;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.select.Select;
import funnel.select.Unique;
import funnel.sort.Sort;
import java.util.Arrays;
import java.util.Map;
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
 * What a reading of an array costs beside a run of the same plan, made by hand and kept.
 *
 * <p>{@code ArraysJmh}, run like {@link ReduceJmh}. The difference of two times of a pair is what
 * the chain costs at each reading: to make its handles, to learn its structure, and to find its
 * plan. The limit of {@code above} changes with each call.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ArraysJmh {

  /** Elements. */
  @Param("1000")
  public int length;

  /** The engine; {@code -f 0 -p target=TORNADO} in a JVM with TornadoVM is a device. */
  @Param("JVM")
  public Target target;

  private int limit;
  private int[] array;
  private Ints ints;
  private Funnel funnel;
  private Plan sum;
  private Plan chain;
  private Plan above;

  /** Makes the plans and compares all results. */
  @Setup(Level.Trial)
  public void open() {
    array = new SplittableRandom(1).ints(length, 0, 1_000_000).toArray();
    funnel = Funnel.open(target);
    ints = funnel.of(array);
    sum =
        funnel
            .plan("sum")
            .input("x", ElementType.INT, length)
            .add("y", Reduction.sum(), "x")
            .build();
    chain =
        funnel
            .plan("chain")
            .input("x", ElementType.INT, length)
            .add(
                "kept",
                Select.where(Transform.testInt("by three", v -> v % 3 == 0))
                    .mapped(Transform.ofInt("seventh", v -> v / 7)),
                "x")
            .add("sorted", Sort.ascending(), "kept")
            .add("y", Unique.adjacent(), "sorted")
            .build();
    above =
        funnel.plan("above").input("x", ElementType.INT, length).add("y", above(0), "x").build();
    require(sumByArrays() == sumByPlan());
    require(Arrays.equals(chainByArrays(), chainByPlan()));
    int[] here = aboveByPlan();
    limit--;
    require(Arrays.equals(aboveByArrays(), here));
  }

  /** Closes Funnel. */
  @TearDown(Level.Trial)
  public void close() {
    funnel.close();
  }

  private Map<String, Elements> given() {
    return Map.of("x", Elements.of(array));
  }

  /** A sum, by a plan. */
  @Benchmark
  public int sumByPlan() {
    return sum.run(given()).getInt("y");
  }

  /** A sum, by a call. */
  @Benchmark
  public int sumByCall() {
    return funnel.sum(array);
  }

  /** A sum, by arrays. */
  @Benchmark
  public int sumByArrays() {
    return funnel.of(array).sum();
  }

  /** Filtered, mapped, sorted, distinct, by a plan. */
  @Benchmark
  public int[] chainByPlan() {
    return chain.run(given()).ints("y");
  }

  /** Filtered, mapped, sorted, distinct, by arrays. */
  @Benchmark
  public int[] chainByArrays() {
    return funnel.of(array).filter(v -> v % 3 == 0).map(v -> v / 7).sorted().distinct().toArray();
  }

  private int next() {
    limit = (limit + 1) % 1_000_000;
    return limit;
  }

  private static Select above(int limit) {
    return Select.where(Transform.testInt("above", v -> v > limit));
  }

  /** Filtered by a captured value, by a plan. */
  @Benchmark
  public int[] aboveByPlan() {
    return above.set("y", above(next())).run(given()).ints("y");
  }

  /** Filtered by a value that stays, by a plan. */
  @Benchmark
  public int[] constantByPlan() {
    return above.run(given()).ints("y");
  }

  /** Filtered by a captured value, by arrays. */
  @Benchmark
  public int[] aboveByArrays() {
    int above = next();
    return ints.filter(v -> v > above).toArray();
  }
}
