package funnel.bench;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Measurements of selections. */
final class SelectReport extends Report<SelectCase> {

  SelectReport(String command, String engine, Map<String, String> details) {
    super(command, engine, details);
  }

  /** The bytes that it moves divided by the time of its kernels. */
  private static double moved(Measurement<SelectCase> m) {
    return m.what().moved() / m.nanos();
  }

  @Override
  List<Column<SelectCase>> columns() {
    return List.of(
        left("subject", Measurement::label),
        left("type", Measurement::typeName),
        left("op", m -> m.what().op()),
        right("length", m -> Integer.toString(m.what().length())),
        right("kernel us", m -> micros(m.kernel())),
        right("p10..p90", m -> spread(m.kernel())),
        right("wall us", m -> micros(m.wall())),
        right("p10..p90", m -> spread(m.wall())),
        right("GB/s", m -> number(m.gigabytesPerSecond(), 1)),
        right("moved", m -> number(moved(m), 1)),
        right("of copy", m -> m.kernel() == null ? NONE : number(moved(m) / copyCeiling(), 3)));
  }

  @Override
  List<Measurement<SelectCase>> inOrder() {
    Comparator<SelectCase> order =
        Comparator.comparing(SelectCase::type)
            .thenComparing(SelectCase::op)
            .thenComparingInt(SelectCase::length);
    return measurements().stream().sorted(Comparator.comparing(Measurement::what, order)).toList();
  }

  @Override
  String legend() {
    return """
    GB/s: bytes of the input and of the kept elements, once, divided by the median time of the \
    kernels, or of the host if there are none.
    moved: the same with all bytes that the form moves; of copy: that relative to the device copy's.
    """;
  }

  @Override
  void describe(Measurement<SelectCase> m, Map<String, @Nullable Object> line) {
    SelectCase what = m.what();
    line.put("type", m.typeName());
    line.put("op", what.op());
    line.put("length", what.length());
    line.put("cache", m.cache());
    line.put("bytes", what.bytes());
    line.put("bytes_moved", number(what.moved()));
    line.put("gigabytes_per_second", number(m.gigabytesPerSecond()));
    line.put("moved_per_second", number(moved(m)));
    line.put("expected", what.expected());
  }
}
