package funnel.group;

import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value that a {@link GroupBy} computes from the rows of each group.
 *
 * <p>For the groups 7: 3, 1 and 9: 4, {@link #count} is 2, 1; {@link #sum} 4, 4; {@link #min} 1, 4;
 * {@link #max} 3, 4; {@link #mean} 2.0, 4.0; {@link #variance} 1.0, 0.0; {@link #first} 3, 4 and
 * {@link #last} 1, 4. If the rows were 7: 3, 9: 4, 7: 1, {@link #argMin} is 2, 1 and {@link
 * #argMax} 0, 1.
 *
 * <p>Columns are the inputs after the keys, numbered from 1.
 *
 * {@snippet class="funnel.docs.GroupSnippets" region="group"}
 *
 * <p>Immutable and serializable.
 */
public final class Aggregate implements Serializable {

  private static final long serialVersionUID = 1;

  /** How a group's rows become one value. */
  enum Kind {
    COUNT,
    COMBINED,
    MEAN,
    MEAN_FROM_FIRST,
    VARIANCE,
    SAMPLE_VARIANCE,
    ARG_MIN,
    ARG_MAX,
    FIRST,
    LAST,
    LIST,
    OFFSETS
  }

  final Kind kind;
  final int column;
  private final @Nullable Operator operator;
  private final @Nullable ElementType type;
  private final boolean isWidened;

  private Aggregate(
      Kind kind,
      int column,
      @Nullable Operator operator,
      @Nullable ElementType type,
      boolean isWidened) {
    boolean needsColumn = kind != Kind.COUNT && kind != Kind.LIST && kind != Kind.OFFSETS;
    if (column < (needsColumn ? 1 : 0)) {
      throw new IllegalArgumentException(
          "column=%s: columns are the inputs after the keys, numbered from 1".formatted(column));
    }
    this.kind = kind;
    this.column = column;
    this.operator = operator;
    this.type = type;
    this.isWidened = isWidened;
  }

  /** The number of rows, as ints. */
  public static Aggregate count() {
    return new Aggregate(Kind.COUNT, 0, null, null, false);
  }

  /**
   * The sum in a wide type: longs, which wrap around, for bytes, ints and longs; doubles for floats
   * and doubles, which differ from the exact sum as {@link #sumAsDouble} does.
   */
  public static Aggregate sum(int column) {
    return new Aggregate(Kind.COMBINED, column, Operator.SUM, null, true);
  }

  /**
   * The sum as a double, each element widened first. It differs from the exact sum of n rows by at
   * most {@code (n + 1) * 2^-53 * sum(|x|)}. This bound and those of other aggregates hold if
   * nothing overflows or underflows.
   */
  public static Aggregate sumAsDouble(int column) {
    return new Aggregate(Kind.COMBINED, column, Operator.SUM, ElementType.DOUBLE, false);
  }

  /** The least element; NaN if there is one. For bytes it is an int. */
  public static Aggregate min(int column) {
    return of(Operator.MIN, column);
  }

  /** The largest element; NaN if there is one. For bytes it is an int. */
  public static Aggregate max(int column) {
    return of(Operator.MAX, column);
  }

  /**
   * The mean, a double: the sum divided by the number of elements. Bytes and ints are added
   * exactly, in longs, which hold the sums of 2^32 ints and of more bytes, and all others as
   * doubles. It differs from the exact mean of n rows by at most {@code (n + 1) * 2^-53 * sum(|x|)
   * / n}.
   */
  public static Aggregate mean(int column) {
    return new Aggregate(Kind.MEAN, column, Operator.SUM, ElementType.DOUBLE, false);
  }

  /**
   * The distance of the mean from the group's first element, a double: 2.0 for 2, 4, 6. It keeps
   * digits that a mean far from zero loses, see {@link funnel.reduce.Moments}.
   */
  public static Aggregate meanFromFirst(int column) {
    return new Aggregate(Kind.MEAN_FROM_FIRST, column, Operator.SUM, ElementType.DOUBLE, false);
  }

  /**
   * The variance, a double: the mean of the squared distances from the group's mean, which is 8/3
   * for 2, 4, 6. The group's first element is subtracted from each element before longs become
   * doubles, so that nothing cancels: of n rows the relative error is at most {@code (2n + 8) *
   * 2^-53}, however far the elements are from zero. Elements further apart than the largest double
   * give NaN.
   */
  public static Aggregate variance(int column) {
    return new Aggregate(Kind.VARIANCE, column, Operator.SUM, ElementType.DOUBLE, false);
  }

  /** The variance with the divisor rows - 1; NaN for a single row. */
  public static Aggregate sampleVariance(int column) {
    return new Aggregate(Kind.SAMPLE_VARIANCE, column, Operator.SUM, ElementType.DOUBLE, false);
  }

  /**
   * The position of the least element, an int: that of the first row in the input that has it. NaN
   * is less than all numbers, as for {@link #min}, and -0.0 less than 0.0.
   */
  public static Aggregate argMin(int column) {
    return new Aggregate(Kind.ARG_MIN, column, Operator.MIN, null, false);
  }

  /**
   * The position of the largest element, an int: that of the first row in the input that has it.
   * NaN is larger than all numbers, as for {@link #max}, and 0.0 larger than -0.0.
   */
  public static Aggregate argMax(int column) {
    return new Aggregate(Kind.ARG_MAX, column, Operator.MAX, null, false);
  }

  /** The element of the first row. */
  public static Aggregate first(int column) {
    return new Aggregate(Kind.FIRST, column, null, null, false);
  }

  /** The element of the last row. */
  public static Aggregate last(int column) {
    return new Aggregate(Kind.LAST, column, null, null, false);
  }

  /**
   * All elements, not one for each group: group after group, in the order of the rows in each. For
   * the groups 7: 3, 1 and 9: 4 it is 3, 1, 4, as long as the column; {@link #offsets} says where
   * groups begin.
   */
  public static Aggregate list(int column) {
    if (column < 1) {
      throw new IllegalArgumentException(
          "column=%s: columns are the inputs after the keys, numbered from 1".formatted(column));
    }
    return new Aggregate(Kind.LIST, column, null, null, false);
  }

  /**
   * The positions of all rows, as ints, in the order of {@link #list}: 0, 2, 1 for the rows 7, 9,
   * 7.
   */
  public static Aggregate rows() {
    return new Aggregate(Kind.LIST, 0, null, null, false);
  }

  /** Where each group begins in a {@link #list}, as ints: 0, 2 in the example. */
  public static Aggregate offsets() {
    return new Aggregate(Kind.OFFSETS, 0, null, null, false);
  }

  /**
   * All elements combined by an associative operator, in the order of the rows. The operator is
   * over the column's type, ints for bytes.
   */
  public static Aggregate of(Operator operator, int column) {
    Objects.requireNonNull(operator, "operator");
    return new Aggregate(Kind.COMBINED, column, operator, null, false);
  }

  /** Whether the value is a position in the input: that of the least or the largest element. */
  public boolean isPosition() {
    return kind == Kind.ARG_MIN || kind == Kind.ARG_MAX;
  }

  /** Whether it needs the starts of groups or their numbers of rows. */
  boolean needsStarts() {
    return kind != Kind.COMBINED && kind != Kind.LIST && !isPosition();
  }

  /** Whether it is about rows in the order of groups, and so not combined part by part. */
  boolean isOfRows() {
    return kind == Kind.LIST || kind == Kind.OFFSETS;
  }

  /**
   * The aggregates of a part of a group that its value follows from; but for a mean the last is its
   * own.
   *
   * @param of the column's type; null for a count
   */
  List<Aggregate> parts(@Nullable ElementType of) {
    return switch (kind) {
      case COUNT, COMBINED, FIRST, LAST, LIST, OFFSETS -> List.of(this);
      case ARG_MIN -> List.of(min(column), this);
      case ARG_MAX -> List.of(max(column), this);
      case MEAN ->
          List.of(
              of == ElementType.BYTE || of == ElementType.INT ? sum(column) : sumAsDouble(column),
              count());
      case MEAN_FROM_FIRST -> List.of(count(), first(column), this);
      case VARIANCE, SAMPLE_VARIANCE ->
          List.of(count(), first(column), meanFromFirst(column), this);
    };
  }

  /**
   * The aggregate that combines the values of parts in a column; that of moments only takes those
   * of the first part.
   */
  Aggregate ofParts(int in) {
    return switch (kind) {
      case COUNT -> sum(in);
      case ARG_MIN, ARG_MAX -> of(in - 1);
      case MEAN_FROM_FIRST, VARIANCE, SAMPLE_VARIANCE -> first(in);
      case COMBINED, FIRST, LAST, MEAN, LIST, OFFSETS -> of(in);
    };
  }

  /** What the divisor of a variance is less than the count. */
  int fewer() {
    return kind == Kind.SAMPLE_VARIANCE ? 1 : 0;
  }

  /** The column's number; 0 for {@link #count}, {@link #rows} and {@link #offsets}. */
  public int column() {
    return column;
  }

  /**
   * This aggregate of another column.
   *
   * @param other its number
   */
  public Aggregate of(int other) {
    return new Aggregate(kind, other, operator, type, isWidened);
  }

  Operator operator() {
    return Objects.requireNonNull(operator, "operator");
  }

  /** The type that the elements of a column are combined in. */
  ElementType combinedIn(ElementType of) {
    if (type != null) {
      return type;
    }
    if (isWidened) {
      return of.isFloating() ? ElementType.DOUBLE : ElementType.LONG;
    }
    return of == ElementType.BYTE ? ElementType.INT : of;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Aggregate that
        && kind == that.kind
        && column == that.column
        && Objects.equals(operator, that.operator)
        && type == that.type
        && isWidened == that.isWidened;
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, column, operator, type, isWidened);
  }

  @Override
  public String toString() {
    return switch (kind) {
      case COUNT, OFFSETS -> kind.name().toLowerCase(Locale.ROOT);
      case COMBINED ->
          "%s of column %s%s".formatted(operator, column, type == null ? "" : " as doubles");
      case LIST -> column == 0 ? "rows" : "list of column %s".formatted(column);
      default ->
          "%s of column %s"
              .formatted(kind.name().toLowerCase(Locale.ROOT).replace('_', ' '), column);
    };
  }
}
