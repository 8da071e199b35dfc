package funnel.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.classfile.ClassFile;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RaisedClassesTest {

  private static final Path SOURCE = Path.of("src/build/java/funnel/build/RaisedClasses.java");

  @TempDir Path folder;

  @Test
  void theJvmVerifiesRaisedClassesByTheirNewStackMaps() throws Exception {
    assumeTrue(Files.exists(SOURCE), "no sources here");
    Path jar =
        Path.of(CommandLine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                SOURCE.toString(),
                folder.toString(),
                jar.toString())
            .inheritIO()
            .start();
    assertEquals(0, process.waitFor());
    Path raised = folder.resolve(jar.getFileName());
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
