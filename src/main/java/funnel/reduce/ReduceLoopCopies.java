package funnel.reduce;

import funnel.jit.Calls;
import funnel.jit.FunctionCopies;
import funnel.jit.KernelCopies;
import funnel.jit.TwinClass;
import funnel.operator.Transform;
import java.lang.invoke.MethodHandles;
import java.util.Map;

/**
 * Chooses the JVM loops of a reduction: copies of the loop class with the operator and the
 * transform as constants, and with the user's functions in them where they can be copied.
 */
final class ReduceLoopCopies {

  private ReduceLoopCopies() {}

  static ReduceLoops of(Reduce reduce) {
    Map<String, KernelCopies.Replacement> replacements =
        FunctionCopies.loopReplacements(reduce.operator());
    int transformCode = reduce.transformCode();
    Transform transform = reduce.transform();
    if (transform != null) {
      if (KernelCopies.whyNotCopyable(transform.function()).isPresent()) {
        transformCode = transform.isTest() ? Calls.TEST : Calls.MAP;
      } else {
        replacements.put(
            ReduceKernels.transformKey(transform), new KernelCopies.Body(transform.function()));
      }
    }
    replacements.put("transform()I", new KernelCopies.Constant(transformCode));
    return FunctionCopies.instance(
        MethodHandles.lookup(),
        ReduceLoops.class,
        KernelCopies.copy(
            MethodHandles.lookup(),
            TwinClass.of(
                MethodHandles.lookup(),
                IntToIntReduceLoops.class,
                reduce.element(),
                reduce.accumulator()),
            replacements));
  }
}
