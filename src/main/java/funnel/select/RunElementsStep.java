package funnel.select;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.OutputTooShortException;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;

/**
 * The last part of {@link Runs#decode}: each element of the output searches for its run.
 *
 * @param ends the ends of the runs, longs
 * @param refused the array in which a check reports a negative length
 * @param refusal what to say if there are more
 */
record RunElementsStep(
    String id,
    String input,
    String lengths,
    String ends,
    String refused,
    ElementType type,
    int capacity,
    Refusal refusal)
    implements Primitive {

  /**
   * The words of an {@link OutputTooShortException}.
   *
   * @param more what there is more of than the capacity
   * @param call the method that takes the capacity
   */
  record Refusal(String more, String call) {}

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  interface Loops {
    /**
     * Fills the output's elements {@code from} to {@code to}, the first of which belongs to {@code
     * run}.
     */
    void fill(
        MemorySegment values, MemorySegment ends, int run, MemorySegment to, int from, int end);
  }

  @Override
  public Step in(Setting setting) {
    int most = setting.capacity(capacity);
    boolean isCut = most < capacity; // further elements are left out then, and nothing throws
    String count = id + ".count";
    String total = id + ".total";
    return Step.of(this, setting)
        .reads("refused", refused)
        .reads("ends", ends, IntRunElementsKernels.ENDS_FROM_AT, IntRunElementsKernels.RUNS_AT)
        .readsFound("values", input, IntRunElementsKernels.FROM_AT)
        .readsFound("lengths", lengths)
        .equallyLong(input, lengths, "runs of %s have a length each".formatted(id))
        .delivers("count", count, ElementType.INT)
        .reports("total", total, ElementType.LONG)
        .refuses((results, _) -> requireRoom(results.apply(total).longValue(), most, isCut))
        .writesFound("output", id, type, most, count, null, IntRunElementsKernels.TO_AT)
        .number(IntRunElementsKernels.CAPACITY_AT, most)
        .number(IntRunElementsKernels.LENGTH_IF_MORE_AT, isCut ? most : 0)
        .onDevice(
            launches ->
                launches
                    .kernels(IntRunElementsKernels.class, type)
                    .launch(
                        "decode",
                        "decode",
                        Grid.of(IntRunElementsKernels.tiles(most), IntRunElementsKernels.THREADS)))
        .onJvm(
            run -> {
              int given = run.length(ends);
              long found = given == 0 ? 0 : run.input(ends).getAtIndex(LONG, given - 1);
              requireRoom(found, most, isCut);
              int elements = (int) Math.min(found, most);
              run.deliver(count, elements); // before, so that the output has room for no more
              decode(run, elements);
            });
  }

  private void requireRoom(long found, int most, boolean isCut) {
    if (found > most && !isCut) {
      throw OutputTooShortException.ofCapacity(refusal.more(), found, most, refusal.call());
    }
  }

  private void decode(JvmRun run, int found) {
    MemorySegment values = run.input(input);
    MemorySegment all = run.input(ends);
    MemorySegment output = run.output(id);
    Loops loops =
        FunctionCopies.instance(
            MethodHandles.lookup(), Loops.class, TwinClass.of(IntRunElementsLoops.class, type));
    ParallelRows.run(
        found,
        ParallelRows.mayBeShared(values, output) ? found : 0,
        (from, to) ->
            loops.fill(values, all, runOf(all, run.length(ends), from), output, from, to));
  }

  private static int runOf(MemorySegment ends, int runs, int element) {
    int low = 0;
    int high = runs - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends.getAtIndex(LONG, middle) > element) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
