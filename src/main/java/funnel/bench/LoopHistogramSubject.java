package funnel.bench;

import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** A histogram by a sequential loop over an array on the heap, as one would write it. */
final class LoopHistogramSubject {

  private static final String NAME = "jvm-loop";

  private LoopHistogramSubject() {}

  /** Counts; if the heap is too small for the array, the measurement's note says so. */
  static HistogramMeasurement measure(Samples samples, int bins, int[] expected, Effort effort) {
    if (samples.bytes() > Runtime.getRuntime().maxMemory() / 2) {
      return HistogramMeasurement.failed(
          NAME,
          samples,
          bins,
          "the heap is too small for the array: bytes=%d, heap=%d; give java a larger -Xmx"
              .formatted(samples.bytes(), Runtime.getRuntime().maxMemory()));
    }
    int[] counts = new int[bins];
    Runnable run = loop(samples, counts);
    effort.warmUp(run);
    Timing wall = effort.wall(run);
    String wrong = Samples.wrong(counts, expected);
    return new HistogramMeasurement(
        NAME,
        samples.type(),
        samples.data().label(),
        samples.length(),
        bins,
        HistogramMeasurement.WARM,
        null,
        wall,
        wrong.isEmpty() ? HistogramMeasurement.RIGHT : wrong,
        "");
  }

  private static Runnable loop(Samples samples, int[] counts) {
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
