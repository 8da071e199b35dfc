package funnel.cli;

import funnel.Array;
import funnel.Groups;
import funnel.Results;
import funnel.group.Aggregate;
import funnel.operator.ElementType;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The aggregates of each group of a file, in the order of columns. */
enum GroupColumn {
  COUNT(Aggregate.count()),
  SUM(Aggregate.sum(1)),
  MIN(Aggregate.min(1)),
  MAX(Aggregate.max(1)),
  MEAN(Aggregate.mean(1)),
  VARIANCE(Aggregate.variance(1)),
  SAMPLE_VARIANCE(Aggregate.sampleVariance(1)),
  MEDIAN(null),
  INTERPOLATED_MEDIAN(null),
  COUNT_DISTINCT(null);

  private final @Nullable Aggregate aggregate;

  GroupColumn(@Nullable Aggregate aggregate) {
    this.aggregate = aggregate;
  }

  /** Whether it needs all values of a group in memory, and is no {@link #aggregate}. */
  boolean isOfWholeGroups() {
    return aggregate == null;
  }

  /** The library's aggregate, over a column from 1. */
  Aggregate aggregate(int column) {
    Aggregate known = Objects.requireNonNull(aggregate);
    return this == COUNT ? known : known.of(column);
  }

  /** It, of whole groups, as ints, longs, floats or doubles. */
  <S extends Array<?, S>> Array<?, ?> ofGroups(Groups<?> groups, S column) {
    return switch (this) {
      case MEDIAN -> groups.median(column);
      case INTERPOLATED_MEDIAN -> groups.interpolatedMedian(column);
      case COUNT_DISTINCT -> groups.countDistinct(column);
      default -> throw new AssertionError(this);
    };
  }

  /** The type of its elements. */
  ElementType type(ElementType values) {
    return switch (this) {
      case COUNT, COUNT_DISTINCT -> ElementType.LONG;
      case SUM -> values.isFloating() ? ElementType.DOUBLE : ElementType.LONG;
      case MIN, MAX, MEDIAN -> values == ElementType.BYTE ? ElementType.INT : values;
      case MEAN, VARIANCE, SAMPLE_VARIANCE, INTERPOLATED_MEDIAN -> ElementType.DOUBLE;
    };
  }

  /** An array of a run as longs or doubles. */
  static Object wide(Results results, String name, ElementType type) {
    return switch (type) {
      case BYTE, INT -> wide(results.ints(name));
      case LONG -> results.longs(name);
      case FLOAT -> wide(results.floats(name));
      case DOUBLE -> results.doubles(name);
    };
  }

  /** An array as longs or doubles. */
  static Object wide(Object array) {
    return switch (array) {
      case int[] ints -> Arrays.stream(ints).asLongStream().toArray();
      case float[] floats -> {
        double[] doubles = new double[floats.length];
        Arrays.setAll(doubles, i -> floats[i]);
        yield doubles;
      }
      default -> array;
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
