package funnel.select;

import funnel.operation.JvmRun;
import funnel.operation.LengthRule;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The lengths of runs that begin at given positions: 2, 1, 4 for 0, 2, 3 among 7 elements.
 *
 * @param elements the array of the elements, for its length
 */
record RunLengthsStep(String id, String starts, String elements, int capacity)
    implements Primitive {

  /** Runs whose starts are copied at a time. */
  private static final int BLOCK = 1 << 10;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  @Override
  public Step in(Setting setting) {
    int most = setting.capacity(capacity);
    return Step.of(this, setting)
        .reads("starts", starts, RunLengthsKernels.FROM_AT, RunLengthsKernels.RUNS_AT)
        .reads("elements", elements)
        .derives(RunLengthsKernels.ELEMENTS_AT, elements, LengthRule.LENGTH)
        .writes("lengths", id, ElementType.INT, most, starts, RunLengthsKernels.TO_AT)
        .counts()
        .onDevice(
            launches ->
                launches
                    .kernels(RunLengthsKernels.class)
                    .launch("lengths", "lengths", RunLengthsKernels.grid(most)))
        .onJvm(this::subtract);
  }

  private void subtract(JvmRun run) {
    MemorySegment begins = run.input(starts);
    int runs = run.length(starts);
    int end = run.length(elements);
    MemorySegment lengths = run.output(id);
    ParallelRows.run(
        runs,
        ParallelRows.mayBeShared(begins, lengths) ? runs : 0,
        (from, to) -> {
          int[] block = new int[Math.min(BLOCK, to - from) + 1];
          int count;
          for (int first = from; first < to; first += count) {
            count = Math.min(BLOCK, to - first);
            int known = Math.min(count + 1, runs - first);
            MemorySegment.copy(begins, INT, INT.byteSize() * first, block, 0, known);
            if (known == count) {
              block[count] = end;
            }
            for (int i = 0; i < count; i++) {
              block[i] = block[i + 1] - block[i];
            }
            MemorySegment.copy(block, 0, lengths, INT, INT.byteSize() * first, count);
          }
        });
  }
}
