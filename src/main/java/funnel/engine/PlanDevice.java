package funnel.engine;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.common.TornadoDevice;

/** The device that plans of TornadoVM's run on, and what the host has for it, once a process. */
final class PlanDevice {

  /** TornadoVM's default device, which plans need not be told of. */
  static final PlanDevice DEFAULT = new PlanDevice(null, Staging.DEFAULT);

  private static final Map<Integer, PlanDevice> OTHERS = new ConcurrentHashMap<>();

  private final @Nullable TornadoDevice chosen;
  private final Staging staging;
  private @Nullable MemorySegment context;
  private volatile boolean isProbed;

  private PlanDevice(@Nullable TornadoDevice chosen, Staging staging) {
    this.chosen = chosen;
    this.staging = staging;
  }

  /** Another device than the default one. */
  static PlanDevice of(TornadoDevice device, int number) {
    return Objects.requireNonNull(
        OTHERS.computeIfAbsent(number, _ -> new PlanDevice(device, new Staging())));
  }

  /** Memory through which large arrays go there and back: each device has a link of its own. */
  Staging staging() {
    return staging;
  }

  /** Has all graphs of a plan run here. */
  void choose(TornadoExecutionPlan plan) {
    if (chosen != null) {
      plan.withDevice(chosen);
    }
  }

  /**
   * Sees that what this device is told to do is done by that device of the driver's, once.
   *
   * @param probe has it do something small, in this thread, and says whether that was done
   * @throws IllegalStateException if it is not
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
      throw new IllegalStateException(
          "device %d does nothing that it is told to".formatted(number));
    }
    int ordinal = PinnedMemory.currentDevice();
    if (ordinal != number) {
      String who = ordinal < 0 ? "one that cannot be seen" : "device " + ordinal;
      throw new IllegalStateException(
          ("what device %d is told to do is done by %s of the driver's; start a process for each"
                  + " device, with CUDA_VISIBLE_DEVICES=%d and without -Dtornado.device")
              .formatted(number, who, number));
    }
    context = PinnedMemory.currentContext();
  }

  private synchronized @Nullable MemorySegment context() {
    return context;
  }

  /**
   * Does what frees the device's memory: TornadoVM's cuda backend frees it in whatever context the
   * thread has used last, and where it has used none, not at all.
   */
  void freeing(Runnable frees) {
    if (isProbed) {
      frees.run(); // this thread has just used the device, whose context is not known yet
    } else {
      PinnedMemory.within(context(), frees);
    }
  }
}
