package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.Results;
import funnel.operation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SortSnippetsTest {

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void examples(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertArrayEquals(new int[] {3, 4}, SortSnippets.different(funnel, new int[] {3, 1, 4, 1}));
      assertArrayEquals(
          new String[] {"b", "a", "c"},
          SortSnippets.slowest(funnel, new double[] {1, 2, 1}, new String[] {"a", "b", "c"}));
      assertArrayEquals(
          new float[] {2, 3, 1},
          SortSnippets.byDay(funnel, new int[] {5, 4, 4}, new float[] {1, 2, 3}));
      assertArrayEquals(
          new float[] {2, 5, 1, 3},
          SortSnippets.byDayAndTime(funnel, new float[] {5, 2, 3, 1}, new int[] {0, 2}));
      assertArrayEquals(
          new int[] {2, 3, 1},
          SortSnippets.ages(funnel, new int[] {70, 3, 18, 40, 64, 17}, new int[] {0, 18, 65}));
      assertEquals(2, SortSnippets.firstStepBack(funnel, new long[] {3, 5, 4, 1}));
      assertEquals("2 before noon", SortSnippets.before(funnel, new int[] {3, 11, 12}, 12));
      assertEquals("time 2 is out of order", SortSnippets.before(funnel, new int[] {3, 9, 7}, 12));
      assertEquals(-1, SortSnippets.firstStepBack(funnel, new long[] {3, 5, 5}));
      assertArrayEquals(
          new int[] {-4, 2, 2, -1, 5}, SortSnippets.evenFirst(funnel, new int[] {5, 2, -4, -1, 2}));
      assertArrayEquals(
          new long[] {1, 2, 3, 3, 7},
          SortSnippets.times(funnel, new long[] {1, 3, 7}, new long[] {2, 3}));
      assertArrayEquals(
          new float[] {1, 2, 3, 4},
          SortSnippets.amounts(
              funnel, new int[][] {{1, 7}, {3, 7}}, new float[][] {{1, 3}, {2, 4}}));
      assertArrayEquals(
          new float[] {5, 7},
          SortSnippets.owed(funnel, new int[] {1, 2, 4}, new float[] {5, 6, 7}, new int[] {2, 3}));
      assertArrayEquals(
          new int[] {1, 0, 2}, // 1/3, 1/2, 2/4
          SortSnippets.fractions(funnel, new long[] {1, 1, 2}, new long[] {2, 3, 4}));
      assertEquals(
          2, SortSnippets.common(funnel, new int[] {3, 1, 4, 1, 3}, new int[] {3, 5, 3, 1}));
      assertTrue(SortSnippets.isBefore(-0f, 0f) && SortSnippets.isBefore(1e30f, Float.NaN));
      assertFalse(SortSnippets.isBefore(0f, -0f) || SortSnippets.isBefore(1f, 1f));
      assertArrayEquals(new int[] {1, 1, 3, 4}, funnel.sort(new int[] {3, 1, 4, 1}));
      assertArrayEquals(
          new double[] {-1, -0d, 0, Double.NaN},
          funnel.sort(new double[] {Double.NaN, 0, -0d, -1}));
      assertArrayEquals(new long[0], funnel.sort(new long[0]));
      int[] mine = {3, 1, 4, 1};
      funnel.sortInPlace(mine);
      assertArrayEquals(new int[] {1, 1, 3, 4}, mine);
      double[] none = {};
      funnel.sortInPlace(none);
      Elements column = Elements.of(new int[] {10, 20, 30});
      Results rows = funnel.sortBy(new float[] {3, 1, 1}, column, column);
      assertArrayEquals(new int[] {20, 30, 10}, rows.ints("result_1"));
      assertArrayEquals(new int[] {20, 30, 10}, rows.ints("result_2"));
      assertThrows(IllegalArgumentException.class, () -> funnel.sortBy(new int[] {1, 2}, column));
      assertThrows(IllegalArgumentException.class, () -> funnel.sortBy(new int[] {1, 2}));
      assertArrayEquals(new int[] {1, 3, 0, 2}, funnel.order(new float[] {3, 1, 4, 1}));
    }
  }
}
