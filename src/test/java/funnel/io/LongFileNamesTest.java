package funnel.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.file.WholeFile;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files whose names are as long as a file system has them: 255 bytes. */
class LongFileNamesTest {

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {212, 213, 244, 255})
  void areWritten(int bytes) throws IOException {
    Path npy = folder.resolve("a".repeat(bytes - 4) + ".npy");
    try (ElementOutput output = ElementOutput.create(npy, ElementType.INT, 1)) {
      output.append(MemorySegment.ofArray(new int[] {7}));
      output.commit(false);
    }
    assertEquals(132, Files.size(npy));
    Path whole = folder.resolve("b".repeat(bytes));
    try (WholeFile file = WholeFile.create(whole)) {
      file.stream().write(1);
      file.commit();
    }
    assertEquals(1, Files.size(whole));
  }
}
