package funnel.columns;

import static funnel.columns.DuckDbConnection.DESTROYS;
import static funnel.columns.DuckDbConnection.DOES;
import static funnel.columns.DuckDbConnection.DOES_WITH;
import static funnel.columns.DuckDbConnection.OF;
import static funnel.columns.DuckDbConnection.RESULT;
import static funnel.columns.DuckDbConnection.calling;
import static funnel.columns.DuckDbConnection.destroy;
import static funnel.columns.DuckDbConnection.function;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import funnel.columns.Column.Header;
import funnel.operator.ElementType;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
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
   */

  private static final MemorySegment ANYWHERE = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  private static final int TEXT_BYTES = 16;

  /* DuckDB's numbers of types. */
  private static final int BOOLEAN = 1;
  private static final int INTEGER = 4;
  private static final int BIGINT = 5;
  private static final int FLOAT = 10;
  private static final int DOUBLE = 11;
  private static final int VARCHAR = 17;

  private static final FunctionDescriptor AT = FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG);

  private static final MethodHandle PREPARE = function("prepare", DOES_WITH);
  private static final MethodHandle COLUMN_TYPE =
      function(
          "prepared_statement_column_type", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle EXECUTE = function("execute_prepared_streaming", DOES);
  private static final MethodHandle FETCH =
      function("fetch_chunk", FunctionDescriptor.of(ADDRESS, RESULT));
  private static final MethodHandle SIZE =
      function("data_chunk_get_size", FunctionDescriptor.of(JAVA_LONG, ADDRESS));
  private static final MethodHandle VECTOR = function("data_chunk_get_vector", AT);
  private static final MethodHandle DATA = function("vector_get_data", OF);
  private static final MethodHandle VALIDITY = function("vector_get_validity", OF);
  private static final MethodHandle DESTROY_CHUNK = function("destroy_data_chunk", DESTROYS);
  private static final MethodHandle DESTROY_PREPARED = function("destroy_prepare", DESTROYS);

  private final DuckDbConnection connection;
  private final MemorySegment prepared;
  private final MemorySegment result;
  private final MemorySegment chunk;

  private DuckDbChunks(DuckDbConnection connection) {
    this.connection = connection;
    prepared = connection.arena().allocate(ADDRESS);
    result = connection.arena().allocate(RESULT);
    chunk = connection.arena().allocate(ADDRESS);
  }

  /**
   * Prepares a query.
   *
   * @return null if the driver must run it, for which it may be several statements, or say what is
   *     wrong with it
   */
  static @Nullable DuckDbChunks of(DuckDbConnection connection, String sql) {
    DuckDbChunks chunks = new DuckDbChunks(connection);
    MemorySegment text = connection.arena().allocateFrom(sql);
    if (calling(() -> (int) PREPARE.invokeExact(connection.address(), text, chunks.prepared))
        == 0) {
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
    if (calling(() -> (int) EXECUTE.invokeExact(prepared.get(ADDRESS, 0), result)) != 0) {
      throw new SQLException(connection.error(result));
    }
    return true;
  }

  /** Whether a column's values are as a {@link Column} keeps them. */
  private boolean isRead(Header header) {
    int type = type(header.at());
    return (header.odd() == 0 || type(header.odd()) == BOOLEAN) && type == number(header.type());
  }

  /** DuckDB's number of a type. */
  static int number(@Nullable ElementType type) {
    return switch (type) {
      case null -> VARCHAR;
      case BYTE, INT -> INTEGER;
      case LONG -> BIGINT;
      case FLOAT -> FLOAT;
      case DOUBLE -> DOUBLE;
    };
  }

  /** The type of a column, from 1. */
  private int type(int column) {
    return calling(() -> (int) COLUMN_TYPE.invokeExact(prepared.get(ADDRESS, 0), column - 1L));
  }

  /**
   * Goes to the next chunk.
   *
   * @return its rows; 0 after the last one
   */
  int next() throws SQLException {
    free();
    MemorySegment next = calling(() -> (MemorySegment) FETCH.invokeExact(result));
    chunk.set(ADDRESS, 0, next);
    if (next.address() != 0) {
      return rows(next);
    }
    String error = connection.error(result);
    if (!error.isEmpty()) {
      throw new SQLException(error);
    }
    return 0;
  }

  private void free() {
    if (chunk.get(ADDRESS, 0).address() != 0) {
      destroy(DESTROY_CHUNK, chunk);
    }
  }

  /** The values of a column, from 1: until the next chunk. */
  MemorySegment values(int column, @Nullable ElementType type, int rows) {
    return values(chunk.get(ADDRESS, 0), column, type, rows);
  }

  /** A bit for each row that has a value, from the lowest of each long on; null if all have. */
  @Nullable MemorySegment valid(int column, int rows) {
    return valid(chunk.get(ADDRESS, 0), column, rows);
  }

  /** The number of rows of a chunk. */
  static int rows(MemorySegment chunk) {
    return Math.toIntExact(calling(() -> (long) SIZE.invokeExact(chunk)));
  }

  private static MemorySegment vector(MemorySegment chunk, int column) {
    return calling(() -> (MemorySegment) VECTOR.invokeExact(chunk, column - 1L));
  }

  /** The values of a column of a chunk. */
  static MemorySegment values(
      MemorySegment chunk, int column, @Nullable ElementType type, int rows) {
    return data(vector(chunk, column)).reinterpret((long) rows * bytes(type));
  }

  /** The values of a vector. */
  static MemorySegment data(MemorySegment vector) {
    return calling(() -> (MemorySegment) DATA.invokeExact(vector));
  }

  private static int bytes(@Nullable ElementType type) {
    return type == null ? TEXT_BYTES : type.bytes();
  }

  /** The bits of a column of a chunk. */
  static @Nullable MemorySegment valid(MemorySegment chunk, int column, int rows) {
    MemorySegment vector = vector(chunk, column);
    MemorySegment bits = calling(() -> (MemorySegment) VALIDITY.invokeExact(vector));
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

  /** A text as a string. */
  static String text(MemorySegment texts, int row) {
    byte[] text = new byte[length(texts, row)];
    copy(texts, row, text.length, text, 0);
    return new String(text, StandardCharsets.UTF_8);
  }

  /** Copies a text of so many bytes. */
  static void copy(MemorySegment texts, int row, int length, byte[] into, int at) {
    long text = (long) row * TEXT_BYTES;
    boolean isThere = length <= TEXT_BYTES - Integer.BYTES;
    MemorySegment from = isThere ? texts : ANYWHERE;
    long begin = isThere ? text + Integer.BYTES : texts.get(JAVA_LONG, text + Long.BYTES);
    MemorySegment.copy(from, java.lang.foreign.ValueLayout.JAVA_BYTE, begin, into, at, length);
  }

  /** Frees the query, and leaves the connection open. */
  @Override
  public void close() {
    free();
    connection.release(result);
    destroy(DESTROY_PREPARED, prepared);
  }
}
