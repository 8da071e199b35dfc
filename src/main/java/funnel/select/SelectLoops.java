package funnel.select;

import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The JVM form of selections, for any type. */
interface SelectLoops {

  /**
   * The input of a selection.
   *
   * @param values the elements
   * @param criterion the flags or bits, if these decide
   * @param length the number of values
   * @param function the predicate, if its body is not in the loops
   */
  record Given(
      MemorySegment values, MemorySegment criterion, int length, @Nullable Object function) {}

  /**
   * Where kept elements, their positions and rejected elements go; null for none.
   *
   * @param isJoined whether the rejected elements follow the kept ones in the same memory
   */
  record Outputs(
      @Nullable MemorySegment kept,
      @Nullable MemorySegment positions,
      @Nullable MemorySegment rejected,
      boolean isJoined) {

    /** Whether other threads may read the input and write these. */
    boolean mayBeShared(Given given) {
      return Stream.of(given.values(), given.criterion(), kept, positions, rejected)
          .filter(Objects::nonNull)
          .allMatch(memory -> ParallelRows.mayBeShared(memory, memory));
    }
  }

  /** Selects, and returns how many elements were kept. */
  int select(Given given, Outputs outputs);
}
