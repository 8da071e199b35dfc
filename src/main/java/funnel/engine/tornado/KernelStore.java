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
import funnel.jit.CodeDigest;
import funnel.jit.FusedMultiplyAdd;
import funnel.kernel.KernelTask;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.common.Access;
import uk.ac.manchester.tornado.api.common.TaskPackage;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.runtime.TornadoRuntimeProvider;
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
   * does: so nothing depends on this class but time. A kernel that has failed is not tried again.
   *
   * Code that has been used is dropped if there is more of it than fits: what was used least recently
   * goes first. A task of a plan keeps its own. Another plan reads it in the folder again, or compiles
   * it if there is none. A kernel has some 20 KiB, so that 3,000 fit: more than a program with hundreds
   * of operations uses.
   *
   * Code is made for the compute capability of the default device. On a device of another one, plans
   * are compiled by TornadoVM.
   */

  private static final Logger LOG = LoggerFactory.getLogger(KernelStore.class);

  /** So many digits of a key stand in a kernel's name. */
  private static final int SHOWN = 16;

  /** The entry of what is kept of a check. */
  static final String CHECKED = "checked";

  private static final boolean ALWAYS_CHECKED = Boolean.getBoolean("funnel.check.always");

  private static final List<String> PRINTS =
      List.of("tornado.printKernel", "tornado.print.kernel.dir");

  private static final double MILLION = 1e6;

  /** Of code that is kept besides that of plans. */
  static final long MOST_BYTES = 1 << 26;

  /** What a kernel takes without its code, also one that has failed. */
  private static final int KERNEL_BYTES = 1 << 10;

  private static final String REFUSAL =
      "its kernels are compiled for the default device, number %s, of sm_%s, and device %s is of"
          + " sm_%s: to use that, start the process with CUDA_VISIBLE_DEVICES=%s";

  // Members of a graph that TornadoVM's API does not have.
  private static final String GRAPH = "taskGraphImpl";
  private static final String CONTEXT = "meta";
  private static final String PACKAGES = "taskPackages";
  private static final String ADD = "addInner";

  /** Its readers are in NVIDIA's compilers, during which a process must not end. */
  static final ReadWriteLock ASSEMBLING = new ReentrantReadWriteLock();

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

  /** A kernel that is there, or will be unless all who want it give it up before it is begun. */
  private static final class Kernel {
    private final CompletableFuture<StoredKernel> made = new CompletableFuture<>();
    private final Set<Object> wanting = new HashSet<>();
    private boolean isBegun;
    private boolean isGivenUp;
    private volatile long lastUse;

    long bytes() {
      return made.isCompletedExceptionally()
          ? KERNEL_BYTES
          : KERNEL_BYTES + made.join().code().length;
    }

    /** False if it has been given up: then there is to be another. */
    synchronized boolean isWantedBy(Object who) {
      if (!isBegun && !made.isDone()) {
        wanting.add(who);
      }
      return !isGivenUp;
    }

    synchronized boolean isBegunNow() {
      boolean now = !isBegun;
      isBegun = true;
      wanting.clear();
      return now;
    }

    synchronized boolean isGivenUpBy(Object who) {
      isGivenUp |= wanting.remove(who) && wanting.isEmpty();
      isBegun |= isGivenUp;
      return isGivenUp;
    }
  }

  private final TornadoDevice device;
  private final String where;
  private final Assembler assembler;
  private final KernelKey keys;
  private final KernelFolder folder;
  private final Map<String, Kernel> known = new ConcurrentHashMap<>();
  private final PriorityBlockingQueue<Turn> turns = new PriorityBlockingQueue<>();
  private final AtomicLong number = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
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
   * @param number the number of the default device
   * @param driver the driver's version
   * @throws IllegalStateException if that is impossible
   */
  static synchronized void begin(int number, String driver) {
    if (instance != null) {
      return;
    }
    for (String prints : PRINTS) {
      if (System.getProperty(prints) != null) {
        throw new IllegalStateException(
            "property %s makes TornadoVM print the kernels that it compiles itself"
                .formatted(prints));
      }
    }
    List<TornadoDevice> devices =
        TornadoRuntimeProvider.getTornadoRuntime().getBackend(0).getAllDevices();
    TornadoDevice device = devices.get(number);
    String backend = device.getTornadoVMBackend().name();
    int capability = PinnedMemory.computeCapability(number);
    Emission.require(device);
    requireAdding(new TaskGraph("funnelKernel"));
    for (int i = 0; i < devices.size(); i++) {
      int its = PinnedMemory.computeCapability(i);
      String refusal = its == capability ? "" : REFUSAL.formatted(number, capability, i, its, i);
      PlanCodes.replace(devices.get(i).getDeviceContext(), backend, refusal);
    }
    boolean emitsC = !backend.equals("PTX");
    Assembler assembler = Assembler.of(emitsC, capability);
    String ours = KernelKey.ofClasses(Emission.class, FusedMultiplyAdd.class);
    KernelKey keys =
        new KernelKey(List.of(backend, assembler.version(), emitsC ? "" : driver, ours));
    KernelStore store = new KernelStore(device, driver, assembler, keys, KernelFolder.open());
    Thread.ofPlatform().daemon().name("funnel-compiler").start(store::emit);
    instance = store;
    store.use();
  }

  /** Why code of the store does not run on a device; empty if it does. */
  static String refusal(TornadoDevice device) {
    return PlanCodes.refusal(device.getDeviceContext());
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

  /** A task's kernel, which the compiler can end, and arguments, as TornadoVM has them. */
  private record Launch(TaskPackage task, Method kernel, List<Object> arguments) {
    static Optional<Launch> of(TaskPackage task, Optional<Method> kernel) {
      kernel.ifPresent(CodeDigest::requireNoRecursion);
      Object[] parameters = task.getTaskParameters(); // the first is the code
      List<Object> arguments = Arrays.asList(parameters).subList(1, parameters.length);
      return kernel.map(method -> new Launch(task, method, arguments));
    }
  }

  @Override
  public boolean add(TaskPackage task, Optional<Method> kernel, TaskGraph graph) {
    Launch launch = Launch.of(task, kernel).orElse(null);
    String key = launch == null ? null : key(launch);
    if (launch == null || key == null) {
      LOG.debug("{} is compiled by TornadoVM: its code has no digest", task.getId());
      return false;
    }
    StoredKernel stored;
    try {
      stored = kernel(key, launch, true, new Object()).made.join();
    } catch (CompletionException e) {
      LOG.debug("{} is left to TornadoVM", task.getId());
      return false;
    }
    add(stored, launch, graph);
    return true;
  }

  private @Nullable String key(Launch launch) {
    try {
      return keys.of(launch.kernel(), launch.arguments());
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("{} is left to TornadoVM: {}", launch.task().getId(), DeviceContext.reason(e));
      return null;
    }
  }

  /** If TornadoVM refuses the task, as for lack of room, the graph is as after its own refusals. */
  @SuppressWarnings("unchecked")
  private static void add(StoredKernel kernel, Launch launch, TaskGraph graph) {
    Object declared = Members.field(graph, GRAPH);
    ScheduleContext context = (ScheduleContext) Members.result(declared, CONTEXT);
    Object[] arguments = launch.arguments().toArray();
    StoredTask stored = new StoredTask(context, launch.task().getId(), kernel, arguments);
    ((List<Object>) Members.field(declared, PACKAGES))
        .add(stored.listed(declared, launch.task().getId()));
    var _ = Members.call(declared, ADD, stored);
  }

  private static void requireAdding(TaskGraph graph) {
    Object declared = Members.field(graph, GRAPH);
    var _ = Members.method(declared.getClass(), CONTEXT, 0);
    var _ = Members.field(declared.getClass(), PACKAGES);
    var _ = Members.method(declared.getClass(), ADD, 1);
    StoredTask.requireListed(declared);
  }

  /** Compiles the kernels of tasks that are not known, and waits for them. */
  KernelsOfProgram compileNow(Collection<KernelTask> tasks) {
    long begin = System.nanoTime();
    Set<Kernel> all = kernels(tasks, true, new Object());
    Set<Kernel> now = unknown(all);
    now.forEach(kernel -> kernel.made.handle((_, _) -> true).join());
    long here = now.stream().filter(kernel -> !kernel.made.isCompletedExceptionally()).count();
    long nanos = now.isEmpty() ? 0 : System.nanoTime() - begin;
    if (here > 0) {
      LOG.info("compiled {} kernels in {} ms", here, Math.round(nanos / MILLION));
    }
    return new KernelsOfProgram(all.size(), now.size(), nanos);
  }

  /** Begins to compile the kernels of tasks that are not known. */
  Compilation compile(Collection<KernelTask> tasks) {
    Object who = new Object();
    Set<Kernel> now = unknown(kernels(tasks, false, who));
    CompletableFuture<Void> all =
        CompletableFuture.allOf(
            now.stream().map(kernel -> kernel.made).toArray(CompletableFuture[]::new));
    CompletableFuture<Void> done = all.copy();
    var _ =
        done.whenComplete(
            (_, _) -> {
              if (done.isCancelled()) {
                giveUp(now, who);
              }
            });
    return new Compilation(now.size(), done);
  }

  /** Forgets kernels whose compilation has not begun, and that nobody else wants. */
  private void giveUp(Set<Kernel> kernels, Object who) {
    kernels.stream()
        .filter(kernel -> kernel.isGivenUpBy(who))
        .forEach(
            kernel -> {
              known.values().remove(kernel);
              kernel.made.cancel(false);
            });
  }

  /** Those of tasks; begins to compile what is not known. */
  private Set<Kernel> kernels(Collection<KernelTask> tasks, boolean isAwaited, Object who) {
    Set<Kernel> all = new LinkedHashSet<>();
    for (KernelTask task : tasks) {
      Launch.of(task.taskPackage(), task.method())
          .ifPresent(
              launch -> {
                String key = key(launch);
                if (key != null) {
                  all.add(kernel(key, launch, isAwaited, who));
                }
              });
    }
    return all;
  }

  /** Those that are not there, or have failed. */
  private static Set<Kernel> unknown(Set<Kernel> kernels) {
    return kernels.stream()
        .filter(kernel -> !kernel.made.isDone() || kernel.made.isCompletedExceptionally())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private Kernel kernel(String key, Launch launch, boolean isAwaited, Object who) {
    while (true) {
      Kernel own = new Kernel();
      Kernel kernel =
          Objects.requireNonNull(known.computeIfAbsent(key, _ -> read(own, key, launch)));
      kernel.lastUse = number.incrementAndGet();
      if (kernel == own) {
        var _ = kernel.made.whenComplete((_, _) -> count(kernel));
      }
      if (kernel.isWantedBy(who)) {
        if ((kernel == own || isAwaited) && !kernel.made.isDone()) { // it may wait behind others
          Runnable compile =
              () -> {
                if (kernel.isBegunNow()) {
                  compile(key, launch, kernel.made);
                }
              };
          turns.add(new Turn(isAwaited, number.incrementAndGet(), compile));
        }
        return kernel;
      }
      known.remove(key, kernel);
    }
  }

  /** The kernel as it is in the folder, or as one to compile. */
  private Kernel read(Kernel own, String key, Launch launch) {
    try {
      folder
          .read(key)
          .ifPresent(
              left -> {
                own.made.complete(stored(key, left, launch));
                read.incrementAndGet();
              });
    } catch (IllegalArgumentException e) {
      LOG.warn("kernel {} of the folder is compiled again: {}", key, e.getMessage());
    }
    return own;
  }

  private void compile(String key, Launch launch, CompletableFuture<StoredKernel> made) {
    long begin = System.nanoTime();
    try {
      Emission text =
          Emission.of(launch.task(), KernelKey.atLaunch(launch.kernel()), device, entry(launch));
      assembling.execute(() -> assemble(key, launch, text, begin, made));
    } catch (Throwable e) {
      failed(launch, e, made);
    }
  }

  private void assemble(
      String key, Launch launch, Emission text, long begin, CompletableFuture<StoredKernel> made) {
    try {
      CompiledKernel kernel =
          new CompiledKernel(
              text.entry(), Stream.of(text.accesses()).map(Access::name).toList(), assembled(text));
      folder.write(key, kernel);
      compiled.incrementAndGet();
      nanos.addAndGet(System.nanoTime() - begin);
      made.complete(stored(key, kernel, launch));
    } catch (Throwable e) {
      failed(launch, e, made);
    }
  }

  private byte[] assembled(Emission text) {
    ASSEMBLING.readLock().lock();
    try {
      return assembler.assemble(text.text());
    } finally {
      ASSEMBLING.readLock().unlock();
    }
  }

  private static void failed(Launch launch, Throwable e, CompletableFuture<StoredKernel> made) {
    LOG.warn("{} is left to TornadoVM: {}", launch.kernel(), DeviceContext.reason(e));
    made.completeExceptionally(e);
  }

  private static String entry(Launch launch) {
    return launch.kernel().getName().replace('$', '_');
  }

  private static StoredKernel stored(String key, CompiledKernel kernel, Launch launch) {
    int expected = launch.arguments().size();
    if (kernel.accesses().size() != expected) {
      throw new IllegalArgumentException(
          "it has arguments=%s, expected=%s".formatted(kernel.accesses().size(), expected));
    }
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
      String key = launch == null ? null : key(launch);
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
      Optional<String> code = code(key);
      if (code.isEmpty()) {
        return Optional.empty();
      }
      all.append(launch).append(code.get());
    }
    return Optional.of(KernelKey.hex(all.toString()));
  }

  /** The digest of a kernel's code; empty if it must be compiled, or is at this moment. */
  private Optional<String> code(String key) {
    Kernel kernel = known.get(key);
    if (kernel == null) {
      return folder.read(key).map(left -> digest(left.entry(), left.code()));
    }
    return kernel.made.isDone() && !kernel.made.isCompletedExceptionally()
        ? Optional.of(digest(kernel.made.join().entry(), kernel.made.join().code()))
        : Optional.empty();
  }

  private static String digest(String entry, byte[] code) {
    return KernelKey.hex(entry + HexFormat.of().formatHex(code));
  }

  private void count(Kernel kernel) {
    if (bytes.addAndGet(kernel.bytes()) > MOST_BYTES) {
      fit(MOST_BYTES - MOST_BYTES / 10);
    }
  }

  private record Used(String key, Kernel kernel, long lastUse) {}

  /** Drops what was used least recently, until there are at most so many bytes. */
  private synchronized void fit(long most) {
    List<Used> all =
        known.entrySet().stream()
            .filter(each -> each.getValue().made.isDone())
            .map(each -> new Used(each.getKey(), each.getValue(), each.getValue().lastUse))
            .sorted(Comparator.comparingLong(Used::lastUse).reversed())
            .toList();
    long kept = 0;
    for (Used each : all) {
      kept += each.kernel.bytes();
      if (kept > most) {
        known.remove(each.key, each.kernel);
      }
    }
    bytes.set(Math.min(kept, most));
  }

  /** Drops what is in the process, so that kernels come from the folder again. */
  void forget() {
    fit(0);
  }

  /** The keys of the kernels that the process has or is to have. */
  Set<String> keys() {
    return Set.copyOf(known.keySet());
  }

  KernelFolder folder() {
    return folder;
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
