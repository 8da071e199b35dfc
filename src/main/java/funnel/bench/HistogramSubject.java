package funnel.bench;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.histogram.Histogram;
import funnel.histogram.HistogramMethod;
import funnel.operator.ElementType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Funnel's own histogram, by one of its methods or by its choice. */
final class HistogramSubject {

  /** Begins the note of a method that is not for so many bins, or not for the device. */
  static final String REFUSED = "refused: ";

  private static final String INPUT = "x";
  private static final String OUTPUT = "counts";
  private static final int WARM_UP_LENGTH = 1024;

  private final Funnel funnel;
  private final @Nullable HistogramMethod method;

  /**
   * A subject.
   *
   * @param funnel what is measured
   * @param method the method, or null for the one that Funnel chooses
   */
  HistogramSubject(Funnel funnel, @Nullable HistogramMethod method) {
    this.funnel = funnel;
    this.method = method;
  }

  String name() {
    return "funnel" + (method == null ? "" : "/" + method.label());
  }

  /** Whether it must be measured: it is not when a named method is not for what is asked. */
  static boolean isAllowed(HistogramMeasurement m) {
    return m.isMeasured() || !m.subject().startsWith("funnel") || m.note().startsWith(REFUSED);
  }

  private Plan plan(Samples samples, int bins, int[] counts) {
    Histogram histogram = samples.histogram(bins);
    return funnel
        .plan("bench")
        .input(INPUT, samples.type(), samples.length())
        .add(OUTPUT, method == null ? histogram : histogram.by(method), INPUT)
        .build()
        .set(INPUT, Elements.of(samples.array()))
        .into(OUTPUT, Elements.of(counts));
  }

  /** Counts resident samples; what goes wrong is in the measurement's note. */
  HistogramMeasurement measure(Samples samples, int bins, int[] expected, Effort effort) {
    int[] counts = new int[bins];
    Plan built;
    try {
      built = plan(samples, bins, counts);
    } catch (IllegalArgumentException e) {
      String note = method == null ? e.toString() : REFUSED + e.getMessage();
      return HistogramMeasurement.failed(name(), samples, bins, note);
    }
    try (Plan plan = built) {
      effort.warmUp(plan::run);
      Timing wall = effort.wall(plan::run);
      Timing kernel = PlanSubject.kernelTimes(plan, effort);
      Arrays.fill(counts, -1);
      var _ = plan.run();
      String wrong = Samples.wrong(counts, expected);
      return new HistogramMeasurement(
          name(),
          samples.type(),
          samples.data().label(),
          samples.length(),
          bins,
          HistogramMeasurement.WARM,
          kernel,
          wall,
          wrong.isEmpty() ? HistogramMeasurement.RIGHT : wrong,
          "");
    } catch (RuntimeException e) {
      return HistogramMeasurement.failed(name(), samples, bins, e.toString());
    }
  }

  /** Runs a small plan until the JVM has compiled the way from a plan to the device. */
  void warmUpEngine(Effort effort) {
    Samples small = new Samples(ElementType.BYTE, SampleData.UNIFORM, WARM_UP_LENGTH);
    try (Plan plan = plan(small, Samples.BYTE_BINS, new int[Samples.BYTE_BINS])) {
      effort.warmUp(plan::run);
    }
  }
}
