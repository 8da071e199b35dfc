package funnel.cli;

import funnel.io.Source;
import java.io.IOException;

/**
 * An element of a file is not a valid key; the message has its index, the element and the number of
 * bins.
 */
final class KeyInFileException extends IOException {
  private static final long serialVersionUID = 1L;

  KeyInFileException(Source file, long index, long key, int bins, Throwable cause) {
    super(
        "%s: element %s is %s, keys are 0 to %s [bins=%s]"
            .formatted(file, index, key, bins - 1, bins),
        cause);
  }
}
