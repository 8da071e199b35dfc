package funnel.engine.tornado;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** What the host does; that kernels find the numbers is shown by every run on a device. */
class ArrivalTest {

  /** A kernel reports so many arrays of a type. */
  private static final int AT_ONCE = 4;

  private final LinkedHashMap<String, TornadoNativeArray> arrays = new LinkedHashMap<>();
  private final Arrival arrival;

  ArrivalTest() {
    arrays.put("bytes", new ByteArray(1));
    arrays.put("ints", new IntArray(2));
    arrays.put("longs", new LongArray(3));
    arrays.put("floats", new FloatArray(4));
    arrays.put("doubles", new DoubleArray(5));
    arrival = new Arrival(arrays);
  }

  /** The number in an array's header, read as a kernel reads it. */
  private static int number(TornadoNativeArray array) {
    MemorySegment whole = array.getSegmentWithHeader();
    long end = whole.byteSize() - array.getSegment().byteSize();
    return switch (array) {
      case ByteArray _ ->
          (whole.get(ValueLayout.JAVA_BYTE, end - 2) & 255) * 256
              + (whole.get(ValueLayout.JAVA_BYTE, end - 1) & 255);
      case IntArray _ -> whole.get(ValueLayout.JAVA_INT_UNALIGNED, end - 4);
      case LongArray _ -> (int) whole.get(ValueLayout.JAVA_LONG_UNALIGNED, end - 8);
      case FloatArray _ -> (int) whole.get(ValueLayout.JAVA_FLOAT_UNALIGNED, end - 4);
      case DoubleArray _ -> (int) whole.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, end - 8);
      default -> throw new IllegalStateException();
    };
  }

  private void reportAll() {
    int place = 0;
    for (TornadoNativeArray array : arrays.values()) {
      arrival.reports().set(place, number(array));
      place += AT_ONCE;
    }
  }

  @Test
  void whatArrivesIsNotMissing_whateverIsNumberedBetween() {
    for (int round = 0; round < 70_000; round++) {
      arrival.number();
      reportAll();
      assertEquals("", arrival.missing());
    }
    arrival.number();
    new Arrival(Map.of("the same", arrays.get("ints"))).number();
    reportAll();
    assertEquals("", arrival.missing());
  }

  @Test
  void whatDoesNotArriveIsNamed_alsoIfAnEarlierUploadIsThere() {
    for (int place = 0; place < arrays.size(); place++) {
      arrival.number();
      reportAll();
      int before = arrival.reports().get(AT_ONCE * place);
      arrival.number();
      reportAll();
      assertNotEquals(before, arrival.reports().get(AT_ONCE * place));
      for (int wrong : List.of(before, 0)) {
        arrival.reports().set(AT_ONCE * place, wrong);
        assertEquals(List.copyOf(arrays.keySet()).get(place), arrival.missing());
      }
    }
  }

  @Test
  void whatDoesNotArriveIsNamedAsItIsCalledNow() {
    Map<String, TornadoNativeArray> renamed = new LinkedHashMap<>();
    renamed.put("of another upload", new IntArray(1));
    arrays.reversed().forEach((name, array) -> renamed.put("other " + name, array));
    arrival.rename(renamed);
    for (int place = 0; place < arrays.size(); place++) {
      arrival.number();
      reportAll();
      arrival.reports().set(AT_ONCE * place, 0);
      assertEquals("other " + List.copyOf(arrays.keySet()).get(place), arrival.missing());
    }
  }

  @Test
  void arraysOfATypeShareAKernel() {
    Map<String, TornadoNativeArray> named = new LinkedHashMap<>();
    for (int i = 0; i < 6; i++) {
      named.put("ints" + i, new IntArray(1));
      named.put("longs" + i / 5, new LongArray(1));
    }
    Arrival of = new Arrival(named);
    assertEquals(3, of.tasks().size());
    assertEquals(3 * AT_ONCE, of.reports().getSize());
    for (int i = 0; i < 8; i++) {
      String name = i < 6 ? "ints" + i : "longs" + (i - 6);
      int place = i < 6 ? i : i + 2;
      of.number();
      for (int at = 0; at < 12; at++) {
        TornadoNativeArray array =
            named.get(at < 6 ? "ints" + at : "longs" + Math.clamp(at - 8, 0, 1));
        of.reports().set(at, at == place ? 0 : number(array));
      }
      assertEquals(name, of.missing());
    }
  }

  @Test
  void elementsAndLengthsStay() {
    for (TornadoNativeArray array : arrays.values()) {
      array.getSegment().fill((byte) 77);
    }
    arrival.number();
    for (TornadoNativeArray array : arrays.values()) {
      MemorySegment elements = array.getSegment();
      for (long i = 0; i < elements.byteSize(); i++) {
        assertEquals(77, elements.get(ValueLayout.JAVA_BYTE, i));
      }
      assertEquals(
          array.getSize(), array.getSegmentWithHeader().get(ValueLayout.JAVA_INT_UNALIGNED, 0));
    }
  }
}
