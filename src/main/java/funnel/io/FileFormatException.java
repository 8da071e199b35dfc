package funnel.io;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A file does not hold what it should; the message names the place and what was expected there.
 *
 * {@snippet class="funnel.docs.NpySnippets" region="raw"}
 */
public class FileFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long offset;
  private final long expectedBytes;

  /**
   * For a file whose bytes are not as expected.
   *
   * @param file the file
   * @param offset where in the file, in bytes
   * @param expectedBytes the size that the file should have, or -1 if that cannot be known
   * @param what what is wrong, and what to do
   */
  public FileFormatException(Path file, long offset, long expectedBytes, String what) {
    super(
        "%s: %s [offset=%d, expected size=%s]"
            .formatted(
                file, what, offset, expectedBytes < 0 ? "unknown" : expectedBytes + " bytes"));
    this.offset = offset;
    this.expectedBytes = expectedBytes;
  }

  /** Where in the file the trouble begins, in bytes. */
  public long offset() {
    return offset;
  }

  /** The size that the file should have, or -1 if that cannot be known. */
  public long expectedBytes() {
    return expectedBytes;
  }
}
