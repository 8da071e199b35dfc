package funnel.group;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * Where the rows of keys are in tables with a place for each key that there may be, in ascending
 * order.
 *
 * <p>Of the keys 7, 9, 7 the places may be 0, 2, 0 of 3, or 0, 1, 0 of 2.
 */
interface GroupPlaces {

  /** How many places there are. */
  int count();

  /**
   * Places of some rows: that of row {@code i} of them is {@code numbers[at + i] - less}. So keys
   * that are ints are what they are, and nobody writes places down.
   *
   * @param numbers not to be written
   */
  record Rows(int[] numbers, int at, int less) {}

  /**
   * The places of some rows; several threads may ask.
   *
   * @param first the first row
   * @param count how many rows
   * @param room for as many places, where they have to be put down
   */
  Rows of(int first, int count, int[] room);

  /** Puts the keys of some places into an array. */
  void keys(int[] places, MemorySegment output);

  /** What finds places for keys of a type. */
  interface Loops {
    /**
     * The places of keys; null if there would have to be too many for the rows.
     *
     * @param keys the keys
     * @param length how many
     * @param workers threads that may look at them
     */
    @Nullable GroupPlaces find(MemorySegment keys, int length, int workers);
  }

  /** The loops over keys of a type. */
  static Loops loops(ElementType type) {
    return FunctionCopies.instance(
        MethodHandles.lookup(),
        Loops.class,
        TwinClass.of(MethodHandles.lookup(), IntGroupPlaceLoops.class, type));
  }
}
