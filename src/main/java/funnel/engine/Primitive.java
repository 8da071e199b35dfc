package funnel.engine;

import funnel.jit.FunctionCopies;
import funnel.jit.KernelTask;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import java.io.Serializable;
import java.util.List;
import java.util.Set;
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

  /**
   * What its compiled kernels depend on besides array sizes. Primitives of equal signature share
   * one check of their kernels on a device.
   */
  String signature();

  /** Names of the inputs that it reads: the program's, or arrays of earlier primitives. */
  List<String> inputs();

  /**
   * Inputs that it writes over. Engines have a copy of their own of such an input, which later runs
   * go on with; it can be fetched like an array.
   */
  default List<String> changedInputs() {
    return List.of();
  }

  /**
   * Inputs in whose very memory one of its {@link #arrays} may be, where the primitive is in the
   * form that cannot {@linkplain #gaveUp give up}.
   *
   * @param array the array's name
   */
  default List<String> inputsInPlace(String array) {
    return List.of();
  }

  /**
   * Inputs of bytes that its kernels take as longs of eight bytes, the first the lowest, if they
   * can: {@link DeviceArrays#array} is then a LongArray. It is a ByteArray where that is the
   * caller's, or another primitive reads the same input.
   */
  default List<String> inputsAsLongs() {
    return List.of();
  }

  /** The arrays that it writes, each with the most elements it can get. */
  default List<Slot> arrays() {
    return List.of();
  }

  /**
   * How many elements it writes into an array.
   *
   * @param array the name of one of {@link #arrays}
   * @param lengths of its inputs
   */
  default int lengthOf(String array, Lengths lengths) {
    throw new IllegalArgumentException("%s writes no array %s".formatted(id(), array));
  }

  /** The single values that it writes. */
  default List<Slot> results() {
    return List.of();
  }

  /** Arrays that only its own kernels use. */
  default List<Slot> scratch() {
    return List.of();
  }

  /**
   * Arrays that its kernels find filled before the first run, all elements with the same value.
   *
   * @param slot the array
   * @param value the value
   */
  record Preset(Slot slot, Number value) {}

  /** Arrays that are filled before the first run. */
  default List<Preset> presets() {
    return List.of();
  }

  /**
   * Where the last run gave up, so that it is to be done again by {@link #instead}; empty if it
   * came to its end.
   *
   * @param results this primitive's results in that run
   */
  default String gaveUp(Function<String, Number> results) {
    return "";
  }

  /**
   * Refuses inputs whose elements the last run found wrong on a device. A primitive that does has
   * left its arrays as they were; on the JVM it throws from {@link #runOnJvm} itself.
   *
   * @param results this primitive's results in that run
   * @param lengths of its inputs
   * @throws IllegalArgumentException with what was found
   */
  default void requireAccepted(Function<String, Number> results, Lengths lengths) {}

  /**
   * The same work in the form that is the fastest on a device, by measurements, unless the caller
   * named one.
   */
  default Primitive on(Device device) {
    return this;
  }

  /**
   * The same work in a form for arrays of the caller's, of which inputs may be any part.
   *
   * @param arrays the names of inputs and arrays that lie in such
   */
  default Primitive over(Set<String> arrays) {
    return this;
  }

  /** The same work in another form that cannot give up. */
  default Primitive instead() {
    return this;
  }

  /**
   * Refuses lengths that do not go together.
   *
   * @throws IllegalArgumentException with the lengths
   */
  default void requireLengths(Lengths lengths) {}

  /**
   * What its kernels must know of the inputs' lengths in the next run: as many ints for all
   * lengths.
   */
  int[] shape(Lengths lengths);

  /** Its kernels' launches, in order. The last one counts the run behind each result. */
  List<KernelTask> tasks(DeviceArrays arrays);

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
    boolean mayBeContracted() {
      return type.isFloating() && (operator.isUser() || transform != null);
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

  /**
   * How many elements of the inputs the check of its kernels on a device wants, so that each of
   * their paths is taken.
   */
  default int checkedElements() {
    return 5000;
  }

  /** The same primitive over inputs of another capacity. */
  Primitive withCapacity(int capacity);

  /** Where inputs and arrays of primitives lie in their arrays in the next run. */
  interface Lengths {
    /** The first element. */
    int offset(String name);

    /** The number of elements. */
    int length(String name);

    /**
     * The index of a result in its array on a device, 0 on the JVM; behind it is the run counter,
     * see {@link RunCounter}.
     */
    int index(String result);
  }
}
