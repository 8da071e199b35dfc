package funnel.io;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * A file that is there as a whole or not at all: what is written goes to a hidden file beside it,
 * which takes the file's name when it is {@linkplain #commit complete} and on the disk. Whoever
 * reads the name, at any time, finds the last complete file.
 *
 * {@snippet class="funnel.docs.WholeFileSnippets" region="whole"}
 *
 * <p>A file that was there is replaced; a symbolic link stays, and the file behind it is replaced.
 * What is not complete goes away with {@link #close}, or with the JVM, after the shutdown hooks, so
 * that a hook may wait for a writer to finish.
 *
 * <p>Used by one thread.
 */
public final class WholeFile implements AutoCloseable {

  private final Path file;
  private final Path part;
  private final FileChannel channel;
  private final OutputStream stream;
  private boolean committed;

  private WholeFile(Path file, Path part, FileChannel channel) {
    this.file = file;
    this.part = part;
    this.channel = channel;
    this.stream = Channels.newOutputStream(channel);
  }

  /**
   * Begins a file; nothing happens to one that is there before {@link #commit}. To see beforehand
   * whether a file can be written, begin it and close it.
   *
   * @throws FileAlreadyExistsException if what has the name is no regular file
   * @throws NoSuchFileException if there is no such folder, with the folder
   * @throws FileSystemException if no file can be made in that folder, with the folder
   * @throws IOException if what has the name cannot be looked at
   */
  public static WholeFile create(Path file) throws IOException {
    Path whole = replaceable(file);
    Path part = partOf(whole);
    FileChannel channel;
    try {
      channel = FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (IOException e) {
      FileSystemException refused =
          new FileSystemException(
              file.toString(),
              null,
              "no file can be made in %s (%s)".formatted(whole.getParent(), e));
      refused.initCause(e);
      throw refused;
    }
    part.toFile().deleteOnExit();
    return new WholeFile(whole, part, channel);
  }

  /** A hidden file beside a file, whose name may be the longest that there can be. */
  static Path partOf(Path whole) {
    return whole.resolveSibling("." + UUID.randomUUID() + ".part");
  }

  /** What will take the bytes: the file itself, or what it is a link to. */
  private static Path replaceable(Path file) throws IOException {
    Path whole = file.toAbsolutePath();
    if (Files.exists(whole, LinkOption.NOFOLLOW_LINKS)) {
      if (!Files.isRegularFile(whole)) {
        throw new FileAlreadyExistsException(
            file.toString(), null, "it is no regular file: name another place");
      }
      return whole.toRealPath();
    }
    Path folder = whole.getParent();
    if (folder == null || !Files.exists(folder)) {
      throw new NoSuchFileException(
          file.toString(), null, "there is no folder %s: make it first".formatted(folder));
    }
    if (!Files.isDirectory(folder)) {
      throw new FileSystemException(
          file.toString(), null, "%s is no folder: name another place".formatted(folder));
    }
    return whole;
  }

  /** Where its bytes go; not buffered, and not to be closed. */
  public OutputStream stream() {
    return stream;
  }

  /**
   * Gives the file its name, now that all bytes are written and on the disk.
   *
   * @throws IOException if it cannot be brought to the disk or be renamed
   */
  public void commit() throws IOException {
    channel.force(true);
    channel.close();
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    committed = true;
  }

  /** Takes away what was written, unless it was {@linkplain #commit committed}. */
  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      if (!committed) {
        Files.deleteIfExists(part);
      }
    }
  }
}
