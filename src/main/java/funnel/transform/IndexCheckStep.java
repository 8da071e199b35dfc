package funnel.transform;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.LengthRule;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first index that is outside a size, for which the run throws an {@link
 * IndexOutsideException}. It is the first part of {@linkplain funnel.operation.Composite
 * composites}: later parts read the position of that index, or -1, as an int from the array of its
 * name, and write nothing if there is one.
 *
 * <p>Alone it is an operation that only checks indices:
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="check"}
 *
 * <p>An empty input passes. Immutable.
 *
 * @param id its name and that of the array
 * @param of what the indices are for, in messages
 * @param input the indices
 * @param lowest the lowest valid index: 0 or -1
 * @param sized the array that is indexed; if null, {@code limit} is the size
 * @param limit the largest possible size; without {@code sized}, {@code Integer.MAX_VALUE} allows
 *     all indices
 * @param capacity the largest number of indices
 */
public record IndexCheckStep(
    String id, String of, String input, int lowest, @Nullable String sized, int limit, int capacity)
    implements Primitive {

  /* If a setting cuts inputs off, any index below the limit is allowed. */

  private static boolean isCut(Setting setting) {
    return setting.most() < Integer.MAX_VALUE;
  }

  @Override
  public Step in(Setting setting) {
    int blocks = IndexCheckKernels.blocks(setting.capacity(capacity));
    String position = id + ".position";
    String index = id + ".index";
    Step step =
        Step.of(this, setting)
            .reads("indices", input, IndexCheckKernels.FROM_AT, IndexCheckKernels.LENGTH_AT)
            .writes("refused", id, ElementType.INT, 1)
            .reports("position", position, ElementType.INT)
            .reports("index", index, ElementType.INT)
            .scratch("first", id + ".first", ElementType.INT, blocks)
            .refuses(
                (results, lengths) -> {
                  int at = results.apply(position).intValue();
                  if (at >= 0) {
                    int found = results.apply(index).intValue();
                    throw new IndexOutsideException(
                        of, input, at, found, lowest, size(setting, lengths::length));
                  }
                })
            .onDevice(
                launches ->
                    launches
                        .value("blocks", blocks)
                        .value("lowest", lowest)
                        .kernels(IndexCheckKernels.class)
                        .launch("search", "search", Grid.of(blocks, IndexCheckKernels.THREADS))
                        .launch("report", "report", Grid.of(1, IndexCheckKernels.THREADS)))
            .onJvm(
                run -> {
                  requireInside(setting, run);
                  run.output(id).set(ValueLayout.JAVA_INT_UNALIGNED, 0, -1);
                });
    if (sized == null) {
      return step.number(IndexCheckKernels.SIZE_AT, limit);
    }
    step.readsFound("sized", sized);
    return isCut(setting)
        ? step.number(IndexCheckKernels.SIZE_AT, limit)
        : step.derives(IndexCheckKernels.SIZE_AT, sized, LengthRule.LENGTH);
  }

  /**
   * Requires all indices to be inside, on the JVM.
   *
   * @param setting the setting of the step
   * @throws IndexOutsideException for the first one that is not
   */
  public void requireInside(Setting setting, JvmRun run) {
    MemorySegment indices = run.input(input);
    int size = size(setting, run::length);
    int at = first(indices, run.length(input), size);
    if (at >= 0) {
      throw new IndexOutsideException(of, input, at, get(indices, at), lowest, size);
    }
  }

  /**
   * The size that all indices must be less than; more than the number of elements if inputs were
   * cut off.
   *
   * @param setting the setting of the step
   * @param length the length of an input
   */
  public int size(Setting setting, ToIntFunction<String> length) {
    return sized == null || isCut(setting) ? limit : length.applyAsInt(sized);
  }

  private static int get(MemorySegment indices, int i) {
    return indices.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i);
  }

  private int first(MemorySegment indices, int length, int size) {
    int last = size == Integer.MAX_VALUE ? size : size - 1;
    AtomicInteger first = new AtomicInteger(Integer.MAX_VALUE);
    ParallelRows.run(
        length,
        ParallelRows.mayBeShared(indices, indices) ? length : 0,
        (from, to) -> {
          int i = from;
          while (i < to && get(indices, i) >= lowest && get(indices, i) <= last) {
            i++;
          }
          if (i < to) {
            first.accumulateAndGet(i, Math::min);
          }
        });
    return first.get() == Integer.MAX_VALUE ? -1 : first.get();
  }
}
