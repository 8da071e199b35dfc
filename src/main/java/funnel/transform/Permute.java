package funnel.transform;

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
import org.jspecify.annotations.Nullable;

/**
 * One {@link Shuffle} or {@link Sample}.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param input the input; if null, positions are wanted
 * @param type of the input and the array
 * @param key the key of a {@link Bijection}
 * @param count the number of wanted elements, or {@link #ALL}
 * @param capacity the largest number of elements; without an input, their number
 */
record Permute(
    String id, @Nullable String input, ElementType type, long key, int count, int capacity)
    implements Primitive {

  static final int ALL = -1;

  @Override
  public Layout layout() {
    Layout layout = Layout.reads().counts(id).scratch(id + ".none", type, 1);
    if (input == null) {
      return layout.writes(id, type, capacity);
    }
    layout.alsoReads(input);
    return count == ALL
        ? layout.derives(0, input).derives(1, input).writes(id, type, capacity, input)
        : layout.writes(id, type, count);
  }

  @Override
  public void requireLengths(Lengths lengths) {
    if (input != null && lengths.length(input) < count) {
      throw new IllegalArgumentException(
          "sample %s of %s elements: %s has only length=%s"
              .formatted(id, count, input, lengths.length(input)));
    }
  }

  @Override
  public int[] shape(Lengths lengths) {
    int[] shape = new int[4 + ShapeLongs.INTS];
    shape[0] = input == null ? capacity : lengths.length(input);
    shape[1] = count == ALL ? shape[0] : count;
    shape[2] = input == null ? 0 : lengths.offset(input);
    shape[3] = lengths.offset(id);
    ShapeLongs.put(key, shape, 4);
    return shape;
  }

  @Override
  public void launch(Launches launches) {
    int most = count == ALL ? capacity : count;
    launches
        .array("values", input == null ? id + ".none" : input)
        .array("output", id)
        .value("positions", input == null ? 1 : 0)
        .add(
            "permute",
            TwinClass.of(MethodHandles.lookup(), IntPermuteKernels.class, type),
            "permute",
            Grid.of(
                Math.max(1, Math.ceilDiv(most, IntPermuteKernels.TILE)),
                IntPermuteKernels.THREADS));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MemorySegment output = run.output(id);
    int length = input == null ? capacity : run.length(input);
    int most = count == ALL ? length : count;
    MoveLoops.of(type).permute(input == null ? null : run.input(input), length, key, output, most);
  }

  @Override
  public Primitive in(Setting setting) {
    return new Permute(
        id,
        input,
        type,
        key,
        count == ALL ? ALL : setting.capacity(count),
        setting.capacity(capacity));
  }
}
