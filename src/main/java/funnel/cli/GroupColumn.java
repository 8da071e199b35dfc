package funnel.cli;

import funnel.Results;
import funnel.group.Aggregate;
import funnel.operator.ElementType;
import java.util.Arrays;
import java.util.Locale;

/** What is computed of each group of a file, in the order of columns. */
enum GroupColumn {
  COUNT(Aggregate.count()),
  SUM(Aggregate.sum(1)),
  MIN(Aggregate.min(1)),
  MAX(Aggregate.max(1)),
  MEAN(Aggregate.mean(1));

  private final Aggregate aggregate;

  GroupColumn(Aggregate aggregate) {
    this.aggregate = aggregate;
  }

  /** Of one chunk. */
  Aggregate aggregate() {
    return aggregate;
  }

  /** The type in a file, of which elements of chunks are combined as longs or doubles. */
  ElementType type(ElementType values) {
    return switch (this) {
      case COUNT -> ElementType.LONG;
      case SUM -> values.isFloating() ? ElementType.DOUBLE : ElementType.LONG;
      case MIN, MAX -> values == ElementType.BYTE ? ElementType.INT : values;
      case MEAN -> ElementType.DOUBLE;
    };
  }

  /** What a chunk has, as longs or doubles. */
  Object of(Results results, String name, ElementType values) {
    ElementType type = this == COUNT ? ElementType.INT : type(values);
    return wide(results, name, type);
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

  long combine(long one, long other) {
    return switch (this) {
      case MIN -> Math.min(one, other);
      case MAX -> Math.max(one, other);
      default -> one + other;
    };
  }

  /**
   * Of two parts of a group.
   *
   * @param share of its elements that are in the other one
   */
  double combine(double one, double other, double share) {
    return switch (this) {
      case MIN -> Math.min(one, other);
      case MAX -> Math.max(one, other);
      case MEAN -> one + (other - one) * share;
      default -> one + other;
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
