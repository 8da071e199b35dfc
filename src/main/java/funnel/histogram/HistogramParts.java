package funnel.histogram;

import funnel.operation.Parts;
import funnel.operator.ElementType;
import funnel.transform.Elementwise;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A histogram in parts: counts are added as longs, sums of weights in their type, from the first
 * piece to the last.
 */
record HistogramParts(Histogram histogram) implements Parts<HistogramParts.Part> {

  /**
   * The counts or sums of some pieces.
   *
   * @param sums a Java array
   * @param outside the numbers of samples below, above, and that are NaN
   */
  record Part(Serializable sums, Uncounted outside) implements Serializable {}

  @Override
  public Histogram ofPiece() {
    return histogram;
  }

  @Override
  public Part of(Piece piece) {
    Object sums = piece.array("");
    if (!histogram.isWeighted() && sums instanceof int[] counts) {
      sums = Arrays.stream(counts).asLongStream().toArray();
    }
    return new Part(
        (Serializable) sums,
        histogram.isByKeys()
            ? new Uncounted(0, 0, 0)
            : new Uncounted(
                piece.get("_below").longValue(),
                piece.get("_above").longValue(),
                piece.get("_nan").longValue()));
  }

  @Override
  public Part combine(List<Part> parts, Calls onJvm) {
    Object sums = parts.getFirst().sums();
    for (Part more : parts.subList(1, parts.size())) {
      sums = onJvm.run(Elementwise.sum(typeOf(sums)), sums, more.sums()).array(OUTPUT);
    }
    List<Uncounted> outside = parts.stream().map(Part::outside).toList();
    return new Part(
        (Serializable) sums,
        new Uncounted(
            outside.stream().mapToLong(Uncounted::below).sum(),
            outside.stream().mapToLong(Uncounted::above).sum(),
            outside.stream().mapToLong(Uncounted::nan).sum()));
  }

  private static ElementType typeOf(Object sums) {
    return switch (sums) {
      case int[] _ -> ElementType.INT;
      case long[] _ -> ElementType.LONG;
      case float[] _ -> ElementType.FLOAT;
      default -> ElementType.DOUBLE;
    };
  }

  @Override
  public void finish(Part whole, BiConsumer<String, Object> output) {
    output.accept("", whole.sums());
    if (!histogram.isByKeys()) {
      output.accept("_below", whole.outside().below());
      output.accept("_above", whole.outside().above());
      output.accept("_nan", whole.outside().nan());
    }
  }

  @Override
  public int size(Part part) {
    return histogram.counters();
  }

  @Override
  public boolean isExact() {
    return !histogram.isWeighted();
  }
}
