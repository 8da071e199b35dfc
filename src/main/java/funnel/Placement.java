package funnel;

import funnel.engine.DeviceLink;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a one-shot call runs that has its elements on the host: on the device, or on the JVM engine
 * beside it, whichever is expected to be done first. The bits are the same.
 */
final class Placement {

  /* What a call costs is measured by the calls themselves: for each operation and the types of its
   * inputs, on each engine, by powers of two of the bytes that it reads and writes. An engine that
   * runs it for the first time takes longer: the JVM until its compiler is done, a device until its
   * kernels are compiled. So the first calls go to the JVM. What a device would take follows from the
   * link to it. Where that is less, the calls to come have to pay for the compilation: it takes place
   * when the calls so far would have saved as much. So no sequence of calls takes more than about
   * twice what it would have with the best choice made at once.
   *
   * What was slow once, since something else went on, need not be: now and then a call goes to the
   * other engine, unless that took twice as long.
   *
   * What takes longer while other calls are under way says nothing of what it takes by itself: sent to
   * a device for that, calls of several threads would wait for each other there.
   *
   * A function of the user's over floating-point numbers may be contracted on a device. Such a call
   * always goes there, so that its bits do not depend on what was measured.
   */

  private static final Logger LOG = LoggerFactory.getLogger(Placement.class);

  /** No device takes fewer bytes, works on them and gives them back before the JVM is done. */
  private static final long SMALL_BYTES = 1L << 16;

  private static final int MOST_KINDS = 256;
  private static final int SIZES = 40;
  private static final int RUNS_UNTIL_COMPILED = 3;
  private static final int RUNS_UNTIL_KNOWN = 5;
  private static final int CALLS_PER_TRIAL = 16;
  private static final double LAUNCH_NANOS = 150_000;
  private static final double COMPILATION_NANOS = 500e6;

  /** The weight of a run that took longer than those before; one that took less is believed. */
  private static final double SLOWER = 0.125;

  private record Kind(Operation operation, List<ElementType> types) {}

  /** What an engine took for calls of a kind, by the size of what they read and write. */
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

    /** As of the nearest size that is known; 0 if none is. */
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
   * Between the JVM and a device.
   *
   * @param device the engine that has the device
   * @param link how fast elements come there and back
   */
  Placement(Target device, DeviceLink link) {
    this.device = device;
    this.link = link;
  }

  /** An operation may be of the user's making: it is not asked under the lock. */
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
            .flatMap(primitive -> primitive.combined().stream())
            .toList();
    combined.forEach(Primitive.Combined::requireForDevice);
    Costs made = new Costs(combined.stream().anyMatch(Primitive.Combined::mayBeContracted));
    synchronized (this) {
      return costs.computeIfAbsent(kind, _ -> made);
    }
  }

  /**
   * The engine that a call is to run on.
   *
   * @param output what the call names its output
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

  /** Makes a call where it is expected to be done first, and sees what it takes. */
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

  /** Says what a call took. */
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

  /** What was chosen. */
  synchronized String details() {
    return "%d on the device, %d on the JVM".formatted(onDevice, onJvm);
  }
}
