package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a bundle starts, and how one is made. */
class LauncherBundleTest extends MadeUpLauncher {
  @Test
  void aBundleRunsWithItsOwnJavaAndSdks() throws Exception {
    Path bundle = bundle();
    Path launcher = bundle.resolve("bin/funnel");
    environment.put("TORNADOVM_HOME", "/another/sdk");
    Outcome first = start(launcher, "demo");
    assertEquals(0, first.exitCode(), first.errors());
    assertEquals(bundle.resolve("runtime/bin/java").toString(), first.java());
    assertEquals("TORNADOVM_HOME=" + bundle.resolve("sdk-ptx"), first.lines().getFirst());
    assertEquals(
        "%1$s/app/funnel.jar:%1$s/app/funnel-tools.jar:%1$s/app/lib/*".formatted(bundle),
        first.after("-cp"));

    Outcome cuda = start(launcher, "--backend", "cuda", "demo");
    assertTrue(cuda.lines().contains("-Djava.library.path=" + bundle.resolve("sdk-cuda/lib")));
    environment.put("FUNNEL_BACKEND", "none");
    Outcome none = start(launcher, "demo");
    assertEquals("TORNADOVM_HOME=", none.lines().getFirst());
    assertTrue(none.after("-cp").contains(bundle.resolve("app/tornado-api-classes").toString()));

    environment.remove("FUNNEL_BACKEND");
    Outcome unknown = start(launcher, "--backend", "opencl", "demo");
    assertEquals(2, unknown.exitCode());
    assertTrue(unknown.errors().contains("no backend 'opencl'; it has: cuda ptx"));
  }

  @Test
  void aBundleThatIsMovedGetsANewArgfile() throws Exception {
    Path bundle = bundle();
    start(bundle.resolve("bin/funnel"), "demo");
    Path moved = Files.move(bundle, folder.resolve("moved"));
    start(moved.resolve("bin/funnel"), "demo");
    List<String> argfile = Files.readAllLines(moved.resolve("sdk-ptx/tornado-argfile"));
    String quoted = moved.toString().replace("\\", "\\\\");
    assertTrue(argfile.contains("\"-Djava.library.path=%s/sdk-ptx/lib\"".formatted(quoted)));
    assertTrue(argfile.contains("\"%s/sdk-ptx/share/java/graalJars\"".formatted(quoted)));
    assertTrue(argfile.stream().noneMatch(line -> line.contains("a bundle/")), argfile.toString());
  }

  @Test
  void aPreparedBundleStartsFromItsCache() throws Exception {
    Path bundle = bundle();
    Path launcher = bundle.resolve("bin/funnel");
    Path compiler = bundle.resolve("sdk-ptx/share/java/graalJars/compiler-1.jar");
    Files.createDirectories(compiler.getParent());
    Files.createFile(compiler);
    Path library = Files.createDirectories(bundle.resolve("app/lib")).resolve("a.jar");
    Files.createFile(library);
    Path cache = bundle.resolve("sdk-ptx/start.aot");
    String begins = "%1$s/app/funnel.jar:%1$s/app/funnel-tools.jar:%2$s".formatted(bundle, library);

    environment.put("FUNNEL_CLASSPATH", "/my/classes");
    Outcome prepares = start(launcher, "prepare");
    assertTrue(prepares.lines().contains("-XX:AOTCacheOutput=" + cache + ".making"));
    assertTrue(prepares.lines().contains("-Dfunnel.engine=tornado"));
    assertEquals(begins, prepares.after("-cp"));
    assertFalse(prepares.mentions("--upgrade-module-path"), "rules a cache out");
    assertTrue(prepares.after("--module-path").endsWith(":" + compiler));

    assertFalse(start(launcher, "demo").mentions("-XX:AOTCache"));
    Files.createFile(cache);
    for (String what : List.of("demo", "java")) {
      Outcome outcome = start(launcher, what);
      assertTrue(outcome.lines().contains("-XX:AOTCache=" + cache), outcome.lines().toString());
      assertTrue(outcome.after("-cp").startsWith(begins + ":"), outcome.after("-cp"));
      assertTrue(outcome.after("-cp").endsWith(":/my/classes"), outcome.after("-cp"));
      assertEquals(prepares.after("--module-path"), outcome.after("--module-path"));
      assertFalse(outcome.mentions("-XX:TieredStopAtLevel"), "it may run for long");
    }
    assertTrue(start(launcher, "reduce", library.toString()).mentions("-XX:TieredStopAtLevel=1"));
    assertFalse(start(launcher, "reduce", "-").mentions("-XX:TieredStopAtLevel"));
    assertFalse(start(launcher, "--backend", "cuda", "demo").mentions("-XX:AOTCache"));
    assertFalse(start(launcher, "--backend", "none", "demo").mentions("start.aot"));
  }

  @Test
  void aCacheThatCannotBeMadeLeavesNone() throws Exception {
    Path bundle = bundle();
    String fails =
        "for a; do case $a in -XX:AOTCacheOutput=*) touch \"${a#*=}\"; echo no; exit 1 ;; esac;"
            + " done";
    program(bundle.resolve("runtime/bin/java"), fails);
    environment.remove("FUNNEL_DRY_RUN");
    Outcome outcome = start(bundle.resolve("bin/funnel"), "prepare");
    assertEquals(1, outcome.exitCode());
    assertTrue(outcome.errors().contains("no cache could be made: no\n"), outcome.errors());
    try (Stream<Path> files = Files.list(bundle.resolve("sdk-ptx"))) {
      assertTrue(files.noneMatch(file -> file.toString().contains("start.aot")));
    }
  }

  @Test
  void onlyABundleWithAnSdkHasACache() throws Exception {
    Outcome tree = start(this.tree.resolve("funnel"), "prepare");
    assertEquals(1, tree.exitCode());
    assertTrue(tree.errors().contains("there are no jars yet"), tree.errors());
    environment.put("TORNADOVM_HOME", sdk("an sdk", "25", TEMPLATE, "ptx").toString());
    Outcome withSdk = start(this.tree.resolve("funnel"), "prepare");
    assertEquals(0, withSdk.exitCode(), withSdk.errors());
    assertEquals("funnel.ahead.KernelPreparation", withSdk.lines().getLast());
    assertTrue(withSdk.lines().contains("-Dfunnel.engine=tornado"));
    assertFalse(withSdk.mentions("-XX:AOTCacheOutput"), "the SDK replaces a module");
    assertFalse(withSdk.mentions("-Dfunnel.kernels"), "the user's folder");
    environment.remove("TORNADOVM_HOME");
    Path bundle = bundle();
    Outcome none = start(bundle.resolve("bin/funnel"), "--backend", "none", "prepare");
    assertEquals(2, none.exitCode());
    Files.move(bundle.resolve("sdk-cuda"), folder.resolve("sdk-cuda"));
    laterSdk("a bundle/sdk-cuda", "6.0.0-jdk22plus", LATER_TEMPLATE);
    Outcome later = start(bundle.resolve("bin/funnel"), "--backend", "cuda", "prepare");
    assertEquals(1, later.exitCode());
    assertTrue(later.errors().contains("replaces a module of the JDK"), later.errors());
  }

  @Test
  void aBundleUsesItsFolderOfKernelsUnlessTheUserNamesOne() throws Exception {
    Path bundle = bundle();
    Path launcher = bundle.resolve("bin/funnel");
    assertFalse(start(launcher, "demo").mentions("-Dfunnel.kernels"), "there is none");
    Path kernels = Files.createDirectory(bundle.resolve("kernels"));
    String own = "-Dfunnel.kernels=" + kernels;
    for (String what : List.of("demo", "java", "jshell", "prepare")) {
      assertTrue(start(launcher, what).lines().contains(own), what);
    }
    assertFalse(start(launcher, "--backend", "none", "demo").mentions("-Dfunnel.kernels"));
    assertFalse(start(launcher, "-Dfunnel.kernels=/mine", "demo").lines().contains(own));
    environment.put("FUNNEL_JAVA_OPTS", "-Xmx1g -Dfunnel.kernels=/mine");
    assertFalse(start(launcher, "demo").lines().contains(own));
    environment.remove("FUNNEL_JAVA_OPTS");
    environment.put("FUNNEL_KERNELS", "off");
    assertFalse(start(launcher, "demo").mentions("-Dfunnel.kernels"));
  }

  @Test
  void prepareFillsTheBundlesFolderForAllUsers() throws Exception {
    Path bundle = bundle();
    String compiles =
        "for a; do case $a in -Dfunnel.kernels=/*) touch \"${a#*=}/k.kernel\" ;; "
            + "-XX:AOTCacheOutput=*) touch \"${a#*=}\" ;; esac; done; echo \"$@\"";
    program(bundle.resolve("runtime/bin/java"), "umask 077\n" + compiles);
    environment.remove("FUNNEL_DRY_RUN");
    Outcome outcome = start(bundle.resolve("bin/funnel"), "prepare");
    assertEquals(0, outcome.exitCode(), outcome.errors());
    assertTrue(outcome.lines().getFirst().endsWith("funnel.ahead.KernelPreparation"));
    assertEquals("rwxr-xr-x", mode(bundle.resolve("kernels")));
    assertEquals("rw-r--r--", mode(bundle.resolve("kernels/k.kernel")));
    assertTrue(Files.exists(bundle.resolve("sdk-ptx/start.aot")));
  }

  @Test
  void withoutADeviceNothingIsPrepared() throws Exception {
    Path bundle = bundle();
    program(bundle.resolve("runtime/bin/java"), "echo no device >&2; exit 1");
    environment.remove("FUNNEL_DRY_RUN");
    Outcome outcome = start(bundle.resolve("bin/funnel"), "prepare");
    assertEquals(1, outcome.exitCode());
    assertTrue(outcome.errors().contains("no device\n"), outcome.errors());
    assertFalse(Files.exists(bundle.resolve("sdk-ptx/start.aot")));
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void aBundleTakesKernelsAlong() throws Exception {
    buildTree();
    Path kernels = Files.createDirectory(folder.resolve("my kernels"));
    Path to = folder.resolve("made");
    Path launcher = tree.resolve("funnel");
    String[] arguments = {"bundle", "--output", to.toString(), "--kernels", kernels.toString()};
    Outcome none = start(launcher, arguments);
    assertEquals(2, none.exitCode());
    assertTrue(none.errors().contains("has no compiled kernels"), none.errors());
    Files.writeString(kernels.resolve("k.kernel"), "code");
    Files.writeString(kernels.resolve("k.part"), "a killed process has left it");
    Outcome made = start(launcher, arguments);
    assertEquals(0, made.exitCode(), made.errors());
    try (Stream<Path> files = Files.list(to.resolve("kernels"))) {
      assertEquals(List.of(to.resolve("kernels/k.kernel")), files.toList());
    }
    assertEquals("code", Files.readString(to.resolve("kernels/k.kernel")));
  }

  @Test
  void bundleWithOneBackendRunsIt() throws Exception {
    Path bundle = bundle();
    try (Stream<Path> files = Files.walk(bundle.resolve("sdk-ptx"))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    Outcome outcome = start(bundle.resolve("bin/funnel"), "doctor");
    assertEquals("TORNADOVM_HOME=" + bundle.resolve("sdk-cuda"), outcome.lines().getFirst());
  }

  @Test
  void aLocaleOfAsciiDoesNotHideFiles() throws Exception {
    Path bundle = bundle();
    program(bundle.resolve("runtime/bin/java"), "echo $LC_ALL");
    environment.remove("FUNNEL_DRY_RUN");
    environment.put("FUNNEL_BACKEND", "none");
    for (String name : List.of("C", "POSIX", "de_DE.UTF-8")) {
      environment.put("LC_ALL", name);
      assertEquals(
          List.of(name.endsWith("UTF-8") ? name : "C.UTF-8"),
          start(bundle.resolve("bin/funnel"), "demo").lines());
    }
  }

  @Test
  void testsRunInFunnelsFolderAndReportWhereTheCallerSays() throws Exception {
    Path bundle = bundle();
    Outcome outcome =
        start(bundle.resolve("bin/funnel"), "test", "--reports", "my reports", "--", "--x");
    Path reports = folder.resolve("my reports");
    assertTrue(outcome.after("-cp").contains("%1$s/app/funnel-tests.jar:".formatted(bundle)));
    assertTrue(outcome.after("-cp").endsWith("%1$s/app/test-lib/*".formatted(bundle)));
    assertEquals(
        List.of("test", "--reports", reports.toString(), "--", "--x"),
        outcome.lines().subList(outcome.lines().size() - 5, outcome.lines().size()));
  }

  @Test
  void theKernelForNotebooksIsTheBundlesOrTheTrees() throws Exception {
    String property = "-Dfunnel.kernel.jar=";
    Path bundle = bundle();
    Outcome outcome = start(bundle.resolve("bin/funnel"), "jupyter", "install");
    assertTrue(
        outcome.lines().contains(property + bundle.resolve("app/rapaio-jupyter-kernel.jar")));
    Files.writeString(
        tree.resolve("pom.xml"),
        "<project>\n"
            + "  <version>1</version>\n"
            + "  <jupyter-kernel.version>3.1</jupyter-kernel.version>\n",
        StandardOpenOption.APPEND);
    outcome = start(tree.resolve("funnel"), "jupyter", "install", "--name", "x");
    assertTrue(
        outcome
            .lines()
            .contains(property + tree.resolve("target/jupyter/rapaio-jupyter-kernel-3.1.jar")));
    outcome = start(tree.resolve("funnel"), "jupyter", "install", "--kernel-jar", "k.jar");
    assertFalse(outcome.mentions(property));
  }

  @Test
  void aBundleIsReplacedAsOtherFilesAre() throws Exception {
    buildTree();
    Path real = Files.write(folder.resolve("real.tar.xz"), new byte[] {1});
    Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-------"));
    Path link = Files.createSymbolicLink(folder.resolve("link.tar.xz"), Path.of("real.tar.xz"));
    Outcome made = start(tree.resolve("funnel"), "bundle", "--output", link.toString());
    assertEquals(0, made.exitCode(), made.errors());
    assertTrue(Files.isSymbolicLink(link));
    assertTrue(Files.size(real) > 300_000);
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(real)));

    /* stands for a disk that is full */
    Path limit = Files.writeString(folder.resolve("limit"), "ulimit -f 60\n");
    environment.put("BASH_ENV", limit.toString());
    long before = Files.size(real);
    Outcome full = start(tree.resolve("funnel"), "bundle", "--output", link.toString());
    assertEquals(1, full.exitCode(), full.errors());
    assertTrue(full.errors().contains(real + ".making cannot be written"), full.errors());
    assertFalse(Files.exists(folder.resolve("real.tar.xz.making")));
    assertEquals(before, Files.size(real));
  }

  /** A source tree that is built, and a jlink that makes a runtime of some size. */
  private void buildTree() throws IOException {
    Path jlink = jdk25.resolve("bin/jlink");
    Files.writeString(
        jlink,
        "#!/bin/sh\nmkdir -p \"$2/lib\" && head -c 300000 /dev/urandom >\"$2/lib/modules\"\n");
    assertTrue(jlink.toFile().setExecutable(true));
    for (String name : List.of("lib", "test-lib", "tornado-api-classes")) {
      Files.createDirectories(tree.resolve("target").resolve(name));
    }
    Files.createDirectory(tree.resolve("docs"));
    for (String name :
        List.of(
            "target/funnel-1.jar",
            "target/funnel-1-tools.jar",
            "target/funnel-1-tests.jar",
            "LICENSE",
            "docs/bundle.md")) {
      Files.createFile(tree.resolve(name));
    }
  }
}
