package funnel.cli;

import funnel.columns.ColumnTypeException;
import funnel.columns.Columns;
import funnel.columns.Rows;
import funnel.file.Progress;
import funnel.file.WholeFile;
import funnel.io.ElementFile;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A column of a CSV or Parquet file, as mapped elements like those of other files. */
final class TableFile {

  private static final int PIECE = 1 << 20;
  private static final String PARQUET = ".parquet";

  /** From here on doubles do not hold all integers. */
  private static final double LARGEST_EXACT = 1L << 53;

  private TableFile() {}

  /** Whether a file is such a file, by its name. */
  static boolean isTable(Path file) {
    String name = name(file);
    return name.endsWith(PARQUET) || name.endsWith(".csv");
  }

  private static String name(Path file) {
    return file.toString().toLowerCase(Locale.ROOT);
  }

  /**
   * Copies a column piece by piece to a file that has no name, so that it may be larger than
   * memory.
   *
   * @param type the type of the elements, or null for the smallest that fits all of them
   * @param missing the number of that type for missing values, or null to refuse them
   * @param isQuiet whether no progress is shown
   * @throws funnel.columns.ColumnException if the column does not exist or cannot be read as this
   *     type
   */
  static ElementFile open(
      Path file, String column, ElementType type, @Nullable Number missing, boolean isQuiet)
      throws IOException {
    Columns columns = columns(file);
    long rows =
        name(file).endsWith(PARQUET) ? columns.count() : 0; // for a CSV this would read the file
    Path copy = Files.createTempFile("funnel-column", ".bin");
    Arena arena = Arena.ofShared();
    try (FileChannel channel =
            FileChannel.open(
                copy,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
        Progress progress = new Progress("reading " + column, rows, !isQuiet)) {
      columns.forEach(
          PIECE,
          piece -> {
            MemorySegment elements = elements(piece, column, type, missing);
            write(channel, ByteBuffer.wrap(elements.toArray(ValueLayout.JAVA_BYTE)), copy);
            progress.step(piece.length());
          },
          column);
      MemorySegment all = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
      return ElementFile.of(file, type, all, arena);
    } catch (Throwable e) {
      arena.close();
      throw e;
    }
  }

  /** Writes all of the bytes to a file, which an exception names. */
  static void write(FileChannel channel, ByteBuffer bytes, Path file) throws IOException {
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw WholeFile.failed(file, "written", e);
    }
  }

  /**
   * The same as doubles, if the column's own type does not hold all of its values, but a double
   * holds each: a CSV file's type is that of its first lines, and 2.5 may follow integers.
   */
  static ElementFile openWidest(
      Path file, String column, ElementType type, @Nullable Number missing, boolean isQuiet)
      throws IOException {
    try {
      return open(file, column, type, missing, isQuiet);
    } catch (ColumnTypeException e) {
      if (e.other().orElse(type) == type) {
        throw e;
      }
      ElementFile doubles = open(file, column, ElementType.DOUBLE, missing, isQuiet);
      MemorySegment all = doubles.piece(0, doubles.length());
      for (long i = 0; i < doubles.length(); i++) {
        double value = all.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
        if (Math.abs(value) >= LARGEST_EXACT && Double.isFinite(value)) {
          doubles.close();
          throw e;
        }
      }
      return doubles;
    }
  }

  static Columns columns(Path file) {
    return name(file).endsWith(PARQUET) ? Columns.parquet(file) : Columns.csv(file);
  }

  private static MemorySegment elements(
      Rows rows, String column, ElementType type, @Nullable Number missing) throws IOException {
    return switch (type) {
      case BYTE -> throw new IllegalArgumentException("bytes of column " + column);
      case INT ->
          MemorySegment.ofArray(
              missing == null ? rows.ints(column) : rows.ints(column, missing.intValue()));
      case LONG ->
          MemorySegment.ofArray(
              missing == null ? rows.longs(column) : rows.longs(column, missing.longValue()));
      case FLOAT ->
          MemorySegment.ofArray(
              missing == null ? rows.floats(column) : rows.floats(column, missing.floatValue()));
      case DOUBLE ->
          MemorySegment.ofArray(
              missing == null ? rows.doubles(column) : rows.doubles(column, missing.doubleValue()));
    };
  }
}
