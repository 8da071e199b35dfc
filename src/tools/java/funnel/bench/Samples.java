package funnel.bench;

import funnel.engine.tornado.HostArrays;
import funnel.histogram.Histogram;
import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Samples of a histogram, and a plain loop's counts: the input of a benchmark. */
final class Samples implements Input {

  /* Bytes have 256 bins; ints are in [0, 10^9), in any number of bins of equal width. The plain
   * loop runs over parts of the samples; the parts' counts are added.
   */

  /** Bins of bytes. */
  static final int BYTE_BINS = 256;

  /** The bound of ints. */
  static final int SPAN = 1_000_000_000;

  /** The counts of all parts together. */
  private static final int MOST_COUNTERS = 1 << 26;

  private final ElementType type;
  private final SampleData data;
  private final int length;
  private final TornadoNativeArray array;
  private final Map<Integer, int[]> counts = new HashMap<>();

  /**
   * Makes samples.
   *
   * @param type byte or int
   * @param length at least 1
   */
  Samples(ElementType type, SampleData data, int length) {
    if (type != ElementType.BYTE && type != ElementType.INT) {
      throw new IllegalArgumentException("histograms are measured over bytes and ints: " + type);
    }
    if (length < 1) {
      throw new IllegalArgumentException("a benchmark needs a sample: length=" + length);
    }
    this.type = type;
    this.data = data;
    this.length = length;
    this.array = HostArrays.allocate(type, length);
    parts(
        Runtime.getRuntime().availableProcessors(),
        (from, to) -> {
          fill(from, to);
          return new int[0];
        });
  }

  /** Work on some of the samples. */
  private interface Part {
    int[] run(int from, int to);
  }

  private int[][] parts(int most, Part part) {
    int parts = Math.min(length, most);
    int[][] results = new int[parts][];
    ParallelRows.deal(
        parts,
        k ->
            results[k] =
                part.run(
                    (int) ((long) length * k / parts), (int) ((long) length * (k + 1) / parts)));
    return results;
  }

  private void fill(int from, int to) {
    MemorySegment segment = array.getSegment();
    if (type == ElementType.BYTE) {
      for (int i = from; i < to; i++) {
        segment.set(ValueLayout.JAVA_BYTE, i, (byte) data.value(i, length, BYTE_BINS));
      }
    } else {
      for (int i = from; i < to; i++) {
        segment.setAtIndex(ValueLayout.JAVA_INT, i, (int) data.value(i, length, SPAN));
      }
    }
  }

  private int[] count(int bins, int from, int to) {
    MemorySegment segment = array.getSegment();
    int[] counts = new int[bins];
    if (type == ElementType.BYTE) {
      for (int i = from; i < to; i++) {
        counts[segment.get(ValueLayout.JAVA_BYTE, i) & BYTE_BINS - 1]++;
      }
    } else {
      for (int i = from; i < to; i++) {
        counts[bin(segment.getAtIndex(ValueLayout.JAVA_INT, i), bins)]++;
      }
    }
    return counts;
  }

  /** An int's bin. */
  static int bin(int sample, int bins) {
    return (int) ((long) sample * bins / SPAN);
  }

  /** The counts of a plain loop. */
  int[] counts(int bins) {
    return counts.computeIfAbsent(bins, this::counted);
  }

  private int[] counted(int bins) {
    int most = Math.clamp(MOST_COUNTERS / bins, 1, Runtime.getRuntime().availableProcessors());
    int[][] parts = parts(most, (from, to) -> count(bins, from, to));
    int[] counts = parts[0];
    for (int k = 1; k < parts.length; k++) {
      for (int bin = 0; bin < bins; bin++) {
        counts[bin] += parts[k][bin];
      }
    }
    return counts;
  }

  /** The sum of the counts, each times 2 k + 1 for bin k; histogram.cu prints the same. */
  static String hash(int[] counts) {
    long hash = 0;
    for (int bin = 0; bin < counts.length; bin++) {
      hash += counts[bin] * (2L * bin + 1);
    }
    return String.format(Locale.ROOT, "%016x", hash);
  }

  /** What is wrong with counts of these samples, or an empty string. */
  String wrong(int[] counts) {
    return wrong(counts, counts(counts.length));
  }

  /** What is wrong with counts, or an empty string. */
  static String wrong(int[] counts, int[] expected) {
    for (int bin = 0; bin < expected.length; bin++) {
      if (counts[bin] != expected[bin]) {
        return "bin %s has %s, expected %s".formatted(bin, counts[bin], expected[bin]);
      }
    }
    return "";
  }

  /** The measured histogram. */
  Histogram histogram(int bins) {
    return type == ElementType.BYTE ? Histogram.ofBytes() : Histogram.even(bins, 0, SPAN);
  }

  ElementType type() {
    return type;
  }

  String typeName() {
    return Named.of(type);
  }

  SampleData data() {
    return data;
  }

  int length() {
    return length;
  }

  TornadoNativeArray array() {
    return array;
  }

  @Override
  public long bytes() {
    return (long) length * type.bytes();
  }
}
