package funnel;

import funnel.engine.Engine;
import funnel.engine.Input;
import funnel.engine.LoadedProgram;
import funnel.engine.Output;
import funnel.engine.Primitive;
import funnel.engine.Program;
import funnel.engine.ProgramArrays;
import funnel.engine.Step;
import funnel.engine.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Ladder;
import funnel.reduce.LadderVariant;
import funnel.reduce.Reduction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Primitives over named inputs, built once and run many times.
 *
 * {@snippet class="funnel.docs.PlanSnippets" region="plan"}
 *
 * <p>Building compiles kernels and allocates the device's memory. A run takes inputs of any length
 * up to their capacity, without a new compilation. Data stays on the device: an input that is not
 * set again is not uploaded again, and only outputs come back.
 *
 * <p>Thread-safe: {@link #run(Map)} sets inputs and runs as one step, while other threads wait.
 * Closing waits for a run in progress; any use afterwards is an IllegalStateException.
 */
public final class Plan implements AutoCloseable {

  private final String name;
  private final Program program;
  private final List<Output> outputs;
  private final Map<String, TornadoNativeArray> bound;
  private final Guard guard;
  private final Set<Plan> open;
  private final LoadedProgram loaded;
  private final Map<String, Input> inputs = new LinkedHashMap<>();
  private final Map<String, Integer> lengths = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private boolean closed;

  private Plan(Builder builder) {
    this.name = builder.name;
    this.program = new Program(builder.inputs, builder.primitives);
    this.outputs = List.copyOf(builder.outputs);
    this.bound = Map.copyOf(builder.bound);
    this.guard = builder.guard;
    this.open = builder.open;
    for (Input input : program.inputs()) {
      inputs.put(input.name(), input);
    }
    this.loaded = builder.engine.load(program, bound);
    bound.forEach(
        (input, array) -> {
          loaded.setRange(input, 0, array.getSize());
          lengths.put(input, array.getSize());
        });
  }

  /** Lists inputs and primitives, then builds the plan. Used by one thread. */
  public static final class Builder {

    private static final Pattern NAME = Pattern.compile("[A-Za-z]([A-Za-z0-9]|_(?!_))*");

    private final String name;
    private final Engine engine;
    private final Guard guard;
    private final Set<Plan> open;
    private final List<Input> inputs = new ArrayList<>();
    private final Map<String, TornadoNativeArray> bound = new HashMap<>();
    private final List<Primitive> primitives = new ArrayList<>();
    private final List<Output> outputs = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    Builder(String name, Engine engine, Guard guard, Set<Plan> open) {
      this.name = requireName(name);
      this.engine = engine;
      this.guard = guard;
      this.open = open;
    }

    private static String requireName(String name) {
      if (!NAME.matcher(Objects.requireNonNull(name, "name")).matches()) {
        throw new IllegalArgumentException(
            "name '%s' is not a letter followed by letters, digits and single underscores"
                .formatted(name));
      }
      return name;
    }

    private String newName(String wanted) {
      if (!names.add(requireName(wanted))) {
        throw taken(wanted);
      }
      return wanted;
    }

    private IllegalArgumentException taken(String wanted) {
      return new IllegalArgumentException("name '%s' is taken in plan %s".formatted(wanted, name));
    }

    /**
     * Adds an input.
     *
     * @param input its name: a letter, then letters, digits and single underscores
     * @param type its elements' type
     * @param capacity the most elements of any run
     * @throws IllegalArgumentException if the name is taken or malformed, or the capacity is
     *     negative or larger than an array can be
     */
    public Builder input(String input, ElementType type, int capacity) {
      inputs.add(new Input(newName(input), type, capacity));
      return this;
    }

    /**
     * Adds a TornadoVM array of the caller's as an input, without a copy on the host. It is
     * uploaded with the first run, and again after {@link Plan#changed}.
     *
     * @throws IllegalArgumentException if the name is taken or malformed, or the array's type is
     *     none of {@link ElementType}
     */
    public Builder input(String input, TornadoNativeArray array) {
      Objects.requireNonNull(array, "array");
      inputs.add(new Input(newName(input), Elements.typeOf(array), array.getSize()));
      bound.put(input, array);
      return this;
    }

    /**
     * Adds a reduction.
     *
     * @param output the output's name; some reductions have further outputs whose names begin with
     *     it
     * @param reduction what to compute
     * @param of names of its inputs: one, or two for a dot product
     * @throws IllegalArgumentException if there is no such input, or the reduction has no meaning
     *     on its type
     * @throws funnel.operator.OperatorException if the engine is a device and a function of the
     *     user's cannot be compiled for it
     */
    public Builder reduce(String output, Reduction reduction, String... of) {
      Objects.requireNonNull(reduction, "reduction");
      return add(reduction.step(requireName(output), named(of)));
    }

    /**
     * Adds a reduction by a named variant of the ladder, to compare it with others.
     *
     * @param output the output's name
     * @param variant the variant
     * @param blockSize threads of a block: 64, 128, 256, 512 or 1024
     * @param operator a commutative operator, or any for the neighboured variants
     * @param of the input's name
     * @throws IllegalArgumentException if there is no such input, the block size is another, or the
     *     operator does not go with variant or type
     * @throws funnel.reduce.SinglePassUnavailableException if the variant is the single pass and
     *     the device does not make it right
     */
    public Builder ladder(
        String output, LadderVariant variant, int blockSize, Operator operator, String of) {
      Objects.requireNonNull(variant, "variant");
      Objects.requireNonNull(operator, "operator");
      return add(
          Ladder.step(
              requireName(output),
              named(of).getFirst(),
              variant,
              blockSize,
              operator,
              engine.target()));
    }

    private List<Input> named(String... of) {
      Objects.requireNonNull(of, "of");
      return Arrays.stream(of)
          .map(wanted -> Objects.requireNonNull(wanted, "of"))
          .map(
              wanted ->
                  inputs.stream()
                      .filter(input -> input.name().equals(wanted))
                      .findFirst()
                      .orElseThrow(
                          () ->
                              new IllegalArgumentException(
                                  "no input '%s' in plan %s; there are %s"
                                      .formatted(
                                          wanted,
                                          name,
                                          inputs.stream().map(Input::name).toList()))))
          .toList();
    }

    private Builder add(Step step) {
      if (engine.target() != Target.JVM) {
        step.primitives().forEach(Primitive::requireForDevice);
      }
      for (Output output : step.outputs()) {
        if (names.contains(output.name())) {
          throw taken(output.name());
        }
      }
      for (Output output : step.outputs()) {
        newName(output.name());
        outputs.add(output);
      }
      primitives.addAll(step.primitives());
      return this;
    }

    /**
     * Builds the plan: compiles its kernels and allocates its arrays.
     *
     * @throws IllegalStateException if the plan has no primitive, or the Funnel is closed
     * @throws funnel.engine.FunnelMemoryException if its arrays do not fit on the device
     * @throws funnel.engine.FunnelDeviceException if a kernel does not compile
     */
    public Plan build() {
      if (primitives.isEmpty()) {
        throw new IllegalStateException(
            "plan %s has nothing to do: add a primitive before building it".formatted(name));
      }
      return guard.call(
          () -> {
            Plan plan = new Plan(this);
            open.add(plan);
            return plan;
          });
    }
  }

  /**
   * Sets an input for the runs that follow. On the JVM the elements are read where they are during
   * those runs; for a device they are copied now.
   *
   * @throws IllegalArgumentException if there is no such input, it is bound to an array, or the
   *     elements are of another type or more than its capacity
   */
  public Plan set(String input, Elements elements) {
    guard.run(() -> locked(() -> setUnlocked(input, elements)));
    return this;
  }

  private void setUnlocked(String input, Elements elements) {
    Objects.requireNonNull(elements, "elements");
    Input declared = declared(input);
    if (bound.containsKey(input)) {
      throw new IllegalArgumentException(
          "input %s of plan %s is a TornadoVM array of yours: write into it and call changed"
              .formatted(input, name));
    }
    if (elements.type() != declared.type()) {
      throw new IllegalArgumentException(
          "input %s of plan %s takes %s elements, given are %s"
              .formatted(input, name, declared.type(), elements.type()));
    }
    if (elements.length() > declared.capacity()) {
      throw new IllegalArgumentException(
          "input %s of plan %s is too long: length=%d, capacity=%d"
              .formatted(input, name, elements.length(), declared.capacity()));
    }
    loaded.set(input, elements.segment());
    lengths.put(input, elements.length());
  }

  private Input declared(String input) {
    Input declared = inputs.get(Objects.requireNonNull(input, "input"));
    if (declared == null) {
      throw new IllegalArgumentException(
          "no input '%s' in plan %s; there are %s".formatted(input, name, inputs.keySet()));
    }
    return declared;
  }

  /**
   * Says that elements of a bound array have changed, and which part of it is the input from now
   * on.
   *
   * @param input name of an input that was added with its array
   * @param from the first element
   * @param to the one behind the last
   * @throws IllegalArgumentException if the input is not bound to an array
   * @throws IndexOutOfBoundsException if the range is not within the array
   */
  public Plan changed(String input, int from, int to) {
    guard.run(
        () ->
            locked(
                () -> {
                  declared(input);
                  TornadoNativeArray array = bound.get(input);
                  if (array == null) {
                    throw new IllegalArgumentException(
                        "input %s of plan %s is not bound to an array: use set"
                            .formatted(input, name));
                  }
                  if (from < 0 || to < from || to > array.getSize()) {
                    throw new IndexOutOfBoundsException(
                        "range outside the array: from=%d, to=%d, length=%d"
                            .formatted(from, to, array.getSize()));
                  }
                  loaded.setRange(input, from, to - from);
                  lengths.put(input, to - from);
                }));
    return this;
  }

  /** Sets the inputs that are given, runs, and returns the outputs, as one step. */
  public Results run(Map<String, Elements> given) {
    Objects.requireNonNull(given, "inputs");
    return guard.call(
        () -> {
          Results[] results = new Results[1];
          locked(
              () -> {
                given.forEach(this::setUnlocked);
                results[0] = runUnlocked();
              });
          return Objects.requireNonNull(results[0]);
        });
  }

  /**
   * Runs on the inputs as they are set.
   *
   * @throws IllegalStateException if an input has never been set, or the plan or its Funnel is
   *     closed
   * @throws IllegalArgumentException if inputs of one primitive must be equally long and are not
   * @throws funnel.engine.FunnelDeviceException if the device failed or its kernels gave wrong
   *     results when they were checked
   */
  public Results run() {
    return run(Map.of());
  }

  private Results runUnlocked() {
    for (String input : inputs.keySet()) {
      if (!lengths.containsKey(input)) {
        throw new IllegalStateException(
            "input %s of plan %s has not been set".formatted(input, name));
      }
    }
    Primitive.Lengths now =
        new Primitive.Lengths() {
          @Override
          public int offset(String input) {
            return 0;
          }

          @Override
          public int length(String input) {
            return Objects.requireNonNull(lengths.get(input), input);
          }
        };
    for (Primitive primitive : program.primitives()) {
      primitive.requireLengths(now);
    }
    loaded.run();
    Map<String, Object> values = new HashMap<>();
    for (Output output : outputs) {
      int length = now.length(output.input());
      values.put(
          output.name(),
          length == 0 && !output.emptyReason().isEmpty()
              ? output.emptyReason()
              : output.finish().value(loaded::result, length));
    }
    return new Results(values);
  }

  /**
   * Adds this plan's tasks to a task graph of the caller's, whose plan runs them with the caller's
   * own tasks.
   *
   * <p>Call it where the primitives are to run. Inputs are TornadoVM arrays of the caller's, which
   * may be written by earlier tasks of the graph; their transfers are the caller's business.
   * Nothing is checked or counted here: run the plan itself once to have its kernels checked on the
   * device.
   *
   * {@snippet class="funnel.docs.TaskGraphSnippets" region="compose"}
   *
   * @param graph a graph that is not frozen yet
   * @param scheduler the scheduler that its execution plan will use
   * @param arrays every input's array, with at most the input's capacity
   * @return where the results are
   * @throws IllegalArgumentException if an array is missing, of another type, or too long
   */
  public GraphResults addTo(
      TaskGraph graph, GridScheduler scheduler, Map<String, ? extends TornadoNativeArray> arrays) {
    Objects.requireNonNull(graph, "graph");
    Objects.requireNonNull(scheduler, "scheduler");
    Objects.requireNonNull(arrays, "arrays");
    arrays.keySet().forEach(this::declared);
    GraphResults[] results = new GraphResults[1];
    guard.run(() -> locked(() -> results[0] = addUnlocked(graph, scheduler, arrays)));
    return Objects.requireNonNull(results[0]);
  }

  private GraphResults addUnlocked(
      TaskGraph graph, GridScheduler scheduler, Map<String, ? extends TornadoNativeArray> arrays) {
    for (Input input : program.inputs()) {
      @Nullable TornadoNativeArray array = arrays.get(input.name());
      if (array == null) {
        throw new IllegalArgumentException(
            "no array for input %s of plan %s".formatted(input.name(), name));
      }
      if (Elements.typeOf(array) != input.type() || array.getSize() > input.capacity()) {
        throw new IllegalArgumentException(
            "array for input %s of plan %s does not fit: %s[%d] for %s[%d]"
                .formatted(
                    input.name(),
                    name,
                    Elements.typeOf(array),
                    array.getSize(),
                    input.type(),
                    input.capacity()));
      }
    }
    ProgramArrays programArrays = new ProgramArrays(program, new HashMap<>(arrays));
    arrays.forEach((input, array) -> programArrays.setRange(input, 0, array.getSize()));
    return GraphResults.add(graph, scheduler, programArrays, outputs);
  }

  /** The plan's name. */
  public String name() {
    return name;
  }

  /** Bytes that the plan's arrays take on the device; 0 on the JVM. */
  public long deviceBytes() {
    return loaded.deviceBytes();
  }

  /**
   * Switches the measuring of kernel time on or off; on a device it makes runs slower, in all plans
   * of the process.
   */
  public void measureKernels(boolean on) {
    guard.run(() -> locked(() -> loaded.measureKernels(on)));
  }

  /** Kernel time of the last run in nanoseconds if it was measured, else -1. */
  public long kernelNanos() {
    return loaded.kernelNanos();
  }

  private void locked(Runnable action) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("plan %s is closed".formatted(name));
      }
      action.run();
    } finally {
      lock.unlock();
    }
  }

  /** Forgets arrays of the caller's that were set as inputs. */
  void releaseInputs() {
    guard.run(
        () ->
            locked(
                () -> {
                  loaded.release();
                  lengths.keySet().retainAll(bound.keySet());
                }));
  }

  /** Frees the plan's arrays. Waits for a run in progress; closing again does nothing. */
  @Override
  public void close() {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        open.remove(this);
        loaded.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
