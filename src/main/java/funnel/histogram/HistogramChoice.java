package funnel.histogram;

import funnel.engine.AtomicsProbe;
import funnel.operation.Device;
import java.util.List;

/**
 * Which method a histogram takes on a device unless {@link Histogram#by} names one: the fastest by
 * measurements among those whose time does not depend on the samples.
 */
final class HistogramChoice {

  /* One read of all samples counts 256 counters without atomic additions, so that many counters take
   * many reads; a sort takes as many passes as the counters' number has digits of SORT_BITS, and a
   * fixed part for the bins' numbers and the ends of runs. Both are proportional to the samples.
   *
   * Atomic additions in global memory are faster than a sort where the samples are spread over many
   * counters (2.7 ms against 7.1 ms for 2^28 samples and 2^21 counters) and take 200 ms where they
   * are all alike; so they are never chosen.
   */

  /**
   * Microseconds that kernels took for 2^28 ints.
   *
   * @param device where
   * @param backend by which backend of TornadoVM
   * @param pass a read of 256 counters
   * @param sortFixed of sorting, without its passes
   * @param sortPass a pass of the sort
   */
  private record Row(
      String device, String backend, double pass, double sortFixed, double sortPass) {
    double passes(int counters) {
      return pass * HistogramShape.passes(counters);
    }

    double sort(int counters) {
      int bits = Integer.SIZE - Integer.numberOfLeadingZeros(counters);
      return sortFixed + sortPass * Math.ceilDiv(bits, SORT_BITS);
    }
  }

  /** Bits of a pass, see {@link funnel.sort.Sort}. */
  private static final int SORT_BITS = 7;

  private static final String H200 = "NVIDIA H200";

  private static final List<Row> MEASURED =
      List.of(new Row(H200, "cuda", 360, 1650, 1700), new Row(H200, "ptx", 538, 1740, 1740));

  /** Samples beside which a copy of the counters in each block is little. */
  private static final int MANY_SAMPLES = 1 << 24;

  private HistogramChoice() {}

  private static Row row(Device device) {
    return MEASURED.stream()
        .filter(row -> row.backend().equals(device.backend()))
        .findFirst()
        .orElse(MEASURED.getFirst());
  }

  /**
   * The method. Probes nothing: see {@link AtomicsProbe}.
   *
   * @param device where
   * @param counters of all channels
   * @param capacity the most samples
   */
  static HistogramMethod of(Device device, int counters, int capacity) {
    if (counters <= HistogramShape.PASS) {
      return HistogramMethod.THREAD_COUNTERS;
    }
    if (counters <= HistogramShape.MOST_PRIVATISED
        && capacity >= MANY_SAMPLES
        && AtomicsProbe.isKnownToBeRight(device)) {
      return HistogramMethod.PRIVATISED;
    }
    Row row = row(device);
    return row.passes(counters) < row.sort(counters)
        ? HistogramMethod.PASSES
        : HistogramMethod.SORTED;
  }
}
