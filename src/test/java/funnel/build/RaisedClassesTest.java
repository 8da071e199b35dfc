package funnel.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.columns.DuckDb;
import java.io.File;
import java.lang.classfile.ClassFile;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RaisedClassesTest {

  private static final Path SOURCE = Path.of("src/build/java/funnel/build/RaisedClasses.java");

  @TempDir Path folder;

  private Path copied(Path jar) throws Exception {
    assumeTrue(Files.exists(SOURCE), "no sources here");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                SOURCE.toString(),
                folder.toString(),
                jar.toString())
            .inheritIO()
            .start();
    assertEquals(0, process.waitFor());
    return folder.resolve(jar.getFileName());
  }

  private static Path jar(Class<?> of) throws Exception {
    return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  @Test
  void theLibraryOfDuckDbIsBesideItsDriver() throws Exception {
    DuckDb.require();
    Path driver = copied(jar(DriverManager.getDriver("jdbc:duckdb:").getClass()));
    try (JarFile copies = new JarFile(driver.toFile());
        Stream<Path> files = Files.list(folder)) {
      assertTrue(copies.stream().noneMatch(entry -> entry.getName().startsWith("libduckdb")));
      assertEquals(2, files.count());
    }
    Process started =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + folder.resolve("nowhere"),
                "-cp",
                driver + File.pathSeparator + jar(RaisedClassesTest.class),
                Answer.class.getName())
            .inheritIO()
            .start();
    assertEquals(0, started.waitFor());
  }

  /** A query without a folder for temporary files. */
  static final class Answer {
    private Answer() {}

    /** Asks DuckDB. */
    public static void main(String[] args) throws SQLException {
      try (Connection open = DriverManager.getConnection("jdbc:duckdb:");
          Statement statement = open.createStatement()) {
        statement.executeQuery("SELECT 1").close();
      }
    }
  }

  @Test
  void theJvmVerifiesRaisedClassesByTheirNewStackMaps() throws Exception {
    Path raised = copied(jar(CommandLine.class));
    int classes = 0;
    try (JarFile copies = new JarFile(raised.toFile());
        URLClassLoader loader =
            new URLClassLoader(
                new URL[] {raised.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
      for (ZipEntry entry : copies.stream().toList()) {
        String name = entry.getName();
        if (name.matches("picocli/CommandLine.*\\.class")) {
          byte[] bytes = copies.getInputStream(entry).readAllBytes();
          assertTrue(ClassFile.of().parse(bytes).majorVersion() >= ClassFile.JAVA_8_VERSION, name);
          var _ = Class.forName(name.replaceAll("\\.class$", "").replace('/', '.'), true, loader);
          classes++;
        }
      }
      assertTrue(classes > 100, "classes: " + classes);
      Object line =
          loader
              .loadClass("picocli.CommandLine$Help$Ansi$Style")
              .getMethod("parse", String.class)
              .invoke(null, "bold");
      assertEquals(1, List.of((Object[]) line).size());
    }
  }
}
