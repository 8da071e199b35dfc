package funnel;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What the launcher would start, for JDKs, SDKs and bundles that are made up of empty files. */
abstract class MadeUpLauncher {
  /*
   * Every path has blanks and a character that shells and sed care about. Nothing is taken from
   * this machine's environment but the tools in /usr/bin and /bin.
   */

  static final String TEMPLATE =
      """
      # made by TornadoVM
      -server
      --enable-preview
      -Djava.library.path=${TORNADOVM_HOME}/lib
      -Dtornado.recover.bailout=True
      --module-path .:${TORNADOVM_HOME}/share/java/tornado
      --upgrade-module-path ${TORNADOVM_HOME}/share/java/graalJars
      --add-modules ALL-SYSTEM,tornado.runtime,tornado.drivers.ptx,tornado.drivers.cuda
      --add-reads=tornado.drivers.cuda=jdk.graal.compiler
      --add-exports=tornado.drivers.cuda/some.where=tornado.runtime
      --add-opens=java.base/java.lang=tornado.drivers.cuda
      --add-exports=a.b/c.d=tornado.drivers.cuda,tornado.drivers.ptx,tornado.runtime
      --enable-native-access=tornado.api,tornado.drivers.ptx,tornado.drivers.cuda
      """;

  /** As of version 6, which has a compiler of its own. */
  static final String LATER_TEMPLATE =
      """
      -server
      -XX:+EnableJVMCI
      -Djava.library.path=${TORNADOVM_HOME}/lib
      --module-path .:${TORNADOVM_HOME}/share/java/tornado:${TORNADOVM_HOME}/share/java/graalJars
      --patch-module jdk.internal.vm.ci=${TORNADOVM_HOME}/share/java/jvmci/jvmci-21.0.2.jar
      --add-modules tornado.graal,tornado.runtime,tornado.drivers.cuda
      """;

  final Map<String, String> environment = new HashMap<>();

  @TempDir Path temporary;
  Path folder;
  Path tree;
  Path jdk25;

  record Outcome(int exitCode, List<String> lines, String errors) {
    String java() {
      return lines.get(2);
    }

    String after(String option) {
      return lines.get(lines.indexOf(option) + 1);
    }

    boolean mentions(String text) {
      return lines.stream().anyMatch(line -> line.contains(text));
    }
  }

  @BeforeEach
  void makeTree() throws IOException {
    folder = Files.createDirectories(temporary.resolve("a b & c\\d"));
    tree = folder.resolve("source tree");
    copyLauncher(tree);
    Files.writeString(tree.resolve("pom.xml"), "<project>\n  <version>1</version>\n</project>\n");
    jdk25 = jdk("jdk 25", "25.0.3");
    environment.put("PATH", "/usr/bin:/bin");
    environment.put("HOME", Files.createDirectory(folder.resolve("home")).toString());
    environment.put("FUNNEL_DRY_RUN", "1");
    environment.put("JAVA_HOME", jdk25.toString());
  }

  static Path program(Path file, String text) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, "#!/bin/sh\n" + text);
    assertTrue(file.toFile().setExecutable(true));
    return file;
  }

  Path bundle() throws IOException {
    Path bundle = folder.resolve("a bundle");
    copyLauncher(bundle.resolve("bin"));
    Files.move(bundle.resolve("bin/tornado-config"), bundle.resolve("tornado-config"));
    jdk("a bundle/runtime", "25.0.3");
    sdk("a bundle/sdk-ptx", "25", TEMPLATE, "ptx");
    sdk("a bundle/sdk-cuda", "25", TEMPLATE, "cuda");
    return bundle;
  }

  /** Copies the launcher and its configuration from the folder that the tests run in. */
  private static void copyLauncher(Path to) throws IOException {
    Path source = Path.of(Files.exists(Path.of("funnel")) ? "funnel" : "bin/funnel");
    Path configuration = Path.of("tornado-config");
    assumeTrue(Files.isRegularFile(source) && Files.isDirectory(configuration), "no launcher here");
    Files.createDirectories(to.resolve("tornado-config"));
    Files.copy(source, to.resolve("funnel"));
    try (Stream<Path> files = Files.list(configuration)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve("tornado-config").resolve(file.getFileName()));
      }
    }
  }

  Path jdk(String name, String version) throws IOException {
    Path home = folder.resolve(name);
    program(home.resolve("bin/java"), "");
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"%s\"\n".formatted(version));
    return home;
  }

  Path sdk(String name, String java, String template, String... drivers) throws IOException {
    Path home = folder.resolve(name);
    Path jars = Files.createDirectories(home.resolve("share/java/tornado"));
    Files.createFile(jars.resolve("tornado-api-1.jar"));
    Files.createFile(jars.resolve("tornado-drivers-common-1.jar"));
    Path libraries = Files.createDirectories(home.resolve("lib"));
    for (String driver : drivers) {
      Files.createFile(jars.resolve("tornado-drivers-%s-1.jar".formatted(driver)));
      Files.createFile(libraries.resolve("libtornado-%s.so".formatted(driver)));
    }
    Files.createDirectories(home.resolve("etc"));
    Files.writeString(home.resolve("etc/tornado.release"), "version=5.2.0-jdk%s\n".formatted(java));
    Files.writeString(home.resolve("tornado-argfile.template"), template);
    return home;
  }

  /** An SDK of version 6: without native libraries, and with a compiler of its own. */
  Path laterSdk(String name, String version, String template) throws IOException {
    Path home = sdk(name, "25", template, "cuda");
    Files.delete(home.resolve("lib/libtornado-cuda.so"));
    Path jars = Files.createDirectories(home.resolve("share/java/graalJars"));
    Files.createFile(jars.resolve("tornado-graal-23.1.0.jar"));
    Files.writeString(home.resolve("etc/tornado.release"), "version=%s\n".formatted(version));
    return home;
  }

  static Path real(Path path) throws IOException {
    return path.toRealPath();
  }

  Outcome start(Path launcher, String... arguments) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash here");
    Path file = Files.isDirectory(launcher) ? launcher.resolve("funnel") : launcher;
    List<String> command = new ArrayList<>(List.of("/bin/bash", file.toString()));
    command.addAll(List.of(arguments));
    Path errors = Files.createTempFile(temporary, "errors", "");
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectError(errors.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process = builder.start();
    List<String> lines = process.inputReader().lines().toList();
    return new Outcome(process.waitFor(), lines, Files.readString(errors));
  }
}
