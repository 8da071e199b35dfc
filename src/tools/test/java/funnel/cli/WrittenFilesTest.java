package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.file.WholeFile;
import funnel.heat.HeatCheckpoint;
import funnel.heat.HeatFrames;
import funnel.heat.HeatMovie;
import funnel.heat.HeatSnapshot;
import funnel.heat.Side;
import funnel.io.ElementOutput;
import funnel.io.NpyWriter;
import funnel.io.Npz;
import funnel.operator.ElementType;
import funnel.pieces.PieceWriter;
import java.awt.image.BufferedImage;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What all that write files have in common. */
class WrittenFilesTest {

  private static final MemorySegment NUMBERS = MemorySegment.ofArray(new double[5000]);

  @TempDir Path folder;

  private interface Action {
    void write(Path file) throws IOException;
  }

  /** Everything that writes a file, which is there before in some tests. */
  enum Writer {
    NPY(file -> NpyWriter.write(file, ElementType.DOUBLE, NUMBERS, 5000)),
    NPY_PARTS(
        file -> {
          try (ElementOutput output = ElementOutput.create(file, ElementType.DOUBLE, 5000)) {
            output.append(NUMBERS);
            output.commit(true);
          }
        }),
    NPY_BEHIND(
        file -> {
          try (ElementOutput output = ElementOutput.create(file, ElementType.DOUBLE, 20_000)) {
            try (PieceWriter writer = new PieceWriter(output, 10_000)) {
              writer.write(writer.next(10_000));
              writer.write(writer.next(10_000));
            }
            output.commit(true);
          }
        }),
    NPZ(
        file -> {
          LinkedHashMap<String, Npz.Array> arrays = new LinkedHashMap<>();
          arrays.put("x", new Npz.Array(ElementType.DOUBLE, List.of(5000L), NUMBERS));
          Npz.write(file, arrays);
        }),
    CHECKPOINT(
        file ->
            new HeatCheckpoint(
                    new HeatSnapshot(ElementType.DOUBLE, 100, 50, 1, 1, NUMBERS),
                    1,
                    1,
                    0.1,
                    1,
                    Collections.nCopies(4, Side.wall(1)),
                    List.of())
                .write(file)),
    MOVIE(
        file -> {
          try (HeatMovie movie = HeatMovie.create(file, 50)) {
            movie.add(noise());
            movie.add(noise());
            movie.finish();
          }
        }),
    FRAME(file -> HeatFrames.writePng(file, noise())),
    HEAT_NPY(file -> command("heat", "--engine=jvm", "--steps=1", "--npy=" + file, "--force")),
    SCAN(file -> command("scan", input(file), "--type=int32", "--out=" + file, "--force")),
    SORT(
        file ->
            command(
                "sort", input(file), "--type=int32", "--chunk=999", "--out=" + file, "--force")),
    HISTOGRAM(file -> command("histogram", input(file), "--png=" + file, "--force")),
    BENCH_JSON(
        file -> command("bench", "reduce", "--quick", "--engine=jvm", "--json=" + file, "--force")),
    BENCH_PNG(
        file -> command("bench", "reduce", "--quick", "--engine=jvm", "--png=" + file, "--force"));

    private final Action action;

    Writer(Action action) {
      this.action = action;
    }

    /** A file's name for the format that it has. */
    String named(String name) {
      return name + (this == SCAN || this == SORT ? ".npy" : ".png");
    }

    private static String input(Path file) {
      return file.resolveSibling("input").toString();
    }

    private static BufferedImage noise() {
      BufferedImage noise = new BufferedImage(200, 100, BufferedImage.TYPE_BYTE_INDEXED);
      byte[] bytes = new byte[200 * 100];
      new Random(3).nextBytes(bytes);
      noise.getRaster().setDataElements(0, 0, 200, 100, bytes);
      return noise;
    }

    private static void command(String... arguments) throws IOException {
      Run run = Run.of(arguments);
      if (run.exitCode() != ExitCode.OK) {
        throw new IOException(run.err());
      }
    }
  }

  private Path input() throws IOException {
    return Files.write(folder.resolve("input"), new byte[40_000]);
  }

  private static Set<PosixFilePermission> mode(String mode) {
    return PosixFilePermissions.fromString(mode);
  }

  private Path old(Path file, String mode) throws IOException {
    return Files.setPosixFilePermissions(Files.write(file, new byte[] {1}), mode(mode));
  }

  private void assertNoOtherFiles(int expected) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> all = files.toList();
      assertEquals(expected, all.size(), all.toString());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aReplacedFileKeepsItsModeAndALinkStays(Writer writer) throws IOException {
    input();
    Path file = old(folder.resolve(writer.named("file")), "rw-------");
    writer.action.write(file);
    assertTrue(Files.size(file) > 1);
    assertEquals(mode("rw-------"), Files.getPosixFilePermissions(file));

    old(file, "rw-rw----");
    Path link = Files.createSymbolicLink(folder.resolve(writer.named("link")), file.getFileName());
    writer.action.write(link);
    assertTrue(Files.isSymbolicLink(link));
    assertTrue(Files.size(file) > 1);
    assertEquals(mode("rw-rw----"), Files.getPosixFilePermissions(file));

    Files.delete(file);
    writer.action.write(link); // which leads nowhere
    assertTrue(Files.isSymbolicLink(link));
    assertTrue(Files.size(file) > 1);
    Path usual = Files.createFile(folder.resolve("usual"));
    assertEquals(Files.getPosixFilePermissions(usual), Files.getPosixFilePermissions(file));
    assertNoOtherFiles(4);
  }

  @Test
  void aReplacedFileKeepsItsOwners() throws IOException {
    Path file = old(folder.resolve("file"), "rw-r-----");
    assumeTrue(
        Files.getAttribute(file, "unix:uid").equals(0), "only root may give files to others");
    Files.setAttribute(file, "unix:uid", 12345);
    Files.setAttribute(file, "unix:gid", 54321);
    NpyWriter.write(file, ElementType.DOUBLE, NUMBERS, 5000);
    assertEquals(12345, Files.getAttribute(file, "unix:uid"));
    assertEquals(54321, Files.getAttribute(file, "unix:gid"));
    assertEquals(mode("rw-r-----"), Files.getPosixFilePermissions(file));
  }

  private Path part() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".part")).findFirst().orElseThrow();
    }
  }

  @Test
  void aPartIsNeverMoreReadableThanTheFile() throws IOException {
    for (String before : List.of("rw-------", "rw-r-----", "rw-r--r--", "r--------")) {
      Path file = old(folder.resolve("file"), before);
      try (WholeFile whole = WholeFile.create(file)) {
        whole.stream().write(1);
        Set<PosixFilePermission> more = Files.getPosixFilePermissions(part());
        more.removeAll(mode(before));
        more.remove(PosixFilePermission.OWNER_WRITE);
        assertEquals(Set.of(), more, before);
        whole.commit();
      }
      assertEquals(mode(before), Files.getPosixFilePermissions(file));
      Files.delete(file);
    }
  }

  /**
   * The limit on a file's size stands for a disk that is full: writes fail, with another reason.
   */
  @Test
  void aDiskThatIsFullIsNamed() throws IOException, InterruptedException {
    input();
    List<String> command = new ArrayList<>();
    command.addAll(List.of("bash", "-c", "ulimit -f 1 && exec \"$@\"", "bash"));
    command.addAll(OtherJvm.command(WrittenFilesTest.class, "full", folder.toString()));
    command.add(command.indexOf("-cp"), "-XX:-UsePerfData");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out;
    try (BufferedReader reader = process.inputReader()) {
      out = reader.readAllAsString();
    }
    assertEquals(0, process.waitFor(), out);
    for (Writer writer : Writer.values()) {
      Path file = folder.resolve(writer.named(writer.name()));
      List<String> lines = out.lines().filter(line -> line.startsWith(writer + ": ")).toList();
      assertEquals(1, lines.size(), out);
      Path named = writer == Writer.SORT ? folder.resolve("sorted-pieces") : file;
      assertTrue(
          lines
              .getFirst()
              .matches(
                  ".*%s: (elements [0-9,]+ to [0-9,]+ )?cannot be written: File too large"
                      .formatted(named)),
          out);
      assertFalse(Files.exists(file), file.toString());
    }
    assertNoOtherFiles(1);
  }

  /** In another JVM. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[1]);
    switch (arguments[0]) {
      case "full" -> {
        for (Writer writer : Writer.values()) {
          try {
            writer.action.write(folder.resolve(writer.named(writer.name())));
            System.out.println(writer + ": written");
          } catch (IOException e) {
            System.out.println(writer + ": " + String.valueOf(e.getMessage()).strip());
          }
        }
      }
      case "write" -> {
        WholeFile whole = WholeFile.create(folder.resolve("file"));
        whole.stream().write(1);
        System.out.println("begun");
        System.in.read();
        System.exit(0);
      }
      case "hook" -> {
        WholeFile whole = WholeFile.create(folder.resolve("file"));
        Runtime.getRuntime()
            .addShutdownHook(
                new Thread(
                    () -> {
                      try {
                        Thread.sleep(500);
                        whole.commit();
                      } catch (IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    }));
        whole.stream().write(1);
        System.exit(0);
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private Process start(String what) throws IOException {
    Process process =
        new ProcessBuilder(OtherJvm.command(WrittenFilesTest.class, what, folder.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (what.equals("write")) {
      assertEquals("begun", process.inputReader().readLine());
    }
    return process;
  }

  private List<Path> parts() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".part")).toList();
    }
  }

  @Test
  void whatAKilledProcessLeftGoesAndWhatALivingOneWritesStays() throws Exception {
    Process killed = start("write");
    Process living = start("write");
    assertEquals(2, parts().size());
    killed.destroyForcibly().waitFor();
    assertEquals(2, parts().size(), "what is killed cannot clean up");
    Path foreign = Files.createFile(folder.resolve(".download.part"));
    Process next = start("write");
    Process another = start("write");
    assertEquals(4, parts().size(), "two living ones before, the new one, and another program's");
    assertTrue(Files.exists(foreign));
    for (Process process : List.of(living, next, another)) {
      process.outputWriter().close();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    }
    assertEquals(List.of(foreign), parts(), "a JVM that ends takes away what is not complete");
  }

  @Test
  void aHookMayWaitForAWriter() throws Exception {
    Process process = start("hook");
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertArrayEquals(new byte[] {1}, Files.readAllBytes(folder.resolve("file")));
    assertNoOtherFiles(1);
  }

  @Test
  void twoMayWriteOneFile() throws IOException {
    Path file = folder.resolve("file");
    try (WholeFile one = WholeFile.create(file);
        WholeFile other = WholeFile.create(file)) {
      one.stream().write(1);
      other.stream().write(2);
      other.commit();
      one.commit();
    }
    assertArrayEquals(new byte[] {1}, Files.readAllBytes(file));
    assertNoOtherFiles(1);
  }

  @Test
  void linksThatLeadNowhereAreNamed() throws IOException {
    Path loop = folder.resolve("loop");
    Files.createSymbolicLink(loop, Path.of("loop"));
    FileSystemException e =
        assertThrows(FileSystemException.class, () -> WholeFile.create(loop).close());
    assertTrue(String.valueOf(e.getMessage()).startsWith(loop.toString()), e.getMessage());
    Path lost = Files.createSymbolicLink(folder.resolve("lost"), Path.of("none/file"));
    e = assertThrows(FileSystemException.class, () -> WholeFile.create(lost).close());
    assertTrue(String.valueOf(e.getMessage()).contains("no folder"), e.getMessage());
    Path text = folder.resolve("text");
    WholeFile.write(text, "both".getBytes(StandardCharsets.UTF_8));
    assertNotEquals(0, Files.size(text));
  }

  @Test
  void aMoviesPicturesGoToTheDiskAsTheyCome() throws IOException {
    try (HeatMovie movie = HeatMovie.create(folder.resolve("m.gif"), 50)) {
      long size = 0;
      for (int k = 0; k < 5; k++) {
        movie.add(Writer.noise());
        long now = Files.size(part());
        assertTrue(now > size + 10_000, "picture %s: %s bytes, %s before".formatted(k, now, size));
        size = now;
      }
    }
  }
}
