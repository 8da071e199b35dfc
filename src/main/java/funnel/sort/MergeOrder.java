package funnel.sort;

import funnel.jit.FunctionCopies;
import funnel.jit.KernelCopies;
import funnel.jit.TwinClass;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The order of a merge.
 *
 * @param by how to compare: a constant of {@link IntOvertakes}
 */
record MergeOrder(int by, @Nullable Comparison comparison) {

  /** A comparison of rows on the JVM, as a comparison of their positions. */
  interface Rows extends Comparison.IntComparator {

    /**
     * Takes the rows' columns, which it copies.
     *
     * @param columns two or three columns
     */
    void take(List<MemorySegment> columns);
  }

  static final MergeOrder ASCENDING = new MergeOrder(IntOvertakes.ASCENDING, null);
  static final MergeOrder DESCENDING = new MergeOrder(IntOvertakes.DESCENDING, null);

  static MergeOrder of(Comparison comparison) {
    Objects.requireNonNull(comparison, "comparison");
    int by =
        switch (Comparison.columns(comparison.comparator())) {
          case 1 -> IntOvertakes.COMPARED;
          case 2 -> IntOvertakes.COMPARED_ROWS_OF_2;
          default -> IntOvertakes.COMPARED_ROWS_OF_3;
        };
    return new MergeOrder(by, comparison);
  }

  /** The order of two sorted arrays, which is of elements, not rows. */
  static MergeOrder ofElements(Comparison comparison) {
    MergeOrder order = of(comparison);
    if (order.columns() > 1) {
      throw new IllegalArgumentException(
          "%s compares rows of %s columns: it is for MergeSort, here give a comparison of elements"
              .formatted(comparison, order.columns()));
    }
    return order;
  }

  int columns() {
    return comparison == null ? 1 : Comparison.columns(comparison.comparator());
  }

  void requireOver(String elements, ElementType type) {
    functions().forEach(function -> function.requireOver(elements, type));
  }

  List<Transform> functions() {
    return Stream.ofNullable(comparison).map(Comparison::function).toList();
  }

  /** What the results assume of a comparison, unchecked. */
  String takesForGranted() {
    return comparison == null ? "" : comparison.name() + " is an order";
  }

  MergeLoops loops(ElementType type) {
    return loops(MergeLoops.class, IntMergeLoops.class, type);
  }

  /** Loops over ints that call a comparator. */
  static MergeLoops calling(Comparison.IntComparator comparator) {
    return of(new Comparison("rows", ElementType.INT, comparator)).loops(ElementType.INT);
  }

  /** The comparison of rows of columns of a type, by their positions. */
  Rows rows(ElementType type) {
    return loops(Rows.class, IntRowComparator.class, type);
  }

  private <T> T loops(Class<T> as, Class<?> master, ElementType type) {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    return FunctionCopies.loops(
        lookup,
        as,
        TwinClass.of(lookup, master, type),
        Map.of("transform()I", new KernelCopies.Constant(by)),
        functions());
  }

  @Override
  public String toString() {
    return comparison != null
        ? "by " + comparison
        : by == IntOvertakes.ASCENDING ? "ascending" : "descending";
  }
}
