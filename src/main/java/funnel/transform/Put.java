package funnel.transform;

import funnel.jit.TwinClass;
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
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The second part of a {@link Scatter}, over positions that are inside: refuses duplicates.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param input the elements
 * @param positions the positions
 * @param over the old contents, if there are any
 * @param refused the array of an {@link IndexCheck}
 * @param type of the elements and the array
 * @param fill the value of places where no element goes, if there are no old contents
 * @param capacity the largest number of elements
 * @param size the largest number of places
 */
record Put(
    String id,
    String input,
    String positions,
    @Nullable String over,
    String refused,
    ElementType type,
    Number fill,
    int capacity,
    int size)
    implements Primitive {

  private static final ValueLayout.OfInt POSITIONS = ValueLayout.JAVA_INT_UNALIGNED;

  private String slot(String name) {
    return id + "." + name;
  }

  @Override
  public Layout layout() {
    Layout layout =
        Layout.reads(refused, positions)
            .derives(0, positions)
            .readsFound(input)
            .sameLength(input, positions)
            .reports(slot("place"), ElementType.INT)
            .reports(slot("position"), ElementType.INT)
            .scratch(slot("owners"), ElementType.INT, Math.max(1, size))
            .scratch(slot("taken"), ElementType.INT, 1);
    if (over == null) {
      return layout.writes(id, type, size).scratch(slot("old"), type, 1);
    }
    layout.alsoReads(over).derives(1, over).writes(id, type, size, over);
    return over.equals(input) || over.equals(positions) ? layout : layout.inPlaceOf(id, over);
  }

  @Override
  public void requireLengths(Lengths lengths) {
    int elements = lengths.length(input);
    int given = lengths.length(positions);
    if (elements != given) {
      throw new IllegalArgumentException(
          "scatter %s takes a position for each element: length of %s=%s, length of %s=%s"
              .formatted(id, input, elements, positions, given));
    }
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      0, // length
      size, // or as many as there are old contents
      lengths.offset(input),
      lengths.offset(positions),
      over == null ? 0 : lengths.offset(over),
      lengths.offset(id)
    };
  }

  @Override
  public void launch(Launches launches) {
    Class<?> kernels = TwinClass.of(MethodHandles.lookup(), IntPutKernels.class, type);
    Grid elements = Grid.of(IntGatherKernels.tiles(capacity), IntGatherKernels.THREADS);
    launches
        .array("values", input)
        .array("positions", positions)
        .array("old", over == null ? slot("old") : over)
        .array("output", id)
        .array("owners", slot("owners"))
        .array("taken", slot("taken"))
        .array("refused", refused)
        .result("place", slot("place"))
        .result("position", slot("position"))
        .value("isFilled", over == null ? 1 : 0)
        .value("fill", fill)
        .value("looks", 0)
        .add("mark", kernels, "mark", elements)
        .value("looks", 1)
        .add("look", kernels, "mark", elements);
    if (over == null || !launches.isInPlace(id, over)) {
      Grid places = Grid.of(IntGatherKernels.tiles(size), IntGatherKernels.THREADS);
      launches.add("begin", kernels, "begin", places);
    }
    launches.add("scatter", kernels, "scatter", elements);
  }

  @Override
  public String gaveUp(Function<String, Number> results, Lengths lengths) {
    int place = results.apply(slot("place")).intValue();
    if (place >= 0) {
      throw duplicate(place, results.apply(slot("position")).intValue());
    }
    return "";
  }

  private DuplicatePositionException duplicate(int place, int position) {
    return new DuplicatePositionException("scatter " + id, positions, place, position);
  }

  @Override
  public Primitive in(Setting setting) {
    return new Put(
        id,
        input,
        positions,
        over,
        refused,
        type,
        fill,
        setting.capacity(capacity),
        over == null ? size : setting.capacity(size));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MemorySegment at = run.input(positions);
    int length = run.length(positions);
    int places = over == null ? size : run.length(over);
    requireDistinct(at, length, places);
    MemorySegment output = run.output(id);
    MoveLoops loops = MoveLoops.of(type);
    if (over == null) {
      loops.fill(output, places, MoveLoops.bits(type, fill));
    } else if (!output.equals(run.input(over))) {
      MemorySegment.copy(run.input(over), 0, output, 0, (long) places * type.bytes());
    }
    loops.scatter(run.input(input), at, length, output, places);
  }

  /** Marks places: there are as many marks as positions, unless two positions are the same. */
  private void requireDistinct(MemorySegment at, int length, int places) {
    byte[] marks = new byte[places];
    AtomicInteger lost = new AtomicInteger();
    ParallelRows.run(
        length,
        ParallelRows.mayBeShared(at, at) ? length : 0,
        (from, to) -> {
          int count = 0;
          for (int i = from; i < to; i++) {
            int place = at.getAtIndex(POSITIONS, i);
            if (place >= 0 && place < places) {
              marks[place] = 1;
              count++;
            }
          }
          lost.addAndGet(count);
        });
    ParallelRows.run(
        places,
        places,
        (from, to) -> {
          int count = 0;
          for (int i = from; i < to; i++) {
            count += marks[i];
          }
          lost.addAndGet(-count);
        });
    if (lost.get() == 0) {
      return;
    }
    Arrays.fill(marks, (byte) 0);
    for (int i = 0; i < length; i++) {
      int place = at.getAtIndex(POSITIONS, i);
      if (place >= 0 && place < places) {
        if (marks[place] != 0) {
          throw duplicate(i, place);
        }
        marks[place] = 1;
      }
    }
  }
}
