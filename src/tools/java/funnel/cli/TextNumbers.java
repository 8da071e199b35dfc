package funnel.cli;

import funnel.io.ElementFile;
import funnel.operator.ElementType;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Numbers of a text, with blanks or line feeds between them. */
final class TextNumbers {

  private static final int BLOCK = 1 << 16;

  /** Whole numbers of so few characters are doubles. */
  private static final int SURELY_EXACT = 15;

  private TextNumbers() {}

  /**
   * Copies the numbers: as int64, or as float64 if not all are whole.
   *
   * @param wanted the type to convert to; null for one of these
   * @throws IOException if a word is no such number, with its line
   */
  static ElementFile open(Path file, @Nullable FileType wanted) throws IOException {
    if (wanted != null) {
      return read(file, wanted.element());
    }
    try {
      return read(file, ElementType.LONG);
    } catch (FractionException e) {
      return read(file, ElementType.DOUBLE);
    }
  }

  /** A number is not whole. */
  private static final class FractionException extends IOException {
    private static final long serialVersionUID = 1L;

    FractionException(String message) {
      super(message);
    }
  }

  private static ElementFile read(Path file, ElementType type) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    try (BufferedReader in = Files.newBufferedReader(file);
        ElementCopy copy = new ElementCopy(file, type)) {
      long number = 0;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        number++;
        for (int at = next(line, 0); at < line.length(); ) {
          int end = at;
          while (end < line.length() && !Character.isWhitespace(line.charAt(end))) {
            end++;
          }
          if (block.remaining() < Long.BYTES) {
            pass(block, copy);
          }
          put(block, line.substring(at, end), type, file, number);
          at = next(line, end);
        }
      }
      pass(block, copy);
      return copy.end();
    }
  }

  private static int next(String line, int from) {
    int at = from;
    while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
      at++;
    }
    return at;
  }

  private static void pass(ByteBuffer block, ElementCopy copy) throws IOException {
    copy.add(MemorySegment.ofArray(Arrays.copyOf(block.array(), block.position())));
    block.clear();
  }

  private static void put(ByteBuffer to, String word, ElementType type, Path file, long line)
      throws IOException {
    try {
      switch (type) {
        case BYTE -> to.put(Numbers.parsed(word, type).byteValue());
        case INT -> to.putInt(Numbers.parsed(word, type).intValue());
        case LONG -> to.putLong(Long.parseLong(word));
        case FLOAT -> to.putFloat((float) number(word, ElementType.FLOAT));
        case DOUBLE -> to.putDouble(number(word, ElementType.DOUBLE));
      }
    } catch (NumberFormatException | ArithmeticException e) {
      boolean isNumber = FileFormat.NUMBER.matcher(word).matches();
      String message =
          "%s, line %s: '%s' %s %s"
              .formatted(file, line, word, isNumber ? "does not fit" : "is no", FileType.of(type));
      throw isNumber && type == ElementType.LONG
          ? new FractionException(message)
          : new IOException(message, e);
    }
  }

  private static double number(String word, ElementType type) {
    if (!FileFormat.NUMBER.matcher(word).matches()) {
      throw new NumberFormatException(word);
    }
    boolean isPlain =
        word.length() <= SURELY_EXACT && Character.isDigit(word.charAt(word.length() - 1));
    return type == ElementType.FLOAT || !isPlain
        ? Numbers.parsed(word, type).doubleValue()
        : Double.parseDouble(word);
  }
}
