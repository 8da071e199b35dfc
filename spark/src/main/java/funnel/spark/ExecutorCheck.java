package funnel.spark;

import funnel.Elements;
import funnel.Funnel;
import funnel.reduce.Reduction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.resource.ResourceInformation;

/**
 * The result of checking Funnel on an executor.
 *
 * @param executor Spark's name of the executor
 * @param host its machine
 * @param java the version of its Java
 * @param gpus the addresses of the GPUs that Spark gave the task; empty if it computes on the JVM
 * @param engine the engine of Funnel there; empty if Funnel cannot compute there
 * @param problem why it cannot; empty if it can
 */
public record ExecutorCheck(
    String executor, String host, String java, List<String> gpus, String engine, String problem) {

  private static final int PAUSE = 100;

  /** Whether Funnel can compute there. */
  public boolean isUsable() {
    return problem.isEmpty();
  }

  /** In one line. */
  @Override
  public String toString() {
    return "executor %s on %s, java %s, GPUs %s: %s"
        .formatted(executor, host, java, gpus, isUsable() ? engine : "FAILS: " + problem);
  }

  /*
   * Tasks pause, so that all executors get some. Results are sent as strings, since Kryo cannot
   * create records.
   */

  static List<ExecutorCheck> all(JavaRDD<Integer> tasks) {
    TreeMap<String, ExecutorCheck> checks = new TreeMap<>();
    for (String[] found : tasks.mapPartitions(ExecutorCheck::here).collect()) {
      List<String> gpus = Arrays.asList(found).subList(5, found.length);
      checks.put(
          found[0],
          new ExecutorCheck(found[0], found[1], found[2], List.copyOf(gpus), found[3], found[4]));
    }
    return List.copyOf(checks.values());
  }

  private static Iterator<String[]> here(Iterator<Integer> tasks) throws InterruptedException {
    SparkEnv env = SparkEnv.get();
    String engine = "";
    String problem = "";
    try {
      Funnel funnel = TaskFunnel.get();
      Number sum = funnel.reduce(Elements.of(new int[] {3, 1, 4}), Reduction.sum());
      if (sum.equals(8)) {
        engine = funnel.description();
      } else {
        problem = "the sum of 3, 1, 4 is " + sum;
      }
    } catch (RuntimeException | LinkageError e) {
      problem = e.toString();
    }
    List<String> found =
        new ArrayList<>(
            List.of(
                env.executorId(),
                env.blockManager().blockManagerId().host(),
                Runtime.version().toString(),
                engine,
                problem));
    ResourceInformation gpus = TaskContext.get().resourcesJMap().get(TaskFunnel.GPU);
    if (gpus != null) {
      found.addAll(List.of(gpus.addresses()));
    }
    Thread.sleep(PAUSE);
    return List.<String[]>of(found.toArray(String[]::new)).iterator();
  }
}
