package funnel.heat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * A place where output is to go cannot be written; the message says why and what to do.
 *
 * {@snippet class="funnel.docs.HeatOutputSnippets" region="output"}
 */
public final class HeatOutputException extends IOException {
  private static final long serialVersionUID = 1L;

  private HeatOutputException(Path place, String what) {
    super("cannot write to %s: %s".formatted(place, what));
  }

  private HeatOutputException(Path place, String what, IOException cause) {
    super("cannot write to %s: %s".formatted(place, what), cause);
  }

  /**
   * Sees that files can be made in a folder, by making one and taking it away again.
   *
   * @throws HeatOutputException if they cannot
   */
  public static void requireFolder(Path folder) throws HeatOutputException {
    if (!Files.isDirectory(folder)) {
      throw new HeatOutputException(
          folder,
          Files.exists(folder)
              ? "it is no folder: name another place"
              : "there is no such folder: make it first");
    }
    try {
      Files.delete(Files.createTempFile(folder, ".funnel", ".part"));
    } catch (IOException e) {
      throw new HeatOutputException(folder, "no file can be made there (%s)".formatted(e), e);
    }
  }

  /**
   * Sees that a file can be made, or replaced.
   *
   * @throws HeatOutputException if it cannot, or if what has its name is no regular file
   */
  public static void requireFile(Path file) throws HeatOutputException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(file)) {
      throw new HeatOutputException(file, "it is no regular file: name another place");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null) {
      throw new HeatOutputException(file, "it is no name of a file: name another place");
    }
    requireFolder(folder);
  }
}
