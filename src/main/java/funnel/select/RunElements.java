package funnel.select;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.OutputTooShortException;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.function.Function;

/**
 * The last part of {@link Runs#decode}: each element of the output searches for its run.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param input the elements of the runs
 * @param lengths the lengths of the runs
 * @param ends the ends of the runs, longs
 * @param refused the array of a check that no length is negative
 * @param type the type of the elements and the array
 * @param runs the largest number of runs
 * @param capacity the largest number of elements of the array
 * @param refusal what to say if there are more
 * @param isCut whether further elements are left out instead of refused: for the check of kernels
 *     with the first runs
 */
record RunElements(
    String id,
    String input,
    String lengths,
    String ends,
    String refused,
    ElementType type,
    int runs,
    int capacity,
    Refusal refusal,
    boolean isCut)
    implements Primitive {

  /**
   * What an {@link OutputTooShortException} says.
   *
   * @param more what there is more of than the capacity
   * @param call the method that takes the capacity
   */
  record Refusal(String more, String call) {}

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /** The JVM form, for any type. */
  interface Loops {
    /**
     * Fills the output's elements {@code from} to {@code to}, the first of which belongs to {@code
     * run}.
     */
    void fill(
        MemorySegment values, MemorySegment ends, int run, MemorySegment to, int from, int end);
  }

  private String count() {
    return id + ".count";
  }

  private String total() {
    return id + ".total";
  }

  @Override
  public Layout layout() {
    return Layout.reads(refused, ends)
        .derives(0, ends)
        .readsFound(input)
        .readsFound(lengths)
        .sameLength(input, lengths)
        .delivers(count(), ElementType.INT)
        .reports(total(), ElementType.LONG)
        .writesFound(id, type, capacity, count());
  }

  @Override
  public void requireLengths(Lengths of) {
    if (of.length(input) != of.length(lengths)) {
      throw new IllegalArgumentException(
          "runs of %s have a length each: length of %s=%s, length of %s=%s"
              .formatted(id, input, of.length(input), lengths, of.length(lengths)));
    }
  }

  @Override
  public int[] shape(Lengths of) {
    return new int[] {
      0, // runs
      capacity,
      of.offset(input),
      of.offset(ends),
      of.offset(id),
      isCut ? capacity : 0 // elements if there are more than that
    };
  }

  @Override
  public void launch(Launches launches) {
    launches
        .array("values", input)
        .array("ends", ends)
        .array("refused", refused)
        .array("output", id)
        .result("count", count())
        .result("total", total())
        .add(
            "decode",
            TwinClass.of(MethodHandles.lookup(), IntRunElementsKernels.class, type),
            "decode",
            Grid.of(IntRunElementsKernels.tiles(capacity), IntRunElementsKernels.THREADS));
  }

  @Override
  public String gaveUp(Function<String, Number> results, Lengths of) {
    requireRoom(results.apply(total()).longValue());
    return "";
  }

  private void requireRoom(long found) {
    if (found > capacity && !isCut) {
      throw OutputTooShortException.ofCapacity(refusal.more(), found, capacity, refusal.call());
    }
  }

  @Override
  public Primitive in(Setting setting) {
    return new RunElements(
        id,
        input,
        lengths,
        ends,
        refused,
        type,
        setting.capacity(runs),
        setting.capacity(capacity),
        refusal,
        isCut || setting.capacity(capacity) < capacity);
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MemorySegment values = run.input(input);
    MemorySegment all = run.input(ends);
    int given = run.length(ends);
    long total = given == 0 ? 0 : all.getAtIndex(LONG, given - 1);
    requireRoom(total);
    int found = (int) Math.min(total, capacity);
    MemorySegment output = run.output(id);
    run.deliver(count(), found);
    Loops loops =
        FunctionCopies.instance(
            MethodHandles.lookup(),
            Loops.class,
            TwinClass.of(MethodHandles.lookup(), IntRunElementsLoops.class, type));
    boolean isShared = ParallelRows.mayBeShared(values, output);
    ParallelRows.run(
        found,
        isShared ? found : 0,
        (from, to) -> loops.fill(values, all, runOf(all, given, from), output, from, to));
  }

  /** The run that an element belongs to. */
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
