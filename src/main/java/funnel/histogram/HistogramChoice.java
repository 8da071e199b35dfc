package funnel.histogram;

import funnel.operation.Device;
import funnel.operation.LocalAtomics;
import java.util.List;

/**
 * Selects the method of a histogram on a device unless {@link Histogram#by} sets one: the fastest
 * measured method among those whose time does not depend on the samples.
 */
final class HistogramChoice {

  /* One read of all samples fills 256 counters without atomic additions, so many counters take many
   * reads. A sort takes as many passes as the number of counters has digits of SORT_BITS, plus a
   * fixed part for the bins' numbers and the ends of runs. Both are proportional to the number of
   * samples.
   *
   * Atomic additions in global memory are faster than a sort if the samples are spread over many
   * counters (2.7 ms against 7.1 ms for 2^28 samples and 2^21 counters), but take 200 ms if all
   * samples are equal; so they are never selected.
   */

  /**
   * Microseconds that kernels took for 2^28 ints.
   *
   * @param device the device
   * @param backend the TornadoVM backend
   * @param pass the time of a pass for 256 counters
   * @param sortFixed the time of sorting without its passes
   * @param sortPass the time of a pass of the sort
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

  /** The number of samples for which a copy of the counters in each block costs little. */
  private static final int MANY_SAMPLES = 1 << 24;

  private HistogramChoice() {}

  private static Row row(Device device) {
    return MEASURED.stream()
        .filter(row -> row.backend().equals(device.backend()))
        .findFirst()
        .orElse(MEASURED.getFirst());
  }

  /**
   * The method. Tests no atomic additions.
   *
   * @param device the device
   * @param atomics those in its local memory
   * @param counters the number of counters of all channels
   * @param capacity the largest number of samples
   */
  static HistogramMethod of(Device device, LocalAtomics atomics, int counters, int capacity) {
    if (counters <= HistogramShape.PASS) {
      return HistogramMethod.THREAD_COUNTERS;
    }
    if (counters <= HistogramShape.MOST_PRIVATISED
        && capacity >= MANY_SAMPLES
        && atomics.areKnownToBeCorrect()) {
      return HistogramMethod.PRIVATISED;
    }
    Row row = row(device);
    return row.passes(counters) < row.sort(counters)
        ? HistogramMethod.PASSES
        : HistogramMethod.SORTED;
  }
}
