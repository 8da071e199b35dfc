package funnel.transform;

import funnel.jit.FunctionCopies;
import funnel.jit.KernelCopies;
import funnel.jit.RowFunction;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.LengthRule;
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
import java.util.stream.IntStream;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * A function of each element, {@code y[i] = f(a[i], b[i], c[i])}, with {@code i} as an argument if
 * indexed, or a {@link RowFunction}: see {@link Elementwise}.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param inputs the inputs, none if the function takes only the index
 * @param from the type of the inputs; without inputs, and for a row function, what it returns
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
    if (inputs.isEmpty() || function.function() instanceof RowFunction) {
      return tabulated(setting);
    }
    int most = setting.capacity(capacity);
    Step step =
        Step.of(this, setting)
            .placeholder(id + ".none", from, PARAMETERS.toArray(String[]::new))
            .counts()
            .number(IntToIntElementwiseKernels.LEAD_AT, this::lead)
            .applies(function, inputs.getFirst())
            .onDevice(launches -> launch(launches, most))
            .onJvm(run -> apply(run, run.length(inputs.getFirst())));
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
    String first = inputs.getFirst();
    step.writes("output", id, type, most, first, IntToIntElementwiseKernels.TO_AT);
    for (String input : inputs) {
      requireEqual(step, first, input);
      if (from == type) {
        step.inPlaceOf(id, input);
      }
    }
    return step;
  }

  private void requireEqual(Step step, String first, String input) {
    if (!input.equals(first)) {
      step.equallyLong(first, input, "%s %s takes inputs of equal length".formatted(function, id));
    }
  }

  /** How many places the first tile begins before the output's first element. */
  private int lead(Primitive.Lengths lengths) {
    int line = IntToIntElementwiseKernels.LINE / type.bytes();
    int header = (int) TornadoNativeArray.ARRAY_HEADER / type.bytes();
    return (header + lengths.offset(id) % line) % line;
  }

  /** The step of a function that gets the index, or whose arguments are read in the function. */
  private Step tabulated(Setting setting) {
    int most = setting.capacity(capacity);
    List<String> arrays =
        function.function() instanceof RowFunction row
            ? IntStream.range(0, inputs.size())
                .filter(i -> !row.arguments().get(i).isValue())
                .mapToObj(inputs::get)
                .toList()
            : List.of();
    Step step =
        Step.of(this, setting).counts().number(IntToIntIndexFunctionKernels.LEAD_AT, this::lead);
    inputs.forEach(step::passes);
    step.applies(function, arrays.isEmpty() ? id : arrays.getFirst())
        .onDevice(
            launches ->
                launches
                    .value("cast", cast())
                    .kernels(IntToIntIndexFunctionKernels.class, from, type)
                    .launch("apply", "tabulate", grid(most)))
        .onJvm(run -> apply(run, arrays.isEmpty() ? most : run.length(arrays.getFirst())));
    int to = IntToIntIndexFunctionKernels.TO_AT;
    if (arrays.isEmpty()) {
      return step.number(IntToIntIndexFunctionKernels.LENGTH_AT, most)
          .writes("output", id, type, most, to);
    }
    String first = arrays.getFirst();
    arrays.forEach(input -> requireEqual(step, first, input));
    return step.derives(IntToIntIndexFunctionKernels.LENGTH_AT, first, LengthRule.LENGTH)
        .writes("output", id, type, most, first, to);
  }

  private static Grid grid(int most) {
    long places =
        most + (long) IntToIntElementwiseKernels.LINE; // the first tile begins before element 0
    int tiles = (int) (places / IntToIntElementwiseKernels.TILE + 1);
    return Grid.of(tiles, IntToIntElementwiseKernels.THREADS);
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
    launches
        .value("arrays", inputs.size())
        .value("indexed", isIndexed ? 1 : 0)
        .value("cast", cast())
        .kernels(IntToIntElementwiseKernels.class, from, type)
        .launch("apply", "apply", grid(most));
  }

  private void apply(JvmRun run, int length) {
    List<MemorySegment> given = inputs.stream().map(run::input).toList();
    Loops loops =
        function.function() instanceof RowFunction row
            ? loops(new Transform(function.name(), from, false, row.of(given)))
            : run.kept(id, Loops.class, () -> loops(function));
    OperatorThrewException.naming(
        List.of(function), () -> loops.apply(given, run.output(id), length));
  }

  private Loops loops(Transform of) {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    boolean isIndexAlone = inputs.isEmpty() || function.function() instanceof RowFunction;
    int code =
        isIndexAlone
            ? INDEXED + 1
            : FunctionCopies.arguments(of.function()) + (isIndexed ? INDEXED : 0);
    return FunctionCopies.loops(
        lookup,
        Loops.class,
        TwinClass.of(lookup, IntToIntElementwiseLoops.class, from, type),
        Map.of("transform()I", new KernelCopies.Constant(code)),
        List.of(of));
  }
}
