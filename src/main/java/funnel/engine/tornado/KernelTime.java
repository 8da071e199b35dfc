package funnel.engine.tornado;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a kernel's time from TornadoVM's profiler. */
final class KernelTime {

  private static final Pattern NANOS = Pattern.compile("\"TASK_KERNEL_TIME\": \"(\\d+)\"");

  private KernelTime() {}

  /**
   * The nanoseconds of a task's last launch; empty if the log does not have them.
   *
   * @param log JSON objects, one for each execution of a graph, in which tasks have objects of
   *     their own
   * @param task its graph's name and its own, joined by a dot
   */
  static OptionalLong of(String log, String task) {
    int from = log.lastIndexOf("\"%s\": {".formatted(task));
    Matcher nanos = NANOS.matcher(log);
    return from < 0 || !nanos.region(from, log.indexOf('}', from)).find()
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(nanos.group(1)));
  }
}
