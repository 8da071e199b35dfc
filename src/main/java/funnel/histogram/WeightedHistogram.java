package funnel.histogram;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import funnel.sort.Sort;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parts of a {@linkplain Histogram#weighted weighted} histogram. */
final class WeightedHistogram {

  private WeightedHistogram() {}

  /**
   * Requires previous sums of the type of the sums, and a method that supports weights.
   *
   * @param old the previous sums, or null
   * @param sums the type of the sums
   */
  static void require(Histogram histogram, @Nullable Input old, ElementType sums) {
    if (old != null && old.type() != sums) {
      throw new IllegalArgumentException(
          "the previous sums of %s are of type %s, its sums of %s"
              .formatted(histogram, old.type(), sums));
    }
    HistogramMethod method = histogram.method();
    if (method != null && method != HistogramMethod.SORTED) {
      throw new IllegalArgumentException(
          "%s is by method %s: method=%s; name that one, or none"
              .formatted(histogram, HistogramMethod.SORTED.label(), method.label()));
    }
  }

  /**
   * The parts of a scatter reduction, the indices being the numbers of the samples' bins.
   *
   * @param bins over the samples
   * @param old the previous sums, if there are any
   * @param type of the sums
   */
  static Composite step(
      String output,
      Input samples,
      Bins bins,
      Input weights,
      @Nullable Input old,
      ElementType type) {
    BinNumbersStep numbers =
        new BinNumbersStep(
            output + ".numbers", output, samples.name(), samples.type(), bins, samples.capacity());
    Input counters = new Input(numbers.id(), ElementType.INT, samples.capacity());
    String positions = output + ".positions";
    Primitive sort = Sort.step(output + ".sorted", positions, counters, bins.counters() + 1);
    WideningGatherStep gather =
        new WideningGatherStep(
            output + ".gather",
            weights.name(),
            positions,
            weights.type(),
            type,
            samples.capacity());
    Expansion scan =
        SegmentedScan.inclusive(Operator.SUM)
            .from(Operator.SUM.neutral(type)) // its result is added to zeros or previous sums
            .segments(Segments.byKeys())
            .expand(
                output + ".scan",
                List.of(
                    new Input(gather.id(), type, samples.capacity()),
                    new Input(sort.id(), ElementType.INT, samples.capacity())));
    boolean isSorted =
        ScatterReduceStep.isSortedOnJvm(type, Operator.SUM, samples.capacity(), bins.counters());
    WeightEndStep end =
        new WeightEndStep(
            output,
            numbers,
            sort,
            weights.name(),
            output + ".scan",
            old == null ? null : old.name(),
            isSorted,
            weights.type(),
            type);
    List<Primitive> parts = new ArrayList<>(List.of(numbers, sort, gather));
    parts.addAll(scan.primitives());
    parts.add(end);
    List<Primitive> onJvm = isSorted ? parts : List.of(end);
    return Composite.of(output, parts, Set.of(output), onJvm);
  }
}
