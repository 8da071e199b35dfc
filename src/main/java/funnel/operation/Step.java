package funnel.operation;

import funnel.jit.FunctionCopies;
import funnel.jit.KernelCopies;
import funnel.jit.LookUp;
import funnel.kernel.LookUps;
import funnel.operation.Primitive.Combined;
import funnel.operation.Primitive.Lengths;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A primitive in the form for a setting, stated by a chain of calls: arrays, results, the ints that
 * kernels read, requirements, and the work on a device and on the JVM.
 *
 * <p>A verb for an array states it once: the kernels' parameter for it, its name, and where kernels
 * find its offset and its length among the step's own ints. Each of these ints, from 0 on, is
 * stated once, in any order. A step does not change after it has been returned.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="primitive"}
 */
public final class Step {

  private static final ToIntFunction<Lengths> DERIVED = lengths -> 0;
  private static final int[] NONE = {};

  private Primitive primitive;
  private Setting setting;
  private final String id;
  private final Layout layout;
  private final List<Step> parts;
  private final Map<String, String> arrays = new LinkedHashMap<>();
  private final Map<String, String> results = new LinkedHashMap<>();
  private final Set<String> placeholders = new HashSet<>();
  private final Set<String> bits = new HashSet<>();
  private final List<BiConsumer<int[], Lengths>> ints = new ArrayList<>();
  private final BitSet stated = new BitSet();
  private final List<Consumer<Lengths>> requirements = new ArrayList<>();
  private final List<GaveUp> gaveUp = new ArrayList<>();
  private final List<GaveUp> disproved = new ArrayList<>();
  private final List<Combined> combined = new ArrayList<>();
  private final List<String> arguments = new ArrayList<>();
  private List<LookUp> lookUps = List.of();
  private int @Nullable [] captured;
  private @Nullable Boolean mayChange;
  private String granted = "";
  private @Nullable Consumer<Launches> onDevice;
  private @Nullable Consumer<JvmRun> onJvm;

  /** What the results of a run say about whether it gave up, or what was not as assumed. */
  @FunctionalInterface
  private interface GaveUp {
    String place(Function<String, Number> results, Lengths lengths);
  }

  private Step(Primitive primitive, Setting setting, Layout layout, List<Step> parts) {
    this.primitive = primitive;
    this.setting = setting;
    this.id = primitive.id();
    this.layout = layout;
    this.parts = parts;
  }

  /**
   * Begins a step.
   *
   * @param primitive the primitive whose form this is
   * @param setting the setting that this form is for
   */
  public static Step of(Primitive primitive, Setting setting) {
    return new Step(primitive, setting, Layout.reads().within(setting.most()), List.of());
  }

  /** A form that consists of parts, and of others on the JVM. */
  static Step of(
      Composite primitive, Setting setting, Layout layout, List<Step> parts, List<Step> onJvm) {
    Step step = new Step(primitive, setting, layout, parts);
    List<String> granted = new ArrayList<>();
    for (Step part : parts) {
      step.requirements.add(part::requireLengths);
      step.gaveUp.add(part::gaveUp);
      step.disproved.add(part::disproved);
      step.combined.addAll(part.combined);
      if (!part.granted.isEmpty() && !granted.contains(part.granted)) {
        granted.add(part.granted);
      }
    }
    return step.takesForGranted(String.join(", and ", granted))
        .onDevice(
            launches -> {
              int from = 0;
              for (Step part : parts) {
                launches.add(part, from);
                from += part.wholeShape(launches.lengths()).length;
              }
            })
        .onJvm(run -> onJvm.forEach(part -> part.runOnJvm(run)));
  }

  /**
   * Makes this step, just stated by another primitive of the same name, the form of a primitive.
   */
  public Step formOf(Primitive of, Setting inSetting) {
    primitive = of;
    setting = inSetting;
    return this;
  }

  /** Leaves out functions of elements that give the same bits everywhere. */
  Step exact() {
    combined.removeIf(each -> each.transform() != null);
    return this;
  }

  private Step bind(Map<String, String> to, String parameter, String name) {
    boolean isBound = arrays.containsKey(parameter) || results.containsKey(parameter);
    if (isBound && !placeholders.remove(parameter)) {
      throw new IllegalStateException("%s binds parameter %s twice".formatted(id, parameter));
    }
    to.put(parameter, name);
    return this;
  }

  private void requireAtMost(int most, String parameter, int... at) {
    if (at.length > most) {
      throw new IllegalArgumentException(
          "%s says %s places of ints for %s, at most %s".formatted(id, at.length, parameter, most));
    }
  }

  /** Binds the parameter, and states the int of the offset, if there is one. */
  private Step array(String parameter, String array, int... at) {
    requireAtMost(1, parameter, at);
    if (at.length > 0) {
      offset(at[0], array);
    }
    return bind(arrays, parameter, array);
  }

  /**
   * Adds an input whose length is known before a run, or derived.
   *
   * @param parameter the kernels' parameter
   * @param input the array
   * @param at the index of the int that is its offset, if kernels need it, and then of its length,
   *     which an earlier primitive may then find
   */
  public Step reads(String parameter, String input, int... at) {
    requireAtMost(2, parameter, at);
    layout.alsoReads(input);
    array(parameter, input, Arrays.copyOf(at, Math.min(at.length, 1)));
    return at.length > 1 ? derives(at[1], input, LengthRule.LENGTH) : this;
  }

  /** Adds an input whose own length does not matter: an earlier primitive may find it. */
  public Step readsFound(String parameter, String input, int... at) {
    layout.readsFound(input);
    return array(parameter, input, at);
  }

  /**
   * States that the length of an input must be known before a run, although ints follow from it.
   */
  public Step needsLength(String input) {
    layout.alsoReads(input);
    return this;
  }

  /** Adds an input of bytes that kernels read as longs if possible, with its derived length. */
  public Step readsAsLongs(String parameter, String input, int offsetAt, int lengthAt) {
    layout.readsAsLongs(input);
    return array(parameter, input, offsetAt).derives(lengthAt, input, LengthRule.LENGTH);
  }

  /** Adds an input that is a kept array, see {@link Layout#borrows}. */
  public Step borrows(String parameter, String input) {
    layout.borrows(input);
    return array(parameter, input);
  }

  /** States that an input that is read is overwritten, see {@link Layout#changes}. */
  public Step changes(String input) {
    layout.changes(input);
    return this;
  }

  /**
   * Adds an array that is written and is as long as an input.
   *
   * @param at the index of the int that is its offset, if kernels need it
   */
  public Step writes(
      String parameter, String array, ElementType type, int capacity, String input, int... at) {
    layout.writes(array, type, capacity, input);
    return array(parameter, array, at);
  }

  /** Adds an array that is written and whose length follows from that of an input. */
  public Step writes(
      String parameter,
      String array,
      ElementType type,
      int capacity,
      String input,
      LengthRule rule,
      int... at) {
    return writes(parameter, array, type, capacity, lengths -> rule.of(lengths.length(input)), at);
  }

  /** Adds an array that is written and whose length is computed on the host. */
  public Step writes(
      String parameter,
      String array,
      ElementType type,
      int capacity,
      ToIntFunction<Lengths> length,
      int... at) {
    layout.writes(array, type, capacity, length);
    return array(parameter, array, at);
  }

  /** Adds an array that is written and always has the same length. */
  public Step writes(String parameter, String array, ElementType type, int length, int... at) {
    return writes(parameter, array, type, length, _ -> length, at);
  }

  /**
   * Adds an array that is written and whose length is a result of this step, at most the length of
   * an input, or the capacity if there is none.
   */
  public Step writesFound(
      String parameter,
      String array,
      ElementType type,
      int capacity,
      String result,
      @Nullable String input,
      int... at) {
    if (input == null) {
      layout.writesFound(array, type, capacity, result);
    } else {
      layout.writesFound(array, type, capacity, result, input);
    }
    return array(parameter, array, at);
  }

  /**
   * Adds an array that is written and whose length follows from those of inputs, as {@link
   * Layout#writesFollowing} says.
   */
  public Step writesFollowing(
      String parameter,
      String array,
      ElementType type,
      int capacity,
      String result,
      Layout.Follows follows,
      ToIntFunction<Lengths> length,
      int... at) {
    layout.writesFollowing(array, type, capacity, result, follows, length);
    return array(parameter, array, at);
  }

  /** States that an array may share exactly the memory of an input, as {@link Layout} says. */
  public Step inPlaceOf(String array, String input) {
    layout.inPlaceOf(array, input);
    return this;
  }

  /**
   * Adds a single value that both forms deliver: kernels at the index {@code parameter + "At"} of
   * an array.
   *
   * @param at the index of the int that is that index, if kernels have no such parameter
   */
  public Step delivers(String parameter, String result, ElementType type, int... at) {
    layout.delivers(result, type);
    return result(parameter, result, at);
  }

  /** Adds a single value that kernels deliver for {@link #gaveUpAt} or {@link #refuses} alone. */
  public Step reports(String parameter, String result, ElementType type, int... at) {
    layout.reports(result, type);
    return result(parameter, result, at);
  }

  private Step result(String parameter, String result, int... at) {
    requireAtMost(1, parameter, at);
    if (at.length > 0) {
      number(at[0], lengths -> lengths.index(result));
    }
    return bind(results, parameter, result);
  }

  /** Counts the runs of a step that delivers nothing, in {@code done} at {@code doneAt}. */
  public Step counts() {
    layout.counts(id);
    return this;
  }

  /** Adds an array that only kernels use; arrays of one name and type are one array. */
  public Step scratch(String parameter, String array, ElementType type, int length) {
    layout.scratch(array, type, length);
    return bind(arrays, parameter, array);
  }

  /** Adds scratch of one element for parameters that no array is bound to, unless one is later. */
  public Step placeholder(String array, ElementType type, String... parameters) {
    layout.scratch(array, type, 1);
    for (String parameter : parameters) {
      bind(arrays, parameter, array);
      placeholders.add(parameter);
    }
    return this;
  }

  /** Adds an array that only kernels use, with all elements set to a value before the first run. */
  public Step filled(String parameter, String array, ElementType type, int length, Number value) {
    layout.filled(array, type, length, value);
    return bind(arrays, parameter, array);
  }

  /** States an int. */
  public Step number(int at, int value) {
    return number(at, lengths -> value);
  }

  /** States consecutive ints. */
  public Step numbers(int from, int... values) {
    return ints(
        from,
        values.length,
        (shape, lengths) -> System.arraycopy(values, 0, shape, from, values.length));
  }

  /** States an int that is computed on the host before each run. */
  public Step number(int at, ToIntFunction<Lengths> of) {
    return ints(at, 1, (shape, lengths) -> shape[at] = of.applyAsInt(lengths));
  }

  private Step ints(int from, int count, BiConsumer<int[], Lengths> fill) {
    int next = stated.nextSetBit(from);
    if (next >= 0 && next < from + count) {
      throw new IllegalStateException("%s states int %s twice".formatted(id, next));
    }
    stated.set(from, from + count);
    ints.add(fill);
    return this;
  }

  /** States an int that is the offset of an array, whether the step or another one adds it. */
  public Step offset(int at, String array) {
    return number(at, lengths -> lengths.offset(array));
  }

  /** States an int that follows from the length of an input, see {@link Layout#derives}. */
  public Step derives(int at, String input, LengthRule rule) {
    layout.derives(at, input, rule);
    return number(at, DERIVED);
  }

  /**
   * Requires two arrays to be equally long.
   *
   * @param why the beginning of the message; names and lengths follow
   */
  public Step equallyLong(String first, String second, String why) {
    return sameLength(first, second)
        .requires(
            lengths -> {
              if (lengths.length(first) != lengths.length(second)) {
                throw new IllegalArgumentException(
                    "%s: length of %s=%s, length of %s=%s"
                        .formatted(
                            why, first, lengths.length(first), second, lengths.length(second)));
              }
            });
  }

  /**
   * States that two arrays are equally long if an earlier primitive finds their length; {@link
   * #requires} checks lengths that are known.
   */
  public Step sameLength(String first, String second) {
    layout.sameLength(first, second);
    return this;
  }

  /**
   * Requires lengths to satisfy a condition.
   *
   * @param requirement throws an {@link IllegalArgumentException} that states the lengths
   */
  public Step requires(Consumer<Lengths> requirement) {
    requirements.add(requirement);
    return this;
  }

  /**
   * States that a run gave up unless a reported result is 0.
   *
   * @param place says where it gave up, from another value of the result
   */
  public Step gaveUpAt(String result, IntFunction<String> place) {
    gaveUp.add(
        (values, lengths) -> {
          int value = values.apply(result).intValue();
          return value == 0 ? "" : place.apply(value);
        });
    return this;
  }

  /**
   * States that this form is for inputs of which it assumes something, unless the setting
   * {@linkplain Setting#mayAssume forbids} that. A run whose result says otherwise is repeated in a
   * form that assumes nothing, and later runs use that form too.
   *
   * @param result a reported result, 0 as long as no run has found the assumption wrong
   * @param found what such a run has found
   */
  public Step assumes(String result, String found) {
    disproved.add((values, lengths) -> values.apply(result).intValue() == 0 ? "" : found);
    return this;
  }

  /**
   * Checks reported results after a run on a device, and may throw.
   *
   * @param refusal throws an {@link IllegalArgumentException} if reported results say so
   */
  public Step refuses(BiConsumer<Function<String, Number>, Lengths> refusal) {
    gaveUp.add(
        (values, lengths) -> {
          refusal.accept(values, lengths);
          return "";
        });
    return this;
  }

  /**
   * States what an operator combines: its function is in the {@linkplain Launches#kernels kernels}.
   */
  public Step combines(
      Operator operator, String input, ElementType type, @Nullable Transform transform) {
    combined.add(new Combined(operator, input, type, transform));
    List<LookUp> all = FunctionCopies.lookUps(operator(), transforms());
    if (lookUps.isEmpty() && !all.isEmpty()) {
      reports(KernelCopies.MISSES, misses(), ElementType.LONG);
      refuses((results, lengths) -> requireNone(results.apply(misses()).longValue()));
    }
    Map<String, Integer> sameNames = new HashMap<>();
    for (int i = 0; i < all.size(); i++) { // again: one more function may change their order
      LookUp each = all.get(i);
      int same = sameNames.merge(each.name(), 1, Integer::sum);
      String array = "%s.captured_%s%s".formatted(id, each.name(), same == 1 ? "" : "." + same);
      layout.looksUp(array, each.array());
      arrays.put(KernelCopies.LOOK_UP + i, array);
    }
    lookUps = all;
    return this;
  }

  private String misses() {
    return id + "." + KernelCopies.MISSES;
  }

  private void requireNone(long miss) {
    if (miss != 0) {
      LookUp in = lookUps.get(LookUps.number(miss));
      throw new ArrayIndexOutOfBoundsException(
          "Index %s out of bounds for length %s of array %s that a function of %s reads"
              .formatted(LookUps.index(miss), in.length(), in.name(), id));
    }
  }

  /** Whether kernels note look-ups outside of arrays that functions captured. */
  boolean hasMisses() {
    return !lookUps.isEmpty();
  }

  /**
   * Adds an input, or the array of a single value, from which a function gets its next argument;
   * its length may be found by an earlier primitive.
   */
  public Step passes(String input) {
    readsFound(KernelCopies.ARGUMENT + arguments.size(), input);
    arguments.add(input);
    return this;
  }

  /**
   * States that a function is applied to elements: it is in the {@linkplain Launches#kernels
   * kernels} too.
   */
  public Step applies(Transform function, String input) {
    return combines(Operator.SUM, input, function.type(), function);
  }

  /** States preconditions that nobody checks and on which equal results depend. */
  public Step takesForGranted(String that) {
    granted = that;
    return this;
  }

  /** States how many input elements the check of kernels needs. */
  public Step checkedWith(int elements) {
    layout.checkedWith(elements);
    return this;
  }

  /** States the launches, in order; the last one counts the run. All parameters above are bound. */
  public Step onDevice(Consumer<Launches> launches) {
    onDevice = launches;
    return this;
  }

  /** States the work on the JVM. */
  public Step onJvm(Consumer<JvmRun> work) {
    onJvm = work;
    return this;
  }

  /** States that kernels read the bits of floats and doubles, see {@link Launches#bits}. */
  public Step bitsOf(String... parameters) {
    bits.addAll(List.of(parameters));
    return this;
  }

  /** Binds the parameters of all arrays and results. */
  void bind(Launches launches) {
    arrays.forEach(launches::array);
    bits.forEach(
        parameter ->
            launches.bits(parameter, Objects.requireNonNull(arrays.get(parameter), parameter)));
    results.forEach(launches::result);
  }

  /** The parts of this step, none if it has launches of its own. */
  List<Step> parts() {
    return parts;
  }

  /** The primitive's name. */
  public String id() {
    return id;
  }

  /** What this step reads, writes and delivers. */
  public Layout layout() {
    return layout;
  }

  /**
   * Requires lengths that match.
   *
   * @throws IllegalArgumentException with the lengths
   */
  public void requireLengths(Lengths lengths) {
    requirements.forEach(each -> each.accept(lengths));
  }

  /**
   * What the kernels must know of the inputs' lengths in the next run: a fixed number of ints. Ints
   * that the layout {@linkplain Layout#derives derives} are 0 here.
   *
   * @throws IllegalStateException if an int is not stated
   */
  public int[] shape(Lengths lengths) {
    if (!parts.isEmpty()) {
      return joined(parts.stream().map(part -> part.wholeShape(lengths)).toList());
    }
    int[] shape = new int[stated.length()];
    int gap = stated.nextClearBit(0);
    if (gap < shape.length) {
      throw new IllegalStateException("%s does not state int %s".formatted(id, gap));
    }
    ints.forEach(each -> each.accept(shape, lengths));
    return shape;
  }

  /** In one array; there may be millions of edges of bins among them. */
  static int[] joined(List<int[]> some) {
    int[] all = new int[some.stream().mapToInt(each -> each.length).sum()];
    int at = 0;
    for (int[] each : some) {
      System.arraycopy(each, 0, all, at, each.length);
      at += each.length;
    }
    return all;
  }

  /**
   * Values that the step's functions captured, then these ints with those derived on the host, then
   * the rules of all derived ints.
   */
  public int[] wholeShape(Lengths lengths) {
    Lengths taken = layout.taken(lengths);
    int[] shape = layout.shape(shape(taken), taken);
    int[] captured = captured();
    int before = intsBefore();
    if (before == 0) {
      return shape;
    }
    int[] whole = Arrays.copyOf(captured, before + shape.length);
    for (int i = 0; i < arguments.size(); i++) {
      whole[captured.length + i] = lengths.offset(arguments.get(i));
    }
    if (hasMisses()) {
      whole[before - 1] = lengths.index(misses());
    }
    System.arraycopy(shape, 0, whole, before, shape.length);
    return whole;
  }

  /**
   * The number of ints before the step's own: for captured values, offsets of arguments, and the
   * place for misses.
   */
  int intsBefore() {
    return captured().length + arguments.size() + (hasMisses() ? 1 : 0);
  }

  /** Values that functions in the kernels captured; parts have their own. */
  int[] captured() {
    if (captured == null || mayChange()) {
      captured =
          parts.isEmpty() && !combined.isEmpty()
              ? FunctionCopies.captured(operator(), transforms())
              : NONE;
    }
    return captured;
  }

  /** Whether values that its functions captured may change between runs. */
  public boolean mayChange() {
    if (mayChange == null) {
      mayChange =
          parts.isEmpty()
              ? !combined.isEmpty() && FunctionCopies.mayChange(operator(), transforms())
              : parts.stream().anyMatch(Step::mayChange);
    }
    return mayChange;
  }

  /** The operator in the kernels. */
  Operator operator() {
    return combined.isEmpty() ? Operator.SUM : combined.getFirst().operator();
  }

  /** The functions of elements in the kernels. */
  List<Transform> transforms() {
    return combined.stream().map(Combined::transform).flatMap(Stream::ofNullable).toList();
  }

  /**
   * Adds the launches of the kernels, in order.
   *
   * @throws UnsupportedOperationException if the step has no kernels
   */
  public void launch(Launches launches) {
    if (onDevice == null) {
      throw new UnsupportedOperationException("%s has no kernels: it is for the JVM".formatted(id));
    }
    onDevice.accept(launches);
  }

  /**
   * Where the last run on a device gave up, so that it must be repeated in the form for {@link
   * Setting#toTheEnd}; empty if it was complete.
   *
   * @param values the results that the kernels delivered in that run
   * @param lengths the lengths of its inputs
   * @throws IllegalArgumentException if a {@linkplain #refuses check} of results does not hold
   */
  public String gaveUp(Function<String, Number> values, Lengths lengths) {
    return first(gaveUp, values, lengths);
  }

  /**
   * What the last run on a device has found of its inputs that is not as this form {@linkplain
   * #assumes assumes}; empty if nothing.
   *
   * @param values the results that the kernels delivered in that run
   * @param lengths the lengths of its inputs
   */
  public String disproved(Function<String, Number> values, Lengths lengths) {
    return first(disproved, values, lengths);
  }

  private String first(List<GaveUp> all, Function<String, Number> values, Lengths lengths) {
    for (GaveUp each : all) {
      String place = each.place(values, layout.taken(lengths));
      if (!place.isEmpty()) {
        return place;
      }
    }
    return "";
  }

  /**
   * Preconditions that nobody checks and on which equal results depend. Quoted in error messages.
   */
  public String takesForGranted() {
    return granted;
  }

  /** What the user-defined operators combine. */
  public List<Combined> combined() {
    return List.copyOf(combined);
  }

  /**
   * Does the work on the JVM.
   *
   * @throws UnsupportedOperationException if the step is for a device
   */
  public void runOnJvm(JvmRun run) {
    if (onJvm == null) {
      throw new UnsupportedOperationException("%s is for a device".formatted(id));
    }
    run.combines(combined);
    onJvm.accept(layout.taken(run));
  }

  /** The form for this step's setting with the restrictions of another one as well. */
  public Step in(Setting other) {
    return primitive.in(setting.and(other));
  }

  /** The form for the setting of another step. */
  public Step like(Step other) {
    return in(other.setting);
  }

  @Override
  public String toString() {
    return "%s in %s".formatted(primitive, setting);
  }
}
