package funnel.plan;

import funnel.Elements;
import funnel.engine.KeptArray;
import funnel.engine.KeptArrays;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.device.ProgramArrays;
import funnel.jit.ArrayPool;
import funnel.operation.Input;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * What a plan's next run works on: the elements of its inputs, and where its outputs go. Immutable:
 * a change makes a new object, so that a change that throws leaves the plan as it was.
 */
public final class Arguments {

  private final String plan;
  private final Program program;
  private final Map<String, Input> inputs;
  private final Map<String, Primitive.Slot> outputs;
  private final Map<String, TornadoNativeArray> bound;
  private final KeptArrays kept;

  /** The elements of inputs that are set; of bound arrays the part that is the input. */
  private final Map<String, Elements> read = new HashMap<>();

  /** Where outputs go; of bound arrays the part from the first element that is written. */
  private final Map<String, Elements> written = new LinkedHashMap<>();

  private Arguments(
      String plan, Program program, Map<String, TornadoNativeArray> bound, KeptArrays kept) {
    this.plan = plan;
    this.program = program;
    this.bound = bound;
    this.kept = kept;
    this.inputs = new LinkedHashMap<>();
    this.outputs = new LinkedHashMap<>();
    program.inputs().forEach(input -> inputs.put(input.name(), input));
    program.arrays().forEach(slot -> outputs.put(slot.name(), slot));
  }

  /** Arguments of a plan with no input or destination set. */
  private Arguments(Arguments before, KeptArrays kept) {
    this.plan = before.plan;
    this.program = before.program;
    this.bound = before.bound;
    this.kept = kept;
    this.inputs = before.inputs;
    this.outputs = before.outputs;
  }

  private Arguments copy() {
    return copy(kept);
  }

  /** These arguments with other kept arrays. */
  public Arguments over(KeptArrays others) {
    return others == kept ? this : copy(others);
  }

  private Arguments copy(KeptArrays others) {
    Arguments copy = new Arguments(this, others);
    copy.read.putAll(read);
    copy.written.putAll(written);
    return copy;
  }

  /**
   * Arguments of a plan with only the caller's bound arrays, and kept ones, set.
   *
   * @param bound the caller's arrays, by the names of inputs and outputs
   * @param kept kept arrays
   * @throws IllegalArgumentException if an output's array overlaps another array, unless that is an
   *     input that it may overwrite in place
   */
  public static Arguments of(
      String plan,
      Program program,
      Map<String, ? extends TornadoNativeArray> bound,
      KeptArrays kept) {
    Arguments arguments = new Arguments(plan, program, Map.copyOf(bound), kept);
    bound.forEach(
        (name, array) ->
            (arguments.inputs.containsKey(name) ? arguments.read : arguments.written)
                .put(name, Elements.ofTornado(array)));
    arguments.requireArraysApart();
    arguments.requireKeptApart();
    return arguments;
  }

  /** These arguments without the caller's elements, except bound arrays. */
  public Arguments released() {
    Arguments copy = new Arguments(this, kept);
    for (String name : bound.keySet()) {
      (inputs.containsKey(name) ? copy.read : copy.written).put(name, elements(name));
    }
    return copy;
  }

  /** These arguments without some inputs. */
  public Arguments without(Set<String> given) {
    if (given.isEmpty()) {
      return this;
    }
    Arguments copy = copy();
    copy.read.keySet().removeAll(given);
    return copy;
  }

  /** These arguments with other inputs and destinations; throws as a run of the plan does. */
  public Arguments with(Map<String, Elements> given, Map<String, Elements> into) {
    if (given.isEmpty() && into.isEmpty()) {
      return this;
    }
    Arguments copy = copy();
    given.forEach(copy::set);
    into.forEach(copy::into);
    return copy;
  }

  private void set(String name, Elements elements) {
    Objects.requireNonNull(elements, "elements");
    Input input = input(name);
    if (bound.containsKey(name)) {
      throw new IllegalArgumentException(
          "input %s of plan %s is bound to your TornadoVM array: write into it and call changed"
              .formatted(name, plan));
    }
    requireNotKept("input", name);
    if (elements.type() != input.type()) {
      throw new IllegalArgumentException(
          "input %s of plan %s takes %s elements, given are %s"
              .formatted(name, plan, input.type(), elements.type()));
    }
    if (elements.length() > input.capacity()) {
      throw new IllegalArgumentException(
          "input %s of plan %s is too long: length=%s, capacity=%s"
              .formatted(name, plan, elements.length(), input.capacity()));
    }
    requireAlive("elements of input", name, elements);
    read.put(name, elements);
  }

  private void into(String name, Elements destination) {
    Objects.requireNonNull(destination, "destination");
    Primitive.Slot output = output(name);
    if (bound.containsKey(name)) {
      throw new IllegalArgumentException(
          "output %s of plan %s is already bound to your TornadoVM array".formatted(name, plan));
    }
    requireNotKept("output", name);
    if (destination.type() != output.type()) {
      throw new IllegalArgumentException(
          "output %s of plan %s has %s elements, the destination %s"
              .formatted(name, plan, output.type(), destination.type()));
    }
    if (destination.segment().isReadOnly()) {
      throw new IllegalArgumentException(
          "the destination of output %s of plan %s is read-only".formatted(name, plan));
    }
    requireAlive("destination of output", name, destination);
    written.put(name, destination);
  }

  private void requireNotKept(String what, String name) {
    KeptArrays.Part part = kept.parts().get(name);
    if (part != null) {
      throw new IllegalArgumentException(
          "%s %s of plan %s is %s: it stays so for the life of the plan"
              .formatted(what, name, plan, part.array()));
    }
  }

  private void requireAlive(String what, String name, Elements elements) {
    if (!elements.segment().scope().isAlive()) {
      throw new IllegalStateException(
          "%s %s of plan %s: the arena of its memory is closed".formatted(what, name, plan));
    }
  }

  /** These arguments with another part of a bound array; throws as the plan does. */
  public Arguments changed(String name, int from, int to) {
    var _ = input(name);
    TornadoNativeArray array = bound.get(name);
    requireNotKept("input", name);
    if (array == null) {
      throw new IllegalArgumentException(
          "input %s of plan %s is not bound to an array: use set".formatted(name, plan));
    }
    Arguments copy = copy();
    copy.read.put(name, Elements.ofTornado(array).range(from, to));
    for (String output : outputs.keySet()) {
      if (bound.get(output) == array) { // in place is in the same place
        copy.written.put(output, Elements.ofTornado(array).range(from, array.getSize()));
      }
    }
    return copy;
  }

  /** The input of this name; throws if there is none. */
  public Input input(String name) {
    Input input = inputs.get(Objects.requireNonNull(name, "input"));
    if (input == null) {
      throw new IllegalArgumentException(
          "no input '%s' in plan %s; there are %s".formatted(name, plan, inputs.keySet()));
    }
    return input;
  }

  /** The output of this name that is an array; throws if there is none. */
  public Primitive.Slot output(String name) {
    Primitive.Slot output = outputs.get(Objects.requireNonNull(name, "output"));
    if (output == null) {
      throw new IllegalArgumentException(
          "plan %s writes no array '%s'; there are %s".formatted(plan, name, outputs.keySet()));
    }
    return output;
  }

  /** The first elements of inputs that are kept arrays, unless functions look them up, by name. */
  public Map<String, Elements> firstOfKept(int most) {
    Map<String, Elements> first = new HashMap<>();
    Set<String> tables = program.tables();
    for (String input : kept.inputs()) {
      if (tables.contains(input)) {
        continue;
      }
      KeptArrays.Part part = Objects.requireNonNull(kept.parts().get(input));
      Elements some = Elements.allocate(part.array().type(), Math.min(most, part.length()));
      part.array().read(part.from(), some.segment());
      first.put(input, some);
    }
    return first;
  }

  /** Requires a kept array of an output's type that has room for the longest output. */
  public static void requireFits(String plan, Primitive.Slot output, KeptArray array) {
    if (array.type() != output.type() || array.length() < output.length()) {
      throw new IllegalArgumentException(
          "%s for output %s of plan %s does not fit: keep one of %s[%s], the most that the output can have"
              .formatted(array, output.name(), plan, output.type(), output.length()));
    }
  }

  /** The elements of inputs that are set, by name. */
  public Map<String, Elements> inputs() {
    return Map.copyOf(read);
  }

  /** The names of all inputs. */
  public Set<String> inputNames() {
    return inputs.keySet();
  }

  /** The names of the outputs that are arrays. */
  public Set<String> outputs() {
    return outputs.keySet();
  }

  /** Requires a caller's array of an output's type that is long enough for it. */
  public static void requireFits(String plan, Primitive.Slot output, TornadoNativeArray array) {
    boolean fits = array.getSize() >= output.length();
    requireFits(plan, "output " + output.name(), array, output.type(), output.length(), fits);
  }

  /** Requires a caller's array of an input's type that is no longer than its capacity. */
  public static void requireFits(String plan, Input input, TornadoNativeArray array) {
    boolean fits = array.getSize() <= input.capacity();
    requireFits(plan, "input " + input.name(), array, input.type(), input.capacity(), fits);
  }

  private static void requireFits(
      String plan,
      String what,
      TornadoNativeArray array,
      ElementType type,
      int length,
      boolean fits) {
    if (ProgramArrays.typeOf(array) != type || !fits) {
      throw new IllegalArgumentException(
          "array for %s of plan %s does not fit: %s for %s[%s]"
              .formatted(what, plan, Elements.ofTornado(array), type, length));
    }
  }

  private int length(String input) {
    KeptArrays.Part part = kept.parts().get(input);
    return part != null ? part.length() : Objects.requireNonNull(read.get(input), input).length();
  }

  /**
   * The lengths in a run on these arguments.
   *
   * @throws IllegalStateException if an input has never been set
   * @throws IllegalArgumentException if the lengths do not match, or a destination is too short or
   *     overlaps something else
   */
  public Primitive.Lengths requireRunnable() {
    for (String input : inputs.keySet()) {
      if (!read.containsKey(input) && !kept.has(input)) {
        throw new IllegalStateException(
            "input %s of plan %s has not been set: give it to the run, or set it for all runs (what is given to a run is for that run alone)"
                .formatted(input, plan));
      }
    }
    Primitive.Lengths lengths = program.lengths(this::length);
    program.steps().forEach(step -> step.requireLengths(lengths));
    List<Region> regions = new ArrayList<>();
    written.forEach(
        (output, destination) -> {
          int length = lengths.length(output);
          if (program.found(output) != null) { // the run finds the length
            length = Math.min(length, destination.length());
          }
          if (destination.length() < length) {
            throw new IllegalArgumentException(
                "destination of output %s of plan %s is too short: length=%s, capacity=%s"
                    .formatted(output, plan, length, destination.length()));
          }
          regions.add(new Region(output, destination.range(0, length)));
        });
    requireApart(regions);
    return lengths;
  }

  /**
   * Where the outputs of a run go: new arrays for those that have no destination. If the run finds
   * the length, it allocates the array, which is then among these.
   */
  public Map<String, Elements> places(Primitive.Lengths lengths, LoadedProgram loaded) {
    Map<String, Elements> places = new HashMap<>(written);
    outputs.forEach(
        (name, output) -> {
          int most = lengths.length(name);
          if (kept.has(name)) {
            return;
          }
          if (program.found(name) == null) {
            places.computeIfAbsent(name, absent -> allocated(output, most));
          } else if (!places.containsKey(name)) {
            loaded.setDestination(
                name,
                length -> {
                  Elements made = allocated(output, Math.min(length, most));
                  places.put(name, made);
                  return made.segment();
                });
          }
        });
    return places;
  }

  private static Elements allocated(Primitive.Slot output, int length) {
    try {
      return Elements.allocate(output.type(), length);
    } catch (OutOfMemoryError e) {
      throw ArrayPool.heapTooSmall(output.name(), (long) length * output.type().bytes(), e);
    }
  }

  /** Elements that a run writes. */
  private record Region(String output, Elements elements) {}

  private void requireApart(List<Region> regions) {
    for (Region region : regions) {
      read.forEach(
          (input, elements) -> {
            if (overlap(region.elements(), elements) && !isInPlace(region, input, elements)) {
              throw overlapsInput(region.output(), region.elements(), input, elements);
            }
          });
      for (Region other : regions.subList(0, regions.indexOf(region))) {
        if (overlap(region.elements(), other.elements())) {
          throw overlapsOutput(other.output(), region.output());
        }
      }
    }
  }

  private static boolean overlap(Elements written, Elements other) {
    return written.length() > 0 && overlap(written.segment(), other.segment());
  }

  private static boolean overlap(MemorySegment written, MemorySegment other) {
    return other.byteSize() > 0 && written.asOverlappingSlice(other).isPresent();
  }

  private boolean isInPlace(Region region, String input, Elements elements) {
    return elements.type() == region.elements().type()
        && region.elements().segment().address() == elements.segment().address()
        && program.inputsInPlace(region.output()).contains(input);
  }

  /* Compares whole arrays, with their headers, whichever part of them is an input: engines
   * recognize an operation in place by the array object.
   */
  private void requireArraysApart() {
    List<String> before = new ArrayList<>();
    written.forEach(
        (output, elements) -> {
          TornadoNativeArray array = array(output);
          MemorySegment whole = array.getSegmentWithHeader();
          read.forEach(
              (input, its) -> {
                boolean isInPlace =
                    array(input) == array && program.inputsInPlace(output).contains(input);
                if (!isInPlace && overlap(whole, array(input).getSegmentWithHeader())) {
                  throw overlapsInput(output, elements, input, its);
                }
              });
          for (String other : before) {
            if (overlap(whole, array(other).getSegmentWithHeader())) {
              throw overlapsOutput(other, output);
            }
          }
          before.add(output);
        });
  }

  /* Whole arrays, for the same reason. */
  private void requireKeptApart() {
    List<String> before = new ArrayList<>();
    for (String output : outputs.keySet()) {
      KeptArrays.Part place = kept.parts().get(output);
      if (place == null) {
        continue;
      }
      kept.parts()
          .forEach(
              (other, part) -> {
                boolean isInput = inputs.containsKey(other);
                boolean isInPlace =
                    isInput && part.from() == 0 && program.inputsInPlace(output).contains(other);
                if (part.array() == place.array()
                    && (isInput ? !isInPlace : before.contains(other))) {
                  throw new IllegalArgumentException(
                      "output %s of plan %s and %s %s are the same %s: keep an array for the output%s"
                          .formatted(
                              output,
                              plan,
                              isInput ? "input" : "output",
                              other,
                              place.array(),
                              program.inputsInPlace(output).contains(other)
                                  ? ", or read the input from element 0, for an operation in place"
                                  : ""));
                }
              });
      before.add(output);
    }
  }

  private IllegalArgumentException overlapsInput(
      String output, Elements destination, String input, Elements elements) {
    List<String> allowed =
        program.inputsInPlace(output).stream().filter(inputs::containsKey).distinct().toList();
    return new IllegalArgumentException(
        "output %s of plan %s overlaps input %s: %s, %s; give it memory of its own%s"
            .formatted(
                output,
                plan,
                input,
                destination,
                elements,
                allowed.isEmpty() ? "" : ", or exactly the elements of " + allowed));
  }

  private IllegalArgumentException overlapsOutput(String one, String other) {
    return new IllegalArgumentException(
        "outputs %s and %s of plan %s overlap: give each memory of its own"
            .formatted(one, other, plan));
  }

  /** Tells the program where bound arrays are. */
  public void placeArrays(LoadedProgram loaded) {
    bound.keySet().forEach(name -> place(loaded, name));
  }

  /** Tells the program where the array of a bound input is, and the outputs in the same array. */
  public void placeArray(LoadedProgram loaded, String input) {
    TornadoNativeArray array = array(input);
    place(loaded, input);
    outputs.keySet().stream()
        .filter(output -> bound.get(output) == array)
        .forEach(output -> place(loaded, output));
  }

  /**
   * Marks bound inputs that are in destinations as changed: the device still has their old
   * elements.
   */
  public void placeOverwritten(LoadedProgram loaded) {
    written.forEach(
        (output, destination) ->
            read.forEach(
                (input, elements) -> {
                  if (!bound.containsKey(output)
                      && bound.containsKey(input)
                      && overlap(destination, elements)) {
                    place(loaded, input);
                  }
                }));
  }

  private void place(LoadedProgram loaded, String name) {
    Elements part = elements(name);
    long bytes = part.segment().address() - array(name).getSegment().address();
    loaded.setRange(name, (int) (bytes / part.type().bytes()), part.length());
  }

  /** The elements of a bound array. */
  private Elements elements(String name) {
    return Objects.requireNonNull(
        read.containsKey(name) ? read.get(name) : written.get(name), name);
  }

  private TornadoNativeArray array(String name) {
    return Objects.requireNonNull(bound.get(name), name);
  }
}
