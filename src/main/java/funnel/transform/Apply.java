package funnel.transform;

import funnel.jit.FunctionCopies;
import funnel.jit.KernelCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorThrewException;
import funnel.operator.Transform;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * One {@link Elementwise}.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param inputs the inputs, none if the function takes only the index
 * @param from the type of the inputs; without inputs, the function's
 * @param function the function
 * @param isIndexed whether its first argument is the index
 * @param type of the array
 * @param capacity the largest number of elements; without inputs, their number
 */
record Apply(
    String id,
    List<String> inputs,
    ElementType from,
    Transform function,
    boolean isIndexed,
    ElementType type,
    int capacity)
    implements Primitive {

  /** A flag in the code of JVM loops: the first argument is the index. */
  static final int INDEXED = 4;

  /** A flag in the code of JVM loops: the function is called, since it cannot be copied. */
  static final int CALLED = 8;

  /** The JVM form, for any type. */
  interface Loops {
    /** Fills {@code output}, which has {@code length} elements, like each of the inputs. */
    void apply(
        List<MemorySegment> inputs, MemorySegment output, int length, @Nullable Object function);
  }

  private String none() {
    return id + ".none";
  }

  @Override
  public Layout layout() {
    Layout layout = Layout.reads().scratch(none(), from, 1).counts(id);
    if (inputs.isEmpty()) {
      return layout.writes(id, type, capacity);
    }
    String first = inputs.getFirst();
    layout.alsoReads(first).derives(0, first).writes(id, type, capacity, first);
    for (String input : inputs) {
      if (!input.equals(first)) {
        layout.readsFound(input).sameLength(first, input);
      }
      if (from == type) {
        layout.inPlaceOf(id, input);
      }
    }
    return layout;
  }

  @Override
  public void requireLengths(Lengths lengths) {
    for (String input : inputs) {
      int first = lengths.length(inputs.getFirst());
      int length = lengths.length(input);
      if (length != first) {
        throw new IllegalArgumentException(
            "%s %s takes inputs of equal length: length of %s=%s, length of %s=%s"
                .formatted(function, id, inputs.getFirst(), first, input, length));
      }
    }
  }

  @Override
  public int[] shape(Lengths lengths) {
    int[] shape = new int[6];
    shape[0] = inputs.isEmpty() ? capacity : 0; // length
    for (int i = 0; i < inputs.size(); i++) {
      shape[1 + i] = lengths.offset(inputs.get(i));
    }
    shape[4] = lengths.offset(id);
    int line = IntToIntElementwiseKernels.LINE / type.bytes();
    int header = (int) TornadoNativeArray.ARRAY_HEADER / type.bytes();
    shape[5] = (header + lengths.offset(id) % line) % line;
    return shape;
  }

  private String input(int at) {
    return at < inputs.size() ? inputs.get(at) : none();
  }

  private int cast() {
    if (!from.isFloating() || type.isFloating()) {
      return IntToIntElementwiseKernels.PLAIN;
    }
    return type == ElementType.LONG
        ? IntToIntElementwiseKernels.BY_LONGS
        : IntToIntElementwiseKernels.BY_INTS;
  }

  @Override
  public void launch(Launches launches) {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    Class<?> kernels = TwinClass.of(lookup, IntToIntElementwiseKernels.class, from, type);
    long places =
        capacity + (long) IntToIntElementwiseKernels.LINE; // the first tile begins before element 0
    int tiles = (int) (places / IntToIntElementwiseKernels.TILE + 1);
    launches
        .array("first", input(0))
        .array("second", input(1))
        .array("third", input(2))
        .array("output", id)
        .value("arrays", inputs.size())
        .value("indexed", isIndexed ? 1 : 0)
        .value("cast", cast())
        .add(
            "apply",
            FunctionCopies.kernels(lookup, kernels, Operator.SUM, List.of(function)),
            "apply",
            Grid.of(tiles, IntToIntElementwiseKernels.THREADS));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    int length = inputs.isEmpty() ? capacity : run.length(inputs.getFirst());
    List<MemorySegment> given = inputs.stream().map(run::input).toList();
    Loops loops = run.kept(id, Loops.class, this::loops);
    OperatorThrewException.naming(
        List.of(function), () -> loops.apply(given, run.output(id), length, function.function()));
  }

  private Loops loops() {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    Map<String, KernelCopies.Replacement> replacements = new HashMap<>();
    int code = FunctionCopies.arguments(function.function()) + (isIndexed ? INDEXED : 0);
    if (KernelCopies.whyNotCopyable(function.function()).isPresent()) {
      code += CALLED;
    } else {
      replacements.put(
          FunctionCopies.transformKey(function), new KernelCopies.Body(function.function()));
    }
    replacements.put("transform()I", new KernelCopies.Constant(code));
    Class<?> loops = TwinClass.of(lookup, IntToIntElementwiseLoops.class, from, type);
    return FunctionCopies.instance(
        lookup, Loops.class, KernelCopies.copy(lookup, loops, replacements));
  }

  @Override
  public List<Combined> combined() {
    String input = inputs.isEmpty() ? id : inputs.getFirst();
    return List.of(new Combined(Operator.SUM, input, function.type(), function));
  }

  @Override
  public Primitive in(Setting setting) {
    return new Apply(id, inputs, from, function, isIndexed, type, setting.capacity(capacity));
  }
}
