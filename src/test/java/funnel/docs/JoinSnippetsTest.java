package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Funnel;
import funnel.group.Dictionary;
import funnel.operation.Target;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JoinSnippetsTest {

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void examples(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      int[] orders = {7, 9, 7, 5};
      assertArrayEquals(
          new float[] {2, 3, 2},
          JoinSnippets.prices(funnel, orders, new int[] {9, 8, 7}, new float[] {3, 1, 2}));
      int[] articles = {9, 8, 7};
      assertArrayEquals(new int[] {3}, JoinSnippets.unknown(funnel, orders, articles));
      assertArrayEquals(new int[] {2, 0, 2}, JoinSnippets.articles(funnel, orders, articles));
      assertEquals(Map.of("to", 2, "be", 1), JoinSnippets.count(funnel, List.of("to", "be", "to")));
      assertEquals(
          Map.of("to", 2L, "be", 1L),
          JoinSnippets.count(List.of(List.of("to", "be"), List.of("to"))));
      Dictionary.Encoded<String> encoded =
          JoinSnippets.encoded(
              List.of(
                  "bab".getBytes(StandardCharsets.UTF_8), "cb".getBytes(StandardCharsets.UTF_8)),
              List.of(new int[] {0, 1, 2, 3}, new int[] {0, 1, 2}));
      assertArrayEquals(new int[] {0, 1, 0, 2, 0}, encoded.keys());
      assertEquals(List.of("b", "a", "c"), encoded.dictionary().items());
      MemorySegment file = MemorySegment.ofArray(new byte[] {1, 2, 1, 2, 2});
      assertArrayEquals(new int[] {0, 0, 1}, JoinSnippets.keys(file, new int[] {0, 2, 4, 5}));
    }
  }
}
