package funnel.bench;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Measurements of methods of the heat equation. */
final class HeatReport extends Report<HeatCase> {

  private static final GridSize LECTURE_SIZE = new GridSize(14400, 14400);
  private static final int LECTURE_STEPS = 100;

  /** Seconds of methods 1 to 4 on a GTX 260, floats. */
  private static final double[] LECTURE = {7.41, 6.26, 5.96, 4.03};

  HeatReport(String command, String engine, Map<String, String> details) {
    super(command, engine, details);
  }

  /** All fields must have the same bits. */
  @Override
  String verdict(Measurement<HeatCase> m) {
    String hash = m.what().hash();
    boolean isOther =
        !hash.isEmpty()
            && beside(m)
                .map(other -> other.what().hash())
                .anyMatch(bits -> !bits.isEmpty() && !bits.equals(hash));
    return m.right() && isOther ? "DIFFERENT BITS: " + hash : super.verdict(m);
  }

  private Stream<Measurement<HeatCase>> beside(Measurement<HeatCase> m) {
    return measurements().stream().filter(other -> other.what().isBeside(m.what()));
  }

  /** The speed relative to Funnel's method 1 on the same field. */
  double speedUp(Measurement<HeatCase> m) {
    return beside(m)
        .filter(other -> other.what().number() == 1 && other.isMeasured())
        .findFirst()
        .map(one -> one.nanos() / m.nanos())
        .orElse(Double.NaN);
  }

  /** The speed relative to a copy of the same field. */
  @Override
  double shareOfCopy(Measurement<HeatCase> m) {
    return m.gigabytesPerSecond() / copyBeside(beside(m));
  }

  /** The share of the host's time in which no kernel runs; NaN if either time is missing. */
  static double hostShare(Measurement<?> m) {
    return m.kernel() == null || m.wall() == null
        ? Double.NaN
        : 1 - m.kernel().median() / m.wall().median();
  }

  /** The lecture's time for a method, in seconds, or NaN. */
  private static double lecture(HeatCase what) {
    return what.number() >= 1
            && what.number() <= LECTURE.length
            && what.size().equals(LECTURE_SIZE)
            && what.steps() == LECTURE_STEPS
        ? LECTURE[what.number() - 1]
        : Double.NaN;
  }

  @Override
  List<Column<HeatCase>> columns() {
    return List.of(
        right("method", m -> m.what().number() == 0 ? NONE : "" + m.what().number()),
        left("subject", Measurement::subject),
        left("type", Measurement::typeName),
        left("size", m -> m.what().size().toString()),
        right("steps", m -> Integer.toString(m.what().steps())),
        right("kernel ms", m -> millis(m.kernel())),
        right("us a step", m -> number(m.nanos() / 1e3 / m.what().steps(), 1)),
        right("wall ms", m -> millis(m.wall())),
        right("host", m -> number(hostShare(m), 3)),
        right("speed-up", m -> m.isCopy() ? NONE : number(speedUp(m), 2)),
        right("GB/s", m -> number(m.gigabytesPerSecond(), 0)),
        right("of copy", m -> m.kernel() == null ? NONE : number(shareOfCopy(m), 3)),
        right("lecture s", m -> number(lecture(m.what()), 2)),
        right("speed-up", m -> number(LECTURE[0] / lecture(m.what()), 2)));
  }

  @Override
  String legend() {
    return """
    host: the share of the wall time in which no kernel runs.
    GB/s: 2 elements per node and step, divided by the median time of a run's kernels, \
    or of the host if there are none.
    of copy: that speed relative to a device copy of the field.
    lecture: a GTX 260, floats, 14400x14400, 100 steps: methods 1 to 4 in 7.41, 6.26, \
    5.96 and 4.03 s.
    """;
  }

  private static String millis(@Nullable Timing timing) {
    return timing == null ? NONE : number(timing.median() / 1e6, 3);
  }

  @Override
  void describe(Measurement<HeatCase> m, Map<String, @Nullable Object> line) {
    HeatCase what = m.what();
    line.put("method", what.number());
    line.put("type", m.typeName());
    line.put("nx", what.size().nx());
    line.put("ny", what.size().ny());
    line.put("steps", what.steps());
    line.put("gigabytes_per_second", number(m.gigabytesPerSecond()));
    line.put("share_of_copy", number(shareOfCopy(m)));
    line.put("speed_up", m.isCopy() ? null : number(speedUp(m)));
    line.put("host_share", number(hostShare(m)));
    line.put("lecture_seconds", number(lecture(what)));
    line.put("hash", what.hash());
  }
}
