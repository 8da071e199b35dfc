package funnel.columns;

import funnel.group.Dictionary;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Consecutive rows of a table, with the requested columns. Each call makes a new array of a column
 * in the requested type:
 *
 * <table>
 * <caption>Conversions</caption>
 * <tr><th>call</th><th>columns</th></tr>
 * <tr><td>{@code ints}, {@code longs}</td><td>integers, if all fit</td></tr>
 * <tr><td>{@code floats}, {@code doubles}</td><td>all numbers, each rounded to the nearest; no number becomes an infinity</td></tr>
 * <tr><td>{@code strings}</td><td>text, and other types that are not numbers, such as dates</td></tr>
 * </table>
 *
 * <p>Decimals, and the fractions of a CSV file, are doubles: as floats, the doubles are rounded.
 * {@link Columns#floats(String)} rounds the fields of a CSV file at once. Dates and times are ISO
 * 8601; those of a CSV file are unchanged.
 *
 * <p>If a row has no value, as where nothing is between two commas of a CSV file, these calls throw
 * a {@link MissingValueException}. The forms with a second parameter use its value instead. NaN is
 * a value.
 *
 * {@snippet class="funnel.docs.ColumnsSnippets" region="pieces"}
 *
 * <p>Immutable.
 */
public final class Rows {

  private final String table;
  private final long from;
  private final List<Column.Header> headers;
  private final List<Column> columns;

  /** Rows of columns of the same length. */
  Rows(String table, long from, List<Column.Header> headers, List<Column> columns) {
    this.table = table;
    this.from = from;
    this.headers = headers;
    this.columns = columns;
  }

  /** A part of these rows, of the first piece. */
  Rows range(int from, int length) {
    return from == 0 && length == length()
        ? this
        : new Rows(
            table,
            from,
            headers,
            columns.stream().map(column -> column.range(from, length)).toList());
  }

  /** The number of the first of these rows in the table, from 0. */
  public long from() {
    return from;
  }

  /** The number of rows. */
  public int length() {
    return columns.getFirst().length();
  }

  /** The names of their columns. */
  public List<String> names() {
    return headers.stream().map(Column.Header::name).toList();
  }

  private Column column(String name) throws ColumnException {
    return columns.get(Column.Header.indexOf(name, table, headers));
  }

  /**
   * The numbers of a column in the memory where they were read, without a copy: in Java's form of
   * its {@link Columns#type type}. They must not be changed.
   *
   * {@snippet class="funnel.docs.ColumnsSnippets" region="numbers"}
   *
   * @throws ColumnTypeException if it has texts, or numbers that do not fit its type
   * @throws MissingValueException if a row has no value
   */
  public MemorySegment numbers(String column) throws ColumnException {
    Column values = column(column);
    return values.whole(values.numbers(), "longs(\"%s\", -1)".formatted(column));
  }

  /**
   * A column as ints.
   *
   * @throws NoSuchColumnException if it was not read
   * @throws ColumnTypeException if it has no integers, or one of them does not fit in an int
   * @throws MissingValueException if a row has no value
   */
  public int[] ints(String column) throws ColumnException {
    Column values = column(column);
    return values.whole(values.ints(0), "ints(\"%s\", -1)".formatted(column));
  }

  /** A column as ints, with a value where there is none. */
  public int[] ints(String column, int missing) throws ColumnException {
    return column(column).ints(missing);
  }

  /** A column as longs; exceptions as {@link #ints(String)}. */
  public long[] longs(String column) throws ColumnException {
    Column values = column(column);
    return values.whole(values.longs(0), "longs(\"%s\", -1)".formatted(column));
  }

  /** A column as longs, with a value where there is none. */
  public long[] longs(String column, long missing) throws ColumnException {
    return column(column).longs(missing);
  }

  /** A column as floats; exceptions as {@link #ints(String)}. */
  public float[] floats(String column) throws ColumnException {
    Column values = column(column);
    return values.whole(values.floats(0), "floats(\"%s\", Float.NaN)".formatted(column));
  }

  /** A column as floats, with a value where there is none. */
  public float[] floats(String column, float missing) throws ColumnException {
    return column(column).floats(missing);
  }

  /** A column as doubles; exceptions as {@link #ints(String)}. */
  public double[] doubles(String column) throws ColumnException {
    Column values = column(column);
    return values.whole(values.doubles(0), "doubles(\"%s\", Double.NaN)".formatted(column));
  }

  /** A column as doubles, with a value where there is none. */
  public double[] doubles(String column, double missing) throws ColumnException {
    return column(column).doubles(missing);
  }

  /**
   * A column as text, for a {@link funnel.group.Dictionary} for example.
   *
   * @return an unmodifiable list
   * @throws ColumnTypeException if it has numbers, whose original text is not kept; other
   *     exceptions as {@link #ints(String)}
   */
  public List<String> strings(String column) throws ColumnException {
    Column values = column(column);
    return values.whole(values.strings(""), "strings(\"%s\", \"\")".formatted(column));
  }

  /**
   * A column as the keys of a dictionary of its texts, which are numbered in the order of first
   * appearance: for "b", "a", "b" the keys are 0, 1, 0. This is much faster than {@link #strings}
   * and a dictionary of these, since no row has a String of its own.
   *
   * {@snippet class="funnel.docs.ColumnsSnippets" region="encoded"}
   *
   * @throws ColumnTypeException if it has numbers; other exceptions as {@link #ints(String)}
   */
  public Dictionary.Encoded<String> encoded(String column) throws ColumnException {
    Column values = column(column);
    return values.whole(values.encoded(""), "encoded(\"%s\", \"\")".formatted(column));
  }

  /** A column as the keys of a dictionary, with a text where there is none. */
  public Dictionary.Encoded<String> encoded(String column, String missing) throws ColumnException {
    return column(column).encoded(missing);
  }

  /** A column as text, with a text where there is none. */
  public List<String> strings(String column, String missing) throws ColumnException {
    return column(column).strings(missing);
  }
}
