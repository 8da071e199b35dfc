package funnel.spark;

import funnel.Funnel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.spi.ToolProvider;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * The cluster of all tests: two executors in processes of their own, which have Funnel on their
 * class path, and get Funnel on Spark and the tests as jars of the application, as a user's program
 * does it.
 */
final class Cluster {

  /** What each executor has of GPUs: a number that no TornadoVM will find. */
  static final String GPU_ADDRESS = "0";

  private static final SparkSession SESSION = start();
  static final JavaSparkContext CONTEXT = new JavaSparkContext(SESSION.sparkContext());
  static final FunnelSpark FUNNEL = FunnelSpark.on(CONTEXT);

  static final int EXECUTORS = 2;

  private Cluster() {}

  /** Waits until all executors are there, beside the driver. */
  static void awaitExecutors() throws InterruptedException {
    while (SESSION.sparkContext().statusTracker().getExecutorInfos().length <= EXECUTORS) {
      Thread.sleep(50);
    }
  }

  static SparkSession session() {
    return SESSION;
  }

  private static SparkSession start() {
    try {
      Path folder = Files.createTempDirectory("funnel-spark");
      SparkConf conf =
          new SparkConf()
              .setMaster("local-cluster[%s,1,1024]".formatted(EXECUTORS))
              .setAppName("tests")
              .set("spark.ui.enabled", "false")
              .set("spark.shuffle.io.retryWait", "100ms")
              .set("spark.driver.host", "localhost")
              .set("spark.sql.warehouse.dir", folder.resolve("warehouse").toString())
              .set("spark.sql.shuffle.partitions", "3")
              .set("spark.executorEnv.JAVA_HOME", System.getProperty("java.home"))
              .set(
                  "spark.executor.extraJavaOptions",
                  "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ActiveProcessorCount=2")
              .set(
                  "spark.executor.extraClassPath",
                  location(Funnel.class) + ":" + location(IntArray.class))
              .set("spark.worker.resource.gpu.discoveryScript", discovery(folder).toString())
              .set("spark.worker.resource.gpu.amount", "1")
              .set("spark.executor.resource.gpu.amount", "1")
              .set("spark.jars", jar(folder, FunnelSpark.class) + "," + jar(folder, Cluster.class));
      SparkSession session = SparkSession.builder().config(conf).getOrCreate();
      Runtime.getRuntime().addShutdownHook(new Thread(session::stop));
      return session;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What tells a worker which GPUs it has. */
  private static Path discovery(Path folder) throws IOException {
    Path script = folder.resolve("gpus");
    String found = "{\"name\":\"gpu\",\"addresses\":[\"%s\"]}".formatted(GPU_ADDRESS);
    Files.writeString(script, "#!/bin/sh\necho '" + found + "'\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return script;
  }

  private static Path location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The jar that a class is in, or one of the folder that it is in. */
  private static Path jar(Path folder, Class<?> type) {
    Path location = location(type);
    if (!Files.isDirectory(location)) {
      return location;
    }
    Path jar = folder.resolve(type.getSimpleName() + ".jar");
    int code =
        ToolProvider.findFirst("jar")
            .orElseThrow()
            .run(System.out, System.err, "cf", jar.toString(), "-C", location.toString(), ".");
    if (code != 0) {
      throw new IllegalStateException("jar ended with " + code);
    }
    return jar;
  }
}
