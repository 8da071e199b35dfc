package funnel;

import funnel.array.Node;
import funnel.array.Reader;
import funnel.array.Ref;
import funnel.array.SpareArrays;
import funnel.call.Call;
import funnel.call.CallPlaces;
import funnel.call.EngineChoice;
import funnel.call.OneShotCalls;
import funnel.engine.Compilation;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.KeptArray;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.histogram.Histogram;
import funnel.histogram.ScatterReduce;
import funnel.histogram.Uncounted;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.operation.Device;
import funnel.operation.EngineUnavailableException;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Target;
import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import funnel.operator.Storage;
import funnel.plan.AsyncCalls;
import funnel.plan.Guard;
import funnel.plan.GuardedProgram;
import funnel.plan.Held;
import funnel.plan.Kept;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.SegmentedScan;
import funnel.stream.Plans;
import funnel.transform.Bits;
import funnel.transform.Elementwise;
import funnel.transform.Iota;
import funnel.transform.RandomNumbers;
import funnel.transform.Slice;
import funnel.transform.Widen;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parallel primitives on a GPU, or on the JVM where there is none, with the same calls and bits.
 *
 * {@snippet class="funnel.docs.QuickStart" region="quick-start"}
 *
 * <p>{@link #of(int[])} gives an {@link Array}: a description of what to compute, of functions,
 * sorts, groups and joins. When it is read, all that is needed is computed by one plan. {@link
 * #read} reads several arrays together, {@link Array#keep} computes one for many readings.
 *
 * <p>One-shot calls such as {@link #sum(int[])} are for one operation over your own memory: they
 * copy their input to the device, run, and return. Plans of readings and one-shot calls are kept,
 * within limits, for the next of the same kind. To manage runs and what stays on the device
 * yourself, build a {@link Plan}. The kernels and arrays of a closed plan stay on the device for
 * the next plan of the same kind, until memory runs short.
 *
 * <p>{@link #run(Operation, Elements...)} runs any operation; other one-shot calls are shorthands.
 *
 * <p>Calls whose result has a fixed type, such as {@link #sumAsLong(Elements)}, take {@link
 * Elements} as well as arrays: a part of an array or of a file, for example. Where the result has
 * the type of the elements, such as a sum, a minimum or a dot product, use {@link #reduce(Elements,
 * Reduction)}, which returns a Number.
 *
 * <p>Thread-safe. {@link #close} waits for calls in progress; any later call throws an
 * IllegalStateException. So does a call made by an operator or transform that this Funnel is
 * running, since it would wait for itself; it may use another Funnel. If an operator throws, the
 * call throws the same exception once all its threads have stopped; see {@link
 * funnel.operator.OperatorThrewException}.
 */
public final class Funnel
    implements IntShortcuts, LongShortcuts, FloatShortcuts, DoubleShortcuts, AutoCloseable {

  /** Property that forces an engine: {@code jvm}, {@code tornado} or {@code emulator}. */
  public static final String ENGINE_PROPERTY = "funnel.engine";

  private static final Logger LOG = LoggerFactory.getLogger(Funnel.class);

  /** The name of the input that holds the contents of {@code into} before the call. */
  private static final String INTO_BEFORE = "into_before";

  private final Engine engine;
  private final SequencedMap<Device, Engine> devices;
  private final Guard guard = new Guard();

  /** Plans, and programs. */
  private final Set<Held> open = ConcurrentHashMap.newKeySet();

  private final JvmEngine jvm = new JvmEngine();
  private final @Nullable CallPlaces placement;
  private final Plans plans = new PlansOfThis();
  final OneShotCalls calls;
  private final Engines engines;
  private final Reader reader;
  private final SpareArrays spares = new SpareArrays(KeptArray::close);
  private final Cleaner.Cleanable cleanable;

  private Funnel(EngineChoice choice) {
    this.engine = choice.engine();
    this.devices = choice.devices();
    this.engines = new Engines(choice);
    this.cleanable = Held.whenForgotten(guard, engines); // which the plans have, too
    this.placement = choice.placement();
    this.calls = new OneShotCalls(plans, this::over, placement, guard);
    this.reader = new Reader(new CallsOfThis());
    guard.spare(spares::free);
  }

  /** What is closed with the Funnel; if it is never closed, when it and its plans are collected. */
  private static final class Engines implements Runnable {
    private final EngineChoice choice;
    private volatile boolean closed;

    Engines(EngineChoice choice) {
      this.choice = choice;
    }

    void close() {
      closed = true;
      CallPlaces placement = choice.placement();
      if (placement != null) {
        placement.close();
      }
      choice.engine().close();
      choice.devices().values().stream().skip(1).forEach(Engine::close);
    }

    @Override
    public void run() {
      if (!closed) {
        LOG.warn(
            "a Funnel was never closed, and is freed only now: close it, as try (...) does ({})",
            choice.engine().description());
        close();
      }
    }
  }

  /**
   * Opens the best engine: the one that the property {@value #ENGINE_PROPERTY} names, else the
   * device if TornadoVM finds one, else the JVM. A line at level info says which, and why.
   *
   * <p>With a device, the JVM engine is open too. Each one-shot call, and each reading of arrays
   * that are not kept, then runs where it is expected to finish first, judged by the times of
   * earlier calls and the speed of the link to the device; the bits are the same. While kernels
   * that it needs are compiled in the background, the JVM answers, unless that would take longer
   * than the compiler. {@link #details} has the figures, and each choice is logged at level debug.
   * A user-defined operator or transform over floating-point numbers always runs on the device, and
   * so do plans and streams: they wait for the compiler. If a property or a target names the
   * engine, all calls run on that engine.
   *
   * @throws EngineUnavailableException if the property names an engine that is not available
   * @throws IllegalArgumentException if the property's value is not the name of an engine
   */
  public static Funnel open() {
    return new Funnel(EngineChoice.byProperty(ENGINE_PROPERTY));
  }

  /**
   * Opens the first of several engines that is available.
   *
   * @param targets the engines, best first
   * @throws EngineUnavailableException if none is available; the message gives the reason for each
   * @throws IllegalArgumentException if there is no target
   */
  public static Funnel open(Target... targets) {
    return new Funnel(EngineChoice.of(false, targets));
  }

  /**
   * The devices of this process, in the order of their numbers; empty without TornadoVM. A device
   * that cannot be used {@linkplain Device#refusal says why}.
   */
  public static List<Device> devices() {
    return EngineChoice.found();
  }

  /**
   * Opens one or more devices, all of them or none, whatever the property says. {@linkplain #over
   * Streams} are spread over all devices, with the same results as on one, bit for bit. A plan runs
   * on one device: the first, unless {@linkplain #plan(String, Device) another is named}. One-shot
   * calls run on the first device too, except those of 2^26 elements and more whose bits do not
   * depend on how the input is cut into pieces; these are spread over all devices. They are
   * reductions and scans of integers, or by minimum or maximum, histograms, and selections by flags
   * into the caller's memory, all without user-defined functions.
   *
   * {@snippet class="funnel.docs.StreamSnippets" region="devices"}
   *
   * @param devices some of {@link #devices()}
   * @throws EngineUnavailableException if a device cannot be used, or if a test shows that
   *     TornadoVM runs its work on another
   * @throws IllegalArgumentException if there is no device, one occurs twice, or one is not among
   *     {@link #devices()}
   */
  public static Funnel open(Device... devices) {
    return new Funnel(EngineChoice.of(devices));
  }

  /** Opens on engines that exist already. */
  static Funnel of(EngineChoice choice) {
    return new Funnel(choice);
  }

  /** The engine and backend that this runs on. */
  public Target target() {
    return engine.target();
  }

  /** The engine in one line: its devices and how they are reached. */
  public String description() {
    String first = engine.description();
    return devices.size() > 1 ? "%s devices, the first %s".formatted(devices.size(), first) : first;
  }

  /**
   * Device, versions and limits by name, in a fixed order. On a device, {@code kept programs} says
   * how many plans reused the program of a closed plan of their kind (hits), how many did not
   * (misses), and how many programs are kept now, with the device memory that they take; {@code
   * memory reserved} is the device memory that these and all open plans take together; {@code link}
   * gives the speed of the link to the device, which this call measures if it is not known yet;
   * {@code one-shot calls} says how many ran on the device and how many on the JVM, how many
   * kernels are being compiled, and how many kinds of calls stay on the JVM because they do not
   * compile. With several devices all this is about the first, and {@code devices} lists them all.
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
   * @param name for messages: a letter, then at most 99 letters, digits and single underscores
   * @throws IllegalArgumentException if the name is malformed or too long
   */
  public Plan.Builder plan(String name) {
    return plan(name, engine);
  }

  /**
   * Starts a plan on one of the devices that this was opened on.
   *
   * @param name as in {@link #plan(String)}
   * @throws IllegalArgumentException as in {@link #plan(String)}, or if this Funnel was not opened
   *     on that device
   */
  public Plan.Builder plan(String name, Device device) {
    Engine on = devices.get(Objects.requireNonNull(device, "device"));
    if (on == null) {
      throw new IllegalArgumentException(
          "this Funnel was not opened on device %s: it has %s".formatted(device, devices.keySet()));
    }
    return plan(name, on);
  }

  private Plan.Builder plan(String name, Engine on) {
    return guard.call(() -> new Plan.Builder(name, on, guard, open));
  }

  /**
   * An array as it is: a view, of which nothing is copied before something is read.
   *
   * {@snippet class="funnel.docs.ArraySnippets" region="chain"}
   */
  public Ints of(int... array) {
    return new Ints(this, given(Elements.of(array)));
  }

  /** An array as it is, like {@link #of(int[])}. */
  public Longs of(long... array) {
    return new Longs(this, given(Elements.of(array)));
  }

  /** An array as it is, like {@link #of(int[])}. */
  public Floats of(float... array) {
    return new Floats(this, given(Elements.of(array)));
  }

  /** An array as it is, like {@link #of(int[])}. */
  public Doubles of(double... array) {
    return new Doubles(this, given(Elements.of(array)));
  }

  /** An array as it is, like {@link #of(int[])}. */
  public Bytes of(byte... array) {
    return new Bytes(this, given(Elements.of(array)));
  }

  /** An array of shorts as ints: a view of it, like {@link #of(int[])}. */
  public Ints of(short... array) {
    return ints(array, Storage.INT16);
  }

  /** An array of chars as ints: a view of it, like {@link #of(int[])}. */
  public Ints of(char... array) {
    return ints(array, Storage.CHAR);
  }

  /** A copy of an array of booleans as flags, 1 for true. */
  public Bytes of(boolean... array) {
    return bytes(array, Storage.BOOL);
  }

  /**
   * Ints that are stored in fewer bytes: a view of an array, like {@link #of(int[])}. What goes to
   * a device is the array.
   *
   * {@snippet class="funnel.docs.ArraySnippets" region="stored"}
   *
   * @param array the array
   * @param storage what its numbers are, such as {@link Storage#UINT16}
   * @throws IllegalArgumentException if they are widened to another type than int, or there are
   *     more than 2<sup>30</sup> - 4 of 16 bits
   */
  public <A> Ints ints(A array, Storage<A> storage) {
    return new Ints(this, stored(array, storage, ElementType.INT));
  }

  /** Longs that are stored in fewer bytes, like {@link #ints(Object, Storage)}. */
  public <A> Longs longs(A array, Storage<A> storage) {
    return new Longs(this, stored(array, storage, ElementType.LONG));
  }

  /** Floats that are stored in fewer bytes, like {@link #ints(Object, Storage)}. */
  public <A> Floats floats(A array, Storage<A> storage) {
    return new Floats(this, stored(array, storage, ElementType.FLOAT));
  }

  /** Bytes that are stored in another form, like {@link #ints(Object, Storage)}. */
  public <A> Bytes bytes(A array, Storage<A> storage) {
    return new Bytes(this, stored(array, storage, ElementType.BYTE));
  }

  private <A> Ref stored(A array, Storage<A> storage, ElementType type) {
    requireType(type, storage.elements());
    boolean isNarrow = storage.isNarrow();
    ElementType given = isNarrow ? Widen.given(storage) : type;
    Ref stored = given(Elements.of(storage.memory(array), given));
    return isNarrow ? Node.of(Widen.from(storage), stored).output(type) : stored;
  }

  /**
   * Flags that are bits, a view of an array: flag {@code i} is bit {@code i % 64} of {@code words[i
   * / 64]}, the lowest bit first. What goes to a device are the bits.
   *
   * @param length the number of flags
   * @throws IllegalArgumentException if the length is negative, or there are fewer bits
   */
  public Bytes flags(long[] words, int length) {
    if (length > words.length * (long) Long.SIZE) {
      throw new IllegalArgumentException(
          "length=%s, but words=%s have only %s bits"
              .formatted(length, words.length, words.length * (long) Long.SIZE));
    }
    Elements bits = Elements.of(MemorySegment.ofArray(words), ElementType.INT);
    return new Bytes(this, Node.of(Bits.toFlags(length), given(bits)).output(ElementType.BYTE));
  }

  /**
   * A copy of the first {@code length} bits of a set as flags: 1, 0, 1 of {0, 2}.
   *
   * @throws IllegalArgumentException if the length is negative
   */
  public Bytes flags(BitSet bits, int length) {
    int words = Math.ceilDiv(Math.max(length, 0), Long.SIZE);
    return flags(Arrays.copyOf(bits.toLongArray(), words), length);
  }

  /**
   * Ints as they are, in an array or any other memory: a part of one, or a mapped file.
   *
   * @throws IllegalArgumentException if they are of another type
   */
  public Ints ints(Elements elements) {
    return new Ints(this, given(elements, ElementType.INT));
  }

  /** Longs as they are, like {@link #ints(Elements)}. */
  public Longs longs(Elements elements) {
    return new Longs(this, given(elements, ElementType.LONG));
  }

  /** Floats as they are, like {@link #ints(Elements)}. */
  public Floats floats(Elements elements) {
    return new Floats(this, given(elements, ElementType.FLOAT));
  }

  /** Doubles as they are, like {@link #ints(Elements)}. */
  public Doubles doubles(Elements elements) {
    return new Doubles(this, given(elements, ElementType.DOUBLE));
  }

  /** Bytes as they are, like {@link #ints(Elements)}. */
  public Bytes bytes(Elements elements) {
    return new Bytes(this, given(elements, ElementType.BYTE));
  }

  /**
   * Ints of a source, such as a file, which are read piece by piece: for sums and other values, and
   * arrays that {@link Array#write} writes. Nothing is read before.
   *
   * {@snippet class="funnel.docs.ArraySnippets" region="source"}
   *
   * @throws IllegalArgumentException if they are of another type
   */
  public Ints ints(Source source) {
    return new Ints(this, streamed(source, ElementType.INT));
  }

  /** Longs of a source, like {@link #ints(Source)}. */
  public Longs longs(Source source) {
    return new Longs(this, streamed(source, ElementType.LONG));
  }

  /** Floats of a source, like {@link #ints(Source)}. */
  public Floats floats(Source source) {
    return new Floats(this, streamed(source, ElementType.FLOAT));
  }

  /** Doubles of a source, like {@link #ints(Source)}. */
  public Doubles doubles(Source source) {
    return new Doubles(this, streamed(source, ElementType.DOUBLE));
  }

  /** Bytes of a source, like {@link #ints(Source)}. */
  public Bytes bytes(Source source) {
    return new Bytes(this, streamed(source, ElementType.BYTE));
  }

  private static Ref given(Elements elements) {
    return new Node.InMemory(elements, "").output(elements.type());
  }

  private static Ref streamed(Source source, ElementType type) {
    requireType(type, Objects.requireNonNull(source, "source").type());
    return new Node.Streamed(source, "").output(type);
  }

  private static void requireType(ElementType type, ElementType of) {
    if (of != type) {
      throw new IllegalArgumentException("the elements are of type %s, not %s".formatted(of, type));
    }
  }

  private static Ref given(Elements elements, ElementType type) {
    requireType(type, Objects.requireNonNull(elements, "elements").type());
    return given(elements);
  }

  /**
   * The ints from one up to another, as {@code IntStream.range} has them: 2, 3, 4 from 2 to 5.
   *
   * @throws IllegalArgumentException if they are more than an array has
   */
  public Ints range(int from, int to) {
    long length = Math.max(0, (long) to - from);
    if (length > Input.LARGEST_CAPACITY) {
      throw new IllegalArgumentException(
          "range(%s, %s) has length=%s, and an array at most %s elements"
              .formatted(from, to, length, Input.LARGEST_CAPACITY));
    }
    Iota iota = Iota.of(ElementType.INT, (int) length).from(from);
    return new Ints(this, Node.of(iota).ascending().output(ElementType.INT));
  }

  /** Random doubles from 0 below 1 that follow from the seed, see {@link RandomNumbers}. */
  public Doubles random(long seed, int length) {
    return random(RandomNumbers.of(ElementType.DOUBLE, seed, length));
  }

  private Doubles random(RandomNumbers numbers) {
    return new Doubles(this, Node.of(numbers).output(ElementType.DOUBLE));
  }

  /**
   * Random doubles from {@code origin} below {@code bound}, see {@link RandomNumbers#between}.
   *
   * @throws IllegalArgumentException if the origin is not less
   */
  public Doubles random(long seed, int length, double origin, double bound) {
    return random(RandomNumbers.of(ElementType.DOUBLE, seed, length).between(origin, bound));
  }

  /**
   * Random ints from {@code origin} below {@code bound}, all equally frequent.
   *
   * @throws IllegalArgumentException if the origin is not less
   */
  public Ints randomInts(long seed, int length, int origin, int bound) {
    RandomNumbers numbers = RandomNumbers.of(ElementType.INT, seed, length);
    return new Ints(this, Node.of(numbers.between(origin, bound)).output(ElementType.INT));
  }

  /** Exponentially distributed random doubles of mean 1, see {@link RandomNumbers#exponential}. */
  public Doubles randomExponential(long seed, int length) {
    return random(RandomNumbers.of(ElementType.DOUBLE, seed, length).exponential(1));
  }

  /**
   * Normally distributed random doubles of mean 0, variance 1, see {@link RandomNumbers#normal}.
   */
  public Doubles randomNormal(long seed, int length) {
    return random(RandomNumbers.of(ElementType.DOUBLE, seed, length).normal(0, 1));
  }

  /**
   * Random flags, 1 with a probability and else 0: Bernoulli trials.
   *
   * @throws IllegalArgumentException if the probability is not from 0 to 1
   */
  public Bytes randomFlags(long seed, int length, double probability) {
    RandomNumbers flags = RandomNumbers.flags(seed, length, probability);
    return new Bytes(this, Node.of(flags).output(ElementType.BYTE));
  }

  /**
   * A function of up to four arrays of any types, and of values of arrays, see {@link
   * funnel.transform.Elementwise#of}.
   *
   * {@snippet class="funnel.docs.ArraySnippets" region="normalise"}
   *
   * @param function a lambda of an interface of your own
   * @throws IllegalArgumentException if the function gives others than ints, or takes other
   *     operands
   */
  public Ints ints(ElementFunction function, Operand... operands) {
    return new Ints(this, applied(function, ElementType.INT, operands));
  }

  /** A function that gives longs, like {@link #ints(ElementFunction, Operand...)}. */
  public Longs longs(ElementFunction function, Operand... operands) {
    return new Longs(this, applied(function, ElementType.LONG, operands));
  }

  /** A function that gives floats, like {@link #ints(ElementFunction, Operand...)}. */
  public Floats floats(ElementFunction function, Operand... operands) {
    return new Floats(this, applied(function, ElementType.FLOAT, operands));
  }

  /** A function that gives doubles, like {@link #ints(ElementFunction, Operand...)}. */
  public Doubles doubles(ElementFunction function, Operand... operands) {
    return new Doubles(this, applied(function, ElementType.DOUBLE, operands));
  }

  /** A function that gives booleans, 1 or 0, like {@link #ints(ElementFunction, Operand...)}. */
  public Bytes flags(ElementFunction function, Operand... operands) {
    return new Bytes(this, applied(function, ElementType.BYTE, operands));
  }

  /**
   * Any operation whose output is an array of ints, one of this library or your own.
   *
   * {@snippet class="funnel.docs.ArraySnippets" region="operation"}
   *
   * @param operands its inputs, in the order that it documents
   */
  public Ints ints(Operation operation, Operand... operands) {
    return new Ints(this, applied(operation, ElementType.INT, operands));
  }

  /** An operation whose output is longs, like {@link #ints(Operation, Operand...)}. */
  public Longs longs(Operation operation, Operand... operands) {
    return new Longs(this, applied(operation, ElementType.LONG, operands));
  }

  /** An operation whose output is floats, like {@link #ints(Operation, Operand...)}. */
  public Floats floats(Operation operation, Operand... operands) {
    return new Floats(this, applied(operation, ElementType.FLOAT, operands));
  }

  /** An operation whose output is doubles, like {@link #ints(Operation, Operand...)}. */
  public Doubles doubles(Operation operation, Operand... operands) {
    return new Doubles(this, applied(operation, ElementType.DOUBLE, operands));
  }

  /** An operation whose output is bytes, like {@link #ints(Operation, Operand...)}. */
  public Bytes bytes(Operation operation, Operand... operands) {
    return new Bytes(this, applied(operation, ElementType.BYTE, operands));
  }

  private Ref applied(Operation operation, ElementType type, Operand... operands) {
    return Node.of(operation, Operand.refs(this, operands)).output(type);
  }

  private Ref applied(ElementFunction function, ElementType type, Operand... operands) {
    Elementwise of = Elementwise.of("function", function);
    if (of.outputType() != type) {
      throw new IllegalArgumentException(
          "the function gives %s, not %s".formatted(of.outputType(), type));
    }
    return applied((Operation) of, type, operands);
  }

  /** The rows of columns that are equally long. */
  public Table table(Array<?, ?>... columns) {
    return Table.of(this, List.of(Operand.refs(this, columns)));
  }

  /**
   * The rows of objects of a record class: a column for each component, of its name.
   *
   * {@snippet class="funnel.docs.ArraySnippets" region="records"}
   *
   * @throws IllegalArgumentException if a component is no int, long, float, double or byte
   */
  public <R extends Record> Table table(Class<R> type, List<? extends R> rows) {
    Records<R> records = new Records<>(type);
    return Table.of(
        this,
        records.components().stream()
            .map(each -> new Node.InMemory(records.column(each, rows), each.getName()))
            .map(given -> given.output(given.elements().type()))
            .toList());
  }

  /**
   * Computes several arrays and values together, by one plan, and what they share once.
   *
   * {@snippet class="funnel.docs.ArraySnippets" region="together"}
   */
  public Reading read(Operand... operands) {
    return new Reading(answer(List.of(Operand.refs(this, operands))));
  }

  Reader.Answer answer(List<Ref> wanted) {
    return reader.read(wanted);
  }

  long write(Ref array, Sink sink) throws IOException {
    return reader.write(array, Objects.requireNonNull(sink, "sink"));
  }

  /**
   * Computes two arrays together, and what a function makes of them, such as a record's
   * constructor: {@code funnel.read(runs.values(), runs.lengths(), Coded::new)}.
   */
  public <A, B, R> R read(Array<A, ?> first, Array<B, ?> second, BiFunction<A, B, R> result) {
    Reading read = read(first, second);
    return result.apply(read.own(first), read.own(second));
  }

  /** Computes three arrays together, and what a function makes of them. */
  public <A, B, C, R> R read(
      Array<A, ?> first,
      Array<B, ?> second,
      Array<C, ?> third,
      Reading.TriFunction<A, B, C, R> result) {
    Reading read = read(first, second, third);
    return result.apply(read.own(first), read.own(second), read.own(third));
  }

  /** Computes four arrays together, and what a function makes of them. */
  public <A, B, C, D, R> R read(
      Array<A, ?> first,
      Array<B, ?> second,
      Array<C, ?> third,
      Array<D, ?> fourth,
      Reading.QuadFunction<A, B, C, D, R> result) {
    Reading read = read(first, second, third, fourth);
    return result.apply(read.own(first), read.own(second), read.own(third), read.own(fourth));
  }

  /** A value that is read alone. */
  Number value(Ref value) {
    return reader.read(List.of(value)).value(value);
  }

  /** Computes an array, and keeps it where this Funnel computes. */
  Ref keep(Ref array) {
    Kept kept = target() == Target.JVM ? null : guard.call(() -> keptOnDevice(array));
    if (kept == null) {
      Elements elements = Elements.ofArray(answer(List.of(array)).own(array));
      return resident(
          target() == Target.JVM ? Kept.inMemory(elements, guard) : onDevice(elements), array);
    }
    if (kept.length() >= kept.room() - kept.room() / 8) {
      return resident(kept, array);
    }
    try { // an operation found its length, and it has too much memory
      Node.Applied cut = Node.of(Slice.limit(kept.length()), resident(kept, array));
      return keep((array.isAscending() ? cut.ascending() : cut).output(array.type()));
    } finally {
      kept.close();
    }
  }

  private @Nullable Kept keptOnDevice(Ref array) {
    KeptArray made = reader.keep(array);
    return made == null ? null : kept(made);
  }

  private static Ref resident(Kept kept, Ref of) {
    return new Node.Resident(kept, "", of.isAscending()).output(kept.type());
  }

  Plan.Builder input(Plan.Builder plan, String input, Kept kept) {
    return kept.isOnDevice()
        ? plan.input(input, kept.share(), 0, kept.length())
        : plan.lend(input, kept.elements());
  }

  /**
   * Lends a kept array to a loaded program.
   *
   * @param input the program's input that it is for one run, see {@link LoadedProgram#set(String,
   *     KeptArray)}
   * @param run runs the program
   * @throws IllegalArgumentException if the array is of another Funnel
   * @throws IllegalStateException if it is not kept, or closed
   */
  public void lend(Array<?, ?> array, LoadedProgram program, String input, Runnable run) {
    var _ = Operand.refs(this, array);
    Kept kept = array.kept();
    KeptArray there = kept.acquire();
    try {
      program.set(input, there);
      run.run();
    } finally {
      kept.release();
    }
  }

  private Kept onDevice(Elements elements) {
    KeptArray array = guard.call(() -> spare(elements.type(), elements.length()));
    try {
      guard.call(
          () -> {
            array.write(elements.segment());
            return array;
          });
    } catch (RuntimeException | Error e) {
      array.close();
      throw e;
    }
    return kept(array);
  }

  /** An array on the device that is closed with its owner. */
  private Kept kept(KeptArray array) {
    Kept kept = Kept.onDevice(array, guard);
    AtomicBoolean isShared = kept.shared();
    Held held =
        new Held(
            array.toString(),
            () -> {
              if (isShared.get()) {
                array.close();
              } else {
                spares.give(array);
              }
            },
            open);
    Cleaner.Cleanable forgotten = held.by(kept);
    kept.closing(
        () -> {
          held.close();
          forgotten.clean();
        });
    return kept;
  }

  private KeptArray spare(ElementType type, int length) {
    KeptArray spare = spares.take(type, length);
    return spare != null ? spare : guard.withMemory(() -> engine.keep(type, length));
  }

  /**
   * Streams a source of any length, such as a file, piece by piece: {@code
   * funnel.over(file).reduce(Reduction.sum())}. Nothing is read until a result is asked for.
   *
   * @throws IllegalStateException if this Funnel is closed
   */
  public ElementStream over(Source source) {
    Objects.requireNonNull(source, "source");
    return guard.call(() -> new ElementStream(plans, source));
  }

  /** What streams and one-shot calls do with plans. */
  private final class PlansOfThis implements Plans {
    @Override
    public List<Device> devices() {
      return List.copyOf(devices.keySet());
    }

    @Override
    public Target target() {
      return engine.target();
    }

    @Override
    public Plan.Builder plan(String name) {
      return Funnel.this.plan(name);
    }

    @Override
    public Plan.Builder plan(String name, Device device) {
      return Funnel.this.plan(name, device);
    }

    @Override
    public Plan.Builder planOnJvm(String name) {
      return Funnel.this.plan(name, jvm);
    }

    @Override
    public Plan.Builder unlisted(String name, Target on) {
      return new Plan.Builder(name, on == engine.target() ? engine : jvm, guard, null);
    }

    @Override
    public Stream<Primitive.Combined> combined(Plan.Builder plan) {
      return plan.combined();
    }

    @Override
    public void lendInput(Plan.Builder plan, String input, KeptArray array, int capacity) {
      plan.lendInput(input, array, capacity);
    }

    @Override
    public void lendOutput(Plan.Builder plan, String output, KeptArray array) {
      plan.lendOutput(output, array);
    }

    @Override
    public Primitive.Slot room(Plan.Builder plan, String output, Map<String, Integer> inputs) {
      return plan.room(output, inputs);
    }

    @Override
    public Compilation compile(Plan.Builder plan) {
      return plan.compile();
    }

    @Override
    public void lend(Plan plan, String input, Elements elements) {
      plan.lend(input, elements);
    }

    @Override
    public Results runOnce(
        Plan plan,
        @Nullable Operation like,
        Map<String, Elements> given,
        Map<String, Elements> into,
        Map<String, KeptArray> kept) {
      return plan.runOnce(like, given, into, kept);
    }
  }

  /** What readings of arrays do with one-shot calls. */
  private final class CallsOfThis implements Reader.Calls {
    @Override
    public Results once(Call call, Map<String, Elements> given, Map<String, KeptArray> kept) {
      return kept.isEmpty()
          ? calls.once(call, Map.of(), given.values().toArray(Elements[]::new))
          : calls.onKept(call, given, kept);
    }

    @Override
    public KeptArray keep(
        Call call,
        Map<String, Elements> given,
        Map<String, KeptArray> kept,
        String output,
        Consumer<Results> check) {
      return calls.keep(call, given, kept, output, check, Funnel.this::spare, spares::give);
    }

    @Override
    public ElementStream over(Source source) {
      return Funnel.this.over(source);
    }

    @Override
    public Elements take(Results results, String name) {
      return results.take(name);
    }
  }

  /** All one-shot calls end here; {@code names} are those of {@code inputs}. */
  private Results once(
      String call,
      String output,
      Operation operation,
      Map<String, Elements> into,
      List<String> names,
      Elements... inputs) {
    return calls.once(new Call(call, output, operation, names), into, inputs);
  }

  /**
   * Runs any operation once, one of this library or your own. Its output is {@code result}; further
   * outputs have names that begin with {@code result}, which the operation documents.
   *
   * {@snippet class="funnel.docs.ResultsSnippets" region="run"}
   *
   * <p>The call returns when everything is computed. The {@link Results} do not change afterwards,
   * arrays included: these are in memory of their own, and each read makes a copy. Messages call
   * the inputs {@code input1}, {@code input2} and so on. The operation documents what it does with
   * an empty input, NaN or an overflow.
   *
   * <p>Calls with equal operations over inputs of the same types and similar lengths share a plan.
   * All operations of this library are equal if they compute the same. Your own operation should be
   * a record, or define {@code equals} and {@code hashCode}: otherwise each gets its own plan.
   *
   * @param inputs in the order that the operation documents
   * @throws IllegalArgumentException if the inputs are too few, too many, or have types or lengths
   *     that do not match the operation or each other; and for the reasons of {@link Plan#run()}
   * @throws funnel.operation.FunnelMemoryException if inputs and outputs do not fit on the device
   * @throws funnel.operation.FunnelDeviceException if the device fails or a kernel does not compile
   */
  @Override
  public Results run(Operation operation, Elements... inputs) {
    return run(operation, Map.of(), inputs);
  }

  /**
   * Runs any operation once, with output arrays written into the caller's memory: a prefix sum in
   * place is {@code funnel.run(Scan.inclusive(Operator.SUM), Map.of("result", values), values)}.
   *
   * @param into destinations by the names of the arrays that the operation writes: of the array's
   *     type and at least as long as the result. A destination may be exactly the elements of an
   *     input where the operation allows that. {@link Results} read such an array from there. An
   *     array that is not named gets memory of its own
   * @param inputs in the order that the operation documents
   * @throws IllegalArgumentException as without destinations; or if the operation writes no array
   *     of a name in {@code into}, or a destination is too short, of another type, read-only, or
   *     overlaps an input or another destination
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
   * Runs {@code calls} in a thread of their own: one-shot calls of this Funnel, runs of its plans,
   * streams, a heat solver's steps.
   *
   * {@snippet class="funnel.docs.PlanSnippets" region="async"}
   *
   * <p>Completing the future ends the calls early: by {@code cancel}, or by {@code orTimeout} with
   * a time limit. The calls check for this on the JVM between operations, and within an operation
   * between its tasks; in the emulator between blocks; in a stream between pieces. On a device they
   * check between copied pieces of at most 8 MiB, and before the launches of a run, which go to the
   * device together: launches that have begun always run to their end. The future is complete
   * immediately, whatever the calls are doing; they end later, and until then they may write into
   * the caller's memory. A run that was ended has no results, like one that failed: see {@link
   * Plan#run(Map, Map)}.
   *
   * @param calls may throw anything; the future then completes with that exception
   * @throws IllegalStateException if this Funnel is closed
   */
  public <T> CompletableFuture<T> async(Callable<? extends T> calls) {
    Objects.requireNonNull(calls, "calls");
    return guard.request(() -> new AsyncCalls().next(calls));
  }

  /**
   * Reduces elements to one value.
   *
   * @return an Integer, Long, Float or Double, see {@link Reduction#resultType}
   * @throws java.util.NoSuchElementException if an empty input has no such value
   * @throws IllegalArgumentException if the reduction is not defined for the elements' type, takes
   *     two inputs, or has several outputs: then use {@link #run(Operation, Elements...)}
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
   * Reduces two inputs of equal length to one value; see {@link Reduction#dot}.
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
   * Scans elements into the caller's memory.
   *
   * @param elements the input
   * @param scan what to compute
   * @param into where the results go: at least as many elements, of the scan's result type. Pass
   *     the input's own elements for a scan in place; otherwise they must not overlap the input
   * @return the total, an Integer, Long, Float or Double
   * @throws IllegalArgumentException if the scan is not defined for the elements' type or takes its
   *     initial value from an input; if {@code into} is too short, of another type, or overlaps the
   *     input without being exactly the input
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
   * Scans each segment of elements into the caller's memory.
   *
   * @param elements the values
   * @param segments flags or offsets that say where segments begin
   * @param scan what to compute
   * @param into where the results go: at least as many elements, of the values' type
   * @return the total of the last segment
   * @throws IllegalArgumentException if types or lengths do not match, or offsets decrease or lie
   *     outside the values; if {@code into} overlaps an input without being {@linkplain
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
   * Counts samples by bins, into the caller's memory.
   *
   * @param samples the samples
   * @param histogram what to count
   * @param into where the counters go: at least as many elements as the histogram has counters, of
   *     their type. An {@linkplain Histogram#accumulating accumulating} histogram adds to what is
   *     there
   * @return how many samples are in none of the bins
   * @throws IllegalArgumentException if the histogram is not defined for the samples' type or takes
   *     weights; if the number of samples is not a multiple of the histogram's channels; if {@code
   *     into} is too short, of another type, or overlaps the samples
   * @throws funnel.histogram.KeyOutsideException if a sample is not a valid key; {@code into} is
   *     unchanged
   * @throws funnel.histogram.CounterOverflowException if a count is too large for the counters'
   *     type; {@code into} is unchanged
   */
  public Uncounted histogram(Elements samples, Histogram histogram, Elements into) {
    Objects.requireNonNull(into, "into");
    if (Objects.requireNonNull(histogram, "histogram").isWeighted()) {
      throw new IllegalArgumentException(
          "%s takes weights: pass them after the samples, or build a plan".formatted(histogram));
    }
    return histogram(histogram, into, samples);
  }

  /**
   * Sums weights by bins, into the caller's memory.
   *
   * @param samples the samples
   * @param weights an int, long, float or double for each sample
   * @param histogram what to sum up
   * @param into where the sums go: at least as many elements as the histogram has counters, of its
   *     {@linkplain Histogram#sumType sums' type}. An {@linkplain Histogram#accumulating
   *     accumulating} histogram adds to what is there
   * @return how many samples are in none of the bins
   * @throws IllegalArgumentException if the histogram is not defined for the samples' type or takes
   *     no weights; if there are not as many weights as samples, or weights have another type; if
   *     {@code into} is too short, of another type, or overlaps an input
   * @throws funnel.histogram.KeyOutsideException if a sample is not a valid key; {@code into} is
   *     unchanged
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
   * Combines each value into the element of {@code into} at the value's index.
   *
   * @param indices an int for each value
   * @param values the values
   * @param scatter what to compute
   * @param into the elements that the values are combined into, of the {@linkplain
   *     ScatterReduce#resultType result's type}
   * @throws IllegalArgumentException if types or lengths do not match, or {@code into} overlaps an
   *     input
   * @throws funnel.transform.IndexOutsideException if an index is negative or not less than the
   *     length of {@code into}, which is unchanged
   */
  public void scatterReduce(
      Elements indices, Elements values, ScatterReduce scatter, Elements into) {
    Objects.requireNonNull(scatter, "scatter");
    Objects.requireNonNull(into, "into");
    List<String> names = List.of("indices", "values", INTO_BEFORE);
    var _ =
        once("scatterReduce", "into", scatter, Map.of("into", into), names, indices, values, into);
  }

  /**
   * Counts bytes by value, see {@link Histogram#ofBytes}: element 255 counts the bytes of value -1.
   */
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
   * Loads a program: routines that share arrays which stay on the device, as a simulation needs
   * them. Use a {@link #plan} where it suffices. A program is used by one thread at a time. It is
   * closed with this Funnel unless it is closed before.
   *
   * @throws funnel.operation.FunnelMemoryException if its arrays do not fit on the device
   * @throws funnel.operation.FunnelDeviceException if a kernel does not compile
   * @throws IllegalStateException if this Funnel is closed
   */
  public LoadedProgram load(Program program) {
    Objects.requireNonNull(program, "program");
    List<String> inputs = program.inputs().stream().map(Input::name).toList();
    return guard.call(
        () ->
            guard.withMemory(
                () ->
                    new GuardedProgram(
                        "the program over " + inputs,
                        engine.load(program, Map.of()),
                        guard,
                        open)));
  }

  /**
   * Allocates an array in the memory of the engine's device, where it stays until it is closed, or
   * this is: plans read and write it where it is.
   *
   * @param length the number of elements that it has room for
   * @throws IllegalArgumentException if the length is negative
   * @throws funnel.operation.FunnelMemoryException if it does not fit on the device
   * @throws IllegalStateException if this Funnel is closed
   */
  KeptArray keep(ElementType type, int length) {
    return guard.call(
        () -> {
          KeptArray array = engine.keep(type, length);
          Held held = new Held(array.toString(), array.closing(), open);
          Cleaner.Cleanable forgotten = held.by(array);
          array.guard(
              guard::requireOutside,
              () -> {
                held.close();
                forgotten.clean();
              });
          return array;
        });
  }

  /** {@linkplain #keep Keeps} an array of these elements. */
  KeptArray upload(Elements elements) {
    KeptArray array = keep(elements.type(), elements.length());
    try {
      guard.call(
          () -> {
            array.write(elements.segment());
            return array;
          });
      return array;
    } catch (RuntimeException | Error e) {
      array.close();
      throw e;
    }
  }

  /**
   * Copies elements of a kept array.
   *
   * @param from the index of the first element
   * @param to the index after the last element
   * @param into where they go, from the first element on
   * @throws IllegalArgumentException if {@code into} has another type, is too short or read-only
   * @throws IndexOutOfBoundsException if the range is not within the array
   * @throws IllegalStateException if the array is closed, or some of these elements were never
   *     written, or not again since a run failed that was to write them
   */
  void download(KeptArray array, int from, int to, Elements into) {
    Objects.checkFromToIndex(from, to, array.length());
    if (into.type() != array.type() || into.length() < to - from || into.segment().isReadOnly()) {
      throw new IllegalArgumentException(
          "elements %s to %s of %s do not fit into %s%s"
              .formatted(
                  from,
                  to,
                  array,
                  into,
                  into.segment().isReadOnly() ? ", which are read-only" : ""));
    }
    guard.call(
        () -> {
          array.read(from, into.range(0, to - from).segment());
          return array;
        });
  }

  /** The engine, and the number of open plans and solvers, or that this is closed. */
  @Override
  public String toString() {
    return "Funnel on %s: %s"
        .formatted(description(), engines.closed ? "closed" : "open plans=" + open.size());
  }

  /**
   * Waits for calls in progress and for {@linkplain Plan#runAsync(java.util.Map, java.util.Map)
   * requested} runs, then frees all plans, the programs of closed ones, and the engine. Calls of
   * {@link #async} that begin later throw an IllegalStateException. What is never closed is freed
   * by the garbage collector, which may be late, with a warning.
   *
   * @throws IllegalStateException if an operator or transform calls it while this Funnel is running
   *     that function
   */
  @Override
  public void close() {
    guard.close(
        () -> List.copyOf(open).forEach(each -> each.async().await()),
        () -> {
          calls.close();
          List.copyOf(open).forEach(Held::close);
          spares.free();
          engines.close();
        });
    cleanable.clean();
  }
}
