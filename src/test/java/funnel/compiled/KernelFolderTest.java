package funnel.compiled;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.Log;
import funnel.Seed;
import funnel.compiled.KernelFolder.Contents;
import funnel.compiled.KernelFolder.Use;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated
class KernelFolderTest {

  private static final long LARGE = 1L << 30;
  private static final String KEY = key(1);
  private static final CompiledKernel SMALL =
      new CompiledKernel("reduce", List.of("READ_ONLY", "WRITE_ONLY"), new byte[] {1, 2, 3, 4, 5});

  @TempDir Path temporary;
  private Path folder;
  private Path file;

  @BeforeEach
  void name() throws IOException {
    temporary = temporary.toRealPath();
    folder = temporary.resolve("parent/kernels");
    file = folder.resolve(KEY + ".kernel");
  }

  @AfterEach
  void mayBeDeleted() throws IOException {
    for (Path path : List.of(folder.getParent(), folder)) {
      if (FileState.IS_POSIX && Files.isDirectory(path)) {
        mode(path, "rwx------");
      }
    }
  }

  private static String key(int number) {
    return String.format(Locale.ROOT, "%064x", number);
  }

  private KernelFolder open() {
    return open(LARGE);
  }

  private KernelFolder open(long mostBytes) {
    return KernelFolder.open(new Settings(folder, "test", mostBytes));
  }

  private static void mode(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void assumePosix() {
    assumeTrue(FileState.IS_POSIX, "no owners and modes here");
  }

  /** The bytes of the file that holds {@link #SMALL}. */
  private byte[] written() throws IOException {
    open().write(KEY, SMALL);
    return Files.readAllBytes(file);
  }

  /** A read finds nothing and says so in one line; a write puts it right. */
  private void assertRefused(String message) {
    KernelFolder kernels = open();
    List<String> said = Log.lines(() -> assertEquals(Optional.empty(), kernels.read(KEY), message));
    assertEquals(1, said.size(), () -> message + said);
    assertTrue(said.getFirst().contains(file.toString()), () -> message + said);
    kernels.write(KEY, SMALL);
    assertEquals(Optional.of(SMALL), kernels.read(KEY), message);
  }

  // Contents

  @Test
  void roundTrip() throws IOException {
    byte[] megabyte = new byte[1 << 20];
    Seed.random("roundTrip").nextBytes(megabyte);
    List<CompiledKernel> all =
        List.of(
            SMALL,
            new CompiledKernel("", List.of(), new byte[0]),
            new CompiledKernel("größer_\0_名前", List.of("READ_WRITE", "", "NONE"), megabyte));
    KernelFolder kernels = open();
    assertEquals(Use.READ_WRITE, kernels.use());
    assertEquals(Optional.of(folder), kernels.folder());
    for (int i = 0; i < all.size(); i++) {
      assertEquals(Optional.empty(), kernels.read(key(i)));
      kernels.write(key(i), all.get(i));
    }
    for (int i = 0; i < all.size(); i++) {
      assertEquals(Optional.of(all.get(i)), kernels.read(key(i)), Seed.replay());
      assertEquals(Optional.of(all.get(i)), open().read(key(i)), Seed.replay());
    }
    Contents contents = kernels.contents();
    assertEquals(3, contents.kernels());
    assertTrue(contents.bytes() > 1 << 20 && contents.bytes() < (1 << 20) + 1000, "" + contents);
    if (FileState.IS_POSIX) {
      assertEquals("rwx------", mode(folder));
      assertEquals("rwx------", mode(folder.getParent()));
      assertEquals("rw-------", mode(file));
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(3, files.count());
    }
  }

  @Test
  void kernelsAreEqualByContent_andDoNotChange() {
    byte[] code = {1, 2, 3, 4, 5};
    CompiledKernel kernel = new CompiledKernel("reduce", SMALL.accesses(), code);
    code[0] = 9;
    kernel.code()[1] = 9;
    assertEquals(SMALL, kernel);
    assertEquals(SMALL.hashCode(), kernel.hashCode());
    assertNotEquals(SMALL, new CompiledKernel("scan", SMALL.accesses(), SMALL.code()));
    assertNotEquals(SMALL, new CompiledKernel("reduce", List.of(), SMALL.code()));
    assertNotEquals(SMALL, new CompiledKernel("reduce", SMALL.accesses(), code));
  }

  @Test
  void aWriteReplaces_removeAndClearDelete() {
    KernelFolder kernels = open();
    CompiledKernel other = new CompiledKernel("scan", List.of(), new byte[7]);
    kernels.write(KEY, SMALL);
    kernels.write(KEY, other);
    kernels.write(key(2), SMALL);
    kernels.write(key(3), SMALL);
    assertEquals(Optional.of(other), kernels.read(KEY));
    kernels.remove(KEY);
    kernels.remove(key(7));
    assertEquals(Optional.empty(), kernels.read(KEY));
    assertEquals(2, kernels.contents().kernels());
    assertEquals(2, kernels.clear());
    assertEquals(new Contents(0, 0), kernels.contents());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "../x", "0", "ABCDEF"})
  void wrongKeys(String begin) {
    String key = begin.length() == 6 ? begin + KEY.substring(6) : begin;
    KernelFolder kernels = open();
    assertThrows(IllegalArgumentException.class, () -> kernels.read(key));
    assertThrows(IllegalArgumentException.class, () -> kernels.write(key, SMALL));
    assertThrows(IllegalArgumentException.class, () -> kernels.remove(key));
  }

  // Files that are not right

  @Test
  void everyFlippedBitIsRefused() throws IOException {
    byte[] right = written();
    for (int bit = 0; bit < 8 * right.length; bit++) {
      byte[] wrong = right.clone();
      wrong[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, wrong);
      assertRefused("bit " + bit);
    }
  }

  @Test
  void everyCutIsRefused_andWhatIsLonger() throws IOException {
    byte[] right = written();
    for (int length = 0; length < right.length; length++) {
      Files.write(file, Arrays.copyOf(right, length));
      assertRefused("length " + length);
    }
    Files.write(file, Arrays.copyOf(right, right.length + 1));
    assertRefused("a byte more");
  }

  /** As another version of Funnel would write it. */
  @Test
  void anotherFormatIsRefused() throws IOException, NoSuchAlgorithmException {
    byte[] other = written();
    other[Long.BYTES + Integer.BYTES - 1]++;
    MessageDigest sum = MessageDigest.getInstance("SHA-256");
    sum.update(other, 0, other.length - 32);
    System.arraycopy(sum.digest(), 0, other, other.length - 32, 32);
    Files.write(file, other);
    assertRefused("format");
  }

  @Test
  void anotherKeysFileIsRefused() throws IOException {
    written();
    open().write(key(2), new CompiledKernel("scan", List.of(), new byte[0]));
    Files.move(folder.resolve(key(2) + ".kernel"), file, StandardCopyOption.REPLACE_EXISTING);
    assertRefused("renamed");
  }

  @Test
  void foreignAndHugeFilesAreRefused() throws IOException {
    written();
    byte[] foreign = new byte[10_000];
    SplittableRandom random = Seed.random("foreign");
    for (int i = 0; i < 20; i++) {
      random.nextBytes(foreign);
      Files.write(file, foreign);
      assertRefused("foreign" + Seed.replay());
    }
    try (RandomAccessFile huge = new RandomAccessFile(file.toFile(), "rw")) {
      huge.setLength(1L << 33);
    }
    assertRefused("huge");
  }

  @Test
  void linksAndFoldersAreRefused() throws IOException {
    written();
    Path elsewhere = temporary.resolve("elsewhere");
    Files.move(file, elsewhere);
    Files.createSymbolicLink(file, elsewhere);
    assertRefused("link");
    assertTrue(Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS));
    Files.delete(file);
    Files.createDirectory(file);
    List<String> said =
        Log.lines(
            () -> {
              KernelFolder kernels = open();
              assertEquals(Optional.empty(), kernels.read(KEY));
              kernels.write(KEY, SMALL); // cannot replace a folder
              kernels.write(KEY, SMALL);
            });
    assertEquals(2, said.size(), said::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw--w----", "rw-----w-"})
  void filesThatOthersMayWriteAreRefused(String mode) throws IOException {
    assumePosix();
    written();
    mode(file, mode);
    assertRefused(mode);
    assertEquals("rw-------", mode(file));
  }

  @Test
  void filesOfOthersAreRefused() throws IOException {
    assumePosix();
    assumeTrue(FileState.user() == 0, "NOT tested: only root can give files away");
    written();
    Files.setAttribute(file, "unix:uid", 12345);
    assertRefused("of another user");
  }

  // Folders that are not right

  private void assertOff(Path named, String... parts) {
    List<String> said =
        Log.lines(
            () -> {
              KernelFolder kernels = KernelFolder.open(new Settings(named, "test", LARGE));
              assertEquals(Use.OFF, kernels.use());
              for (String part : parts) {
                assertTrue(kernels.reason().contains(part), kernels::reason);
              }
              kernels.write(KEY, SMALL);
              assertEquals(Optional.empty(), kernels.read(KEY));
              kernels.remove(KEY);
              assertEquals(0, kernels.clear());
              assertEquals(new Contents(0, 0), kernels.contents());
            });
    assertEquals(1, said.size(), said::toString);
    assertTrue(said.getFirst().contains(parts[0]), said::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rwxrwx---", "rwx----w-", "rwxrwxrwx"})
  void foldersThatOthersMayWriteAreNotUsed(String mode) throws IOException {
    assumePosix();
    written();
    mode(folder, mode);
    assertOff(folder, "chmod go-w " + folder, "funnel.kernels", "FUNNEL_KERNELS");
    Files.setAttribute(folder, "unix:mode", 01777);
    assertOff(folder, "chmod go-w " + folder);
  }

  @Test
  void foldersThatOthersMayReplaceAreNotUsed() throws IOException {
    assumePosix();
    written();
    Path parent = folder.getParent();
    mode(parent, "rwxrwxrwx");
    assertOff(folder, "chmod go-w " + parent);
    assertOff(parent.resolve("new"), "chmod go-w " + parent);
    assertFalse(Files.exists(parent.resolve("new")));
    Files.setAttribute(parent, "unix:mode", 01777); // others rename only what is their own
    assertEquals(Use.READ_WRITE, open().use());
    mode(parent, "rwxrwx---");
    PosixFileAttributes names = Files.readAttributes(parent, PosixFileAttributes.class);
    boolean isOwnGroup = names.owner().getName().equals(names.group().getName());
    assertEquals(isOwnGroup ? Use.READ_WRITE : Use.OFF, open().use());
  }

  @Test
  void foldersOfOthersAreNotUsed() throws IOException {
    assumePosix();
    assumeTrue(FileState.user() == 0, "NOT tested: only root can give folders away");
    written();
    Files.setAttribute(folder, "unix:uid", 12345);
    assertOff(folder, folder + ": it belongs to user 12345, and this process to user 0");
    Files.setAttribute(folder, "unix:uid", 0);
    Files.setAttribute(folder.getParent(), "unix:uid", 12345);
    assertOff(folder, folder.getParent() + ": it belongs to user 12345");
  }

  @Test
  void linksToFolders() throws IOException {
    assumePosix();
    written();
    Path link = temporary.resolve("link");
    Files.createSymbolicLink(link, folder);
    KernelFolder kernels = KernelFolder.open(new Settings(link, "test", LARGE));
    assertEquals(Optional.of(folder), kernels.folder());
    assertEquals(Optional.of(SMALL), kernels.read(KEY));
    mode(folder, "rwxrwxrwx");
    assertOff(link, "chmod go-w " + folder);
  }

  @Test
  void foldersThatCannotBeCreated() throws IOException {
    Path plain = Files.createFile(temporary.resolve("plain"));
    assertOff(plain, plain.toString());
    assertOff(plain.resolve("kernels"), plain.toString());
  }

  @Test
  void off() {
    List<String> said =
        Log.lines(
            () -> {
              KernelFolder kernels = KernelFolder.open(new Settings(null, "switched off", LARGE));
              assertEquals(Use.OFF, kernels.use());
              assertEquals("switched off", kernels.reason());
              assertEquals(Optional.empty(), kernels.folder());
              kernels.write(KEY, SMALL);
              assertEquals(Optional.empty(), kernels.read(KEY));
            });
    assertEquals(1, said.size(), said::toString);
  }

  /** By mode, since root may write all the same. */
  @Test
  void foldersThatAreReadOnly() throws IOException {
    assumePosix();
    byte[] right = written();
    open().write(key(2), SMALL);
    FileTime old = FileTime.from(Instant.now().minus(Duration.ofDays(9)));
    Files.setLastModifiedTime(file, old);
    mode(folder, "r-xr-xr-x");
    assertReadOnly(open());
    assertEquals(old, Files.getLastModifiedTime(file));
    assertArrayEquals(right, Files.readAllBytes(file));
    Files.write(file, new byte[5]);
    KernelFolder kernels = open();
    List<String> said = Log.lines(() -> assertEquals(Optional.empty(), kernels.read(KEY)));
    assertEquals(1, said.size(), said::toString);
    assertEquals(Optional.of(SMALL), kernels.read(key(2)));
  }

  /** What the system has installed, for another user. */
  @Test
  void foldersOfTheSystemAreReadOnly() throws IOException {
    assumePosix();
    assumeTrue(FileState.user() == 0, "NOT tested: only root has folders of the system");
    written();
    open().write(key(2), SMALL);
    mode(folder, "rwxr-xr-x");
    assertReadOnly(KernelFolder.open(new Settings(folder, "test", LARGE), 12345));
  }

  private void assertReadOnly(KernelFolder kernels) {
    assertEquals(Use.READ_ONLY, kernels.use());
    assertEquals(Optional.of(SMALL), kernels.read(KEY));
    kernels.write(key(3), SMALL);
    kernels.write(KEY, new CompiledKernel("scan", List.of(), new byte[0]));
    List<String> said = Log.lines(() -> kernels.remove(KEY));
    assertEquals(1, said.size(), said::toString);
    assertTrue(said.getFirst().contains(file + " stays"), said::toString);
    assertEquals(0, kernels.clear());
    assertEquals(2, kernels.contents().kernels());
    assertEquals(Optional.of(SMALL), kernels.read(KEY));
    assertEquals(Optional.empty(), kernels.read(key(3)));
  }

  @Test
  void aFolderThatIsDeletedMeanwhile() throws IOException {
    KernelFolder kernels = open();
    kernels.write(KEY, SMALL);
    Files.delete(file);
    Files.delete(folder);
    List<String> said =
        Log.lines(
            () -> {
              assertEquals(Optional.empty(), kernels.read(KEY));
              for (int i = 0; i < 5; i++) {
                kernels.write(key(i), SMALL);
              }
              kernels.remove(KEY);
              assertEquals(0, kernels.clear());
              assertEquals(new Contents(0, 0), kernels.contents());
            });
    assertEquals(1, said.size(), said::toString);
    assertTrue(said.getFirst().contains(folder.toString()), said::toString);
  }

  // What goes

  private void used(int key, Duration ago) throws IOException {
    Files.setLastModifiedTime(
        folder.resolve(key(key) + ".kernel"), FileTime.from(Instant.now().minus(ago)));
  }

  @Test
  void theLeastRecentlyUsedGoFirst() throws IOException {
    CompiledKernel kernel = new CompiledKernel("k", List.of(), new byte[10_000]);
    for (int i = 0; i < 20; i++) {
      open().write(key(i), kernel);
    }
    List<Integer> order = IntStream.range(0, 20).map(i -> 7 * i % 20).boxed().toList();
    for (int i = 0; i < 20; i++) {
      used(order.get(i), Duration.ofDays(30 - i));
    }
    int oldest = order.getFirst();
    assertEquals(Optional.of(kernel), open().read(key(oldest))); // the latest, now
    open(15 * 10_200).write(key(20), kernel); // 21 are there, and 13 fit into 90 %
    for (int i = 0; i < 20; i++) {
      boolean isKept = i == 0 || i >= 20 - 11;
      assertEquals(isKept, open().read(key(order.get(i))).isPresent(), "place " + i);
    }
    assertEquals(Optional.of(kernel), open().read(key(20)));
    assertEquals(13, open().contents().kernels());
  }

  @Test
  void theLimitHoldsAlsoInOneProcess() {
    CompiledKernel kernel = new CompiledKernel("k", List.of(), new byte[10_000]);
    KernelFolder kernels = open(100_000);
    for (int i = 0; i < 50; i++) {
      kernels.write(key(i), kernel);
      assertTrue(kernels.contents().bytes() <= 100_000, "" + i);
    }
  }

  @Test
  void aReadMarksAtMostOnceADay() throws IOException {
    written();
    FileTime today = FileTime.from(Instant.now().minus(Duration.ofHours(23)));
    Files.setLastModifiedTime(file, today);
    open().read(KEY);
    assertEquals(today, Files.getLastModifiedTime(file));
    used(1, Duration.ofHours(25));
    open().read(KEY);
    assertTrue(Files.getLastModifiedTime(file).compareTo(today) > 0);
  }

  @Test
  void whatKilledProcessesLeftGoesAfterAnHour() throws IOException {
    written();
    Path old = Files.write(folder.resolve("1.part"), new byte[9]);
    Path recent = Files.write(folder.resolve("2.part"), new byte[9]);
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofMinutes(61))));
    Files.setLastModifiedTime(recent, FileTime.from(Instant.now().minus(Duration.ofMinutes(59))));
    open().write(key(2), SMALL);
    assertFalse(Files.exists(old));
    assertTrue(Files.exists(recent));
  }
}
