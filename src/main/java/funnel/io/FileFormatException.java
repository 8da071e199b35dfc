package funnel.io;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A file does not have the expected contents; the message says what was expected, and the offset
 * and the expected size if they are known.
 *
 * {@snippet class="funnel.docs.NpySnippets" region="raw"}
 */
public class FileFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private static final int MOST_CHARACTERS = 60;
  private static final int MOST_ITEMS = 10;
  private static final Set<Integer> UNSHOWN =
      Set.of(
          (int) Character.CONTROL,
          (int) Character.FORMAT,
          (int) Character.SURROGATE,
          (int) Character.LINE_SEPARATOR,
          (int) Character.PARAGRAPH_SEPARATOR);

  private final long offset;
  private final long expectedBytes;
  private final String what;

  /**
   * An exception for a file whose bytes are not as expected.
   *
   * @param file the file
   * @param offset where in the file, in bytes, or -1 if unknown, see {@link #offset}
   * @param expectedBytes the size that the file should have, or -1 if unknown
   * @param what what is wrong, and what to do
   */
  public FileFormatException(Path file, long offset, long expectedBytes, String what) {
    this(file, offset, expectedBytes, what, null);
  }

  /**
   * An exception for a file whose bytes are not as expected, with a cause.
   *
   * @param cause the other exception, or null for none
   */
  public FileFormatException(
      Path file, long offset, long expectedBytes, String what, @Nullable Throwable cause) {
    super("%s: %s%s".formatted(file, what, known(offset, expectedBytes)), cause);
    this.offset = offset;
    this.expectedBytes = expectedBytes;
    this.what = what;
  }

  /**
   * The excerpt of a text from a file that a message shows: its beginning, with control characters
   * and the like as their numbers, and how many characters follow.
   */
  public static String excerpt(String text) {
    StringBuilder shown = new StringBuilder();
    int end =
        text.offsetByCodePoints(
            0, Math.min(MOST_CHARACTERS, text.codePointCount(0, text.length())));
    text.substring(0, end)
        .codePoints()
        .forEach(
            c -> {
              if (UNSHOWN.contains(Character.getType(c))) {
                shown.append(String.format(Locale.ROOT, "\\u%04x", c));
              } else {
                shown.appendCodePoint(c);
              }
            });
    return end == text.length()
        ? shown.toString()
        : "%s... and %s more characters".formatted(shown, text.length() - end);
  }

  /**
   * The excerpt of a list from a file that a message shows: its first items, and how many follow.
   */
  public static String excerpt(Collection<?> items) {
    String first =
        items.stream()
            .limit(MOST_ITEMS)
            .map(item -> excerpt(item.toString()))
            .collect(Collectors.joining(", "));
    return items.size() <= MOST_ITEMS
        ? "[" + first + "]"
        : "[%s, ... and %s more]".formatted(first, items.size() - MOST_ITEMS);
  }

  private static String known(long offset, long expectedBytes) {
    List<String> known = new ArrayList<>();
    if (offset >= 0) {
      known.add("offset=" + offset);
    }
    if (expectedBytes >= 0) {
      known.add("expected size=%s bytes".formatted(expectedBytes));
    }
    return known.isEmpty() ? "" : " " + known;
  }

  /** What is wrong, and what to do: the message without the file, the offset and the size. */
  public String what() {
    return what;
  }

  /**
   * Where in the file the error begins, in bytes, or -1 if unknown.
   *
   * <p>For a file that ends too early it is the first missing byte: the file's size is {@code
   * offset()}, and {@code expectedBytes() - offset()} bytes are missing if {@link #expectedBytes}
   * is known. For a file that is too long it is the first extra byte: {@code offset()} is {@link
   * #expectedBytes}. For a raw file whose last element is incomplete, it is where that element
   * begins. For an array in a {@code .npz} file it is unknown; the message has the offset in that
   * array's entry.
   */
  public long offset() {
    return offset;
  }

  /**
   * The size that the file should have, or -1 if unknown: for an array, according to its header;
   * for a raw file, with its last element whole.
   */
  public long expectedBytes() {
    return expectedBytes;
  }
}
