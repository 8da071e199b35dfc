package funnel;

import funnel.io.Source;
import funnel.kernel.Scalars;
import funnel.operator.Operator;
import funnel.reduce.Moments;
import funnel.reduce.Reduction;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Combines the results of a reduction of each piece, in source order. */
abstract class StreamReduction {

  /* A piece gives one value, or a few. At the end the values of all pieces are reduced as an array
   * of them would be: so results depend on the length of the source and on that of a piece. For a
   * source of one piece they are the same as for an array.
   */

  /** What a plan computes for each piece, by the names of outputs. */
  abstract Map<String, Reduction> parts();

  /**
   * Takes a piece's results.
   *
   * @param first the piece's first element
   */
  abstract void add(Results piece, Number first, long from, int length);

  /** Puts the outputs. */
  abstract void end(PieceRuns runs, Map<String, Object> outputs);

  private static StreamReduction of(String name, Reduction reduction) {
    if (reduction.equals(Reduction.mean())) {
      return new Mean(name);
    }
    if (reduction.equals(Reduction.meanFromFirst())) {
      return new OfMoments(name, Moments::mean);
    }
    if (reduction.equals(Reduction.variance())) {
      return new OfMoments(name, Moments::variance);
    }
    if (reduction.equals(Reduction.sampleVariance())) {
      return new OfMoments(name, Moments::sampleVariance);
    }
    if (reduction.equals(Reduction.argMin()) || reduction.equals(Reduction.argMax())) {
      return new Arg(name, reduction);
    }
    if (reduction.equals(Reduction.minMax())) {
      return new MinMax(name);
    }
    return new Fold(name, reduction);
  }

  /** The outputs of reductions of sources, as a plan would have them; indices are longs. */
  static Results run(
      PieceRuns runs, SequencedMap<String, Source> sources, Map<String, Reduction> reductions)
      throws IOException {
    Source source = sources.firstEntry().getValue();
    String[] inputs = sources.keySet().toArray(String[]::new);
    List<StreamReduction> all = new ArrayList<>();
    Map<String, Reduction> parts = new LinkedHashMap<>();
    reductions.forEach(
        (name, reduction) -> {
          if (reduction.takesTwoInputs() != (inputs.length == 2)) {
            throw new IllegalArgumentException(
                inputs.length == 2
                    ? "%s takes one input: call reduce(reduction)".formatted(reduction)
                    : "%s takes two inputs: call reduce(reduction, second)".formatted(reduction));
          }
          all.add(of(name, reduction));
        });
    boolean isWhole = runs.isOnePiece(source);
    if (isWhole) {
      parts.putAll(reductions);
    } else {
      all.forEach(one -> parts.putAll(one.parts()));
    }
    Map<String, Object> outputs = new HashMap<>();
    runs.forEach(
        sources,
        plan -> {
          parts.forEach((name, reduction) -> plan.add(name, reduction, inputs));
          return plan;
        },
        (plan, piece) -> {
          MemorySegment elements = piece.elements().getFirst();
          return new Ran(plan.run(), isWhole ? 0 : PieceRuns.element(elements, source.type(), 0));
        },
        (piece, ran) -> {
          if (isWhole) {
            outputs.putAll(ran.results().valuesOrReasons());
          } else {
            all.forEach(one -> one.add(ran.results(), ran.first(), piece.from(), piece.length()));
          }
        });
    for (StreamReduction one : all) {
      if (!isWhole) {
        one.end(runs, outputs);
      } else if (one instanceof Arg arg) {
        outputs.computeIfPresent(
            arg.name, (_, index) -> index instanceof Integer i ? (Object) i.longValue() : index);
      }
    }
    return new Results(outputs, Map.of());
  }

  /** The results of a piece, and its first element. */
  private record Ran(Results results, Number first) {}

  /** One value of each piece. */
  private static final class Fold extends StreamReduction {
    private final String name;
    private final Reduction reduction;
    private final List<Number> values = new ArrayList<>();

    Fold(String name, Reduction reduction) {
      this.name = name;
      this.reduction = reduction;
    }

    @Override
    Map<String, Reduction> parts() {
      return Map.of(name, reduction);
    }

    @Override
    void add(Results piece, Number first, long from, int length) {
      values.add(piece.get(name));
    }

    @Override
    void end(PieceRuns runs, Map<String, Object> outputs) {
      outputs.put(name, runs.reduced(reduction.operator(), values));
    }
  }

  /** The sum over the length. */
  private static final class Mean extends StreamReduction {
    private final String name;
    private final List<Number> sums = new ArrayList<>();
    private long count;

    Mean(String name) {
      this.name = name;
    }

    @Override
    Map<String, Reduction> parts() {
      return Map.of(name, Reduction.sumAsDouble());
    }

    @Override
    void add(Results piece, Number first, long from, int length) {
      sums.add(piece.getDouble(name));
      count += length;
    }

    @Override
    void end(PieceRuns runs, Map<String, Object> outputs) {
      outputs.put(name, runs.reduced(Operator.SUM, sums).doubleValue() / count);
    }
  }

  /** The moments of pieces, combined. */
  private static final class OfMoments extends StreamReduction {
    private final String name;
    private final ToDoubleFunction<Moments> value;
    private @Nullable Moments all;

    OfMoments(String name, ToDoubleFunction<Moments> value) {
      this.name = name;
      this.value = value;
    }

    @Override
    Map<String, Reduction> parts() {
      return Map.of(name, Reduction.variance(), name + "_mean", Reduction.meanFromFirst());
    }

    @Override
    void add(Results piece, Number first, long from, int length) {
      double squares = piece.getDouble(name) * length;
      Moments moments = new Moments(length, first, piece.getDouble(name + "_mean"), squares);
      all = all == null ? moments : all.and(moments);
    }

    @Override
    void end(PieceRuns runs, Map<String, Object> outputs) {
      outputs.put(name, value.applyAsDouble(Objects.requireNonNull(all)));
    }
  }

  /** The first of the smallest or largest elements. */
  private static final class Arg extends StreamReduction {
    private final String name;
    private final Reduction reduction;
    private @Nullable Number best;
    private long index;

    Arg(String name, Reduction reduction) {
      this.name = name;
      this.reduction = reduction;
    }

    @Override
    Map<String, Reduction> parts() {
      return Map.of(name, reduction);
    }

    @Override
    void add(Results piece, Number first, long from, int length) {
      Number value = piece.get(name + "_value");
      if (best == null || isBefore(value, best)) {
        best = value;
        index = from + piece.getInt(name);
      }
    }

    private boolean isBefore(Number a, Number b) {
      boolean isMax = reduction.equals(Reduction.argMax());
      return switch (a) {
        case Float f ->
            isMax ? Scalars.isLarger(f, b.floatValue()) : Scalars.isSmaller(f, b.floatValue());
        case Double d ->
            isMax ? Scalars.isLarger(d, b.doubleValue()) : Scalars.isSmaller(d, b.doubleValue());
        default -> isMax ? a.longValue() > b.longValue() : a.longValue() < b.longValue();
      };
    }

    @Override
    void end(PieceRuns runs, Map<String, Object> outputs) {
      outputs.put(name, index);
      outputs.put(name + "_value", Objects.requireNonNull(best));
    }
  }

  /** The smallest and the largest element. */
  private static final class MinMax extends StreamReduction {
    private final String name;
    private final List<Number> lows = new ArrayList<>();
    private final List<Number> highs = new ArrayList<>();

    MinMax(String name) {
      this.name = name;
    }

    @Override
    Map<String, Reduction> parts() {
      return Map.of(name, Reduction.minMax());
    }

    @Override
    void add(Results piece, Number first, long from, int length) {
      lows.add(piece.get(name + "_min"));
      highs.add(piece.get(name + "_max"));
    }

    @Override
    void end(PieceRuns runs, Map<String, Object> outputs) {
      outputs.put(name + "_min", runs.reduced(Operator.MIN, lows));
      outputs.put(name + "_max", runs.reduced(Operator.MAX, highs));
    }
  }
}
