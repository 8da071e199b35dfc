package funnel.engine;

import funnel.jit.LookUp;
import funnel.operation.Device;
import funnel.operation.Input;
import funnel.operation.Layout;
import funnel.operation.OutputTooShortException;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operation.UnknownLengthException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Inputs and the routines that work on them: what an engine loads and runs.
 *
 * <p>All routines have the same inputs and arrays, which stay on the device between runs. Scratch
 * arrays of the same name are one array, even of different primitives.
 *
 * <p>With {@code Scaled}, the example of {@link Primitive}:
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="routines"}
 */
public final class Program {

  private final List<Input> inputs;
  private final List<Routine> routines;
  private final List<Step> steps;
  private final List<Layout> layouts;
  private final Set<String> changedInputs;
  private final Map<String, Layout.Array> arrays = new HashMap<>();

  /** For each array the result that gives its length, empty if that is known before a run. */
  private final Map<String, Optional<String>> found = new HashMap<>();

  /** Results that give lengths of arrays, but those that are known before a run. */
  private final Set<String> finding = new HashSet<>();

  /** Where lengths come from, by arrays, and one object for each rule over such objects. */
  private final Map<String, Optional<Object>> sources = new HashMap<>();

  private final Map<List<Object>, Object> rules = new HashMap<>();

  /**
   * A program.
   *
   * @param inputs the inputs, with unique names
   * @param routines the routines; ids of primitives are unique
   * @throws UnknownLengthException if a primitive needs the length of an array before the run and
   *     an earlier one finds it, or takes two arrays of equal length of which only one is found, or
   *     whose lengths are different results
   */
  public Program(List<Input> inputs, List<Routine> routines) {
    this.inputs = List.copyOf(inputs);
    this.routines = List.copyOf(routines);
    this.steps = this.routines.stream().flatMap(r -> r.steps().stream()).toList();
    this.layouts = steps.stream().map(Step::layout).toList();
    this.changedInputs =
        layouts.stream()
            .flatMap(layout -> layout.changedInputs().stream())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    for (Layout layout : layouts) {
      arrays.putAll(layout.written());
      arrays.putAll(layout.hidden());
    }
    for (Layout layout : layouts) { // in order, so that what an array follows from is known
      layout.written().keySet().forEach(array -> finding.add(found(array)));
      layout.hidden().keySet().forEach(array -> finding.add(found(array)));
    }
    finding.remove(null);
    steps.forEach(this::requireKnownLengths);
    steps.forEach(this::requireSameLengths);
  }

  private void requireSameLengths(Step step) {
    for (List<String> pair : step.layout().sameLengths()) {
      String first = found(pair.getFirst());
      String last = found(pair.getLast());
      if (!Objects.equals(source(pair.getFirst()), source(pair.getLast()))) {
        throw new UnknownLengthException(
            "%s takes %s and %s of equal length, which cannot be seen before the run: an earlier operation finds that of %s, %s, and %s; take arrays of one operation, as columns from Select.where(...).rows() are, or these in a run of their own"
                .formatted(
                    step.id(),
                    pair.getFirst(),
                    pair.getLast(),
                    first != null ? pair.getFirst() : pair.getLast(),
                    first != null ? first : last,
                    first == null || last == null
                        ? "the other one's is known"
                        : "another one that of %s, %s".formatted(pair.getLast(), last)),
            pair);
      }
    }
  }

  private void requireKnownLengths(Step step) {
    for (String input : step.layout().inputsOfKnownLength()) {
      String found = found(input);
      if (found != null) {
        throw new UnknownLengthException(
            "%s cannot take %s: an earlier operation finds its length, %s, and %s needs it before the run; take the array in a run of its own"
                .formatted(step.id(), input, found, step.id()),
            List.of(input));
      }
    }
  }

  /** A program of one routine. */
  public static Program of(List<Input> inputs, List<? extends Primitive> primitives) {
    return new Program(inputs, List.of(Routine.of(primitives)));
  }

  /** The inputs. */
  public List<Input> inputs() {
    return inputs;
  }

  /** The routines. */
  public List<Routine> routines() {
    return routines;
  }

  /** The forms of the primitives of all routines. */
  public List<Step> steps() {
    return steps;
  }

  /** The layouts of all these. */
  public List<Layout> layouts() {
    return layouts;
  }

  /** The lengths of all its arrays after a run, including those that results give. */
  public Primitive.Lengths lengths(
      Primitive.Lengths inputs, Function<String, @Nullable Number> results) {
    return lengths(
        new Primitive.Lengths() {
          @Override
          public int length(String name) {
            return inputs.length(name);
          }

          @Override
          public int found(String result, int most) {
            Number length = results.apply(result);
            return length == null ? most : Math.min(length.intValue(), most);
          }
        });
  }

  /** The lengths of all its arrays, from the lengths and offsets of inputs. */
  public Primitive.Lengths lengths(Primitive.Lengths inputs) {
    return new Following(inputs, null);
  }

  /** Lengths of arrays, which follow from those of inputs and other arrays. */
  private final class Following implements Primitive.Lengths {
    private final Primitive.Lengths inputs;

    /** Those computed so far for another one: several arrays may follow from one. */
    private final @Nullable Map<String, Integer> computed;

    Following(Primitive.Lengths inputs, @Nullable Map<String, Integer> computed) {
      this.inputs = inputs;
      this.computed = computed;
    }

    @Override
    public int offset(String name) {
      return inputs.offset(name);
    }

    @Override
    public int length(String name) {
      Layout.Array array = arrays.get(name);
      if (array == null) {
        return inputs.length(name);
      }
      if (computed == null) {
        return new Following(inputs, new HashMap<>()).length(name);
      }
      Integer before = computed.get(name);
      if (before == null) {
        before = array.length().applyAsInt(this);
        computed.put(name, before);
      }
      return before;
    }

    @Override
    public int index(String result) {
      return inputs.index(result);
    }

    @Override
    public int found(String result, int most) {
      return finding.contains(result) ? inputs.found(result, most) : most;
    }
  }

  /**
   * Requires destinations as long as the lengths found.
   *
   * @param lengths the lengths after the run
   * @param destinations the destinations by arrays
   * @throws OutputTooShortException with both lengths
   */
  public void requireRoom(Primitive.Lengths lengths, Map<String, MemorySegment> destinations) {
    destinations.forEach(
        (name, place) -> {
          Layout.Array array = arrays.get(name);
          if (array != null && found(name) != null) {
            long most = place.byteSize() / array.slot().type().bytes();
            if (lengths.length(name) > most) {
              throw new OutputTooShortException(name, lengths.length(name), most);
            }
          }
        });
  }

  /** The result that gives the length of an array, if a primitive finds it. */
  public @Nullable String found(String array) {
    Layout.Array of = arrays.get(array);
    if (of == null) {
      return null;
    }
    Optional<String> before = found.get(array);
    if (before == null) { // in the constructor alone
      before = Optional.ofNullable(find(of));
      found.put(array, before);
    }
    return before.orElse(null);
  }

  private @Nullable String find(Layout.Array of) {
    if (of.found() != null) {
      Layout.Follows follows = of.follows();
      boolean isFound =
          follows == null || follows.inputs().stream().anyMatch(input -> found(input) != null);
      return isFound ? of.found() : null;
    }
    return of.like() == null ? null : found(of.like());
  }

  /**
   * Where the length of an array comes from, if a primitive finds it: equal ones are one length.
   */
  private @Nullable Object source(String array) {
    Optional<Object> before = sources.get(array);
    if (before == null) {
      before = Optional.ofNullable(traced(array));
      sources.put(array, before);
    }
    return before.orElse(null);
  }

  private @Nullable Object traced(String array) {
    Layout.Array of = arrays.get(array);
    if (of == null || found(array) == null) {
      return null;
    }
    Layout.Follows follows = of.follows();
    if (follows != null) {
      List<Object> rule = new ArrayList<>(List.of(follows.rule()));
      follows.inputs().forEach(input -> rule.add(Objects.requireNonNullElse(source(input), input)));
      return rules.computeIfAbsent(rule, _ -> new Object());
    }
    return of.found() != null ? of.found() : source(Objects.requireNonNull(of.like()));
  }

  /** The arrays that its primitives write. */
  public List<Primitive.Slot> arrays() {
    return layouts.stream().flatMap(layout -> layout.arrays().stream()).toList();
  }

  /** Inputs whose memory an array may share exactly. */
  public Set<String> inputsInPlace(String array) {
    return Objects.requireNonNull(arrays.get(array), array).inPlaceOf();
  }

  /** The inputs that routines overwrite. */
  public Set<String> changedInputs() {
    return changedInputs;
  }

  /** Whether an input is an array that a function captured, which reads it at any index. */
  public boolean isLookUp(String input) {
    return layouts.stream().anyMatch(layout -> layout.lookUps().containsKey(input));
  }

  /** The arrays that functions captured, by the names of inputs. */
  public Map<String, LookUp> lookUps() {
    Map<String, LookUp> all = new HashMap<>();
    for (Layout layout : layouts) {
      layout.lookUps().forEach((input, array) -> all.put(input, new LookUp(input, array)));
    }
    return all;
  }

  /** The inputs that are kept arrays, others in each run: functions look up elements, mostly. */
  public Set<String> tables() {
    Set<String> tables = new HashSet<>();
    for (Layout layout : layouts) {
      tables.addAll(layout.borrowed());
      layout
          .lookUps()
          .forEach(
              (input, array) -> {
                if (new LookUp(input, array).isKept()) {
                  tables.add(input);
                }
              });
    }
    return tables;
  }

  private Program each(List<Input> newInputs, UnaryOperator<Step> change) {
    return new Program(
        newInputs,
        routines.stream()
            .map(routine -> new Routine(routine.steps().stream().map(change).toList()))
            .toList());
  }

  /** This program with primitives in the forms for a setting. */
  public Program in(Setting setting) {
    return each(
        inputs.stream()
            .map(
                input ->
                    isLookUp(input.name())
                        ? input
                        : new Input(input.name(), input.type(), setting.capacity(input.capacity())))
            .toList(),
        step -> step.in(setting));
  }

  /** This program {@linkplain #on(Setting, Map) for} a device, over the caller's arrays. */
  public Program on(Device device, Map<String, TornadoNativeArray> bound) {
    return on(Setting.on(device), bound);
  }

  /**
   * This program with primitives in the forms of those of a program that differs in what functions
   * captured.
   */
  public Program like(Program other) {
    List<Routine> formed = new ArrayList<>();
    for (int i = 0; i < routines.size(); i++) {
      List<Step> forms = other.routines.get(i).steps();
      formed.add(
          new Routine(
              IntStream.range(0, forms.size())
                  .mapToObj(
                      step -> routines.get(formed.size()).steps().get(step).like(forms.get(step)))
                  .toList()));
    }
    return new Program(inputs, formed);
  }

  /** {@link #on(Setting, Map, KeptArrays)} without kept arrays. */
  public Program on(Setting setting, Map<String, TornadoNativeArray> bound) {
    return on(setting, bound, KeptArrays.NONE);
  }

  /**
   * This program for a setting, over arrays of others: a primitive that overwrites its own input
   * takes the form that cannot give up, since it could not be repeated, and so do all if a kept
   * array is read and written. None assumes anything if one overwrites an input.
   *
   * @param bound arrays of the caller that serve as inputs or are written, by name
   * @param kept kept ones
   */
  public Program on(Setting setting, Map<String, TornadoNativeArray> bound, KeptArrays kept) {
    Map<String, Object> all = new HashMap<>(bound);
    kept.parts().forEach((name, part) -> all.put(name, part.array()));
    boolean changes = layouts.stream().anyMatch(layout -> !layout.changedInputs().isEmpty());
    return each(
        inputs,
        step -> {
          Setting over = setting.over(all.keySet(), kept.isOverwritten() || isInPlace(step, all));
          return (changes ? step.in(Setting.assumingNothing()) : step).in(over);
        });
  }

  private boolean isInPlace(Step step, Map<String, Object> bound) {
    Layout layout = step.layout();
    return layout.written().keySet().stream()
        .map(bound::get)
        .filter(Objects::nonNull)
        .anyMatch(
            written -> layout.inputs().stream().anyMatch(input -> bound.get(input) == written));
  }
}
