package funnel.bench;

import funnel.Funnel;
import funnel.operation.Target;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import org.openjdk.jmh.annotations.AuxCounters;
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
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * One-shot calls of all reductions, scans, selections and histograms on the JVM, each beside a
 * plain loop of one thread that runs in turn with it, over many and over few elements, with one
 * core and with two; prints a table. Run as {@link ReduceJmh} is, with this class instead of JMH's;
 * an argument is a regular expression of the rows' names.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgs = {"-Xms3g", "-Xmx3g", "-XX:+UseSerialGC", JvmTable.QUIET})
@Warmup(iterations = 3, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 150, timeUnit = TimeUnit.MILLISECONDS)
public class JvmTable {

  static final String QUIET = "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn";
  private static final int MANY = 1 << 24;
  private static final int FEW = 1000;

  /** Calls over few elements for one over many. */
  private static final int CALLS = 5000;

  /** The row. */
  @Param("reduce: sum, INT")
  public String row;

  private Funnel funnel;
  private JvmCase many;
  private JvmCase few;
  private int used;

  /** The fastest of an iteration's calls, in microseconds. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Fastest {
    /** The loop over many. */
    public double loop;

    /** The call. */
    public double ours;

    /** The loop over few. */
    public double loopOverFew;

    /** The call. */
    public double oursOverFew;
  }

  /** Makes the inputs and compares results. */
  @Setup(Level.Trial)
  public void open() {
    funnel = Funnel.open(Target.JVM);
    many = new JvmCase(row, MANY, funnel);
    few = new JvmCase(row, FEW, funnel);
    many.requireSame();
    few.requireSame();
  }

  /** Closes Funnel. */
  @TearDown(Level.Trial)
  public void close() {
    funnel.close();
  }

  /** The time of a call, or that of the fastest before; JMH puts 0 there first. */
  private double time(double before, Supplier<Object> call, int times) {
    long start = System.nanoTime();
    for (int i = 0; i < times; i++) {
      used += call.get().hashCode();
    }
    double now = (System.nanoTime() - start) / 1e3 / times;
    return before == 0 ? now : Math.min(before, now);
  }

  private int run(Fastest fastest) {
    fastest.loop = time(fastest.loop, many.loop, 1);
    fastest.ours = time(fastest.ours, many.ours, 1);
    fastest.loopOverFew = time(fastest.loopOverFew, few.loop, CALLS);
    fastest.oursOverFew = time(fastest.oursOverFew, few.ours, CALLS);
    return used;
  }

  /** With one core. */
  @Benchmark
  @Fork(jvmArgsAppend = "-XX:ActiveProcessorCount=1")
  public int oneCore(Fastest fastest) {
    return run(fastest);
  }

  /** With two cores. */
  @Benchmark
  @Fork(jvmArgsAppend = "-XX:ActiveProcessorCount=2")
  public int twoCores(Fastest fastest) {
    return run(fastest);
  }

  private static double fastest(RunResult result, String of) {
    return result.getBenchmarkResults().stream()
        .flatMap(fork -> fork.getIterationResults().stream())
        .flatMapToDouble(i -> DoubleStream.of(i.getSecondaryResults().get(of).getScore()))
        .min()
        .orElseThrow();
  }

  private static String cells(RunResult result) {
    double loop = fastest(result, "loop");
    double ours = fastest(result, "ours");
    double few = fastest(result, "loopOverFew");
    double oursOverFew = fastest(result, "oursOverFew");
    return String.format(
        Locale.ROOT,
        " %.1f | %.1f | %.2f | %.2f | %.2f |",
        loop / 1e3,
        ours / 1e3,
        loop / ours,
        few,
        oursOverFew);
  }

  /** Prints the table. */
  public static void main(String[] arguments) throws RunnerException {
    String wanted = arguments.length > 0 ? arguments[0] : ".*";
    String[] rows =
        JvmCase.names().stream().filter(row -> row.matches(wanted)).toArray(String[]::new);
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include(JvmTable.class.getName())
                    .param("row", rows)
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT)
                    .build())
            .run();
    Map<String, Map<String, String>> cells = new TreeMap<>();
    for (RunResult result : results) {
      String method = result.getParams().getBenchmark();
      cells
          .computeIfAbsent(method.substring(method.lastIndexOf('.') + 1), _ -> new TreeMap<>())
          .put(result.getParams().getParam("row"), cells(result));
    }
    String columns = " loop, ms | call, ms | times as fast | loop over 1,000, us | call, us |";
    System.out.println("| |" + columns.repeat(2) + "\n|" + " --- |".repeat(11));
    for (String row : rows) {
      System.out.println(
          "| %s |%s%s"
              .formatted(row, cells.get("oneCore").get(row), cells.get("twoCores").get(row)));
    }
  }
}
