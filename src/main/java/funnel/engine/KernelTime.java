package funnel.engine;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a kernel's time from TornadoVM's profiler. */
final class KernelTime {

  private static final Pattern NANOS = Pattern.compile("\"TASK_KERNEL_TIME\": \"(\\d+)\"");

  private KernelTime() {}

  /**
   * The nanoseconds of a task's last launch.
   *
   * @param log JSON objects, one for each execution of a graph, in which tasks have objects of
   *     their own
   * @param task its graph's name and its own, joined by a dot
   * @throws IllegalStateException if the log does not have it
   */
  static long of(String log, String task) {
    int from = log.lastIndexOf("\"%s\": {".formatted(task));
    Matcher nanos = NANOS.matcher(log);
    if (from < 0 || !nanos.region(from, log.indexOf('}', from)).find()) {
      throw new IllegalStateException(
          "TornadoVM's profiler has no time of task %s: measure the whole run".formatted(task));
    }
    return Long.parseLong(nanos.group(1));
  }
}
