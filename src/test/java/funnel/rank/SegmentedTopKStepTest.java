package funnel.rank;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import funnel.Elements;
import funnel.Funnel;
import funnel.Results;
import funnel.Seed;
import funnel.operation.Target;
import funnel.scan.Segments;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Segments that go over several tasks of the JVM's form, beside short and empty ones. */
class SegmentedTopKStepTest {

  private static final int LENGTH = 300_001;

  private static int[] offsets(SplittableRandom random) {
    IntStream.Builder offsets = IntStream.builder();
    int at = random.nextInt(3);
    while (at < LENGTH) {
      offsets.add(at);
      at += random.nextInt(20) == 0 ? random.nextInt(120_000) : random.nextInt(30);
    }
    return offsets.add(LENGTH).build().toArray();
  }

  @Test
  void segmentsOverTasks() {
    SplittableRandom random = Seed.random("segments over tasks");
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      for (int k : new int[] {1, 7, 1000, 1025}) {
        int[] x = random.ints(LENGTH, 0, 1 << random.nextInt(2, 31)).toArray();
        int[] offsets = offsets(random);
        boolean isLargest = random.nextBoolean();
        TopK top = isLargest ? TopK.largest(k) : TopK.smallest(k);
        Comparator<Integer> order = Comparator.comparingInt(i -> x[i]);
        Comparator<Integer> wanted = isLargest ? order.reversed() : order;
        IntStream.Builder expected = IntStream.builder();
        int[] begins = new int[offsets.length];
        int count = 0;
        for (int s = -1; s < offsets.length; s++) {
          int from = s < 0 ? 0 : offsets[s];
          int to = s + 1 < offsets.length ? offsets[s + 1] : LENGTH;
          if (s >= 0) {
            begins[s] = count;
          }
          IntStream.range(from, to).boxed().sorted(wanted).limit(k).forEach(expected::add);
          count += Math.min(k, to - from);
        }
        int[] positions = expected.build().toArray();
        Results results =
            funnel.run(
                SegmentedTopK.of(top.withPositions()).segments(Segments.byOffsets()),
                Elements.of(x),
                Elements.of(offsets));
        String what = "%s%s".formatted(top, Seed.replay());
        assertArrayEquals(positions, results.ints("result_positions"), what);
        assertArrayEquals(
            IntStream.of(positions).map(i -> x[i]).toArray(), results.ints("result"), what);
        assertArrayEquals(begins, results.ints("result_offsets"), what);
      }
    }
  }
}
