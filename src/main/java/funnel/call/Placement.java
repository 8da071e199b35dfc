package funnel.call;

import funnel.engine.tornado.DeviceLink;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Target;
import funnel.operator.CapturedValues;
import funnel.operator.ElementType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses where a one-shot call with elements on the host runs: on the device or on the JVM engine,
 * whichever is expected to finish first. The bits are the same.
 */
public final class Placement {

  /* The calls themselves measure the costs: for each operation and the types of its inputs, on each
   * engine, by powers of two of the bytes read and written. The first runs on an engine take
   * longer: on the JVM until its compiler is done, on a device until the kernels are compiled. So
   * the first calls go to the JVM. The time on the device is estimated from the speed of the link.
   * If that is less, compiling for the device must pay off: it is done once the earlier calls would
   * have saved as much time as it takes. So no sequence of calls takes more than about twice the
   * time that it would take with the best choice from the start.
   *
   * A call may have been slow only because of other work on the machine: now and then a call goes
   * to the other engine, unless that took twice as long.
   *
   * A longer time while other calls are running is not counted: calls of several threads, sent to a
   * device because of it, would only wait for each other there.
   *
   * A device may contract (fuse) the operations of a user-defined function over floating-point
   * numbers. Such a call always goes to the device, so that its bits do not depend on measurements.
   * So does one whose functions read kept arrays, which are there.
   */

  private static final Logger LOG = LoggerFactory.getLogger(Placement.class);

  /** With fewer bytes the JVM always finishes before a device could copy, compute and copy back. */
  private static final long SMALL_BYTES = 1L << 16;

  private static final int MOST_KINDS = 256;
  private static final int SIZES = 40;
  private static final int RUNS_UNTIL_COMPILED = 3;
  private static final int RUNS_UNTIL_KNOWN = 5;
  private static final int CALLS_PER_TRIAL = 16;
  private static final double LAUNCH_NANOS = 150_000;
  private static final double COMPILATION_NANOS = 500e6;

  /**
   * The weight of a run that took longer than those before; a shorter time replaces the old one.
   */
  private static final double SLOWER = 0.125;

  private record Kind(Operation operation, List<ElementType> types) {
    /** Times do not depend on the values that functions captured. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Kind kind
          && types.equals(kind.types)
          && CapturedValues.ignoring(() -> operation.equals(kind.operation));
    }

    @Override
    public int hashCode() {
      return Objects.hash(operation, types);
    }
  }

  /** The times of an engine for calls of one kind, by the bytes that they read and write. */
  private static final class Times {
    private final double[] nanos = new double[SIZES];
    private int runs;

    void add(long bytes, double took, boolean isAlone) {
      runs++;
      if (runs <= RUNS_UNTIL_COMPILED) {
        return;
      }
      int size = size(bytes);
      double before = nanos[size];
      if (before == 0 || took < before) {
        nanos[size] = took;
      } else if (isAlone) {
        nanos[size] = before + SLOWER * (took - before);
      }
    }

    /** The time scaled from the nearest known size; 0 if none is known. */
    double of(long bytes) {
      int size = size(bytes);
      for (int away = 0; away < SIZES; away++) {
        if (size - away >= 0 && nanos[size - away] > 0) {
          return nanos[size - away] * (1L << away);
        }
        if (size + away < SIZES && nanos[size + away] > 0) {
          return nanos[size + away];
        }
      }
      return 0;
    }

    private static int size(long bytes) {
      return Long.SIZE - Long.numberOfLeadingZeros(bytes);
    }
  }

  private static final class Costs {
    private final Times jvm = new Times();
    private final Times device = new Times();
    private final boolean isOnlyForDevice;
    private boolean isCompiled;
    private double lostNanos;
    private long calls;

    Costs(boolean isOnlyForDevice) {
      this.isOnlyForDevice = isOnlyForDevice;
    }
  }

  private final DeviceLink link;
  private final Target device;
  private final Map<Kind, Costs> costs =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Kind, Costs> eldest) {
          return size() > MOST_KINDS;
        }
      };
  private final AtomicInteger underWay = new AtomicInteger();
  private double compilationNanos = COMPILATION_NANOS;
  private long onJvm;
  private long onDevice;

  /**
   * Chooses between the JVM and a device.
   *
   * @param device the engine that has the device
   * @param link the speed of copies to the device and back
   */
  public Placement(Target device, DeviceLink link) {
    this.device = device;
    this.link = link;
  }

  /** A user may have written the operation: it is not called while the lock is held. */
  private Costs costs(Operation operation, String output, List<Input> inputs) {
    Kind kind = new Kind(operation, inputs.stream().map(Input::type).toList());
    synchronized (this) {
      Costs known = costs.get(kind);
      if (known != null) {
        return known;
      }
    }
    List<Primitive.Combined> combined =
        operation.expand(output, inputs).primitives().stream()
            .flatMap(primitive -> primitive.asIs().combined().stream())
            .toList();
    combined.forEach(Primitive.Combined::requireForDevice);
    Costs made =
        new Costs(combined.stream().anyMatch(each -> each.mayBeContracted() || each.readsKept()));
    synchronized (this) {
      return costs.computeIfAbsent(kind, _ -> made);
    }
  }

  /**
   * The engine that a call is to run on.
   *
   * @param output the call's name of its output
   * @param in bytes that it reads
   * @param out bytes that it writes
   */
  Target choose(Operation operation, String output, List<Input> inputs, long in, long out) {
    Costs of = costs(operation, output, inputs);
    synchronized (this) {
      Target chosen = choose(of, in, out);
      if (chosen == device) {
        onDevice++;
      } else {
        onJvm++;
      }
      return chosen;
    }
  }

  private Target choose(Costs of, long in, long out) {
    if (of.isOnlyForDevice) {
      return device;
    }
    if (in + out < SMALL_BYTES) {
      return Target.JVM;
    }
    link.measure();
    if (of.jvm.runs < RUNS_UNTIL_KNOWN) {
      return Target.JVM;
    }
    double there = of.device.of(in + out);
    if (there == 0) {
      there = LAUNCH_NANOS + link.nanos(in, out);
    }
    double here = of.jvm.of(in + out);
    if (there < here && !of.isCompiled) {
      of.lostNanos += here - there;
    }
    boolean isThere = there < here && (of.isCompiled || of.lostNanos > compilationNanos);
    boolean isTrial =
        of.isCompiled
            && ++of.calls % CALLS_PER_TRIAL == 0
            && Math.max(here, there) < 2 * Math.min(here, there);
    isThere ^= isTrial;
    LOG.debug(
        "{} bytes in, {} out: {} ns expected on the JVM, {} on the device: {}",
        in,
        out,
        (long) here,
        (long) there,
        isThere ? device : Target.JVM);
    return isThere ? device : Target.JVM;
  }

  /** Makes a call on the engine that is expected to finish first, and records its time. */
  <T> T call(
      Operation operation,
      String output,
      List<Input> inputs,
      long in,
      long out,
      Function<Target, T> call) {
    Target on = choose(operation, output, inputs, in, out);
    underWay.incrementAndGet();
    try {
      long begin = System.nanoTime();
      T result = call.apply(on);
      took(operation, output, inputs, on, in + out, System.nanoTime() - begin);
      return result;
    } finally {
      underWay.decrementAndGet();
    }
  }

  /** Records the time of a call. */
  void took(
      Operation operation, String output, List<Input> inputs, Target on, long bytes, long nanos) {
    if (on == Target.JVM && bytes < SMALL_BYTES) {
      return;
    }
    Costs of = costs(operation, output, inputs);
    boolean isAlone = underWay.get() <= 1;
    synchronized (this) {
      if (on == Target.JVM) {
        of.jvm.add(bytes, nanos, isAlone);
      } else if (of.isCompiled) {
        of.device.add(bytes, nanos, isAlone);
      } else {
        of.isCompiled = true;
        compilationNanos = (compilationNanos + nanos) / 2;
      }
    }
  }

  /** The choices so far. */
  public synchronized String details() {
    return "%s on the device, %s on the JVM".formatted(onDevice, onJvm);
  }
}
