package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the command line do what they say. */
class CommandSnippetsTest {

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path file = Path.of("m.npy");

  @BeforeEach
  void matrix() throws IOException {
    file = folder.resolve("m.npy");
    NpySnippets.write(file);
  }

  @Test
  void main() {
    List<String> lines = CommandSnippets.largest(file, new PrintWriter(err, true));
    assertTrue(err.toString().matches("in .* s on JVM .*\\R"), err.toString());
    assertEquals(2, lines.size());
    assertTrue(lines.getFirst().startsWith(file.toString()), lines.getFirst());
    assertEquals("max  6", lines.get(1));
  }

  @Test
  void exitCode() {
    PrintWriter results = new PrintWriter(out, true);
    PrintWriter errors = new PrintWriter(err, true);
    assertEquals(ExitCode.OK, CommandSnippets.anywhere(results, errors, file));
    assertTrue(out.toString().lines().anyMatch(line -> line.matches("sum +21")), out::toString);
    Path missing = folder.resolve("missing.npy");
    assertEquals(ExitCode.FAILURE, CommandSnippets.anywhere(results, errors, missing));
  }

  @Test
  void bench() throws IOException {
    Path json = folder.resolve("sum.json");
    assertEquals(ExitCode.OK, CommandSnippets.bench(new PrintWriter(out, true), json));
    assertTrue(out.toString().contains("  right"), out::toString);
    List<String> lines = Files.readAllLines(json);
    assertTrue(lines.getLast().contains("\"right\":true"), lines::toString);
  }
}
