package funnel.columns;

import funnel.columns.Column.Header;
import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * Columns of plain numbers of a CSV file, by all cores.
 *
 * @param separator what is between fields
 * @param hasNames whether the first line has the columns' names
 * @param headers the columns to read, of longs or doubles
 * @param columns for each field of a line its index among these; -1 for one that is not read
 */
record CsvNumbers(
    Path file, byte separator, boolean hasNames, List<Header> headers, int[] columns) {

  /* DuckDB must read integers as text, since its cast would round 2.5, and lines into a table, since
   * they have no numbers: this took four times as long. Read here is only what most files have:
   * lines without quotes, in which all fields of these columns are numbers of digits. Where there is
   * anything else, such as a missing value, nothing is read here, and DuckDB looks at it.
   */

  private static final int PART = 4 << 20;
  private static final int LONGEST_LINE = 1 << 16;

  /** So many digits are a long. */
  private static final int LONG_DIGITS = 18;

  /** So many digits are a double, and so is their quotient by such a power of ten, if rounded. */
  private static final int DOUBLE_DIGITS = 15;

  private static final double[] POWERS =
      IntStream.rangeClosed(0, 22).mapToDouble(n -> Double.parseDouble("1e" + n)).toArray();

  /** Whether a column may be read here. */
  static boolean isRead(Header header) {
    return header.type() == ElementType.LONG && !header.isBig()
        || header.type() == ElementType.DOUBLE;
  }

  /**
   * Reads all rows.
   *
   * @param most the maximum number of rows
   * @return nothing if DuckDB must read them
   */
  Optional<List<Column>> read(long most) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      long size = channel.size();
      long begin = hasNames ? afterNames(bytes(channel, 0, Math.min(size, LONGEST_LINE))) : 0;
      if (begin < 0) {
        return Optional.empty();
      }
      Part[] parts = new Part[Math.toIntExact(Math.ceilDiv(size - begin, (long) PART))];
      AtomicBoolean isOdd = new AtomicBoolean();
      ParallelRows.deal(
          parts.length,
          number -> {
            parts[number] = new Part();
            if (!isOdd.get() && !parts[number].read(channel, begin, size, number)) {
              isOdd.set(true);
            }
          });
      long rows = Arrays.stream(parts).mapToLong(part -> part.rows).sum();
      return isOdd.get() || rows > most ? Optional.empty() : Optional.of(joined(parts, (int) rows));
    } catch (UncheckedIOException e) {
      throw Objects.requireNonNull(e.getCause(), "cause");
    }
  }

  private static byte[] bytes(FileChannel channel, long from, long length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) length + 1); // and one for the end of a line
    bytes.limit((int) length);
    while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {}
    bytes.array()[bytes.position()] = '\n';
    return bytes.hasRemaining() ? new byte[0] : bytes.array();
  }

  /** The beginning of the second line; -1 if the first is no plain line of names. */
  private int afterNames(byte[] bytes) {
    int fields = 1;
    for (int i = 0; i < bytes.length - 1; i++) {
      if (bytes[i] == '\n') {
        return i > 0 && fields == columns.length ? i + 1 : -1;
      }
      if (bytes[i] == '"') {
        return -1;
      }
      fields += bytes[i] == separator ? 1 : 0;
    }
    return -1;
  }

  private List<Column> joined(Part[] parts, int rows) {
    List<Column> all = headers.stream().map(header -> Column.of(header, rows)).toList();
    int[] first = new int[parts.length];
    for (int p = 1; p < parts.length; p++) {
      first[p] = first[p - 1] + parts[p - 1].rows;
    }
    ParallelRows.deal(
        parts.length,
        p -> {
          for (int c = 0; c < all.size(); c++) {
            Part part = parts[p];
            MemorySegment values =
                part.doubles[c] == null
                    ? MemorySegment.ofArray(part.longs[c])
                    : MemorySegment.ofArray(part.doubles[c]);
            all.get(c).set(first[p], values, null, part.rows);
          }
        });
    return all;
  }

  /** The lines that begin in some megabytes of the file. */
  private final class Part {
    private final long[][] longs = new long[headers.size()][];
    private final double[][] doubles = new double[headers.size()][];
    private byte[] bytes = {};
    private int room = Math.ceilDiv(PART, 8 * columns.length);
    private int rows;

    Part() {
      for (int c = 0; c < headers.size(); c++) {
        if (headers.get(c).type() == ElementType.LONG) {
          longs[c] = new long[room];
        } else {
          doubles[c] = new double[room];
        }
      }
    }

    /** Reads them, and returns whether all are plain. */
    boolean read(FileChannel channel, long begin, long size, int number) {
      long from = begin + (long) number * PART;
      long first = number == 0 ? from : from - 1; // there may be the end of a line before
      int length = (int) Math.min(size - first, PART + LONGEST_LINE);
      try {
        bytes = bytes(channel, first, length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (bytes.length == 0) {
        return false;
      }
      int at = 0;
      if (number > 0) {
        while (bytes[at++] != '\n') {}
      }
      int end = (int) Math.min(length, from + PART - first);
      while (at >= 0 && at < end) {
        at = line(at);
      }
      bytes = new byte[0];
      return at >= 0 && (at <= length || first + length == size);
    }

    /** Reads a line, and returns the beginning of the next one; -1 if it is not plain. */
    private int line(int begin) {
      if (rows == room) {
        grow();
      }
      int at = begin;
      for (int f = 0; f < columns.length; f++) {
        at = columns[f] < 0 ? skip(at) : number(at, columns[f]);
        boolean isLast = f == columns.length - 1;
        if (isLast && at >= 0 && bytes[at] == '\r') {
          at++;
        }
        if (at < 0 || bytes[at] != (isLast ? '\n' : separator)) {
          return -1;
        }
        at++;
      }
      rows++;
      return at;
    }

    private int skip(int begin) {
      int at = begin;
      while (bytes[at] != separator && bytes[at] != '\n' && bytes[at] != '\r') {
        if (bytes[at++] == '"') {
          return -1;
        }
      }
      return at;
    }

    /** Reads a number, and returns where it ends; -1 if it is not plain. */
    private int number(int begin, int column) {
      byte[] text = bytes;
      boolean isNegative = text[begin] == '-';
      int first = isNegative ? begin + 1 : begin;
      int at = first;
      long digits = 0;
      while (text[at] >= '0' && text[at] <= '9') {
        digits = 10 * digits + text[at++] - '0';
      }
      int count = at - first;
      if (count == 0 || count > 1 && text[first] == '0') {
        return -1;
      }
      if (doubles[column] == null) {
        longs[column][rows] = isNegative ? -digits : digits;
        return count <= LONG_DIGITS ? at : -1;
      }
      int fraction = 0;
      if (text[at] == '.') {
        int point = at++;
        while (text[at] >= '0' && text[at] <= '9') {
          digits = 10 * digits + text[at++] - '0';
        }
        fraction = at - point - 1;
        if (fraction == 0) {
          return -1;
        }
      }
      boolean isPlain = (text[at] | 0x20) != 'e';
      if (!isPlain || count + fraction > DOUBLE_DIGITS) {
        return exact(begin, at, isPlain, column);
      }
      double value = digits / POWERS[fraction];
      doubles[column][rows] = isNegative ? -value : value;
      return at;
    }

    /** Reads a double of many digits, or with an exponent, which begins at {@code end}. */
    private int exact(int begin, int end, boolean isPlain, int column) {
      int at = end;
      if (!isPlain) {
        at += bytes[at + 1] == '-' || bytes[at + 1] == '+' ? 2 : 1;
        int exponent = at;
        while (bytes[at] >= '0' && bytes[at] <= '9') {
          at++;
        }
        if (at == exponent) {
          return -1;
        }
      }
      String text = new String(bytes, begin, at - begin, StandardCharsets.ISO_8859_1);
      doubles[column][rows] = Double.parseDouble(text);
      return Double.isFinite(doubles[column][rows]) ? at : -1;
    }

    private void grow() {
      room *= 2;
      for (int c = 0; c < headers.size(); c++) {
        if (doubles[c] == null) {
          longs[c] = Arrays.copyOf(longs[c], room);
        } else {
          doubles[c] = Arrays.copyOf(doubles[c], room);
        }
      }
    }
  }
}
