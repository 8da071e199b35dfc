package funnel.engine;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Runs programs on the JVM, on the cores of the common fork/join pool. */
public final class JvmEngine implements Engine {

  /** An engine; it holds nothing. */
  public JvmEngine() {}

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public String description() {
    return "JVM %s on %d cores".formatted(Runtime.version(), cores());
  }

  private static int cores() {
    return ForkJoinPool.commonPool().getParallelism() + 1;
  }

  @Override
  public Map<String, String> details() {
    Map<String, String> details = new LinkedHashMap<>();
    details.put("engine", "jvm");
    details.put("java", System.getProperty("java.vm.name", "?") + " " + Runtime.version());
    details.put("cores", Integer.toString(cores()));
    details.put("heap", Long.toString(Runtime.getRuntime().maxMemory()));
    return details;
  }

  @Override
  public LoadedProgram load(Program program, Map<String, TornadoNativeArray> bound) {
    return new Loaded(program, bound);
  }

  @Override
  public void close() {}

  private static final class Loaded implements LoadedProgram, JvmRun {
    private final Program program;
    private final Map<String, TornadoNativeArray> bound;
    private final Map<String, Input> inputs = new HashMap<>();
    private final Map<String, MemorySegment> elements = new HashMap<>();
    private final Map<String, Number> results = new HashMap<>();

    Loaded(Program program, Map<String, TornadoNativeArray> bound) {
      this.program = program;
      this.bound = Map.copyOf(bound);
      for (Input input : program.inputs()) {
        inputs.put(input.name(), input);
      }
    }

    private Input declared(String name) {
      return Objects.requireNonNull(inputs.get(name), name);
    }

    @Override
    public void set(String input, MemorySegment segment) {
      elements.put(input, segment);
    }

    @Override
    public void setRange(String input, int offset, int length) {
      TornadoNativeArray array = Objects.requireNonNull(bound.get(input), input);
      int bytes = declared(input).type().bytes();
      elements.put(input, array.getSegment().asSlice((long) offset * bytes, (long) length * bytes));
    }

    @Override
    public void release() {
      elements.keySet().retainAll(bound.keySet());
    }

    @Override
    public void run() {
      results.clear();
      for (Primitive primitive : program.primitives()) {
        primitive.runOnJvm(this);
      }
    }

    @Override
    public MemorySegment input(String name) {
      return elements.getOrDefault(name, MemorySegment.NULL);
    }

    @Override
    public int length(String name) {
      return (int) (input(name).byteSize() / declared(name).type().bytes());
    }

    @Override
    public void deliver(String name, Number value) {
      results.put(name, value);
    }

    @Override
    public Number result(String name) {
      return Objects.requireNonNull(results.get(name), name);
    }

    @Override
    public long deviceBytes() {
      return 0;
    }

    @Override
    public void measureKernels(boolean on) {}

    @Override
    public long kernelNanos() {
      return -1;
    }

    @Override
    public void close() {
      elements.clear();
      results.clear();
    }
  }
}
