package funnel.operation;

import funnel.jit.FunctionCopies;
import funnel.jit.KernelCopies;
import funnel.jit.LookUp;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import java.io.Serializable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An algorithm from arrays to arrays, a part of a program: its {@linkplain #in step} for a setting
 * says what it reads and writes, its kernels, and its work on the JVM. Each algorithm implements
 * this once, and every engine runs it.
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
   * The form for a setting. A form is chosen by the capacity that the primitive was made for; its
   * arrays and launches have the {@linkplain Setting#capacity capacity} of the setting.
   */
  Step in(Setting setting);

  /** The form for {@link Setting#asIs}. */
  default Step asIs() {
    return in(Setting.asIs());
  }

  /**
   * The elements that a user-defined operator combines, so that a plan can try its identity.
   *
   * @param operator the operator
   * @param input the name of the elements
   * @param type the type that they are widened to first
   * @param transform the function that is applied to them next, if any
   */
  record Combined(
      Operator operator, String input, ElementType type, @Nullable Transform transform) {

    /**
     * Whether results on a device may differ from the JVM's in the last bits, since a user-defined
     * function calls a method that is not exact there, such as {@code Math.exp}.
     */
    public boolean mayDiffer() {
      Serializable function = operator.function();
      return function != null && KernelCopies.mayDiffer(function)
          || transform != null && KernelCopies.mayDiffer(transform.function());
    }

    /** Whether a function reads kept arrays, which are where it must run. */
    public boolean readsKept() {
      return FunctionCopies.lookUps(operator, Stream.ofNullable(transform).toList()).stream()
          .anyMatch(LookUp::isKept);
    }

    /**
     * Requires functions without an index, for elements that come in parts, in which indices
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
     * Requires user-defined functions that can be compiled for a device.
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
