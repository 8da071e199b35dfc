package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When the launcher of a source tree has Maven build it. */
class LauncherBuildTest extends MadeUpLauncher {
  /** What the launcher and the Maven of these tests need of the system. */
  private static final String TOOLS =
      "basename dirname cat find grep head mkdir readlink rm rmdir sed sleep touch uname";

  @Test
  void whatMavenHasBuiltIsNotBuiltAgain() throws Exception {
    mavenTakes("0");
    assertEquals(0, start(tree, "demo").exitCode());
    assertEquals(List.of("begin", "end"), builds(), "not built yet");
    assertEquals(0, start(tree, "demo").exitCode());
    assertEquals(List.of("begin", "end"), builds(), "nothing changed");
    Path source = Files.createDirectories(tree.resolve("src/main")).resolve("New.java");
    Files.writeString(source, "class New {}");
    FileTime old = Files.getLastModifiedTime(tree.resolve("target/funnel-1.jar"));
    assertEquals(0, start(tree, "demo").exitCode());
    assertEquals(List.of("begin", "end", "begin", "end"), builds(), "a new file");
    assertEquals(old, Files.getLastModifiedTime(tree.resolve("target/funnel-1.jar")));
    assertEquals(0, start(tree, "demo").exitCode());
    assertEquals(List.of("begin", "end", "begin", "end"), builds(), "the jar is the same");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void twoLaunchersDoNotBuildAtOnce(boolean withFlock) throws Exception {
    mavenTakes("1");
    Path tools = folder.resolve("bin");
    if (!withFlock) {
      for (String tool : TOOLS.split(" ")) {
        Path found = Path.of("/usr/bin", tool);
        program(
            tools.resolve(tool),
            "exec %s \"$@\"".formatted(Files.exists(found) ? found : Path.of("/bin", tool)));
      }
      environment.put("PATH", tools.toString());
    }
    try (ExecutorService two = Executors.newFixedThreadPool(2)) {
      Future<Outcome> first = two.submit(() -> start(tree, "demo"));
      Future<Outcome> second = two.submit(() -> start(tree, "demo"));
      assertEquals(0, first.get().exitCode(), first.get().errors());
      assertEquals(0, second.get().exitCode(), second.get().errors());
    }
    assertEquals(List.of("begin", "end"), builds());
  }

  @Test
  void afterABuildThatFailedTheNextOneIsTried() throws Exception {
    program(folder.resolve("bin/mvn"), "echo begin >> builds; echo 'no such symbol'; exit 1");
    environment.put("PATH", folder.resolve("bin") + ":/usr/bin:/bin");
    environment.remove("FUNNEL_DRY_RUN");
    for (int i = 0; i < 2; i++) {
      Outcome outcome = start(tree, "demo");
      assertEquals(1, outcome.exitCode());
      assertTrue(outcome.errors().contains("no such symbol"), outcome.errors());
      assertTrue(outcome.errors().contains("the build failed"), outcome.errors());
    }
    assertEquals(List.of("begin", "begin"), builds());
  }

  /** A Maven that does what the launcher looks at: a jar that would be the same it leaves alone. */
  private void mavenTakes(String seconds) throws IOException {
    program(
        folder.resolve("bin/mvn"),
        """
        echo begin >> builds
        mkdir -p target/classes target/lib target/build-tools
        touch target/build-tools/sources.txt
        [ -e target/funnel-1.jar ] || touch -t 202601010000 target/funnel-1.jar
        rm -rf target/test-lib
        sleep %s
        mkdir target/test-lib
        echo end >> builds
        """
            .formatted(seconds));
    environment.put("PATH", folder.resolve("bin") + ":/usr/bin:/bin");
    environment.remove("FUNNEL_DRY_RUN");
  }

  private List<String> builds() throws IOException {
    return Files.readAllLines(tree.resolve("builds"));
  }
}
