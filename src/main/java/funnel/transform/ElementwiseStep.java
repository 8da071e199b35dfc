package funnel.transform;

import funnel.jit.FunctionCopies;
import funnel.jit.KernelCopies;
import funnel.jit.RowFunction;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.LengthRule;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.OperatorThrewException;
import funnel.operator.Transform;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
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

  private static final int BLOCK = 1 << 13;

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
    MemorySegment output = run.output(id);
    OperatorThrewException.naming(
        List.of(function),
        () -> {
          if (function.function() instanceof RowFunction row) {
            apply(row, given, output, length);
          } else {
            run.kept(id, Loops.class, () -> loops(function)).apply(given, output, length);
          }
        });
  }

  /* A row function reads Java arrays, over which C2 vectorizes loops if elements at equal indices are
   * read and written: the inputs themselves if they are such arrays from their first element on, and
   * the output too or of another type; otherwise copies of a block of elements at a time.
   */
  private void apply(RowFunction row, List<MemorySegment> given, MemorySegment output, int length) {
    List<RowFunction.Argument> arguments = row.arguments();
    int[] arrays =
        IntStream.range(0, given.size()).filter(i -> !arguments.get(i).isValue()).toArray();
    @Nullable Object[] read = new Object[given.size()];
    boolean isDirect = true;
    for (int i = 0; i < read.length; i++) {
      MemorySegment each = given.get(i);
      ElementType of = arguments.get(i).type();
      boolean isValue = arguments.get(i).isValue();
      read[i] = isValue ? JvmRun.element(each, of, 0) : each.heapBase().orElse(null);
      isDirect &= isValue || isArray(each, of) && (of != type || isArray(output, of));
    }
    if (isDirect) {
      loops(row, read).apply(List.of(), output, length);
      return;
    }
    boolean isShared =
        ParallelRows.mayBeShared(output)
            && ParallelRows.mayBeShared(given.toArray(MemorySegment[]::new));
    ParallelRows.run(
        length,
        isShared ? length : 0,
        (from, to) -> {
          int most = Math.min(BLOCK, to - from);
          MemorySegment y = JvmRun.newArray(type, most);
          Object[] blocks = read.clone();
          for (int i : arrays) {
            blocks[i] = JvmRun.newArray(arguments.get(i).type(), most).heapBase().orElseThrow();
          }
          Loops loops = loops(row, blocks);
          int count;
          for (int first = from; first < to; first += count) {
            count = Math.min(most, to - first);
            for (int i : arrays) {
              ValueLayout layout = arguments.get(i).type().layout();
              MemorySegment.copy(
                  given.get(i), layout, first * layout.byteSize(), blocks[i], 0, count);
            }
            loops.apply(List.of(), y, count);
            long bytes = type.bytes();
            MemorySegment.copy(y, 0, output, first * bytes, count * bytes);
          }
        });
  }

  /** Whether a segment has the elements of a Java array of its type, from the first one on. */
  private static boolean isArray(MemorySegment segment, ElementType type) {
    Class<?> array = segment.heapBase().map(Object::getClass).orElse(null);
    return array == type.layout().carrier().arrayType() && segment.address() == 0;
  }

  private Loops loops(RowFunction row, @Nullable Object[] read) {
    return loops(new Transform(function.name(), from, false, row.of(read)));
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
