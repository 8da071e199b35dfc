package funnel.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class PieceRunsTest {

  @Test
  void positionsAreOf64Bits() {
    long[] positions = new long[2];
    MemorySegment found = MemorySegment.ofArray(new int[] {3, Integer.MAX_VALUE});
    PieceRuns.inSource(found, 1L << 33, MemorySegment.ofArray(positions));
    assertArrayEquals(new long[] {(1L << 33) + 3, (1L << 33) + Integer.MAX_VALUE}, positions);
  }
}
