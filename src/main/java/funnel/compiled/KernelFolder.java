package funnel.compiled;

import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder of compiled kernels, one in each file, which outlives the process. Many threads and
 * processes may use one folder at once.
 *
 * <p>The folder is that of property {@code funnel.kernels}, else of environment variable {@code
 * FUNNEL_KERNELS}, else {@code funnel/kernels} in the user's cache folder; {@code off} is none.
 *
 * <p>A key is 64 hexadecimal digits in lower case, and stands for all that the code depends on.
 */
public final class KernelFolder {

  /* What is here runs on the device, so nobody but the user and the system may have written it. The
   * folder must belong to one of them, who alone may write it. Somebody who may rename a folder above
   * it could put another in its place at any time, so those above are looked at too, and before
   * anything is created there. Symbolic links
   * are followed once, to the folder that is then looked at and used; a file must not be one. The
   * system is whoever owns the root: in a container that may be a user without number 0.
   *
   * A file is written under another name and then moved, so a reader finds all of it or none. It is
   * not forced to the disk: after a crash of the machine the checksum does not fit, and the kernel
   * is compiled again. (A WholeFile is forced, keeps the mode of what it replaces, and follows links.)
   *
   * A read is one look at the file's attributes and one read: first results wait for it. Only
   * writes list the folder, the first of a process and then one in each sixteenth of the limit. So
   * the folder may be over the limit by a sixteenth for each process that writes.
   */

  /** How the folder can be used. */
  public enum Use {
    READ_WRITE,
    /** The system, or its owner, has made it so: such as a folder in a container's image. */
    READ_ONLY,
    OFF
  }

  /** What is in the folder. */
  public record Contents(int kernels, long bytes) {}

  private static final Logger LOG = LoggerFactory.getLogger(KernelFolder.class);
  private static final Pattern KEY = Pattern.compile("[0-9a-f]{64}");
  private static final String KERNEL = ".kernel";
  private static final String PART = ".part";
  private static final Duration ABANDONED = Duration.ofHours(1);
  private static final Duration MARKED = Duration.ofDays(1);
  private static final FileAttribute<?>[] NO_MODE = {};
  private static final FileAttribute<?>[] OWNER_ONLY = {
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
  };

  private final @Nullable Path folder;
  private final Use use;
  private final String reason;
  private final Owners owners;
  private final long mostBytes;
  private final AtomicBoolean hasFailed = new AtomicBoolean();
  private long unlisted;

  /** Who may have written what is read. */
  private record Owners(int user, int system) {
    boolean include(FileState state) {
      return state.owner() == user || state.owner() == system;
    }
  }

  private KernelFolder(
      @Nullable Path folder, Use use, String reason, Owners owners, long mostBytes) {
    this.folder = folder;
    this.use = use;
    this.reason = reason;
    this.owners = owners;
    this.mostBytes = mostBytes;
    unlisted = mostBytes; // so that the first write lists the folder
  }

  /**
   * The folder that properties and environment name, which is created if it does not exist. If it
   * cannot or must not be used, it is off and a log line says why. A process needs one.
   *
   * @throws IllegalArgumentException if the property or variable is not an absolute path, or the
   *     limit {@code funnel.kernels.megabytes} is not a number
   */
  public static KernelFolder open() {
    return open(Settings.ofProcess());
  }

  /**
   * Looks at the property and the variable, and at nothing else.
   *
   * @throws IllegalArgumentException as {@link #open}
   */
  public static void requireSettings() {
    var _ = Settings.ofProcess();
  }

  static KernelFolder open(Settings settings) {
    try {
      return open(settings, FileState.user());
    } catch (IOException e) {
      return off(settings, e);
    }
  }

  /** For a process of any user: what it may do is taken from owners and modes alone. */
  static KernelFolder open(Settings settings, int user) {
    Path named = settings.folder();
    if (named == null) {
      LOG.info("compiled kernels are not kept: {}", settings.origin());
      return new KernelFolder(null, Use.OFF, settings.origin(), new Owners(0, 0), 0);
    }
    try {
      Path root = Objects.requireNonNull(named.getRoot(), "root");
      Owners owners = new Owners(user, FileState.of(root, user).owner());
      Path existing = named;
      while (!Files.isDirectory(existing)) {
        existing = Objects.requireNonNull(existing.getParent(), "parent");
      }
      if (!existing.equals(named)) {
        requirePlace(existing.toRealPath(), owners);
        Files.createDirectories(named, FileState.IS_POSIX ? OWNER_ONLY : NO_MODE);
      }
      Path folder = named.toRealPath();
      FileState state = requireOwn(folder, owners);
      boolean isWritable =
          state.owner() == user && state.mayBeWrittenByOwner() && Files.isWritable(folder);
      String reason = settings.origin() + (isWritable ? "" : ", which this process may not write");
      LOG.debug("compiled kernels are kept in {}: {}", folder, reason);
      Use use = isWritable ? Use.READ_WRITE : Use.READ_ONLY;
      return new KernelFolder(folder, use, reason, owners, settings.mostBytes());
    } catch (IOException e) {
      return off(settings, e);
    }
  }

  private static KernelFolder off(Settings settings, IOException e) {
    boolean isSaid = e instanceof FileSystemException said && said.getReason() != null;
    String reason =
        "%s; or name another folder by property %s or environment variable %s, or %s for none"
            .formatted(
                isSaid ? e.getMessage() : e.toString(),
                Settings.FOLDER,
                Settings.FOLDER_VARIABLE,
                Settings.OFF);
    LOG.warn("compiled kernels are not kept in {}: {}", settings.folder(), reason);
    return new KernelFolder(settings.folder(), Use.OFF, reason, new Owners(0, 0), 0);
  }

  /** The state of a folder that nobody else may write, nor replace. */
  private static FileState requireOwn(Path folder, Owners owners) throws IOException {
    if (!FileState.IS_POSIX) {
      LOG.debug("who may write {} is not checked: there are no owners and modes", folder);
    }
    FileState state = FileState.of(folder, owners.user);
    if (state.mayBeWrittenByOthers()) {
      throw openToOthers(folder, state);
    }
    requirePlace(folder, owners);
    if (!Files.isExecutable(folder)) {
      throw new AccessDeniedException(
          folder.toString(), null, "this process may not read it: chmod a+rx " + folder);
    }
    return state;
  }

  /** Requires that nobody else may put another folder in the place of this one. */
  private static void requirePlace(Path folder, Owners owners) throws IOException {
    for (Path path = folder; path != null; path = path.getParent()) {
      FileState state = FileState.of(path, owners.user);
      if (!owners.include(state)) {
        throw new AccessDeniedException(
            path.toString(),
            null,
            "it belongs to user %s, and this process to user %s: change its owner"
                .formatted(state.owner(), owners.user));
      }
      if (state.mayBeRearranged(path)) {
        throw openToOthers(path, state);
      }
    }
  }

  private static AccessDeniedException openToOthers(Path folder, FileState state) {
    return new AccessDeniedException(
        folder.toString(),
        null,
        "others may write it (mode %s): chmod go-w %s".formatted(state.permissions(), folder));
  }

  /** The folder, also if it is off for a reason of its own; empty if none is named. */
  public Optional<Path> folder() {
    return Optional.ofNullable(folder);
  }

  /** Whether kernels are read and written. */
  public Use use() {
    return use;
  }

  /** What has named the folder, or why it is off. */
  public String reason() {
    return reason;
  }

  /** The folder, unless it is off. */
  private @Nullable Path used() {
    return use == Use.OFF ? null : folder;
  }

  private @Nullable Path file(String key) {
    if (!KEY.matcher(key).matches()) {
      throw new IllegalArgumentException(
          "key %s is not 64 hexadecimal digits in lower case".formatted(key));
    }
    Path used = used();
    return used == null ? null : used.resolve(key + KERNEL);
  }

  /**
   * The kernel of a key, if there is one. A file that is not whole, or that somebody else could
   * have written, is none; a log line names it.
   */
  public Optional<CompiledKernel> read(String key) {
    Path file = file(key);
    if (file == null) {
      return Optional.empty();
    }
    try {
      FileState state = FileState.of(file, owners.user);
      if (!state.isRegular() || state.bytes() > KernelFormat.MOST_BYTES) {
        throw new StreamCorruptedException(
            state.isRegular() ? "it has " + state.bytes() + " bytes" : "it is no file");
      }
      if (!owners.include(state) || state.mayBeWrittenByOthers()) {
        throw new StreamCorruptedException(
            "others may write it (user %s, mode %s)".formatted(state.owner(), state.permissions()));
      }
      CompiledKernel kernel = KernelFormat.kernel(key, Files.readAllBytes(file));
      markAsUsed(file, state);
      return Optional.of(kernel);
    } catch (NoSuchFileException e) {
      LOG.debug("{} does not exist", file);
    } catch (StreamCorruptedException e) {
      LOG.warn("{} is ignored, and the kernel compiled again: {}", file, e.getMessage());
    } catch (IOException e) {
      failed("read", file, e);
    }
    return Optional.empty();
  }

  private void markAsUsed(Path file, FileState state) {
    Instant now = Instant.now();
    if (use != Use.READ_WRITE || state.used().toInstant().isAfter(now.minus(MARKED))) {
      return;
    }
    try {
      Files.setLastModifiedTime(file, FileTime.from(now));
    } catch (IOException e) {
      LOG.debug("{} is not marked as used: {}", file, e.toString());
    }
  }

  /**
   * Keeps a kernel, instead of one that there may be. Nothing happens if the folder is not to be
   * written. If it cannot be written, a log line says so, once.
   */
  public void write(String key, CompiledKernel kernel) {
    Path file = file(key);
    Path in = used();
    if (file == null || in == null || use != Use.READ_WRITE) {
      return;
    }
    try {
      byte[] bytes = KernelFormat.bytes(key, kernel);
      Path part = Files.createTempFile(in, null, PART); // for its owner alone
      try {
        Files.write(part, bytes);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(part);
      }
      if (isListingDue(bytes.length)) {
        fit(in);
      }
    } catch (IOException e) {
      failed("written", file, e);
    }
  }

  private void failed(String what, Path file, IOException e) {
    if (hasFailed.getAndSet(true)) {
      LOG.debug("{} cannot be {}: {}", file, what, e.toString());
    } else {
      LOG.warn("{} cannot be {}, and of others nothing is said: {}", file, what, e.toString());
    }
  }

  private synchronized boolean isListingDue(long written) {
    unlisted += written;
    if (unlisted < mostBytes / 16) {
      return false;
    }
    unlisted = 0;
    return true;
  }

  /** Deletes what killed processes have left and, over the limit, what was used least recently. */
  private void fit(Path folder) throws IOException {
    List<Listed> kernels = list(folder, KERNEL);
    long over = bytes(kernels) - mostBytes;
    long left = over > 0 ? over + mostBytes / 10 : 0;
    kernels.sort(Comparator.comparing(kernel -> kernel.state.used()));
    for (int i = 0; left > 0 && i < kernels.size(); i++) {
      Files.deleteIfExists(kernels.get(i).file);
      left -= kernels.get(i).state.bytes();
    }
    Instant abandoned = Instant.now().minus(ABANDONED);
    for (Listed part : list(folder, PART)) {
      if (part.state.used().toInstant().isBefore(abandoned)) {
        Files.deleteIfExists(part.file);
      }
    }
  }

  private record Listed(Path file, FileState state) {}

  /** Files of the folder, except those that are deleted meanwhile. */
  private List<Listed> list(Path folder, String ending) throws IOException {
    List<Listed> files = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "*" + ending)) {
      for (Path file : all) {
        try {
          files.add(new Listed(file, FileState.of(file, owners.user)));
        } catch (NoSuchFileException e) {
          LOG.debug("{} is deleted meanwhile", file);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return files;
  }

  private static long bytes(List<Listed> files) {
    return files.stream().mapToLong(listed -> listed.state.bytes()).sum();
  }

  /** Deletes the kernel of a key, if there is one. */
  public void remove(String key) {
    Path file = file(key);
    if (file != null) {
      delete(file);
    }
  }

  /**
   * Deletes all kernels.
   *
   * @return how many there were
   */
  public int clear() {
    Path in = used();
    if (in == null) {
      return 0;
    }
    int deleted = 0;
    try {
      for (Listed kernel : list(in, KERNEL)) {
        deleted += delete(kernel.file) ? 1 : 0;
      }
    } catch (IOException e) {
      failed("listed", in, e);
    }
    return deleted;
  }

  private boolean delete(Path file) {
    try {
      if (use == Use.READ_WRITE) {
        return Files.deleteIfExists(file);
      }
      if (Files.exists(file)) {
        LOG.warn("{} stays: {}", file, reason);
      }
    } catch (IOException e) {
      failed("deleted", file, e);
    }
    return false;
  }

  /** How many kernels there are, and their bytes; 0 if it is off. */
  public Contents contents() {
    Path in = used();
    if (in != null) {
      try {
        List<Listed> kernels = list(in, KERNEL);
        return new Contents(kernels.size(), bytes(kernels));
      } catch (IOException e) {
        failed("listed", in, e);
      }
    }
    return new Contents(0, 0);
  }
}
