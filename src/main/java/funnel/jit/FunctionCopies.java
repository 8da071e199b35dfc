package funnel.jit;

import funnel.operator.Operator;
import funnel.operator.OperatorException;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.Map;

/** How primitives bring functions of the user's into their kernels and loops. */
public final class FunctionCopies {

  private FunctionCopies() {}

  /**
   * The kernels of a primitive over an operator: an object of the class, or of a copy of it with
   * the user's function in it.
   *
   * @param lookup with full access to {@code kernels}
   * @param as what the class implements
   * @param kernels the class
   * @param operator the operator
   * @throws OperatorException if the function cannot be compiled for a device
   */
  public static <T> T kernels(
      MethodHandles.Lookup lookup, Class<T> as, Class<? extends T> kernels, Operator operator) {
    Serializable function = operator.function();
    if (function == null) {
      return instance(lookup, as, kernels);
    }
    requireForDevice(operator.name(), function);
    return instance(
        lookup,
        as,
        KernelCopies.copyForDevice(
            lookup, kernels, Map.of(combineKey(function), new KernelCopies.Body(function))));
  }

  /**
   * The JVM loops of a primitive over an operator: a copy of the class with the operator as a
   * constant, and with the user's function in it where it can be copied; where not, {@link
   * Placeholder#operator} is {@link Calls#OPERATOR} there.
   */
  public static <T> T loops(
      MethodHandles.Lookup lookup, Class<T> as, Class<? extends T> loops, Operator operator) {
    Map<String, KernelCopies.Replacement> replacements = new HashMap<>();
    int code = operator.code();
    Serializable function = operator.function();
    if (function != null) {
      if (KernelCopies.whyNotCopyable(function).isPresent()) {
        code = Calls.OPERATOR;
      } else {
        replacements.put(combineKey(function), new KernelCopies.Body(function));
      }
    }
    replacements.put("operator()I", new KernelCopies.Constant(code));
    return instance(lookup, as, KernelCopies.copy(lookup, loops, replacements));
  }

  /** A new object of a kernel or loop class, or of a copy of one. */
  public static <T> T instance(MethodHandles.Lookup lookup, Class<T> as, Class<?> of) {
    try {
      return as.cast(lookup.findConstructor(of, MethodType.methodType(void.class)).invoke());
    } catch (Throwable e) {
      throw new IllegalStateException("no instance of " + of.getName(), e);
    }
  }

  /**
   * Refuses a function that a device cannot run.
   *
   * @param name of the operator or transform whose function it is, for the message
   * @param function the function
   * @throws OperatorException with the name and the reason
   */
  public static void requireForDevice(String name, Serializable function) {
    KernelCopies.deviceReason(function)
        .ifPresent(
            reason -> {
              throw new OperatorException(name, reason);
            });
  }

  /** The placeholder that an operator's body takes the place of. */
  public static String combineKey(Serializable function) {
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
}
