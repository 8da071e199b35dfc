package funnel.transform;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The second part of a {@link Scatter}, {@code y[positions[i]] = x[i]} for positions that are
 * inside; throws on duplicates.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param input the elements
 * @param positions the positions
 * @param over the old contents, if there are any
 * @param refused the array in which an {@link IndexCheckStep} reports
 * @param type of the elements and the array
 * @param fill the value of places where no element goes, if there are no old contents
 * @param capacity the largest number of elements
 * @param size the largest number of places
 */
record ScatterStep(
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
  public Step in(Setting setting) {
    int elements = setting.capacity(capacity);
    int places = over == null ? size : setting.capacity(size);
    Step step =
        Step.of(this, setting)
            .reads("refused", refused)
            .reads(
                "positions",
                positions,
                IntScatterKernels.POSITIONS_FROM_AT,
                IntScatterKernels.LENGTH_AT)
            .readsFound("values", input, IntScatterKernels.FROM_AT)
            .equallyLong(
                input, positions, "scatter %s takes a position for each element".formatted(id))
            .reports("place", slot("place"), ElementType.INT)
            .reports("position", slot("position"), ElementType.INT)
            .refuses((results, _) -> requireDistinct(results))
            .scratch("owners", slot("owners"), ElementType.INT, Math.max(1, places))
            .scratch("taken", slot("taken"), ElementType.INT, 1)
            .onDevice(launches -> launch(launches, elements, places))
            .onJvm(this::scatter);
    if (over == null) {
      return step.scratch("old", slot("old"), type, 1)
          .number(IntScatterKernels.OLD_FROM_AT, 0)
          .number(IntScatterKernels.SIZE_AT, places)
          .writes("output", id, type, places, IntScatterKernels.TO_AT);
    }
    step.reads("old", over, IntScatterKernels.OLD_FROM_AT, IntScatterKernels.SIZE_AT)
        .writes("output", id, type, places, over, IntScatterKernels.TO_AT);
    return over.equals(input) || over.equals(positions) ? step : step.inPlaceOf(id, over);
  }

  private void launch(Launches launches, int most, int mostPlaces) {
    Grid elements = Grid.of(IntGatherKernels.tiles(most), IntGatherKernels.THREADS);
    launches
        .kernels(IntScatterKernels.class, type)
        .value("isFilled", over == null ? 1 : 0)
        .value("fill", fill)
        .value("looks", 0)
        .launch("mark", "mark", elements)
        .value("looks", 1)
        .launch("look", "mark", elements);
    if (over == null || !launches.isInPlace(id, over)) {
      Grid places = Grid.of(IntGatherKernels.tiles(mostPlaces), IntGatherKernels.THREADS);
      launches.launch("begin", "begin", places);
    }
    launches.launch("scatter", "scatter", elements);
  }

  private void requireDistinct(Function<String, Number> results) {
    int place = results.apply(slot("place")).intValue();
    if (place >= 0) {
      throw duplicate(place, results.apply(slot("position")).intValue());
    }
  }

  private DuplicatePositionException duplicate(int place, int position) {
    return new DuplicatePositionException("scatter " + id, positions, place, position);
  }

  private void scatter(JvmRun run) {
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
