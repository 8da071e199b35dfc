package funnel.io;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A file changed while it was mapped; nothing that was computed from it can be trusted.
 *
 * {@snippet class="funnel.docs.NpySnippets" region="changed"}
 */
public final class FileChangedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** With what changed, before and after. */
  public FileChangedException(Path file, String what) {
    super(
        "%s changed while it was read: %s; run again when nobody writes it".formatted(file, what));
  }
}
