package funnel.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {

  private static final int PART = 1 << 24;
  private static final int PARTS = 9;

  @TempDir Path folder;

  /** So that a commit need not wait for all of a large file; of one that is deleted nothing is. */
  @Test
  void whatIsWrittenIsForcedMeanwhile() throws IOException {
    assumeFalse(Files.getFileStore(folder).type().equals("tmpfs"), "nothing to force there");
    Path file = folder.resolve("large.bin");
    try (WholeFile whole = WholeFile.create(file)) {
      assertTrue(areForcedMeanwhile(whole));
      whole.commit();
    }
    byte[] expected = new byte[PART * PARTS];
    for (int part = 0; part < PARTS; part++) {
      Arrays.fill(expected, PART * part, PART * (part + 1), (byte) part);
    }
    assertArrayEquals(expected, Files.readAllBytes(file));
    try (WholeFile whole = WholeFile.create(folder.resolve("given up"))) {
      assertTrue(areForcedMeanwhile(whole));
    }
    try (WholeFile whole = WholeFile.create(folder.resolve("temporary"), true)) {
      assertFalse(areForcedMeanwhile(whole));
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(file), files.toList());
    }
  }

  private static boolean areForcedMeanwhile(WholeFile whole) throws IOException {
    boolean isForced = false;
    for (int part = 0; part < PARTS; part++) {
      byte[] bytes = new byte[PART];
      Arrays.fill(bytes, (byte) part);
      whole.write(ByteBuffer.wrap(bytes));
      isForced |=
          Thread.getAllStackTraces().keySet().stream()
              .anyMatch(thread -> thread.getName().startsWith("forcing "));
    }
    return isForced;
  }
}
