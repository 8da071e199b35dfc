package funnel.engine.tornado;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What keys of kernels take of a compiler's jars. */
class CompilerJarsTest {

  @TempDir private Path folder;

  private String contents(int level, String... entries) throws IOException {
    Path jar = Files.createTempFile(folder, "compiler", ".jar");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      out.setLevel(level);
      for (String each : List.of(entries)) {
        out.putNextEntry(new ZipEntry(each.substring(0, 1)));
        out.write(each.getBytes(StandardCharsets.UTF_8));
      }
    }
    return KernelKey.contents(jar);
  }

  @Test
  void ofAJarItsContentsCount_notHowItIsPacked() throws IOException {
    String one = contents(Deflater.BEST_COMPRESSION, "a-class", "b-class");
    assertEquals(one, contents(Deflater.NO_COMPRESSION, "b-class", "a-class"));
    assertNotEquals(one, contents(Deflater.BEST_COMPRESSION, "a-class", "b-Class"));
    assertNotEquals(one, contents(Deflater.BEST_COMPRESSION, "a-class"));
    assertNotEquals(one, contents(Deflater.BEST_COMPRESSION, "a-class", "c-class"));
  }
}
