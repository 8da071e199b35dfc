package funnel.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
}
