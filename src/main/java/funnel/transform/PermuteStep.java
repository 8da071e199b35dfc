package funnel.transform;

import funnel.kernel.KernelTask.Grid;
import funnel.kernel.ShapeLongs;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import org.jspecify.annotations.Nullable;

/**
 * The first elements of a random permutation, {@code y[i] = x[p(i)]}, or their positions: see
 * {@link Shuffle} and {@link Sample}.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param input the input; if null, the output is positions
 * @param type of the input and the array
 * @param key the key of a {@link Bijection}
 * @param count the number of elements of the output, or {@link #ALL}
 * @param capacity the largest number of elements; without an input, their number
 */
record PermuteStep(
    String id, @Nullable String input, ElementType type, long key, int count, int capacity)
    implements Primitive {

  static final int ALL = -1;

  @Override
  public Step in(Setting setting) {
    int size = setting.capacity(capacity);
    int most = count == ALL ? size : setting.capacity(count);
    Step step =
        Step.of(this, setting)
            .placeholder(id + ".none", type, "values")
            .numbers(IntPermuteKernels.KEY_AT, ShapeLongs.ints(key))
            .counts()
            .onDevice(
                launches ->
                    launches
                        .value("positions", input == null ? 1 : 0)
                        .kernels(IntPermuteKernels.class, type)
                        .launch(
                            "permute",
                            "permute",
                            Grid.of(
                                Math.max(1, Math.ceilDiv(most, IntPermuteKernels.TILE)),
                                IntPermuteKernels.THREADS)));
    if (input == null) {
      return step.number(IntPermuteKernels.LENGTH_AT, size)
          .number(IntPermuteKernels.COUNT_AT, most)
          .number(IntPermuteKernels.FROM_AT, 0)
          .writes("output", id, type, size, IntPermuteKernels.TO_AT)
          .onJvm(run -> MoveLoops.of(type).permute(null, size, key, run.output(id), most));
    }
    step.reads("values", input, IntPermuteKernels.FROM_AT)
        .onJvm(
            run -> {
              int length = run.length(input);
              MoveLoops.of(type)
                  .permute(
                      run.input(input), length, key, run.output(id), count == ALL ? length : most);
            });
    if (count == ALL) {
      return step.derives(IntPermuteKernels.LENGTH_AT, input, LengthRule.LENGTH)
          .derives(IntPermuteKernels.COUNT_AT, input, LengthRule.LENGTH)
          .writes("output", id, type, size, input, IntPermuteKernels.TO_AT);
    }
    return step.number(IntPermuteKernels.LENGTH_AT, lengths -> lengths.length(input))
        .number(IntPermuteKernels.COUNT_AT, most)
        .writes("output", id, type, most, IntPermuteKernels.TO_AT)
        .requires(
            lengths -> {
              if (lengths.length(input) < most) {
                throw new IllegalArgumentException(
                    "sample %s of %s elements: %s has only length=%s"
                        .formatted(id, most, input, lengths.length(input)));
              }
            });
  }
}
