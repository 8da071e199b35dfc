package funnel.sort;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.LargeZeros;
import funnel.operation.Input;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class JvmSortTest extends SortContract {

  @Override
  Target target() {
    return Target.JVM;
  }

  @Override
  int[] lengths() {
    return new int[] {0, 1, 2, 3, 5, 31, 32, 33, 1000, 32_768, 65_537, 200_000};
  }

  @Override
  int several() {
    return 140_000;
  }

  /** Places near 2^31, in keys of nothing but zeros and a one. */
  @Test
  void asManyBytesAsThereCanBe() {
    int length = Input.LARGEST_CAPACITY;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment keys = LargeZeros.allocate(arena, length);
      keys.set(ValueLayout.JAVA_BYTE, length - 1, (byte) 1);
      MemorySegment sorted = arena.allocate(length);
      new SortLoops(KeyOrder.of(ElementType.BYTE, true)).sort(keys, length, null, sorted, null);
      assertEquals(1, sorted.get(ValueLayout.JAVA_BYTE, 0));
      assertEquals(0, sorted.get(ValueLayout.JAVA_BYTE, 1));
      assertEquals(0, sorted.get(ValueLayout.JAVA_BYTE, length - 1));
    }
  }
}
