package funnel.bench;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Measurements of primitives over arrays of elements. */
final class PrimitiveReport extends Report<PrimitiveCase> {

  PrimitiveReport(String command, String engine, Map<String, String> details) {
    super(command, engine, details);
  }

  @Override
  List<Column<PrimitiveCase>> columns() {
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
        right("of copy", m -> m.kernel() == null ? NONE : number(shareOfCopy(m), 3)));
  }

  @Override
  List<Measurement<PrimitiveCase>> inOrder() {
    Comparator<PrimitiveCase> order =
        Comparator.comparing(PrimitiveCase::type)
            .thenComparing(PrimitiveCase::op)
            .thenComparingInt(PrimitiveCase::length);
    return measurements().stream().sorted(Comparator.comparing(Measurement::what, order)).toList();
  }

  @Override
  String legend() {
    return """
    GB/s: bytes of the input (a scan or a copy: read and written) divided by the median time of \
    the kernels, or of the host if there are none.
    of copy: that speed relative to the device copy's.
    """;
  }

  @Override
  void describe(Measurement<PrimitiveCase> m, Map<String, @Nullable Object> line) {
    PrimitiveCase what = m.what();
    line.put("block", what.block());
    line.put("work", what.work().label());
    line.put("type", m.typeName());
    line.put("op", what.op());
    line.put("length", what.length());
    line.put("cache", m.cache());
    line.put("gigabytes_per_second", number(m.gigabytesPerSecond()));
    line.put("share_of_copy", number(shareOfCopy(m)));
    line.put("expected", what.expected());
  }
}
