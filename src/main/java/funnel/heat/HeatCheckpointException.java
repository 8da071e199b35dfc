package funnel.heat;

import funnel.io.FileFormatException;
import java.nio.file.Path;

/**
 * A checkpoint is damaged, cut off, none at all, or not of the run that is to go on from it; the
 * message has what was expected and what was found.
 *
 * {@snippet class="funnel.docs.HeatOutputSnippets" region="checkpoint-refused"}
 */
public final class HeatCheckpointException extends FileFormatException {
  private static final long serialVersionUID = 1L;

  HeatCheckpointException(Path file, String what) {
    super(file, -1, -1, what);
  }

  HeatCheckpointException(Path file, FileFormatException cause) {
    super(file, cause.offset(), cause.expectedBytes(), "no checkpoint: " + cause.what(), cause);
  }
}
