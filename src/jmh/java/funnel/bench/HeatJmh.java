package funnel.bench;

import funnel.Funnel;
import funnel.heat.Heat2D;
import funnel.heat.HeatProblem;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A step of the heat equation on the JVM, in microseconds: Funnel's solver, sixteen steps a call,
 * and a plain double loop on one core with plain arithmetic.
 *
 * <p>Run as {@link ReduceJmh} is; for one core, with {@code taskset -c 0} before it.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Benchmark)
public class HeatJmh {

  private static final int STEPS = 16;

  /** Nodes along each axis. */
  @Param({"512", "4096"})
  public int nodes;

  private Funnel funnel;
  private Heat2D floats;
  private Heat2D doubles;
  private float[] from;
  private float[] to;

  /** Makes the fields. */
  @Setup(Level.Trial)
  public void open() {
    funnel = Funnel.open(Target.JVM);
    floats = solver(ElementType.FLOAT);
    doubles = solver(ElementType.DOUBLE);
    from = new float[nodes * nodes];
    to = new float[nodes * nodes];
    for (int i = 0; i < from.length; i++) {
      from[i] = i % 1000;
    }
  }

  private Heat2D solver(ElementType type) {
    return HeatProblem.builder(nodes, nodes)
        .type(type)
        .initial((x, y) -> (x + 31 * y) % 1000)
        .build()
        .open(funnel);
  }

  /** Closes Funnel. */
  @TearDown(Level.Trial)
  public void close() {
    floats.close();
    doubles.close();
    funnel.close();
  }

  /** Funnel, floats. */
  @Benchmark
  @OperationsPerInvocation(STEPS)
  public Heat2D funnelFloats() {
    return floats.step(STEPS);
  }

  /** Funnel, doubles. */
  @Benchmark
  @OperationsPerInvocation(STEPS)
  public Heat2D funnelDoubles() {
    return doubles.step(STEPS);
  }

  /** A plain loop over floats, the field's rim left out. */
  @Benchmark
  public float[] loopFloats() {
    int n = nodes;
    for (int j = 1; j < n - 1; j++) {
      for (int i = 1; i < n - 1; i++) {
        int at = j * n + i;
        to[at] =
            from[at]
                + 0.2f * (from[at - 1] + from[at + 1] + from[at - n] + from[at + n] - 4 * from[at]);
      }
    }
    float[] other = from;
    from = to;
    to = other;
    return from;
  }
}
