package funnel.reduce;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operation.Parts;
import funnel.operator.ElementType;
import funnel.reduce.Reduction.Form;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** A reduction in parts: a piece gives a value, or a few, which are reduced as an array of them. */
record ReductionParts(Reduction reduction) implements Parts<ReductionParts.Part> {

  /**
   * The value of some pieces; of an arg min its index, and of a min-max the least element.
   *
   * @param length the number of elements
   * @param values the value, then another one; none if that of an empty array is not defined
   * @param moments those of the elements, for variances
   */
  record Part(long length, List<Number> values, List<Moments> moments) implements Serializable {}

  private boolean isOfMoments() {
    return switch (reduction.form) {
      case MEAN_FROM_FIRST, VARIANCE, SAMPLE_VARIANCE -> true;
      case SINGLE, MEAN, ARG_MIN, ARG_MAX, MIN_MAX -> false;
    };
  }

  @Override
  public Operation ofPiece() {
    return switch (reduction.form) {
      case MEAN -> Reduction.sumAsDouble();
      case VARIANCE, SAMPLE_VARIANCE -> new Squares();
      case SINGLE, MEAN_FROM_FIRST, ARG_MIN, ARG_MAX, MIN_MAX -> reduction;
    };
  }

  /**
   * The sum of the squared distances from the mean, and the sum of those from the first element.
   */
  private record Squares() implements Operation {
    @Override
    public Expansion expand(String output, List<Input> inputs) {
      Input input = inputs.getFirst();
      return new Expansion(
          Reduction.variance().expand(output, inputs).primitives(),
          Stream.of(output, output + ".sum")
              .map(
                  result ->
                      Output.ofResult(
                          result.replace('.', '_'), ElementType.DOUBLE, input.name(), "", result))
              .toList());
    }
  }

  @Override
  public Part of(Piece piece) {
    int length = piece.length();
    if (length == 0 && !(reduction.form == Form.SINGLE && reduction.operator.hasEmptyResult())) {
      return new Part(0, List.of(), List.of());
    }
    return switch (reduction.form) {
      case SINGLE, MEAN -> new Part(length, List.of(piece.get("")), List.of());
      case ARG_MIN, ARG_MAX -> {
        long index = piece.get("").longValue();
        yield new Part(length, List.of(index, piece.get("_value")), List.of());
      }
      case MIN_MAX -> new Part(length, List.of(piece.get("_min"), piece.get("_max")), List.of());
      case MEAN_FROM_FIRST -> moments(piece, piece.get("").doubleValue(), 0);
      case VARIANCE, SAMPLE_VARIANCE ->
          moments(piece, piece.get("_sum").doubleValue() / length, piece.get("").doubleValue());
    };
  }

  private static Part moments(Piece piece, double mean, double squares) {
    Number first = Objects.requireNonNull(piece.first());
    Moments moments = new Moments(piece.length(), first, mean, squares);
    return new Part(piece.length(), List.of(), List.of(moments));
  }

  @Override
  public Part combine(List<Part> parts, Calls onJvm) {
    long length = parts.stream().mapToLong(Part::length).sum();
    if (isOfMoments()) {
      return new Part(
          length,
          List.of(),
          parts.stream()
              .flatMap(part -> part.moments().stream())
              .reduce(Moments::and)
              .map(List::of)
              .orElseThrow());
    }
    List<Number> values =
        switch (reduction.form) {
          case MIN_MAX ->
              List.of(
                  reduced(Reduction.min(), parts, 0, onJvm),
                  reduced(Reduction.max(), parts, 1, onJvm));
          case ARG_MIN, ARG_MAX -> {
            int first = reduced(reduction, parts, 1, onJvm).intValue();
            long before = parts.subList(0, first).stream().mapToLong(Part::length).sum();
            List<Number> best = parts.get(first).values();
            yield List.of(before + best.getFirst().longValue(), best.getLast());
          }
          default -> List.of(reduced(Reduction.of(reduction.operator), parts, 0, onJvm));
        };
    return new Part(length, values, List.of());
  }

  private static Number reduced(Reduction by, List<Part> parts, int value, Calls onJvm) {
    Object values = Parts.array(parts.stream().map(part -> part.values().get(value)).toList());
    return onJvm.run(by, values).get(OUTPUT);
  }

  @Override
  public void finish(Part whole, BiConsumer<String, Object> output) {
    List<Number> values = whole.values();
    if (isOfMoments() && !whole.moments().isEmpty()) {
      Moments moments = whole.moments().getFirst();
      output.accept(
          "",
          switch (reduction.form) {
            case VARIANCE -> moments.variance();
            case SAMPLE_VARIANCE -> moments.sampleVariance();
            default -> moments.mean();
          });
      return;
    }
    List<String> names =
        switch (reduction.form) {
          case ARG_MIN, ARG_MAX -> List.of("", "_value");
          case MIN_MAX -> List.of("_min", "_max");
          default -> List.of("");
        };
    for (int i = 0; i < names.size(); i++) {
      output.accept(
          names.get(i),
          values.isEmpty()
              ? "%s of an empty array is not defined".formatted(reduction)
              : reduction.form == Form.MEAN
                  ? (Number) (values.getFirst().doubleValue() / whole.length())
                  : values.get(i));
    }
  }
}
