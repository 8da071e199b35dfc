package funnel.transform;

import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * A primitive for the elements at positions that are known to be inside, {@code y[i] =
 * x[positions[i]]}. {@link Gather} is the operation.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="take"}
 *
 * <p>Without positions the array is empty. The array must not overlap the inputs.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param input the elements
 * @param positions the positions
 * @param refused the array of an {@link IndexCheck} of the positions, if they need one
 * @param source the array that the positions come from, if they need no check: it is as long as the
 *     elements
 * @param type of the elements and the array
 * @param capacity the largest number of positions
 */
public record Take(
    String id,
    String input,
    String positions,
    @Nullable String refused,
    @Nullable String source,
    ElementType type,
    int capacity)
    implements Primitive {

  private String passed() {
    return id + ".passed";
  }

  @Override
  public Layout layout() {
    Layout layout =
        Layout.reads(positions, input)
            .derives(0, positions)
            .derives(1, input)
            .writes(id, type, capacity, positions)
            .counts(id);
    if (refused != null) {
      return layout.alsoReads(refused);
    }
    layout.filled(passed(), ElementType.INT, 1, -1);
    return source == null ? layout : layout.readsFound(source).sameLength(input, source);
  }

  @Override
  public void requireLengths(Lengths lengths) {
    if (source != null && lengths.length(source) != lengths.length(input)) {
      throw new IllegalArgumentException(
          "columns of %s are equally long: length of %s=%s, length of %s=%s"
              .formatted(id, source, lengths.length(source), input, lengths.length(input)));
    }
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      0, // length
      0, // size
      lengths.offset(input),
      lengths.offset(positions),
      lengths.offset(id)
    };
  }

  @Override
  public void launch(Launches launches) {
    launches
        .array("values", input)
        .array("positions", positions)
        .array("refused", refused == null ? passed() : refused)
        .array("output", id)
        .add(
            "gather",
            TwinClass.of(MethodHandles.lookup(), IntGatherKernels.class, type),
            "gather",
            Grid.of(IntGatherKernels.tiles(capacity), IntGatherKernels.THREADS));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MoveLoops.of(type)
        .gather(
            run.input(input),
            run.length(input),
            run.input(positions),
            run.length(positions),
            run.output(id));
  }

  @Override
  public Primitive in(Setting setting) {
    return new Take(id, input, positions, refused, source, type, setting.capacity(capacity));
  }
}
