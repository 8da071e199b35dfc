package funnel.bench;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.histogram.Histogram;
import funnel.histogram.HistogramMethod;
import funnel.operator.ElementType;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Funnel's histogram, by one of its methods or by Funnel's choice. */
final class HistogramSubject extends PlanSubject<Samples, Integer, HistogramCase> {

  /** Begins the note of a method that does not support the number of bins or the device. */
  private static final String REFUSED = "refused: ";

  private final Funnel funnel;
  private final @Nullable HistogramMethod method;

  /**
   * Makes a subject.
   *
   * @param funnel the measured Funnel
   * @param method the method, or null for Funnel's choice
   */
  HistogramSubject(Funnel funnel, @Nullable HistogramMethod method) {
    this.funnel = funnel;
    this.method = method;
  }

  @Override
  public String name() {
    return "funnel" + (method == null ? "" : "/" + method.label());
  }

  /** Whether it must be measured: a named method may refuse a case. */
  static boolean isAllowed(Measurement<?> m) {
    return m.isMeasured() || !m.subject().startsWith("funnel") || m.note().startsWith(REFUSED);
  }

  @Override
  HistogramCase what(Samples samples, Integer bins) {
    return new HistogramCase(samples, bins);
  }

  @Override
  Plan plan(Samples samples, Integer bins) {
    Histogram histogram = samples.histogram(bins);
    return funnel
        .plan("bench")
        .input(INPUT, samples.type(), samples.length())
        .add(OUTPUT, method == null ? histogram : histogram.by(method), INPUT)
        .build()
        .set(INPUT, Elements.ofTornado(samples.array()))
        .into(OUTPUT, Elements.of(new int[bins]));
  }

  @Override
  Outcome outcome(Plan plan, Samples samples, Integer bins) {
    int[] counts = new int[bins];
    Arrays.fill(counts, -1);
    plan.run(Map.of(), Map.of(OUTPUT, Elements.of(counts)));
    return Outcome.of(samples.wrong(counts));
  }

  @Override
  String refusal(RuntimeException e) {
    return method != null && e instanceof IllegalArgumentException
        ? REFUSED + e.getMessage()
        : e.toString();
  }

  @Override
  public void warmUpEngine(Effort effort) {
    Samples small = new Samples(ElementType.BYTE, SampleData.UNIFORM, WARM_UP_LENGTH);
    try (Plan plan = new HistogramSubject(funnel, null).plan(small, Samples.BYTE_BINS)) {
      effort.warmUp(plan::run);
    }
  }
}
