package funnel.transform;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Layout;
import funnel.operation.LengthRule;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.Storage;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Numbers of 16 bits, as bytes, widened to elements, or elements narrowed to them: see {@link
 * Widen} and {@link Narrow}.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param input the bytes, or the elements
 * @param storage of the numbers
 * @param isWidened whether the input are the bytes
 * @param capacity the largest number of elements of the input
 */
record HalvesStep(String id, String input, Storage<?> storage, boolean isWidened, int capacity)
    implements Primitive {

  private String result() {
    return id + ".length";
  }

  @Override
  public Step in(Setting setting) {
    int most = setting.capacity(capacity);
    LengthRule numbers = isWidened ? LengthRule.wholeParts(Short.BYTES) : LengthRule.LENGTH;
    LengthRule length = isWidened ? numbers : LengthRule.LENGTH.times(Short.BYTES);
    int blocks = Math.max(1, Math.ceilDiv(numbers.of(most), IntHalvesKernels.TILE));
    String kernel = isWidened ? "widen" : "narrow";
    Step step =
        Step.of(this, setting)
            .readsFound("input", input, IntHalvesKernels.FROM_AT)
            .derives(IntHalvesKernels.LENGTH_AT, input, numbers)
            .writesFollowing(
                "output",
                id,
                isWidened ? storage.elements() : ElementType.BYTE,
                length.of(most),
                result(),
                new Layout.Follows(List.of(input), length),
                lengths -> length.of(lengths.length(input)),
                IntHalvesKernels.TO_AT)
            .delivers("length", result(), ElementType.INT)
            .onDevice(
                launches ->
                    launches
                        .value("signed", storage == Storage.INT16 ? 1 : 0)
                        .kernels(IntHalvesKernels.class, storage.elements())
                        .launch(kernel, kernel, Grid.of(blocks, IntHalvesKernels.THREADS)))
            .onJvm(
                run -> {
                  convert(run, numbers.of(run.length(input)));
                  run.deliver(result(), length.of(run.length(input)));
                });
    return isWidened ? step.needsLength(input).requires(this::requirePairs) : step;
  }

  private void requirePairs(Lengths lengths) {
    if (lengths.length(input) % Short.BYTES != 0) {
      throw new IllegalArgumentException(
          "numbers of 16 bits are whole pairs of bytes: length of %s=%s"
              .formatted(input, lengths.length(input)));
    }
  }

  private void convert(JvmRun run, int length) {
    MemorySegment given = run.input(input);
    MemorySegment output = run.output(id);
    ParallelRows.run(
        length,
        ParallelRows.mayBeShared(given, output) ? length : 0,
        (from, to) -> {
          if (isWidened) {
            storage.widen(
                part(given, Short.BYTES, from, to),
                part(output, storage.elements().bytes(), from, to));
          } else {
            storage.narrow(
                part(given, storage.elements().bytes(), from, to),
                part(output, Short.BYTES, from, to));
          }
        });
  }

  private static MemorySegment part(MemorySegment of, long bytes, int from, int to) {
    return of.asSlice(bytes * from, bytes * (to - from));
  }
}
