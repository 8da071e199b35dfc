package funnel.engine;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Inputs and the routines that work on them: what an engine loads and runs.
 *
 * <p>All routines have the same inputs and arrays, which stay on the device between runs. Scratch
 * of one name is one array, whichever primitives have it.
 *
 * <p>With {@code Scaled}, the example of {@link Primitive}:
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="routines"}
 *
 * @param inputs the inputs, names unique
 * @param routines what a run can do; ids of primitives unique
 */
public record Program(List<Input> inputs, List<Routine> routines) {

  /** Copies the lists. */
  public Program {
    inputs = List.copyOf(inputs);
    routines = List.copyOf(routines);
  }

  /** A program of one routine. */
  public static Program of(List<Input> inputs, List<Primitive> primitives) {
    return new Program(inputs, List.of(new Routine(primitives)));
  }

  /** The primitives of all routines. */
  public List<Primitive> primitives() {
    return routines.stream().flatMap(routine -> routine.primitives().stream()).toList();
  }

  private Program each(UnaryOperator<Primitive> change) {
    return new Program(
        inputs,
        routines.stream()
            .map(routine -> new Routine(routine.primitives().stream().map(change).toList()))
            .toList());
  }

  /**
   * The number of elements of an array that a primitive of the program writes, or of an input.
   *
   * @param name of the array or input
   * @param inputs lengths of the program's inputs
   */
  public int length(String name, ToIntFunction<String> inputs) {
    for (Primitive primitive : primitives()) {
      for (Primitive.Slot slot : primitive.arrays()) {
        if (slot.name().equals(name)) {
          return primitive.lengthOf(name, lengths(inputs));
        }
      }
    }
    return inputs.applyAsInt(name);
  }

  /** The lengths of all its arrays, each of which begins at element 0. */
  public Primitive.Lengths lengths(ToIntFunction<String> inputs) {
    return new Primitive.Lengths() {
      @Override
      public int offset(String name) {
        return 0;
      }

      @Override
      public int length(String name) {
        return Program.this.length(name, inputs);
      }

      @Override
      public int index(String result) {
        return 0;
      }
    };
  }

  /** The arrays that its primitives write. */
  public List<Primitive.Slot> arrays() {
    return primitives().stream().flatMap(primitive -> primitive.arrays().stream()).toList();
  }

  /** The same program with primitives in the forms that are the fastest on a device. */
  public Program on(Device device) {
    return each(p -> p.on(device));
  }

  /** The same program with primitives in forms that cannot give up. */
  public Program instead() {
    return each(Primitive::instead);
  }

  /**
   * The same program over arrays of the caller's: a primitive that writes over its own input takes
   * the form that cannot give up, since there would be nothing left to do it again with.
   *
   * @param bound arrays that serve as inputs or are written, by name
   */
  public Program over(Map<String, TornadoNativeArray> bound) {
    return each(p -> (isInPlace(p, bound) ? p.instead() : p).over(bound.keySet()));
  }

  private static boolean isInPlace(Primitive primitive, Map<String, TornadoNativeArray> bound) {
    return primitive.arrays().stream()
        .map(slot -> bound.get(slot.name()))
        .filter(Objects::nonNull)
        .anyMatch(
            written -> primitive.inputs().stream().anyMatch(input -> bound.get(input) == written));
  }

  /** The same program over inputs of at most {@code capacity} elements. */
  Program withCapacity(int capacity) {
    return new Program(
            inputs.stream()
                .map(i -> new Input(i.name(), i.type(), Math.min(i.capacity(), capacity)))
                .toList(),
            routines)
        .each(p -> p.withCapacity(capacity));
  }

  /** The inputs that routines write over. */
  public Set<String> changedInputs() {
    return primitives().stream()
        .flatMap(p -> p.changedInputs().stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
