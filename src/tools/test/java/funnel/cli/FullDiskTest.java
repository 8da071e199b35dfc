package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk that is full: the message names the file. A limit on a file's size stands for it: writes
 * fail, with another reason.
 */
class FullDiskTest {

  private static final int LENGTH = 100_000;

  @TempDir Path folder;

  /** What a command says in a JVM that may write 100 KiB to a file. */
  private String said(Path in, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("bash", "-c", "ulimit -f 100 && exec \"$@\"", "bash"));
    command.addAll(OtherJvm.command(Main.class, arguments));
    command.add(command.indexOf("-cp"), "-XX:-UsePerfData");
    command.add(command.indexOf("-cp"), "-Djava.io.tmpdir=" + folder);
    Process process =
        new ProcessBuilder(command)
            .redirectInput(in.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    String said =
        new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertEquals(ExitCode.FAILURE, process.waitFor(), said);
    return said;
  }

  @Test
  void anOutput() throws IOException, InterruptedException {
    Path ints = Files.write(folder.resolve("x.bin"), new byte[4 * LENGTH]);
    Path out = folder.resolve("y.npy");
    assertEquals(
        "funnel select: %s: elements 0 to 99,999 cannot be written: File too large".formatted(out),
        said(ints, "select", ints.toString(), "--type=int32", "--where=> -1", "--out=" + out));
    assertEquals(List.of("x.bin"), List.of(Objects.requireNonNull(folder.toFile().list())));
  }

  /** The file is in the folder for temporary files. */
  @Test
  void aCopyOfStandardInput() throws IOException, InterruptedException {
    Path ints = Files.write(folder.resolve("x.bin"), new byte[4 * LENGTH]);
    String said = said(ints, "reduce", "-", "--type=int32");
    assertEquals(
        "funnel reduce: standard input -> %s: cannot be copied: File too large"
            .formatted(folder.resolve("funnel-input*.bin")),
        said.replaceFirst("input\\d+", "input*"));
  }

  @Test
  @EnabledIf("funnel.cli.StandardOutputTest#isFullThere")
  void aCopyOfAColumn() throws IOException {
    Path full = Path.of("/dev/full");
    try (FileChannel channel = FileChannel.open(full, StandardOpenOption.WRITE)) {
      FileSystemException e =
          assertThrows(
              FileSystemException.class,
              () -> ElementCopy.write(channel, ByteBuffer.allocate(1), full));
      assertEquals("/dev/full: cannot be written: No space left on device", e.getMessage());
    }
  }
}
