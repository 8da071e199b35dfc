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
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * All rows of columns of numbers, by all of DuckDB's threads: each puts its rows in their place.
 */
@SuppressWarnings("restricted") // what DuckDB is called with is stated here alone
final class DuckDbScan {

  /* A result in the order of the rows passes through one thread, and each chunk is copied twice
   * before we get it. An aggregate of a function of our own has no order: DuckDB's threads call it
   * with the vectors that they have just decoded, and with the rows' numbers.
   *
   * Those of a Parquet file are known to its reader. Lines of a CSV file have none before all are
   * read: it becomes a table in memory first, by all threads too, which keeps the order.
   */

  private static final String PUT = "funnel_put";

  private static final FunctionDescriptor TAKES = FunctionDescriptor.ofVoid(ADDRESS, ADDRESS);
  private static final MethodHandle CREATE =
      function("create_scalar_function", FunctionDescriptor.of(ADDRESS));
  private static final MethodHandle NAME = function("scalar_function_set_name", TAKES);
  private static final MethodHandle PARAMETER = function("scalar_function_add_parameter", TAKES);
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

  private final DuckDbConnection connection;
  private final List<Column> columns;
  private final AtomicLong count = new AtomicLong();

  private DuckDbScan(DuckDbConnection connection, List<Column> columns) {
    this.connection = connection;
    this.columns = columns;
  }

  /**
   * Fills columns.
   *
   * @param table the table, whose rows have numbers
   * @param row the column with these numbers, from 0
   * @param names the columns in the table
   * @param rows how many there are
   * @throws SQLException if they cannot be read like this
   */
  static void fill(
      DuckDbConnection connection,
      String table,
      String row,
      List<String> names,
      List<Column> columns,
      int rows)
      throws SQLException {
    DuckDbScan scan = new DuckDbScan(connection, columns);
    scan.register();
    String values =
        IntStream.range(0, names.size())
            .mapToObj(i -> "%s::%s".formatted(names.get(i), sql(columns.get(i).type())))
            .collect(Collectors.joining(", "));
    connection.run("SELECT max(%s(%s, %s)) FROM %s".formatted(PUT, row, values, table));
    if (scan.count.get() != rows) {
      throw new SQLException("%s rows, not %s".formatted(scan.count, rows));
    }
  }

  /** Whether a column is read without loss like this. */
  static boolean isRead(Header header) {
    return header.type() != null
        && header.of().matches("U?(TINY|SMALL)INT|U?INTEGER|BIGINT|FLOAT|DOUBLE");
  }

  private static String sql(ElementType type) {
    return switch (type) {
      case BYTE, INT -> "INTEGER";
      case LONG -> "BIGINT";
      case FLOAT -> "FLOAT";
      case DOUBLE -> "DOUBLE";
    };
  }

  private void register() throws SQLException {
    MemorySegment function = connection.arena().allocate(ADDRESS);
    MemorySegment made = calling(() -> (MemorySegment) CREATE.invokeExact());
    function.set(ADDRESS, 0, made);
    take(NAME, made, connection.arena().allocateFrom(PUT));
    type(PARAMETER, made, DuckDbChunks.number(ElementType.LONG));
    for (Column column : columns) {
      type(PARAMETER, made, DuckDbChunks.number(column.type()));
    }
    type(RETURNS, made, TINYINT);
    destroy(VOLATILE, made);
    destroy(WITH_NULLS, made);
    take(FUNCTION, made, stub());
    int failed = calling(() -> (int) REGISTER.invokeExact(connection.address(), made));
    destroy(DESTROY_FUNCTION, function);
    if (failed != 0) {
      throw new SQLException("the driver takes no function");
    }
  }

  private MemorySegment stub() {
    MethodHandle put =
        calling(
            () ->
                MethodHandles.lookup()
                    .bind(
                        this,
                        "put",
                        MethodType.methodType(
                            void.class,
                            MemorySegment.class,
                            MemorySegment.class,
                            MemorySegment.class)));
    return Linker.nativeLinker()
        .upcallStub(put, FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, ADDRESS), connection.arena());
  }

  private static void take(MethodHandle function, MemorySegment what, MemorySegment value) {
    var _ =
        calling(
            () -> {
              function.invokeExact(what, value);
              return true;
            });
  }

  private void type(MethodHandle function, MemorySegment what, int number) {
    MemorySegment type = connection.arena().allocate(ADDRESS);
    type.set(ADDRESS, 0, calling(() -> (MemorySegment) TYPE.invokeExact(number)));
    take(function, what, type.get(ADDRESS, 0));
    destroy(DESTROY_TYPE, type);
  }

  /** What DuckDB's threads call; nothing may be thrown there. */
  private void put(MemorySegment info, MemorySegment chunk, MemorySegment output) {
    try {
      int rows = DuckDbChunks.rows(chunk);
      MemorySegment numbers = DuckDbChunks.values(chunk, 1, ElementType.LONG, rows);
      long first = numbers.get(JAVA_LONG, 0);
      if (numbers.getAtIndex(JAVA_LONG, rows - 1) - first != rows - 1) {
        throw new SQLException("rows are not in their order");
      }
      for (int i = 0; i < columns.size(); i++) {
        Column column = columns.get(i);
        column.set(
            Math.toIntExact(first),
            DuckDbChunks.values(chunk, i + 2, column.type(), rows),
            DuckDbChunks.valid(chunk, i + 2, rows),
            rows);
      }
      DuckDbChunks.data(output).reinterpret(rows).fill((byte) 0);
      count.addAndGet(rows);
    } catch (Throwable e) {
      take(ERROR, info, connection.arena().allocateFrom(String.valueOf(e)));
    }
  }
}
