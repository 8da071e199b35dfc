package funnel.bench;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Measurements of streams. */
final class StreamsReport extends Report<StreamsCase> {

  StreamsReport(String command, String engine, Map<String, String> details) {
    super(command, engine, details);
  }

  /** The speed relative to another subject's in the same case; NaN if that was not measured. */
  double of(String peer, Measurement<StreamsCase> m) {
    return measurements().stream()
        .filter(other -> other.what().equals(m.what()) && other.subject().equals(peer))
        .mapToDouble(other -> other.nanos() / m.nanos())
        .findFirst()
        .orElse(Double.NaN);
  }

  @Override
  List<Column<StreamsCase>> columns() {
    return List.of(
        left("subject", Measurement::label),
        left("task", m -> m.what().task().toString()),
        left("from", m -> m.what().from()),
        right("MiB", m -> number(m.what().size() / 0x1p20, 1)),
        right("wall us", m -> micros(m.wall())),
        right("p10..p90", m -> spread(m.wall())),
        right("GB/s", m -> number(m.gigabytesPerSecond(), 2)),
        right("of link", m -> number(of(StreamsSubject.LINK, m), 2)),
        right("of plain", m -> number(of(StreamsSubject.PLAIN, m), 2)));
  }

  @Override
  String legend() {
    return """
    GB/s: bytes of the source divided by the median time on the host. link: copies of as many bytes \
    by the driver from pinned memory to the device, for scans and sorts also back at the same time; \
    with several devices the link of one. plain: one thread per core reads all bytes, for scans and \
    sorts copies them. Each run maps files again.
    """;
  }

  @Override
  void describe(Measurement<StreamsCase> m, Map<String, @Nullable Object> line) {
    line.put("task", m.what().task().toString());
    line.put("from", m.what().from());
    line.put("type", m.typeName());
    line.put("bytes", m.what().bytes());
    line.put("gigabytes_per_second", number(m.gigabytesPerSecond()));
    line.put("of_link", number(of(StreamsSubject.LINK, m)));
    line.put("of_plain", number(of(StreamsSubject.PLAIN, m)));
  }
}
