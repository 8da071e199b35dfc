package funnel.group;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * The places of rows in tables that have a place for each possible key, in ascending order.
 *
 * <p>For the keys 7, 9, 7 the places may be 0, 2, 0 of 3, or 0, 1, 0 of 2.
 */
interface GroupPlaces {

  /** The number of places. */
  int count();

  /**
   * Places of some rows: that of row {@code i} of them is {@code numbers[at + i] - less}. So int
   * keys can be used directly, without storing places.
   *
   * @param numbers must not be written to
   */
  record Rows(int[] numbers, int at, int less) {}

  /**
   * The places of some rows; several threads may ask.
   *
   * @param first the first row
   * @param count the number of rows
   * @param room memory for as many places, if they must be stored
   */
  Rows of(int first, int count, int[] room);

  /** Writes the keys of some places into an array. */
  void keys(int[] places, MemorySegment output);

  /** Finds places for keys of a type. */
  interface Loops {
    /**
     * The places of keys; null if there would be too many for the rows.
     *
     * @param keys the keys
     * @param length the number of keys
     * @param workers the number of threads that may read them
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
