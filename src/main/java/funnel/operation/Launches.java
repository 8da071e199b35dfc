package funnel.operation;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.Kernel;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * The launches of a primitive's kernels. A kernel parameter is bound once, by its name; the binding
 * serves all launches with a parameter of that name. {@code shape} and {@code shapeAt}, the array
 * of lengths and the index of the primitive's own ints in it, are bound already, and so are {@code
 * done} and {@code doneAt} if the layout {@linkplain Layout#counts counts} runs.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="primitive"}
 */
public final class Launches {

  private final String id;
  private final DeviceArrays arrays;
  private final int shapeAt;
  private final Map<String, Object> bound = new HashMap<>();
  private final List<KernelTask> tasks;
  private final Step step;
  private @Nullable Class<?> kernels;

  private Launches(Step step, DeviceArrays arrays, int shapeAt, List<KernelTask> tasks) {
    this.id = step.id();
    this.arrays = arrays;
    this.shapeAt = shapeAt + step.intsBefore();
    this.tasks = tasks;
    this.step = step;
    bound.put("shape", arrays.shape());
    bound.put("shapeAt", this.shapeAt);
    Layout layout = step.layout();
    String done = Layout.done(id);
    if (layout.delivered().stream().anyMatch(slot -> slot.name().equals(done))) {
      result("done", done);
    }
    for (FoundLength length : arrays.firstNeeded(this.shapeAt)) {
      String task = "lengthOf_" + length.needs().getFirst().input();
      // a step and its first part begin at the same ints
      if (!has(KernelTask.id(id, task))) {
        result("found", length.found())
            .value("tableAt", length.tableAt())
            .value("needs", length.needs().size())
            .add(task, LengthRuleKernels.class, "derive", Grid.of(1, LengthRuleKernels.THREADS));
      }
    }
    step.bind(this);
    if (step.hasMisses()) {
      add("noMisses", MissKernels.class, "clear", Grid.of(1, 1));
    }
  }

  /** The launches of a step whose own ints begin at {@code shapeAt} in the array of lengths. */
  public static Launches of(Step step, DeviceArrays arrays, int shapeAt) {
    return new Launches(step, arrays, shapeAt, new ArrayList<>());
  }

  /**
   * Adds the launches of a part of the step, whose ints begin {@code from} after this primitive's.
   */
  void add(Step part, int from) {
    part.launch(new Launches(part, arrays, shapeAt + from, tasks));
  }

  /** The lengths of inputs and arrays, and their offsets in the TornadoVM arrays. */
  Primitive.Lengths lengths() {
    return arrays;
  }

  /** The index in {@code shape} of the first of the primitive's own ints. */
  public int shapeAt() {
    return shapeAt;
  }

  /** The index of a result in its array. */
  public int index(String result) {
    return arrays.index(result);
  }

  /** Binds a parameter to an input, an array or scratch. */
  public Launches array(String parameter, String name) {
    return value(parameter, arrays.array(name));
  }

  /**
   * Binds a parameter of type array of ints or longs to an array of floats or doubles, whose bits
   * the kernels read as elements, or to an array of its own type.
   */
  public Launches bits(String parameter, String name) {
    return value(parameter, new Kernel.Bits(arrays.array(name)));
  }

  /** Binds a parameter to a result's array, and {@code parameter + "At"} to its index in it. */
  public Launches result(String parameter, String name) {
    return array(parameter, name).value(parameter + "At", arrays.index(name));
  }

  /** Binds a parameter to a number, which becomes a constant of the kernels. */
  public Launches value(String parameter, Object value) {
    bound.put(parameter, value);
    return this;
  }

  /**
   * Whether kernels get an input that may be {@linkplain Layout#readsAsLongs read as longs} as
   * longs.
   */
  public boolean isOfLongs(String input) {
    return arrays.array(input) instanceof LongArray;
  }

  /** Whether an array is in exactly the memory of an input. */
  public boolean isInPlace(String array, String input) {
    return arrays.array(array) == arrays.array(input);
  }

  /**
   * Adds a launch after those added before.
   *
   * @param task its name among the primitive's launches
   * @param kernels the class that has the kernel
   * @param kernel its name
   * @param grid blocks and threads
   * @throws IllegalArgumentException if a parameter is not bound, or bound to something of another
   *     type, or if the primitive has a launch of this name, of which TornadoVM would keep one
   */
  public Launches add(String task, Class<?> kernels, String kernel, Grid grid) {
    String name = KernelTask.id(id, task);
    if (has(name)) {
      throw new IllegalArgumentException("two launches are called " + name);
    }
    tasks.add(Kernel.of(kernels, kernel).task(name, grid, bound));
    return this;
  }

  /**
   * Sets the class of later {@linkplain #launch launches}: the twin of a master, with the functions
   * in it that the step {@linkplain Step#combines states}.
   *
   * @throws funnel.operator.OperatorException if a function cannot be compiled for a device
   */
  public Launches kernels(Class<?> master, ElementType... types) {
    Class<?> twin = TwinClass.of(master, types);
    kernels =
        step.hasMisses()
            ? twin
            : FunctionCopies.kernels(
                TwinClass.lookup(master), twin, step.operator(), step.transforms());
    return this;
  }

  /** Adds a launch of a kernel of the present class, see {@link #add}. */
  public Launches launch(String task, String kernel, Grid grid) {
    Class<?> present = Objects.requireNonNull(kernels, "kernels");
    return add(
        task,
        step.hasMisses()
            ? FunctionCopies.kernels(
                TwinClass.lookup(present),
                present,
                step.operator(),
                step.transforms(),
                kernel,
                bound)
            : present,
        kernel,
        grid);
  }

  private boolean has(String name) {
    return tasks.stream().anyMatch(launch -> launch.id().equals(name));
  }

  /** The launches, in order. */
  public List<KernelTask> tasks() {
    return List.copyOf(tasks);
  }
}
