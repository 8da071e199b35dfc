package funnel.engine.device;

import funnel.jit.TornadoCompiler;
import funnel.operation.Device;
import funnel.operation.FunnelDeviceException;
import funnel.operation.FunnelMemoryException;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.exceptions.TornadoOutOfMemoryException;

/**
 * The state that all programs of a device share: whether it can still be used in this process, and
 * its description in messages.
 */
public final class DeviceContext {

  static final String CONSOLE = "TornadoVM's console output may have the driver's error";

  private static final Pattern STATUS = Pattern.compile("status=(\\d+)");

  private final Supplier<Device> device;
  private final Supplier<String> description;
  private final BooleanSupplier probe;
  private volatile @Nullable String lost;

  /**
   * A device that works.
   *
   * @param device which device
   * @param description its description in messages
   * @param probe runs a small task on it, and returns whether that worked
   */
  public DeviceContext(
      Supplier<Device> device, Supplier<String> description, BooleanSupplier probe) {
    this.device = device;
    this.description = description;
    this.probe = probe;
  }

  Device device() {
    return device.get();
  }

  FunnelDeviceException failure(String what, @Nullable Throwable cause) {
    return new FunnelDeviceException("%s [%s]".formatted(what, description.get()), cause);
  }

  boolean isUsable() {
    return lost == null;
  }

  /** Throws once the context is lost. */
  void requireUsable() {
    String first = lost;
    if (first != null) {
      throw failure(
          "the device's context was lost earlier in this process and only a new process gets"
              + " another; first failure: "
              + first,
          null);
    }
  }

  /** To be called after a failure: finds whether the context is lost. */
  boolean isLostBy(String failure) {
    if (lost == null && !probe.getAsBoolean()) {
      lost = failure;
    }
    return lost != null;
  }

  /**
   * Whether TornadoVM's message about a failed allocation is due to an earlier fault: TornadoVM
   * reports all failures as lack of memory, with the driver's status, which is 2 only for that.
   */
  static boolean isFault(String message) {
    Matcher status = STATUS.matcher(message);
    return status.find() && !status.group(1).equals("2");
  }

  /**
   * Translates an exception of TornadoVM to one that says what failed.
   *
   * @param bytes the device memory that the program takes
   */
  RuntimeException translated(
      Throwable e, String doing, String tasks, long bytes, DeviceMemory memory) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof TornadoOutOfMemoryException) {
        String message = String.valueOf(t.getMessage());
        if (!isFault(message)) {
          return new FunnelMemoryException(
              "a plan with tasks %s (%s)".formatted(tasks, message), bytes, memory.left());
        }
        isLostBy(message);
      }
    }
    if (e instanceof FunnelDeviceException
        || e instanceof IllegalArgumentException
        || e instanceof CancellationException) {
      return (RuntimeException) e;
    }
    String reason = reason(e);
    String advice =
        reason.contains("cannot be inlined")
            ? "; a function of yours makes the kernel too large for the compiler as it is set: start java with %s, which has -D%s"
                .formatted(TornadoCompiler.argfile(), TornadoCompiler.inliningProperty())
            : "";
    return failure("%s tasks %s failed: %s%s".formatted(doing, tasks, reason, advice), e);
  }

  /** The message of an exception's root cause. */
  public static String reason(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.toString() : root.getMessage();
  }

  /** Tasks were not done, not even by a second attempt. */
  FunnelDeviceException notDone(String tasks, String missing) {
    isLostBy(missing);
    return failure(
        "the device did not complete tasks %s, twice: %s; %s; a last kernel that does not count its run, or a task graph of your own in which some arrays are in no transfer, can be the cause"
            .formatted(tasks, missing, CONSOLE),
        null);
  }

  /** An array was not copied back. */
  FunnelDeviceException notCopied(String tasks, String array) {
    String missing = "array " + array + " could not be copied from the device";
    String context = isLostBy(missing) ? " and its context is lost" : "";
    return failure("%s%s; %s (%s)".formatted(missing, context, CONSOLE, tasks), null);
  }

  /** Throws if inputs are lost that only the device had. */
  void requireNone(Set<String> lostInputs) {
    if (!lostInputs.isEmpty()) {
      throw failure(
          "inputs %s, which only the device had, were lost by a failure: set them again"
              .formatted(lostInputs),
          null);
    }
  }

  /** Throws if repeating tasks that were not done could give another result. */
  void requireRepeatable(String tasks, String missing, Set<String> lostInputs) {
    if (isLostBy(missing)) {
      throw failure(
          "the device did not complete tasks %s: %s; its context is lost; %s"
              .formatted(tasks, missing, CONSOLE),
          null);
    }
    if (!lostInputs.isEmpty()) {
      throw failure(
          "the device did not complete tasks %s: %s; inputs %s, which only the device had, are lost: set them again; %s"
              .formatted(tasks, missing, lostInputs, CONSOLE),
          null);
    }
  }
}
