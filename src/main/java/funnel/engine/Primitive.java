package funnel.engine;

import funnel.jit.KernelTask;
import funnel.operator.ElementType;
import java.util.List;

/**
 * One step of a program: what it reads and writes, its kernels, and its JVM form. Each family of
 * primitives implements this once, and every engine runs it.
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

  /** Names of the inputs that it reads. */
  List<String> inputs();

  /** The single values that it writes. */
  List<Slot> results();

  /** Arrays that only its own kernels use. */
  List<Slot> scratch();

  /** Ints of the shape array that it needs. */
  int shapeInts();

  /**
   * Refuses lengths that do not go together.
   *
   * @throws IllegalArgumentException with the lengths
   */
  default void requireLengths(Lengths lengths) {}

  /** What its kernels must know of the inputs' lengths in the next run. */
  int[] shape(Lengths lengths);

  /** Its kernels' launches, in order. The last one counts the run behind each result. */
  List<KernelTask> tasks(DeviceArrays arrays);

  /**
   * Refuses functions of the user's that cannot be compiled for a device.
   *
   * @throws funnel.operator.OperatorException with the function's name and the reason
   */
  default void requireForDevice() {}

  /** Does the work on the JVM. */
  void runOnJvm(JvmRun run);

  /** The same primitive over inputs of another capacity. */
  Primitive withCapacity(int capacity);

  /**
   * Whether results on a device may differ from the JVM's in the last bits, since a user's function
   * over floating-point numbers may be contracted there.
   */
  boolean mayBeContracted();

  /** Where the inputs of the next run lie in their arrays. */
  interface Lengths {
    /** The first element. */
    int offset(String input);

    /** The number of elements. */
    int length(String input);
  }
}
