package funnel.columns;

import funnel.columns.Column.Header;
import funnel.group.Dictionary;
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
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Columns of a table as Java arrays: of a CSV file, a Parquet file, a file of JSON, or the result
 * of a query.
 *
 * {@snippet class="funnel.docs.ColumnsSnippets" region="columns"}
 *
 * <p>Each call reads the table again, and only the requested columns of a file. To read several
 * columns in one pass, read {@linkplain #read rows}; {@link #forEach} reads a table that is larger
 * than memory in pieces. {@link Rows} document the conversions of types, and missing values.
 *
 * <p><b>CSV.</b> The first line has the names, and every other line has as many fields; an empty
 * field without quotes is a missing value. The separator and the columns' types are detected from
 * the first 20,480 lines. Later lines may have other numbers: 2.5 in a column of integers can be
 * read as a float or double, and throws as an int or long. For such a value, a text in a column of
 * numbers, and a line with another number of fields, the exception has the line's number. {@link
 * #strings} gives the fields of any column unchanged. For other files use {@code read_csv} in a
 * {@linkplain #sql query}, where DuckDB's own rules apply: it rounds 2.5 if the column's type was
 * inferred to be an integer.
 *
 * <p><b>DuckDB</b> reads files and runs queries, in this process, on threads of its own. Its driver
 * is not a dependency of Funnel: add {@value #DRIVER} to your project.
 *
 * <p>Immutable. Reading throws a {@link ColumnException} whose message names the table, a {@link
 * NoSuchFileException}, or a {@link DuckDbUnavailableException}.
 */
public final class Columns {

  /* All rows of a large file are read by several threads, if they are numbers that need no look at
   * each: DuckDbScan. Others come in chunks, one after the other, and few or odd ones by JDBC.
   *
   * Results are streamed; otherwise DuckDB would first hold all of them in memory. An error before
   * the first row then has no reason, for which the query is repeated without streaming.
   */

  private static final Logger LOG = LoggerFactory.getLogger(Columns.class);

  /** The Maven coordinates of the driver. */
  public static final String DRIVER = "org.duckdb:duckdb_jdbc:2.0.0.1";

  private static final int MOST = Integer.MAX_VALUE - 8;

  /** The bytes of a file from which several threads pay off. */
  private static final long LARGE = Long.getLong("funnel.columns.large", 1L << 20);

  private static volatile boolean isLoaded; // the driver

  /**
   * The database of files. To open one takes longer than to read a small file: it stays open. It
   * keeps nothing of files, which may change.
   */
  private static final String OF_FILES = "jdbc:duckdb::memory:funnel.columns";

  /** DuckDB keeps what it reads of files in memory, which takes time, and we read once. */
  static final String KEEPS_NOTHING = "SET enable_external_file_cache = false";

  private static final String OWN = "jdbc:duckdb:";

  private static @Nullable Connection ofFiles;

  private static final String NO_REASON = "Invalid result set";
  private static final String NO_DRIVER = "08001";

  private final String table;
  private final @Nullable Path file;
  private final @Nullable CsvFile csv;
  private final String query;

  /** A Parquet file with a column file_row_number. */
  private final @Nullable String numbered;

  private final @Nullable Connection connection;
  private final List<String> present;

  private Columns(
      String table,
      @Nullable Path file,
      @Nullable CsvFile csv,
      String query,
      @Nullable String numbered,
      @Nullable Connection connection,
      List<String> present) {
    this.table = table;
    this.file = file;
    this.csv = csv;
    this.query = query;
    this.numbered = numbered;
    this.connection = connection;
    this.present = present;
  }

  /** The columns of a CSV file, which is opened when it is read. */
  public static Columns csv(Path file) {
    return csv(file, "", true);
  }

  /**
   * The columns of a file of separated values, which is opened when it is read.
   *
   * {@snippet class="funnel.docs.ColumnsSnippets" region="separated"}
   *
   * @param separator what is between fields, such as a tab; empty if it is to be detected
   * @param hasNames whether the first line has the columns' names; else they are {@code column0},
   *     {@code column1} and so on, with zeros before the number if there are more than ten
   */
  public static Columns csv(Path file, String separator, boolean hasNames) {
    CsvFile csv = new CsvFile(file, literal(file), separator, hasNames);
    return new Columns(file.toString(), file, csv, csv.table(""), null, null, List.of());
  }

  /**
   * The columns of a file of JSON, an object for each row, which is opened when it is read: a line
   * for each, or one array of all. Types are detected by DuckDB.
   */
  public static Columns json(Path file) {
    String table = "read_json(%s, hive_partitioning = false)".formatted(literal(file));
    return new Columns(file.toString(), file, null, table, null, null, List.of());
  }

  /** The columns of a Parquet file, which is opened when it is read. */
  public static Columns parquet(Path file) {
    String table = "read_parquet(%s, hive_partitioning = false%s)";
    String name = literal(file);
    return new Columns(
        file.toString(),
        file,
        null,
        table.formatted(name, ""),
        table.formatted(name, ", file_row_number = true"),
        null,
        List.of());
  }

  /** A file's name as a literal of SQL that is not a pattern. */
  private static String literal(Path file) {
    String name = file.toAbsolutePath().toString().replaceAll("[\\[*?]", "[$0]");
    return "'" + name.replace("'", "''") + "'";
  }

  /**
   * The columns of the result of a query, in DuckDB's dialect of SQL. Tables are files: {@code
   * "SELECT key, value FROM 'events.parquet' WHERE value > 0"}. File names are used as the query
   * writes them. It runs in an empty database of its own.
   */
  public static Columns sql(String query) {
    return new Columns(
        "the query", null, null, Objects.requireNonNull(query, "query"), null, null, List.of());
  }

  /**
   * The columns of the result of a query to any database, through the caller's driver; such as a
   * DuckDB with extensions or settings.
   *
   * @param connection stays open, and is used by the thread that reads
   */
  public static Columns of(Connection connection, String query) {
    return new Columns(
        "the query",
        null,
        null,
        Objects.requireNonNull(query, "query"),
        null,
        Objects.requireNonNull(connection, "connection"),
        List.of());
  }

  /**
   * The table as an expression of DuckDB's SQL, for a {@linkplain #sql query} of one's own. Types
   * of a CSV file are then those of all its lines, which are read for this.
   *
   * {@snippet class="funnel.docs.ColumnsSnippets" region="expression"}
   */
  public String expression() {
    String all = csv == null ? query : csv.table(", sample_size = -1");
    return file == null || !present.isEmpty()
        ? "(SELECT * FROM %s%s)".formatted(file == null ? "(" + query + ") t" : all, condition())
        : all;
  }

  /**
   * The rows that have a value in each of these columns; others are left out.
   *
   * {@snippet class="funnel.docs.ColumnsSnippets" region="present"}
   */
  public Columns present(String... columns) {
    return new Columns(table, file, csv, query, numbered, connection, List.of(columns));
  }

  private String condition() {
    return present.isEmpty()
        ? ""
        : present.stream()
            .map(column -> quoted(column) + " IS NOT NULL")
            .collect(Collectors.joining(" AND ", " WHERE ", ""));
  }

  /** An action on some rows. */
  @FunctionalInterface
  public interface Action {
    /** Runs the action. */
    void run(Rows rows) throws IOException;
  }

  /** The names of the columns, in their order. */
  public List<String> names() throws IOException {
    return with(
        open ->
            (csv == null ? headers(open) : csv.reading(on(open), 0, false, null, "").headers())
                .stream().map(Header::name).toList());
  }

  /**
   * The smallest type that can represent all numbers of a column's type; never BYTE. It is LONG for
   * integers of more than 64 bits too, and DOUBLE for decimals, which it represents nearly. The
   * type of a column of a CSV file is that of the first 20,480 lines.
   *
   * @throws NoSuchColumnException if there is no such column
   * @throws ColumnTypeException if it has no numbers
   */
  public ElementType type(String column) throws IOException {
    return with(
        open -> {
          if (csv != null) {
            return csv.type(open, column);
          }
          List<Header> headers = headers(open);
          return headers.get(Header.indexOf(column, table, headers)).requireNumbers();
        });
  }

  /** The number of rows; a CSV file is read for this. */
  public long count() throws IOException {
    return with(
        open -> {
          String counting =
              "SELECT count(*) FROM " + (file == null ? "(" + query + ") t" : query) + condition();
          try (Statement statement = open.createStatement();
              ResultSet rows = run(statement, counting)) {
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
    return readAs(null, columns);
  }

  /**
   * All rows.
   *
   * @param as DuckDB's type for the values of a CSV file; null for their own
   */
  private Rows readAs(@Nullable String as, String... columns) throws IOException {
    List<Rows> all = new ArrayList<>();
    forEach(
        as,
        MOST,
        rows -> {
          if (!all.isEmpty()) {
            throw new ColumnException(
                String.format(
                    Locale.ROOT, "%s has more than %,d rows: read it in pieces", table, MOST),
                null);
          }
          all.add(rows);
        },
        columns);
    return all.getFirst();
  }

  /**
   * All rows of a file by several threads.
   *
   * @param memory the most bytes to take
   * @return nothing if they must be read one after the other: of a small or very large file, pieces
   *     with texts, whose keys are of each piece, rows of a Parquet file that are left out, and
   *     where something is wrong, to say what
   */
  private Optional<Rows> whole(@Nullable String as, long memory, String... columns)
      throws IOException {
    boolean isNumbered = numbered != null && present.isEmpty();
    if (file == null || csv == null && !isNumbered || !Files.isRegularFile(file)) {
      return Optional.empty();
    }
    long size = Files.size(file);
    if (size < LARGE || csv != null && size > memory) {
      return Optional.empty();
    }
    if (!isLoaded) {
      isLoaded = with(_ -> true);
    }
    try (DuckDbConnection open = DuckDbConnection.openKept()) {
      return open == null ? Optional.empty() : whole(open, as, memory, columns);
    } catch (SQLException e) {
      LOG.debug("{} is read by one thread: {}", table, e.getMessage());
      return Optional.empty();
    }
  }

  private Optional<Rows> whole(
      DuckDbConnection open, @Nullable String as, long memory, String... columns)
      throws SQLException, IOException {
    CsvFile.Reading reading =
        csv == null ? null : csv.reading(open::texts, 0, false, as, condition(), columns);
    List<Header> headers =
        reading == null ? with(driver -> wanted(headers(driver), columns)) : reading.headers();
    boolean hasTexts = headers.stream().anyMatch(header -> header.type() == null);
    if (!headers.stream().allMatch(DuckDbScan::isRead) || hasTexts && memory < Long.MAX_VALUE) {
      return Optional.empty();
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < headers.size(); i++) {
      String name = quoted(headers.get(i).name());
      boolean isText = headers.get(i).type() == null;
      names.add(reading != null ? "v" + i : isText ? CsvFile.TEXT.formatted(name, i) : name);
    }
    try (DuckDbScan scan = new DuckDbScan(open, headers)) {
      if (reading != null) {
        open.run("CREATE TEMP TABLE whole AS " + reading.whole());
      }
      String from = reading != null ? "whole" : Objects.requireNonNull(numbered, table);
      String row = reading != null ? "rowid" : "file_row_number";
      long rows = open.count(from);
      return rows > Math.min(MOST, memory / Long.BYTES / headers.size())
          ? Optional.empty()
          : Optional.of(
              new Rows(table, 0, headers, scan.read(from, row, names, headers, (int) rows)));
    }
  }

  /**
   * Reads the rows in pieces, one after the other, and runs an action on each; a table without rows
   * is one piece without rows. A table that fills no more than a quarter of the heap may be read as
   * a whole before; of others only one piece is in memory at a time. {@link Rows#from} and {@link
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
    forEach(null, most, action, columns);
  }

  private void forEach(@Nullable String as, int most, Action action, String... columns)
      throws IOException {
    Objects.requireNonNull(action, "action");
    if (most < 1) {
      throw new IllegalArgumentException("most=%s: a piece has at least 1 row".formatted(most));
    }
    Optional<Rows> whole = whole(as, most == MOST ? Long.MAX_VALUE : memory(), columns);
    if (whole.isPresent()) {
      int length = whole.get().length();
      for (int from = 0; from == 0 || from < length; from += Math.min(most, MOST - from)) {
        action.run(whole.get().range(from, Math.min(most, length - from)));
      }
      return;
    }
    var _ =
        with(
            open -> {
              long from = 0;
              boolean hasTexts = false;
              do {
                CsvFile.Reading reading =
                    csv == null
                        ? null
                        : csv.reading(on(open), from, hasTexts, as, condition(), columns);
                String sql = reading == null ? selected(open, columns) : reading.sql();
                if (!hasTexts && connection == null) {
                  try (DuckDbConnection own = DuckDbConnection.open();
                      DuckDbChunks chunks = own == null ? null : DuckDbChunks.of(own, sql)) {
                    List<Header> headers =
                        chunks == null
                            ? List.of()
                            : reading == null
                                ? wanted(headers(open, sql), columns)
                                : reading.headers();
                    if (chunks != null && chunks.begins(headers)) {
                      from = forEach(chunks, most, action, headers);
                      hasTexts = true;
                      continue;
                    }
                  }
                }
                try (Statement statement = open.createStatement();
                    ResultSet rows = run(statement, sql)) {
                  List<Header> headers =
                      reading == null
                          ? wanted(headers(rows.getMetaData()), columns)
                          : reading.headers();
                  from = forEach(rows, from, hasTexts, most, action, headers);
                }
                hasTexts = true;
              } while (from >= 0);
              return true;
            });
  }

  /** Returns -1, or the row from which texts are needed. */
  private long forEach(
      ResultSet rows, long begin, boolean hasTexts, int most, Action action, List<Header> wanted)
      throws SQLException, IOException {
    boolean isThere = rows.next();
    long from = begin;
    do {
      List<Column> piece = new ArrayList<>();
      for (Header header : wanted) {
        piece.add(new Column(header, from, most, false));
      }
      int length = 0;
      for (; isThere && length < most; length++) {
        for (Column column : piece) {
          if (!column.add(rows, hasTexts)) {
            return from;
          }
        }
        isThere = rows.next();
      }
      action.run(new Rows(table, from, wanted, piece));
      from += length;
    } while (isThere);
    return -1;
  }

  /** Returns -1, or the row from which texts are needed. */
  private long forEach(DuckDbChunks chunks, int most, Action action, List<Header> wanted)
      throws SQLException, IOException {
    long from = 0;
    int rows = chunks.next();
    int next = 0;
    do {
      List<Column> piece = new ArrayList<>();
      for (Header header : wanted) {
        piece.add(new Column(header, from, most, true));
      }
      int length = 0;
      while (rows > 0 && length < most) {
        int end = Math.min(rows, next + most - length);
        for (Column column : piece) {
          if (!column.add(chunks, rows, next, end)) {
            return from;
          }
        }
        length += end - next;
        next = end;
        if (next == rows) {
          rows = chunks.next();
          next = 0;
        }
      }
      piece.forEach(Column::end);
      action.run(new Rows(table, from, wanted, piece));
      from += length;
    } while (rows > 0);
    return -1;
  }

  /** The bytes of memory for rows that are read before they are asked for. */
  private static long memory() {
    return Runtime.getRuntime().maxMemory() / 4;
  }

  private List<Header> wanted(List<Header> there, String... columns) throws IOException {
    List<Header> wanted = columns.length == 0 ? there : new ArrayList<>();
    for (String column : columns) {
      wanted.add(there.get(Header.indexOf(column, table, there)));
    }
    return wanted;
  }

  /** Only the requested columns of a file are read. */
  private String selected(Connection open, String... columns) throws SQLException, IOException {
    if (file == null) {
      return present.isEmpty() ? query : "SELECT * FROM (" + query + ") t" + condition();
    }
    List<Header> there = columns.length == 0 ? List.of() : headers(open);
    for (String column : columns) {
      var _ = Header.indexOf(column, table, there);
    }
    String names =
        Stream.of(columns).distinct().map(Columns::quoted).collect(Collectors.joining(", "));
    return "SELECT %s FROM %s%s".formatted(columns.length == 0 ? "*" : names, query, condition());
  }

  /** A column's name as a query has it: {@code "a ""b"""} with its quotes for a "b". */
  public static String quoted(String column) {
    return '"' + column.replace("\"", "\"\"") + '"';
  }

  private List<Header> headers(Connection open) throws SQLException {
    return headers(open, file == null ? query : "SELECT * FROM " + query);
  }

  private List<Header> headers(Connection open, String sql) throws SQLException {
    try (PreparedStatement statement = open.prepareStatement(sql)) {
      return headers(statement.getMetaData());
    }
  }

  private List<Header> headers(ResultSetMetaData meta) throws SQLException {
    List<Header> headers = new ArrayList<>();
    for (int i = 1; i <= meta.getColumnCount(); i++) {
      headers.add(Header.of(table, meta, i));
    }
    return headers;
  }

  private ResultSet run(Statement statement, String sql) throws SQLException {
    return connection == null ? execute(statement, sql) : statement.executeQuery(sql);
  }

  /** What runs queries for texts on a connection. */
  static CsvFile.Query on(Connection open) {
    return (sql, columns) -> {
      List<List<String>> all = new ArrayList<>();
      try (Statement statement = open.createStatement();
          ResultSet rows = execute(statement, sql)) {
        while (rows.next()) {
          List<String> texts = new ArrayList<>();
          for (int column = 1; column <= columns; column++) {
            texts.add(rows.getString(column));
          }
          all.add(texts);
        }
      }
      return all;
    };
  }

  /** Runs a query in a database of our own, and says why if it cannot be run. */
  private static ResultSet execute(Statement statement, String sql) throws SQLException {
    try {
      return statement.executeQuery(sql);
    } catch (SQLException e) {
      if (!String.valueOf(e.getMessage()).contains(NO_REASON)) {
        throw e;
      }
      try (Connection whole = duckDb(OWN, false);
          Statement again = whole.createStatement();
          ResultSet _ = again.executeQuery(sql)) {
        throw e;
      }
    }
  }

  /** Where in a query the driver sees an error. */
  private static final Pattern OUR_QUERY = Pattern.compile("(?s)\\s*LINE \\d+:.*");

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
      try (Connection open = file == null ? duckDb(OWN, true) : ofFiles()) {
        return reading.on(open);
      }
    } catch (SQLException e) {
      String reason = CsvFile.reason(e);
      throw new ColumnException(
          "%s: %s"
              .formatted(table, file == null ? reason : OUR_QUERY.matcher(reason).replaceFirst("")),
          e);
    }
  }

  private static synchronized Connection ofFiles() throws SQLException {
    if (ofFiles == null) {
      Connection first = duckDb(OF_FILES, true);
      try (Statement statement = first.createStatement()) {
        statement.execute(KEEPS_NOTHING);
      }
      ofFiles = first;
    }
    return duckDb(OF_FILES, true);
  }

  private static Connection duckDb(String url, boolean isStream) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("jdbc_stream_results", Boolean.toString(isStream));
    try {
      return DriverManager.getConnection(url, properties);
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

  /** All of a column as ints, with a value for missing ones. */
  public int[] ints(String column, int missing) throws IOException {
    return read(column).ints(column, missing);
  }

  /** All of a column as longs; see {@link Rows#longs(String)}. */
  public long[] longs(String column) throws IOException {
    return read(column).longs(column);
  }

  /** All of a column as longs, with a value for missing ones. */
  public long[] longs(String column, long missing) throws IOException {
    return read(column).longs(column, missing);
  }

  /** All of a column as floats; see {@link Rows#floats(String)}. */
  public float[] floats(String column) throws IOException {
    return readAs("FLOAT", column).floats(column);
  }

  /** All of a column as floats, with a value for missing ones. */
  public float[] floats(String column, float missing) throws IOException {
    return readAs("FLOAT", column).floats(column, missing);
  }

  /** All of a column as doubles; see {@link Rows#doubles(String)}. */
  public double[] doubles(String column) throws IOException {
    return readAs("DOUBLE", column).doubles(column);
  }

  /** All of a column as doubles, with a value for missing ones. */
  public double[] doubles(String column, double missing) throws IOException {
    return readAs("DOUBLE", column).doubles(column, missing);
  }

  /**
   * All of a column as text; see {@link Rows#strings(String)}. In a CSV file numbers are text too,
   * unchanged: 007.
   */
  public List<String> strings(String column) throws IOException {
    return readAs("VARCHAR", column).strings(column);
  }

  /** All of a column as keys of a dictionary; see {@link Rows#encoded(String)}. */
  public Dictionary.Encoded<String> encoded(String column) throws IOException {
    return readAs("VARCHAR", column).encoded(column);
  }

  /** All of a column as keys of a dictionary, with a text for missing ones. */
  public Dictionary.Encoded<String> encoded(String column, String missing) throws IOException {
    return readAs("VARCHAR", column).encoded(column, missing);
  }

  /** All of a column as text, with a text for missing values. */
  public List<String> strings(String column, String missing) throws IOException {
    return readAs("VARCHAR", column).strings(column, missing);
  }

  /** The file's name, or the word for a query. */
  @Override
  public String toString() {
    return table;
  }
}
