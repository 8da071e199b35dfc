package funnel.heat;

import funnel.io.FileFormatException;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A file is not a checkpoint, is damaged or cut off, or the checkpoint belongs to another run; the
 * message has the expected and the actual numbers.
 *
 * {@snippet class="funnel.docs.HeatOutputSnippets" region="checkpoint-refused"}
 */
public final class HeatCheckpointException extends IOException {
  private static final long serialVersionUID = 1L;

  HeatCheckpointException(Path file, String what) {
    super("%s: %s".formatted(file, what));
  }

  HeatCheckpointException(Path file, FileFormatException cause) {
    super("%s: not a checkpoint: %s".formatted(file, cause.what()), cause);
  }
}
