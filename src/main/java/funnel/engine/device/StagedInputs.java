package funnel.engine.device;

import funnel.engine.Program;
import funnel.operation.Input;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Tracks which inputs of a program are only on the device, and from where they can be sent again.
 */
final class StagedInputs {

  private final Set<String> bound;
  private final Set<String> unsent = new HashSet<>();
  private final Set<String> sent = new HashSet<>();

  /** Where the elements that were set still are, as long as that is known. */
  private final Map<String, MemorySegment> sources = new HashMap<>();

  /**
   * For a program.
   *
   * @param arrays the caller's arrays, which can always be sent again
   */
  StagedInputs(Program program, Map<String, TornadoNativeArray> arrays) {
    bound =
        program.inputs().stream()
            .map(Input::name)
            .filter(arrays::containsKey)
            .collect(Collectors.toSet());
  }

  /** Inputs that must be sent before the next launch. */
  List<String> unsent() {
    return List.copyOf(unsent);
  }

  /** Inputs that are on the device. */
  List<String> sent() {
    return List.copyOf(sent);
  }

  boolean isSent(String input) {
    return sent.contains(input);
  }

  boolean isBound(String input) {
    return bound.contains(input);
  }

  void hasChanged(String input) {
    unsent.add(input);
  }

  void isOnDevice(String input) {
    unsent.remove(input);
    sent.add(input);
  }

  /** Sets where elements are for now; returns whether that was known. */
  boolean from(String input, MemorySegment elements) {
    return sources.put(input, elements) != null;
  }

  MemorySegment source(String input, ProgramArrays arrays) {
    return isBound(input)
        ? arrays.elements(input)
        : Objects.requireNonNull(sources.get(input), input);
  }

  /**
   * Ends the step in which elements are still in the caller's memory; adds the inputs that this
   * loses.
   */
  void forgetSources(Set<String> lost) {
    sources.clear();
    unsent.stream().filter(input -> !isBound(input)).forEach(lost::add);
    unsent.removeAll(lost);
  }

  /** Nothing is on the device any more; adds the inputs that are lost. */
  void giveUp(Set<String> lost) {
    for (String input : sent) {
      (sources.containsKey(input) || isBound(input) ? unsent : lost).add(input);
    }
    sent.clear();
    unsent.removeAll(lost);
  }
}
