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
   * Refuses lengths that do not go together.
   *
   * @throws IllegalArgumentException with the lengths
   */
  default void requireLengths(Lengths lengths) {}

  /**
   * What its kernels must know of the inputs' lengths in the next run: as many ints for all
   * lengths, and none unless a primitive says so. Those that the layout {@linkplain Layout#derives
   * derives} are 0 here.
   */
  default int[] shape(Lengths lengths) {
    return new int[0];
  }

  /**
   * Adds its kernels' launches, in order. The last one counts the run after each result. A part for
   * the JVM alone, see {@link Composite#of(String, List, java.util.Set, List)}, has none.
   *
   * @throws UnsupportedOperationException unless a primitive has kernels
   */
  default void launch(Launches launches) {
    throw new UnsupportedOperationException("%s has no kernels: it is for the JVM".formatted(id()));
  }

  /**
   * Where the last run on a device gave up, so that it is to be done again in the form for {@link
   * Setting#toTheEnd}; empty if it came to its end. A primitive that refuses inputs for their
   * elements does so here, and has then left its arrays as they were; on the JVM it throws from
   * {@link #runOnJvm} itself.
   *
   * @param results what its kernels delivered in that run
   * @param lengths of its inputs
   * @throws IllegalArgumentException with what was found
   */
  default String gaveUp(Function<String, Number> results, Lengths lengths) {
    return "";
  }

  /**
   * What inputs or functions have to be for its results to be the same on all engines, if this is
   * not looked at; for messages.
   */
  default String takesForGranted() {
    return "";
  }

  /** The same work in the form for a setting. */
  Primitive in(Setting setting);

  /**
   * What an operator of the user's combines, so that a plan can try its identity.
   *
   * @param operator the operator
   * @param input name of the elements
   * @param type what they are widened to first
   * @param transform what is done to them then, if anything
   */
  record Combined(
      Operator operator, String input, ElementType type, @Nullable Transform transform) {

    /**
     * Whether results on a device may differ from the JVM's in the last bits, since a function of
     * the user's over floating-point numbers may be contracted there.
     */
    public boolean mayBeContracted() {
      return type.isFloating() && (operator.isUser() || transform != null);
    }

    /**
     * Refuses functions of an element's index, where elements come in parts, which have others.
     *
     * @throws IllegalArgumentException with the function's name
     */
    public void requireNoIndex() {
      if (transform != null && transform.isIndexed()) {
        throw new IllegalArgumentException(
            "%s is a function of the index, which elements have in one array only: they come in parts"
                .formatted(transform));
      }
    }

    /**
     * Refuses functions of the user's that cannot be compiled for a device.
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

  /** What its operators combine. */
  default List<Combined> combined() {
    return List.of();
  }

  /** Does the work on the JVM. */
  void runOnJvm(JvmRun run);

  /** Where inputs and arrays of primitives lie in their arrays in the next run. */
  @FunctionalInterface
  interface Lengths {
    /** The first element. */
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
     * The length that the last run has {@linkplain Layout#writesFound found}, or the most if none
     * has.
     */
    default int found(String result, int most) {
      return most;
    }
  }
}
