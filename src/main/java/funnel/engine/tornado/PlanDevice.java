package funnel.engine.tornado;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.common.TornadoDevice;

/**
 * The device that TornadoVM plans run on, and the host's resources for it; one object per process
 * and device.
 */
final class PlanDevice {

  /** TornadoVM's default device, which need not be set in plans. */
  static final PlanDevice DEFAULT = new PlanDevice();

  private static final Map<Integer, PlanDevice> OTHERS = new ConcurrentHashMap<>();

  private final @Nullable TornadoDevice chosen;
  private final Staging staging;
  private final boolean hasStore;
  private @Nullable MemorySegment context;
  private volatile boolean isProbed;

  private PlanDevice() {
    chosen = null;
    staging = Staging.DEFAULT;
    hasStore = true;
  }

  private PlanDevice(TornadoDevice device) {
    chosen = device;
    staging = new Staging(this::context);
    hasStore = KernelStore.instance() != null && KernelStore.refusal(device).isEmpty();
  }

  /** Another device than the default one. */
  static PlanDevice of(TornadoDevice device, int number) {
    return Objects.requireNonNull(OTHERS.computeIfAbsent(number, _ -> new PlanDevice(device)));
  }

  /** Staging memory for large arrays: each device has its own link. */
  Staging staging() {
    return staging;
  }

  /** Whether the store of compiled kernels, if there is one, has code for it. */
  boolean hasStore() {
    return hasStore;
  }

  /** Makes all graphs of a plan run here. */
  void choose(TornadoExecutionPlan plan) {
    if (chosen != null) {
      plan.withDevice(chosen);
    }
  }

  /**
   * Checks once that work for this device is done by the right device of the driver.
   *
   * @param probe runs a small task on it, in this thread, and returns whether that worked
   * @throws IllegalStateException if the check fails
   */
  synchronized void requireReal(int number, BooleanSupplier probe) {
    if (context != null) {
      return;
    }
    isProbed = true;
    boolean works;
    try {
      works = probe.getAsBoolean();
    } finally {
      isProbed = false;
    }
    if (!works) {
      throw new IllegalStateException("device %s does not do its work".formatted(number));
    }
    int ordinal = PinnedMemory.currentDevice();
    if (ordinal != number) {
      String who = ordinal < 0 ? "one that cannot be seen" : "device " + ordinal;
      throw new IllegalStateException(
          ("the work of device %s is done by %s of the driver; start a process for each"
                  + " device, with CUDA_VISIBLE_DEVICES=%s and without -Dtornado.device")
              .formatted(number, who, number));
    }
    context = PinnedMemory.currentContext();
  }

  private synchronized @Nullable MemorySegment context() {
    return context;
  }

  /**
   * Runs an action in the device's context. TornadoVM itself sets that only for runs: otherwise it
   * uses the context that the thread has used last. In a thread that has used none, its cuda
   * backend frees nothing, and its ptx backend crashes the process when it copies to the host.
   */
  void within(Runnable action) {
    if (isProbed) {
      action.run(); // this thread has just used the device, whose context is not yet known
    } else {
      PinnedMemory.within(context(), action);
    }
  }
}
