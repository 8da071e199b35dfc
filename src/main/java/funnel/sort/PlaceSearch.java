package funnel.sort;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/**
 * One {@link SortedSearch}.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param sorted the sorted array
 * @param wanted the elements to search for
 * @param type the type of both
 * @param kind what is found
 * @param isDescending whether the largest element comes first
 * @param capacity the largest number of elements to search for
 */
record PlaceSearch(
    String id,
    String sorted,
    String wanted,
    ElementType type,
    SortedSearch.Kind kind,
    boolean isDescending,
    int capacity)
    implements Primitive {

  /* A place is found in steps of decreasing powers of two, the first the largest one that is not
   * beyond the array: a step is taken if the element where it ends comes before the wanted element.
   * Kernels and loops take the same steps, so that they give the same result even in an unsorted
   * array, on which kernels are checked too.
   *
   * An element comes before the wanted element if their comparison, times -1 in descending arrays,
   * is below a limit: 0, or 1 if equal elements count.
   */

  /** The JVM form, for any type. */
  interface Loops {
    /** Puts the places of {@code length} elements into {@code places}. */
    void search(
        MemorySegment sorted,
        int size,
        MemorySegment wanted,
        int length,
        MemorySegment places,
        int sign,
        int limit,
        boolean isExact);
  }

  private int sign() {
    return isDescending ? -1 : 1;
  }

  private int limit() {
    return kind == SortedSearch.Kind.UPPER_BOUND ? 1 : 0;
  }

  private boolean isExact() {
    return kind == SortedSearch.Kind.BINARY_SEARCH;
  }

  @Override
  public Layout layout() {
    return Layout.reads(sorted, wanted)
        .derives(0, sorted)
        .derives(1, wanted)
        .writes(id, ElementType.INT, capacity, wanted)
        .counts(id);
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      0, // size
      0, // length
      lengths.offset(sorted),
      lengths.offset(wanted),
      lengths.offset(id)
    };
  }

  @Override
  public void launch(Launches launches) {
    launches
        .array("sorted", sorted)
        .array("wanted", wanted)
        .array("places", id)
        .value("sign", sign())
        .value("limit", limit())
        .value("isExact", isExact() ? 1 : 0)
        .add(
            "search",
            TwinClass.of(MethodHandles.lookup(), IntPlaceSearchKernels.class, type),
            "search",
            Grid.of(IntPlaceSearchKernels.blocks(capacity), IntPlaceSearchKernels.THREADS));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    FunctionCopies.instance(
            MethodHandles.lookup(),
            Loops.class,
            TwinClass.of(MethodHandles.lookup(), IntPlaceSearchLoops.class, type))
        .search(
            run.input(sorted),
            run.length(sorted),
            run.input(wanted),
            run.length(wanted),
            run.output(id),
            sign(),
            limit(),
            isExact());
  }

  @Override
  public Primitive in(Setting setting) {
    return new PlaceSearch(
        id, sorted, wanted, type, kind, isDescending, setting.capacity(capacity));
  }
}
