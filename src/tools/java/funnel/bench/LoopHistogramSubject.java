package funnel.bench;

import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** A histogram by a sequential loop over an array on the heap, as one would write it. */
final class LoopHistogramSubject extends HeapSubject<Samples, Integer, HistogramCase> {

  LoopHistogramSubject() {
    super("jvm-loop", 1);
  }

  @Override
  HistogramCase what(Samples samples, Integer bins) {
    return new HistogramCase(samples, bins);
  }

  @Override
  Loop loop(Samples samples, Integer bins) {
    int[] counts = new int[bins];
    return new Loop(() -> {}, run(samples, counts), () -> Outcome.of(samples.wrong(counts)));
  }

  private static Runnable run(Samples samples, int[] counts) {
    MemorySegment from = samples.array().getSegment();
    if (samples.type() == ElementType.BYTE) {
      byte[] bytes = from.toArray(ValueLayout.JAVA_BYTE);
      return () -> {
        Arrays.fill(counts, 0);
        for (byte value : bytes) {
          counts[value & Samples.BYTE_BINS - 1]++;
        }
      };
    }
    int[] ints = from.toArray(ValueLayout.JAVA_INT);
    return () -> {
      Arrays.fill(counts, 0);
      for (int value : ints) {
        counts[Samples.bin(value, counts.length)]++;
      }
    };
  }
}
