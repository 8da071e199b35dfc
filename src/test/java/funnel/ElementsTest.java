package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.ShortArray;

class ElementsTest {

  @Test
  void ranges_areViews() {
    int[] array = {3, 1, 4, 1, 5};
    Elements middle = Elements.of(array, 1, 4);
    assertEquals("INT[3]", middle.toString());
    assertEquals(ElementType.INT, middle.type());
    array[2] = 7;
    assertEquals(7, middle.segment().getAtIndex(ValueLayout.JAVA_INT, 1));
    Elements one = middle.range(1, 2);
    assertEquals(1, one.length());
    assertEquals(7, one.segment().get(ValueLayout.JAVA_INT, 0));
    assertEquals(0, middle.range(3, 3).length());
  }

  @Test
  void rangesOutside_areRefusedWithTheNumbers() {
    for (int[] range : new int[][] {{-1, 2}, {2, 1}, {0, 4}, {4, 4}, {Integer.MIN_VALUE, 0}}) {
      IndexOutOfBoundsException e =
          assertThrows(
              IndexOutOfBoundsException.class,
              () -> Elements.of(new double[3], range[0], range[1]));
      assertTrue(
          e.getMessage().contains("from=%s, to=%s, length=3".formatted(range[0], range[1])),
          e.getMessage());
    }
    assertThrows(
        IndexOutOfBoundsException.class, () -> Elements.of(new int[5]).range(1, 3).range(0, 3));
  }

  @Test
  void tornadoArrays_shareTheirMemory() {
    LongArray array = LongArray.fromElements(1, 2, 3);
    Elements elements = Elements.ofTornado(array);
    array.set(2, 30);
    assertEquals(30, elements.segment().getAtIndex(ValueLayout.JAVA_LONG, 2));
    assertEquals("LONG[3]", elements.toString());
    assertThrows(IllegalArgumentException.class, () -> Elements.ofTornado(new ShortArray(1)));
  }

  @SuppressWarnings("restricted") // never read
  @Test
  void segments_refuse() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> Elements.of(MemorySegment.ofArray(new byte[10]), ElementType.LONG));
    assertTrue(e.getMessage().contains("bytes=10"), e.getMessage());
    IllegalArgumentException tooMany =
        assertThrows(
            IllegalArgumentException.class,
            () -> Elements.of(MemorySegment.NULL.reinterpret(1L << 31), ElementType.BYTE));
    assertTrue(tooMany.getMessage().contains("length=2147483648"), tooMany.getMessage());
    assertEquals(
        "segment",
        assertThrows(NullPointerException.class, () -> Elements.of(null, ElementType.INT))
            .getMessage());
    assertEquals(
        "type",
        assertThrows(
                NullPointerException.class,
                () -> Elements.of(MemorySegment.ofArray(new byte[8]), null))
            .getMessage());
  }

  @Test
  void arraysOfATypeThatIsNotKnown() {
    for (ElementType type : ElementType.values()) {
      Elements made = Elements.allocate(type, 3);
      assertEquals(type, made.type());
      assertEquals(3, made.length());
      Elements again = Elements.ofArray(made.segment().heapBase().orElseThrow());
      assertEquals(made.toString(), again.toString());
    }
    for (int length : new int[] {-1, Integer.MAX_VALUE}) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> Elements.allocate(ElementType.BYTE, length));
      assertTrue(e.getMessage().contains("length=" + length), e.getMessage());
    }
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Elements.ofArray(new short[1]));
    assertTrue(e.getMessage().contains("short[]"), e.getMessage());
  }
}
