package funnel.columns;

import funnel.operator.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Columns of a table as Java arrays: of a CSV file, a Parquet file, or the result of a query.
 *
 * {@snippet class="funnel.docs.ColumnsSnippets" region="columns"}
 *
 * <p>Each call reads the table again, and only the requested columns of a file. To read several
 * columns in one pass, read {@linkplain #read rows}; {@link #forEach} reads a table that is larger
 * than memory in pieces. {@link Rows} document the conversions of types, and missing values.
 *
 * <p><b>CSV.</b> The first line has the names, and every other line has as many fields; an empty
 * field without quotes is a missing value. The separator and the columns' types are detected from
 * the first 20,480 lines. A line with another number of fields, or a field that is not of its
 * column's type, is refused with its line number. For other files use {@code read_csv} in a
 * {@linkplain #sql query}.
 *
 * <p><b>DuckDB</b> reads files and runs queries, in this process, on threads of its own. Its driver
 * is not a dependency of Funnel: add {@value #DRIVER} to your project.
 *
 * <p>Immutable. Reading throws a {@link ColumnException} whose message names the table, a {@link
 * NoSuchFileException}, or a {@link DuckDbUnavailableException}.
 */
public final class Columns {

  /* Row by row, by JDBC alone. The driver's interface of whole vectors checks each value's type and
   * index again, and is not faster; and in version 2.0.0.1 an error in the middle of a file ends
   * its rows there without an exception.
   *
   * Results are streamed; otherwise DuckDB would first hold all of them in memory. An error before
   * the first row then has no reason, for which the query is repeated without streaming.
   */

  /** The Maven coordinates of the driver. */
  public static final String DRIVER = "org.duckdb:duckdb_jdbc:2.0.0.1";

  private static final int MOST = Integer.MAX_VALUE - 8;
  private static final String NO_REASON = "Invalid result set";
  private static final String NO_DRIVER = "08001";

  private final String table;
  private final @Nullable Path file;
  private final String query;
  private final @Nullable Connection connection;

  private Columns(
      String table, @Nullable Path file, String query, @Nullable Connection connection) {
    this.table = table;
    this.file = file;
    this.query = query;
    this.connection = connection;
  }

  /** The columns of a CSV file, which is opened when it is read. */
  public static Columns csv(Path file) {
    String options = "header = true, skip = 0, comment = '', allow_quoted_nulls = false";
    return file(file, "read_csv(%s, " + options + ", hive_partitioning = false)");
  }

  /** The columns of a Parquet file, which is opened when it is read. */
  public static Columns parquet(Path file) {
    return file(file, "read_parquet(%s, hive_partitioning = false)");
  }

  private static Columns file(Path file, String call) {
    String name = file.toAbsolutePath().toString().replaceAll("[\\[*?]", "[$0]").replace("'", "''");
    return new Columns(file.toString(), file, call.formatted("'" + name + "'"), null);
  }

  /**
   * The columns of the result of a query, in DuckDB's dialect of SQL. Tables are files: {@code
   * "SELECT key, value FROM 'events.parquet' WHERE value > 0"}. File names are used as the query
   * writes them. It runs in an empty database of its own.
   */
  public static Columns sql(String query) {
    return new Columns("the query", null, Objects.requireNonNull(query, "query"), null);
  }

  /**
   * The columns of the result of a query to any database, through the caller's driver; also to a
   * DuckDB with extensions or settings.
   *
   * @param connection stays open, and is used by the thread that reads
   */
  public static Columns of(Connection connection, String query) {
    return new Columns(
        "the query",
        null,
        Objects.requireNonNull(query, "query"),
        Objects.requireNonNull(connection, "connection"));
  }

  /** An action on some rows. */
  @FunctionalInterface
  public interface Action {
    /** Runs the action. */
    void run(Rows rows) throws IOException;
  }

  /** The names of the columns, in their order. */
  public List<String> names() throws IOException {
    return headers().stream().map(Column.Header::name).toList();
  }

  /**
   * The smallest type that can represent all numbers of a column's type; never BYTE.
   *
   * @throws NoSuchColumnException if there is no such column
   * @throws ColumnTypeException if it has no numbers
   */
  public ElementType type(String column) throws IOException {
    List<Column.Header> headers = headers();
    return headers.get(Column.Header.indexOf(column, table, headers)).requireNumbers();
  }

  /** The number of rows; a CSV file is read for this. */
  public long count() throws IOException {
    return with(
        open -> {
          String counting = "SELECT count(*) FROM " + (file == null ? "(" + query + ") t" : query);
          try (Statement statement = open.createStatement();
              ResultSet rows = execute(statement, counting)) {
            return rows.next() ? rows.getLong(1) : 0;
          }
        });
  }

  /**
   * All rows.
   *
   * @param columns the columns to read, all of the table's if none is named
   * @throws ColumnException if there are more rows than an array can have elements
   */
  public Rows read(String... columns) throws IOException {
    List<Rows> all = new ArrayList<>();
    forEach(
        MOST,
        rows -> {
          if (!all.isEmpty()) {
            throw new ColumnException(
                "%s has more than %,d rows: read it in pieces".formatted(table, MOST), null);
          }
          all.add(rows);
        },
        columns);
    return all.getFirst();
  }

  /**
   * Reads the rows in pieces, one after the other, and runs an action on each; a table without rows
   * is one piece without rows. Only one piece is in memory at a time. {@link Rows#from} and {@link
   * #count} tell the progress.
   *
   * {@snippet class="funnel.docs.ColumnsSnippets" region="pieces"}
   *
   * @param most the number of rows of each piece; the last one may have fewer
   * @param action runs in the caller's thread
   * @param columns the columns to read, all of the table's if none is named
   * @throws IllegalArgumentException if {@code most} is less than 1
   */
  public void forEach(int most, Action action, String... columns) throws IOException {
    Objects.requireNonNull(action, "action");
    if (most < 1) {
      throw new IllegalArgumentException("most=%d: a piece has at least 1 row".formatted(most));
    }
    var _ =
        with(
            open -> {
              try (Statement statement = open.createStatement();
                  ResultSet rows = execute(statement, selected(open, columns))) {
                forEach(rows, most, action, columns);
              }
              return true;
            });
  }

  private void forEach(ResultSet rows, int most, Action action, String... columns)
      throws SQLException, IOException {
    List<Column.Header> there = headers(rows.getMetaData());
    List<Column.Header> wanted = columns.length == 0 ? there : new ArrayList<>();
    for (String column : columns) {
      wanted.add(there.get(Column.Header.indexOf(column, table, there)));
    }
    boolean isThere = rows.next();
    long from = 0;
    do {
      List<Column> piece = new ArrayList<>();
      for (Column.Header header : wanted) {
        piece.add(new Column(header, from, most));
      }
      int length = 0;
      for (; isThere && length < most; length++) {
        for (Column column : piece) {
          column.add(rows);
        }
        isThere = rows.next();
      }
      action.run(new Rows(table, from, wanted, piece));
      from += length;
    } while (isThere);
  }

  /** Only the requested columns of a file are read. */
  private String selected(Connection open, String... columns) throws SQLException, IOException {
    if (file == null) {
      return query;
    }
    List<Column.Header> there = columns.length == 0 ? List.of() : headers(open);
    for (String column : columns) {
      var _ = Column.Header.indexOf(column, table, there);
    }
    String names =
        Stream.of(columns)
            .distinct()
            .map(column -> '"' + column.replace("\"", "\"\"") + '"')
            .collect(Collectors.joining(", "));
    return "SELECT %s FROM %s".formatted(columns.length == 0 ? "*" : names, query);
  }

  private List<Column.Header> headers() throws IOException {
    return with(this::headers);
  }

  private List<Column.Header> headers(Connection open) throws SQLException {
    String all = file == null ? query : "SELECT * FROM " + query;
    try (PreparedStatement statement = open.prepareStatement(all)) {
      return headers(statement.getMetaData());
    }
  }

  private List<Column.Header> headers(ResultSetMetaData meta) throws SQLException {
    List<Column.Header> headers = new ArrayList<>();
    for (int i = 1; i <= meta.getColumnCount(); i++) {
      headers.add(
          Column.Header.of(
              table,
              meta.getColumnLabel(i),
              i,
              meta.getColumnTypeName(i),
              meta.getColumnClassName(i)));
    }
    return headers;
  }

  private ResultSet execute(Statement statement, String sql) throws SQLException {
    try {
      return statement.executeQuery(sql);
    } catch (SQLException e) {
      if (connection != null || !String.valueOf(e.getMessage()).contains(NO_REASON)) {
        throw e;
      }
      try (Connection whole = duckDb(false);
          Statement again = whole.createStatement();
          ResultSet _ = again.executeQuery(sql)) {
        throw e;
      }
    }
  }

  private interface Reading<T> {
    T on(Connection open) throws SQLException, IOException;
  }

  private <T> T with(Reading<T> reading) throws IOException {
    if (file != null && !Files.isRegularFile(file)) {
      throw new NoSuchFileException(
          table, null, Files.exists(file) ? "it is not a regular file" : "the file does not exist");
    }
    try {
      if (connection != null) {
        return reading.on(connection);
      }
      try (Connection open = duckDb(true)) {
        return reading.on(open);
      }
    } catch (SQLException e) {
      throw new ColumnException("%s: %s".formatted(table, e.getMessage()), e);
    }
  }

  private static Connection duckDb(boolean isStream) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("jdbc_stream_results", Boolean.toString(isStream));
    try {
      return DriverManager.getConnection("jdbc:duckdb:", properties);
    } catch (SQLException e) {
      if (!NO_DRIVER.equals(e.getSQLState())) {
        throw e;
      }
      throw new DuckDbUnavailableException(
          "DuckDB's driver, which reads CSV and Parquet files, is not on the class path: add %s to"
                  .formatted(DRIVER)
              + " your dependencies, or its jar to FUNNEL_CLASSPATH for the command funnel; it is"
              + " in Maven Central",
          e);
    }
  }

  /** All of a column as ints; see {@link Rows#ints(String)}. */
  public int[] ints(String column) throws IOException {
    return read(column).ints(column);
  }

  /** The same with a value for missing ones. */
  public int[] ints(String column, int missing) throws IOException {
    return read(column).ints(column, missing);
  }

  /** All of a column as longs; see {@link Rows#longs(String)}. */
  public long[] longs(String column) throws IOException {
    return read(column).longs(column);
  }

  /** The same with a value for missing ones. */
  public long[] longs(String column, long missing) throws IOException {
    return read(column).longs(column, missing);
  }

  /** All of a column as floats; see {@link Rows#floats(String)}. */
  public float[] floats(String column) throws IOException {
    return read(column).floats(column);
  }

  /** The same with a value for missing ones. */
  public float[] floats(String column, float missing) throws IOException {
    return read(column).floats(column, missing);
  }

  /** All of a column as doubles; see {@link Rows#doubles(String)}. */
  public double[] doubles(String column) throws IOException {
    return read(column).doubles(column);
  }

  /** The same with a value for missing ones. */
  public double[] doubles(String column, double missing) throws IOException {
    return read(column).doubles(column, missing);
  }

  /** All of a column as text; see {@link Rows#strings(String)}. */
  public List<String> strings(String column) throws IOException {
    return read(column).strings(column);
  }

  /** The same with a text for missing values. */
  public List<String> strings(String column, String missing) throws IOException {
    return read(column).strings(column, missing);
  }

  /** The file's name, or the word for a query. */
  @Override
  public String toString() {
    return table;
  }
}
