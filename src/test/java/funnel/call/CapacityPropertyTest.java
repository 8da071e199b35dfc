package funnel.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operation.Input;
import funnel.operator.CapturedValues;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The capacity of plans behind one-shot calls. */
class CapacityPropertyTest {

  @Property
  void holdsTheLength_andWastesAnEighthAtMost(
      @ForAll @IntRange(max = Input.LARGEST_CAPACITY) int length) {
    int capacity = CapturedValues.capacity(length);
    assertTrue(capacity >= length, () -> length + " -> " + capacity);
    assertTrue(capacity <= Input.LARGEST_CAPACITY, () -> length + " -> " + capacity);
    assertTrue(
        capacity <= Math.max(1024, length + length / 8L + 1), () -> length + " -> " + capacity);
  }

  @Property
  void grows_andIsItsOwnCapacity(
      @ForAll @IntRange(max = Input.LARGEST_CAPACITY) int one,
      @ForAll @IntRange(max = Input.LARGEST_CAPACITY) int other) {
    int less = Math.min(one, other);
    int more = Math.max(one, other);
    assertTrue(CapturedValues.capacity(less) <= CapturedValues.capacity(more));
    assertEquals(
        CapturedValues.capacity(less), CapturedValues.capacity(CapturedValues.capacity(less)));
  }

  @Example
  void atMostEightCapacitiesToAPowerOfTwo() {
    long different =
        java.util.stream.IntStream.rangeClosed((1 << 16) + 1, 1 << 17)
            .map(CapturedValues::capacity)
            .distinct()
            .count();
    assertEquals(8, different);
  }

  @Example
  void atTheEnds() {
    assertEquals(1024, CapturedValues.capacity(0));
    assertEquals(1024, CapturedValues.capacity(1024));
    assertEquals(1152, CapturedValues.capacity(1025));
    assertEquals(Input.LARGEST_CAPACITY, CapturedValues.capacity(Input.LARGEST_CAPACITY));
  }
}
