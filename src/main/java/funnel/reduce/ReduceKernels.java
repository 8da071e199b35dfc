package funnel.reduce;

import funnel.jit.FunctionCopies;
import funnel.jit.KernelCopies;
import funnel.jit.TwinClass;
import funnel.operator.Operator;
import funnel.operator.OperatorException;
import funnel.operator.Transform;
import java.lang.invoke.MethodHandles;
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
        TwinClass.of(
                MethodHandles.lookup(),
                IntToIntReduceKernels.class,
                reduce.element(),
                reduce.accumulator())
            .asSubclass(ReduceTasks.class);
    Map<String, KernelCopies.Replacement> bodies =
        userBodies(reduce.operator(), reduce.transform());
    return FunctionCopies.kernels(MethodHandles.lookup(), ReduceTasks.class, kernels, bodies);
  }

  private static Map<String, KernelCopies.Replacement> userBodies(
      Operator operator, @Nullable Transform transform) {
    Map<String, KernelCopies.Replacement> bodies = FunctionCopies.deviceBodies(operator);
    if (transform != null) {
      FunctionCopies.requireForDevice(transform.name(), transform.function());
      bodies.put(transformKey(transform), new KernelCopies.Body(transform.function()));
    }
    return bodies;
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
