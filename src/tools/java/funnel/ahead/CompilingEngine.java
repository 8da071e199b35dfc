package funnel.ahead;

import funnel.Funnel;
import funnel.call.Call;
import funnel.call.CallPlaces;
import funnel.call.EngineChoice;
import funnel.engine.Compilation;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.KeptArray;
import funnel.engine.KeptArrays;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operation.Target;
import funnel.operator.CapturedValues;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * A device that compiles what it is asked to run, while the JVM does the work.
 *
 * <p>One-shot calls and readings over arrays of {@link #length} elements stand for those of other
 * lengths: all of their kernels are compiled. Nothing is allocated on the device.
 */
final class CompilingEngine implements Engine {

  private final Engine device;
  private final JvmEngine jvm = new JvmEngine();
  private final int length;
  private final List<Integer> others;
  private final List<Compilation> compilations = new ArrayList<>();

  /**
   * An engine in the place of a device.
   *
   * @param device the device's engine, which is not closed with this one
   * @param length the length of the arrays of calls that stand for others
   * @param others the lengths that they stand for
   */
  CompilingEngine(Engine device, int length, List<Integer> others) {
    this.device = device;
    this.length = length;
    this.others = List.copyOf(others);
  }

  /** A Funnel on this engine. */
  Funnel open() {
    return new EngineChoice(this, new LinkedHashMap<>(), new OnJvm()).opened(Funnel::open);
  }

  /** What the device has begun to compile. */
  synchronized List<Compilation> compilations() {
    return List.copyOf(compilations);
  }

  @Override
  public Compilation compile(Program program) {
    Compilation begun = device.compile(program);
    synchronized (this) {
      compilations.add(begun);
    }
    return begun;
  }

  /** Calls run on the JVM; what they would need elsewhere is compiled. */
  private final class OnJvm implements CallPlaces {
    @Override
    public <T> T call(
        Call call,
        List<Input> inputs,
        long in,
        long out,
        Function<List<Input>, Compilation> compile,
        Function<Target, T> make) {
      for (int other : others) {
        var _ = compile.apply(inputs.stream().map(input -> scaled(input, other)).toList());
      }
      return make.apply(Target.JVM);
    }

    private Input scaled(Input input, int other) {
      return input.capacity() == CapturedValues.capacity(length)
          ? new Input(input.name(), input.type(), CapturedValues.capacity(other))
          : input;
    }

    @Override
    public String details() {
      return "all on the JVM";
    }

    @Override
    public void close() {}
  }

  @Override
  public LoadedProgram load(
      Program program, Map<String, TornadoNativeArray> bound, KeptArrays kept) {
    var _ = compile(program);
    return jvm.load(program, bound, kept);
  }

  @Override
  public Target target() {
    return device.target();
  }

  @Override
  public String description() {
    return device.description();
  }

  @Override
  public Map<String, String> details() {
    return device.details();
  }

  @Override
  public KeptArray keep(ElementType type, int capacity) {
    return jvm.keep(type, capacity);
  }

  @Override
  public void close() {
    jvm.close();
  }
}
