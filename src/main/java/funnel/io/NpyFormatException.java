package funnel.io;

import java.nio.file.Path;

/**
 * A {@code .npy} file is malformed, truncated, or of a kind that Funnel cannot read.
 *
 * {@snippet class="funnel.docs.NpySnippets" region="npy-format"}
 */
public final class NpyFormatException extends FileFormatException {
  private static final long serialVersionUID = 1L;

  /** An exception with the arguments of {@link FileFormatException}. */
  public NpyFormatException(Path file, long offset, long expectedBytes, String what) {
    super(file, offset, expectedBytes, what);
  }
}
