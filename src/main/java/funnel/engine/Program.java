package funnel.engine;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Inputs and the primitives that work on them, in order: what an engine loads and runs.
 *
 * @param inputs the inputs, names unique
 * @param primitives the primitives, ids unique
 */
public record Program(List<Input> inputs, List<Primitive> primitives) {

  /** Copies the lists. */
  public Program {
    inputs = List.copyOf(inputs);
    primitives = List.copyOf(primitives);
  }

  /**
   * The number of elements of an array that a primitive of the program writes, or of an input.
   *
   * @param name of the array or input
   * @param inputs lengths of the program's inputs
   */
  public int length(String name, ToIntFunction<String> inputs) {
    for (Primitive primitive : primitives) {
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
    };
  }

  /** The arrays that its primitives write. */
  public List<Primitive.Slot> arrays() {
    return primitives.stream().flatMap(primitive -> primitive.arrays().stream()).toList();
  }

  /** The same program with primitives in the forms that are the fastest on a device. */
  public Program on(Device device) {
    return new Program(inputs, primitives.stream().map(p -> p.on(device)).toList());
  }

  /** The same program with primitives in forms that cannot give up. */
  public Program instead() {
    return new Program(inputs, primitives.stream().map(Primitive::instead).toList());
  }

  /**
   * The same program over arrays of the caller's: a primitive that writes over its own input takes
   * the form that cannot give up, since there would be nothing left to do it again with.
   *
   * @param bound arrays that serve as inputs or are written, by name
   */
  public Program over(Map<String, TornadoNativeArray> bound) {
    return new Program(
        inputs, primitives.stream().map(p -> isInPlace(p, bound) ? p.instead() : p).toList());
  }

  private static boolean isInPlace(Primitive primitive, Map<String, TornadoNativeArray> bound) {
    return primitive.arrays().stream()
        .map(slot -> bound.get(slot.name()))
        .filter(Objects::nonNull)
        .anyMatch(
            written -> primitive.inputs().stream().anyMatch(input -> bound.get(input) == written));
  }

  /** Where primitives gave up: each one's id and its place. */
  public List<String> gaveUp(Function<String, Number> results) {
    return primitives.stream()
        .filter(p -> !p.gaveUp(results).isEmpty())
        .map(p -> p.id() + " at " + p.gaveUp(results))
        .toList();
  }

  /** The same program over inputs of at most {@code capacity} elements. */
  Program withCapacity(int capacity) {
    return new Program(
        inputs.stream()
            .map(i -> new Input(i.name(), i.type(), Math.min(i.capacity(), capacity)))
            .toList(),
        primitives.stream().map(p -> p.withCapacity(capacity)).toList());
  }
}
