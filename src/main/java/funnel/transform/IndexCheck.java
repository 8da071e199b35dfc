package funnel.transform;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first index that is outside a size, and refuses it. It is the first part of {@linkplain
 * funnel.operation.Composite composites}: later parts read the position of that index, or -1, as an
 * int in the array of its name, and write nothing if there is one.
 *
 * <p>Alone it is an operation that only checks indices:
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="check"}
 *
 * <p>An empty input is accepted. Immutable.
 *
 * @param id its name and that of the array
 * @param of what the indices are for, in messages
 * @param input the indices
 * @param lowest the lowest index that is allowed: 0 or -1
 * @param sized the array that they are indices into; if null, {@code limit} is the size
 * @param limit the largest possible size; without {@code sized}, {@code Integer.MAX_VALUE} is no
 *     limit, not even for that index
 * @param cut whether the inputs have been cut off: then any index below the limit is allowed
 * @param capacity the largest number of indices
 */
public record IndexCheck(
    String id,
    String of,
    String input,
    int lowest,
    @Nullable String sized,
    int limit,
    boolean cut,
    int capacity)
    implements Primitive {

  private String position() {
    return id + ".position";
  }

  private String index() {
    return id + ".index";
  }

  @Override
  public Layout layout() {
    Layout layout =
        Layout.reads(input)
            .derives(1, input)
            .writes(id, ElementType.INT, 1)
            .reports(position(), ElementType.INT)
            .reports(index(), ElementType.INT)
            .scratch(id + ".first", ElementType.INT, IndexCheckKernels.blocks(capacity));
    return sized == null
        ? layout
        : cut ? layout.readsFound(sized) : layout.readsFound(sized).derives(2, sized);
  }

  private int size(Lengths lengths) {
    return sized == null || cut ? limit : lengths.length(sized);
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      lengths.offset(input),
      0, // length
      limit // or as many as there are elements
    };
  }

  @Override
  public void launch(Launches launches) {
    int blocks = IndexCheckKernels.blocks(capacity);
    Class<?> kernels = IndexCheckKernels.class;
    launches
        .array("indices", input)
        .array("first", id + ".first")
        .array("refused", id)
        .result("position", position())
        .result("index", index())
        .value("blocks", blocks)
        .value("lowest", lowest)
        .add("search", kernels, "search", Grid.of(blocks, IndexCheckKernels.THREADS))
        .add("report", kernels, "report", Grid.of(1, IndexCheckKernels.THREADS));
  }

  @Override
  public String gaveUp(Function<String, Number> results, Lengths lengths) {
    int at = results.apply(position()).intValue();
    if (at >= 0) {
      throw new IndexOutsideException(
          of, input, at, results.apply(index()).intValue(), lowest, size(lengths));
    }
    return "";
  }

  @Override
  public Primitive in(Setting setting) {
    return new IndexCheck(
        id,
        of,
        input,
        lowest,
        sized,
        limit,
        cut || setting.most() < Integer.MAX_VALUE,
        setting.capacity(capacity));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    requireInside(run);
    run.output(id).set(ValueLayout.JAVA_INT_UNALIGNED, 0, -1);
  }

  /**
   * Refuses an index that is outside, on the JVM.
   *
   * @throws IndexOutsideException with the first one
   */
  public void requireInside(JvmRun run) {
    MemorySegment indices = run.input(input);
    int size = size(run);
    int at = first(indices, run.length(input), size);
    if (at >= 0) {
      throw new IndexOutsideException(of, input, at, get(indices, at), lowest, size);
    }
  }

  /**
   * The limit that all indices must be less than; more than the number of elements if inputs were
   * cut off.
   */
  public int size(JvmRun run) {
    return sized == null || cut ? limit : run.length(sized);
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
