package funnel.operation;

import funnel.operation.Primitive.Lengths;
import funnel.operation.Primitive.Slot;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a primitive reads, writes and delivers, stated once by a chain of calls. Engines allocate,
 * copy and check accordingly.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="primitive"}
 */
public final class Layout {

  private static final int CHECKED_ELEMENTS = 5000;

  /**
   * An array that a primitive writes.
   *
   * @param slot its name and type, and the largest number of elements that it can have
   * @param length the number of elements in a run
   * @param inPlaceOf inputs whose memory it may share exactly
   * @param like an input of the same length, if stated
   * @param found the result that gives its length, if the primitive finds it
   * @param follows where the length comes from if it is found only if that of an input is
   */
  public record Array(
      Slot slot,
      ToIntFunction<Lengths> length,
      Set<String> inPlaceOf,
      @Nullable String like,
      @Nullable String found,
      @Nullable Follows follows) {}

  /**
   * Where the length of an array comes from.
   *
   * @param inputs the inputs from whose lengths it follows
   * @param rule how; what is equal gives equal lengths
   */
  public record Follows(List<String> inputs, Object rule) {}

  /**
   * An array that is filled before the first run.
   *
   * @param slot the array
   * @param value the value of all its elements
   */
  public record Filled(Slot slot, Number value) {}

  private final Set<String> inputs = new LinkedHashSet<>();
  private final Map<String, Map<Integer, LengthRule>> derived = new LinkedHashMap<>();
  private final Set<String> ofKnownLength = new LinkedHashSet<>();
  private final Set<List<String>> sameLengths = new LinkedHashSet<>();
  private final Set<String> asLongs = new LinkedHashSet<>();
  private final Set<String> changed = new LinkedHashSet<>();
  private final Map<String, Object> lookUps = new LinkedHashMap<>();
  private final Set<String> borrowed = new LinkedHashSet<>();
  private final Map<String, Array> arrays = new LinkedHashMap<>();
  private final Map<String, Array> hidden = new LinkedHashMap<>();
  private final Map<String, Slot> delivered = new LinkedHashMap<>();
  private final Map<String, String> beside = new LinkedHashMap<>();
  private final Set<String> reports = new LinkedHashSet<>();
  private final List<Layout> parts = new ArrayList<>();
  private final List<Slot> scratch = new ArrayList<>();
  private final List<Filled> filled = new ArrayList<>();
  private int checked = CHECKED_ELEMENTS;

  /** The largest number of elements of inputs, which are cut off there. */
  private int most = Integer.MAX_VALUE;

  /** A layout that reads inputs: the program's, or arrays of earlier primitives. */
  public static Layout reads(String... inputs) {
    Layout layout = new Layout();
    List.of(inputs).forEach(layout::alsoReads);
    return layout;
  }

  /** Adds an input. */
  public Layout alsoReads(String input) {
    ofKnownLength.add(input);
    return readsFound(input);
  }

  /**
   * Adds an input whose length an earlier primitive may {@linkplain #writesFound find}. For an
   * input that is added any other way, building a program throws if its length is found.
   */
  public Layout readsFound(String input) {
    inputs.add(input);
    return this;
  }

  /**
   * States that an int of {@link Step#shape} follows from the length of an input, which an earlier
   * primitive may then {@linkplain #writesFound find}. Engines compute the int: on the host, or
   * before the primitive's launches on the device if the length is found there. State all ints that
   * follow from a length in this way, in an order in which a rule reads only ints stated before it.
   *
   * @param at index of the int
   * @param input an input
   * @param rule how the int follows from the length
   */
  public Layout derives(int at, String input, LengthRule rule) {
    derived.computeIfAbsent(input, _ -> new LinkedHashMap<>()).put(at, rule);
    ofKnownLength.remove(input);
    return this;
  }

  /** States that an int is the length of an input itself. */
  public Layout derives(int at, String input) {
    return derives(at, input, LengthRule.LENGTH);
  }

  /**
   * States that two arrays are equally long. {@link Step#requireLengths} checks that if their
   * lengths are known before a run. If a length is found, building a program throws unless the same
   * result gives the length of both.
   */
  public Layout sameLength(String first, String second) {
    sameLengths.add(List.of(first, second));
    return this;
  }

  /**
   * Adds an input of bytes that kernels read as longs of eight bytes each, the first byte lowest,
   * if possible: {@link Launches#isOfLongs} says whether they do. They get bytes if the array is
   * the caller's, or another primitive reads the same input.
   */
  public Layout readsAsLongs(String input) {
    asLongs.add(input);
    return alsoReads(input);
  }

  /** Adds an array that a function captured as an input. */
  Layout looksUp(String input, Object array) {
    lookUps.put(input, array);
    return alsoReads(input);
  }

  /** Adds an input that is a kept array, another one in each run that reads it. */
  public Layout borrows(String input) {
    borrowed.add(input);
    return alsoReads(input);
  }

  /**
   * States that an input is overwritten. Engines keep a copy of such an input, from which later
   * runs continue; it can be fetched like an array.
   */
  public Layout changes(String input) {
    changed.add(input);
    return this;
  }

  /**
   * Adds an array that is written.
   *
   * @param array its name
   * @param type its elements' type
   * @param capacity the largest number of elements that it can have
   * @param length the number of elements in a run
   */
  public Layout writes(
      String array, ElementType type, int capacity, ToIntFunction<Lengths> length) {
    return adds(new Slot(array, type, capacity), length, null, null, null);
  }

  private Layout adds(
      Slot slot,
      ToIntFunction<Lengths> length,
      @Nullable String like,
      @Nullable String found,
      @Nullable Follows follows) {
    arrays.put(
        slot.name(), taken(new Array(slot, length, new LinkedHashSet<>(), like, found, follows)));
    return this;
  }

  /** Adds an array that is written and is as long as an input. */
  public Layout writes(String array, ElementType type, int capacity, String input) {
    return adds(
        new Slot(array, type, capacity), lengths -> lengths.length(input), input, null, null);
  }

  /** Adds an array that is written and always has the same length. */
  public Layout writes(String array, ElementType type, int length) {
    return writes(array, type, length, lengths -> length);
  }

  /**
   * Adds an array that is written and whose length is a result of this primitive, at most the
   * length of an input. During a run only the device knows the length; engines {@linkplain #derives
   * derive} there what later primitives need of it, and the host uses the maximum length.
   */
  public Layout writesFound(
      String array, ElementType type, int capacity, String result, String input) {
    return adds(
        new Slot(array, type, capacity),
        lengths -> lengths.found(result, lengths.length(input)),
        null,
        result,
        null);
  }

  /**
   * Adds an array that is written and whose length follows from those of inputs. If an earlier
   * primitive finds one of these, a result of this primitive gives the array's length; otherwise
   * that is known before the run, and the result is the same number.
   *
   * @param follows the inputs and the rule
   * @param length the number of elements in a run, from lengths of the inputs
   */
  public Layout writesFollowing(
      String array,
      ElementType type,
      int capacity,
      String result,
      Follows follows,
      ToIntFunction<Lengths> length) {
    return adds(
        new Slot(array, type, capacity),
        lengths -> lengths.found(result, length.applyAsInt(lengths)),
        null,
        result,
        follows);
  }

  /**
   * Adds an array whose length is a result, and whose maximum length does not depend on an input.
   */
  public Layout writesFound(String array, ElementType type, int capacity, String result) {
    return adds(
        new Slot(array, type, capacity),
        lengths -> lengths.found(result, capacity),
        null,
        result,
        null);
  }

  /**
   * States that an array may share exactly the memory of an input, in a form that cannot
   * {@linkplain Step#gaveUp give up}.
   */
  public Layout inPlaceOf(String array, String input) {
    Objects.requireNonNull(arrays.get(array), array).inPlaceOf().add(input);
    return this;
  }

  /** Adds a single value that both forms deliver. */
  public Layout delivers(String result, ElementType type) {
    delivered.put(result, new Slot(result, type, 1));
    return this;
  }

  /**
   * States that a kernel reads an earlier result of the same type in the array of its own one, also
   * where both are of parts of one primitive.
   */
  public Layout besides(String result, String earlier) {
    beside.put(result, earlier);
    return this;
  }

  /**
   * Adds a single value that kernels deliver only for {@link Step#gaveUp}; the JVM form does not
   * deliver it.
   */
  public Layout reports(String result, ElementType type) {
    reports.add(result);
    return delivers(result, type);
  }

  /**
   * Counts the runs of a primitive that delivers nothing: the counter for its last kernel is one
   * element after {@code doneAt} in {@code done}, see {@link RunCounter}.
   *
   * @param id the primitive's id
   */
  public Layout counts(String id) {
    return reports(done(id), ElementType.INT);
  }

  static String done(String id) {
    return id + ".done";
  }

  /** Adds an array that only kernels use; arrays of the same name and type are one array. */
  public Layout scratch(String name, ElementType type, int length) {
    scratch.add(new Slot(name, type, length));
    return this;
  }

  /** Adds an array that only kernels use, with all elements set to a value before the first run. */
  public Layout filled(String name, ElementType type, int length, Number value) {
    filled.add(new Filled(new Slot(name, type, length), value));
    return this;
  }

  /**
   * States how many input elements the check of the kernels on a device needs so that it takes each
   * of their paths; 5000 by default.
   */
  public Layout checkedWith(int elements) {
    checked = elements;
    return this;
  }

  /**
   * The layout of parts that run one after the other.
   *
   * @param visible the arrays that others see
   * @param onJvm the layouts of the parts for the JVM: only results that these deliver are
   *     delivered, and arrays that only they write take no memory on a device
   */
  static Layout of(List<Layout> parts, Set<String> visible, List<Layout> onJvm) {
    Layout all = new Layout();
    all.parts.addAll(parts);
    for (Layout part : parts) {
      all.most = Math.min(all.most, part.most);
      all.inputs.addAll(part.inputs);
      all.ofKnownLength.addAll(part.ofKnownLength);
      all.sameLengths.addAll(part.sameLengths);
      all.changed.addAll(part.changed);
      all.lookUps.putAll(part.lookUps);
      all.borrowed.addAll(part.borrowed);
      part.arrays.forEach(
          (name, array) -> {
            if (visible.contains(name)) {
              Set<String> inPlaceOf = new LinkedHashSet<>(array.inPlaceOf());
              parts
                  .subList(parts.indexOf(part) + 1, parts.size())
                  .forEach(later -> inPlaceOf.removeAll(later.inputs));
              all.adds(array.slot(), array.length(), array.like(), array.found(), array.follows());
              inPlaceOf.forEach(input -> all.inPlaceOf(name, input));
            } else {
              all.hidden.put(name, all.taken(array));
              all.scratch.add(array.slot());
            }
          });
      part.hidden.forEach((name, array) -> all.hidden.put(name, all.taken(array)));
      all.delivered.putAll(part.delivered);
      all.beside.putAll(part.beside);
      all.scratch.addAll(part.scratch);
      all.filled.addAll(part.filled);
    }
    parts.forEach(part -> all.inputs.removeAll(part.arrays.keySet()));
    all.reports.addAll(all.delivered.keySet());
    for (Layout layout : onJvm) {
      layout.results().forEach(slot -> all.reports.remove(slot.name()));
      layout.arrays.forEach(
          (name, array) -> {
            if (!all.arrays.containsKey(name)) {
              all.hidden.putIfAbsent(name, all.taken(array));
            }
          });
    }
    all.checked =
        parts.stream()
            .filter(part -> !Collections.disjoint(part.inputs, all.inputs))
            .mapToInt(part -> part.checked)
            .max()
            .orElse(0);
    for (Layout part : parts) {
      part.asLongs.stream()
          .filter(input -> parts.stream().filter(p -> p.inputs.contains(input)).count() == 1)
          .forEach(all.asLongs::add);
    }
    return all;
  }

  /** The rules of ints that follow from the length of an input, by inputs. */
  Map<String, Map<Integer, LengthRule>> derived() {
    return derived;
  }

  /**
   * The contents of the shape array for a primitive: its ints, with those that follow from lengths
   * filled in, then the rules.
   */
  public int[] shape(int[] own, Lengths lengths) {
    IntStream.Builder rules = IntStream.builder();
    derived.forEach(
        (input, ofInput) ->
            ofInput.forEach(
                (at, rule) -> {
                  own[at] = rule.of(lengths.length(input), own);
                  rule.put(at, rules);
                }));
    return Step.joined(List.of(own, rules.build().toArray()));
  }

  /** This layout for a setting that cuts inputs off. */
  Layout within(int newMost) {
    most = newMost;
    return this;
  }

  private Array taken(Array array) {
    return new Array(
        array.slot(),
        lengths -> array.length().applyAsInt(taken(lengths)),
        array.inPlaceOf(),
        array.like(),
        array.found(),
        array.follows());
  }

  /**
   * The lengths that the primitive takes. Where inputs are cut off, arrays that are equally long
   * over all elements may not be: a part from the second element on then has fewer elements than
   * one up to the last but one. All are taken as long as the shortest of them. An array that is as
   * long for any input, such as bins, is cut off like an input if the primitive takes any length.
   */
  Lengths taken(Lengths all) {
    if (most == Integer.MAX_VALUE) {
      return all;
    }
    return new Lengths() {
      @Override
      public int offset(String name) {
        return all.offset(name);
      }

      @Override
      public int length(String name) {
        return inputs.contains(name)
            ? equallyLong(name).stream().mapToInt(this::own).min().orElseThrow()
            : all.length(name);
      }

      private int own(String name) {
        int length = all.length(name);
        return derived.containsKey(name) ? Math.min(length, most) : length;
      }

      @Override
      public int index(String result) {
        return all.index(result);
      }

      @Override
      public int found(String result, int atMost) {
        return all.found(result, atMost);
      }
    };
  }

  /** The inputs that are as long as one, with this. */
  private Set<String> equallyLong(String input) {
    Set<String> equal = new LinkedHashSet<>(List.of(input));
    for (int size = 0; size < equal.size(); ) {
      size = equal.size();
      for (List<String> pair : sameLengths) {
        if (inputs.containsAll(pair) && !Collections.disjoint(equal, pair)) {
          equal.addAll(pair);
        }
      }
    }
    return equal;
  }

  /** A run in which the primitive gets inputs of the lengths that it {@linkplain #taken takes}. */
  JvmRun taken(JvmRun all) {
    return most == Integer.MAX_VALUE ? all : new TakenRun(all, this);
  }

  /** The inputs. */
  public Set<String> inputs() {
    return inputs;
  }

  /** Inputs, those of parts included, whose length no earlier primitive may find. */
  public Set<String> inputsOfKnownLength() {
    return ofKnownLength;
  }

  /** Pairs of arrays, those of parts included, that are equally long. */
  public Set<List<String>> sameLengths() {
    return sameLengths;
  }

  /** Inputs of bytes that kernels read as longs if possible. */
  public Set<String> inputsAsLongs() {
    return asLongs;
  }

  /** Inputs that are Java arrays which functions captured, with these. */
  public Map<String, Object> lookUps() {
    return lookUps;
  }

  /** Inputs that are kept arrays, others in each run. */
  public Set<String> borrowed() {
    return borrowed;
  }

  /** Inputs that are overwritten. */
  public Set<String> changedInputs() {
    return changed;
  }

  /** The arrays that are written, by name. */
  public Map<String, Array> written() {
    return arrays;
  }

  /** The arrays that parts write and that are not visible outside. */
  public Map<String, Array> hidden() {
    return hidden;
  }

  /** The arrays that are written, each with its capacity. */
  public List<Slot> arrays() {
    return arrays.values().stream().map(Array::slot).toList();
  }

  /** Inputs whose memory an array may share exactly. */
  public Set<String> inputsInPlace(String array) {
    return Objects.requireNonNull(arrays.get(array), array).inPlaceOf();
  }

  /** The single values that both forms deliver. */
  public List<Slot> results() {
    return delivered.values().stream().filter(slot -> !reports.contains(slot.name())).toList();
  }

  /** The single values that kernels deliver, reports included. */
  public List<Slot> delivered() {
    return List.copyOf(delivered.values());
  }

  /** {@link #delivered}, by the parts whose kernels deliver them; one list if there are none. */
  public List<List<Slot>> deliveredByParts() {
    return parts.isEmpty()
        ? List.of(delivered())
        : parts.stream().flatMap(part -> part.deliveredByParts().stream()).toList();
  }

  /** The earlier result in whose array a result must be, or null. */
  public @Nullable String besides(String result) {
    return beside.get(result);
  }

  /** All arrays and values that the primitive adds. */
  public List<Slot> slots() {
    List<Slot> all = new ArrayList<>(arrays());
    all.addAll(delivered.values());
    all.addAll(scratch);
    filled.forEach(each -> all.add(each.slot()));
    return all;
  }

  /** Arrays that only kernels use. */
  public List<Slot> scratch() {
    return scratch;
  }

  /** Arrays that are filled before the first run. */
  public List<Filled> filled() {
    return filled;
  }

  /** How many elements the check of the kernels needs. */
  public int checkedElements() {
    return checked;
  }
}
