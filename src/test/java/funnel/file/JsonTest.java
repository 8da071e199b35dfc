package funnel.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonTest {

  @Test
  void writesWhatItIsGiven() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("z", 1);
    map.put("a", List.of(2L, 0.5f, true, Map.of()));
    map.put("big", new BigInteger("123456789012345678901234567890"));
    assertEquals(
        "{\"z\":1,\"a\":[2,0.5,true,{}],\"big\":123456789012345678901234567890}", Json.of(map));
  }

  @Test
  void quotesWhatJsonCannotSay() {
    assertEquals(
        "[\"NaN\",\"-Infinity\",\"Infinity\"]",
        Json.of(List.of(Double.NaN, Float.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY)));
    assertEquals("\"a\\\"b\\\\c\\n\\t\\u0001\\u001b\"", Json.of("a\"b\\c\n\t\u0001\u001b"));
    assertEquals("\"\\ud83d\\ude00\u00fc\"", Json.of("\ud83d\ude00\u00fc"));
  }

  /** NaN is a result; null says that there is none. */
  @Test
  void writesNullForWhatIsNotThere() {
    assertEquals("null", Json.of(null));
    assertEquals("[null]", Json.of(new String[1]));
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("max", Double.NaN);
    map.put("copy", null);
    assertEquals("{\"max\":\"NaN\",\"copy\":null}", Json.of(map));
  }

  @Test
  void writesArraysAsLists() {
    assertEquals("[]", Json.of(new int[0]));
    assertEquals("[-1,2]", Json.of(new byte[] {-1, 2}));
    assertEquals("[0.5,\"NaN\"]", Json.of(new double[] {0.5, Double.NaN}));
    assertEquals("[\"a\",[[1],[2,3]]]", Json.of(new Object[] {"a", new int[][] {{1}, {2, 3}}}));
    assertEquals("{\"counts\":[7]}", Json.of(Map.of("counts", new long[] {7})));
  }

  @Test
  void refusesWhatItCouldOnlyGuess() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> Json.of(List.of(1, Optional.of("inside"))));
    assertEquals(
        "no JSON for Optional[inside] of class java.util.Optional: give a map, list, array, string,"
            + " boolean or number, such as its toString()",
        e.getMessage());
  }
}
