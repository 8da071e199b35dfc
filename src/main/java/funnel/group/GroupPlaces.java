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
   * @param room memory for as many places, if they must be stored
   */
  Rows of(int first, int count, int[] room);

  /** Writes the keys of some places into an array. */
  void keys(int[] places, MemorySegment output);

  interface Loops {
    /** The places of keys; null if there would be too many for the rows. */
    @Nullable GroupPlaces find(MemorySegment keys, int length, int workers);
  }

  static Loops loops(ElementType type) {
    return FunctionCopies.instance(
        MethodHandles.lookup(),
        Loops.class,
        TwinClass.of(MethodHandles.lookup(), IntGroupPlaceLoops.class, type));
  }
}
