package funnel.sort;

import funnel.jit.FunctionCopies;
import funnel.jit.KernelCopies;
import funnel.jit.TwinClass;
import funnel.operation.Primitive.Combined;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The order that a merge is by.
 *
 * @param by what decides: a constant of {@link IntMergeKernels}
 * @param comparison the user's, if that decides
 */
record MergeOrder(int by, @Nullable Comparison comparison) {

  static final MergeOrder ASCENDING = new MergeOrder(IntMergeKernels.ASCENDING, null);
  static final MergeOrder DESCENDING = new MergeOrder(IntMergeKernels.DESCENDING, null);

  static MergeOrder of(Comparison comparison) {
    return new MergeOrder(
        IntMergeKernels.COMPARED, Objects.requireNonNull(comparison, "comparison"));
  }

  /** Refuses elements that the comparison does not take. */
  void requireOver(String elements, ElementType type) {
    functions().forEach(function -> function.requireOver(elements, type));
  }

  List<Transform> functions() {
    return Stream.ofNullable(comparison).map(Comparison::function).toList();
  }

  /** What a user's function is about, for plans. */
  List<Combined> combined(String input) {
    return functions().stream()
        .map(function -> new Combined(Operator.SUM, input, function.type(), function))
        .toList();
  }

  /** What is not looked at of a comparison. */
  String takesForGranted() {
    return comparison == null ? "" : comparison.name() + " is an order";
  }

  /** What the loops call, if the comparison cannot be copied into them. */
  @Nullable Serializable comparator() {
    return comparison == null ? null : comparison.comparator();
  }

  Class<?> kernels(ElementType type) {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    Class<?> kernels = TwinClass.of(lookup, IntMergeKernels.class, type);
    return FunctionCopies.kernels(lookup, kernels, Operator.SUM, functions());
  }

  MergeLoops loops(ElementType type) {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    Map<String, KernelCopies.Replacement> replacements = new HashMap<>();
    int code = by;
    for (Transform each : functions()) {
      if (KernelCopies.whyNotCopyable(each.function()).isPresent()) {
        code = IntMergeLoops.CALLED;
      } else {
        replacements.put(FunctionCopies.transformKey(each), new KernelCopies.Body(each.function()));
      }
    }
    replacements.put("transform()I", new KernelCopies.Constant(code));
    Class<?> loops = TwinClass.of(lookup, IntMergeLoops.class, type);
    return FunctionCopies.instance(
        lookup, MergeLoops.class, KernelCopies.copy(lookup, loops, replacements));
  }

  @Override
  public String toString() {
    return comparison != null
        ? "by " + comparison
        : by == IntMergeKernels.ASCENDING ? "ascending" : "descending";
  }
}
