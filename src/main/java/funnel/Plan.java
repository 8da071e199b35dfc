package funnel;

import funnel.engine.Compilation;
import funnel.engine.Engine;
import funnel.engine.KeptArray;
import funnel.engine.KeptArrays;
import funnel.engine.LoadedProgram;
import funnel.engine.OperatorTrial;
import funnel.engine.PrimitiveTime;
import funnel.engine.Program;
import funnel.engine.Routine;
import funnel.engine.device.ProgramArrays;
import funnel.histogram.Arbitration;
import funnel.histogram.Histogram;
import funnel.histogram.ScatterReduce;
import funnel.histogram.Tickets;
import funnel.jit.CallChain;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operation.Primitive;
import funnel.operation.Step;
import funnel.operator.CapturedValues;
import funnel.operator.ElementType;
import funnel.plan.Arguments;
import funnel.plan.AsyncCalls;
import funnel.plan.Guard;
import funnel.plan.Held;
import funnel.plan.IdentityCheck;
import funnel.plan.LookedUp;
import funnel.plan.PlanNames;
import funnel.plan.Portability;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.SegmentedScan;
import funnel.transform.AdjacentDifference;
import funnel.transform.Elementwise;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Primitives over named inputs, built once and run many times.
 *
 * {@snippet class="funnel.docs.PlanSnippets" region="plan"}
 *
 * <p>Building compiles kernels and allocates the device's memory. It reuses both from a closed plan
 * of the same Funnel if that plan had the same operations over inputs of the same types and
 * capacities, whatever their names. A run takes inputs of any length up to their capacity, without
 * compiling again. Data stays on the device: an input that is not set again is not uploaded again,
 * and only outputs are copied back.
 *
 * <p><b>Order.</b> Operations run in the order in which they were added, on inputs as they were
 * when they were {@linkplain #set set}, or as they are {@linkplain #run(Map) passed} to the run.
 * The arrays that they write are copied {@linkplain #into into} destinations after all operations
 * are done. So a run into the memory of its own input gives the same result every time: prefix sums
 * of 1, 2, 3 into that array are 1, 3, 6 in every run until the input is set again. On a
 * {@linkplain Builder#input(String, TornadoNativeArray) bound} array, operations work directly. If
 * it is an operation's {@linkplain Builder#output output} too, later operations see the new
 * elements, and so does the next run: 1, 3, 6, then 1, 4, 10. This is the same on all engines.
 *
 * <p><b>In place.</b> An operation may write its output into exactly the memory of one of its
 * inputs if the operation allows it. {@linkplain Scan Scans} and {@linkplain SegmentedScan
 * segmented scans}, {@linkplain Histogram#accumulating accumulating} histograms and {@linkplain
 * ScatterReduce scatter reductions} do; each documents for which input. Any other overlap of an
 * output with an input or output of the plan causes an IllegalArgumentException, on every engine,
 * before anything is set or run.
 *
 * <p>Thread-safe: {@link #run(Map)} sets inputs and runs as one step, while other threads wait.
 * Closing waits for a run in progress, and for those {@linkplain #runAsync(Map, Map) requested}
 * before; any later use throws an IllegalStateException. So does any use by an operator or
 * transform that runs in this plan or in another plan of the same Funnel.
 */
public final class Plan implements AutoCloseable {

  private final String name;
  private Program program;
  private List<Output> outputs;
  private final Map<String, Added> added;
  private final Guard guard;
  private final LoadedProgram loaded;
  private final Held held;
  private final Cleaner.Cleanable cleanable;
  private final IdentityCheck identities;
  private KeptArrays kept;
  private Arguments arguments;
  private final Map<String, String> operations;
  private final String description;
  private Primitive.@Nullable Lengths lastLengths;
  private long runs;

  private Plan(Builder builder) {
    this.name = builder.name;
    this.program = builder.program();
    this.outputs = List.copyOf(builder.outputs);
    this.added = new HashMap<>(builder.added);
    this.guard = builder.guard;
    this.operations = Map.copyOf(builder.operations);
    this.description = builder.toString();
    this.identities = new IdentityCheck(program);
    this.kept = KeptArrays.of(program, builder.kept);
    this.arguments = Arguments.of(name, program, builder.bound, kept);
    this.loaded = builder.engine.load(program, builder.bound, kept);
    this.held = new Held("plan " + name, loaded::close, builder.open);
    this.cleanable = held.by(this);
    arguments.placeArrays(loaded);
  }

  /** An operation and its inputs. */
  private record Added(Operation operation, List<Input> inputs) {}

  /** Collects inputs and operations, then builds the plan. For use by one thread. */
  public static final class Builder {

    private final String name;
    private final Engine engine;
    private final Guard guard;
    private final @Nullable Set<Held> open;
    private final List<Input> inputs = new ArrayList<>();
    private final Map<String, TornadoNativeArray> bound = new HashMap<>();
    private final Map<String, KeptArrays.Part> kept = new HashMap<>();
    private final Map<String, Elements> lent = new HashMap<>();
    private final List<Step> steps = new ArrayList<>();
    private final List<Output> outputs = new ArrayList<>();
    private final Map<String, String> operations = new HashMap<>();
    private final StringBuilder description = new StringBuilder();
    private final PlanNames names;
    private final Map<String, Output> values = new HashMap<>();
    private final Map<String, Added> added = new HashMap<>();

    /** With {@code open} as {@link Held} takes it. */
    Builder(String name, Engine engine, Guard guard, @Nullable Set<Held> open) {
      this.name = PlanNames.require(name);
      this.names = new PlanNames(name);
      this.engine = engine;
      this.guard = guard;
      this.open = open;
    }

    /**
     * Adds an input.
     *
     * @param input its name: a letter, then letters, digits and single underscores, at most 100
     *     characters, as all names of a plan
     * @param type its elements' type
     * @param capacity the largest number of elements in any run
     * @throws IllegalArgumentException if the name is taken or malformed, or the capacity is
     *     negative or greater than the maximum length of an array
     */
    public Builder input(String input, ElementType type, int capacity) {
      return add(new Input(PlanNames.require(input), type, capacity));
    }

    /**
     * Adds a TornadoVM array of the caller as an input, without a copy on the host. The first run
     * uploads it, and so does the first run after {@link Plan#changed}. If you write into it and do
     * not call {@code changed}, the next run on the JVM reads the new elements, on a device the old
     * ones: nothing is copied that could make them agree.
     *
     * @throws IllegalArgumentException if the name is taken or malformed, or the array's type is
     *     none of {@link ElementType}
     */
    public Builder input(String input, TornadoNativeArray array) {
      Objects.requireNonNull(array, "array");
      add(new Input(PlanNames.require(input), ProgramArrays.typeOf(array), array.getSize()));
      bound.put(input, array);
      return this;
    }

    /**
     * Adds a part of a kept array as an input: every run reads it where it is, as it is then. The
     * array must be that of the plan's Funnel, and stay open while the plan runs.
     *
     * @param from the index of the first element
     * @param to the index after the last element
     * @throws IndexOutOfBoundsException if the range is not within the array
     */
    Builder input(String input, KeptArray array, int from, int to) {
      Objects.checkFromToIndex(from, to, array.length());
      add(new Input(PlanNames.require(input), array.type(), to - from));
      kept.put(input, new KeptArrays.Part(array, from, to - from));
      return this;
    }

    /** An input that is all elements of kept arrays, one at a time; of this one to begin with. */
    Builder lendInput(String input, KeptArray array, int capacity) {
      add(new Input(PlanNames.require(input), array.type(), capacity));
      kept.put(input, new KeptArrays.Part(array, 0, array.written()));
      return this;
    }

    /** Adds elements as an input that is set: runs read them where they are. */
    Builder lend(String input, Elements elements) {
      lent.put(input, elements);
      return input(input, elements.type(), elements.length());
    }

    private Builder add(Input input) {
      names.take(List.of(input.name()), "an input");
      inputs.add(input);
      return this;
    }

    /**
     * Adds an operation. The arrays that it writes stay on the device, where later operations may
     * take them as inputs.
     *
     * @param output the name of its output, an array or a value; further outputs have names that
     *     begin with it, which the operation documents
     * @param operation what to compute: a {@link Reduction}, {@link Scan}, {@link SegmentedScan},
     *     {@link Histogram}, {@link ScatterReduce}, {@link Tickets}, {@link Arbitration}, {@link
     *     AdjacentDifference}, {@link Elementwise}, another one of this library, or one of your own
     * @param of names of its inputs, or of earlier operations' arrays, in the order that the
     *     operation documents
     * @throws IllegalArgumentException if there is no such input, the inputs are too few, too many
     *     or of types that the operation is not defined for, or a name is taken
     * @throws funnel.operator.OperatorException if a user-defined function cannot be compiled for a
     *     device, and the engine runs kernels or {@code -Dfunnel.portable=true}; otherwise a
     *     warning names the function
     */
    public Builder add(String output, Operation operation, String... of) {
      Objects.requireNonNull(operation, "operation");
      List<Input> chosen = names.chosen(available(), values, operation, of);
      Expansion expansion = operation.expand(PlanNames.require(output), chosen);
      List<Step> own = expansion.primitives().stream().map(Primitive::asIs).toList();
      own.stream()
          .flatMap(step -> step.combined().stream())
          .forEach(combined -> Portability.check(combined, engine.target()));
      names.take(
          Stream.concat(
                  arrays(own).map(Primitive.Slot::name),
                  expansion.outputs().stream().map(Output::name))
              .toList(),
          "'%s' (%s)".formatted(output, operation));
      expansion.outputs().forEach(each -> values.put(each.name(), each));
      outputs.addAll(expansion.outputs());
      added.put(output, new Added(operation, chosen));
      steps.addAll(own);
      own.forEach(each -> operations.put(each.id(), output));
      description.append("; %s = %s of %s".formatted(output, operation, String.join(", ", of)));
      return this;
    }

    /**
     * Adds an input that has a number instead of a name.
     *
     * @param array the class of its array, such as {@code int[].class}
     * @param capacity as in {@link #input(String, ElementType, int)}
     */
    public <A> Handle<A> input(Class<A> array, int capacity) {
      Handle<A> input = new Handle<>(names.free("input", inputs.size()), array);
      input(input.name(), Handle.elements(array), capacity);
      return input;
    }

    /**
     * Adds an operation that has a number instead of a name.
     *
     * {@snippet class="funnel.docs.PlanSnippets" region="handles"}
     *
     * @param of its inputs, in the order that the operation documents
     * @return its outputs
     */
    public Outputs add(Operation operation, Handle<?>... of) {
      String output = names.free("output", added.size());
      add(output, operation, Stream.of(of).map(Handle::name).toArray(String[]::new));
      return new Outputs(output);
    }

    /** The outputs of an operation of this plan. */
    public final class Outputs {
      private final String output;

      private Outputs(String output) {
        this.output = output;
      }

      /** The operation's output, an array or a number: {@code get(int[].class)}. */
      public <T> Handle<T> get(Class<T> type) {
        return get("", type);
      }

      /**
       * One of the operation's outputs.
       *
       * @param suffix what the operation adds to the name of its output, such as {@code _positions}
       * @throws IllegalArgumentException if there is no such output, or it is of another type
       */
      public <T> Handle<T> get(String suffix, Class<T> type) {
        String wanted = output + Objects.requireNonNull(suffix, "suffix");
        Output value = values.get(wanted);
        Class<?> is =
            value != null
                ? Handle.boxed(value.type().layout().carrier())
                : arrays(steps)
                    .filter(slot -> slot.name().equals(wanted))
                    .<Class<?>>map(slot -> slot.type().layout().carrier().arrayType())
                    .findFirst()
                    .orElse(null);
        if (is != type) {
          throw new IllegalArgumentException(
              is == null
                  ? "'%s' has no output '%s'".formatted(operation(), suffix)
                  : "output '%s' of '%s' is %s, not %s"
                      .formatted(suffix, operation(), is.getTypeName(), type.getTypeName()));
        }
        return new Handle<>(wanted, type);
      }

      private Operation operation() {
        return Objects.requireNonNull(added.get(output)).operation();
      }
    }

    /**
     * Makes the plan write an output into a TornadoVM array of the caller, without a copy on the
     * host. Every run copies it from the device to the host.
     *
     * @param output an array that the plan writes
     * @param array of its type and at least as long as the output's capacity; it may be the same
     *     array as an input where the operation allows that, see {@link Plan}
     * @throws IllegalArgumentException if the plan writes no such array, the output is bound
     *     already, or {@code array} has another type or is too short
     */
    public Builder output(String output, TornadoNativeArray array) {
      Objects.requireNonNull(array, "array");
      Arguments.requireFits(name, unbound(output), array);
      bound.put(output, array);
      return this;
    }

    /**
     * Makes the plan write an output into a kept array, from its beginning on. It is not copied to
     * the host, and {@link Results} do not have it. Later operations of the plan may take it.
     *
     * @param array of the output's type, and at least as long as the output can be, even if a run
     *     finds a smaller length; it may be an input, from element 0 on, where the operation allows
     *     that
     * @throws IllegalArgumentException if the plan writes no such array, the output is bound
     *     already, or {@code array} has another type or is too short
     */
    Builder output(String output, KeptArray array) {
      Arguments.requireFits(name, unbound(output), array);
      kept.put(output, new KeptArrays.Part(array, 0, array.length()));
      return this;
    }

    /** An output that goes to kept arrays, one at a time, with {@link #room} each. */
    Builder lendOutput(String output, KeptArray array) {
      var _ = unbound(output);
      kept.put(output, new KeptArrays.Part(array, 0, array.length()));
      return this;
    }

    /** An output, with the number of elements that it has, or, if a run finds it, may have. */
    Primitive.Slot room(String output, Map<String, Integer> inputs) {
      Program now = program();
      Map<String, Integer> all = new HashMap<>(inputs);
      now.lookUps().forEach((input, array) -> all.put(input, array.length()));
      Primitive.Lengths lengths = now.lengths(input -> Objects.requireNonNull(all.get(input)));
      now.steps().forEach(step -> step.requireLengths(lengths));
      Primitive.Slot most = unbound(output);
      return now.found(output) != null
          ? most
          : new Primitive.Slot(output, most.type(), lengths.length(output));
    }

    private Primitive.Slot unbound(String output) {
      Objects.requireNonNull(output, "output");
      if (bound.containsKey(output) || kept.containsKey(output)) {
        throw new IllegalArgumentException(
            "output %s of plan %s is already bound to an array".formatted(output, name));
      }
      return arrays(steps)
          .filter(written -> written.name().equals(output))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "plan %s writes no array '%s' yet".formatted(name, output)));
    }

    /** The plan's name, its inputs with their capacities, and its operations. */
    @Override
    public String toString() {
      return "plan %s: %s%s"
          .formatted(
              name,
              inputs.stream()
                  .map(each -> "%s %s[%s]".formatted(each.name(), each.type(), each.capacity()))
                  .collect(Collectors.joining(", ")),
              description);
    }

    /** Inputs, and the arrays that the primitives added before write. */
    private List<Input> available() {
      return Stream.concat(
              inputs.stream(),
              arrays(steps).map(slot -> new Input(slot.name(), slot.type(), slot.length())))
          .toList();
    }

    private Program program() {
      Routine routine = new Routine(steps);
      List<Input> all = new ArrayList<>(inputs);
      new Program(inputs, List.of(routine))
          .lookUps()
          .forEach((input, array) -> all.add(new Input(input, array.type(), array.capacity())));
      return new Program(all, List.of(routine));
    }

    private static Stream<Primitive.Slot> arrays(List<Step> of) {
      return of.stream().flatMap(step -> step.layout().arrays().stream());
    }

    /** The operators that primitives combine with, and the user-defined functions in them. */
    Stream<Primitive.Combined> combined() {
      return steps.stream().flatMap(step -> step.combined().stream());
    }

    /**
     * Bytes that the plan's arrays would take on the device if it were built now, see {@link
     * Plan#deviceBytes}; 0 on the JVM. The plan takes the same number of bytes on the host, except
     * for bound arrays. This call allocates nothing. The check of the kernels in the first run
     * takes a little more, for some thousand elements.
     */
    public long deviceBytes() {
      Program now = program();
      return engine.deviceBytes(now, bound, KeptArrays.of(now, kept));
    }

    /** Starts to compile the plan's kernels, without its arrays. */
    Compilation compile() {
      Program now = program();
      try {
        return engine.compile(now);
      } catch (RuntimeException e) { // the JVM may still run the plan
        return Compilation.failed(e);
      }
    }

    /**
     * Builds the plan: compiles its kernels and allocates its arrays, or reuses those of a closed
     * plan of its kind.
     *
     * @throws IllegalArgumentException if an output's array overlaps another array without being in
     *     place, see {@link Plan}
     * @throws IllegalStateException if the plan has no operation, or the Funnel is closed
     * @throws funnel.operation.FunnelMemoryException if its arrays do not fit on the device
     * @throws funnel.operation.FunnelDeviceException if a kernel does not compile
     */
    public Plan build() {
      if (steps.isEmpty()) {
        throw new IllegalStateException(
            "plan %s has nothing to do: add an operation before building it".formatted(name));
      }
      return guard.call(
          () -> {
            Plan plan = guard.withMemory(() -> new Plan(this));
            lent.forEach(plan::lend);
            return plan;
          });
    }
  }

  /**
   * Sets an input for all following runs, until it is set again or {@linkplain #run(Map) passed} to
   * a run. This call copies the elements, on every engine: the caller may then change them, or
   * close their arena. On the JVM the copy takes as much memory as the elements, and about as long
   * as their sum; what changes with every run, or is larger than the heap, is better passed to the
   * run, which copies nothing there.
   *
   * @throws IllegalArgumentException if there is no such input, it is bound to an array, or the
   *     elements have another type or are more than its capacity
   * @throws IllegalStateException if their arena is closed
   */
  public Plan set(String input, Elements elements) {
    return set(input, elements, true);
  }

  /** Sets an input to a Java array, as {@link #set(String, Elements)} does. */
  public <A> Plan set(Handle<A> input, A array) {
    return set(input.name(), Elements.ofArray(array));
  }

  /** Sets an input without a copy on the JVM: the next run reads the elements where they are. */
  Plan lend(String input, Elements elements) {
    return set(input, elements, false);
  }

  private Plan set(String input, Elements elements, boolean copied) {
    Objects.requireNonNull(input, "input");
    Objects.requireNonNull(elements, "elements");
    return locked(
        () -> {
          Arguments next = arguments.with(Map.of(input, elements), Map.of());
          if (copied) {
            identities.isSet(input, elements);
            loaded.keep(input, elements.segment());
          } else {
            loaded.set(input, elements.segment());
          }
          arguments = next;
          return this;
        });
  }

  /**
   * Makes every run from now on put an output into the caller's memory. On the JVM a run writes it
   * there directly; from a device it is copied. An array without a destination stays where it was
   * computed, until {@link Results} is asked for it.
   *
   * <p>The run checks for overlaps; see {@link Plan} for what may be in place. If the destination
   * is in a bound array that is an input, the next run starts from what this run wrote there.
   *
   * @param output an array that the plan writes
   * @param destination elements of its type, at least as long as the output
   * @throws IllegalArgumentException if there is no such output, it is bound to an array, or the
   *     destination is of another type or read-only
   * @throws IllegalStateException if the destination's arena is closed
   */
  public Plan into(String output, Elements destination) {
    Objects.requireNonNull(output, "output");
    Objects.requireNonNull(destination, "destination");
    Map<String, Elements> into = Map.of(output, destination);
    return locked(() -> take(arguments.with(Map.of(), into), into));
  }

  /** Continues with {@code next}, in which {@code into} is new. */
  private Plan take(Arguments next, Map<String, Elements> into) {
    into.forEach((output, place) -> loaded.setDestination(output, place.segment()));
    arguments = next;
    return this;
  }

  /**
   * Tells the plan that elements of a bound array have changed, and which part of the array is the
   * input from now on. An output bound to the same array begins there, too.
   *
   * @param input the name of an input that was added with its array
   * @param from the index of the first element
   * @param to the index after the last element
   * @throws IllegalArgumentException if the input is not bound to an array
   * @throws IndexOutOfBoundsException if the range is not within the array
   */
  public Plan changed(String input, int from, int to) {
    return locked(
        () -> {
          arguments = arguments.changed(input, from, to);
          arguments.placeArray(loaded, input);
          return this;
        });
  }

  /**
   * Runs on the inputs in {@code given}, and on the others as they are set, and returns the
   * outputs. Elements in {@code given} are for this run alone, and replace those that were set:
   * pass them to the next run again, or {@linkplain #set set} the input. On the JVM the run reads
   * them where they are.
   */
  public Results run(Map<String, Elements> given) {
    return run(given, Map.of());
  }

  /**
   * Runs on the inputs as they are set.
   *
   * @throws IllegalStateException if an input has not been set, or was passed to a run since, the
   *     plan or its Funnel is closed, or an operator calls this while its Funnel is running that
   *     operator
   * @throws IllegalArgumentException if inputs of one operation must be equally long and are not,
   *     or the number of samples is not a multiple of {@linkplain Histogram#channels channels}; as
   *     a {@link funnel.scan.SegmentOffsetsException} if offsets of segments decrease or lie
   *     outside the input; as a {@link funnel.histogram.KeyOutsideException} if a key has no bin;
   *     as a {@link funnel.histogram.CounterOverflowException} if a count is too large for its
   *     type; as a {@link funnel.operator.OperatorLawException} if a user-defined operator, tried
   *     on 16 of the elements, is not associative over integers, or its identity changes one
   * @throws funnel.operation.FunnelDeviceException if the device fails or its kernels gave wrong
   *     results when they were checked
   */
  public Results run() {
    return run(Map.of());
  }

  /**
   * {@link #run(Map)} with destinations, which are set as by {@link #into}: they stay for later
   * runs. If this throws for a name, type, length or memory, nothing is set: the next run uses what
   * was set before. If the run itself fails, for example because a key has no bin, destinations
   * stay set, and the inputs in {@code given} must be passed again. If an operator throws, this
   * call throws the same exception, see {@link funnel.operator.OperatorThrewException}, once all
   * threads have stopped working for this run; the contents of the destinations are then undefined.
   *
   * @throws IllegalArgumentException for the reasons of {@link #set}, {@link #into} and {@link
   *     #run()}; if a destination is shorter than the output, or overlaps an input or another
   *     output without being {@linkplain Plan in place}
   */
  public Results run(Map<String, Elements> given, Map<String, Elements> into) {
    Objects.requireNonNull(given, "inputs");
    Objects.requireNonNull(into, "into");
    return locked(() -> runUnlocked(given, into, false));
  }

  /**
   * {@link #run(Map, Map)} for a single run: releases the caller's memory afterwards, so that
   * nothing is kept for another run in place, and puts arrays without a destination into new
   * memory, which later runs do not touch.
   *
   * @param like an operation that differs from the plan's only one at most in the values that its
   *     functions captured; null for that one
   */
  Results runOnce(
      @Nullable Operation like,
      Map<String, Elements> given,
      Map<String, Elements> into,
      Map<String, KeptArray> over) {
    return locked(
        () -> {
          if (!over.isEmpty()) {
            KeptArrays others = kept.over(program, over);
            loaded.lend(others);
            kept = others;
            arguments = arguments.over(others);
          }
          if (like != null) {
            take(added.keySet().iterator().next(), like);
          }
          return runUnlocked(given, into, true);
        });
  }

  /**
   * Gives the functions of an operation other values for all following runs; nothing is compiled.
   *
   * {@snippet class="funnel.docs.PlanSnippets" region="values"}
   *
   * @param output the name with which the operation was added
   * @param operation an operation that differs from that one at most in the values that its
   *     functions captured
   * @throws IllegalArgumentException if there is no such output, or the operations differ in more
   */
  public Plan set(String output, Operation operation) {
    Objects.requireNonNull(output, "output");
    Objects.requireNonNull(operation, "operation");
    return locked(
        () -> {
          Added now = added.get(output);
          if (now == null) {
            throw new IllegalArgumentException(
                "plan %s has no operation '%s'; there are %s"
                    .formatted(name, output, new TreeSet<>(added.keySet())));
          }
          if (!CapturedValues.ignoring(() -> operation.equals(now.operation()))) {
            throw new IllegalArgumentException(
                "operation '%s' of plan %s is %s, and %s differs in more than values that a lambda captured: make both by the same lambda of the source, with captured arrays of similar lengths"
                    .formatted(output, name, now.operation(), operation));
          }
          take(output, operation);
          return this;
        });
  }

  private void take(String output, Operation like) {
    Added now = Objects.requireNonNull(added.get(output));
    if (like.equals(now.operation())) {
      return;
    }
    Expansion expansion = like.expand(output, now.inputs());
    Map<String, Step> taken =
        expansion.primitives().stream().collect(Collectors.toMap(Primitive::id, Primitive::asIs));
    Map<String, Output> results =
        expansion.outputs().stream().collect(Collectors.toMap(Output::name, each -> each));
    List<Step> steps = program.steps();
    Program next =
        new Program(
            program.inputs(),
            List.of(
                new Routine(
                    steps.stream().map(step -> taken.getOrDefault(step.id(), step)).toList())));
    loaded.take(next);
    program = next;
    outputs = outputs.stream().map(each -> results.getOrDefault(each.name(), each)).toList();
    identities.take(next);
    added.put(output, new Added(like, now.inputs()));
  }

  /** {@link #runAsync(Map, Map)} without destinations. */
  public CompletableFuture<Results> runAsync(Map<String, Elements> given) {
    return runAsync(given, Map.of());
  }

  /**
   * Does {@link #run(Map, Map)} in a thread of its own, after all runs that were requested this way
   * before. Any other call of the plan, reading an array of its results included, and closing the
   * plan or its Funnel wait for the end of all runs that were requested before. Do not change the
   * elements until the run ends, which may be some time after a cancellation. The next run may
   * overwrite arrays that have no destination.
   *
   * @return the results, or the exception of the run; cancelling or completing it, as {@code
   *     orTimeout} does when the time is over, ends the run, see {@link Funnel#async}
   * @throws IllegalArgumentException if some memory is confined to a thread
   */
  public CompletableFuture<Results> runAsync(
      Map<String, Elements> given, Map<String, Elements> into) {
    Map<String, Elements> inputs = AsyncCalls.shared(given);
    Map<String, Elements> places = AsyncCalls.shared(into);
    return guard.request(
        () -> held.async().next(() -> lockedInTurn(() -> runUnlocked(inputs, places, false))));
  }

  private Results runUnlocked(
      Map<String, Elements> inputs, Map<String, Elements> into, boolean once) {
    CallChain.requireWanted(); // and not where inputs are half set
    try (LookedUp tables = LookedUp.of(program, guard)) {
      KeptArrays now = kept.with(program, tables.kept());
      return now.isEmpty()
          ? runOnArrays(inputs, into, once, tables, now)
          : now.locked(() -> runOnArrays(inputs, into, once, tables, now));
    } finally {
      arguments = arguments.over(kept); // what was looked up may be closed now
    }
  }

  private Results runOnArrays(
      Map<String, Elements> inputs,
      Map<String, Elements> into,
      boolean once,
      LookedUp tables,
      KeptArrays keptNow) {
    Map<String, Elements> given = new HashMap<>(inputs);
    given.putAll(tables.given());
    Arguments wanted = arguments.over(keptNow).with(given, into);
    Primitive.Lengths now = wanted.requireRunnable();
    if (!identities.isDone()) {
      Map<String, Elements> some = wanted.firstOfKept(OperatorTrial.MOST_ELEMENTS);
      some.putAll(wanted.inputs());
      guard.engine(() -> identities.run(some, given.keySet()));
    }
    Map<String, Elements> places = once ? wanted.places(now, loaded) : into;
    take(once ? wanted.with(Map.of(), places) : wanted, places);
    Map<String, MemorySegment> segments = new HashMap<>();
    given.forEach((input, elements) -> segments.put(input, elements.segment()));
    tables.kept().forEach((input, part) -> loaded.set(input, part.array()));
    lastLengths = null;
    runs++; // even a run that fails has overwritten arrays of the run before
    if (once) {
      try {
        guard.engine(() -> loaded.runAndRelease(segments));
      } finally {
        arguments = arguments.released();
      }
    } else {
      try {
        guard.engine(() -> loaded.run(segments));
      } finally {
        arguments = arguments.without(given.keySet());
      }
      arguments.placeOverwritten(loaded);
    }
    try {
      return results(now, places, once);
    } catch (RuntimeException | Error e) { // what was computed is of no use
      kept.begin();
      throw e;
    }
  }

  private Results results(Primitive.Lengths now, Map<String, Elements> places, boolean once) {
    Map<String, Object> values = new HashMap<>();
    Primitive.Lengths lengths = program.lengths(now, loaded::result);
    lastLengths = once ? null : lengths; // they refer to the inputs
    for (Output output : outputs) {
      int length = lengths.length(output.input());
      values.put(
          output.name(),
          length == 0 && !output.emptyReason().isEmpty()
              ? output.emptyReason()
              : output.finish().value(loaded::result, length));
    }
    long run = runs;
    Map<String, Results.Written> arrays = new HashMap<>();
    for (String array : arguments.outputs()) {
      if (kept.has(array)) {
        continue;
      }
      int length = lengths.length(array);
      ElementType type = arguments.output(array).type();
      Elements place =
          once ? places.computeIfAbsent(array, _ -> Elements.allocate(type, length)) : null;
      arrays.put(
          array,
          new Results.Written(
              type,
              length,
              place == null
                  ? elements -> fetch(run, array, elements)
                  : elements -> elements.copyFrom(place.range(0, length).segment()),
              place == null ? null : place.range(0, length)));
    }
    return new Results(values, arrays, arguments.inputNames());
  }

  /** Copies an array that a run wrote, unless a later run has overwritten it. */
  private void fetch(long run, String output, MemorySegment elements) {
    locked(
        () -> {
          if (run != runs) {
            throw new IllegalStateException(
                "output %s of plan %s was overwritten by a later run: read arrays before it, or give them a destination"
                    .formatted(output, name));
          }
          loaded.fetch(output, elements);
          return this;
        });
  }

  /**
   * Adds this plan's tasks to a TornadoVM task graph of the caller, whose execution plan runs them
   * together with the caller's own tasks.
   *
   * <p>Call it at the place in the graph where the operations are to run. Inputs are TornadoVM
   * arrays of the caller, which earlier tasks of the graph may write; the caller declares their
   * transfers. Name every array in a transfer, with {@code UNDER_DEMAND} where nothing is to be
   * copied: TornadoVM pins the memory of all arrays but unpins only those that are named in a
   * transfer. Memory that is freed while it is pinned silently corrupts later transfers of arrays
   * that get the same addresses. Run the plan itself once to have its kernels checked on the
   * device: an execution of the graph does not. Scans take the form that never gives up waiting.
   * What a run of this plan would throw for its inputs, {@link GraphResults#requireSound} throws
   * after an execution.
   *
   * <p>Tasks are named after the outputs; a plan whose names another plan of the graph has, or
   * which is added twice, gets others. So add all plans of a graph with one scheduler.
   *
   * {@snippet class="funnel.docs.TaskGraphSnippets" region="compose"}
   *
   * @param graph a graph that is not frozen yet
   * @param scheduler the scheduler that its execution plan will use
   * @param arrays an array for every input, at most as long as the input's capacity; and arrays for
   *     outputs, which this call allocates otherwise
   * @return the arrays that hold the results
   * @throws IllegalArgumentException if an array is missing, of another type, or too long, or an
   *     output's array overlaps another array without being {@linkplain Plan in place}
   */
  public GraphResults addTo(
      TaskGraph graph, GridScheduler scheduler, Map<String, ? extends TornadoNativeArray> arrays) {
    Objects.requireNonNull(graph, "graph");
    Objects.requireNonNull(scheduler, "scheduler");
    Objects.requireNonNull(arrays, "arrays");
    arrays.keySet().stream()
        .filter(n -> !arguments.outputs().contains(n))
        .forEach(arguments::input);
    return locked(
        () -> {
          arrays.forEach(loaded::requireReach);
          return GraphResults.add(name, program, graph, scheduler, arrays, outputs);
        });
  }

  /** The plan's name. */
  public String name() {
    return name;
  }

  /**
   * The plan's name, its inputs with their capacities, its operations, and whether it is closed:
   * {@code plan sums: x INT[1000]; y = inclusive scan by sum of x}.
   */
  @Override
  public String toString() {
    return held.isClosed() ? description + "; closed" : description;
  }

  /** Bytes that the plan's arrays take on the device; 0 on the JVM. */
  public long deviceBytes() {
    return loaded.deviceBytes();
  }

  /**
   * Switches the measurements of {@link #kernelNanos} and {@link #profile} on or off. On a device
   * they make runs slower, in all plans of the process.
   */
  public void measureKernels(boolean on) {
    locked(
        () -> {
          loaded.measureKernels(on);
          return this;
        });
  }

  /**
   * The sum of the times in the {@link #profile} of the last run in nanoseconds if it was measured,
   * else -1.
   */
  public long kernelNanos() {
    return locked(loaded::kernelNanos);
  }

  /**
   * The time, bytes and launches of each operation in the last run, and the kernels that were
   * compiled for this plan.
   *
   * @throws IllegalStateException if there was no run, the last run failed, or {@link
   *     #measureKernels} was not on
   */
  public Profile profile() {
    return locked(
        () -> {
          List<PrimitiveTime> times = loaded.times();
          if (lastLengths == null || times.isEmpty()) {
            throw new IllegalStateException(
                "no run of plan %s was measured: call measureKernels(true), then run"
                    .formatted(name));
          }
          return Profile.of(program, operations, lastLengths, times, loaded.kernels());
        });
  }

  /** Acts after the runs that were requested before. */
  private <T> T locked(Supplier<T> action) {
    awaitRequested();
    return lockedInTurn(action);
  }

  /** Waits outside all locks, which the runs take. */
  private void awaitRequested() {
    guard.requireOutside();
    held.async().await();
  }

  private <T> T lockedInTurn(Supplier<T> action) {
    return guard.call(() -> held.locked(action));
  }

  /**
   * Frees the plan's arrays, or keeps them for the next plan of its kind as long as there is room;
   * closing the Funnel frees them all. Waits for a run in progress, and for those that were
   * requested; closing again does nothing. A plan that is never closed is freed by the garbage
   * collector, which may be late, with a warning that names it.
   */
  @Override
  public void close() {
    awaitRequested();
    held.close();
    cleanable.clean();
  }
}
