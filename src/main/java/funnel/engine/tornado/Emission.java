package funnel.engine.tornado;

import funnel.compiled.TaskAdder;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.common.Access;
import uk.ac.manchester.tornado.api.common.TaskPackage;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.runtime.TornadoRuntimeProvider;

/**
 * What TornadoVM's compiler makes of a kernel.
 *
 * @param text CUDA C or PTX
 * @param entry the kernel's name in it
 * @param accesses what the kernel does with each argument, its context included
 */
record Emission(String text, String entry, Access[] accesses) {

  /* TornadoVM compiles a task when its plan is executed, and leaves the result in the plan. Here the
   * same two parts of its compiler are called for a graph that no plan executes: addTask makes the
   * sketch, which has the accesses, and compileSketchForDevice the text. Nothing of a device is used.
   * The compiler makes a constant of an argument that is a number: so one that is not to be compiled
   * in is replaced, after the sketch, by an object that is none. On ptx the emitted name has the graph's name and the hash of an object in it; a name that is the
   * same in each process lets the driver's own cache of compiled PTX find it.
   */

  private static final Object NO_CONSTANT = "a number that is known at launch";

  private static final String RUNTIME = "uk.ac.manchester.tornado.runtime.";

  private static final Pattern ENTRY = Pattern.compile("(?:\\.entry|__global__ void)\\s+(\\w+)");

  private static final AtomicLong COUNT = new AtomicLong();

  /**
   * Compiles a task's kernel to text.
   *
   * @param task the task; its arrays are only looked at
   * @param atLaunch the numbers of the arguments that are not compiled in
   * @param device a device with the compiler
   */
  static Emission of(TaskPackage task, BitSet atLaunch, TornadoDevice device, String entry) {
    TaskGraph graph = new TaskGraph("funnelKernel" + COUNT.incrementAndGet());
    TaskAdder.addToCompile(graph, task);
    Object declared = Members.field(graph, "taskGraphImpl");
    Access[] accesses = ((Access[]) Members.field(declared, "accesses")).clone();
    Object context = Members.field(declared, "executionContext");
    Object executable = ((List<?>) Members.result(context, "getTasks")).getFirst();
    Object profiler = Members.made(Members.type(declared, RUNTIME + "profiler.EmptyProfiler"));
    Object[] arguments = (Object[]) Members.result(executable, "getArguments");
    atLaunch.stream().forEach(i -> arguments[i] = NO_CONSTANT);
    var _ = Members.call(executable, "setDevice", device);
    Object meta = Members.result(executable, "meta");
    Object method =
        Members.result(
            TornadoRuntimeProvider.getTornadoRuntime(),
            "resolveMethod",
            Members.result(executable, "getMethod"));
    Object sketch =
        Members.ofClass(
            Members.type(declared, RUNTIME + "sketcher.TornadoSketcher"),
            "lookup",
            method,
            Members.result(meta, "getBackendIndex"),
            Members.result(meta, "getDeviceIndex"));
    Object backend = Members.result(device, "getBackend");
    Object result =
        Members.ofClass(
            compiler(device),
            "compileSketchForDevice",
            sketch,
            executable,
            Members.result(backend, "getProviders"),
            backend,
            profiler);
    byte[] bytes = (byte[]) Members.result(result, "getTargetCode");
    String text = new String(bytes, StandardCharsets.UTF_8).replace("\0", "");
    Matcher emitted = ENTRY.matcher(text);
    if (!emitted.find()) {
      throw new IllegalStateException("the compiler's text has no kernel: " + text);
    }
    return new Emission(text.replace(emitted.group(1), entry), entry, accesses);
  }

  /** Looks for what {@link #of} uses. */
  static void require(TornadoDevice device) {
    var _ = Members.method(compiler(device), "compileSketchForDevice", 5);
    var _ = Members.method(Members.result(device, "getBackend").getClass(), "getProviders", 0);
    Object declared = Members.field(new TaskGraph("funnelKernel"), "taskGraphImpl");
    var _ = Members.field(declared.getClass(), "accesses");
    var _ = Members.method(Members.field(declared, "executionContext").getClass(), "getTasks", 0);
    var _ =
        Members.method(Members.type(declared, RUNTIME + "sketcher.TornadoSketcher"), "lookup", 3);
    var _ = Members.constructor(Members.type(declared, RUNTIME + "profiler.EmptyProfiler"), 0);
  }

  private static Class<?> compiler(TornadoDevice device) {
    Object context = Objects.requireNonNull(device.getDeviceContext());
    return Members.type(
        context,
        "%s.graal.compiler.%sCompiler"
            .formatted(context.getClass().getPackageName(), device.getTornadoVMBackend().name()));
  }
}
