package funnel.columns;

import static funnel.columns.DuckDbConnection.DESTROYS;
import static funnel.columns.DuckDbConnection.DOES;
import static funnel.columns.DuckDbConnection.calling;
import static funnel.columns.DuckDbConnection.destroy;
import static funnel.columns.DuckDbConnection.function;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import funnel.columns.Column.Header;
import funnel.operator.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** All rows of some columns, by all of DuckDB's threads: each puts its rows in their place. */
@SuppressWarnings("restricted") // what DuckDB is called with is stated here alone
final class DuckDbScan implements AutoCloseable {

  /* A result in the order of the rows passes through one thread, and each chunk is copied twice
   * before we get it. An aggregate of a function of our own has no order: DuckDB's threads call it
   * with the vectors that they have just decoded, and with the rows' numbers.
   *
   * Those of a Parquet file are known to its reader. Lines of a CSV file have none before all are
   * read: it becomes a table in memory first, by all threads too, which keeps the order. Of a text
   * it has a number, which another function of ours gives.
   */

  private static final String PUT = "funnel_put";

  /** The function for the number of a text: of a scan, a column and the text. */
  static final String TEXT = "funnel_text";

  /** The number of the scan of a connection. */
  static final String SCAN = "getvariable('funnel_scan')";

  private static final FunctionDescriptor TAKES = FunctionDescriptor.ofVoid(ADDRESS, ADDRESS);
  private static final MethodHandle CREATE =
      function("create_scalar_function", FunctionDescriptor.of(ADDRESS));
  private static final MethodHandle NAME = function("scalar_function_set_name", TAKES);
  private static final MethodHandle PARAMETER = function("scalar_function_add_parameter", TAKES);
  private static final MethodHandle MORE = function("scalar_function_set_varargs", TAKES);
  private static final MethodHandle RETURNS = function("scalar_function_set_return_type", TAKES);
  private static final MethodHandle FUNCTION = function("scalar_function_set_function", TAKES);
  private static final MethodHandle ERROR = function("scalar_function_set_error", TAKES);
  private static final MethodHandle VOLATILE = function("scalar_function_set_volatile", DESTROYS);
  private static final MethodHandle WITH_NULLS =
      function("scalar_function_set_special_handling", DESTROYS);
  private static final MethodHandle REGISTER = function("register_scalar_function", DOES);
  private static final MethodHandle TYPE =
      function("create_logical_type", FunctionDescriptor.of(ADDRESS, JAVA_INT));
  private static final MethodHandle DESTROY_TYPE = function("destroy_logical_type", DESTROYS);
  private static final MethodHandle DESTROY_FUNCTION =
      function("destroy_scalar_function", DESTROYS);

  private static final int TINYINT = 2;
  private static final int ANY = 34;

  private static final AtomicLong SCANS = new AtomicLong();
  private static final Map<Long, DuckDbScan> OPEN = new ConcurrentHashMap<>();

  private static final MethodHandle CALL =
      calling(
          () ->
              MethodHandles.lookup()
                  .findStatic(
                      DuckDbScan.class,
                      "call",
                      MethodType.methodType(
                          void.class,
                          OfChunk.class,
                          MemorySegment.class,
                          MemorySegment.class,
                          MemorySegment.class)));

  private final DuckDbConnection connection;
  private final List<Texts.@Nullable Spread> texts = new ArrayList<>();
  private final long number = SCANS.getAndIncrement();
  private final AtomicLong count = new AtomicLong();
  private List<Column> columns = List.of();

  /**
   * A scan, the only one of its connection.
   *
   * @param headers the columns
   */
  DuckDbScan(DuckDbConnection connection, List<Header> headers) throws SQLException {
    this.connection = connection;
    for (Header header : headers) {
      texts.add(header.type() == null ? new Texts.Spread() : null);
    }
    OPEN.put(number, this);
    connection.run("SET VARIABLE funnel_scan = %s::BIGINT".formatted(number));
  }

  /**
   * Reads all rows of a table.
   *
   * @param table the table, whose rows have numbers
   * @param row the column with these numbers, from 0
   * @param names the columns in the table
   * @param rows how many there are
   * @throws SQLException if they cannot be read like this
   */
  List<Column> read(String table, String row, List<String> names, List<Header> headers, int rows)
      throws SQLException {
    columns =
        IntStream.range(0, headers.size())
            .mapToObj(i -> Column.of(headers.get(i), rows, texts.get(i)))
            .toList();
    String values =
        IntStream.range(0, names.size())
            .mapToObj(i -> "%s::%s".formatted(names.get(i), sql(columns.get(i).type())))
            .collect(Collectors.joining(", "));
    connection.run("SELECT max(%s(%s, %s, %s)) FROM %s".formatted(PUT, SCAN, row, values, table));
    if (count.get() != rows) {
      throw new SQLException("%s rows, not %s".formatted(count, rows));
    }
    columns.forEach(Column::end);
    return columns;
  }

  @Override
  public void close() {
    OPEN.remove(number);
  }

  /** Whether a column is read without loss like this. */
  static boolean isRead(Header header) {
    return header
        .of()
        .matches(
            header.type() == null ? "VARCHAR" : "U?(TINY|SMALL)INT|U?INTEGER|BIGINT|FLOAT|DOUBLE");
  }

  private static String sql(ElementType type) {
    return switch (type) {
      case BYTE, INT -> "INTEGER";
      case LONG -> "BIGINT";
      case FLOAT -> "FLOAT";
      case DOUBLE -> "DOUBLE";
    };
  }

  /** What DuckDB's threads call for a chunk of rows of a scan; nothing may be thrown there. */
  private interface OfChunk {
    void call(DuckDbScan scan, MemorySegment chunk, int rows, MemorySegment output)
        throws Exception;
  }

  /** Makes the functions in a database, which is never closed. */
  static void register(DuckDbConnection connection) throws SQLException {
    int number = DuckDbChunks.number(ElementType.LONG);
    register(connection, PUT, List.of(number, number), true, TINYINT, DuckDbScan::put);
    int text = DuckDbChunks.number(null);
    register(connection, TEXT, List.of(number, number, text), false, number, DuckDbScan::number);
  }

  private static void register(
      DuckDbConnection connection,
      String name,
      List<Integer> parameters,
      boolean hasMore,
      int result,
      OfChunk work)
      throws SQLException {
    Arena arena = connection.arena();
    MemorySegment function = arena.allocate(ADDRESS);
    MemorySegment made = calling(() -> (MemorySegment) CREATE.invokeExact());
    function.set(ADDRESS, 0, made);
    take(NAME, made, arena.allocateFrom(name));
    for (int parameter : parameters) {
      type(arena, PARAMETER, made, parameter);
    }
    if (hasMore) {
      type(arena, MORE, made, ANY);
    }
    type(arena, RETURNS, made, result);
    destroy(VOLATILE, made);
    destroy(WITH_NULLS, made);
    MethodHandle call = MethodHandles.insertArguments(CALL, 0, work);
    take(
        FUNCTION,
        made,
        Linker.nativeLinker()
            .upcallStub(call, FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, ADDRESS), arena));
    int failed = calling(() -> (int) REGISTER.invokeExact(connection.address(), made));
    destroy(DESTROY_FUNCTION, function);
    if (failed != 0) {
      throw new SQLException("the driver takes no function");
    }
  }

  private static void call(
      OfChunk work, MemorySegment info, MemorySegment chunk, MemorySegment output) {
    try {
      int rows = DuckDbChunks.rows(chunk);
      DuckDbScan scan = OPEN.get(first(chunk, 1, rows));
      if (scan == null) {
        throw new SQLException("no scan");
      }
      work.call(scan, chunk, rows, DuckDbChunks.data(output));
    } catch (Throwable e) {
      try (Arena arena = Arena.ofConfined()) {
        take(ERROR, info, arena.allocateFrom(String.valueOf(e)));
      }
    }
  }

  private static long first(MemorySegment chunk, int column, int rows) {
    return DuckDbChunks.values(chunk, column, ElementType.LONG, rows).get(JAVA_LONG, 0);
  }

  private void number(MemorySegment chunk, int rows, MemorySegment output) {
    Texts.Spread column = Objects.requireNonNull(texts.get((int) first(chunk, 2, rows)));
    column.add(
        DuckDbChunks.values(chunk, 3, null, rows),
        DuckDbChunks.valid(chunk, 3, rows),
        rows,
        output.reinterpret((long) rows * Long.BYTES));
  }

  private static void take(MethodHandle function, MemorySegment what, MemorySegment value) {
    var _ =
        calling(
            () -> {
              function.invokeExact(what, value);
              return true;
            });
  }

  private static void type(Arena arena, MethodHandle function, MemorySegment what, int number) {
    MemorySegment type = arena.allocate(ADDRESS);
    type.set(ADDRESS, 0, calling(() -> (MemorySegment) TYPE.invokeExact(number)));
    take(function, what, type.get(ADDRESS, 0));
    destroy(DESTROY_TYPE, type);
  }

  private void put(MemorySegment chunk, int rows, MemorySegment output) throws SQLException {
    MemorySegment numbers = DuckDbChunks.values(chunk, 2, ElementType.LONG, rows);
    long first = numbers.get(JAVA_LONG, 0);
    if (numbers.getAtIndex(JAVA_LONG, rows - 1) - first != rows - 1) {
      throw new SQLException("rows are not in their order");
    }
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      column.set(
          Math.toIntExact(first),
          DuckDbChunks.values(chunk, i + 3, column.type(), rows),
          DuckDbChunks.valid(chunk, i + 3, rows),
          rows);
    }
    output.reinterpret(rows).fill((byte) 0);
    count.addAndGet(rows);
  }
}
