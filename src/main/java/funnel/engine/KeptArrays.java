package funnel.engine;

import funnel.operation.Input;
import funnel.operation.Primitive;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The kept arrays that a program reads and writes, by the names of its inputs and outputs. */
public final class KeptArrays {

  /* A run holds the locks of all its arrays, in the order of their numbers, so that no two runs wait
   * for each other. The locks may be taken again by the same thread: a plan has them until it has
   * looked at the results, its engine during the run.
   */

  /** None. */
  public static final KeptArrays NONE = new KeptArrays(Map.of());

  /**
   * A part of an array.
   *
   * @param from the index of its first element
   * @param length the number of its elements
   */
  public record Part(KeptArray array, int from, int length) {}

  private final Map<String, Part> parts;
  private final Map<KeptArray, Boolean> writes = new IdentityHashMap<>();
  private final List<KeptArray> inOrder = new ArrayList<>();
  private final Set<String> inputs = new HashSet<>();
  private final Set<String> changed = new HashSet<>();
  private final Map<KeptArray, Integer> before = new IdentityHashMap<>();
  private boolean isOverwritten;

  private KeptArrays(Map<String, Part> parts) {
    this.parts = Map.copyOf(parts);
  }

  /**
   * Those of a program.
   *
   * @param parts what an input is, and what an output is written to the beginning of
   */
  public static KeptArrays of(Program program, Map<String, Part> parts) {
    if (parts.isEmpty()) {
      return NONE;
    }
    KeptArrays all = new KeptArrays(parts);
    program.inputs().stream().map(Input::name).filter(parts::containsKey).forEach(all.inputs::add);
    program.changedInputs().stream().filter(all.inputs::contains).forEach(all.changed::add);
    parts.forEach(
        (name, part) -> {
          boolean isWritten = !all.inputs.contains(name) || all.changed.contains(name);
          all.writes.merge(part.array(), isWritten, Boolean::logicalOr);
        });
    all.inOrder.addAll(all.writes.keySet());
    all.inOrder.sort(Comparator.comparingLong(KeptArray::number));
    all.isOverwritten =
        all.inputs.stream().map(parts::get).anyMatch(part -> all.isWritten(part.array()));
    return all;
  }

  /** Other arrays under the same names, from their beginnings on. */
  public KeptArrays over(Program program, Map<String, KeptArray> others) {
    Map<String, Part> all = new HashMap<>(parts);
    others.forEach(
        (name, array) -> {
          boolean isRead = inputs.contains(name);
          all.put(name, new Part(array, 0, isRead ? array.written() : array.length()));
        });
    return all.equals(parts) ? this : of(program, all);
  }

  /** Whether these are the same arrays under the same names. */
  public boolean areSame(KeptArrays others) {
    return parts.equals(others.parts);
  }

  /** These and others of the same program. */
  public KeptArrays with(Program program, Map<String, Part> more) {
    if (parts.entrySet().containsAll(more.entrySet())) {
      return this;
    }
    Map<String, Part> all = new HashMap<>(parts);
    all.putAll(more);
    return of(program, all);
  }

  /** These without some of the same program. */
  public KeptArrays without(Program program, Set<String> names) {
    Map<String, Part> left = new HashMap<>(parts);
    return left.keySet().removeAll(names) ? of(program, left) : this;
  }

  private boolean isWritten(KeptArray array) {
    return Objects.requireNonNull(writes.get(array));
  }

  public boolean isEmpty() {
    return parts.isEmpty();
  }

  /** Throws if an input or output, which is to be set, is a kept array. */
  public void requireOther(String name) {
    Part part = parts.get(name);
    if (part != null) {
      throw new IllegalArgumentException(
          "%s is %s: it stays so for the life of the program".formatted(name, part.array()));
    }
  }

  /** Whether an input or output is a kept array. */
  public boolean has(String name) {
    return parts.containsKey(name);
  }

  /** The parts by names. */
  public Map<String, Part> parts() {
    return parts;
  }

  /** The names of inputs. */
  public Set<String> inputs() {
    return inputs;
  }

  /** Whether runs write an array that is an input too: then no run can be repeated. */
  public boolean isOverwritten() {
    return isOverwritten;
  }

  /**
   * Copies of the first elements of inputs; to be called under the locks.
   *
   * @param most the number of bytes of an input, of which there may be fewer
   */
  public Map<String, MemorySegment> copies(ToLongFunction<String> most) {
    Map<String, MemorySegment> copies = new HashMap<>();
    for (String input : inputs) {
      Part part = Objects.requireNonNull(parts.get(input));
      long all = (long) part.length() * part.array().type().bytes();
      MemorySegment copy =
          Arena.ofAuto().allocate(Math.min(all, most.applyAsLong(input)), Long.BYTES);
      part.array().receive(part.from(), copy);
      copies.put(input, copy);
    }
    return copies;
  }

  /** The bytes of the arrays of a program that these are instead. */
  public long bytesOf(Program program) {
    long bytes = 0;
    for (Input input : program.inputs()) {
      bytes += has(input.name()) ? (long) input.capacity() * input.type().bytes() : 0;
    }
    Map<String, Long> written = new HashMap<>(); // of the same name are one array
    for (Primitive.Slot slot : program.arrays()) {
      if (has(slot.name()) && !inputs.contains(slot.name())) {
        written.put(slot.name(), (long) slot.length() * slot.type().bytes());
      }
    }
    return bytes + written.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Acts while no other thread writes what this reads, or uses what this writes.
   *
   * @throws IllegalStateException if an array is closed
   */
  public <T> T locked(Supplier<T> action) {
    int locked = 0;
    try {
      for (KeptArray each : inOrder) {
        each.lock(isWritten(each));
        locked++;
      }
      return action.get();
    } finally {
      while (locked > 0) {
        KeptArray each = inOrder.get(--locked);
        each.unlock(isWritten(each));
      }
    }
  }

  /**
   * Requires that all elements of the inputs are defined.
   *
   * @throws IllegalStateException if some are not, with the reason
   */
  public void requireWritten() {
    for (String input : inputs) {
      Part part = Objects.requireNonNull(parts.get(input));
      part.array().requireWritten(part.from(), part.length());
    }
  }

  /** The arrays that a run writes have no elements until it is {@linkplain #done done}. */
  public void begin() {
    writes.forEach(
        (array, isWritten) -> {
          if (isWritten) {
            before.put(array, array.written());
            array.begin("the last run that was to write it failed: write it again");
          }
        });
  }

  /** A run has written all that {@link #begin} says, to these lengths. */
  public void done(Primitive.Lengths lengths) {
    changed.stream()
        .map(this::array)
        .forEach(array -> array.done(Objects.requireNonNull(before.get(array))));
    parts.keySet().stream()
        .filter(name -> !inputs.contains(name))
        .forEach(output -> array(output).done(lengths.length(output)));
  }

  private KeptArray array(String name) {
    return Objects.requireNonNull(parts.get(name), name).array();
  }
}
