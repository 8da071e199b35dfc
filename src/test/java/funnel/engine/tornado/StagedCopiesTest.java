package funnel.engine.tornado;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Into which pieces copies are cut. */
class StagedCopiesTest {

  private static final long MEGA = 1 << 20;

  private static final long MOST = 8 * MEGA;

  private static List<Long> pieces(long bytes) {
    List<Long> pieces = new ArrayList<>();
    for (long done = 0; done < bytes; done += pieces.getLast()) {
      pieces.add(Math.min(StagedCopies.pieceBytes(done, bytes - done), bytes - done));
    }
    return pieces;
  }

  @Test
  void theyGrowAndShrink() {
    assertEquals(
        List.of(1L, 2L, 4L, 8L, 8L, 8L, 8L, 4L, 2L, 1L, 1L),
        pieces(47 * MEGA).stream().map(each -> Math.round(each / (double) MEGA)).toList());
    assertEquals(List.of(5L), pieces(5));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 4095, 2 * MEGA + 1, 33 * MEGA - 3, 300 * MEGA + 77, 8L << 30})
  void noneIsTooLarge_andOthersThanTheLastAreWholePages(long bytes) {
    List<Long> pieces = pieces(bytes);
    assertEquals(bytes, pieces.stream().mapToLong(Long::longValue).sum());
    assertTrue(pieces.stream().allMatch(each -> each > 0 && each <= MOST));
    assertTrue(pieces.stream().limit(pieces.size() - 1).allMatch(each -> each % 4096 == 0));
    assertTrue(pieces.size() < 16 + bytes / MOST);
  }
}
