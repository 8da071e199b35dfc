package funnel.jit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** In another JVM, whose class path is changed. */
class ClassFilesTest {

  private static final String OPENS = "--add-opens=java.base/jdk.internal.loader=ALL-UNNAMED";

  /** Registers a class file, and looks for it as TornadoVM 6 does. */
  public static void main(String[] arguments) throws Exception {
    ClassLoader loader = ClassFilesTest.class.getClassLoader();
    byte[] before = {1, 2, 3};
    ClassFiles.register("a.b.Before$copy1", before);
    ClassFiles.addToClassPath(loader);
    ClassFiles.register("a.b.After", new byte[] {4});
    try (InputStream in = loader.getResourceAsStream("a/b/Before$copy1.class")) {
      assertArrayEquals(before, in.readAllBytes());
    }
    assertEquals("funnel:/a/b/After.class", String.valueOf(loader.getResource("a/b/After.class")));
    assertEquals(null, loader.getResource("a/b/Other.class"));
    assertEquals(null, loader.getResource("a/b/After"));
    System.out.println("found");
  }

  private static String run(String... options) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(List.of(options));
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), ClassFilesTest.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    return text;
  }

  @Test
  void whatIsMadeIsOnTheClassPath() throws Exception {
    assertTrue(run(OPENS).contains("found"), "see the output of the other JVM");
  }

  @Test
  void aClosedClassPathIsAnError() throws Exception {
    String text = run();
    assertTrue(text.contains("InaccessibleObjectException"), text);
  }
}
