package funnel.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.group.Aggregate;
import funnel.operation.EngineUnavailableException;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import java.util.List;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.resource.ResourceProfile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementTest {

  private final FunnelSpark funnel = Cluster.FUNNEL;

  @Test
  void withoutGpusOnTheJvm() throws InterruptedException {
    Cluster.awaitExecutors(); // a test before may have ended one
    List<ExecutorCheck> checks = funnel.check();
    assertEquals(Cluster.EXECUTORS, checks.size(), checks::toString);
    for (ExecutorCheck check : checks) {
      assertTrue(check.isUsable(), check::toString);
      assertTrue(check.engine().startsWith("JVM"), check::toString);
      assertEquals(Runtime.version().toString(), check.java());
      assertEquals(List.of(), check.gpus());
    }
  }

  /** Spark has GPUs for them here, and there is no TornadoVM: that is said, and not passed over. */
  @Test
  void tasksWithGpusDoNotFallBack() {
    FunnelSpark onGpus = funnel.withGpus(1);
    for (ExecutorCheck check : onGpus.check()) {
      assertFalse(check.isUsable(), check::toString);
      assertEquals(List.of(Cluster.GPU_ADDRESS), check.gpus());
      assertTrue(check.problem().contains("was given GPU 0 by Spark"), check::toString);
    }
    Chunks<int[]> chunks = Samples.of(int[].class, List.of(new int[] {3, 1}, new int[] {4}), 2);
    Throwable thrown =
        assertThrows(SparkException.class, () -> onGpus.reduce(chunks, Reduction.sum()));
    assertInstanceOf(EngineUnavailableException.class, thrown.getCause());
    // the chunks themselves are as they were
    assertEquals(8, funnel.reduce(chunks, Reduction.sum()));
  }

  @Test
  void stagesAfterAShuffleHaveGpusToo() {
    Chunks<int[]> chunks = Samples.of(int[].class, List.of(new int[] {3, 1}, new int[] {4}), 2);
    FunnelSpark half = funnel.withGpus(0.5);
    Groups groups = half.groupBy(1, chunks, List.of(), Aggregate.count());
    assertEquals(0.5, gpus(groups.rdd()));
    assertThrows(SparkException.class, () -> half.scan(chunks, Scan.inclusive(Operator.SUM)));
    Chunks<int[]> none = Samples.of(int[].class, new int[][] {});
    assertEquals(0.5, gpus(half.sort(none).rdd()));
  }

  private static double gpus(JavaRDD<?> rdd) {
    ResourceProfile profile = rdd.getResourceProfile();
    return profile.taskResourcesJMap().get("gpu").amount();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, 0.7, 2, Double.NaN})
  void othersAreRefused(double perTask) {
    assertThrows(IllegalArgumentException.class, () -> funnel.withGpus(perTask));
  }

  @ParameterizedTest
  @CsvSource({"0,,0", "3,,3", "3,'2,3',1", "1,'0,1,2',1", "1,' ',1", "GPU-4f,'GPU-1,GPU-4f',1"})
  void numbersOfDevices(String address, String visible, int number) {
    assertEquals(number, TaskFunnel.device(address, visible));
  }

  @Test
  void addressesThatAreNoNumbers() {
    assertThrows(EngineUnavailableException.class, () -> TaskFunnel.device("GPU-4f", "GPU-1"));
  }
}
