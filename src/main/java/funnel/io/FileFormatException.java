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
   * @param offset where in the file, in bytes, see {@link #offset}
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

  /**
   * Where in the file the trouble begins, in bytes; 0 where no one place is to blame.
   *
   * <p>Of a file that ends too early it is the first byte that is missing, so that the file's size
   * is {@code offset()}, and {@code expectedBytes() - offset()} bytes are to come where {@link
   * #expectedBytes} is known. Of one that is too long it is the first byte too many, so that {@code
   * offset()} is {@link #expectedBytes}, and the rest of the file is what it has too much. Of a raw
   * file whose last element is cut, it is where that element begins. In the header of an array in a
   * {@code .npz} file it counts from where that array's entry begins.
   */
  public long offset() {
    return offset;
  }

  /**
   * The size that the file should have, or -1 if that cannot be known: for an array, by what its
   * header says; for a raw file, with its last element whole.
   */
  public long expectedBytes() {
    return expectedBytes;
  }
}
