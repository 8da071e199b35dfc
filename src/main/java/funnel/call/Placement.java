package funnel.call;

import funnel.engine.Compilation;
import funnel.engine.device.DeviceContext;
import funnel.engine.tornado.DeviceLink;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Target;
import funnel.operator.CapturedValues;
import funnel.operator.ElementType;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Chooses where a one-shot call with elements on the host runs: on the device or on the JVM engine,
 * whichever is expected to finish first. The bits are the same.
 */
public final class Placement implements CallPlaces {

  /* The calls themselves measure the costs: for each operation and the types of its inputs, on each
   * engine, by powers of two of the bytes read and written. The first runs on an engine take longer
   * and do not count, except on the JVM those of seconds, for which that makes little difference.
   * Until a time on the device is known, it is estimated from the speed of the link. Until one on
   * the JVM is known, the device is taken to be faster from LARGE_BYTES on: with stored kernels a
   * first call takes about as long there as on the JVM. The JVM's first runs then come whenever the
   * device has spent as much time on the kind as the JVM has and such a run may take: so to learn
   * the JVM's times about doubles the time of all calls at most.
   *
   * If the device is expected to be faster, its kernels are compiled in the background, once for a
   * kind and the capacities of its inputs, on which kernels depend. Until that is done, calls run
   * on the JVM. One that is expected to take longer there than what is left of the compilation runs
   * on the device and compiles in the call. A compilation that takes longer than estimated is
   * expected to take a quarter of its time so far more: so a short call never waits for one that
   * hangs. If one fails, calls of its kind whose kernels are not known stay on the JVM.
   *
   * A call may have been slow only because of other work on the machine: now and then a call goes
   * to the other engine, unless that took twice as long.
   *
   * A longer time while other calls are running is not counted: calls of several threads, sent to a
   * device because of it, would only wait for each other there.
   *
   * A user-defined function may give other bits on a device than on the JVM, if it calls a method
   * such as Math.exp. Such a call always goes to the device, so that its bits do not depend on
   * measurements. So does one whose functions read kept arrays, which are there.
   */

  private static final Logger LOG = LoggerFactory.getLogger("funnel.Funnel");

  /** With fewer bytes the JVM always finishes before a device could copy, compute and copy back. */
  private static final long SMALL_BYTES = 1L << 16;

  /** From here on the device is taken to be faster than a JVM of which nothing is known. */
  private static final long LARGE_BYTES = 1L << 20;

  private static final int MOST_KINDS = 256;
  private static final int SIZES = 40;
  private static final int MOST_CAPACITIES = 64;
  private static final int FIRST_RUNS = 3;
  private static final int CALLS_PER_TRIAL = 16;
  private static final double LAUNCH_NANOS = 150_000;
  private static final double NANOS_PER_KERNEL = 150e6;

  /** What a first run on the JVM may take: this for classes and loops, and so many device times. */
  private static final double FIRST_NANOS = 150e6;

  private static final double FIRST_TIMES = 30;

  /** From here on a first run on the JVM counts. */
  private static final double LONG_NANOS = 1e9;

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
    private final double most;
    private int runs;
    private double spent;

    /** With the longest of the first runs that does not count. */
    Times(double most) {
      this.most = most;
    }

    void add(long bytes, double took, boolean isAlone) {
      runs++;
      spent += took;
      if (areFirst() && took < most) {
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

    boolean areFirst() {
      return runs <= FIRST_RUNS;
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

  /** The compilation of a kind's kernels for inputs of some capacities. */
  private record Kernels(Compilation compilation, long begin) {

    /** The engine has not said yet what there is to compile. */
    static final Kernels ASKED_FOR =
        new Kernels(
            new Compilation(Integer.MAX_VALUE, new CompletableFuture<>()), System.nanoTime());

    double nanosLeft() {
      double soFar = nanosSoFar();
      return Math.max(compilation.kernels() * NANOS_PER_KERNEL - soFar, soFar / 4);
    }

    long nanosSoFar() {
      return System.nanoTime() - begin;
    }
  }

  private static final class Costs {
    private final Times jvm = new Times(LONG_NANOS);
    private final Times device = new Times(Double.POSITIVE_INFINITY);
    private final Map<List<Integer>, Kernels> kernels = bounded(MOST_CAPACITIES);
    private final boolean isOnlyForDevice;
    private boolean isSaid;
    private boolean hasFailed;
    private long calls;

    Costs(boolean isOnlyForDevice) {
      this.isOnlyForDevice = isOnlyForDevice;
    }

    /** Whether a call runs on the device, which is expected to be faster or not. */
    boolean isForDevice(@Nullable Kernels now, boolean isFaster, double here, double there) {
      if (now == null) {
        return false;
      }
      if (!now.compilation.areKnown()) {
        return isFaster && !now.compilation.isDone() && here > there + now.nanosLeft();
      }
      boolean isTrial =
          jvm.areFirst()
              ? isFaster && device.spent > jvm.spent + FIRST_NANOS + FIRST_TIMES * there
              : ++calls % CALLS_PER_TRIAL == 0 && Math.max(here, there) < 2 * Math.min(here, there);
      return isFaster ^ isTrial;
    }
  }

  /** A map that forgets what was not used for longest. */
  private static <K, V> Map<K, V> bounded(int most) {
    return new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
      }
    };
  }

  private final DeviceLink link;
  private final Target device;
  private final Map<Kind, Costs> costs = bounded(MOST_KINDS);
  private final Set<Compilation> compiling = new HashSet<>();
  private final AtomicInteger underWay = new AtomicInteger();
  private long onJvm;
  private long onDevice;
  private long failed;

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
  private Costs costs(Call call, List<Input> inputs) {
    Operation operation = call.operation();
    Kind kind = new Kind(operation, inputs.stream().map(Input::type).toList());
    synchronized (this) {
      Costs known = costs.get(kind);
      if (known != null) {
        return known;
      }
    }
    List<Primitive.Combined> combined =
        operation.expand(call.output(), inputs).primitives().stream()
            .flatMap(primitive -> primitive.asIs().combined().stream())
            .toList();
    combined.forEach(Primitive.Combined::requireForDevice);
    Costs made =
        new Costs(combined.stream().anyMatch(each -> each.mayDiffer() || each.readsKept()));
    synchronized (this) {
      return costs.computeIfAbsent(kind, _ -> made);
    }
  }

  /**
   * The engine that a call is to run on.
   *
   * @param inputs its inputs, with the capacities of its plan
   * @param in bytes that it reads
   * @param out bytes that it writes
   * @param compile starts to compile the kernels of its plan
   */
  Target choose(Call call, List<Input> inputs, long in, long out, Supplier<Compilation> compile) {
    Costs of = costs(call, inputs);
    boolean isThere =
        of.isOnlyForDevice
            || in + out >= SMALL_BYTES && isForDevice(of, call, inputs, in, out, compile);
    synchronized (this) {
      if (isThere) {
        onDevice++;
      } else {
        onJvm++;
      }
    }
    return isThere ? device : Target.JVM;
  }

  private boolean isForDevice(
      Costs of, Call call, List<Input> inputs, long in, long out, Supplier<Compilation> compile) {
    link.measure();
    List<Integer> capacities = capacities(inputs);
    double here;
    double there;
    boolean isFaster;
    boolean isNew;
    Kernels kernels;
    synchronized (this) {
      here = of.jvm.of(in + out);
      there = of.device.of(in + out);
      if (there == 0) {
        there = LAUNCH_NANOS + link.nanos(in, out);
      }
      isFaster = here == 0 ? in + out >= LARGE_BYTES : there < here;
      kernels = of.kernels.get(capacities);
      isNew = kernels == null && isFaster && !of.hasFailed;
      if (isNew) {
        of.kernels.put(capacities, Kernels.ASKED_FOR);
      }
    }
    if (isNew) {
      kernels = begin(call, of, capacities, compile);
    }
    boolean isThere;
    synchronized (this) {
      isThere = of.isForDevice(kernels, isFaster, here, there);
    }
    LOG.debug(
        "{} bytes in, {} out: {} ns expected on the JVM, {} on the device: {}",
        in,
        out,
        here == 0 ? "?" : (long) here,
        (long) there,
        isThere ? device : Target.JVM);
    return isThere;
  }

  private static List<Integer> capacities(List<Input> inputs) {
    return inputs.stream().map(Input::capacity).toList();
  }

  /** A user may have written the operation: the lock is not held. */
  private Kernels begin(
      Call call, Costs of, List<Integer> capacities, Supplier<Compilation> compile) {
    Kernels begun = null;
    try {
      begun = new Kernels(compile.get(), System.nanoTime());
    } finally {
      synchronized (this) {
        if (begun == null) { // the call is wrong, and throws
          of.kernels.remove(capacities);
        } else {
          of.kernels.put(capacities, begun);
        }
      }
    }
    Compilation compilation = begun.compilation;
    if (!compilation.areKnown()) {
      Kernels kernels = begun;
      String what = "%s (%s)".formatted(call.name(), call.operation());
      boolean isFirst;
      synchronized (this) {
        compiling.add(compilation);
        isFirst = !of.isSaid;
        of.isSaid = true;
      }
      LOG.atLevel(isFirst && !compilation.isDone() ? Level.INFO : Level.DEBUG)
          .log(
              "{}: compiling {} kernels for the device; until then on the JVM",
              what,
              compilation.kernels());
      var _ = compilation.done().whenComplete((_, e) -> ended(what, of, kernels, e));
    }
    return begun;
  }

  private void ended(String what, Costs of, Kernels kernels, @Nullable Throwable failure) {
    Compilation compilation = kernels.compilation;
    boolean isNews = failure != null && !compilation.done().isCancelled();
    synchronized (this) {
      compiling.remove(compilation);
      isNews &= !of.hasFailed;
      if (isNews) {
        of.hasFailed = true;
        failed++;
      }
    }
    if (isNews) {
      LOG.warn(
          "{}: not compiled for the device, stays on the JVM: {}",
          what,
          DeviceContext.reason(Objects.requireNonNull(failure)));
    }
    LOG.debug(
        "{}: the compilation of {} kernels ended after {} ms",
        what,
        compilation.kernels(),
        kernels.nanosSoFar() / 1_000_000,
        failure);
  }

  /** Makes a call on the engine that is expected to finish first, and records its time. */
  @Override
  public <T> T call(
      Call call,
      List<Input> inputs,
      long in,
      long out,
      Function<List<Input>, Compilation> compile,
      Function<Target, T> make) {
    Target on = choose(call, inputs, in, out, () -> compile.apply(inputs));
    underWay.incrementAndGet();
    try {
      long begin = System.nanoTime();
      T result = make.apply(on);
      took(call, inputs, on, in + out, System.nanoTime() - begin);
      return result;
    } finally {
      underWay.decrementAndGet();
    }
  }

  /** Records the time of a call. */
  void took(Call call, List<Input> inputs, Target on, long bytes, long nanos) {
    if (bytes < SMALL_BYTES) {
      return;
    }
    Costs of = costs(call, inputs);
    boolean isAlone = underWay.get() <= 1;
    synchronized (this) {
      (on == device ? of.device : of.jvm).add(bytes, nanos, isAlone);
    }
  }

  /** Cancels the compilations. */
  @Override
  public void close() {
    List<Compilation> all;
    synchronized (this) {
      all = List.copyOf(compiling);
    }
    all.forEach(Compilation::cancel);
  }

  /** The choices so far, and what is or cannot be compiled. */
  @Override
  public synchronized String details() {
    int kernels = compiling.stream().mapToInt(Compilation::kernels).sum();
    return "%s on the device, %s on the JVM%s%s"
        .formatted(
            onDevice,
            onJvm,
            kernels == 0 ? "" : ", kernels being compiled: %s".formatted(kernels),
            failed == 0 ? "" : ", kinds that do not compile: %s".formatted(failed));
  }
}
