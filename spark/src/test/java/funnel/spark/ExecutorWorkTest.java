package funnel.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.operation.EngineUnavailableException;
import funnel.sort.IsSorted;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExecutorWorkTest {

  private static final int LENGTH = 5000;

  /**
   * Two attempts at one task, of which the slower one is given up, come to the same, whichever that
   * is: also where both are in one executor, and at work at once. Spark begins a second one on
   * another machine only, which the cluster of the tests has not.
   */
  @Test
  void attemptsAtOnceComeToTheSame() throws Exception {
    Map<String, String> expected = ExecutorWork.results("", LENGTH);
    try (ExecutorService attempts = Executors.newFixedThreadPool(2)) {
      List<Future<Map<String, String>>> all =
          IntStream.range(0, 4)
              .mapToObj(_ -> attempts.submit(() -> ExecutorWork.results("", LENGTH)))
              .toList();
      for (Future<Map<String, String>> each : all) {
        assertEquals(expected, each.get());
      }
    }
  }

  /** The first disorder is where two chunks meet; the rest of the partition is not looked at. */
  @Test
  void aPartitionEndsWhereItIsDecided() {
    Iterator<Object[]> chunks =
        Stream.of(new int[] {1, 2}, new int[0], new int[] {0, 3}, new int[] {4})
            .map(chunk -> new Object[] {chunk})
            .iterator();
    ChunkParts<?> sorted = ChunkParts.of(IsSorted.ascending(), ChunkType.of(int[].class));
    assertEquals(2L, firstDisorder(sorted, chunks));
    assertArrayEquals(new int[] {4}, (int[]) chunks.next()[0]);
  }

  private static <P extends Serializable> Object firstDisorder(
      ChunkParts<P> sorted, Iterator<Object[]> chunks) {
    List<P> all = new ArrayList<>();
    sorted.parts(chunks).forEachRemaining(all::add);
    return sorted.outputs(all).get("result_first");
  }

  /** What it does on a GPU that is there, its main method shows. */
  @Test
  void aTaskWhoseGpuIsNotThereFails() {
    assertThrows(EngineUnavailableException.class, () -> ExecutorWork.results("0", LENGTH));
  }
}
