package funnel.reduce;

import funnel.jit.KernelCopies;
import funnel.operator.Operator;
import funnel.operator.OperatorException;
import funnel.operator.Transform;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Chooses the kernels of a reduction, by its types and its functions of the user's. */
final class ReduceKernels {

  private ReduceKernels() {}

  /**
   * The kernels.
   *
   * @throws OperatorException if a function of the user's cannot be compiled for a device
   */
  static ReduceTasks of(Reduce reduce) {
    Class<? extends ReduceTasks> kernels =
        ReduceForms.of(reduce.element(), reduce.accumulator()).kernels();
    Map<String, KernelCopies.Replacement> bodies =
        userBodies(reduce.operator(), reduce.transform());
    return instance(
        ReduceTasks.class,
        bodies.isEmpty()
            ? kernels
            : KernelCopies.copyForDevice(MethodHandles.lookup(), kernels, bodies));
  }

  /** A new object of a kernel or loop class, or of a copy of one. */
  static <T> T instance(Class<T> as, Class<?> of) {
    try {
      return as.cast(
          MethodHandles.lookup().findConstructor(of, MethodType.methodType(void.class)).invoke());
    } catch (Throwable e) {
      throw new IllegalStateException("no instance of " + of.getName(), e);
    }
  }

  private static Map<String, KernelCopies.Replacement> userBodies(
      Operator operator, @Nullable Transform transform) {
    Map<String, KernelCopies.Replacement> bodies = new HashMap<>();
    Serializable function = operator.function();
    if (function != null) {
      requireForDevice(operator.name(), function);
      bodies.put(combineKey(function), new KernelCopies.Body(function));
    }
    if (transform != null) {
      requireForDevice(transform.name(), transform.function());
      bodies.put(transformKey(transform), new KernelCopies.Body(transform.function()));
    }
    return bodies;
  }

  /**
   * Refuses a function that a device cannot run.
   *
   * @param name of the operator or transform whose function it is, for the message
   * @throws OperatorException with the name and the reason
   */
  static void requireForDevice(String name, Serializable function) {
    KernelCopies.deviceReason(function)
        .ifPresent(
            reason -> {
              throw new OperatorException(name, reason);
            });
  }

  /** The placeholder that an operator's body takes the place of. */
  static String combineKey(Serializable function) {
    String letter =
        switch (function) {
          case Operator.IntCombine f -> "I";
          case Operator.LongCombine f -> "J";
          case Operator.FloatCombine f -> "F";
          case Operator.DoubleCombine f -> "D";
          default -> throw new IllegalStateException("not an operator: " + function.getClass());
        };
    return "combine(%1$s%1$s)%1$s".formatted(letter);
  }

  /** The placeholder that a transform's body takes the place of. */
  static String transformKey(Transform transform) {
    String letter =
        switch (transform.type()) {
          case BYTE, INT -> "I";
          case LONG -> "J";
          case FLOAT -> "F";
          case DOUBLE -> "D";
        };
    return transform.isTest() ? "test(%s)Z".formatted(letter) : "map(%1$s)%1$s".formatted(letter);
  }
}
