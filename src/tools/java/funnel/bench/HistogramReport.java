package funnel.bench;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Measurements of histograms. */
final class HistogramReport extends Report<HistogramCase> {

  static final String CUB = "cub";

  HistogramReport(String command, String engine, Map<String, String> details) {
    super(command, engine, details);
  }

  /** The subjects that run on the same device. */
  @Override
  double shareOfCopy(Measurement<HistogramCase> m) {
    return m.kernel() == null ? Double.NaN : super.shareOfCopy(m);
  }

  /**
   * The time of CUB's kernels divided by this subject's, for the same case; both with the same
   * buffer in each run, if this subject was measured so.
   */
  double shareOfCub(Measurement<HistogramCase> m) {
    return measurements().stream()
        .filter(other -> other.subject().equals(CUB) && m.kernel() != null)
        .filter(other -> other.isMeasured() && other.what().equals(m.what()))
        .min(Comparator.comparing(other -> !other.cache().equals(m.cache())))
        .map(cub -> cub.nanos() / m.nanos())
        .orElse(Double.NaN);
  }

  /** The time relative to that on uniform samples. */
  double timesUniform(Measurement<HistogramCase> m) {
    return measurements().stream()
        .filter(other -> other.what().data() == SampleData.UNIFORM && !m.isCopy())
        .filter(other -> other.label().equals(m.label()) && other.isMeasured())
        .filter(other -> other.what().isOfSameSize(m.what()))
        .findFirst()
        .map(uniform -> m.nanos() / uniform.nanos())
        .orElse(Double.NaN);
  }

  @Override
  List<Column<HistogramCase>> columns() {
    return List.of(
        left("subject", Measurement::label),
        left("type", Measurement::typeName),
        left("data", m -> Named.of(m.what().data())),
        right("bins", m -> m.isCopy() ? NONE : Integer.toString(m.what().bins())),
        right("length", m -> Integer.toString(m.what().length())),
        right("kernel us", m -> micros(m.kernel())),
        right("p10..p90", m -> spread(m.kernel())),
        right("wall us", m -> micros(m.wall())),
        right("p10..p90", m -> spread(m.wall())),
        right("GB/s", m -> number(m.gigabytesPerSecond(), 1)),
        right("of CUB", m -> number(shareOfCub(m), 3)),
        right("of copy", m -> number(shareOfCopy(m), 3)),
        right("x uniform", m -> number(timesUniform(m), 2)));
  }

  @Override
  List<Measurement<HistogramCase>> inOrder() {
    Comparator<HistogramCase> order =
        Comparator.comparing(HistogramCase::type)
            .thenComparingInt(HistogramCase::length)
            .thenComparingInt(HistogramCase::bins)
            .thenComparing(HistogramCase::data);
    return measurements().stream()
        .sorted(
            Comparator.<Measurement<HistogramCase>, Boolean>comparing(m -> !m.isCopy())
                .thenComparing(Measurement::what, order))
        .toList();
  }

  @Override
  String legend() {
    return """
    GB/s: bytes of the samples (a copy: read and written) divided by the median time of the \
    kernels, or of the host if there are none. wall: until the counts are on the host.
    of CUB: the time of CUB's kernels divided by this one's; of copy: the speed relative to the \
    device copy's. x uniform: the time relative to that on uniform samples.
    """;
  }

  @Override
  void describe(Measurement<HistogramCase> m, Map<String, @Nullable Object> line) {
    HistogramCase what = m.what();
    line.put("type", m.typeName());
    line.put("data", Named.of(what.data()));
    line.put("bins", what.bins());
    line.put("length", what.length());
    line.put("cache", m.cache());
    line.put("gigabytes_per_second", number(m.gigabytesPerSecond()));
    line.put("share_of_cub", number(shareOfCub(m)));
    line.put("share_of_copy", number(shareOfCopy(m)));
    line.put("times_uniform", number(timesUniform(m)));
  }
}
