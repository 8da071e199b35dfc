package funnel.transform;

import funnel.jit.FunctionCopies;
import funnel.jit.KernelCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.OperatorThrewException;
import funnel.operator.Transform;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * A function of each element, {@code y[i] = f(a[i], b[i], c[i])}, with {@code i} as an argument if
 * indexed: see {@link Elementwise}.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param inputs the inputs, none if the function takes only the index
 * @param from the type of the inputs; without inputs, the function's
 * @param function the function
 * @param isIndexed whether its first argument is the index
 * @param type of the array
 * @param capacity the largest number of elements; without inputs, their number
 */
record ElementwiseStep(
    String id,
    List<String> inputs,
    ElementType from,
    Transform function,
    boolean isIndexed,
    ElementType type,
    int capacity)
    implements Primitive {

  private static final List<String> PARAMETERS = List.of("first", "second", "third");

  /** A flag in the code of JVM loops: the first argument is the index. */
  static final int INDEXED = 4;

  /** The JVM form, for any type. */
  interface Loops {
    /** Fills {@code output}, which has {@code length} elements, like each of the inputs. */
    void apply(List<MemorySegment> inputs, MemorySegment output, int length);
  }

  @Override
  public Step in(Setting setting) {
    int most = setting.capacity(capacity);
    int line = IntToIntElementwiseKernels.LINE / type.bytes();
    int header = (int) TornadoNativeArray.ARRAY_HEADER / type.bytes();
    Step step =
        Step.of(this, setting)
            .placeholder(id + ".none", from, PARAMETERS.toArray(String[]::new))
            .counts()
            .number(
                IntToIntElementwiseKernels.LEAD_AT,
                lengths -> (header + lengths.offset(id) % line) % line)
            .applies(function, inputs.isEmpty() ? id : inputs.getFirst())
            .onDevice(launches -> launch(launches, most))
            .onJvm(run -> apply(run, inputs.isEmpty() ? most : run.length(inputs.getFirst())));
    for (int i = 0; i < PARAMETERS.size(); i++) {
      String parameter = PARAMETERS.get(i);
      int at = IntToIntElementwiseKernels.FIRST_FROM_AT + i;
      if (i >= inputs.size()) {
        step.number(at, 0);
      } else if (i == 0) {
        step.reads(parameter, inputs.getFirst(), at, IntToIntElementwiseKernels.LENGTH_AT);
      } else {
        step.readsFound(parameter, inputs.get(i), at);
      }
    }
    if (inputs.isEmpty()) {
      return step.number(IntToIntElementwiseKernels.LENGTH_AT, most)
          .writes("output", id, type, most, IntToIntElementwiseKernels.TO_AT);
    }
    String first = inputs.getFirst();
    step.writes("output", id, type, most, first, IntToIntElementwiseKernels.TO_AT);
    for (String input : inputs) {
      if (!input.equals(first)) {
        step.equallyLong(
            first, input, "%s %s takes inputs of equal length".formatted(function, id));
      }
      if (from == type) {
        step.inPlaceOf(id, input);
      }
    }
    return step;
  }

  private int cast() {
    if (!from.isFloating() || type.isFloating()) {
      return IntToIntElementwiseKernels.PLAIN;
    }
    return type == ElementType.LONG
        ? IntToIntElementwiseKernels.BY_LONGS
        : IntToIntElementwiseKernels.BY_INTS;
  }

  private void launch(Launches launches, int most) {
    long places =
        most + (long) IntToIntElementwiseKernels.LINE; // the first tile begins before element 0
    int tiles = (int) (places / IntToIntElementwiseKernels.TILE + 1);
    launches
        .value("arrays", inputs.size())
        .value("indexed", isIndexed ? 1 : 0)
        .value("cast", cast())
        .kernels(IntToIntElementwiseKernels.class, from, type)
        .launch("apply", "apply", Grid.of(tiles, IntToIntElementwiseKernels.THREADS));
  }

  private void apply(JvmRun run, int length) {
    List<MemorySegment> given = inputs.stream().map(run::input).toList();
    Loops loops = run.kept(id, Loops.class, this::loops);
    OperatorThrewException.naming(
        List.of(function), () -> loops.apply(given, run.output(id), length));
  }

  private Loops loops() {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    int code = FunctionCopies.arguments(function.function()) + (isIndexed ? INDEXED : 0);
    return FunctionCopies.loops(
        lookup,
        Loops.class,
        TwinClass.of(lookup, IntToIntElementwiseLoops.class, from, type),
        Map.of("transform()I", new KernelCopies.Constant(code)),
        List.of(function));
  }
}
