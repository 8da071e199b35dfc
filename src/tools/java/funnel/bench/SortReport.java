package funnel.bench;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Measurements of sorts. */
final class SortReport extends Report<SortCase> {

  SortReport(String command, String engine, Map<String, String> details) {
    super(command, engine, details);
  }

  private static double gigakeysPerSecond(Measurement<SortCase> m) {
    return m.what().length() / m.nanos();
  }

  @Override
  List<Column<SortCase>> columns() {
    return List.of(
        left("subject", Measurement::label),
        left("type", Measurement::typeName),
        left("data", m -> m.what().data().toString()),
        left("op", m -> m.what().task().toString()),
        right("length", m -> Integer.toString(m.what().length())),
        right("kernel us", m -> micros(m.kernel())),
        right("p10..p90", m -> spread(m.kernel())),
        right("wall us", m -> micros(m.wall())),
        right("p10..p90", m -> spread(m.wall())),
        right("Gkeys/s", m -> number(gigakeysPerSecond(m), 3)),
        right("GB/s", m -> number(m.gigabytesPerSecond(), 1)));
  }

  @Override
  List<Measurement<SortCase>> inOrder() {
    Comparator<SortCase> order =
        Comparator.comparing(SortCase::type)
            .thenComparing(SortCase::data)
            .thenComparing(SortCase::task)
            .thenComparingInt(SortCase::length);
    return measurements().stream().sorted(Comparator.comparing(Measurement::what, order)).toList();
  }

  @Override
  String legend() {
    return """
    Gkeys/s: keys divided by the median time of the kernels, or of the host if there are none; \
    GB/s: bytes of the keys and of the result, once, divided by that time.
    """;
  }

  @Override
  void describe(Measurement<SortCase> m, Map<String, @Nullable Object> line) {
    SortCase what = m.what();
    line.put("type", m.typeName());
    line.put("data", what.data().toString());
    line.put("op", what.task().toString());
    line.put("length", what.length());
    line.put("cache", m.cache());
    line.put("bytes", what.bytes());
    line.put("gigakeys_per_second", number(gigakeysPerSecond(m)));
    line.put("gigabytes_per_second", number(m.gigabytesPerSecond()));
    line.put("expected", what.expected());
  }
}
