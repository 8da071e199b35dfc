package funnel.engine.tornado;

import funnel.compiled.KernelFolder;
import funnel.compiled.KernelUse;
import funnel.engine.Compilation;
import funnel.engine.Engine;
import funnel.engine.KeptArray;
import funnel.engine.KeptArrays;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.device.DeviceArray;
import funnel.engine.device.DeviceContext;
import funnel.engine.device.DeviceMemory;
import funnel.engine.device.DeviceProgram;
import funnel.engine.device.KeptPrograms;
import funnel.engine.device.KernelCheck;
import funnel.engine.device.Launcher;
import funnel.engine.device.PassedChecks;
import funnel.engine.device.ProgramArrays;
import funnel.jit.FusedMultiplyAdd;
import funnel.jit.KernelCopies;
import funnel.operation.Device;
import funnel.operation.EngineUnavailableException;
import funnel.operation.Setting;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.runtime.TornadoRuntimeProvider;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Runs programs on a device through TornadoVM.
 *
 * <p>The engine returns only results that it has reason to trust: kernels are checked against the
 * JVM engine when they first run on the device in this process, the device itself counts every run,
 * and TornadoVM's fallback to sequential Java is switched off.
 *
 * {@snippet class="funnel.docs.EngineSnippets" region="best"}
 */
public final class TornadoEngine implements Engine {

  private static final Logger LOG = LoggerFactory.getLogger(TornadoEngine.class);
  private static final String BAILOUT = "tornado.recover.bailout";
  private static final String MEMORY = "tornado.device.memory";

  /** The number of TornadoVM's default device, on which all plans run. */
  private static final String DEVICE = "tornado.device";

  /** With these TornadoVM makes one operation of a product and a sum, or of 1 / Math.sqrt(x). */
  private static final List<String> FUSING =
      List.of("tornado.enable.fma", "tornado.enable.mathOptimizations");

  /** Driver, context and TornadoVM's own needs. */
  private static final long RESERVED_BYTES = 1L << 30;

  /** A class of our statement of the API alone. */
  private static final String SDK_MISSING = "uk.ac.manchester.tornado.api.SdkMissing";

  private static final String DRIVER = "libcuda.so.1";
  private static final int PROBES = 3;

  /** Whether TornadoVM has been started with the settings that engines need. */
  private static volatile boolean started;

  private static final Program NOTHING = new Program(List.of(), List.of());

  /** The program that was compiled first, kept open: see {@link #warmUp}. */
  private static volatile @Nullable Launcher warm;

  private final TornadoDevice device;
  private final int number;
  private final PlanDevice on;
  private final String backend;
  private final String driver;
  private final DeviceMemory memory;
  private final DeviceContext context =
      new DeviceContext(this::device, this::versions, () -> works(on()));
  private final DeviceLink link = new DeviceLink();
  private final KernelCheck check;
  private final KeptPrograms kept;

  private TornadoEngine(
      TornadoDevice device, int number, PlanDevice on, String driver, long memoryLimit) {
    this.device = device;
    this.number = number;
    this.on = on;
    this.backend = device.getTornadoVMBackend().name();
    this.driver = driver;
    this.memory = new DeviceMemory(memoryLimit, HostArrays::allocate);
    String kind = on == PlanDevice.DEFAULT ? backend : backend + number;
    this.check =
        new KernelCheck(
            context,
            kind,
            small -> loaded(small, Map.of(), KeptArrays.NONE, null, null),
            on == PlanDevice.DEFAULT && KernelStore.instance() instanceof PassedChecks passed
                ? passed
                : PassedChecks.NONE);
    this.kept = new KeptPrograms(memory);
  }

  /**
   * Opens the default device of TornadoVM's first backend that is {@code ptx} or {@code cuda}.
   *
   * @throws EngineUnavailableException if there is no TornadoVM, no device, or a property that
   *     would make failures silent
   * @throws IllegalArgumentException as {@link KernelFolder#open}
   */
  public static TornadoEngine open() {
    return open(Integer.getInteger(DEVICE, 0));
  }

  /**
   * Opens one of TornadoVM's devices.
   *
   * @param number the device's number, from 0
   * @throws EngineUnavailableException as {@link #open()}, or if another device does the work of
   *     this one
   * @throws IllegalArgumentException as {@link KernelFolder#open}
   */
  public static TornadoEngine open(int number) {
    if (Boolean.parseBoolean(System.getProperty(BAILOUT, "false"))) {
      throw new EngineUnavailableException(
          "TornadoVM would run kernels that it cannot compile as sequential Java and return wrong results: remove -D%s=%s"
              .formatted(BAILOUT, System.getProperty(BAILOUT)),
          null);
    }
    if (isSdkThere()) {
      KernelFolder.requireSettings();
    }
    System.setProperty(BAILOUT, "False");
    CompletableFuture<Void> startsDriver =
        isSdkThere()
            ? CompletableFuture.runAsync(
                () -> PinnedMemory.startDriver(DRIVER),
                task -> Thread.ofPlatform().daemon().name("funnel-driver").start(task))
            : CompletableFuture.completedFuture(null);
    KernelKey.begin();
    Optional<NvidiaSmi> smi = isSdkThere() ? NvidiaSmi.query(number) : Optional.empty();
    boolean limitGiven = System.getProperty(MEMORY) != null;
    if (!limitGiven) {
      long limit = smi.map(s -> s.freeBytes() - RESERVED_BYTES).orElse(1L << 40);
      System.setProperty(MEMORY, (limit >> 20) + "MB");
    }
    try {
      Backends.useKnown(TornadoRuntimeProvider.getTornadoRuntime());
      TornadoDevice device = TornadoExecutionPlan.getDevice(0, number);
      DeviceShutdown.install(
          TornadoLauncher.IN_USE.writeLock(), KernelStore.ASSEMBLING.writeLock());
      PinnedMemory.begin(DRIVER); // while this thread has the context of the default device
      boolean isDefault = number == Integer.getInteger(DEVICE, 0);
      if (isDefault) {
        OwnContext.requireOwn(first(), device.getDeviceContext(), number);
      } else {
        OwnContext.give(first(), device.getDeviceContext(), number);
      }
      teachFusedMultiplyAdd(device);
      long total = device.getMaxGlobalMemory();
      long free = smi.map(NvidiaSmi::freeBytes).orElse(total) - RESERVED_BYTES;
      if (!started) {
        started = true;
        Staging.knowAddresses(
            Internals.check(
                "arrays cannot be kept on the device, and large ones take longer to it",
                GraphBuffers::require));
        String driver = smi.map(NvidiaSmi::driver).orElse("unknown");
        boolean isStored =
            Internals.check(
                "kernels are compiled in each process, for each plan",
                () -> KernelStore.begin(Integer.getInteger(DEVICE, 0), driver));
        checkExact(device, isStored);
        var _ =
            Internals.check("only the first device can be opened", TornadoEngine::requireSecond);
        warmUp();
      }
      PlanDevice on = isDefault ? PlanDevice.DEFAULT : PlanDevice.of(device, number);
      if (!isDefault) {
        on.requireReal(number, () -> works(on));
        String refusal = KernelStore.instance() == null ? "" : KernelStore.refusal(device);
        if (!refusal.isEmpty()) {
          Internals.lack("kernels are compiled for each plan on device " + number, refusal);
          checkExact(device, false);
        }
      }
      String driver = smi.map(NvidiaSmi::driver).orElse("unknown");
      return new TornadoEngine(device, number, on, driver, free);
    } catch (Exception | LinkageError e) {
      String reason =
          e instanceof IncompatibleClassChangeError
              ? "version %s lacks what Funnel calls; docs/releases.md has those that were tried: %s"
                  .formatted(version(), e)
              : DeviceContext.reason(e);
      throw new EngineUnavailableException(
          "no device through TornadoVM: %s (funnel doctor says what is missing)".formatted(reason),
          e);
    } finally {
      startsDriver.join(); // the process may end now, and the driver with it
    }
  }

  /** Whether TornadoVM's API is that of an SDK, and not our own statement of it. */
  public static boolean isSdkThere() {
    try {
      Class.forName(SDK_MISSING, false, TornadoEngine.class.getClassLoader());
      return false;
    } catch (ClassNotFoundException e) {
      return true;
    }
  }

  /** Throws if there is a second device, and no engine can be opened on it. */
  private static void requireSecond() {
    List<TornadoDevice> all =
        TornadoRuntimeProvider.getTornadoRuntime().getBackend(0).getAllDevices();
    if (all.size() > 1) {
      String refusal = OwnContext.refusal(first(), all.get(1).getDeviceContext(), 1);
      if (!refusal.isEmpty()) {
        throw new IllegalStateException(refusal);
      }
    }
  }

  /**
   * Says so if kernels on a device may have other bits than on the JVM.
   *
   * @param isStored whether they come from the store, which calls NVIDIA's compiler itself
   */
  private static void checkExact(TornadoDevice device, boolean isStored) {
    boolean emitsC = !device.getTornadoVMBackend().name().equals("PTX");
    if (!Internals.check(
        "calls with functions over floating-point numbers wait for the compiler, and may give"
            + " other bits than on the JVM",
        () -> requireExact(isStored || !emitsC))) {
      KernelCopies.takeArithmeticAsInexact();
    }
  }

  /**
   * Throws unless each operation of a kernel is rounded by itself.
   *
   * @param keeps whether NVIDIA's compiler makes of each what TornadoVM's has emitted
   */
  private static void requireExact(boolean keeps) {
    for (String fusing : FUSING) {
      if (Boolean.parseBoolean(System.getProperty(fusing, "true"))) {
        throw new IllegalStateException(
            "TornadoVM fuses operations, start with -D%s=False".formatted(fusing));
      }
    }
    if (!keeps) {
      throw new IllegalStateException("NVIDIA's compiler fuses products and sums");
    }
  }

  private static Object first() {
    return TornadoExecutionPlan.getDevice(0, 0).getDeviceContext();
  }

  /**
   * All devices of the backend that engines use; those on which no engine can be opened say why.
   * Opens only the default one, for a moment.
   *
   * @throws EngineUnavailableException as {@link #open()}
   */
  public static List<Device> devices() {
    start();
    List<Device> devices = new ArrayList<>();
    for (TornadoDevice each :
        TornadoRuntimeProvider.getTornadoRuntime().getBackend(0).getAllDevices()) {
      int number = devices.size();
      devices.add(
          device(each, number, OwnContext.refusal(first(), each.getDeviceContext(), number)));
    }
    return List.copyOf(devices);
  }

  private static Device device(TornadoDevice device, int number, String refusal) {
    return new Device(
        device.getPhysicalDevice().getDeviceName(),
        device.getTornadoVMBackend().name().toLowerCase(Locale.ROOT),
        number,
        device.getMaxGlobalMemory(),
        refusal);
  }

  /**
   * Starts TornadoVM with the settings that engines need, unless an engine was opened before.
   *
   * @throws EngineUnavailableException as {@link #open}
   */
  static void start() {
    if (!started) {
      open().close();
    }
  }

  private static void teachFusedMultiplyAdd(TornadoDevice device) {
    try {
      FusedMultiplyAdd.teach(
          TornadoRuntimeProvider.getTornadoRuntime().getBackend(device.getBackendIndex()));
    } catch (IllegalStateException e) {
      Internals.lack("kernels that call Math.fma do not compile", String.valueOf(e.getMessage()));
    }
  }

  /**
   * Starts TornadoVM's compiler in the background, since the caller is about to need it. The plan
   * is not closed: closing plans would disturb TornadoVM plans that the caller may run.
   */
  private static void warmUp() {
    Thread.ofPlatform()
        .daemon()
        .name("funnel-warm-up")
        .start(
            () -> {
              try {
                ProgramArrays arrays = new ProgramArrays(NOTHING, Map.of(), HostArrays::allocate);
                Launcher first = new TornadoLauncher(NOTHING, arrays, false, PlanDevice.DEFAULT);
                warm = first;
                LOG.debug("compiled first; missing: {}", first.upload());
              } catch (RuntimeException | Error e) {
                LOG.debug("nothing was compiled yet: {}", DeviceContext.reason(e));
              }
            });
  }

  /** The link between the caller's memory and the device. */
  public DeviceLink link() {
    return link;
  }

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  public String description() {
    return "%s through TornadoVM %s (%s backend)".formatted(deviceName(), version(), backend);
  }

  /** The device. */
  public Device device() {
    return device(device, number, "");
  }

  private PlanDevice on() {
    return on;
  }

  private String deviceName() {
    return device.getPhysicalDevice().getDeviceName();
  }

  private static String version() {
    Module module = TaskGraph.class.getModule();
    if (module.getDescriptor() != null && module.getDescriptor().rawVersion().isPresent()) {
      return module.getDescriptor().rawVersion().get();
    }
    return "of unknown version";
  }

  @Override
  public Map<String, String> details() {
    Map<String, String> details = new LinkedHashMap<>();
    details.put("engine", "tornado");
    details.put("device", deviceName());
    details.put("device number", Integer.toString(number));
    details.put("backend", backend);
    details.put("tornadovm", version());
    details.put("driver", driver);
    details.put("memory", Long.toString(device.getMaxGlobalMemory()));
    details.put("memory limit", Long.toString(memory.limit()));
    details.put("memory reserved", Long.toString(memory.reserved()));
    details.put("java", System.getProperty("java.vm.name", "?") + " " + Runtime.version());
    details.put("link", link.rates());
    details.put("kept programs", kept.toString());
    compiledKernels()
        .ifPresent(
            kernels -> {
              details.put("compiled kernels", kernels.ofProcess());
              details.put("kernel folder", kernels.ofFolder());
            });
    String lacking = Internals.lacking();
    if (!lacking.isEmpty()) {
      details.put("without", lacking);
    }
    return details;
  }

  /** The compiled kernels of this process; empty if there is no device, or each plan compiles. */
  public static Optional<KernelUse> compiledKernels() {
    return Optional.ofNullable(KernelStore.instance()).map(KernelStore::report);
  }

  /** What primitives are told about this device. */
  public Setting setting() {
    return Setting.on(device(), AtomicsProbe.LOCAL);
  }

  @Override
  public LoadedProgram load(
      Program program, Map<String, TornadoNativeArray> bound, KeptArrays keptArrays) {
    return loaded(program.on(setting(), bound, keptArrays), bound, keptArrays, check, kept);
  }

  /* Kernels that are the same for other lengths of arrays, and most are, may be known from another
   * program. Those of a program's check are compiled too: a first run needs them.
   */
  @Override
  public Compilation compile(Program program) {
    KernelStore store = KernelStore.instance();
    if (store == null || !on.hasStore()) {
      return Compilation.NONE; // a run compiles them
    }
    Program here = program.on(setting(), Map.of(), KeptArrays.NONE);
    return store.compile(
        Stream.of(here, KernelCheck.checking(here))
            .flatMap(each -> TornadoLauncher.tasks(each).stream())
            .toList());
  }

  @Override
  public long deviceBytes(
      Program program, Map<String, TornadoNativeArray> bound, KeptArrays keptArrays) {
    return memory.bytes(program.on(setting(), bound, keptArrays), keptArrays);
  }

  @Override
  public KeptArray keep(ElementType type, int length) {
    return DeviceArray.keep(
        type,
        length,
        this,
        context,
        memory,
        (of, arrays) -> new TornadoLauncher(of, arrays, false, on));
  }

  private LoadedProgram loaded(
      Program program,
      Map<String, TornadoNativeArray> bound,
      KeptArrays keptArrays,
      @Nullable KernelCheck kernelCheck,
      @Nullable KeptPrograms ofThose) {
    boolean runsOften = kernelCheck != null;
    return new DeviceProgram(
        program,
        bound,
        keptArrays,
        this,
        context,
        memory,
        (of, arrays) -> new TornadoLauncher(of, arrays, runsOften, on),
        kernelCheck,
        ofThose);
  }

  /** Frees the programs kept from closed ones. */
  @Override
  public void close() {
    kept.close();
  }

  /**
   * A task graph that a probe of the device executes beside the programs of engines: no plan is
   * closed while it executes, and it is not closed while another executes, since that causes device
   * faults on the {@code cuda} backend.
   */
  public static final class ProbePlan implements AutoCloseable {
    private final TornadoExecutionPlan plan;

    /** Prepares kernels and transfers, with the kernels' grids. */
    public ProbePlan(TaskGraph graph, GridScheduler scheduler) {
      plan = new TornadoExecutionPlan(graph.snapshot());
      plan.withGridScheduler(scheduler);
    }

    /** Runs the graph once. */
    public void execute() {
      TornadoLauncher.IN_USE.readLock().lock();
      try {
        plan.execute();
      } finally {
        TornadoLauncher.IN_USE.readLock().unlock();
      }
    }

    /** Frees the graph's memory on the device, once no other plan executes. */
    @Override
    public void close() {
      TornadoLauncher.IN_USE.writeLock().lock();
      try {
        plan.freeDeviceMemory();
      } finally {
        TornadoLauncher.IN_USE.writeLock().unlock();
      }
    }
  }

  private String versions() {
    return "device %s, %s, backend %s, TornadoVM %s, driver %s, java %s"
        .formatted(number, deviceName(), backend, version(), driver, Runtime.version());
  }

  /** Whether the default device still takes an upload and runs a kernel over it. */
  static boolean works() {
    return works(PlanDevice.DEFAULT);
  }

  /** Makes several attempts, since a single one can fail. */
  private static boolean works(PlanDevice on) {
    List<ProgramArrays> kept = new ArrayList<>(); // so that no attempt gets the memory of another
    for (int i = 0; i < PROBES; i++) {
      ProgramArrays arrays = new ProgramArrays(NOTHING, Map.of(), HostArrays::allocate);
      kept.add(arrays);
      try (Launcher probe = new TornadoLauncher(NOTHING, arrays, false, on)) {
        if (probe.upload().isEmpty()) {
          return true;
        }
      } catch (RuntimeException | Error e) {
        LOG.debug("a probe of the device failed: {}", DeviceContext.reason(e));
      }
    }
    Reference.reachabilityFence(kept);
    return false;
  }
}
