package funnel.sort;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.List;

/**
 * Searches for elements in a sorted array: {@code places[i]} is the place of {@code wanted[i]}, see
 * {@link SortedSearch}.
 *
 * @param wanted the elements to search for
 * @param parts where the part of each begins and where it ends, or nothing
 */
record SortedSearchStep(
    String id,
    Input sorted,
    Input wanted,
    List<Input> parts,
    SortedSearch.Kind kind,
    boolean isDescending)
    implements Primitive {

  /* A place is found in steps of decreasing powers of two, the first the largest one that is not
   * beyond the array: a step is taken if the element where it ends comes before the wanted element.
   * Kernels and loops take the same steps, so that they give the same result even in an unsorted
   * array, on which kernels are checked too.
   *
   * An element comes before the wanted element if their comparison, times -1 in descending arrays,
   * is below a limit: 0, or 1 if equal elements count.
   */

  interface Loops {
    /** Searches; parts are ints, or the elements once more if there are none. */
    void search(
        MemorySegment sorted,
        int size,
        MemorySegment wanted,
        int length,
        MemorySegment begins,
        MemorySegment ends,
        boolean isWithin,
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
  public Step in(Setting setting) {
    int most = setting.capacity(wanted.capacity());
    Step step =
        Step.of(this, setting)
            .reads(
                "sorted",
                sorted.name(),
                IntSortedSearchKernels.FROM_AT,
                IntSortedSearchKernels.SIZE_AT)
            .reads(
                "wanted",
                wanted.name(),
                IntSortedSearchKernels.WANTED_FROM_AT,
                IntSortedSearchKernels.LENGTH_AT)
            .writes(
                "places", id, ElementType.INT, most, wanted.name(), IntSortedSearchKernels.TO_AT)
            .counts()
            .placeholder(id + ".nobegins", ElementType.INT, "begins")
            .placeholder(id + ".noends", ElementType.INT, "ends")
            .onDevice(
                launches ->
                    launches
                        .value("sign", sign())
                        .value("limit", limit())
                        .value("isExact", isExact() ? 1 : 0)
                        .value("isWithin", parts.size() / 2)
                        .kernels(IntSortedSearchKernels.class, sorted.type())
                        .launch(
                            "search",
                            "search",
                            Grid.of(
                                IntSortedSearchKernels.blocks(most),
                                IntSortedSearchKernels.THREADS)))
            .onJvm(this::search);
    if (parts.isEmpty()) {
      step.number(IntSortedSearchKernels.BEGINS_FROM_AT, 0)
          .number(IntSortedSearchKernels.ENDS_FROM_AT, 0);
    } else {
      String begins = parts.getFirst().name();
      String ends = parts.getLast().name();
      String equal = "elements and parts of %s are equally many".formatted(id);
      step.readsFound("begins", begins, IntSortedSearchKernels.BEGINS_FROM_AT)
          .readsFound("ends", ends, IntSortedSearchKernels.ENDS_FROM_AT)
          .equallyLong(wanted.name(), begins, equal)
          .equallyLong(wanted.name(), ends, equal);
    }
    return step;
  }

  private void search(JvmRun run) {
    FunctionCopies.instance(
            MethodHandles.lookup(),
            Loops.class,
            TwinClass.of(IntSortedSearchLoops.class, sorted.type()))
        .search(
            run.input(sorted.name()),
            run.length(sorted.name()),
            run.input(wanted.name()),
            run.length(wanted.name()),
            run.input(parts.isEmpty() ? wanted.name() : parts.getFirst().name()),
            run.input(parts.isEmpty() ? wanted.name() : parts.getLast().name()),
            !parts.isEmpty(),
            run.output(id),
            sign(),
            limit(),
            isExact());
  }
}
