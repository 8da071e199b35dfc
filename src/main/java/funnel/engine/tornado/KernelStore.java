package funnel.engine.tornado;

import funnel.compiled.TaskAdder;
import funnel.engine.compiled.CompiledKernel;
import funnel.engine.compiled.KernelFolder;
import funnel.engine.device.DeviceContext;
import funnel.engine.tornado.StoredTask.StoredKernel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
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
final class KernelStore implements TaskAdder {

  /* A kernel is found by everything that its code depends on (KernelKey). If it is not there, it is
   * compiled: TornadoVM's compiler makes a text of it, in one thread, since that compiler is one lock;
   * and NVIDIA's makes code of that, in several. What a call waits for goes before what is compiled
   * ahead of a call.
   *
   * What fails here is left to TornadoVM, which compiles it when its plan is executed, or fails as it
   * does: so nothing depends on this class but time.
   */

  private static final Logger LOG = LoggerFactory.getLogger(KernelStore.class);

  private static final int SHOWN = 16;

  private static volatile @Nullable KernelStore instance;

  /** Text that a call waits for comes before text that is made ahead. */
  private record Turn(boolean isAwaited, long number, Runnable task)
      implements Comparable<Turn> {
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
  }

  private final TornadoDevice device;
  private final Assembler assembler;
  private final KernelKey keys;
  private final KernelFolder folder;
  private final Map<String, Kernel> known = new ConcurrentHashMap<>();
  private final PriorityBlockingQueue<Turn> turns = new PriorityBlockingQueue<>();
  private final AtomicLong number = new AtomicLong();
  private final Executor assembling;
  private final AtomicInteger found = new AtomicInteger();
  private final AtomicInteger compiled = new AtomicInteger();
  private final AtomicLong compiledNanos = new AtomicLong();

  private KernelStore(
      TornadoDevice device, Assembler assembler, KernelKey keys, KernelFolder folder) {
    this.device = device;
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
    Object context = device.getDeviceContext();
    PlanCodes.replace(context, device.getTornadoVMBackend().name());
    Emission.require(device);
    int architecture = PinnedMemory.computeCapability(null);
    boolean emitsC = !device.getTornadoVMBackend().name().equals("PTX");
    Assembler assembler = Assembler.of(emitsC, architecture);
    KernelKey keys =
        new KernelKey(
            Stream.of(device.getTornadoVMBackend().name(), assembler.version(), emitsC ? "" : driver)
                .toList());
    KernelStore store = new KernelStore(device, assembler, keys, KernelFolder.open());
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

  @Override
  public boolean add(TaskPackage task, TaskGraph graph) {
    StoredKernel kernel;
    try {
      String key = keys.of(task);
      if (key == null) {
        LOG.debug("{} is compiled by TornadoVM: its code has no digest", task.getId());
        return false;
      }
      kernel = kernel(key, task, true).join();
    } catch (CompletionException e) {
      LOG.warn("{} is left to TornadoVM: {}", task.getId(), DeviceContext.reason(e));
      return false;
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("{} is left to TornadoVM: {}", task.getId(), DeviceContext.reason(e));
      return false;
    }
    Object declared = Members.field(graph, "taskGraphImpl");
    Object[] parameters = task.getTaskParameters();
    Object[] arguments = Arrays.copyOfRange(parameters, 1, parameters.length);
    @SuppressWarnings("unchecked")
    List<Object> packages = (List<Object>) Members.field(declared, "taskPackages");
    StoredTask stored =
        new StoredTask(
            (ScheduleContext)
                Members.result(declared, "meta"),
            task.getId(),
            kernel,
            arguments);
    packages.add(task);
    var _ = Members.call(declared, "addInner", stored);
    return true;
  }

  /** The kernels of tasks, of which those that are not known are compiled now, side by side. */
  Compiling compile(Collection<TaskPackage> tasks, boolean isAwaited) {
    Map<String, TaskPackage> unknown = new LinkedHashMap<>();
    for (TaskPackage task : tasks) {
      String key = keys.of(task);
      if (key != null) {
        unknown.putIfAbsent(key, task);
      }
    }
    List<CompletableFuture<StoredKernel>> all = new ArrayList<>();
    unknown.forEach((key, task) -> all.add(kernel(key, task, isAwaited)));
    return new Compiling(all.stream().filter(each -> !each.isDone()).toList());
  }

  /** Compiles the kernels of tasks that are not known, and waits for them. */
  void compileNow(Collection<TaskPackage> tasks) {
    long begin = System.nanoTime();
    Compiling now = compile(tasks, true);
    if (!now.kernels().isEmpty()) {
      var _ = now.all().handle((_, e) -> e).join(); // what fails is left to TornadoVM
      LOG.info(
          "compiled {} of {} kernels in {} ms",
          now.kernels().stream().filter(each -> !each.isCompletedExceptionally()).count(),
          now.kernels().size(),
          (System.nanoTime() - begin) / 1_000_000);
    }
  }

  /**
   * Kernels that are being compiled.
   *
   * @param kernels those that were not known
   */
  record Compiling(List<CompletableFuture<StoredKernel>> kernels) {
    CompletableFuture<Void> all() {
      return CompletableFuture.allOf(kernels.toArray(CompletableFuture[]::new));
    }
  }

  private CompletableFuture<StoredKernel> kernel(String key, TaskPackage task, boolean isAwaited) {
    Kernel own = new Kernel();
    Kernel before = known.putIfAbsent(key, own);
    Kernel kernel = before == null ? own : before;
    if (before == null) {
      Optional<StoredKernel> left = read(key);
      if (left.isPresent()) {
        found.incrementAndGet();
        own.isBegun.set(true);
        own.made.complete(left.get());
      }
    }
    boolean isToDo = before == null || isAwaited; // it may wait behind others that nobody awaits
    if (isToDo && !kernel.isBegun.get()) {
      turns.add(
          new Turn(
              isAwaited,
              number.incrementAndGet(),
              () -> {
                if (kernel.isBegun.compareAndSet(false, true)) {
                  compile(key, task, kernel.made);
                }
              }));
    }
    return kernel.made;
  }

  private void compile(String key, TaskPackage task, CompletableFuture<StoredKernel> made) {
    long begin = System.nanoTime();
    Emission text;
    try {
      text = Emission.of(task, device, entry(task));
    } catch (Throwable e) {
      made.completeExceptionally(e);
      return;
    }
    assembling.execute(
        () -> {
          try {
            byte[] code = assembler.assemble(text.text());
            folder.write(
                key,
                new CompiledKernel(
                    text.entry(), Stream.of(text.accesses()).map(Access::name).toList(), code));
            compiled.incrementAndGet();
            compiledNanos.addAndGet(System.nanoTime() - begin);
            made.complete(stored(key, text.entry(), text.accesses(), code));
          } catch (Throwable e) {
            made.completeExceptionally(e);
          }
        });
  }

  private static String entry(TaskPackage task) {
    return KernelKey.name(task).replace('$', '_');
  }

  private Optional<StoredKernel> read(String key) {
    return folder
        .read(key)
        .map(
            kernel ->
                stored(
                    key,
                    kernel.entry(),
                    kernel.accesses().stream().map(Access::valueOf).toArray(Access[]::new),
                    kernel.code()));
  }

  private static StoredKernel stored(String key, String entry, Access[] accesses, byte[] code) {
    return new StoredKernel(entry + "_" + key.substring(0, SHOWN), entry, accesses, code);
  }

  /** What there is, for reports. */
  @Override
  public String toString() {
    return "found=%s, compiled=%s in %s ms, %s"
        .formatted(found, compiled, compiledNanos.get() / 1_000_000, folder);
  }
}
