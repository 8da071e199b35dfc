package funnel.engine;

import java.util.List;

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

  /** The same program over inputs of at most {@code capacity} elements. */
  Program withCapacity(int capacity) {
    return new Program(
        inputs.stream()
            .map(i -> new Input(i.name(), i.type(), Math.min(i.capacity(), capacity)))
            .toList(),
        primitives.stream().map(p -> p.withCapacity(capacity)).toList());
  }
}
