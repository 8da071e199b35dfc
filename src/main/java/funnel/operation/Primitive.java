package funnel.operation;

import funnel.jit.FunctionCopies;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import java.io.Serializable;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One step of a program: what it reads and writes, its kernels, and its JVM form. Each family of
 * primitives implements this once, and every engine runs it.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="primitive"}
 */
public interface Primitive {

  /**
   * An array or a single value of a primitive.
   *
   * @param name unique within the program
   * @param type its elements' type
   * @param length elements; 1 for a single value
   */
  record Slot(String name, ElementType type, int length) {}

  /** Name within the program, part of its tasks' names: letters, digits and underscores. */
  String id();

  /** What it reads, writes and delivers. */
  Layout layout();

  /**
   * Refuses lengths that do not match.
   *
   * @throws IllegalArgumentException with the lengths
   */
  default void requireLengths(Lengths lengths) {}

  /**
   * What its kernels must know of the inputs' lengths in the next run: the same number of ints for
   * all lengths, by default none. Ints that the layout {@linkplain Layout#derives derives} are 0
   * here.
   */
  default int[] shape(Lengths lengths) {
    return new int[0];
  }

  /**
   * Adds its kernels' launches, in order. The last one counts the run after each result. A part for
   * the JVM alone, see {@link Composite#of(String, List, java.util.Set, List)}, has none.
   *
   * @throws UnsupportedOperationException if the primitive has no kernels
   */
  default void launch(Launches launches) {
    throw new UnsupportedOperationException("%s has no kernels: it is for the JVM".formatted(id()));
  }

  /**
   * Where the last run on a device gave up, so that it must be repeated in the form for {@link
   * Setting#toTheEnd}; empty if it was complete. A primitive that refuses inputs because of their
   * elements does so here, and must have left its arrays unchanged; on the JVM it throws from
   * {@link #runOnJvm} itself.
   *
   * @param results what its kernels delivered in that run
   * @param lengths the lengths of its inputs
   * @throws IllegalArgumentException if elements are refused, with what was found
   */
  default String gaveUp(Function<String, Number> results, Lengths lengths) {
    return "";
  }

  /**
   * Unchecked conditions on inputs or functions for its results to be the same on all engines; for
   * messages.
   */
  default String takesForGranted() {
    return "";
  }

  /** This primitive in the form for a setting. */
  Primitive in(Setting setting);

  /**
   * The elements that a user-defined operator combines, so that a plan can try its identity.
   *
   * @param operator the operator
   * @param input the name of the elements
   * @param type the type that they are widened to first
   * @param transform the function that is then applied to them, if any
   */
  record Combined(
      Operator operator, String input, ElementType type, @Nullable Transform transform) {

    /**
     * Whether results on a device may differ from the JVM's in the last bits, since a user-defined
     * function over floating-point numbers may be contracted there.
     */
    public boolean mayBeContracted() {
      return type.isFloating() && (operator.isUser() || transform != null);
    }

    /**
     * Refuses functions of an element's index; for elements that come in parts, whose indices
     * differ.
     *
     * @throws IllegalArgumentException with the function's name
     */
    public void requireNoIndex() {
      if (transform != null && transform.isIndexed()) {
        throw new IllegalArgumentException(
            "%s is a function of the index, but the elements come in parts and have indices only within these"
                .formatted(transform));
      }
    }

    /**
     * Refuses user-defined functions that cannot be compiled for a device.
     *
     * @throws funnel.operator.OperatorException with the function's name and the reason
     */
    public void requireForDevice() {
      Serializable function = operator.function();
      if (function != null) {
        FunctionCopies.requireForDevice(operator.name(), function);
      }
      if (transform != null) {
        FunctionCopies.requireForDevice(transform.name(), transform.function());
      }
    }
  }

  /** What its user-defined operators combine. */
  default List<Combined> combined() {
    return List.of();
  }

  /** Does the work on the JVM. */
  void runOnJvm(JvmRun run);

  /** The offsets and lengths of inputs and arrays of primitives in the next run. */
  @FunctionalInterface
  interface Lengths {
    /** The index of the first element in its array. */
    default int offset(String name) {
      return 0;
    }

    /** The number of elements. */
    int length(String name);

    /**
     * The index of a result in its array on a device, 0 on the JVM; after it is the run counter,
     * see {@link RunCounter}.
     */
    default int index(String result) {
      return 0;
    }

    /**
     * The length that the last run {@linkplain Layout#writesFound found}, or {@code most} if no run
     * has.
     */
    default int found(String result, int most) {
      return most;
    }
  }
}
