package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of whole files, and of what is told about work, do what they say. */
class WholeFileSnippetsTest {

  @TempDir Path folder;

  @Test
  void npz() throws IOException {
    assertEquals(2.5, WholeFileSnippets.npz(folder.resolve("state.npz")));
  }

  @Test
  void whole() throws IOException {
    Path file = folder.resolve("state.bin");
    WholeFileSnippets.keep(file, new byte[] {1, 2, 3});
    WholeFileSnippets.keep(file, new byte[] {4, 5});
    assertArrayEquals(new byte[] {4, 5}, Files.readAllBytes(file));
  }

  @Test
  void json() {
    assertEquals(
        "{\"file\":\"m.npy\",\"shape\":[2,3],\"sums\":[1.5,\"Infinity\"]}",
        WholeFileSnippets.json());
  }

  @Test
  void progress() {
    assertEquals(285, WholeFileSnippets.total(i -> i * i, 10, false));
    assertEquals(285, WholeFileSnippets.total(i -> i * i, 10, true));
  }
}
