package funnel.columns;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import funnel.group.Dictionary;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The values of a column in some rows, which are added one after the other. */
final class Column {

  /* Values are kept in the smallest type that can represent all values of the column's type, and
   * are converted when an array is requested: a value that does not fit throws, with its row.
   */

  private static final int FEW = 1 << 14;
  private static final Pattern NOT_FINITE = Pattern.compile("[+-]?(inf(inity)?|nan)");

  /** Where a value is in a file, as an addition to a message. */
  interface Place {
    /** Words, or none. */
    String of(long row, Object value);
  }

  /**
   * A column of a table.
   *
   * @param table the table, for messages
   * @param name the column
   * @param of the table's name of its type
   * @param type that of its numbers; null for text
   * @param isBig whether values are integers that may not fit in a long
   * @param at its number among the columns, from 1
   * @param odd the column that has the text, or a mark, of those values that are null in this one
   *     but not in the table; 0 if there is none
   */
  record Header(
      String table,
      String name,
      String of,
      @Nullable ElementType type,
      boolean isBig,
      int at,
      int odd,
      Place place) {

    /** The header of a column of a result. */
    static Header of(String table, ResultSetMetaData meta, int at) throws SQLException {
      String javaClass = meta.getColumnClassName(at);
      boolean isBig =
          switch (javaClass) {
            case "java.math.BigInteger" -> true;
            case "java.math.BigDecimal" -> meta.getScale(at) == 0 && meta.getPrecision(at) > 0;
            default -> false;
          };
      ElementType type =
          switch (javaClass) {
            case "java.lang.Byte", "java.lang.Short", "java.lang.Integer" -> ElementType.INT;
            case "java.lang.Long", "java.math.BigInteger" -> ElementType.LONG;
            case "java.lang.Float" -> ElementType.FLOAT;
            case "java.math.BigDecimal" -> isBig ? ElementType.LONG : ElementType.DOUBLE;
            case "java.lang.Double" -> ElementType.DOUBLE;
            default -> null;
          };
      String name = meta.getColumnLabel(at);
      return new Header(
          table, name, meta.getColumnTypeName(at), type, isBig, at, 0, (row, value) -> "");
    }

    /** The type of its numbers; throws for text. */
    ElementType requireNumbers() throws ColumnTypeException {
      if (type == null) {
        throw new ColumnTypeException(noNumbers(), "", null);
      }
      return type;
    }

    private String noNumbers() {
      return "%s: column '%s' is of type %s and has no numbers".formatted(table, name, of);
    }

    /** The index of a column among others; throws if it is missing or occurs twice. */
    static int indexOf(String name, String table, List<Header> headers) throws ColumnException {
      List<String> names = headers.stream().map(Header::name).toList();
      int at = names.indexOf(Objects.requireNonNull(name, "column"));
      if (at < 0) {
        throw new NoSuchColumnException(table, name, names);
      }
      if (at != names.lastIndexOf(name)) {
        throw new ColumnException(
            "%s has two or more columns '%s': give them different names in a query"
                .formatted(table, name),
            null);
      }
      return at;
    }
  }

  private final Header header;
  private final long from;
  private final int most;
  private final boolean isTime;
  private final BitSet missing = new BitSet();

  /** An array of ints, longs, floats, doubles, Strings, or Numbers if not all are longs; Texts. */
  private Object values;

  private Texts.@Nullable Spread texts;
  private int begin;
  private int length;
  private int room;

  /**
   * A column without values yet.
   *
   * @param from the row of the first value
   * @param most the maximum number of values
   * @param isOfChunks whether they are added by chunks, not by rows
   */
  Column(Header header, long from, int most, boolean isOfChunks) {
    this(header, from, most, isOfChunks, Math.min(FEW, most));
  }

  private Column(Header header, long from, int most, boolean isOfChunks, int room) {
    this.header = header;
    this.from = from;
    this.most = most;
    isTime = header.of().matches("TIMESTAMP(_S|_MS|_NS)?");
    this.room = room;
    values =
        switch (header.type()) {
          case BYTE, INT -> new int[room];
          case LONG -> new long[room];
          case FLOAT -> new float[room];
          case DOUBLE -> new double[room];
          case null -> isOfChunks ? new Texts() : new String[room];
        };
  }

  /**
   * A column whose values are set in any order.
   *
   * @param texts of a column of texts, whose numbers are set; null for a column of numbers
   */
  static Column of(Header header, int length, Texts.@Nullable Spread texts) {
    Column column = new Column(header, 0, length, true, length);
    column.length = length;
    if (texts != null) {
      column.texts = texts;
      column.values = new long[length];
    }
    return column;
  }

  /** A part of a column of numbers, which shares them. */
  Column range(int at, int count) {
    Column part = new Column(header, from + at, count, true, 0);
    part.values = values;
    part.begin = begin + at;
    part.missing.or(missing.get(at, at + count));
    part.length = count;
    return part;
  }

  /** The numbers where they are, those that are missing as zeros. */
  MemorySegment numbers() throws ColumnTypeException {
    ElementType type = header.requireNumbers();
    MemorySegment all =
        switch (values) {
          case int[] x -> MemorySegment.ofArray(x);
          case long[] x -> MemorySegment.ofArray(x);
          case float[] x -> MemorySegment.ofArray(x);
          case double[] x -> MemorySegment.ofArray(x);
          default -> MemorySegment.ofArray(longs(type, 0));
        };
    long bytes = type.bytes();
    return all.asSlice(begin * bytes, length * bytes);
  }

  /** The type of its numbers, or of those of its texts. */
  ElementType type() {
    return Objects.requireNonNullElse(header.type(), ElementType.LONG);
  }

  /**
   * Adds the values of a chunk from a row up to another one.
   *
   * @return false if they could not be added, since one is odd
   */
  boolean add(DuckDbChunks chunk, int rows, int first, int end) {
    MemorySegment given = chunk.values(header.at(), header.type(), rows);
    MemorySegment valid = chunk.valid(header.at(), rows);
    int count = end - first;
    while (room - length < count) {
      grow();
    }
    if (values instanceof Texts x) {
      x.add(given, valid, first, end);
    } else {
      copy(given, first, length, count);
    }
    MemorySegment odd = header.odd() == 0 || valid == null ? null : chunk.valid(header.odd(), rows);
    for (int row = first; valid != null && row < end; row++) {
      if (!DuckDbChunks.isValid(valid, row)) {
        if (header.odd() > 0 && (odd == null || DuckDbChunks.isValid(odd, row))) {
          return false;
        }
        clear(length + row - first);
      }
    }
    length += count;
    return true;
  }

  /** Makes a value a missing one: what DuckDB has there is arbitrary. */
  private void clear(int at) {
    missing.set(at);
    switch (values) {
      case int[] x -> x[at] = 0;
      case long[] x -> x[at] = texts == null ? 0 : Dictionary.NONE;
      case float[] x -> x[at] = 0;
      case double[] x -> x[at] = 0;
      default -> {}
    }
  }

  /** There are no more values. */
  void end() {
    if (values instanceof Texts texts) {
      texts.end();
    } else if (texts != null) {
      values = texts.all((long[]) values);
    }
  }

  /**
   * Sets the values of some rows, as one of several threads; rows of other threads are others.
   *
   * @param at the first row
   */
  void set(int at, MemorySegment given, @Nullable MemorySegment valid, int rows) {
    copy(given, 0, at, rows);
    if (valid != null) {
      synchronized (missing) {
        for (int row = 0; row < rows; row++) {
          if (!DuckDbChunks.isValid(valid, row)) {
            clear(at + row);
          }
        }
      }
    }
  }

  private void copy(MemorySegment given, int first, int at, int count) {
    switch (values) {
      case int[] x -> MemorySegment.copy(given, JAVA_INT, 4L * first, x, at, count);
      case long[] x -> MemorySegment.copy(given, JAVA_LONG, 8L * first, x, at, count);
      case float[] x -> MemorySegment.copy(given, JAVA_FLOAT, 4L * first, x, at, count);
      case double[] x -> MemorySegment.copy(given, JAVA_DOUBLE, 8L * first, x, at, count);
      default -> throw new AssertionError(values);
    }
  }

  private void grow() {
    room = (int) Math.min(2L * room, most);
    values =
        switch (values) {
          case int[] x -> Arrays.copyOf(x, room);
          case long[] x -> Arrays.copyOf(x, room);
          case float[] x -> Arrays.copyOf(x, room);
          case double[] x -> Arrays.copyOf(x, room);
          case Object[] x -> Arrays.copyOf(x, room);
          default -> values;
        };
  }

  /**
   * Adds the value of the current row.
   *
   * @param hasTexts whether the rows have the texts of odd values
   * @return false if it could not be added, since it is odd and has no text
   */
  boolean add(ResultSet rows, boolean hasTexts) throws SQLException, ColumnTypeException {
    if (length == room) {
      grow();
    }
    int at = header.at();
    switch (values) {
      case int[] x -> x[length] = rows.getInt(at);
      case long[] x when !header.isBig() -> x[length] = rows.getLong(at);
      case float[] x -> x[length] = rows.getFloat(at);
      case double[] x -> x[length] = rows.getDouble(at);
      case String[] x -> x[length] = text(rows);
      default -> put(rows.getObject(at));
    }
    if (rows.wasNull()) {
      String odd = header.odd() == 0 ? null : rows.getString(header.odd());
      if (odd == null) {
        missing.set(length);
      } else if (hasTexts) {
        putOdd(odd);
      } else {
        return false;
      }
    }
    length++;
    return true;
  }

  /** A java.sql.Timestamp has no times that a time zone skips. */
  private @Nullable String text(ResultSet rows) throws SQLException {
    return isTime
        ? Objects.toString(rows.getObject(header.at(), LocalDateTime.class), null)
        : rows.getString(header.at());
  }

  /** Stores an integer, or another number among integers. */
  private void put(@Nullable Object value) {
    Number number =
        switch (value) {
          case null -> 0L;
          case BigInteger big when big.bitLength() < Long.SIZE -> big.longValue();
          case BigDecimal decimal -> whole(decimal);
          case BigInteger big -> big;
          case Double other -> other;
          default -> ((Number) value).longValue();
        };
    if (values instanceof long[] x) {
      if (number instanceof Long whole) {
        x[length] = whole;
        return;
      }
      Number[] numbers = new Number[room];
      for (int i = 0; i < length; i++) {
        numbers[i] = x[i];
      }
      values = numbers;
    }
    ((Number[]) values)[length] = number;
  }

  private static Number whole(BigDecimal decimal) {
    try {
      return decimal.longValueExact();
    } catch (ArithmeticException e) {
      return decimal;
    }
  }

  /** Stores the number in a field of a CSV file, which its column's type does not hold. */
  private void putOdd(String field) throws ColumnTypeException {
    boolean isAmongIntegers = values instanceof long[] || values instanceof Number[];
    String text = field.strip().toLowerCase(Locale.ROOT);
    if (isAmongIntegers && NOT_FINITE.matcher(text).matches()) {
      double infinity = text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
      put(text.endsWith("nan") ? Double.NaN : infinity);
      return;
    }
    BigDecimal number;
    try {
      number = new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw refused(length, field, "is no number", ": read the column as strings", null);
    }
    if (!isAmongIntegers || Double.isInfinite(number.doubleValue())) {
      throw doesNotFit(
          length, field, values instanceof float[] ? ElementType.FLOAT : ElementType.DOUBLE);
    }
    put(number);
  }

  int length() {
    return length;
  }

  /**
   * Requires a value in each row.
   *
   * @param array the values
   * @param call the method that takes a value for missing ones, for the message
   */
  <T> T whole(T array, String call) throws MissingValueException {
    if (!missing.isEmpty()) {
      throw new MissingValueException(
          header.table(), header.name(), from + missing.nextSetBit(0), call);
    }
    return array;
  }

  /** The values as ints, with {@code instead} for missing ones. */
  int[] ints(int instead) throws ColumnTypeException {
    int[] ints = new int[length];
    if (values instanceof int[] x) {
      System.arraycopy(x, begin, ints, 0, length);
    } else {
      long[] longs = values instanceof long[] x ? x : longs(ElementType.INT, 0);
      int first = values instanceof long[] ? begin : 0;
      for (int i = 0; i < length; i++) {
        long value = longs[first + i];
        ints[i] = (int) value;
        if (ints[i] != value) {
          throw doesNotFit(i, value, ElementType.INT);
        }
      }
    }
    missing.stream().forEach(i -> ints[i] = instead);
    return ints;
  }

  /** The values as longs. */
  long[] longs(long instead) throws ColumnTypeException {
    return longs(ElementType.LONG, instead);
  }

  private long[] longs(ElementType wanted, long instead) throws ColumnTypeException {
    long[] longs = new long[length];
    switch (values) {
      case int[] x -> Arrays.setAll(longs, i -> x[begin + i]);
      case long[] x -> System.arraycopy(x, begin, longs, 0, length);
      case Number[] x -> {
        for (int i = 0; i < length; i++) {
          if (!(x[i] instanceof Long whole)) {
            throw doesNotFit(i, x[i], wanted);
          }
          longs[i] = whole;
        }
      }
      default -> throw wrongType(wanted);
    }
    missing.stream().forEach(i -> longs[i] = instead);
    return longs;
  }

  /** The values as the nearest floats. */
  float[] floats(float instead) throws ColumnTypeException {
    float[] floats = new float[length];
    if (values instanceof float[] x) {
      System.arraycopy(x, begin, floats, 0, length);
    } else {
      double[] doubles = doubles(ElementType.FLOAT, 0);
      for (int i = 0; i < length; i++) {
        floats[i] =
            switch (values) {
              case long[] x -> x[begin + i];
              case Number[] x -> x[i].floatValue();
              default -> (float) doubles[i];
            };
        if (Float.isInfinite(floats[i]) && !Double.isInfinite(doubles[i])) {
          throw doesNotFit(i, doubles[i], ElementType.FLOAT);
        }
      }
    }
    missing.stream().forEach(i -> floats[i] = instead);
    return floats;
  }

  /** The values as the nearest doubles. */
  double[] doubles(double instead) throws ColumnTypeException {
    return doubles(ElementType.DOUBLE, instead);
  }

  private double[] doubles(ElementType wanted, double instead) throws ColumnTypeException {
    double[] doubles = new double[length];
    switch (values) {
      case int[] x -> Arrays.setAll(doubles, i -> x[begin + i]);
      case long[] x -> Arrays.setAll(doubles, i -> x[begin + i]);
      case float[] x -> Arrays.setAll(doubles, i -> x[begin + i]);
      case double[] x -> System.arraycopy(x, begin, doubles, 0, length);
      case Number[] x -> Arrays.setAll(doubles, i -> x[i].doubleValue());
      default -> throw wrongType(wanted);
    }
    missing.stream().forEach(i -> doubles[i] = instead);
    return doubles;
  }

  /** The values as text. */
  List<String> strings(String instead) throws ColumnTypeException {
    String[] strings =
        switch (values) {
          case String[] x -> Arrays.copyOf(x, length);
          case Texts x -> {
            List<String> items = x.dictionary().items();
            yield IntStream.of(x.keys()).mapToObj(items::get).toArray(String[]::new);
          }
          default -> throw wrongType(null);
        };
    missing.stream().forEach(i -> strings[i] = instead);
    return Collections.unmodifiableList(Arrays.asList(strings));
  }

  /** The values as keys of a dictionary. */
  Dictionary.Encoded<String> encoded(String instead) throws ColumnTypeException {
    Dictionary<String> empty = Dictionary.of(List.of());
    if (!(values instanceof Texts texts) || !missing.isEmpty()) {
      return empty.encode(strings(instead));
    }
    return new Dictionary.Encoded<>(texts.dictionary(), texts.keys());
  }

  /**
   * The exception for a column of another type than requested.
   *
   * @param wanted the type of the numbers; null for text
   */
  private ColumnTypeException wrongType(@Nullable ElementType wanted) {
    String name = Columns.quoted(header.name());
    String cast = "CAST(%s AS %s)".formatted(name, sql(wanted));
    if (wanted == null) {
      return new ColumnTypeException(
          "%s: column '%s' is of type %s, and the texts of numbers are not kept"
              .formatted(header.table(), header.name(), header.of()),
          header.odd() > 0
              ? ": Columns.strings reads them from the file"
              : ": take %s in a query".formatted(cast),
          null);
    }
    if (header.type() != null) {
      return new ColumnTypeException(
          "%s: column '%s' is of type %s, whose numbers may have fractions"
              .formatted(header.table(), header.name(), header.of()),
          ": read it as doubles, or rounded, %s in a query".formatted(cast),
          ElementType.DOUBLE);
    }
    String advice = "";
    if (header.of().matches("DATE|TIME.*|INTERVAL")) {
      String unit = header.of().endsWith("_NS") ? "ns" : "us";
      advice = ": take epoch_%s(%s) in a query, and read it as longs".formatted(unit, name);
    } else if (header.of().matches("VARCHAR|ENUM.*|BOOLEAN")) {
      advice = ": if it has numbers, take %s in a query".formatted(cast);
    }
    return new ColumnTypeException(header.noNumbers(), advice, null);
  }

  /** DuckDB's name of a type; null for text. */
  private static String sql(@Nullable ElementType type) {
    return switch (type) {
      case BYTE, INT -> "INTEGER";
      case LONG -> "BIGINT";
      case FLOAT -> "FLOAT";
      case DOUBLE -> "DOUBLE";
      case null -> "VARCHAR";
    };
  }

  private ColumnTypeException doesNotFit(int at, Object value, ElementType type) {
    ElementType other =
        type == ElementType.INT && value instanceof Long ? ElementType.LONG : ElementType.DOUBLE;
    return type == ElementType.DOUBLE
        ? refused(at, value, "does not fit " + type, "", null)
        : refused(
            at,
            value,
            "does not fit " + type,
            ": read it as %ss".formatted(other.name().toLowerCase(Locale.ROOT)),
            other);
  }

  private ColumnTypeException refused(
      int at, Object value, String what, String advice, @Nullable ElementType other) {
    long row = from + at;
    return new ColumnTypeException(
        "%s: column '%s' has %s in row %s (from 0)%s, which %s"
            .formatted(
                header.table(),
                header.name(),
                value instanceof String text ? "'%s'".formatted(text) : value,
                row,
                header.place().of(row, value),
                what),
        advice,
        other);
  }
}
