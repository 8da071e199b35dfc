package funnel.columns;

import funnel.operator.ElementType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The values of a column in some rows, which are added one after the other. */
final class Column {

  /* Values are kept in the smallest type that can represent all values of the column's type, and
   * are converted when an array is requested: a value that does not fit is refused with its row.
   */

  private static final int FEW = 1 << 14;
  private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

  /**
   * A column of a table.
   *
   * @param table the table, for messages
   * @param name the column
   * @param at its number among the columns, from 1
   * @param of the table's name of its type
   * @param type that of its numbers; null for text
   * @param isBig whether values are integers that may not fit in a long
   */
  record Header(
      String table, String name, int at, String of, @Nullable ElementType type, boolean isBig) {

    /** A header by the class of the driver's values. */
    static Header of(String table, String name, int at, String of, String javaClass) {
      ElementType type =
          switch (javaClass) {
            case "java.lang.Byte", "java.lang.Short", "java.lang.Integer" -> ElementType.INT;
            case "java.lang.Long", "java.math.BigInteger" -> ElementType.LONG;
            case "java.lang.Float" -> ElementType.FLOAT;
            case "java.lang.Double", "java.math.BigDecimal" -> ElementType.DOUBLE;
            default -> null;
          };
      return new Header(table, name, at, of, type, javaClass.equals("java.math.BigInteger"));
    }

    /** The type of its numbers; refuses text. */
    ElementType requireNumbers() throws ColumnTypeException {
      if (type == null) {
        throw new ColumnTypeException(
            "%s: column '%s' is of type %s and has no numbers".formatted(table, name, of));
      }
      return type;
    }

    /** The index of a column among others; refuses one that is missing or occurs twice. */
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
  private final BitSet missing = new BitSet();
  private Object values; // int[], long[], float[], double[] or String[]
  private int length;
  private int room;

  /**
   * No values yet.
   *
   * @param from the row of the first value
   * @param most the maximum number of values
   */
  Column(Header header, long from, int most) {
    this.header = header;
    this.from = from;
    this.most = most;
    room = Math.min(FEW, most);
    values =
        switch (header.type()) {
          case BYTE, INT -> new int[room];
          case LONG -> new long[room];
          case FLOAT -> new float[room];
          case DOUBLE -> new double[room];
          case null -> new String[room];
        };
  }

  /** Adds the value of the current row. */
  void add(ResultSet rows) throws SQLException, ColumnTypeException {
    if (length == room) {
      room = (int) Math.min(2L * room, most);
      values =
          switch (values) {
            case int[] x -> Arrays.copyOf(x, room);
            case long[] x -> Arrays.copyOf(x, room);
            case float[] x -> Arrays.copyOf(x, room);
            case double[] x -> Arrays.copyOf(x, room);
            case String[] x -> Arrays.copyOf(x, room);
            default -> throw new AssertionError(values);
          };
    }
    int at = header.at();
    switch (values) {
      case int[] x -> x[length] = rows.getInt(at);
      case long[] x -> x[length] = header.isBig() ? big(rows.getObject(at)) : rows.getLong(at);
      case float[] x -> x[length] = rows.getFloat(at);
      case double[] x -> x[length] = rows.getDouble(at);
      case String[] x -> x[length] = rows.getString(at);
      default -> throw new AssertionError(values);
    }
    if (rows.wasNull()) {
      missing.set(length);
    }
    length++;
  }

  private long big(@Nullable Object value) throws ColumnTypeException {
    BigInteger big =
        switch (value) {
          case null -> BigInteger.ZERO;
          case BigInteger integer -> integer;
          case BigDecimal decimal -> decimal.toBigInteger();
          default -> BigInteger.valueOf(((Number) value).longValue());
        };
    if (big.compareTo(LEAST) < 0 || big.compareTo(LARGEST) > 0) {
      throw doesNotFit(length, big, "long");
    }
    return big.longValue();
  }

  int length() {
    return length;
  }

  /**
   * Refuses rows without a value.
   *
   * @param call the method, for the message, that takes a value for missing ones
   */
  Column whole(String call) throws MissingValueException {
    if (!missing.isEmpty()) {
      throw new MissingValueException(
          header.table(), header.name(), from + missing.nextSetBit(0), call);
    }
    return this;
  }

  /** The values as ints, with {@code instead} for missing ones. */
  int[] ints(int instead) throws ColumnTypeException {
    int[] ints = new int[length];
    switch (values) {
      case int[] x -> System.arraycopy(x, 0, ints, 0, length);
      case long[] x -> {
        for (int i = 0; i < length; i++) {
          ints[i] = (int) x[i];
          if (ints[i] != x[i]) {
            throw doesNotFit(i, x[i], "int");
          }
        }
      }
      default -> throw wrongType("ints", "CAST(%s AS INTEGER)");
    }
    missing.stream().forEach(i -> ints[i] = instead);
    return ints;
  }

  /** The values as longs. */
  long[] longs(long instead) throws ColumnTypeException {
    long[] longs = new long[length];
    switch (values) {
      case int[] x -> Arrays.setAll(longs, i -> x[i]);
      case long[] x -> System.arraycopy(x, 0, longs, 0, length);
      default -> throw wrongType("longs", "CAST(%s AS BIGINT)");
    }
    missing.stream().forEach(i -> longs[i] = instead);
    return longs;
  }

  /** The values as the nearest floats. */
  float[] floats(float instead) throws ColumnTypeException {
    if (values instanceof float[] x) {
      float[] floats = Arrays.copyOf(x, length);
      missing.stream().forEach(i -> floats[i] = instead);
      return floats;
    }
    double[] doubles = doubles("floats", 0);
    float[] floats = new float[length];
    for (int i = 0; i < length; i++) {
      floats[i] = values instanceof long[] x ? x[i] : (float) doubles[i];
      if (Float.isInfinite(floats[i]) && !Double.isInfinite(doubles[i])) {
        throw doesNotFit(i, doubles[i], "float");
      }
    }
    missing.stream().forEach(i -> floats[i] = instead);
    return floats;
  }

  /** The values as the nearest doubles. */
  double[] doubles(double instead) throws ColumnTypeException {
    return doubles("doubles", instead);
  }

  private double[] doubles(String as, double instead) throws ColumnTypeException {
    double[] doubles = new double[length];
    switch (values) {
      case int[] x -> Arrays.setAll(doubles, i -> x[i]);
      case long[] x -> Arrays.setAll(doubles, i -> x[i]);
      case float[] x -> Arrays.setAll(doubles, i -> x[i]);
      case double[] x -> System.arraycopy(x, 0, doubles, 0, length);
      default -> throw wrongType(as, "CAST(%s AS DOUBLE)");
    }
    missing.stream().forEach(i -> doubles[i] = instead);
    return doubles;
  }

  /** The values as text. */
  List<String> strings(String instead) throws ColumnTypeException {
    if (!(values instanceof String[] x)) {
      throw wrongType("strings", "CAST(%s AS VARCHAR)");
    }
    String[] strings = Arrays.copyOf(x, length);
    missing.stream().forEach(i -> strings[i] = instead);
    return Collections.unmodifiableList(Arrays.asList(strings));
  }

  private ColumnTypeException wrongType(String wanted, String cast) {
    return new ColumnTypeException(
        "%s: column '%s' is of type %s, which cannot be read as %s: cast it in a query, %s in Columns.sql"
            .formatted(
                header.table(), header.name(), header.of(), wanted, cast.formatted(header.name())));
  }

  private ColumnTypeException doesNotFit(int at, Number value, String type) {
    return new ColumnTypeException(
        "%s: column '%s' has %s in row %d (from 0), which does not fit %s %s"
            .formatted(
                header.table(),
                header.name(),
                value,
                from + at,
                type.equals("int") ? "an" : "a",
                type));
  }
}
