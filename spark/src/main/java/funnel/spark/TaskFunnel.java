package funnel.spark;

import funnel.Funnel;
import funnel.operation.EngineUnavailableException;
import funnel.operation.Target;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Funnel that a task works with: one for all tasks of an executor, on its GPU if Spark gave the
 * task one, else on the JVM. It is open until the executor's process ends.
 */
final class TaskFunnel {

  /** Spark's name for GPUs, in its options and resources. */
  static final String GPU = "gpu";

  private static final String DEVICE = "tornado.device";
  private static final String VISIBLE = "CUDA_VISIBLE_DEVICES";
  private static final Logger LOG = LoggerFactory.getLogger(TaskFunnel.class);

  private static @Nullable Funnel onJvm;
  private static @Nullable Funnel onGpu;
  private static String address = "";

  private TaskFunnel() {}

  /**
   * The Funnel of this thread's task; outside tasks, as on the driver, the one on the JVM.
   *
   * @throws EngineUnavailableException if Spark gave the task a GPU and TornadoVM cannot use it
   */
  static Funnel get() {
    TaskContext task = TaskContext.get();
    ResourceInformation gpus = task == null ? null : task.resourcesJMap().get(GPU);
    return gpus == null ? jvm() : gpu(List.of(gpus.addresses()));
  }

  private static synchronized Funnel jvm() {
    if (onJvm == null) {
      onJvm = opened(Target.JVM);
    }
    return onJvm;
  }

  private static synchronized Funnel gpu(List<String> addresses) {
    if (addresses.size() != 1 || onGpu != null && !address.equals(addresses.getFirst())) {
      throw new EngineUnavailableException(
          "an executor has one GPU, and this one has %s: set spark.executor.resource.gpu.amount=1"
              .formatted(
                  addresses.size() == 1 ? List.of(address, addresses.getFirst()) : addresses),
          null);
    }
    if (onGpu == null) {
      address = addresses.getFirst();
      if (System.getProperty(DEVICE) == null) {
        System.setProperty(DEVICE, Integer.toString(device(address, System.getenv(VISIBLE))));
      }
      try {
        onGpu = opened(Target.TORNADO);
      } catch (EngineUnavailableException e) {
        throw new EngineUnavailableException(
            "%s was given GPU %s by Spark and cannot use it: %s"
                .formatted(place(), address, e.getMessage()),
            e);
      }
    }
    return onGpu;
  }

  /**
   * The number that a GPU has in this process.
   *
   * @param address Spark's name for it: its number on the machine
   * @param visible the GPUs that CUDA shows to this process, null or empty for all
   */
  static int device(String address, @Nullable String visible) {
    if (visible != null && !visible.isBlank()) {
      int place = Arrays.asList(visible.split(",")).indexOf(address);
      if (place >= 0) {
        return place;
      }
    }
    try {
      return Integer.parseInt(address);
    } catch (NumberFormatException e) {
      throw new EngineUnavailableException(
          "GPU address %s is not a number and not in %s=%s: make the discovery script print numbers"
              .formatted(address, VISIBLE, visible),
          e);
    }
  }

  private static Funnel opened(Target target) {
    Funnel funnel = Funnel.open(target);
    LOG.info("{} computes on {}", place(), funnel.description());
    return funnel;
  }

  /** This process as Spark names it. */
  static String place() {
    SparkEnv env = SparkEnv.get();
    return env == null
        ? "a process without Spark"
        : "executor %s on %s"
            .formatted(env.executorId(), env.blockManager().blockManagerId().host());
  }
}
