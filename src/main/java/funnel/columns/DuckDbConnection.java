package funnel.columns;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import funnel.operator.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection to an empty database, of its own or kept, through DuckDB's C interface, which the
 * driver's native library exports.
 */
@SuppressWarnings("restricted") // what DuckDB is called with is stated here alone
final class DuckDbConnection implements AutoCloseable {

  /* The library is there for the class loader that loaded the driver. If that is another one than
   * ours, or the library is of a driver without these functions, the driver's rows are read.
   *
   * A new database takes new memory for all that a file is read with, which a virtual machine's
   * system hands out slowly, and starts its threads: reading takes up to four times as long. So one
   * database stays for the files that are read completely. What is read there are temporary tables
   * of a connection; queries of users have a database of their own.
   */

  static final StructLayout RESULT =
      MemoryLayout.structLayout(JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS);

  static final FunctionDescriptor DESTROYS = FunctionDescriptor.ofVoid(ADDRESS);
  static final FunctionDescriptor OF = FunctionDescriptor.of(ADDRESS, ADDRESS);
  static final FunctionDescriptor DOES = FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS);
  static final FunctionDescriptor DOES_WITH =
      FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS);

  private static final @Nullable Functions FUNCTIONS =
      SymbolLookup.loaderLookup().find("duckdb_execute_prepared_streaming").isEmpty()
          ? null
          : new Functions(
              function("open", DOES),
              function("connect", DOES),
              function("query", DOES_WITH),
              function("result_error", OF),
              function("destroy_result", DESTROYS),
              function("disconnect", DESTROYS),
              function("close", DESTROYS));

  /** DuckDB's functions, without their prefix. */
  private record Functions(
      MethodHandle open,
      MethodHandle connect,
      MethodHandle query,
      MethodHandle error,
      MethodHandle destroyResult,
      MethodHandle disconnect,
      MethodHandle close) {}

  /** One of DuckDB's functions by its name without the prefix. */
  static MethodHandle function(String name, FunctionDescriptor descriptor) {
    return Linker.nativeLinker()
        .downcallHandle(SymbolLookup.loaderLookup().findOrThrow("duckdb_" + name), descriptor);
  }

  /** A call of a function. */
  interface Call<T> {
    T call() throws Throwable;
  }

  static <T> T calling(Call<T> call) {
    try {
      return call.call();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Calls a function that takes something only. */
  static void destroy(MethodHandle function, MemorySegment what) {
    var _ =
        calling(
            () -> {
              function.invokeExact(what);
              return true;
            });
  }

  private static @Nullable DuckDbConnection kept;

  private final Functions functions;
  private final boolean isOfKept;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment database;
  private final MemorySegment connection = arena.allocate(ADDRESS);
  private final MemorySegment result = arena.allocate(RESULT);

  private DuckDbConnection(Functions functions, @Nullable DuckDbConnection of) {
    this.functions = functions;
    isOfKept = of != null;
    database = of == null ? arena.allocate(ADDRESS) : of.database;
  }

  /**
   * Opens one to a database of its own, after the driver has been loaded.
   *
   * @return null if there is no such interface
   */
  static @Nullable DuckDbConnection open() {
    return FUNCTIONS == null ? null : new DuckDbConnection(FUNCTIONS, null).opened();
  }

  /**
   * Opens one to the database that is kept, which has the functions of {@link DuckDbScan}, after
   * the driver has been loaded.
   *
   * @return null if there is no such interface
   */
  static synchronized @Nullable DuckDbConnection openKept() throws SQLException {
    if (FUNCTIONS == null) {
      return null;
    }
    if (kept == null) {
      DuckDbConnection first = open();
      if (first == null) {
        return null;
      }
      try {
        first.run(Columns.KEEPS_NOTHING);
        DuckDbScan.register(first);
      } catch (SQLException e) {
        first.close();
        throw e;
      }
      kept = first;
    }
    return new DuckDbConnection(FUNCTIONS, kept).opened();
  }

  private @Nullable DuckDbConnection opened() {
    boolean isOpen =
        calling(
            () ->
                (isOfKept || (int) functions.open.invokeExact(MemorySegment.NULL, database) == 0)
                    && (int) functions.connect.invokeExact(database.get(ADDRESS, 0), connection)
                        == 0);
    if (isOpen) {
      return this;
    }
    close();
    return null;
  }

  /** What functions take. */
  MemorySegment address() {
    return connection.get(ADDRESS, 0);
  }

  /** Memory until it is closed. */
  Arena arena() {
    return arena;
  }

  /** Runs a statement, or several, whose result is not needed. */
  void run(String sql) throws SQLException {
    int failed =
        calling(
            () -> (int) functions.query.invokeExact(address(), arena.allocateFrom(sql), result));
    String error = error(result);
    release(result);
    if (failed != 0) {
      throw new SQLException(error);
    }
  }

  /** The number of rows of a table. */
  long count(String table) throws SQLException {
    try (DuckDbChunks counted = DuckDbChunks.of(this, "SELECT count(*) FROM " + table)) {
      return counted != null && counted.begins(List.of()) && counted.next() > 0
          ? counted.values(1, ElementType.LONG, 1).get(JAVA_LONG, 0)
          : 0;
    }
  }

  /** The rows of a query whose columns are texts. */
  List<List<String>> texts(String sql, int columns) throws SQLException {
    List<List<String>> all = new ArrayList<>();
    try (DuckDbChunks chunks = DuckDbChunks.of(this, sql)) {
      if (chunks == null || !chunks.begins(List.of())) {
        throw new SQLException("not prepared: " + sql);
      }
      for (int rows = chunks.next(); rows > 0; rows = chunks.next()) {
        for (int row = 0; row < rows; row++) {
          List<String> texts = new ArrayList<>();
          for (int column = 1; column <= columns; column++) {
            texts.add(DuckDbChunks.text(chunks.values(column, null, rows), row));
          }
          all.add(texts);
        }
      }
    }
    return all;
  }

  /** What was wrong with a result; empty if nothing was. */
  String error(MemorySegment result) {
    MemorySegment text = calling(() -> (MemorySegment) functions.error.invokeExact(result));
    return text.address() == 0 ? "" : text.reinterpret(Long.MAX_VALUE).getString(0);
  }

  /** Frees a result. */
  void release(MemorySegment result) {
    destroy(functions.destroyResult, result);
  }

  @Override
  public void close() {
    destroy(functions.disconnect, connection);
    if (!isOfKept) {
      destroy(functions.close, database);
    }
    arena.close();
  }
}
