package funnel.engine.tornado;

import funnel.compiled.CompiledKernel;
import funnel.compiled.KernelFolder;
import funnel.compiled.KernelUse;
import funnel.compiled.TaskAdder;
import funnel.engine.Compilation;
import funnel.engine.KernelsOfProgram;
import funnel.engine.device.DeviceContext;
import funnel.engine.device.PassedChecks;
import funnel.engine.tornado.StoredTask.StoredKernel;
import funnel.kernel.KernelTask;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.common.Access;
import uk.ac.manchester.tornado.api.common.TaskPackage;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.runtime.tasks.meta.ScheduleContext;

/** The compiled kernels of this process, and those that earlier ones have left on disk. */
final class KernelStore implements TaskAdder, PassedChecks {

  /* A kernel is found by everything that its code depends on (KernelKey). If it is not there, it is
   * compiled: TornadoVM's compiler makes a text of it, in one thread, since that compiler is one lock;
   * and NVIDIA's makes code of that, in several. What a call waits for goes before what is compiled
   * ahead of a call.
   *
   * A check of kernels that has passed is kept too, by the digests of the code that was checked, the
   * launches with all their numbers, the device's model, the driver, and the library with the JVM's
   * loops that it was compared with. So code that was never checked on such a device is checked,
   * also if it should be under the key of other code. Kernels that are not the library's, and those
   * with functions whose bits may differ, are checked in each process.
   *
   * What fails here is left to TornadoVM, which compiles it when its plan is executed, or fails as it
   * does: so nothing depends on this class but time.
   */

  private static final Logger LOG = LoggerFactory.getLogger(KernelStore.class);

  /** So many digits of a key stand in a kernel's name. */
  private static final int SHOWN = 16;

  /** The entry of what is kept of a check. */
  private static final String CHECKED = "checked";

  private static final boolean ALWAYS_CHECKED = Boolean.getBoolean("funnel.check.always");

  private static final double MILLION = 1e6;

  private static volatile @Nullable KernelStore instance;

  /** Text that a call waits for comes before text that is made ahead. */
  private record Turn(boolean isAwaited, long number, Runnable task) implements Comparable<Turn> {
    @Override
    public int compareTo(Turn other) {
      return isAwaited == other.isAwaited
          ? Long.compare(number, other.number)
          : Boolean.compare(other.isAwaited, isAwaited);
    }
  }

  /** A kernel that is there, or will be. */
  private static final class Kernel {
    private final CompletableFuture<StoredKernel> made = new CompletableFuture<>();
    private final AtomicBoolean isBegun = new AtomicBoolean();
    private volatile boolean isAwaited;
  }

  private final TornadoDevice device;
  private final String where;
  private final Assembler assembler;
  private final KernelKey keys;
  private final KernelFolder folder;
  private final Map<String, Kernel> known = new ConcurrentHashMap<>();
  private final PriorityBlockingQueue<Turn> turns = new PriorityBlockingQueue<>();
  private final AtomicLong number = new AtomicLong();
  private final Executor assembling;
  private final AtomicInteger read = new AtomicInteger();
  private final AtomicInteger compiled = new AtomicInteger();
  private final AtomicLong nanos = new AtomicLong();

  private KernelStore(
      TornadoDevice device,
      String driver,
      Assembler assembler,
      KernelKey keys,
      KernelFolder folder) {
    this.device = device;
    this.where = device.getPhysicalDevice().getDeviceName() + "," + driver + ",";
    this.assembler = assembler;
    this.keys = keys;
    this.folder = folder;
    assembling =
        Executors.newFixedThreadPool(
            Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
            task -> Thread.ofPlatform().daemon().name("funnel-assembler").unstarted(task));
  }

  /** The store of this process; null if there is none. */
  static @Nullable KernelStore instance() {
    return instance;
  }

  /**
   * Begins to use compiled kernels, in all graphs of the process.
   *
   * @param device the default device
   * @param driver the driver's version
   * @throws IllegalStateException if that is impossible
   */
  static synchronized void begin(TornadoDevice device, String driver) {
    if (instance != null) {
      return;
    }
    String backend = device.getTornadoVMBackend().name();
    PlanCodes.replace(device.getDeviceContext(), backend);
    Emission.require(device);
    boolean emitsC = !backend.equals("PTX");
    Assembler assembler = Assembler.of(emitsC, PinnedMemory.computeCapability(null));
    KernelKey keys = new KernelKey(List.of(backend, assembler.version(), emitsC ? "" : driver));
    KernelStore store = new KernelStore(device, driver, assembler, keys, KernelFolder.open());
    Thread.ofPlatform().daemon().name("funnel-compiler").start(store::emit);
    instance = store;
    store.use();
  }

  private void emit() {
    try {
      while (true) {
        turns.take().task().run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A task's kernel and arguments, as TornadoVM has them. */
  private record Launch(TaskPackage task, Method kernel, List<Object> arguments) {
    static Optional<Launch> of(TaskPackage task, Optional<Method> kernel) {
      Object[] parameters = task.getTaskParameters(); // the first is the code
      List<Object> arguments = Arrays.asList(parameters).subList(1, parameters.length);
      return kernel.map(method -> new Launch(task, method, arguments));
    }
  }

  @Override
  public boolean add(TaskPackage task, Optional<Method> kernel, TaskGraph graph) {
    try {
      Launch launch = Launch.of(task, kernel).orElse(null);
      String key = launch == null ? null : keys.of(launch.kernel(), launch.arguments());
      if (launch == null || key == null) {
        LOG.debug("{} is compiled by TornadoVM: its code has no digest", task.getId());
        return false;
      }
      add(kernel(key, launch, true).made.join(), launch, graph);
      return true;
    } catch (CompletionException e) {
      LOG.warn("{} is left to TornadoVM: {}", task.getId(), DeviceContext.reason(e));
      return false;
    }
  }

  @SuppressWarnings("unchecked")
  private static void add(StoredKernel kernel, Launch launch, TaskGraph graph) {
    Object declared = Members.field(graph, "taskGraphImpl");
    ScheduleContext context = (ScheduleContext) Members.result(declared, "meta");
    Object[] arguments = launch.arguments().toArray();
    StoredTask stored = new StoredTask(context, launch.task().getId(), kernel, arguments);
    ((List<Object>) Members.field(declared, "taskPackages"))
        .add(stored.listed(declared, launch.task().getId()));
    var _ = Members.call(declared, "addInner", stored);
  }

  /** Compiles the kernels of tasks that are not known, and waits for them. */
  KernelsOfProgram compileNow(Collection<KernelTask> tasks) {
    long begin = System.nanoTime();
    Set<Kernel> all = kernels(tasks, true);
    Set<Kernel> now = unknown(all);
    now.forEach(kernel -> kernel.made.handle((_, _) -> true).join()); // add() says what has failed
    long nanos = now.isEmpty() ? 0 : System.nanoTime() - begin;
    if (!now.isEmpty()) {
      LOG.info(
          "compiled {} kernels in {} ms",
          now.stream().filter(kernel -> !kernel.made.isCompletedExceptionally()).count(),
          Math.round(nanos / MILLION));
    }
    return new KernelsOfProgram(all.size(), now.size(), nanos);
  }

  /** Begins to compile the kernels of tasks that are not known. */
  Compilation compile(Collection<KernelTask> tasks) {
    Set<Kernel> now = unknown(kernels(tasks, false));
    CompletableFuture<Void> all =
        CompletableFuture.allOf(
            now.stream().map(kernel -> kernel.made).toArray(CompletableFuture[]::new));
    CompletableFuture<Void> done = all.copy();
    var _ =
        done.whenComplete(
            (_, _) -> {
              if (done.isCancelled()) {
                giveUp(now);
              }
            });
    return new Compilation(now.size(), done);
  }

  /** Forgets kernels whose compilation has not begun, and that no call waits for. */
  private void giveUp(Set<Kernel> kernels) {
    kernels.stream()
        .filter(kernel -> !kernel.isAwaited && kernel.isBegun.compareAndSet(false, true))
        .forEach(
            kernel -> {
              known.values().remove(kernel);
              kernel.made.cancel(false);
            });
  }

  /** Those of tasks; begins to compile what is not known. */
  private Set<Kernel> kernels(Collection<KernelTask> tasks, boolean isAwaited) {
    Set<Kernel> all = new LinkedHashSet<>();
    for (KernelTask task : tasks) {
      Launch.of(task.taskPackage(), task.method())
          .ifPresent(
              launch -> {
                String key = keys.of(launch.kernel(), launch.arguments());
                if (key != null) {
                  all.add(kernel(key, launch, isAwaited));
                }
              });
    }
    return all;
  }

  private static Set<Kernel> unknown(Set<Kernel> kernels) {
    return kernels.stream()
        .filter(kernel -> !kernel.made.isDone())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** A kernel that was read. */
  private Kernel known(String key, CompiledKernel left) {
    Kernel kernel = known.computeIfAbsent(key, _ -> new Kernel());
    kernel.isBegun.set(true);
    if (kernel.made.complete(stored(key, left))) {
      read.incrementAndGet();
    }
    return kernel;
  }

  private Kernel kernel(String key, Launch launch, boolean isAwaited) {
    Kernel own = new Kernel();
    Kernel before = known.putIfAbsent(key, own);
    Kernel kernel = before == null ? own : before;
    if (before == null) {
      folder.read(key).ifPresent(left -> known(key, left));
    }
    kernel.isAwaited |= isAwaited;
    boolean isToDo = before == null || isAwaited; // it may wait behind others that nobody awaits
    if (isToDo && !kernel.isBegun.get()) {
      Runnable compile =
          () -> {
            if (kernel.isBegun.compareAndSet(false, true)) {
              compile(key, launch, kernel.made);
            }
          };
      turns.add(new Turn(isAwaited, number.incrementAndGet(), compile));
    }
    return kernel;
  }

  private void compile(String key, Launch launch, CompletableFuture<StoredKernel> made) {
    long begin = System.nanoTime();
    Emission text;
    try {
      text = Emission.of(launch.task(), KernelKey.atLaunch(launch.kernel()), device, entry(launch));
    } catch (Throwable e) {
      made.completeExceptionally(e);
      return;
    }
    assembling.execute(
        () -> {
          try {
            CompiledKernel kernel =
                new CompiledKernel(
                    text.entry(),
                    Stream.of(text.accesses()).map(Access::name).toList(),
                    assembler.assemble(text.text()));
            folder.write(key, kernel);
            compiled.incrementAndGet();
            nanos.addAndGet(System.nanoTime() - begin);
            made.complete(stored(key, kernel));
          } catch (Throwable e) {
            made.completeExceptionally(e);
          }
        });
  }

  private static String entry(Launch launch) {
    return launch.kernel().getName().replace('$', '_');
  }

  private static StoredKernel stored(String key, CompiledKernel kernel) {
    return new StoredKernel(
        kernel.entry() + "_" + key.substring(0, SHOWN),
        kernel.entry(),
        kernel.accesses().stream().map(Access::valueOf).toArray(Access[]::new),
        kernel.code());
  }

  @Override
  public @Nullable List<String> launches(List<KernelTask> tasks) {
    List<String> launches = new ArrayList<>();
    for (KernelTask task : tasks) {
      Launch launch = Launch.of(task.taskPackage(), task.method()).orElse(null);
      String key = launch == null ? null : keys.of(launch.kernel(), launch.arguments());
      if (launch == null
          || key == null
          || KernelKey.ofChecks().isEmpty()
          || ALWAYS_CHECKED
          || !KernelKey.isOfLibrary(launch.kernel().getDeclaringClass())) {
        return null;
      }
      List<Object> numbers = task.arguments().stream().filter(Number.class::isInstance).toList();
      launches.add(key + numbers + task.grid());
    }
    return launches;
  }

  @Override
  public int elements(List<String> launches) {
    return mark(launches)
        .flatMap(folder::read)
        .filter(kept -> kept.entry().equals(CHECKED) && kept.code().length == Integer.BYTES)
        .map(kept -> ByteBuffer.wrap(kept.code()).getInt())
        .orElse(0);
  }

  @Override
  public void add(List<String> launches, int elements) {
    byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(elements).array();
    mark(launches)
        .ifPresent(mark -> folder.write(mark, new CompiledKernel(CHECKED, List.of(), bytes)));
  }

  /** What a check is kept by; empty if a kernel is not known. */
  private Optional<String> mark(List<String> launches) {
    StringBuilder all = new StringBuilder(where).append(KernelKey.ofChecks().orElseThrow());
    for (String launch : launches) {
      String key = launch.substring(0, KernelKey.DIGITS);
      StoredKernel code = there(key);
      if (code == null) {
        return Optional.empty();
      }
      all.append(launch)
          .append(KernelKey.hex(code.entry() + HexFormat.of().formatHex(code.code())));
    }
    return Optional.of(KernelKey.hex(all.toString()));
  }

  /** A kernel that need not be compiled; null if it must be, or is at this moment. */
  private @Nullable StoredKernel there(String key) {
    Kernel kernel = known.get(key);
    if (kernel == null) {
      kernel = folder.read(key).map(left -> known(key, left)).orElse(null);
    }
    return kernel != null && kernel.made.isDone() && !kernel.made.isCompletedExceptionally()
        ? kernel.made.join()
        : null;
  }

  /** How many kernels this process has compiled. */
  int compiled() {
    return compiled.get();
  }

  /** What there is, for reports. */
  KernelUse report() {
    return new KernelUse(compiled.get(), nanos.get(), read.get(), folder);
  }
}
