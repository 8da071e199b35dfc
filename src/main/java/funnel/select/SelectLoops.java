package funnel.select;

import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The JVM form of selections, whatever the type. */
interface SelectLoops {

  /**
   * What is selected from.
   *
   * @param values the elements
   * @param criterion the flags or bits, where these decide
   * @param length of the values
   * @param function the predicate, if its body is not in the loops
   */
  record Given(
      MemorySegment values, MemorySegment criterion, int length, @Nullable Object function) {}

  /**
   * Where what is kept goes, elements and positions, and what is not, if they are wanted.
   *
   * @param isJoined whether what is not kept follows what is, in the same memory
   */
  record Outputs(
      @Nullable MemorySegment kept,
      @Nullable MemorySegment positions,
      @Nullable MemorySegment rejected,
      boolean isJoined) {

    /** Whether other threads may read what is given and write these. */
    boolean mayBeShared(Given given) {
      return Stream.of(given.values(), given.criterion(), kept, positions, rejected)
          .filter(Objects::nonNull)
          .allMatch(memory -> ParallelRows.mayBeShared(memory, memory));
    }
  }

  /** Selects, and says how many were kept. */
  int select(Given given, Outputs outputs);
}
