package funnel.io;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A file changed while it was open; results computed from it cannot be trusted.
 *
 * {@snippet class="funnel.docs.NpySnippets" region="changed"}
 */
public final class FileChangedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final String what;
  private final long position;

  /** An exception that says what changed, before and after. */
  public FileChangedException(Path file, String what) {
    this(file.toString(), what, 0);
  }

  private FileChangedException(String file, String what, long position) {
    super(
        "%s%s changed while it was read: %s; run again when nothing writes to it"
            .formatted(
                file,
                position == 0
                    ? ""
                    : String.format(
                        Locale.ROOT, ", which begins at position %,d of the source,", position),
                what));
    this.file = file;
    this.what = what;
    this.position = position;
  }

  /**
   * This exception for a file whose first element comes after {@code elements} others in a source.
   */
  FileChangedException after(long elements) {
    return new FileChangedException(file, what, position + elements);
  }

  /** The position in the source of the file's first element: 0, unless others come before it. */
  public long position() {
    return position;
  }
}
