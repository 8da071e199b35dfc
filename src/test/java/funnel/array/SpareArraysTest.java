package funnel.array;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.engine.JvmEngine;
import funnel.engine.KeptArray;
import funnel.operation.FunnelMemoryException;
import funnel.operator.ElementType;
import funnel.plan.Guard;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpareArraysTest {

  private final List<KeptArray> freed = new ArrayList<>();
  private final SpareArrays spares = new SpareArrays(freed::add);

  @Test
  void anArrayOfTheSameTypeAndLength_isTakenAgain() {
    try (JvmEngine engine = new JvmEngine()) {
      KeptArray ints = engine.keep(ElementType.INT, 3);
      spares.give(ints);
      assertNull(spares.take(ElementType.FLOAT, 3));
      assertNull(spares.take(ElementType.INT, 4));
      assertSame(ints, spares.take(ElementType.INT, 3));
      assertNull(spares.take(ElementType.INT, 3));
      assertEquals(List.of(), freed);
    }
  }

  @Test
  void theOldest_areFreed() {
    try (JvmEngine engine = new JvmEngine()) {
      List<KeptArray> all = new ArrayList<>();
      for (int length = 1; length <= 20; length++) {
        all.add(engine.keep(ElementType.INT, length));
        spares.give(all.getLast());
      }
      assertEquals(all.subList(0, 4), freed);
      assertTrue(spares.free());
      assertEquals(all, freed);
      assertFalse(spares.free());
    }
  }

  @Test
  void memoryThatIsSpare_isFreedForACall_thatLacksIt() {
    Guard guard = new Guard();
    guard.spare(spares::free);
    List<String> tried = new ArrayList<>();
    FunnelMemoryException lacks = new FunnelMemoryException("an array", 100, 50);
    try (JvmEngine engine = new JvmEngine()) {
      spares.give(engine.keep(ElementType.INT, 3));
      assertEquals(
          2,
          guard.withMemory(
              () -> {
                tried.add("call");
                if (freed.isEmpty()) {
                  throw lacks;
                }
                return tried.size();
              }));
      assertSame(
          lacks,
          assertThrows(
              FunnelMemoryException.class,
              () ->
                  guard.withMemory(
                      () -> {
                        throw lacks;
                      })));
    }
  }
}
