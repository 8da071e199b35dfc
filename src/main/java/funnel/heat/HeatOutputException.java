package funnel.heat;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * An output cannot be written; the message names it, and says why and what to do. It is thrown
 * before anything is computed for the output.
 *
 * {@snippet class="funnel.docs.HeatOutputSnippets" region="output"}
 */
public final class HeatOutputException extends IOException {
  private static final long serialVersionUID = 1L;

  HeatOutputException(Path place, FileSystemException why) {
    super(
        "cannot write to %s: %s"
            .formatted(place, Objects.requireNonNullElse(why.getReason(), why.toString())),
        why);
  }
}
