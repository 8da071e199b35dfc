package funnel.io;

import static funnel.io.FileFormatException.excerpt;
import static java.util.Map.entry;

import funnel.operator.ElementType;
import funnel.operator.Storage;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The header of a {@code .npy} file.
 *
 * {@snippet class="funnel.docs.NpySnippets" region="header"}
 *
 * @param storage how the numbers are stored
 * @param fortranOrder whether the first index varies fastest in memory
 * @param shape the lengths of the dimensions; none for a single value
 * @param dataOffset where the data begins, in bytes
 */
public record NpyHeader(
    Storage<?> storage, boolean fortranOrder, List<Long> shape, long dataOffset) {

  /* The file: "\x93NUMPY", major and minor version, the header's length (2 bytes in version 1, 4
   * from version 2 on, little-endian), the header, the data. The header is a Python dictionary of
   * exactly three entries,
   *
   *   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
   *
   * padded with blanks and ended by a newline so that the data begins at a multiple of 64 (16 in
   * old files). Version 3 differs from 2 in being UTF-8, which matters to names of fields only.
   *
   * The dictionary is read token by token. Its grammar is what NumPy writes and people write by
   * hand: any order of entries, either quote, any blanks, trailing commas, and Python 2's 3L.
   */

  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final int VERSION_AT = MAGIC.length;
  private static final int LENGTH_AT = VERSION_AT + 2;
  private static final int ALIGNMENT = 64;

  /** NumPy itself distrusts headers over 10,000 bytes; ours have no fields, so they are short. */
  private static final int LONGEST_HEADER = 1 << 16;

  /** Bytes that hold every header that is read. */
  static final int LONGEST_BEGINNING = LENGTH_AT + 4 + LONGEST_HEADER;

  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:'([^'\\\\]*)'|\"([^\"\\\\]*)\"|(True|False)|(\\d+)L?|([{}(),:\\[\\]]))");

  private static final Map<String, Storage<?>> STORAGES =
      Map.ofEntries(
          entry("b1", Storage.BOOL),
          entry("i1", Storage.INT8),
          entry("u1", Storage.UINT8),
          entry("i2", Storage.INT16),
          entry("u2", Storage.UINT16),
          entry("i4", Storage.INT32),
          entry("u4", Storage.UINT32),
          entry("i8", Storage.INT64),
          entry("f2", Storage.FLOAT16),
          entry("f4", Storage.FLOAT32),
          entry("f8", Storage.FLOAT64));

  /** Copies the shape. */
  public NpyHeader {
    shape = List.copyOf(shape);
  }

  /** The type of the elements that the numbers are widened to. */
  public ElementType type() {
    return storage.elements();
  }

  /**
   * The number of elements.
   *
   * @throws ArithmeticException if it does not fit in a long
   */
  public long length() {
    return shape.contains(0L) ? 0 : shape.stream().reduce(1L, Math::multiplyExact);
  }

  /** A source of bytes that is read like {@link FileChannel#read(ByteBuffer, long)}. */
  interface Source {
    int read(ByteBuffer to, long position) throws IOException;
  }

  /** Whether a file begins like a {@code .npy} file. */
  static boolean isAtBeginningOf(FileChannel channel) throws IOException {
    return isAtBeginningOf(channel::read);
  }

  private static boolean isAtBeginningOf(Source source) throws IOException {
    ByteBuffer begin = ByteBuffer.allocate(MAGIC.length);
    while (begin.hasRemaining() && source.read(begin, begin.position()) >= 0) {}
    return !begin.hasRemaining() && Arrays.equals(begin.array(), MAGIC);
  }

  /**
   * Reads the header of a file.
   *
   * @param file its name, for messages
   * @throws NpyFormatException if it is not such a header, or Funnel cannot read the type
   */
  static NpyHeader read(FileChannel channel, Path file) throws IOException {
    return read(channel::read, channel.size(), file);
  }

  /**
   * Reads a header.
   *
   * @param size the size of the source in bytes
   * @param file its name, for messages
   * @throws NpyFormatException if it is not such a header, or Funnel cannot read the type
   */
  static NpyHeader read(Source source, long size, Path file) throws IOException {
    if (!isAtBeginningOf(source)) {
      throw new NpyFormatException(
          file, 0, -1, "not a .npy file: it does not begin with \\x93NUMPY; give raw files a type");
    }
    int version = bytes(source, size, file, VERSION_AT, 2).get() & 0xff;
    if (version < 1 || version > 3) {
      throw new NpyFormatException(
          file,
          VERSION_AT,
          -1,
          "unknown version %s of the .npy format: 1, 2 and 3 are read".formatted(version));
    }
    int lengthBytes = version == 1 ? 2 : 4;
    ByteBuffer lengthField = bytes(source, size, file, LENGTH_AT, lengthBytes);
    long length =
        version == 1 ? lengthField.getShort() & 0xffffL : lengthField.getInt() & 0xffffffffL;
    int textAt = LENGTH_AT + lengthBytes;
    if (length > LONGEST_HEADER) {
      throw new NpyFormatException(
          file,
          LENGTH_AT,
          -1,
          "the header claims %s bytes, at most %s are read".formatted(length, LONGEST_HEADER));
    }
    byte[] text = bytes(source, size, file, textAt, (int) length).array();
    return new Parser(file, textAt, new String(text, StandardCharsets.ISO_8859_1)).header();
  }

  private static ByteBuffer bytes(Source source, long size, Path file, int at, int count)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    try {
      while (bytes.hasRemaining()) {
        if (source.read(bytes, at + (long) bytes.position()) < 0) {
          throw new EOFException();
        }
      }
    } catch (EOFException e) {
      throw new NpyFormatException(
          file,
          at + (long) bytes.position(),
          -1,
          "truncated: the header needs at least %s bytes, the file has %s"
              .formatted(at + (long) count, size));
    }
    return bytes.flip();
  }

  /** The bytes of a header, in the lowest version that can hold it. */
  static byte[] bytes(ElementType type, List<Long> shape) {
    return bytes(Storage.of(type), shape);
  }

  /** The bytes of a header, in the lowest version that can hold it. */
  static byte[] bytes(Storage<?> storage, List<Long> shape) {
    String dimensions = shape.stream().map(Object::toString).collect(Collectors.joining(", "));
    String text =
        "{'descr': '%s', 'fortran_order': False, 'shape': (%s%s), }"
            .formatted(description(storage), dimensions, shape.size() == 1 ? "," : "");
    return bytes(text.length() + ALIGNMENT < 1 << 16 ? 1 : 2, text);
  }

  /** The bytes of a header of a version. */
  static byte[] bytes(int version, String text) {
    int textAt = LENGTH_AT + (version == 1 ? 2 : 4);
    int all = (textAt + text.length() + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    ByteBuffer bytes = ByteBuffer.allocate(all).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(MAGIC).put((byte) version).put((byte) 0);
    if (version == 1) {
      bytes.putShort((short) (all - textAt));
    } else {
      bytes.putInt(all - textAt);
    }
    bytes.put(text.getBytes(StandardCharsets.ISO_8859_1));
    while (bytes.position() < all - 1) {
      bytes.put((byte) ' ');
    }
    return bytes.put((byte) '\n').array();
  }

  private static String description(Storage<?> storage) {
    Storage<?> numbers = storage == Storage.CHAR ? Storage.UINT16 : storage;
    String kind =
        STORAGES.entrySet().stream()
            .filter(each -> each.getValue() == numbers)
            .map(Map.Entry::getKey)
            .findFirst()
            .orElseThrow();
    return (storage.bytes() == 1 ? "|" : "<") + kind;
  }

  /** Reads the dictionary. */
  private static final class Parser {
    private final Path file;
    private final int textAt;
    private final String text;
    private final Matcher matcher;
    private int at;

    Parser(Path file, int textAt, String text) {
      this.file = file;
      this.textAt = textAt;
      this.text = text;
      this.matcher = TOKEN.matcher(text);
    }

    NpyHeader header() throws NpyFormatException {
      Map<String, Object> entries = new HashMap<>();
      Map<String, Integer> places = new HashMap<>();
      symbol("{");
      while (!isSymbol("}")) {
        String key = string();
        symbol(":");
        places.put(key, at);
        Object value = key.equals("shape") ? shape() : key.equals("descr") ? descr() : flag(key);
        if (entries.put(key, value) != null) {
          throw malformed("entry '%s' stands twice".formatted(excerpt(key)));
        }
        if (!isSymbol("}")) {
          symbol(",");
        }
      }
      symbol("}");
      if (!text.substring(at).isBlank()) {
        throw malformed("something follows the dictionary");
      }
      for (String key : List.of("descr", "fortran_order", "shape")) {
        if (!entries.containsKey(key)) {
          throw malformed("no entry '%s'".formatted(key));
        }
      }
      at = places.getOrDefault("descr", 0);
      Storage<?> storage = storage((String) entries.getOrDefault("descr", ""));
      @SuppressWarnings("unchecked")
      List<Long> shape = (List<Long>) entries.getOrDefault("shape", List.of());
      boolean fortranOrder = Boolean.TRUE.equals(entries.get("fortran_order"));
      NpyHeader header = new NpyHeader(storage, fortranOrder, shape, textAt + (long) text.length());
      try {
        long bytes = Math.multiplyExact(header.length(), (long) storage.bytes());
        Math.addExact(bytes, header.dataOffset());
      } catch (ArithmeticException e) {
        at = places.getOrDefault("shape", 0);
        throw malformed(
            "shape %s has more elements than a file can hold".formatted(excerpt(shape)));
      }
      return header;
    }

    private Storage<?> storage(String descr) throws NpyFormatException {
      if (descr.length() >= 2) {
        char order = descr.charAt(0);
        String kind = descr.substring(1);
        Storage<?> storage = STORAGES.get(kind);
        if (storage != null
            && (order == '<' || storage.bytes() == 1 && "|>=".indexOf(order) >= 0)) {
          return storage;
        }
        if (storage != null && order == '>') {
          throw malformed(
              ("elements are big-endian ('%s'), little-endian ones are read: "
                      + "convert with a.astype('<%s')")
                  .formatted(descr, kind));
        }
      }
      if (descr.endsWith("u8")) {
        throw malformed(
            ("elements of type '%s' are not supported, since longs end at 2^63 - 1: "
                    + "if all of them fit, convert with a.astype('<i8')")
                .formatted(excerpt(descr)));
      }
      throw malformed(
          ("elements of type '%s' are not supported: |b1, |u1, |i1, <i2, <u2, <i4, <u4, <i8, "
                  + "<f2, <f4 and <f8 are read, convert with a.astype")
              .formatted(excerpt(descr)));
    }

    private String descr() throws NpyFormatException {
      if (isSymbol("[")) {
        throw malformed("structured elements are not supported: save one field, a['name']");
      }
      return string();
    }

    private boolean flag(String key) throws NpyFormatException {
      if (!key.equals("fortran_order")) {
        throw malformed("unknown entry '%s'".formatted(excerpt(key)));
      }
      next("True or False");
      String value = matcher.group(3);
      if (value == null) {
        throw malformed("True or False expected");
      }
      at = matcher.end();
      return value.equals("True");
    }

    private List<Long> shape() throws NpyFormatException {
      List<Long> shape = new ArrayList<>();
      symbol("(");
      boolean comma = true;
      while (!isSymbol(")")) {
        if (!comma) {
          throw malformed("a comma or ) expected");
        }
        shape.add(number());
        comma = isSymbol(",");
        if (comma) {
          symbol(",");
        }
      }
      if (shape.size() == 1 && !comma) {
        throw malformed(
            "(%s) is a number in Python: (%s,) expected".formatted(shape.get(0), shape.get(0)));
      }
      symbol(")");
      return shape;
    }

    private long number() throws NpyFormatException {
      next("a number");
      String digits = matcher.group(4);
      if (digits == null) {
        throw malformed("a number expected");
      }
      try {
        long value = Long.parseLong(digits);
        at = matcher.end();
        return value;
      } catch (NumberFormatException e) {
        throw malformed("dimension %s is longer than a file can be".formatted(excerpt(digits)));
      }
    }

    private String string() throws NpyFormatException {
      next("a string");
      String value = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
      if (value == null) {
        throw malformed("a string expected");
      }
      at = matcher.end();
      return value;
    }

    private boolean isSymbol(String wanted) {
      return matcher.region(at, text.length()).lookingAt() && wanted.equals(matcher.group(5));
    }

    private void symbol(String wanted) throws NpyFormatException {
      if (!isSymbol(wanted)) {
        throw malformed("%s expected".formatted(wanted));
      }
      at = matcher.end();
    }

    private void next(String wanted) throws NpyFormatException {
      if (!matcher.region(at, text.length()).lookingAt()) {
        throw malformed("%s expected".formatted(wanted));
      }
    }

    private NpyFormatException malformed(String what) {
      return new NpyFormatException(file, textAt + (long) at, -1, "bad .npy header: " + what);
    }
  }
}
