package funnel.cli;

import funnel.columns.ColumnTypeException;
import funnel.columns.Columns;
import funnel.columns.Rows;
import funnel.file.Progress;
import funnel.group.Dictionary;
import funnel.io.ElementFile;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Columns of a table, as elements like those of other files. */
final class TableFile {

  private static final int PIECE = 1 << 20;
  private static final int MOST = Integer.MAX_VALUE - 8;

  /** The bytes of a text whose lines say how long others are. */
  private static final int SAMPLE = 1 << 20;

  /** From here on doubles do not hold all integers. */
  private static final double LARGEST_EXACT = 1L << 53;

  private final Path file;
  private final FileFormat format;
  private final Columns columns;

  /**
   * A table.
   *
   * @param file the file that messages name
   * @param columns its columns
   */
  TableFile(Path file, FileFormat format, Columns columns) {
    this.file = file;
    this.format = format;
    this.columns = columns;
  }

  /**
   * A column to read.
   *
   * @param type of its elements; null if it has texts, whose numbers are read
   * @param missing the number of that type for missing values, or null to refuse them
   * @param isOwn whether it may be read as doubles if it has others
   */
  record Wanted(String name, @Nullable ElementType type, @Nullable Number missing, boolean isOwn) {

    Wanted as(ElementType other) {
      return new Wanted(name, other, missing == null ? null : missing.doubleValue(), false);
    }
  }

  /**
   * A column that was read.
   *
   * @param texts the texts at the indices of its elements; empty if it has numbers
   */
  record Read(ElementFile elements, List<String> texts) {}

  /**
   * Reads columns into the heap, or, if they fill more than a quarter of it, piece by piece into
   * files, so that they may be larger than memory. If a column's own type does not hold all of its
   * values, but a double holds each, it is read as doubles: a CSV file's type is that of its first
   * lines, and 2.5 may follow integers.
   *
   * @param isQuiet whether no progress is shown
   * @throws funnel.columns.ColumnException if a column does not exist or cannot be read as its type
   */
  List<Read> read(List<Wanted> wanted, boolean isQuiet) throws IOException {
    List<Wanted> all = new ArrayList<>(wanted);
    Map<Integer, ColumnTypeException> reasons = new HashMap<>();
    while (true) {
      List<Piecewise> parts = new ArrayList<>();
      try {
        for (Wanted column : all) {
          parts.add(new Piecewise(file, column));
        }
        copy(parts, isQuiet);
        List<Read> read = new ArrayList<>();
        for (int c = 0; c < parts.size(); c++) {
          ElementFile elements = parts.get(c).copy.end();
          read.add(new Read(elements, List.copyOf(parts.get(c).texts.keySet())));
          if (reasons.containsKey(c) && !isExact(elements)) {
            ElementCopy.close(read.stream().map(Read::elements));
            throw reasons.get(c);
          }
        }
        return read;
      } catch (PieceException e) {
        int at = parts.indexOf(e.part);
        if (!all.get(at).isOwn()
            || e.reason.other().orElse(all.get(at).type()) == all.get(at).type()) {
          throw e.reason;
        }
        reasons.put(at, e.reason);
        all.set(at, all.get(at).as(ElementType.DOUBLE));
      } finally {
        for (Piecewise part : parts) {
          part.copy.close();
        }
      }
    }
  }

  private void copy(List<Piecewise> parts, boolean isQuiet) throws IOException {
    String[] names =
        parts.stream().map(part -> part.column.name()).distinct().toArray(String[]::new);
    boolean isCounted = format == FileFormat.PARQUET; // else it would be read for this
    long rows = isCounted ? columns.count() : 0;
    long numbers = (isCounted ? rows : lines()) * names.length;
    boolean fits = numbers * Long.BYTES <= Runtime.getRuntime().maxMemory() / 4;
    String what = "reading " + String.join(", ", names);
    try (Progress progress = new Progress(what, rows, !isQuiet)) {
      columns.forEach(
          fits ? MOST : PIECE,
          piece -> {
            for (Piecewise part : parts) {
              part.add(piece);
            }
            progress.step(piece.length());
          },
          names);
    }
  }

  /** The number of lines of a text, if all are as long as the first ones. */
  private long lines() throws IOException {
    byte[] first;
    try (InputStream in = Files.newInputStream(file)) {
      first = in.readNBytes(SAMPLE);
    }
    long lines = 1;
    for (byte each : first) {
      lines += each == '\n' ? 1 : 0;
    }
    return lines * Math.ceilDiv(Files.size(file), Math.max(1, first.length));
  }

  private static boolean isExact(ElementFile doubles) throws IOException {
    MemorySegment all = doubles.piece(0, doubles.length());
    for (long i = 0; i < doubles.length(); i++) {
      double value = all.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
      if (Math.abs(value) >= LARGEST_EXACT && Double.isFinite(value)) {
        return false;
      }
    }
    return true;
  }

  /** A column of a piece cannot be read. */
  private static final class PieceException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Piecewise part;
    private final transient ColumnTypeException reason;

    PieceException(Piecewise part, ColumnTypeException reason) {
      super(reason);
      this.part = part;
      this.reason = reason;
    }
  }

  /** A column that is read piece by piece. */
  private static final class Piecewise {
    private final Wanted column;
    private final ElementCopy copy;
    private final Map<String, Integer> texts = new LinkedHashMap<>();

    Piecewise(Path file, Wanted column) {
      this.column = column;
      copy = new ElementCopy(file, column.type() == null ? ElementType.INT : column.type());
    }

    void add(Rows rows) throws IOException {
      try {
        copy.add(column.type() == null ? keys(rows) : elements(rows, column.type()));
      } catch (ColumnTypeException e) {
        throw new PieceException(this, e);
      }
    }

    private MemorySegment keys(Rows rows) throws IOException {
      Dictionary.Encoded<String> encoded = rows.encoded(column.name());
      List<String> items = encoded.dictionary().items();
      int[] known = new int[items.size()];
      for (int i = 0; i < known.length; i++) {
        Integer key = texts.putIfAbsent(items.get(i), texts.size());
        known[i] = key == null ? texts.size() - 1 : key;
      }
      int[] keys = encoded.keys();
      for (int i = 0; i < keys.length; i++) {
        keys[i] = known[keys[i]];
      }
      return MemorySegment.ofArray(keys);
    }

    private MemorySegment elements(Rows rows, ElementType type) throws IOException {
      String name = column.name();
      Number missing = column.missing();
      return switch (type) {
        case BYTE -> throw new IllegalArgumentException("bytes of column " + name);
        case ElementType _ when column.isOwn() && missing == null -> rows.numbers(name);
        case INT ->
            MemorySegment.ofArray(
                missing == null ? rows.ints(name) : rows.ints(name, missing.intValue()));
        case LONG ->
            MemorySegment.ofArray(
                missing == null ? rows.longs(name) : rows.longs(name, missing.longValue()));
        case FLOAT ->
            MemorySegment.ofArray(
                missing == null ? rows.floats(name) : rows.floats(name, missing.floatValue()));
        case DOUBLE ->
            MemorySegment.ofArray(
                missing == null ? rows.doubles(name) : rows.doubles(name, missing.doubleValue()));
      };
    }
  }
}
