package funnel;

import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.histogram.Histogram;
import funnel.histogram.ScatterReduce;
import funnel.histogram.Uncounted;
import funnel.io.Source;
import funnel.operation.Device;
import funnel.operation.EngineUnavailableException;
import funnel.operation.Operation;
import funnel.operation.Target;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.SegmentedScan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Parallel primitives on a GPU, or on the JVM where there is none, with the same calls and the same
 * results bit for bit.
 *
 * {@snippet class="funnel.docs.QuickStart" region="quick-start"}
 *
 * <p>One-shot calls such as {@link #sum(int[])} copy their input to the device, run, and return;
 * their plans are kept for the next call of the same kind, within limits. For work that is done
 * many times, or on data that stays on the device, build a {@link Plan}. What a closed plan leaves
 * on the device is kept for the next one of its kind, until there is want of memory.
 *
 * <p>{@link #run(Operation, Elements...)} is the call for any operation. The others are shorter.
 *
 * <p>{@link Elements}, which may be a part of an array or of a file, are taken as arrays are by the
 * calls whose result is of one type, such as {@link #sumAsLong(Elements)}. Where the result has the
 * elements' own type, as a sum, a minimum or a dot product, it is {@link #reduce(Elements,
 * Reduction)} that gives it, as a Number.
 *
 * <p>Thread-safe. {@link #close} waits for calls in progress; any call afterwards is an
 * IllegalStateException. So is a call by an operator or transform that this Funnel is running,
 * which would wait for itself: another Funnel may be used there. What an operator throws, the call
 * throws as it is when none of its threads works any more; see {@link
 * funnel.operator.OperatorThrewException}.
 */
public final class Funnel
    implements IntShortcuts, LongShortcuts, FloatShortcuts, DoubleShortcuts, AutoCloseable {

  /** Property that forces an engine: {@code jvm}, {@code tornado} or {@code emulator}. */
  public static final String ENGINE_PROPERTY = "funnel.engine";

  /** What the parameter {@code into} holds before the call. */
  private static final String INTO_BEFORE = "into_before";

  private final Engine engine;
  private final SequencedMap<Device, Engine> devices;
  private final Guard guard = new Guard();
  private final Set<GuardedProgram> programs = ConcurrentHashMap.newKeySet();
  final PlanCache cache = OneShotCalls.cache();
  private final Set<Plan> open = ConcurrentHashMap.newKeySet();

  private final JvmEngine jvm = new JvmEngine();
  private final @Nullable Placement placement;
  private final OneShotCalls calls;

  private Funnel(EngineChoice choice) {
    this.engine = choice.engine();
    this.devices = choice.devices();
    this.placement = choice.placement();
    this.calls = new OneShotCalls(this, engine, jvm, placement, guard);
  }

  /**
   * Opens the best engine: the one that the property {@value #ENGINE_PROPERTY} names, else the
   * device if TornadoVM finds one, else the JVM. Which and why is logged.
   *
   * <p>Beside a device the JVM engine is open too, and each one-shot call runs where it is expected
   * to be done first, by what earlier calls took and by the link to the device, with the same bits:
   * {@link #details} has the figures, and each choice is logged at level debug. An operator or
   * transform of yours over floating-point numbers always runs on the device. With a property or a
   * target that names the engine, all calls run on that one.
   *
   * @throws EngineUnavailableException if the property names an engine that cannot be had
   * @throws IllegalArgumentException if the property names no engine
   */
  public static Funnel open() {
    return new Funnel(EngineChoice.byProperty(ENGINE_PROPERTY));
  }

  /**
   * Opens the first of several engines that can be had.
   *
   * @param targets the engines, best first
   * @throws EngineUnavailableException if none can be had: of a single target, as its engine says
   *     it; of several, with the reason of each
   * @throws IllegalArgumentException if no target is given
   */
  public static Funnel open(Target... targets) {
    return new Funnel(EngineChoice.of(false, targets));
  }

  /**
   * The devices of this process, in the order of their numbers; none without TornadoVM. Those that
   * cannot be used {@linkplain Device#refusal say why}.
   */
  public static List<Device> devices() {
    return EngineChoice.found();
  }

  /**
   * Opens one or more devices, all of them or none, whatever the property says. What goes
   * {@linkplain #over through pieces} is spread over all of them, with the same results as on one,
   * bit for bit; a plan is on one, the first unless {@linkplain #plan(String, Device) another is
   * named}. So are one-shot calls, but for those of 2^26 elements and more whose bits do not depend
   * on how they are cut into pieces: reductions and scans of integers, or by minimum or maximum,
   * histograms, and selections by flags into memory that is given, all without functions of yours.
   *
   * {@snippet class="funnel.docs.StreamSnippets" region="devices"}
   *
   * @param devices some of {@link #devices()}
   * @throws EngineUnavailableException if one cannot be used, or another one does its work
   * @throws IllegalArgumentException if none is given, one is given twice, or is no device
   */
  public static Funnel open(Device... devices) {
    return new Funnel(EngineChoice.of(devices));
  }

  /** Over engines that there are, by their devices. */
  static Funnel of(SequencedMap<Device, Engine> devices) {
    return new Funnel(EngineChoice.of(devices));
  }

  /** What pieces are spread over, by their devices; one that has none stands for itself. */
  SequencedMap<Device, Engine> engines() {
    return devices;
  }

  /** What this runs on. */
  public Target target() {
    return engine.target();
  }

  /** The engine in one line: devices and how they are reached. */
  public String description() {
    String first = engine.description();
    return devices.size() > 1 ? "%d devices, the first %s".formatted(devices.size(), first) : first;
  }

  /**
   * Device, versions and limits by name, in a fixed order. On a device, {@code kept programs} says
   * how many plans found what a closed one of their kind had left (hits), how many did not
   * (misses), and how many programs are kept now, with the bytes that they take there; {@code link}
   * says what the link to it carries, which is measured for that if it was not yet. Of several
   * devices it is the first that this is about, and {@code devices} says which there are.
   */
  public Map<String, String> details() {
    Map<String, String> details = new LinkedHashMap<>(engine.details());
    if (placement != null) {
      details.put("one-shot calls", placement.details());
    }
    if (devices.size() > 1) {
      details.put(
          "devices", String.join("; ", devices.keySet().stream().map(Device::toString).toList()));
    }
    return details;
  }

  /**
   * Starts a plan.
   *
   * @param name for messages: a letter, then letters, digits and single underscores, at most 100
   *     characters
   * @throws IllegalArgumentException if the name is malformed or too long
   */
  public Plan.Builder plan(String name) {
    return plan(name, engine);
  }

  /**
   * Starts a plan on one of the devices that this was opened on.
   *
   * @param name as in {@link #plan(String)}
   * @throws IllegalArgumentException besides, if this was not opened on that device
   */
  public Plan.Builder plan(String name, Device device) {
    Engine on = devices.get(Objects.requireNonNull(device, "device"));
    if (on == null) {
      throw new IllegalArgumentException(
          "this Funnel was not opened on device %s: it has %s".formatted(device, devices.keySet()));
    }
    return plan(name, on);
  }

  /** Starts a plan on an engine of this one's. */
  Plan.Builder plan(String name, Engine on) {
    return guard.call(() -> new Plan.Builder(name, on, guard, open));
  }

  /**
   * A source of any length, such as a file, piece by piece: {@code
   * funnel.over(file).reduce(Reduction.sum())}. Nothing is read before it is asked for a result.
   *
   * @throws IllegalStateException if this Funnel is closed
   */
  public ElementStream over(Source source) {
    Objects.requireNonNull(source, "source");
    return guard.call(() -> new ElementStream(this, source));
  }

  /** Starts a plan on the JVM, whatever the engine: for what pieces of a stream have come to. */
  Plan.Builder planOnJvm(String name) {
    return plan(name, jvm);
  }

  /** All one-shot calls end here; {@code names} are those of {@code inputs}. */
  private Results once(
      String call,
      String output,
      Operation operation,
      Map<String, Elements> into,
      List<String> names,
      Elements... inputs) {
    return calls.once(new OneShotCalls.Call(call, output, operation, names), into, inputs);
  }

  /**
   * One run of any operation, ours or one of your own: its outputs are {@code result}, and those
   * whose names begin with it, as the operation says.
   *
   * {@snippet class="funnel.docs.ResultsSnippets" region="run"}
   *
   * <p>The call returns when all is computed, and {@link Results} stay as they are, arrays too:
   * these are in memory of their own, of which each reading makes a copy. Messages call the inputs
   * {@code input1}, {@code input2} and so on. What an empty input, NaN or an overflow comes to is
   * the operation's to say.
   *
   * <p>Calls with equal operations over inputs of the same types and similar lengths share a plan;
   * all operations here are equal if they compute the same. One of your own should be a record, or
   * have {@code equals} and {@code hashCode} otherwise: without, a plan is built for each object.
   *
   * @param inputs in the order that the operation says
   * @throws IllegalArgumentException if the inputs are too few, too many, or of types or lengths
   *     that do not go with the operation or each other; and as {@link Plan#run()} does
   * @throws funnel.operation.FunnelMemoryException if inputs and outputs do not fit on the device
   * @throws funnel.operation.FunnelDeviceException if the device failed or a kernel does not
   *     compile
   */
  @Override
  public Results run(Operation operation, Elements... inputs) {
    return run(operation, Map.of(), inputs);
  }

  /**
   * The same with arrays put into memory of the caller's: a prefix sum in place is {@code
   * funnel.run(Scan.inclusive(Operator.SUM), Map.of("result", values), values)}.
   *
   * @param into elements by the names of arrays that the operation writes, at least as many as
   *     there will be, of the array's type; they may be the very elements of an input where the
   *     operation allows that. {@link Results} read such an array from there. An array that is not
   *     named has memory of its own
   * @param inputs in the order that the operation says
   * @throws IllegalArgumentException besides, if the operation writes no array of a name, or its
   *     destination is too short, of another type, read-only, or overlaps an input or another one
   */
  @Override
  public Results run(Operation operation, Map<String, Elements> into, Elements... inputs) {
    Objects.requireNonNull(operation, "operation");
    Objects.requireNonNull(into, "into");
    int count = Objects.requireNonNull(inputs, "inputs").length;
    List<String> names = IntStream.rangeClosed(1, count).mapToObj(i -> "input" + i).toList();
    return once("run", "result", operation, into, names, inputs);
  }

  /**
   * Makes calls in a thread of their own: one-shot calls of this Funnel, runs of its plans,
   * streams, a heat solver's steps.
   *
   * {@snippet class="funnel.docs.PlanSnippets" region="async"}
   *
   * <p>Whoever completes the future first ends the calls: {@code cancel}, or {@code orTimeout} with
   * a limit of time. That is seen on the JVM between operations, and within one between the tasks
   * that it is dealt to the cores in; in the emulator between blocks; in a stream between pieces.
   * On a device it is seen between pieces of 16 to 64 MiB that are copied, and before the launches
   * of a run, which go to the device together: those that have begun are never ended early. The
   * future is complete at once whatever the calls do; they end later, and until then they may write
   * into memory that they were given. A run that is ended has come to nothing, as one that fails:
   * see {@link Plan#run(Map, Map)}.
   *
   * @param calls may throw anything, which the future is then completed with
   * @throws IllegalStateException if this Funnel is closed
   */
  public <T> CompletableFuture<T> async(Callable<? extends T> calls) {
    Objects.requireNonNull(calls, "calls");
    return guard.call(() -> new AsyncCalls().next(calls));
  }

  /**
   * One reduction of elements.
   *
   * @return an Integer, Long, Float or Double, see {@link Reduction#resultType}
   * @throws java.util.NoSuchElementException if the input is empty and the reduction has no value
   *     then
   * @throws IllegalArgumentException if the reduction has no meaning on the elements' type, or has
   *     several outputs: then use {@link #run(Operation, Elements...)}
   */
  @Override
  public Number reduce(Elements elements, Reduction reduction) {
    if (Objects.requireNonNull(reduction, "reduction").takesTwoInputs()) {
      throw new IllegalArgumentException(
          "%s takes two inputs: call reduce(first, second, reduction)".formatted(reduction));
    }
    return reduce(reduction, List.of("elements"), elements);
  }

  /**
   * One reduction of two inputs of equal length, such as {@link Reduction#dot}.
   *
   * @throws IllegalArgumentException if the inputs differ in type or length, or the reduction takes
   *     one input
   */
  public Number reduce(Elements first, Elements second, Reduction reduction) {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(second, "second");
    if (!Objects.requireNonNull(reduction, "reduction").takesTwoInputs()) {
      throw new IllegalArgumentException(
          "%s takes one input: call reduce(elements, reduction)".formatted(reduction));
    }
    if (first.type() != second.type() || first.length() != second.length()) {
      throw new IllegalArgumentException(
          "inputs of %s differ: first=%s, second=%s".formatted(reduction, first, second));
    }
    return reduce(reduction, List.of("first", "second"), first, second);
  }

  private Number reduce(Reduction reduction, List<String> names, Elements... inputs) {
    if (reduction.isPairOfElements()) {
      throw new IllegalArgumentException(
          "%s has two outputs: call run(reduction, elements), or build a plan, and read both"
              .formatted(reduction));
    }
    return once("reduce", "result", reduction, Map.of(), names, inputs).get("result");
  }

  /**
   * One scan of elements into memory of the caller's.
   *
   * @param elements the input
   * @param scan what to compute
   * @param into where the results go: at least as many elements, of the scan's result type; the
   *     input's own elements for a scan in place, otherwise apart from them
   * @return the total, an Integer, Long, Float or Double
   * @throws IllegalArgumentException if the scan has no meaning on the elements' type or takes its
   *     initial value from an input; if {@code into} is too short, of another type, or overlaps the
   *     input without being it
   */
  @Override
  public Number scan(Elements elements, Scan scan, Elements into) {
    if (Objects.requireNonNull(scan, "scan").isContinuing()) {
      throw new IllegalArgumentException(
          "%s takes its initial value from an input: call run(scan, elements, initial), or build a plan"
              .formatted(scan));
    }
    return scan(scan, into, List.of("elements"), elements);
  }

  /**
   * One segmented scan of elements into memory of the caller's.
   *
   * @param elements the values
   * @param segments what says where segments begin
   * @param scan what to compute
   * @param into where the results go: at least as many elements, of the values' type
   * @return what the last segment came to
   * @throws IllegalArgumentException if types or lengths do not go together, or offsets descend or
   *     leave the values; if {@code into} overlaps what is read without being {@linkplain
   *     SegmentedScan in place}
   */
  public Number scan(Elements elements, Elements segments, SegmentedScan scan, Elements into) {
    Objects.requireNonNull(scan, "scan");
    return scan(scan, into, List.of("elements", "segments"), elements, segments);
  }

  private Number scan(Operation scan, Elements into, List<String> names, Elements... inputs) {
    Objects.requireNonNull(into, "into");
    return once("scan", "into", scan, Map.of("into", into), names, inputs).get("into_total");
  }

  /**
   * One histogram of samples into memory of the caller's.
   *
   * @param samples the samples
   * @param histogram what to count
   * @param into where the counters go: at least as many as the histogram has, of their type; what
   *     it is {@linkplain Histogram#accumulating added to}, if it is
   * @return how many samples are in no bin
   * @throws IllegalArgumentException if the histogram is not for the samples' type or takes
   *     weights; if the histogram's channels do not divide their number; if {@code into} is too
   *     short, of another type, or overlaps the samples
   * @throws funnel.histogram.KeyOutsideException if a sample is no key; {@code into} is as it was
   * @throws funnel.histogram.CounterOverflowException if a counter's type does not hold its sum;
   *     {@code into} is as it was
   */
  public Uncounted histogram(Elements samples, Histogram histogram, Elements into) {
    Objects.requireNonNull(into, "into");
    if (Objects.requireNonNull(histogram, "histogram").isWeighted()) {
      throw new IllegalArgumentException(
          "%s takes weights as well: give them, or build a plan".formatted(histogram));
    }
    return histogram(histogram, into, samples);
  }

  /**
   * One weighted histogram of samples into memory of the caller's.
   *
   * @param samples the samples
   * @param weights an int, long, float or double for each
   * @param histogram what to sum up
   * @param into where the sums go: at least as many as the histogram has counters, of its
   *     {@linkplain Histogram#sumType sums' type}; what it is {@linkplain Histogram#accumulating
   *     added to}, if it is
   * @return how many samples are in no bin
   * @throws IllegalArgumentException if the histogram is not for the samples' type or takes no
   *     weights; if there are not as many weights as samples, or of no such type; if {@code into}
   *     is too short, of another type, or overlaps what is read
   * @throws funnel.histogram.KeyOutsideException if a sample is no key; {@code into} is as it was
   */
  public Uncounted histogram(
      Elements samples, Elements weights, Histogram histogram, Elements into) {
    Objects.requireNonNull(into, "into");
    if (!Objects.requireNonNull(histogram, "histogram").isWeighted()) {
      throw new IllegalArgumentException(
          "%s takes no weights: call weighted() on it".formatted(histogram));
    }
    return histogram(histogram, into, samples, weights);
  }

  private Uncounted histogram(Histogram histogram, Elements into, Elements... inputs) {
    List<String> names = new ArrayList<>(List.of("samples", "weights").subList(0, inputs.length));
    List<Elements> given = new ArrayList<>(Arrays.asList(inputs));
    Elements counters = into.range(0, Math.min(into.length(), histogram.counters()));
    if (histogram.isAccumulating()) {
      names.add(INTO_BEFORE);
      given.add(counters);
    }
    Map<String, Elements> places = Map.of("into", counters);
    Results results =
        once("histogram", "into", histogram, places, names, given.toArray(Elements[]::new));
    return histogram.isByKeys()
        ? new Uncounted(0, 0, 0)
        : new Uncounted(
            results.getLong("into_below"),
            results.getLong("into_above"),
            results.getLong("into_nan"));
  }

  /**
   * One scatter reduction: values are combined into elements of the caller's, each at its index.
   *
   * @param indices an int for each value
   * @param values the values
   * @param scatter what to compute
   * @param into what the values are combined into, of the {@linkplain ScatterReduce#resultType
   *     result's type}
   * @throws IllegalArgumentException if types or lengths do not go together, or {@code into}
   *     overlaps what is read
   * @throws funnel.transform.IndexOutsideException if an index is not from 0 below the length of
   *     {@code into}, which is as it was
   */
  public void scatterReduce(
      Elements indices, Elements values, ScatterReduce scatter, Elements into) {
    Objects.requireNonNull(scatter, "scatter");
    Objects.requireNonNull(into, "into");
    List<String> names = List.of("indices", "values", INTO_BEFORE);
    var _ =
        once("scatterReduce", "into", scatter, Map.of("into", into), names, indices, values, into);
  }

  /** The numbers of bytes of each value, see {@link Histogram#ofBytes}: value 255 is byte -1. */
  public int[] histogram(byte[] bytes) {
    int[] counts = new int[256];
    var _ = histogram(Elements.of(bytes), Histogram.ofBytes(), Elements.of(counts));
    return counts;
  }

  /** The sum as a long, which cannot overflow; 0 if {@code values} is empty. */
  public long sumAsLong(int[] values) {
    return sumAsLong(Elements.of(values));
  }

  /** The sum as a double; 0 if {@code values} is empty. */
  public double sumAsDouble(float[] values) {
    return sumAsDouble(Elements.of(values));
  }

  /**
   * The sum as a long, which cannot overflow for bytes and ints; 0 if {@code elements} is empty.
   *
   * @throws IllegalArgumentException if the elements are floats or doubles
   */
  public long sumAsLong(Elements elements) {
    return (Long) reduce(elements, Reduction.sumAsLong());
  }

  /** The sum as a double, each element widened first; 0 if {@code elements} is empty. */
  public double sumAsDouble(Elements elements) {
    return (Double) reduce(elements, Reduction.sumAsDouble());
  }

  /**
   * The arithmetic mean.
   *
   * @throws java.util.NoSuchElementException if {@code elements} is empty
   */
  public double mean(Elements elements) {
    return (Double) reduce(elements, Reduction.mean());
  }

  /**
   * The index of the smallest element, the first one on ties.
   *
   * @throws java.util.NoSuchElementException if {@code elements} is empty
   */
  public int argMin(Elements elements) {
    return (Integer) reduce(elements, Reduction.argMin());
  }

  /**
   * The index of the largest element, the first one on ties.
   *
   * @throws java.util.NoSuchElementException if {@code elements} is empty
   */
  public int argMax(Elements elements) {
    return (Integer) reduce(elements, Reduction.argMax());
  }

  /**
   * The sum of products, as a double; 0 if the arrays are empty.
   *
   * @throws IllegalArgumentException if the arrays differ in length
   */
  public double dot(float[] first, float[] second) {
    return (Double) reduce(Elements.of(first), Elements.of(second), Reduction.dot());
  }

  /**
   * The sum of products; 0 if the arrays are empty.
   *
   * @throws IllegalArgumentException if the arrays differ in length
   */
  public double dot(double[] first, double[] second) {
    return (Double) reduce(Elements.of(first), Elements.of(second), Reduction.dot());
  }

  /**
   * Loads a program of routines that share resident arrays, as a simulation needs them; what {@link
   * #plan} can say is better said there. It is used by one thread at a time, and closed with this
   * Funnel unless it was before.
   *
   * @throws funnel.operation.FunnelMemoryException if its arrays do not fit on the device
   * @throws funnel.operation.FunnelDeviceException if a kernel does not compile
   * @throws IllegalStateException if this Funnel is closed
   */
  public LoadedProgram load(Program program) {
    Objects.requireNonNull(program, "program");
    return guard.call(() -> new GuardedProgram(engine.load(program, Map.of()), guard, programs));
  }

  /**
   * Waits for calls in progress, then frees all plans, what is kept of closed ones, and the engine.
   *
   * @throws IllegalStateException if an operator or transform calls it that this Funnel is running
   */
  @Override
  public void close() {
    guard.close(
        () -> {
          cache.close();
          List.copyOf(open).forEach(Plan::close);
          List.copyOf(programs).forEach(GuardedProgram::close);
          engine.close();
          devices.values().stream().skip(1).forEach(Engine::close);
        });
  }
}
