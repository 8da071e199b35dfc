package funnel.bench;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Measurements of jobs. */
final class JobReport extends Report<JobCase> {

  JobReport(String command, String engine, Map<String, String> details) {
    super(command, engine, details);
  }

  private static double millionsPerSecond(Measurement<JobCase> m) {
    return m.what().size() * 1e3 / m.nanos();
  }

  /** The speed relative to the loop over the same data; NaN if the loop was not measured. */
  double ofLoop(Measurement<JobCase> m) {
    return measurements().stream()
        .filter(other -> other.what().equals(m.what()) && other.subject().equals("jvm-loop"))
        .mapToDouble(loop -> loop.nanos() / m.nanos())
        .findFirst()
        .orElse(Double.NaN);
  }

  @Override
  List<Column<JobCase>> columns() {
    return List.of(
        left("subject", Measurement::label),
        left("job", m -> m.what().task().toString()),
        right("size", m -> Integer.toString(m.what().size())),
        left("of", m -> m.what().task().unit()),
        right("wall us", m -> micros(m.wall())),
        right("p10..p90", m -> spread(m.wall())),
        right("M/s", m -> number(millionsPerSecond(m), 1)),
        right("of loop", m -> number(ofLoop(m), 2)),
        left("note", m -> m.isMeasured() ? m.note() : ""));
  }

  @Override
  String legend() {
    return """
    M/s: millions of the size's units divided by the median time on the host, from arrays or a file \
    to the result; of loop: the speed relative to the loop over the same data.
    """;
  }

  @Override
  void describe(Measurement<JobCase> m, Map<String, @Nullable Object> line) {
    line.put("job", m.what().task().toString());
    line.put("size", m.what().size());
    line.put("of", m.what().task().unit());
    line.put("bytes", m.what().bytes());
    line.put("millions_per_second", number(millionsPerSecond(m)));
    line.put("of_loop", number(ofLoop(m)));
  }
}
