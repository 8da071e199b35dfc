package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.javaparser.JavaParser;
import funnel.kernel.Scalars;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of a master source does what it says, and so do the twins written from it. */
class IntToIntTotalsTest {

  private static final Path WRITER =
      Path.of("src", "build", "java", "funnel", "build", "TwinWriter.java");
  private static final Path MASTER =
      Path.of("src", "test", "java", "funnel", "docs", "IntToIntTotals.java");

  @Test
  void master() {
    assertEquals(-5, IntToIntTotals.total(new int[] {1, -6, 100}, 2));
  }

  @Test
  void twins(@TempDir Path folder) throws Exception {
    assumeTrue(Files.exists(WRITER) && Files.exists(MASTER), "needs the project's sources");
    Path masters = Files.createDirectory(folder.resolve("masters"));
    Files.copy(MASTER, masters.resolve(MASTER.getFileName()));
    Path twins = folder.resolve("twins");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    int written =
        new ProcessBuilder(
                java,
                "-cp",
                origin(JavaParser.class),
                WRITER.toString(),
                masters.toString(),
                twins.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start()
            .waitFor();
    assertEquals(0, written, Files.readString(folder.resolve("output")));
    try (URLClassLoader loader = compiled(twins, "ByteToLongTotals", "FloatToDoubleTotals")) {
      Method longs = total(loader, "ByteToLongTotals", byte[].class);
      assertEquals(201L, longs.invoke(null, new byte[] {(byte) 200, 1, 100}, 2));
      Method doubles = total(loader, "FloatToDoubleTotals", float[].class);
      assertEquals(1 + 0x1p-30, doubles.invoke(null, new float[] {1, 0x1p-30f}, 2));
    }
  }

  private static URLClassLoader compiled(Path folder, String... classes) throws Exception {
    for (String name : classes) {
      int status =
          ToolProvider.getSystemJavaCompiler()
              .run(
                  null,
                  null,
                  null,
                  "-proc:none",
                  "-cp",
                  origin(Scalars.class),
                  "-d",
                  folder.toString(),
                  folder.resolve(name + ".java").toString());
      assertEquals(0, status, name);
    }
    return new URLClassLoader(
        new URL[] {folder.toUri().toURL()}, IntToIntTotalsTest.class.getClassLoader());
  }

  private static Method total(ClassLoader loader, String twin, Class<?> elements)
      throws ReflectiveOperationException {
    Method total =
        loader.loadClass("funnel.docs." + twin).getDeclaredMethod("total", elements, int.class);
    total.setAccessible(true);
    return total;
  }

  private static String origin(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }
}
