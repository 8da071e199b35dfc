package funnel.columns;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import funnel.columns.Column.Header;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a query in chunks of some thousand rows, whose columns are read where DuckDB has
 * them: through its C interface, which the driver's native library exports.
 */
@SuppressWarnings("restricted") // what DuckDB is called with is stated here alone
final class DuckDbChunks implements AutoCloseable {

  /* The driver's rows take longer than the query: each value is a call, and each text a new String
   * that is hashed to become a key. The driver's own interface of vectors is no faster, since it
   * checks type and position of each value again.
   *
   * The library is there for the class loader that loaded the driver. If that is another one than
   * ours, or the library is of a driver without these functions, the driver's rows are read.
   */

  private static final StructLayout RESULT =
      MemoryLayout.structLayout(JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS);

  private static final MemorySegment ANYWHERE = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  private static final int TEXT_BYTES = 16;

  /* DuckDB's numbers of types. */
  private static final int BOOLEAN = 1;
  private static final int INTEGER = 4;
  private static final int BIGINT = 5;
  private static final int FLOAT = 10;
  private static final int DOUBLE = 11;
  private static final int VARCHAR = 17;

  private static final @Nullable Functions FUNCTIONS = functions();

  /** DuckDB's functions, without their prefix. */
  private record Functions(
      MethodHandle open,
      MethodHandle connect,
      MethodHandle prepare,
      MethodHandle columnType,
      MethodHandle execute,
      MethodHandle fetch,
      MethodHandle error,
      MethodHandle size,
      MethodHandle vector,
      MethodHandle data,
      MethodHandle validity,
      MethodHandle destroyChunk,
      MethodHandle destroyResult,
      MethodHandle destroyPrepared,
      MethodHandle disconnect,
      MethodHandle close) {}

  private static @Nullable Functions functions() {
    SymbolLookup library = SymbolLookup.loaderLookup();
    if (library.find("duckdb_execute_prepared_streaming").isEmpty()) {
      return null;
    }
    FunctionDescriptor destroys = FunctionDescriptor.ofVoid(ADDRESS);
    FunctionDescriptor of = FunctionDescriptor.of(ADDRESS, ADDRESS);
    FunctionDescriptor does = FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS);
    return new Functions(
        function(library, "open", does),
        function(library, "connect", does),
        function(library, "prepare", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS)),
        function(
            library,
            "prepared_statement_column_type",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG)),
        function(library, "execute_prepared_streaming", does),
        function(library, "fetch_chunk", FunctionDescriptor.of(ADDRESS, RESULT)),
        function(library, "result_error", of),
        function(library, "data_chunk_get_size", FunctionDescriptor.of(JAVA_LONG, ADDRESS)),
        function(
            library, "data_chunk_get_vector", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG)),
        function(library, "vector_get_data", of),
        function(library, "vector_get_validity", of),
        function(library, "destroy_data_chunk", destroys),
        function(library, "destroy_result", destroys),
        function(library, "destroy_prepare", destroys),
        function(library, "disconnect", destroys),
        function(library, "close", destroys));
  }

  private static MethodHandle function(
      SymbolLookup library, String name, FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(library.findOrThrow("duckdb_" + name), descriptor);
  }

  private final Functions functions;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment database = arena.allocate(ADDRESS);
  private final MemorySegment connection = arena.allocate(ADDRESS);
  private final MemorySegment prepared = arena.allocate(ADDRESS);
  private final MemorySegment result = arena.allocate(RESULT);
  private final MemorySegment chunk = arena.allocate(ADDRESS);

  private DuckDbChunks(Functions functions) {
    this.functions = functions;
  }

  private interface Call<T> {
    T call() throws Throwable;
  }

  private static <T> T calling(Call<T> call) {
    try {
      return call.call();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Prepares a query in an empty database of its own, after the driver has been loaded.
   *
   * @return null if the driver must run it, for which it may be several statements, or say what is
   *     wrong with it
   */
  static @Nullable DuckDbChunks of(String sql) {
    if (FUNCTIONS == null) {
      return null;
    }
    DuckDbChunks chunks = new DuckDbChunks(FUNCTIONS);
    if (chunks.isPrepared(sql)) {
      return chunks;
    }
    chunks.close();
    return null;
  }

  /** Begins the query, unless there is a column that the driver must read. */
  boolean begins(List<Header> headers) throws SQLException {
    if (!headers.stream().allMatch(this::isRead)) {
      return false;
    }
    int failed =
        calling(() -> (int) functions.execute.invokeExact(prepared.get(ADDRESS, 0), result));
    if (failed != 0) {
      throw new SQLException(error());
    }
    return true;
  }

  private boolean isPrepared(String sql) {
    return calling(
        () ->
            (int) functions.open.invokeExact(MemorySegment.NULL, database) == 0
                && (int) functions.connect.invokeExact(database.get(ADDRESS, 0), connection) == 0
                && (int)
                        functions.prepare.invokeExact(
                            connection.get(ADDRESS, 0), arena.allocateFrom(sql), prepared)
                    == 0);
  }

  /** Whether a column's values are as a {@link Column} keeps them. */
  private boolean isRead(Header header) {
    int type = type(header.at());
    return (header.odd() == 0 || type(header.odd()) == BOOLEAN)
        && switch (header.type()) {
          case INT -> type == INTEGER;
          case LONG -> type == BIGINT;
          case FLOAT -> type == FLOAT;
          case DOUBLE -> type == DOUBLE;
          case null -> type == VARCHAR;
          default -> false;
        };
  }

  /** The type of a column, from 1. */
  private int type(int column) {
    return calling(
        () -> (int) functions.columnType.invokeExact(prepared.get(ADDRESS, 0), column - 1L));
  }

  /** What was wrong; empty if nothing was. */
  private String error() {
    MemorySegment text = calling(() -> (MemorySegment) functions.error.invokeExact(result));
    return text.address() == 0 ? "" : text.reinterpret(Long.MAX_VALUE).getString(0);
  }

  /**
   * Goes to the next chunk.
   *
   * @return its rows; 0 after the last one
   */
  int next() throws SQLException {
    free();
    MemorySegment next = calling(() -> (MemorySegment) functions.fetch.invokeExact(result));
    chunk.set(ADDRESS, 0, next);
    if (next.address() != 0) {
      return Math.toIntExact(calling(() -> (long) functions.size.invokeExact(next)));
    }
    String error = error();
    if (!error.isEmpty()) {
      throw new SQLException(error);
    }
    return 0;
  }

  private void free() {
    if (chunk.get(ADDRESS, 0).address() != 0) {
      destroy(functions.destroyChunk, chunk);
    }
  }

  private static void destroy(MethodHandle function, MemorySegment what) {
    var _ =
        calling(
            () -> {
              function.invokeExact(what);
              return true;
            });
  }

  private MemorySegment vector(int column) {
    return calling(
        () -> (MemorySegment) functions.vector.invokeExact(chunk.get(ADDRESS, 0), column - 1L));
  }

  /** The values of a column, from 1: until the next chunk. */
  MemorySegment values(int column, @Nullable ElementType type, int rows) {
    MemorySegment vector = vector(column);
    MemorySegment data = calling(() -> (MemorySegment) functions.data.invokeExact(vector));
    return data.reinterpret((long) rows * (type == null ? TEXT_BYTES : type.bytes()));
  }

  /** A bit for each row that has a value, from the lowest of each long on; null if all have. */
  @Nullable MemorySegment valid(int column, int rows) {
    MemorySegment vector = vector(column);
    MemorySegment bits = calling(() -> (MemorySegment) functions.validity.invokeExact(vector));
    return bits.address() == 0
        ? null
        : bits.reinterpret(Math.ceilDiv(rows, Long.SIZE) * (long) Long.BYTES);
  }

  static boolean isValid(MemorySegment valid, int row) {
    return (valid.getAtIndex(JAVA_LONG, row / Long.SIZE) >>> row & 1) == 1;
  }

  /** The number of bytes of a text. */
  static int length(MemorySegment texts, int row) {
    return texts.get(JAVA_INT, (long) row * TEXT_BYTES);
  }

  /** Copies a text of so many bytes. */
  static void copy(MemorySegment texts, int row, int length, byte[] into, int at) {
    long text = (long) row * TEXT_BYTES;
    boolean isThere = length <= TEXT_BYTES - Integer.BYTES;
    MemorySegment from = isThere ? texts : ANYWHERE;
    long begin = isThere ? text + Integer.BYTES : texts.get(JAVA_LONG, text + Long.BYTES);
    MemorySegment.copy(from, java.lang.foreign.ValueLayout.JAVA_BYTE, begin, into, at, length);
  }

  @Override
  public void close() {
    free();
    destroy(functions.destroyResult, result);
    destroy(functions.destroyPrepared, prepared);
    destroy(functions.disconnect, connection);
    destroy(functions.close, database);
    arena.close();
  }
}
