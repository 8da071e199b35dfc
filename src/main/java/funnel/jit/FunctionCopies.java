package funnel.jit;

import funnel.operator.Comparison;
import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorException;
import funnel.operator.Transform;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Brings user-defined functions into the kernels and loops of primitives.
 *
 * <p>With {@code PairKernels}, which is the example of {@link Combine}:
 *
 * {@snippet class="funnel.docs.KernelCopySnippets" region="kernels"}
 */
public final class FunctionCopies {

  private FunctionCopies() {}

  /**
   * The kernels of a primitive over an operator: a class, or a copy of it that contains the
   * user-defined functions.
   *
   * @param lookup with full access to {@code kernels}
   * @param kernels the class
   * @param operator the operator
   * @param transforms the user-defined functions of an element, such as a predicate and a map
   * @throws OperatorException if a function cannot be compiled for a device
   */
  public static Class<?> kernels(
      MethodHandles.Lookup lookup,
      Class<?> kernels,
      Operator operator,
      List<Transform> transforms) {
    Map<String, KernelCopies.Replacement> bodies = deviceBodies(operator, transforms);
    return bodies.isEmpty() ? kernels : KernelCopies.copyForDevice(lookup, kernels, bodies);
  }

  /**
   * The kernels of a primitive whose functions captured arrays: a copy in which numbers that one
   * kernel takes are constants, so that it has room for the arrays among its parameters.
   *
   * @param kernel the kernel's name
   * @param numbers the numbers by the kernel's parameters, and others
   */
  public static Class<?> kernels(
      MethodHandles.Lookup lookup,
      Class<?> kernels,
      Operator operator,
      List<Transform> transforms,
      String kernel,
      Map<String, ?> numbers) {
    Map<String, KernelCopies.Replacement> bodies = deviceBodies(operator, transforms);
    return KernelCopies.copyForDevice(lookup, kernels, bodies, kernel, numbers);
  }

  /**
   * The values that these functions captured, as ints that kernels find before the step's own ints.
   */
  public static int[] captured(Operator operator, List<Transform> transforms) {
    return KernelCopies.captured(bodies(operator, transforms));
  }

  /** The arrays that these functions captured, in the order in which kernels take them. */
  public static List<LookUp> lookUps(Operator operator, List<Transform> transforms) {
    return KernelCopies.lookUps(bodies(operator, transforms));
  }

  /** Whether these values may change for the same functions, as variables of a notebook do. */
  public static boolean mayChange(Operator operator, List<Transform> transforms) {
    return KernelCopies.mayChange(bodies(operator, transforms));
  }

  private static Map<String, KernelCopies.Replacement> deviceBodies(
      Operator operator, List<Transform> transforms) {
    Serializable function = operator.function();
    if (function != null) {
      requireForDevice(operator.name(), function);
    }
    transforms.forEach(each -> requireForDevice(each.name(), each.function()));
    return bodies(operator, transforms);
  }

  private static Map<String, KernelCopies.Replacement> bodies(
      Operator operator, List<Transform> transforms) {
    Map<String, KernelCopies.Replacement> bodies = new HashMap<>();
    Serializable function = operator.function();
    if (function != null) {
      bodies.put(combineKey(function), new KernelCopies.Body(function));
    }
    for (Transform transform : transforms) {
      bodies.put(transformKey(transform), new KernelCopies.Body(transform.function()));
    }
    return bodies;
  }

  /**
   * The JVM loops of a primitive over an operator: an object of a copy of the class, see {@link
   * #loopReplacements}.
   *
   * {@snippet class="funnel.docs.KernelCopySnippets" region="loops"}
   */
  public static <T> T loops(
      MethodHandles.Lookup lookup, Class<T> as, Class<? extends T> loops, Operator operator) {
    return loops(lookup, as, loops, operator, null);
  }

  /** The JVM loops of a primitive over an operator and a function of each element. */
  public static <T> T loops(
      MethodHandles.Lookup lookup,
      Class<T> as,
      Class<? extends T> loops,
      Operator operator,
      @Nullable Transform transform) {
    return loops(
        lookup, as, loops, loopReplacements(operator), Stream.ofNullable(transform).toList());
  }

  /** The JVM loops with other replacements than those of the functions of elements. */
  public static <T> T loops(
      MethodHandles.Lookup lookup,
      Class<T> as,
      Class<?> loops,
      Map<String, KernelCopies.Replacement> others,
      List<Transform> functions) {
    Map<String, KernelCopies.Replacement> replacements = new HashMap<>(others);
    for (Transform each : functions) {
      replacements.put(transformKey(each), new KernelCopies.Body(each.function()));
    }
    return as.cast(KernelCopies.instance(lookup, loops, replacements));
  }

  /** The JVM loops of a master's twin, in a package that is open to this one. */
  public static <T> T loops(
      Class<T> as,
      Class<?> master,
      Operator operator,
      @Nullable Transform transform,
      ElementType... types) {
    Class<? extends T> loops = TwinClass.of(master, types).asSubclass(as);
    return loops(TwinClass.lookup(master), as, loops, operator, transform);
  }

  /**
   * Requires a transform that is a map of one element.
   *
   * @throws IllegalArgumentException if {@code map} is a predicate or is of several elements
   */
  public static Transform requireMap(Transform map) {
    if (map.isTest() || arguments(map.function()) != 1) {
      throw new IllegalArgumentException(
          "transform %s is not a map: make it with Transform.ofInt, ofLong, ofFloat or ofDouble"
              .formatted(map));
    }
    return map;
  }

  /**
   * The replacements of the placeholders in JVM loops over an operator: its code as a constant, and
   * the user-defined function.
   */
  public static Map<String, KernelCopies.Replacement> loopReplacements(Operator operator) {
    Map<String, KernelCopies.Replacement> replacements = new HashMap<>();
    Serializable function = operator.function();
    if (function != null) {
      replacements.put(combineKey(function), new KernelCopies.Body(function));
    }
    replacements.put("operator()I", new KernelCopies.Constant(operator.code()));
    return replacements;
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
   * Requires a function that a device can run.
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

  /**
   * The number of elements that a function takes; it is one of the interfaces of operators, maps or
   * comparisons.
   */
  public static int arguments(Serializable function) {
    return switch (function) {
      case Operator.IntCombine _, Operator.LongCombine _ -> 2;
      case Operator.FloatCombine _, Operator.DoubleCombine _ -> 2;
      case Transform.IntMap3 _, Transform.LongMap3 _ -> 3;
      case Transform.FloatMap3 _, Transform.DoubleMap3 _ -> 3;
      case Comparison.Comparator comparator -> 2 * Comparison.columns(comparator);
      case ElementFunction own -> RowFunction.signature(own).parameterCount();
      default -> 1;
    };
  }

  /** The placeholder that a transform's body replaces. */
  public static String transformKey(Transform transform) {
    String letter =
        switch (transform.type()) {
          case BYTE, INT -> "I";
          case LONG -> "J";
          case FLOAT -> "F";
          case DOUBLE -> "D";
        };
    if (transform.function() instanceof Comparison.Comparator) {
      return "compare(%s)I".formatted(letter.repeat(arguments(transform.function())));
    }
    boolean isRow = transform.function() instanceof RowFunction;
    String placeholder =
        switch (isRow ? 1 : arguments(transform.function())) {
          case 1 -> transform.isTest() ? "test(I%s)Z" : "map(I%1$s)%1$s";
          case 2 -> "combine(%1$s%1$s)%1$s";
          default -> "map(%1$s%1$s%1$s)%1$s";
        };
    return placeholder.formatted(letter);
  }

  /** The placeholder that an operator's body replaces. */
  private static String combineKey(Serializable function) {
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
