package funnel.histogram;

import funnel.operation.Input;
import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLong;

/** JVM form of histograms. */
final class HistogramLoops {

  /* Each worker takes chunks of samples in turn and counts them in its own counters. At the end
   * these are added up, by each worker for a part of the counters. The number of workers is limited
   * so that all their counters together are no more than the samples, and no more than
   * MOST_COUNTERS: so clearing and adding up costs little compared with counting, and memory stays
   * small. Each worker allocates its own counters: if one thread allocated those of several, they
   * would be adjacent, and threads would compete for shared cache lines at every sample.
   *
   * Samples outside the bins have three counters after those of the bins.
   *
   * For bytes, whatever the bins, all 256 values are counted, and each value is mapped to its bin
   * at the end: a rule on bytes is a table. A user-defined function is called with the actual
   * samples and their indices: with such a function, bytes are binned one by one like other
   * samples.
   */

  /** Counters after those of the bins: below or an invalid key, above, NaN. */
  static final int OUTSIDE = 3;

  private static final long MOST_COUNTERS = 1L << 26;

  /** The number of samples below which another worker does not pay off. */
  private static final int SAMPLES_PER_WORKER = 1 << 16;

  /** The number of samples that a worker takes at a time. */
  private static final int TAKEN = 1 << 16;

  /** The number of bytes that a worker takes at a time: whole samples of all channels. */
  private static final int TAKEN_BYTES = 12 << 13;

  private static final int VALUES = 256;

  private HistogramLoops() {}

  /**
   * Counts samples.
   *
   * @return the counters and {@link #OUTSIDE} more; none overflows an int
   */
  static int[] count(MemorySegment samples, int length, ElementType element, Bins bins) {
    return element == ElementType.BYTE && bins.map() == null
        ? ofBytes(samples, length, bins)
        : ofNumbers(samples, length, element, bins);
  }

  /** One worker's counting of its part of the samples. */
  private interface Work {
    void count(AtomicLong next, int[] counters);
  }

  /** The number of workers with counters of their own for inputs of a length. */
  static int workers(MemorySegment first, MemorySegment second, int length, int counters) {
    int most = ParallelRows.mayBeShared(first, second) ? ParallelRows.cores() : 1;
    long affordable = Math.max(1, Math.min(length, MOST_COUNTERS) / Math.max(1, counters));
    int wanted = Math.clamp(length / SAMPLES_PER_WORKER, 1, most);
    return (int) Math.min(wanted, affordable);
  }

  private static int[] shared(MemorySegment samples, int length, int counters, Work work) {
    int workers = workers(samples, samples, length, counters);
    int[][] counts = new int[workers][];
    AtomicLong next = new AtomicLong();
    ParallelRows.deal(
        workers,
        worker -> {
          int[] own = new int[counters];
          work.count(next, own);
          counts[worker] = own;
        });
    if (workers > 1) {
      ParallelRows.run(
          counters,
          Math.clamp((long) counters * workers, 0, Integer.MAX_VALUE),
          (from, to) -> {
            for (int worker = 1; worker < workers; worker++) {
              add(counts[worker], counts[0], from, to);
            }
          });
    }
    return counts[0];
  }

  private static void add(int[] from, int[] to, int begin, int end) {
    for (int i = begin; i < end; i++) {
      to[i] += from[i];
    }
  }

  private static int[] ofNumbers(
      MemorySegment samples, int length, ElementType element, Bins bins) {
    int counters = bins.counters();
    int[] result =
        shared(
            samples,
            length,
            counters + OUTSIDE,
            (next, counts) -> {
              Bins.Loops loops = bins.loops(element);
              int[] numbers = new int[Bins.CHUNK];
              for (long from = next.getAndAdd(TAKEN); from < length; from = next.getAndAdd(TAKEN)) {
                int first = (int) from;
                int end = (int) Math.min(length, from + TAKEN);
                if (bins.channels() == 1) {
                  loops.count(samples, first, end - first, bins, counts);
                } else {
                  for (int count; first < end; first += count) { // the end may be near 2^31
                    count = Math.min(Bins.CHUNK, end - first);
                    loops.number(samples, first, count, bins, numbers);
                    for (int i = 0; i < count; i++) {
                      counts[numbers[i]]++;
                    }
                  }
                }
              }
            });
    if (bins.areKeys()) {
      result[counters] += result[counters + 1] + result[counters + 2];
    }
    return result;
  }

  private static int[] ofBytes(MemorySegment samples, int length, Bins bins) {
    int channels = bins.channels();
    int[] raw =
        shared(
            samples,
            length,
            channels * VALUES,
            (next, counts) -> {
              byte[] x = new byte[TAKEN_BYTES];
              Object heap = samples.heapBase().orElse(null);
              for (long from = next.getAndAdd(TAKEN_BYTES);
                  from < length;
                  from = next.getAndAdd(TAKEN_BYTES)) {
                int count = (int) Math.min(TAKEN_BYTES, length - from);
                int at = 0;
                byte[] all = x;
                if (heap instanceof byte[] bytes) {
                  all = bytes;
                  at = (int) (samples.address() + from);
                } else {
                  MemorySegment.copy(samples, ValueLayout.JAVA_BYTE, from, x, 0, count);
                }
                if (channels > 1) {
                  countChannels(all, at, at + count, channels, counts);
                } else {
                  countBytes(all, at, at + count, counts);
                }
              }
            });
    int[] result = new int[bins.counters() + OUTSIDE];
    Bins one = bins.over(1, null);
    Bins.Loops loops = one.loops(ElementType.BYTE);
    byte[] values = new byte[VALUES];
    for (int v = 0; v < VALUES; v++) {
      values[v] = (byte) v;
    }
    int[] numbers = new int[Bins.CHUNK];
    loops.number(MemorySegment.ofArray(values), 0, VALUES, one, numbers);
    for (int channel = 0; channel < channels; channel++) {
      for (int v = 0; v < VALUES; v++) {
        int number = numbers[v];
        number += number < bins.bins() ? channel * bins.bins() : bins.bins() * (channels - 1);
        result[number] += raw[channel * VALUES + v];
      }
    }
    return result;
  }

  private static void countBytes(byte[] x, int from, int to, int[] counts) {
    for (int i = from; i < to; i++) {
      counts[x[i] & 0xff]++;
    }
  }

  /** Counts bytes of 2 to 4 channels, the first of which is of the first channel. */
  private static void countChannels(byte[] x, int from, int to, int channels, int[] counts) {
    int[] a = new int[VALUES];
    int[] b = new int[VALUES];
    int[] c = new int[VALUES];
    int[] d = new int[VALUES];
    if (channels == 2) {
      for (int i = from; i < to - 1; i += 2) {
        a[x[i] & 0xff]++;
        b[x[i + 1] & 0xff]++;
      }
    } else {
      for (int i = from; i <= to - channels; i += channels) {
        a[x[i] & 0xff]++;
        b[x[i + 1] & 0xff]++;
        c[x[i + 2] & 0xff]++;
        d[x[i + channels - 1] & 0xff]++;
      }
    }
    add(a, counts, 0);
    add(b, counts, VALUES);
    if (channels > 2) {
      add(c, counts, 2 * VALUES);
    }
    if (channels == 4) {
      add(d, counts, 3 * VALUES);
    }
  }

  private static void add(int[] values, int[] counts, int at) {
    for (int v = 0; v < VALUES; v++) {
      counts[at + v] += values[v];
    }
  }

  /** The exception for samples that are not valid keys, with the first of them. */
  static KeyOutsideException noKey(
      String id, Input samples, MemorySegment given, int length, Bins bins) {
    Bins.Loops loops = bins.loops(samples.type());
    int[] numbers = new int[Bins.CHUNK];
    for (long first = 0; first < length; first += Bins.CHUNK) {
      int count = (int) Math.min(Bins.CHUNK, length - first);
      loops.number(given, (int) first, count, bins, numbers);
      for (int i = 0; i < count; i++) {
        if (numbers[i] >= bins.counters()) {
          int position = (int) first + i;
          long key = loops.key(given, position);
          return new KeyOutsideException(id, samples.name(), position, key, bins.bins());
        }
      }
    }
    throw new IllegalStateException("all samples are keys");
  }
}
