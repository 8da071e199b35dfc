package funnel.file;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is written atomically: data goes to a hidden file in the same folder, which takes the
 * file's name when it is {@linkplain #commit complete} and on the disk. A reader of the name always
 * finds the last complete file.
 *
 * {@snippet class="funnel.docs.WholeFileSnippets" region="whole"}
 *
 * <p>An existing file is replaced by one with the same permissions, and with the same owner and
 * group if the process may set them; until then only the owner can read the hidden file. A symbolic
 * link stays, and its target is replaced or created.
 *
 * <p>An incomplete file is deleted by {@link #close}, or when the JVM ends, after the shutdown
 * hooks, so that a hook may wait for a writer to finish. Files that a killed process left behind
 * ({@code .NAME.funnel-....part}) are deleted when another process begins its first file in that
 * folder.
 *
 * <p>Used by one thread at a time.
 */
public final class WholeFile implements AutoCloseable {

  /* Hidden files are locked while they are written, so a file that can be locked is left over.
   * Closing any channel of a file ends all locks that the process has on it (POSIX): so a process
   * must not open its own files, which it knows by their names. Another process may delete a file
   * between its creation and its locking; therefore its creator checks that it still exists, and
   * creates another one if not. If the file system has no locks, no left-over files are deleted.
   *
   * A process is identified by its number, which a process in another container may have too, and
   * its start time.
   *
   * Linux keeps up to a tenth of the memory in its cache before it begins to write to the disk, and
   * commit would wait for all of that. So another thread forces what is written, again and again.
   * It reports an error of the disk, which the system then does not report again.
   */

  private static final Logger LOG = LoggerFactory.getLogger(WholeFile.class);
  private static final String PROCESS =
      ".funnel-%s-%s-"
          .formatted(
              ProcessHandle.current().pid(),
              mark(
                  ProcessHandle.current()
                      .info()
                      .startInstant()
                      .map(Instant::toEpochMilli)
                      .orElse(0L)));
  private static final Pattern PART =
      Pattern.compile("\\..+\\.funnel-\\d+-[0-9a-z]+-[0-9a-z]+\\.part", Pattern.DOTALL);
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final long FORCED_BYTES = 1 << 25;
  private static final int MOST_LINKS = 40;
  private static final int SHOWN = 40;
  private static final int MOST_FOLDERS = 100;

  /** Hidden files of this process. */
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  /** The folders that were searched last: listing a folder for each file is slow. */
  private static final Map<Path, Boolean> CLEAN =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Path, Boolean> eldest) {
              return size() > MOST_FOLDERS;
            }
          });

  static {
    try {
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(() -> OPEN.forEach(part -> part.toFile().deleteOnExit()), "funnel-parts"));
    } catch (IllegalStateException e) {
      LOG.debug("the JVM is shutting down: the next process deletes parts of files");
    }
  }

  private final Path file;
  private final Path part;
  private final FileChannel channel;
  private final OutputStream stream = new Stream();
  private final @Nullable PosixFileAttributes before;
  private final boolean isTemporary;
  private long unforced;
  private @Nullable Background<Boolean> forcing;
  private boolean committed;

  private WholeFile(
      Path file,
      Path part,
      FileChannel channel,
      @Nullable PosixFileAttributes before,
      boolean isTemporary) {
    this.isTemporary = isTemporary;
    this.file = file;
    this.part = part;
    this.channel = channel;
    this.before = before;
  }

  /**
   * Begins a file; an existing file is untouched until {@link #commit}. To check beforehand whether
   * a file can be written, begin it and close it.
   *
   * @throws FileAlreadyExistsException if the name exists and is not a regular file
   * @throws NoSuchFileException if there is no such folder, with the folder
   * @throws FileSystemException if no file can be created in that folder, with the folder
   * @throws IOException if the existing file's attributes cannot be read
   */
  public static WholeFile create(Path file) throws IOException {
    return create(file, false);
  }

  /**
   * Begins a file.
   *
   * @param isTemporary whether it will never be committed, so that it need not be on the disk
   * @throws IOException as {@link #create(Path)}
   */
  public static WholeFile create(Path file, boolean isTemporary) throws IOException {
    Path whole = replaceable(file);
    Path folder = Objects.requireNonNull(whole.getParent(), "folder");
    if (CLEAN.put(folder, true) == null) {
      takeAwayWhatIsLeft(folder);
    }
    PosixFileAttributes before = attributes(whole);
    FileAttribute<?>[] mode =
        before == null
            ? new FileAttribute<?>[0]
            : new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)};
    try {
      while (true) {
        String random = mark(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE));
        Path part = folder.resolve("." + shown(whole) + PROCESS + random + ".part");
        FileChannel channel =
            FileChannel.open(
                part,
                Set.of(
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.READ),
                mode);
        if (isLocked(channel) && Files.exists(part)) {
          OPEN.add(part);
          return new WholeFile(whole, part, channel, before, isTemporary);
        }
        channel.close();
      }
    } catch (IOException e) {
      FileSystemException refused =
          new FileSystemException(
              file.toString(), null, "no file can be created in %s (%s)".formatted(folder, e));
      refused.initCause(e);
      throw refused;
    }
  }

  /**
   * Writes a file of some bytes.
   *
   * @throws IOException if it cannot be written; then nothing has changed
   */
  public static void write(Path file, byte[] bytes) throws IOException {
    try (WholeFile whole = create(file)) {
      whole.stream().write(bytes);
      whole.commit();
    }
  }

  /**
   * The beginning of a file's name, shortened so that a name of maximum length leaves room for the
   * additions.
   */
  private static String shown(Path whole) {
    String name = String.valueOf(whole.getFileName());
    return name.codePointCount(0, name.length()) <= SHOWN
        ? name
        : name.substring(0, name.offsetByCodePoints(0, SHOWN));
  }

  private static String mark(long number) {
    return Long.toString(number, Character.MAX_RADIX);
  }

  /** The file to replace: the file itself, or the target of a link. */
  private static Path replaceable(Path file) throws IOException {
    Path whole = file.toAbsolutePath();
    if (Files.exists(whole)) {
      if (!Files.isRegularFile(whole)) {
        throw new FileAlreadyExistsException(
            file.toString(), null, "it is not a regular file: name another place");
      }
      return whole.toRealPath();
    }
    for (int links = 0; Files.isSymbolicLink(whole); links++) {
      if (links == MOST_LINKS) {
        throw new FileSystemLoopException(file.toString());
      }
      whole = whole.resolveSibling(Files.readSymbolicLink(whole));
    }
    Path folder = whole.getParent();
    if (folder == null || !Files.exists(folder)) {
      throw new NoSuchFileException(
          file.toString(), null, "there is no folder %s: create it first".formatted(folder));
    }
    if (!Files.isDirectory(folder)) {
      throw new FileSystemException(
          file.toString(), null, "%s is not a folder: name another place".formatted(folder));
    }
    return whole;
  }

  private static boolean isLocked(FileChannel channel) {
    try {
      return channel.tryLock() != null;
    } catch (IOException e) { // no locks here
      return true;
    }
  }

  private static void takeAwayWhatIsLeft(Path folder) {
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder, ".*.part")) {
      for (Path part : parts) {
        String name = String.valueOf(part.getFileName());
        if (PART.matcher(name).matches() && !name.contains(PROCESS)) {
          takeAwayUnlessLocked(part);
        }
      }
    } catch (IOException e) {
      LOG.debug("{} cannot be listed: {}", folder, e.toString());
    }
  }

  private static void takeAwayUnlessLocked(Path part) {
    try (FileChannel channel =
            FileChannel.open(part, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock lock = channel.tryLock()) {
      if (lock != null) {
        Files.delete(part);
        LOG.info("{} is deleted: its process was killed", part);
      }
    } catch (IOException | OverlappingFileLockException e) {
      LOG.info("{} stays: {}", part, e.toString());
    }
  }

  private static @Nullable PosixFileAttributes attributes(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    return view == null || !Files.exists(file) ? null : view.readAttributes();
  }

  /** The stream for its bytes; unbuffered, and not to be closed. */
  public OutputStream stream() {
    return stream;
  }

  /** Writes all of the bytes. */
  public void write(ByteBuffer bytes) throws IOException {
    try {
      while (bytes.hasRemaining()) {
        unforced += channel.write(bytes);
      }
      forceAhead();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void forceAhead() throws IOException {
    Background<Boolean> last = forcing;
    if (isTemporary || unforced < FORCED_BYTES || last != null && !last.isDone()) {
      return;
    }
    if (last != null) {
      last.await();
    }
    unforced = 0;
    forcing =
        new Background<>(
            "forcing " + part,
            FORCED_BYTES,
            () -> {
              channel.force(false);
              return true;
            });
  }

  /** Overwrites the beginning with all of the bytes. */
  public void rewrite(ByteBuffer bytes) throws IOException {
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes, bytes.position());
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /**
   * Everything that is written from a position on, mapped for reading as long as the arena is open.
   */
  public MemorySegment map(long from, Arena arena) throws IOException {
    return channel.map(FileChannel.MapMode.READ_ONLY, from, channel.size() - from, arena);
  }

  private FileSystemException failed(IOException e) {
    return failed(file, "written", e);
  }

  /**
   * Adds the file to the system's exception, which may only say that no space is left.
   *
   * @param failure what could not be done, such as {@code "written"}
   */
  public static FileSystemException failed(Path file, String failure, IOException e) {
    String why = e.getMessage() == null ? e.toString() : e.getMessage();
    FileSystemException failed =
        new FileSystemException(file.toString(), null, "cannot be %s: %s".formatted(failure, why));
    failed.initCause(e);
    return failed;
  }

  /**
   * Forces all bytes to the disk and gives the file its name.
   *
   * @throws IOException if it cannot be forced to the disk or renamed
   */
  public void commit() throws IOException {
    commit(true);
  }

  /**
   * Forces all bytes to the disk and gives the file its name.
   *
   * @param replace whether it may replace an existing file
   */
  public void commit(boolean replace) throws IOException {
    Background<Boolean> last = forcing;
    try {
      if (last != null) {
        last.await();
      }
      channel.force(true);
    } catch (IOException e) {
      throw failed(e);
    }
    keepOwnersAndMode();
    if (replace) {
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } else {
      Files.move(part, file);
    }
    committed = true;
    channel.close(); // not earlier, since this ends the lock
  }

  private void keepOwnersAndMode() throws IOException {
    PosixFileAttributes now = attributes(file);
    PosixFileAttributes kept = now == null ? before : now;
    PosixFileAttributeView view = Files.getFileAttributeView(part, PosixFileAttributeView.class);
    if (kept == null || view == null) {
      return;
    }
    Set<PosixFilePermission> mode = kept.permissions();
    try {
      if (!view.readAttributes().group().equals(kept.group())) {
        view.setGroup(kept.group());
      }
    } catch (IOException e) { // permissions for that group must not go to another one
      if (!mode.contains(PosixFilePermission.OTHERS_READ)) {
        mode.remove(PosixFilePermission.GROUP_READ);
      }
      if (!mode.contains(PosixFilePermission.OTHERS_WRITE)) {
        mode.remove(PosixFilePermission.GROUP_WRITE);
      }
      LOG.info("{} cannot get the group {}: {}", file, kept.group(), e.toString());
    }
    if (!view.readAttributes().permissions().equals(mode)) {
      view.setPermissions(mode);
    }
    try { // last, since only the owner can set the mode
      if (!view.getOwner().equals(kept.owner())) {
        view.setOwner(kept.owner());
      }
    } catch (IOException e) {
      LOG.info("{} cannot be of {}: {}", file, kept.owner(), e.toString());
    }
  }

  /** Deletes what was written, unless it was {@linkplain #commit committed}. */
  @Override
  public void close() throws IOException {
    try (Background<Boolean> _ = forcing;
        channel) {
      if (!committed) {
        Files.deleteIfExists(part);
      }
    } finally {
      OPEN.remove(part);
    }
  }

  private final class Stream extends OutputStream {
    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value});
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      WholeFile.this.write(ByteBuffer.wrap(bytes, from, length));
    }
  }
}
