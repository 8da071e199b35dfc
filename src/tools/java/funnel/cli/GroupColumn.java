package funnel.cli;

import funnel.Results;
import funnel.group.Aggregate;
import funnel.operator.ElementType;
import java.util.Arrays;
import java.util.Locale;

/** The aggregates of each group of a file, in the order of columns. */
enum GroupColumn {
  COUNT(Aggregate.count()),
  SUM(Aggregate.sum(1)),
  MIN(Aggregate.min(1)),
  MAX(Aggregate.max(1)),
  MEAN(Aggregate.mean(1)),
  VARIANCE(Aggregate.variance(1)),
  SAMPLE_VARIANCE(Aggregate.sampleVariance(1));

  private final Aggregate aggregate;

  GroupColumn(Aggregate aggregate) {
    this.aggregate = aggregate;
  }

  /** The library's aggregate, over a column from 1. */
  Aggregate aggregate(int column) {
    return this == COUNT ? aggregate : aggregate.of(column);
  }

  /** The type of its elements. */
  ElementType type(ElementType values) {
    return switch (this) {
      case COUNT -> ElementType.LONG;
      case SUM -> values.isFloating() ? ElementType.DOUBLE : ElementType.LONG;
      case MIN, MAX -> values == ElementType.BYTE ? ElementType.INT : values;
      case MEAN, VARIANCE, SAMPLE_VARIANCE -> ElementType.DOUBLE;
    };
  }

  /** An array of a run as longs or doubles. */
  static Object wide(Results results, String name, ElementType type) {
    return switch (type) {
      case BYTE, INT -> Arrays.stream(results.ints(name)).asLongStream().toArray();
      case LONG -> results.longs(name);
      case FLOAT -> {
        float[] floats = results.floats(name);
        double[] doubles = new double[floats.length];
        Arrays.setAll(doubles, i -> floats[i]);
        yield doubles;
      }
      case DOUBLE -> results.doubles(name);
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
