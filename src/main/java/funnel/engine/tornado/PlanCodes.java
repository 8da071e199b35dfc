package funnel.engine.tornado;

import funnel.engine.tornado.StoredTask.StoredKernel;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** TornadoVM's code caches on a device, by plans; gives them the code of stored kernels. */
final class PlanCodes extends ConcurrentHashMap<Long, Object> {

  /* TornadoVM has a code cache for each plan, and compiles what it does not find there. Nothing of
   * its API puts code into one, and a plan of a user's over a graph with our tasks is not known here.
   * So the map of these caches is replaced by this one: when TornadoVM asks for the cache of a plan in
   * order to look for the code of a stored task, the code is put there. Modules are those of one plan,
   * since TornadoVM unloads them when the plan is closed.
   *
   * Each device has such a map, also one that kernels are not compiled for: a plan of a user's may
   * run there, and then is to say so.
   */

  private static final long serialVersionUID = 1L;

  private static final String FIELD = "codeCache";

  /** The driver's option for the optimization level of PTX; not used for a cubin. */
  private static final int[] NO_OPTIONS = {};

  private static final long[] NO_VALUES = {};

  private final transient Object context;
  private final transient String classes;

  /** Whether this backend loads modules itself; the other has programs, which load them. */
  private final transient boolean hasModules;

  private final String refusal;

  private PlanCodes(Object context, String backend, String refusal, Map<Long, ?> before) {
    super(before);
    this.context = context;
    this.classes = context.getClass().getPackageName() + ".graal." + backend;
    this.hasModules = backend.equals("PTX");
    this.refusal = refusal;
  }

  /**
   * Replaces the map of a device's state, unless that has been done.
   *
   * @param context the state
   * @param backend the name of TornadoVM's backend
   * @param refusal why code of the store does not run there; empty if it does
   * @throws IllegalStateException if this TornadoVM lacks any of what is needed
   */
  @SuppressWarnings("unchecked")
  static synchronized void replace(Object context, String backend, String refusal) {
    Object before = Members.field(context, FIELD);
    if (before instanceof PlanCodes) {
      return;
    }
    PlanCodes codes = new PlanCodes(context, backend, refusal, (Map<Long, ?>) before);
    codes.require();
    Members.set(context, FIELD, codes);
  }

  /** Why code of the store does not run on a device; empty if it does. */
  static String refusal(Object context) {
    return Members.field(context, FIELD) instanceof PlanCodes codes
        ? codes.refusal
        : "there is no store";
  }

  private void require() {
    var _ = Members.type(context, classes + "InstalledCode");
    if (hasModules) {
      var _ = Members.constructor(module(), 5);
      var _ = Members.method(names(), "buildKernelName", 2);
    } else {
      var _ = Members.method(context.getClass(), "createProgramWithBinary", 2);
    }
  }

  private Class<?> module() {
    return Members.type(context, context.getClass().getPackageName() + ".PTXModule");
  }

  private Class<?> names() {
    return Members.type(context, classes + "CodeUtil");
  }

  @Override
  public @Nullable Object get(Object plan) {
    Object cache = super.get(plan); // null when it is asked whether there is one
    if (cache != null) {
      StoredTask task = StoredTask.lookedFor();
      if (task != null) {
        put(task, cache);
      }
    }
    return cache;
  }

  @SuppressWarnings("unchecked")
  private void put(StoredTask task, Object cache) {
    Map<String, Object> codes = (Map<String, Object>) Members.field(cache, "cache");
    if (!refusal.isEmpty()) {
      throw new IllegalStateException("%s of the store: %s".formatted(task.getId(), refusal));
    }
    StoredKernel kernel = task.kernel();
    String name =
        hasModules
            ? (String) Members.ofClass(names(), "buildKernelName", kernel.name(), task)
            : task.getId() + "-" + kernel.name();
    Object there = codes.get(name);
    if (there == null || !(boolean) Members.result(there, "isValid")) {
      codes.put(name, hasModules ? ofModule(kernel) : ofProgram(kernel));
    }
  }

  private Object ofModule(StoredKernel kernel) {
    Object module =
        Members.made(module(), kernel.name(), kernel.code(), kernel.entry(), NO_OPTIONS, NO_VALUES);
    if (!(boolean) Members.result(module, "isPTXJITSuccess")) {
      throw notLoaded(kernel);
    }
    return Members.made(installed(), kernel.entry(), module, context);
  }

  private Object ofProgram(StoredKernel kernel) {
    byte[] code = kernel.code();
    Object program =
        Members.result(context, "createProgramWithBinary", code, new long[] {code.length});
    var _ = Members.call(program, "build", "");
    Object device = Members.result(context, "getDeviceId");
    if (!Members.result(program, "getStatus", device).toString().contains("SUCCESS")) {
      throw notLoaded(kernel);
    }
    Object entry = Members.result(program, "clCreateKernel", kernel.entry());
    return Members.made(installed(), kernel.name(), code, context, program, entry, false);
  }

  private Class<?> installed() {
    return Members.type(context, classes + "InstalledCode");
  }

  private static IllegalStateException notLoaded(StoredKernel kernel) {
    return new IllegalStateException(
        "the driver does not load kernel %s (%s bytes) of the store of compiled kernels: %s"
            .formatted(
                kernel.entry(),
                kernel.code().length,
                "remove the store's folder, or switch it off with -Dfunnel.kernels=off"));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return Objects.hash(classes);
  }
}
