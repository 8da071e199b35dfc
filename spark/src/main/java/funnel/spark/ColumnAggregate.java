package funnel.spark;

import funnel.group.Aggregate;
import funnel.operator.Operator;
import java.util.Objects;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;

/**
 * A value of each group of a data set, by the name of a column: {@code sum("cents").as("total")}.
 * Import these methods statically.
 *
 * <p>For the groups 7: 3, 1 and 9: 4 of a column "x", {@code count()} is 2, 1; {@code sum("x")} 4,
 * 4; {@code min("x")} 1, 4; {@code max("x")} 3, 4; {@code mean("x")} 2.0, 4.0; {@code
 * variance("x")} 1.0, 0.0; {@code first("x")} 3, 4 and {@code last("x")} 1, 4. Their definitions,
 * NaN and rounding included, are those of {@link Aggregate}. Without {@link #as} the result's
 * column is named as the call: {@code count}, {@code sum(x)}.
 *
 * <p>Immutable.
 */
public final class ColumnAggregate {

  private final String name;
  private final @Nullable String column;
  private final Aggregate aggregate;
  private final boolean isElement;

  private ColumnAggregate(
      String name, @Nullable String column, Aggregate aggregate, boolean isElement) {
    this.name = Objects.requireNonNull(name, "name");
    this.column = column;
    this.aggregate = aggregate;
    this.isElement = isElement;
  }

  private static ColumnAggregate of(
      String function, String column, Aggregate aggregate, boolean isElement) {
    Objects.requireNonNull(column, "column");
    return new ColumnAggregate("%s(%s)".formatted(function, column), column, aggregate, isElement);
  }

  /** The number of rows, a bigint. */
  public static ColumnAggregate count() {
    return new ColumnAggregate("count", null, Aggregate.count(), false);
  }

  /** The sum: a bigint, which wraps around, for int and bigint; a double for float and double. */
  public static ColumnAggregate sum(String column) {
    return of("sum", column, Aggregate.sum(1), false);
  }

  /** The least element; NaN if there is one. It has the column's type. */
  public static ColumnAggregate min(String column) {
    return of("min", column, Aggregate.min(1), true);
  }

  /** The largest element; NaN if there is one. It has the column's type. */
  public static ColumnAggregate max(String column) {
    return of("max", column, Aggregate.max(1), true);
  }

  /** The mean, a double. */
  public static ColumnAggregate mean(String column) {
    return of("mean", column, Aggregate.mean(1), false);
  }

  /** The variance, a double: the mean of the squared distances from the mean. */
  public static ColumnAggregate variance(String column) {
    return of("variance", column, Aggregate.variance(1), false);
  }

  /** The variance with the divisor rows - 1, a double; NaN for a single row. */
  public static ColumnAggregate sampleVariance(String column) {
    return of("sampleVariance", column, Aggregate.sampleVariance(1), false);
  }

  /** The element of the first row, in the data set's order. It has the column's type. */
  public static ColumnAggregate first(String column) {
    return of("first", column, Aggregate.first(1), true);
  }

  /** The element of the last row, in the data set's order. It has the column's type. */
  public static ColumnAggregate last(String column) {
    return of("last", column, Aggregate.last(1), true);
  }

  /**
   * All elements combined by an associative operator over the column's type, your own one or one of
   * Funnel's, in the data set's order.
   */
  public static ColumnAggregate of(Operator operator, String column) {
    return of(operator.toString(), column, Aggregate.of(operator, 1), false);
  }

  /** The same with another name of the result's column. */
  public ColumnAggregate as(String other) {
    return new ColumnAggregate(other, column, aggregate, isElement);
  }

  String name() {
    return name;
  }

  @Nullable String column() {
    return column;
  }

  /** The aggregate of a column by its number from 1; a count has none. */
  Aggregate numbered(int number) {
    return column == null ? aggregate : aggregate.of(number);
  }

  /**
   * The result's column.
   *
   * @param of the column in the data set; null for a count
   * @param result the type of the result's elements
   * @throws IllegalArgumentException if one cannot calculate with the column's elements
   */
  StructField field(@Nullable StructField of, ChunkType result) {
    if (of == null) {
      return ArrayRows.field(name, result);
    }
    if (isElement) {
      return new StructField(name, of.dataType(), false, of.metadata());
    }
    requireNumbers(name, of);
    return ArrayRows.field(name, result);
  }

  /** Refuses the sum of dates. */
  static void requireNumbers(String what, StructField column) {
    DataType type = column.dataType();
    if (!(type instanceof NumericType)) {
      throw new IllegalArgumentException(
          "%s: column %s is of type %s, which has only a first, a last, a least and a largest value"
              .formatted(what, column.name(), type.simpleString()));
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
