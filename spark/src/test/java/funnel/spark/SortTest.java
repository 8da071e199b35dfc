package funnel.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.operation.Target;
import funnel.sort.Sort;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.TaskContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SortTest {

  private final FunnelSpark funnel = Cluster.FUNNEL;
  private final Samples samples = new Samples();

  private static int[] all(List<int[]> chunks) {
    return Samples.all(chunks).stream().mapToInt(Number::intValue).toArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 40})
  void ints(int partitions) {
    List<int[]> ints = samples.chunks(int[].class, 1 << 30);
    Chunks<int[]> sorted = funnel.sort(Samples.of(int[].class, ints, 3), partitions);
    assertEquals(partitions, sorted.rdd().getNumPartitions());
    int[] expected = all(ints);
    Arrays.sort(expected);
    List<int[]> chunks = sorted.rdd().collect();
    assertArrayEquals(expected, all(chunks));
    for (int[] chunk : chunks) {
      assertTrue(chunk.length < 2 * expected.length / partitions + 100, "length " + chunk.length);
    }
  }

  @Test
  void fewValuesAreDealtEvenly() {
    List<int[]> ints = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      ints.add(samples.chunks(int[].class, 1).get(3)); // 3000 elements of -1 and 0
    }
    Chunks<int[]> sorted = funnel.sort(Samples.of(int[].class, ints, 2), 6);
    int[] expected = all(ints);
    Arrays.sort(expected);
    List<int[]> chunks = sorted.rdd().collect();
    assertArrayEquals(expected, all(chunks));
    assertEquals(6, chunks.size());
    for (int[] chunk : chunks) {
      assertEquals(3000, chunk.length, 1500);
    }
    int[] one = {7, 7, 7, 7, 7, 7, 7, 7};
    List<int[]> parts = funnel.sort(Samples.of(int[].class, List.of(one), 1), 4).rdd().collect();
    assertArrayEquals(one, all(parts));
    assertEquals(List.of(2, 2, 2, 2), parts.stream().map(part -> part.length).toList());
  }

  @Test
  void longsAndBytes() {
    List<long[]> longs = samples.chunks(long[].class, 1 << 30);
    Chunks<long[]> sorted = funnel.sort(Samples.of(long[].class, longs, 3));
    assertEquals(3, sorted.rdd().getNumPartitions());
    long[] expected = Samples.all(longs).stream().mapToLong(Number::longValue).sorted().toArray();
    assertArrayEquals(
        expected,
        Samples.all(sorted.rdd().collect()).stream().mapToLong(Number::longValue).toArray());
    Chunks<byte[]> bytes = Samples.of(byte[].class, new byte[][] {{-1, 3}}, new byte[][] {{0}});
    assertArrayEquals(new byte[] {0, 3, -1}, funnel.sort(bytes, 1).rdd().collect().getFirst());
  }

  @Test
  void floatsInTotalOrder() {
    float nan = Float.NaN; // of other bits it becomes this one on its way, by Java's serialization
    float[] specials = {0f, -0f, nan, 1f, 2f, Float.NEGATIVE_INFINITY, 0f, -0f, nan, nan};
    Chunks<float[]> chunks =
        Samples.of(float[].class, List.of(specials, specials.clone(), specials.clone()), 2);
    float[] together = new float[30];
    for (int i = 0; i < 30; i++) {
      together[i] = specials[i % 10];
    }
    int[] expected;
    try (Funnel one = Funnel.open(Target.JVM)) {
      expected = bits(one.run(Sort.ascending(), Elements.of(together)).floats("result"));
    }
    List<float[]> sorted = funnel.sort(chunks, 5).rdd().collect();
    int[] bits = sorted.stream().flatMapToInt(c -> Arrays.stream(bits(c))).toArray();
    assertArrayEquals(expected, bits);
  }

  private static int[] bits(float[] floats) {
    int[] bits = new int[floats.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = Float.floatToRawIntBits(floats[i]);
    }
    return bits;
  }

  @Test
  void failedTasksAreRunAgain() {
    List<int[]> ints = samples.chunks(int[].class, 1000);
    Chunks<int[]> chunks =
        Chunks.of(
            Samples.of(int[].class, ints, 3)
                .rdd()
                .map(
                    chunk -> {
                      if (TaskContext.get().attemptNumber() == 0
                          && TaskContext.getPartitionId() == 1) {
                        throw new IllegalStateException("the first attempt fails");
                      }
                      return chunk;
                    }),
            int[].class);
    int[] expected = all(ints);
    Arrays.sort(expected);
    assertArrayEquals(expected, all(funnel.sort(chunks, 4).rdd().collect()));
  }

  /** With what its tasks had sent, so that these are run again too. */
  @Test
  void executorsThatEndAreReplaced(@TempDir Path folder) {
    String once = folder.resolve("once").toString();
    List<int[]> ints = samples.chunks(int[].class, 1 << 30);
    List<int[]> sorted =
        funnel
            .sort(Samples.of(int[].class, ints, 4), 6)
            .rdd()
            .map(
                chunk -> {
                  if (new File(once).createNewFile()) {
                    Runtime.getRuntime().halt(1);
                  }
                  return chunk;
                })
            .collect();
    assertTrue(new File(once).exists());
    int[] expected = all(ints);
    Arrays.sort(expected);
    assertArrayEquals(expected, all(sorted));
  }

  @Test
  void nothing() {
    Chunks<int[]> none = Samples.of(int[].class, new int[][] {{}}, new int[][] {});
    assertEquals(List.of(), funnel.sort(none, 3).rdd().collect());
    assertThrows(IllegalArgumentException.class, () -> funnel.sort(none, 0));
  }
}
