package funnel.compiled;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who owns a file or folder and who may write it, as far as the system says. Of a symbolic link, it
 * is that of the link.
 */
record FileState(int owner, int mode, boolean isRegular, long bytes, FileTime used) {

  /* The view "unix" has what Java's own types have not: the sticky bit, and owners as numbers. Their
   * names would be looked up in the system's directory of users, which may be on another machine.
   */

  /** Whether the system has owners and modes. */
  static final boolean IS_POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("unix");

  private static final int GROUP_WRITE = 0020;
  private static final int OTHERS_WRITE = 0002;
  private static final int OWNER_WRITE = 0200;
  private static final int STICKY = 01000;
  private static final int PERMISSIONS = 07777;

  /** A file, folder or link; without owners and modes it is as this user's alone. */
  static FileState of(Path file, int user) throws IOException {
    String always = "size,lastModifiedTime,isRegularFile";
    Map<String, @Nullable Object> state =
        Files.readAttributes(
            file,
            IS_POSIX ? "unix:uid,mode," + always : "basic:" + always,
            LinkOption.NOFOLLOW_LINKS);
    return new FileState(
        state.get("uid") instanceof Integer owner ? owner : user,
        state.get("mode") instanceof Integer mode ? mode & PERMISSIONS : OWNER_WRITE,
        Boolean.TRUE.equals(state.get("isRegularFile")),
        state.get("size") instanceof Long bytes ? bytes : 0,
        (FileTime) Objects.requireNonNull(state.get("lastModifiedTime"), "lastModifiedTime"));
  }

  /**
   * The user that this process runs as, 0 where users have no numbers. (The property {@code
   * user.name} may be set to anything, and a container's user may have no name.)
   */
  static int user() throws IOException {
    if (!IS_POSIX) {
      return 0;
    }
    Path process = Path.of("/proc/self");
    if (Files.exists(process)) {
      return (int) Files.getAttribute(process, "unix:uid");
    }
    Path own = Files.createTempFile("funnel", ".user");
    try {
      return of(own, 0).owner;
    } finally {
      Files.delete(own);
    }
  }

  /** As {@code chmod} takes them. */
  String permissions() {
    return Integer.toOctalString(mode);
  }

  boolean mayBeWrittenByOthers() {
    return (mode & (GROUP_WRITE | OTHERS_WRITE)) != 0;
  }

  boolean mayBeWrittenByOwner() {
    return (mode & OWNER_WRITE) != 0;
  }

  /** Whether somebody else may rename what is in this folder, and put another thing there. */
  boolean mayBeRearranged(Path folder) throws IOException {
    if (!mayBeWrittenByOthers() || (mode & STICKY) != 0) {
      return false;
    }
    if ((mode & OTHERS_WRITE) != 0) {
      return true;
    }
    PosixFileAttributes names = Files.readAttributes(folder, PosixFileAttributes.class);
    return !names.group().getName().equals(names.owner().getName()); // a group of the user's own
  }
}
