package funnel;

import funnel.emulator.EmulatorEngine;
import funnel.engine.Engine;
import funnel.engine.EngineUnavailableException;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.Target;
import funnel.engine.TornadoEngine;
import funnel.histogram.Histogram;
import funnel.histogram.ScatterReduce;
import funnel.histogram.Uncounted;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.SegmentedScan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parallel primitives on a GPU, or on the JVM where there is none, with the same calls and the same
 * results bit for bit.
 *
 * {@snippet class="funnel.docs.QuickStart" region="quick-start"}
 *
 * <p>One-shot calls such as {@link #sum(int[])} copy their input to the device, run, and return;
 * their plans are kept for the next call of the same kind, within limits. For work that is done
 * many times, or on data that stays on the device, build a {@link Plan}.
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
public final class Funnel implements AutoCloseable {

  /** Property that forces an engine: {@code jvm}, {@code tornado} or {@code emulator}. */
  public static final String ENGINE_PROPERTY = "funnel.engine";

  private static final Logger LOG = LoggerFactory.getLogger(Funnel.class);
  private static final int CACHED_PLANS = 32;
  private static final long CACHED_BYTES = 8L << 30;
  private static final int LEAST_CAPACITY = 1024;

  /* The plans of one-shot calls are named after the calls, and what is in them after the calls'
   * parameters, since messages have these names.
   */

  /** What the parameter {@code into} holds before the call. */
  private static final String INTO_BEFORE = "into_before";

  private final Engine engine;
  private final Guard guard = new Guard();
  private final Set<GuardedProgram> programs = ConcurrentHashMap.newKeySet();
  private final PlanCache cache = new PlanCache(CACHED_PLANS, CACHED_BYTES);
  private final Set<Plan> open = ConcurrentHashMap.newKeySet();

  private Funnel(Engine engine) {
    this.engine = engine;
  }

  /**
   * Opens the best engine: the one that the property {@value #ENGINE_PROPERTY} names, else the
   * device if TornadoVM finds one, else the JVM. Which and why is logged.
   *
   * @throws EngineUnavailableException if the property names an engine that cannot be had
   * @throws IllegalArgumentException if the property names no engine
   */
  public static Funnel open() {
    String forced = System.getProperty(ENGINE_PROPERTY);
    if (forced == null || forced.isBlank()) {
      return open(Target.TORNADO, Target.JVM);
    }
    for (Target target : Target.values()) {
      if (target.name().equals(forced.strip().toUpperCase(Locale.ROOT))) {
        return open(target);
      }
    }
    throw new IllegalArgumentException(
        "property %s=%s names no engine: use jvm, tornado or emulator"
            .formatted(ENGINE_PROPERTY, forced));
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
    if (Objects.requireNonNull(targets, "targets").length == 0) {
      throw new IllegalArgumentException("no target given: name at least one, such as Target.JVM");
    }
    List<String> reasons = new ArrayList<>();
    List<EngineUnavailableException> refusals = new ArrayList<>();
    for (Target target : targets) {
      try {
        Engine engine = engine(Objects.requireNonNull(target, "target"));
        String why = reasons.isEmpty() ? "first choice" : String.join("; ", reasons);
        LOG.info("engine: {} ({})", engine.description(), why);
        return new Funnel(engine);
      } catch (EngineUnavailableException e) {
        reasons.add(target + " cannot be had: " + e.getMessage());
        refusals.add(e);
      }
    }
    if (refusals.size() == 1) {
      throw refusals.getFirst();
    }
    throw new EngineUnavailableException(String.join("; ", reasons), refusals.getLast());
  }

  private static Engine engine(Target target) {
    return switch (target) {
      case JVM -> new JvmEngine();
      case TORNADO -> TornadoEngine.open();
      case EMULATOR -> new EmulatorEngine();
    };
  }

  /** What this runs on. */
  public Target target() {
    return engine.target();
  }

  /** The engine in one line: device and how it is reached. */
  public String description() {
    return engine.description();
  }

  /** Device, versions and limits by name, in a fixed order. */
  public Map<String, String> details() {
    return engine.details();
  }

  /**
   * Starts a plan.
   *
   * @param name for messages: a letter, then letters, digits and single underscores, at most 100
   *     characters
   * @throws IllegalArgumentException if the name is malformed or too long
   */
  public Plan.Builder plan(String name) {
    return guard.call(() -> new Plan.Builder(name, engine, guard, open));
  }

  private record CacheKey(Reduction reduction, ElementType type, int capacity) {}

  /**
   * One reduction of elements.
   *
   * @return an Integer, Long, Float or Double, see {@link Reduction#resultType}
   * @throws java.util.NoSuchElementException if the input is empty and the reduction has no value
   *     then
   * @throws IllegalArgumentException if the reduction has no meaning on the elements' type, or has
   *     several outputs: then use a plan
   */
  public Number reduce(Elements elements, Reduction reduction) {
    Objects.requireNonNull(elements, "elements");
    Objects.requireNonNull(reduction, "reduction");
    if (reduction.takesTwoInputs()) {
      throw new IllegalArgumentException(
          "%s takes two inputs: call reduce(first, second, reduction)".formatted(reduction));
    }
    return once(reduction, elements, elements);
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
    Objects.requireNonNull(reduction, "reduction");
    if (!reduction.takesTwoInputs()) {
      throw new IllegalArgumentException(
          "%s takes one input: call reduce(elements, reduction)".formatted(reduction));
    }
    if (first.type() != second.type() || first.length() != second.length()) {
      throw new IllegalArgumentException(
          "inputs of %s differ: first=%s, second=%s".formatted(reduction, first, second));
    }
    return once(reduction, first, second);
  }

  private Number once(Reduction reduction, Elements first, Elements second) {
    if (reduction.isPairOfElements()) {
      throw new IllegalArgumentException(
          "%s has two outputs: build a plan and read both".formatted(reduction));
    }
    int capacity = capacity(first.length());
    boolean two = reduction.takesTwoInputs();
    return guard.call(
        () ->
            cache.with(
                new CacheKey(reduction, first.type(), capacity),
                () -> {
                  Plan.Builder plan = plan("reduce");
                  return two
                      ? plan.input("first", first.type(), capacity)
                          .input("second", first.type(), capacity)
                          .add("result", reduction, "first", "second")
                          .build()
                      : plan.input("elements", first.type(), capacity)
                          .add("result", reduction, "elements")
                          .build();
                },
                plan ->
                    plan.runOnce(
                            two
                                ? Map.of("first", first, "second", second)
                                : Map.of("elements", first),
                            Map.of())
                        .get("result")));
  }

  private record ScanKey(Scan scan, ElementType type, int capacity) {}

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
  public Number scan(Elements elements, Scan scan, Elements into) {
    Objects.requireNonNull(elements, "elements");
    Objects.requireNonNull(scan, "scan");
    Objects.requireNonNull(into, "into");
    if (scan.isContinuing()) {
      throw new IllegalArgumentException(
          "%s takes its initial value from an input: build a plan".formatted(scan));
    }
    int capacity = capacity(elements.length());
    return guard.call(
        () ->
            cache.with(
                new ScanKey(scan, elements.type(), capacity),
                () ->
                    plan("scan")
                        .input("elements", elements.type(), capacity)
                        .add("into", scan, "elements")
                        .build(),
                plan ->
                    plan.runOnce(Map.of("elements", elements), Map.of("into", into))
                        .get("into_total")));
  }

  private record SegmentedScanKey(
      SegmentedScan scan, ElementType type, int capacity, ElementType segments, int most) {}

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
    Objects.requireNonNull(elements, "elements");
    Objects.requireNonNull(segments, "segments");
    Objects.requireNonNull(scan, "scan");
    Objects.requireNonNull(into, "into");
    int capacity = capacity(elements.length());
    int most = capacity(segments.length());
    return guard.call(
        () ->
            cache.with(
                new SegmentedScanKey(scan, elements.type(), capacity, segments.type(), most),
                () ->
                    plan("scan")
                        .input("elements", elements.type(), capacity)
                        .input("segments", segments.type(), most)
                        .add("into", scan, "elements", "segments")
                        .build(),
                plan ->
                    plan.runOnce(
                            Map.of("elements", elements, "segments", segments),
                            Map.of("into", into))
                        .get("into_total")));
  }

  private record HistogramKey(
      Histogram histogram, ElementType type, @Nullable ElementType weights, int capacity) {}

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
    Objects.requireNonNull(samples, "samples");
    Objects.requireNonNull(histogram, "histogram");
    Objects.requireNonNull(into, "into");
    if (histogram.isWeighted()) {
      throw new IllegalArgumentException(
          "%s takes weights as well: give them, or build a plan".formatted(histogram));
    }
    return histogram(samples, histogram, null, into);
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
    Objects.requireNonNull(samples, "samples");
    Objects.requireNonNull(weights, "weights");
    Objects.requireNonNull(histogram, "histogram");
    Objects.requireNonNull(into, "into");
    if (!histogram.isWeighted()) {
      throw new IllegalArgumentException(
          "%s takes no weights: call weighted() on it".formatted(histogram));
    }
    return histogram(samples, histogram, weights, into);
  }

  private Uncounted histogram(
      Elements samples, Histogram histogram, @Nullable Elements weights, Elements into) {
    int capacity = capacity(samples.length());
    ElementType weightsType = weights == null ? null : weights.type();
    Elements counters = into.range(0, Math.min(into.length(), histogram.counters()));
    return guard.call(
        () ->
            cache.with(
                new HistogramKey(histogram, samples.type(), weightsType, capacity),
                () -> {
                  Plan.Builder plan = plan("histogram").input("samples", samples.type(), capacity);
                  List<String> inputs = new ArrayList<>(List.of("samples"));
                  ElementType counter = histogram.counterType();
                  if (weightsType != null) {
                    plan.input("weights", weightsType, capacity);
                    inputs.add("weights");
                    counter = histogram.sumType(weightsType);
                  }
                  if (histogram.isAccumulating()) {
                    plan.input(INTO_BEFORE, counter, histogram.counters());
                    inputs.add(INTO_BEFORE);
                  }
                  return plan.add("into", histogram, inputs.toArray(String[]::new)).build();
                },
                plan -> {
                  Map<String, Elements> given = new HashMap<>(Map.of("samples", samples));
                  if (weights != null) {
                    given.put("weights", weights);
                  }
                  if (histogram.isAccumulating()) {
                    given.put(INTO_BEFORE, counters);
                  }
                  return uncounted(plan.runOnce(given, Map.of("into", counters)), histogram);
                }));
  }

  private static Uncounted uncounted(Results results, Histogram histogram) {
    return histogram.isByKeys()
        ? new Uncounted(0, 0, 0)
        : new Uncounted(
            results.getLong("into_below"),
            results.getLong("into_above"),
            results.getLong("into_nan"));
  }

  private record ScatterKey(ScatterReduce scatter, ElementType type, int values, int into) {}

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
   * @throws funnel.histogram.IndexOutsideException if an index is not from 0 below the length of
   *     {@code into}, which is as it was
   */
  public void scatterReduce(
      Elements indices, Elements values, ScatterReduce scatter, Elements into) {
    Objects.requireNonNull(indices, "indices");
    Objects.requireNonNull(values, "values");
    Objects.requireNonNull(scatter, "scatter");
    Objects.requireNonNull(into, "into");
    int capacity = capacity(values.length());
    int size = capacity(into.length());
    guard.run(
        () ->
            cache.with(
                new ScatterKey(scatter, values.type(), capacity, size),
                () ->
                    plan("scatterReduce")
                        .input("indices", indices.type(), capacity)
                        .input("values", values.type(), capacity)
                        .input(INTO_BEFORE, into.type(), size)
                        .add("into", scatter, "indices", "values", INTO_BEFORE)
                        .build(),
                plan ->
                    plan.runOnce(
                        Map.of("indices", indices, "values", values, INTO_BEFORE, into),
                        Map.of("into", into))));
  }

  /** The numbers of bytes of each value, see {@link Histogram#ofBytes}: value 255 is byte -1. */
  public int[] histogram(byte[] bytes) {
    int[] counts = new int[256];
    var _ = histogram(Elements.of(bytes), Histogram.ofBytes(), Elements.of(counts));
    return counts;
  }

  /** The length rounded up to an eighth of a power of two, so that similar lengths share a plan. */
  static int capacity(int length) {
    if (length <= LEAST_CAPACITY) {
      return LEAST_CAPACITY;
    }
    int step = Integer.highestOneBit(length - 1) >> 3;
    long rounded = (length + (long) step - 1) / step * step;
    return (int) Math.min(rounded, Integer.MAX_VALUE - 8);
  }

  /**
   * All elements combined by an operator, from left to right.
   *
   * @return the operator's identity if {@code values} is empty
   * @throws java.util.NoSuchElementException if {@code values} is empty and the operator is min or
   *     max
   * @throws IllegalArgumentException if the operator is not defined on ints
   */
  public int reduce(int[] values, Operator operator) {
    return (Integer) reduce(Elements.of(values), Reduction.of(operator));
  }

  /** The sum, see {@link Operator#SUM}; 0 if {@code values} is empty. */
  public int sum(int[] values) {
    return reduce(values, Operator.SUM);
  }

  /**
   * The smallest element, as by {@code Math.min}.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public int min(int[] values) {
    return reduce(values, Operator.MIN);
  }

  /**
   * The largest element, as by {@code Math.max}.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public int max(int[] values) {
    return reduce(values, Operator.MAX);
  }

  /**
   * The arithmetic mean.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public double mean(int[] values) {
    return mean(Elements.of(values));
  }

  /**
   * The index of the smallest element, the first one on ties.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public int argMin(int[] values) {
    return argMin(Elements.of(values));
  }

  /**
   * The index of the largest element, the first one on ties.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public int argMax(int[] values) {
    return argMax(Elements.of(values));
  }

  /**
   * All elements combined by an operator, from left to right.
   *
   * @return the operator's identity if {@code values} is empty
   * @throws java.util.NoSuchElementException if {@code values} is empty and the operator is min or
   *     max
   * @throws IllegalArgumentException if the operator is not defined on longs
   */
  public long reduce(long[] values, Operator operator) {
    return (Long) reduce(Elements.of(values), Reduction.of(operator));
  }

  /** The sum, see {@link Operator#SUM}; 0 if {@code values} is empty. */
  public long sum(long[] values) {
    return reduce(values, Operator.SUM);
  }

  /**
   * The smallest element, as by {@code Math.min}.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public long min(long[] values) {
    return reduce(values, Operator.MIN);
  }

  /**
   * The largest element, as by {@code Math.max}.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public long max(long[] values) {
    return reduce(values, Operator.MAX);
  }

  /**
   * The arithmetic mean.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public double mean(long[] values) {
    return mean(Elements.of(values));
  }

  /**
   * The index of the smallest element, the first one on ties.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public int argMin(long[] values) {
    return argMin(Elements.of(values));
  }

  /**
   * The index of the largest element, the first one on ties.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public int argMax(long[] values) {
    return argMax(Elements.of(values));
  }

  /**
   * All elements combined by an operator, from left to right.
   *
   * @return the operator's identity if {@code values} is empty
   * @throws java.util.NoSuchElementException if {@code values} is empty and the operator is min or
   *     max
   * @throws IllegalArgumentException if the operator is not defined on floats
   */
  public float reduce(float[] values, Operator operator) {
    return (Float) reduce(Elements.of(values), Reduction.of(operator));
  }

  /** The sum, see {@link Operator#SUM}; 0 if {@code values} is empty. */
  public float sum(float[] values) {
    return reduce(values, Operator.SUM);
  }

  /**
   * The smallest element, as by {@code Math.min}.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public float min(float[] values) {
    return reduce(values, Operator.MIN);
  }

  /**
   * The largest element, as by {@code Math.max}.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public float max(float[] values) {
    return reduce(values, Operator.MAX);
  }

  /**
   * The arithmetic mean.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public double mean(float[] values) {
    return mean(Elements.of(values));
  }

  /**
   * The index of the smallest element, the first one on ties.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public int argMin(float[] values) {
    return argMin(Elements.of(values));
  }

  /**
   * The index of the largest element, the first one on ties.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public int argMax(float[] values) {
    return argMax(Elements.of(values));
  }

  /**
   * All elements combined by an operator, from left to right.
   *
   * @return the operator's identity if {@code values} is empty
   * @throws java.util.NoSuchElementException if {@code values} is empty and the operator is min or
   *     max
   * @throws IllegalArgumentException if the operator is not defined on doubles
   */
  public double reduce(double[] values, Operator operator) {
    return (Double) reduce(Elements.of(values), Reduction.of(operator));
  }

  /** The sum, see {@link Operator#SUM}; 0 if {@code values} is empty. */
  public double sum(double[] values) {
    return reduce(values, Operator.SUM);
  }

  /**
   * The smallest element, as by {@code Math.min}.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public double min(double[] values) {
    return reduce(values, Operator.MIN);
  }

  /**
   * The largest element, as by {@code Math.max}.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public double max(double[] values) {
    return reduce(values, Operator.MAX);
  }

  /**
   * The arithmetic mean.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public double mean(double[] values) {
    return mean(Elements.of(values));
  }

  /**
   * The index of the smallest element, the first one on ties.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public int argMin(double[] values) {
    return argMin(Elements.of(values));
  }

  /**
   * The index of the largest element, the first one on ties.
   *
   * @throws java.util.NoSuchElementException if {@code values} is empty
   */
  public int argMax(double[] values) {
    return argMax(Elements.of(values));
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
   * The inclusive scan: each element combined with all before it, see {@link Scan}.
   *
   * @return a new array of as many elements
   * @throws IllegalArgumentException if the operator is not defined on ints
   */
  public int[] inclusiveScan(int[] values, Operator operator) {
    int[] results = new int[Objects.requireNonNull(values, "values").length];
    var _ = scan(Elements.of(values), Scan.inclusive(operator), Elements.of(results));
    return results;
  }

  /**
   * The exclusive scan: all elements before each one combined, from the operator's identity, see
   * {@link Scan}.
   *
   * @return a new array of as many elements
   * @throws IllegalArgumentException if the operator is not defined on ints
   */
  public int[] exclusiveScan(int[] values, Operator operator) {
    int[] results = new int[Objects.requireNonNull(values, "values").length];
    var _ = scan(Elements.of(values), Scan.exclusive(operator), Elements.of(results));
    return results;
  }

  /** The same from an initial value: {@code initial} is the first result. */
  public int[] exclusiveScan(int[] values, Operator operator, int initial) {
    int[] results = new int[Objects.requireNonNull(values, "values").length];
    var _ = scan(Elements.of(values), Scan.exclusive(operator).from(initial), Elements.of(results));
    return results;
  }

  /**
   * The inclusive scan: each element combined with all before it, see {@link Scan}.
   *
   * @return a new array of as many elements
   * @throws IllegalArgumentException if the operator is not defined on longs
   */
  public long[] inclusiveScan(long[] values, Operator operator) {
    long[] results = new long[Objects.requireNonNull(values, "values").length];
    var _ = scan(Elements.of(values), Scan.inclusive(operator), Elements.of(results));
    return results;
  }

  /**
   * The exclusive scan: all elements before each one combined, from the operator's identity, see
   * {@link Scan}.
   *
   * @return a new array of as many elements
   * @throws IllegalArgumentException if the operator is not defined on longs
   */
  public long[] exclusiveScan(long[] values, Operator operator) {
    long[] results = new long[Objects.requireNonNull(values, "values").length];
    var _ = scan(Elements.of(values), Scan.exclusive(operator), Elements.of(results));
    return results;
  }

  /** The same from an initial value: {@code initial} is the first result. */
  public long[] exclusiveScan(long[] values, Operator operator, long initial) {
    long[] results = new long[Objects.requireNonNull(values, "values").length];
    var _ = scan(Elements.of(values), Scan.exclusive(operator).from(initial), Elements.of(results));
    return results;
  }

  /**
   * The inclusive scan: each element combined with all before it, see {@link Scan}.
   *
   * @return a new array of as many elements
   * @throws IllegalArgumentException if the operator is not defined on floats
   */
  public float[] inclusiveScan(float[] values, Operator operator) {
    float[] results = new float[Objects.requireNonNull(values, "values").length];
    var _ = scan(Elements.of(values), Scan.inclusive(operator), Elements.of(results));
    return results;
  }

  /**
   * The exclusive scan: all elements before each one combined, from the operator's identity, see
   * {@link Scan}.
   *
   * @return a new array of as many elements
   * @throws IllegalArgumentException if the operator is not defined on floats
   */
  public float[] exclusiveScan(float[] values, Operator operator) {
    float[] results = new float[Objects.requireNonNull(values, "values").length];
    var _ = scan(Elements.of(values), Scan.exclusive(operator), Elements.of(results));
    return results;
  }

  /** The same from an initial value: {@code initial} is the first result. */
  public float[] exclusiveScan(float[] values, Operator operator, float initial) {
    float[] results = new float[Objects.requireNonNull(values, "values").length];
    var _ = scan(Elements.of(values), Scan.exclusive(operator).from(initial), Elements.of(results));
    return results;
  }

  /**
   * The inclusive scan: each element combined with all before it, see {@link Scan}.
   *
   * @return a new array of as many elements
   * @throws IllegalArgumentException if the operator is not defined on doubles
   */
  public double[] inclusiveScan(double[] values, Operator operator) {
    double[] results = new double[Objects.requireNonNull(values, "values").length];
    var _ = scan(Elements.of(values), Scan.inclusive(operator), Elements.of(results));
    return results;
  }

  /**
   * The exclusive scan: all elements before each one combined, from the operator's identity, see
   * {@link Scan}.
   *
   * @return a new array of as many elements
   * @throws IllegalArgumentException if the operator is not defined on doubles
   */
  public double[] exclusiveScan(double[] values, Operator operator) {
    double[] results = new double[Objects.requireNonNull(values, "values").length];
    var _ = scan(Elements.of(values), Scan.exclusive(operator), Elements.of(results));
    return results;
  }

  /** The same from an initial value: {@code initial} is the first result. */
  public double[] exclusiveScan(double[] values, Operator operator, double initial) {
    double[] results = new double[Objects.requireNonNull(values, "values").length];
    var _ = scan(Elements.of(values), Scan.exclusive(operator).from(initial), Elements.of(results));
    return results;
  }

  /**
   * Loads a program of routines that share resident arrays, as a simulation needs them; what {@link
   * #plan} can say is better said there. It is used by one thread at a time, and closed with this
   * Funnel unless it was before.
   *
   * @throws funnel.engine.FunnelMemoryException if its arrays do not fit on the device
   * @throws funnel.engine.FunnelDeviceException if a kernel does not compile
   * @throws IllegalStateException if this Funnel is closed
   */
  public LoadedProgram load(Program program) {
    Objects.requireNonNull(program, "program");
    return guard.call(() -> new GuardedProgram(engine.load(program, Map.of()), guard, programs));
  }

  /**
   * Waits for calls in progress, then frees all plans and the engine.
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
        });
  }
}
