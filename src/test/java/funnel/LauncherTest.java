package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the launcher would start, for JDKs, SDKs and bundles that are made up of empty files. */
class LauncherTest {
  /*
   * Every path has blanks and a character that shells and sed care about. Nothing is taken from
   * this machine's environment but the tools in /usr/bin and /bin.
   */

  private static final String TEMPLATE =
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

  /** What the launcher and the Maven of these tests need of the system. */
  private static final String TOOLS =
      "basename dirname cat find grep head mkdir readlink rm rmdir sed sleep touch uname";

  private final Map<String, String> environment = new HashMap<>();

  @TempDir Path temporary;
  private Path folder;
  private Path tree;
  private Path jdk25;

  private record Outcome(int exitCode, List<String> lines, String errors) {
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

  @Test
  void withoutAnSdkOurOwnStatementOfTheApiIsOnTheClassPath() throws Exception {
    Outcome outcome = start(tree.resolve("funnel"), "reduce", "some file", "--op", "sum");
    assertEquals(0, outcome.exitCode(), outcome.errors());
    assertEquals(jdk25.resolve("bin/java").toString(), outcome.java());
    assertEquals(
        "%1$s/target/classes:%1$s/target/tornado-api-classes:%1$s/target/lib/*".formatted(tree),
        outcome.after("-cp"));
    assertTrue(outcome.lines().contains("@" + tree.resolve("tornado-config/funnel.argfile")));
    assertFalse(outcome.mentions("tornado.argfile"));
    assertEquals(
        List.of("funnel.cli.Main", "reduce", "some file", "--op", "sum"),
        outcome.lines().subList(outcome.lines().size() - 5, outcome.lines().size()));
  }

  @Test
  void aLinkToTheLauncherStartsTheTreeThatItIsIn() throws Exception {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Path link = Files.createSymbolicLink(bin.resolve("funnel"), Path.of("../source tree/funnel"));
    assertTrue(start(link, "demo").lines().contains("-Dfunnel.home=" + real(tree)));
  }

  @Test
  void aJavaHomeThatIsTooOldIsPassedOver() throws Exception {
    environment.put("JAVA_HOME", jdk("jdk 24", "24.0.2").toString());
    Path newer = jdk("jdk 26", "26");
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Files.createSymbolicLink(bin.resolve("java"), newer.resolve("bin/java"));
    environment.put("PATH", bin + ":/usr/bin:/bin");
    assertEquals(real(newer).resolve("bin/java").toString(), start(tree).java());
  }

  @Test
  void ofSeveralInstalledTheNewestIsTaken() throws Exception {
    environment.put("JAVA_HOME", jdk("jdk 24", "24.0.2").toString());
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Files.createSymbolicLink(bin.resolve("java"), jdk("jdk 1.8", "1.8.0_400").resolve("bin/java"));
    environment.put("PATH", bin + ":/usr/bin:/bin");
    jdk("home/.sdkman/candidates/java/99.0.9-tem", "99.0.9");
    Path newest = jdk("home/.sdkman/candidates/java/99.0.10-tem", "99.0.10");
    jdk("home/.sdkman/candidates/java/9.0.4-open", "9.0.4");
    assertEquals(newest.resolve("bin/java").toString(), start(tree).java());
  }

  @Test
  void theJdkIsTheOneThatTheSdkIsMadeFor() throws Exception {
    environment.put("JAVA_HOME", jdk("jdk 98", "98.0.1").toString());
    assertEquals(
        folder.resolve("jdk 98/bin/java").toString(), start(tree).java(), "without an SDK");
    environment.put("TORNADOVM_HOME", sdk("sdk", "98", TEMPLATE, "ptx").toString());
    assertEquals(folder.resolve("jdk 98/bin/java").toString(), start(tree).java());
    environment.put("TORNADOVM_HOME", sdk("sdk 97", "97", TEMPLATE, "ptx").toString());
    Outcome none = start(tree);
    assertEquals(1, none.exitCode());
    assertTrue(none.errors().contains("no JDK 97"), none.errors());
  }

  @Test
  void anSdkIsStartedFromWhereItIsWithOneDriver() throws Exception {
    Path sdk = sdk("the sdk", "25", TEMPLATE, "ptx", "cuda");
    environment.put("TORNADOVM_HOME", sdk.toString());
    Outcome outcome = start(tree, "demo");
    assertEquals(0, outcome.exitCode(), outcome.errors());
    assertTrue(outcome.lines().contains("-Djava.library.path=" + sdk.resolve("lib")));
    assertEquals(
        "%1$s/tornado-api-1.jar:%1$s/tornado-drivers-common-1.jar:%1$s/tornado-drivers-ptx-1.jar"
            .formatted(sdk.resolve("share/java/tornado")),
        outcome.after("--module-path"));
    assertEquals(
        sdk.resolve("share/java/graalJars").toString(), outcome.after("--upgrade-module-path"));
    assertEquals("ALL-SYSTEM,tornado.runtime,tornado.drivers.ptx", outcome.after("--add-modules"));
    assertTrue(
        outcome.lines().contains("--add-exports=a.b/c.d=tornado.drivers.ptx,tornado.runtime"));
    assertTrue(outcome.lines().contains("--enable-native-access=tornado.api,tornado.drivers.ptx"));
    assertFalse(outcome.mentions("cuda"), outcome.lines().toString());
    assertFalse(outcome.mentions("${"));
    assertFalse(outcome.mentions("tornado-api-classes"));
    assertTrue(
        outcome.lines().indexOf("@" + tree.resolve("tornado-config/tornado.argfile"))
            > outcome.lines().indexOf("-Dtornado.recover.bailout=True"),
        "ours come after the SDK's");
    assertTrue(outcome.lines().contains("@" + tree.resolve("tornado-config/ptx.argfile")));
    assertEquals("TORNADOVM_HOME=" + sdk, outcome.lines().getFirst());
  }

  /** TornadoVM's own template has "." there, and java would take any jar of the user's folder. */
  @Test
  void theFolderThatItIsStartedInIsNoPartOfTheModulePath() throws Exception {
    String template =
        TEMPLATE.lines().filter(line -> !line.contains("cuda")).collect(Collectors.joining("\n"));
    Path sdk = sdk("sdk", "25", template, "ptx");
    environment.put("TORNADOVM_HOME", sdk.toString());
    assertEquals(
        "%1$s/tornado-api-1.jar:%1$s/tornado-drivers-common-1.jar:%1$s/tornado-drivers-ptx-1.jar"
            .formatted(sdk.resolve("share/java/tornado")),
        start(tree, "demo").after("--module-path"));
  }

  @Test
  void theBackendCanBeChosen() throws Exception {
    environment.put("TORNADOVM_HOME", sdk("sdk", "25", TEMPLATE, "ptx", "cuda").toString());
    Outcome cuda = start(tree, "--backend", "cuda", "demo");
    assertEquals("ALL-SYSTEM,tornado.runtime,tornado.drivers.cuda", cuda.after("--add-modules"));
    assertFalse(cuda.mentions("ptx"));
    Outcome none = start(tree, "--backend=none", "demo");
    assertEquals("TORNADOVM_HOME=", none.lines().getFirst());
    assertTrue(none.mentions("tornado-api-classes"));
    Outcome unknown = start(tree, "--backend", "opencl", "demo");
    assertEquals(2, unknown.exitCode());
    assertTrue(unknown.errors().contains("has no backend 'opencl'"), unknown.errors());
  }

  /** Its compiler refuses exports of modules where there are previews. */
  @Test
  void aSourceFileIsStartedWithoutPreviews() throws Exception {
    environment.put("TORNADOVM_HOME", sdk("sdk", "25", TEMPLATE, "ptx").toString());
    assertTrue(start(tree, "java", "my.Main", "x").mentions("--enable-preview"));
    Outcome outcome = start(tree, "java", "-Dx=y", "a b/Example.java", "x");
    assertEquals(0, outcome.exitCode(), outcome.errors());
    assertFalse(outcome.mentions("--enable-preview"));
    assertEquals("x", outcome.lines().getLast());
  }

  @Test
  void withoutATemplateTheArgfilesOwnFolderIsReplaced() throws Exception {
    String old = TEMPLATE.replace("${TORNADOVM_HOME}", "/some where/else");
    Path sdk = sdk("moved", "25", old, "ptx");
    Files.move(sdk.resolve("tornado-argfile.template"), sdk.resolve("tornado-argfile"));
    environment.put("TORNADOVM_HOME", sdk.toString());
    Outcome outcome = start(tree, "demo");
    assertEquals(0, outcome.exitCode(), outcome.errors());
    assertTrue(outcome.lines().contains("-Djava.library.path=" + sdk.resolve("lib")));
    assertFalse(outcome.mentions("/some where/else"));
  }

  @Test
  void aFolderThatIsNoSdkIsNamed() throws Exception {
    environment.put("TORNADOVM_HOME", folder.toString());
    Outcome outcome = start(tree, "demo");
    assertEquals(1, outcome.exitCode());
    assertTrue(outcome.errors().contains(folder + " is no TornadoVM SDK"), outcome.errors());
  }

  @Test
  void theRunTimeCompilerIsFoundWhereCudaIs() throws Exception {
    Path sdk = sdk("sdk", "25", TEMPLATE, "cuda");
    Files.writeString(sdk.resolve("lib/libtornado-cuda.so"), "\0libnvrtc.so.99\0");
    environment.put("TORNADOVM_HOME", sdk.toString());
    environment.put("CUDA_HOME", folder.resolve("cuda").toString());
    environment.put("LD_LIBRARY_PATH", "/first");
    assumeTrue(System.getProperty("os.name").equals("Linux"));
    assertTrue(start(tree, "demo").errors().contains("libnvrtc.so.99 not found"));
    Path library = Files.createDirectories(folder.resolve("cuda/targets/any/lib"));
    Files.createFile(library.resolve("libnvrtc.so.99"));
    Outcome outcome = start(tree, "demo");
    assertFalse(outcome.errors().contains("libnvrtc"), outcome.errors());
    assertTrue(outcome.lines().get(1).startsWith("LD_LIBRARY_PATH=/first:"));
    assertTrue(outcome.lines().get(1).endsWith(":" + library));
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

  /** Python would look for modules of its own in the folder that it is started in. */
  @Test
  void theRunTimeCompilerIsFoundAmongPythonsPackagesWithoutPython() throws Exception {
    assumeTrue(System.getProperty("os.name").equals("Linux"));
    Path sdk = sdk("sdk", "25", TEMPLATE, "cuda");
    Files.writeString(sdk.resolve("lib/libtornado-cuda.so"), "\0libnvrtc.so.99\0");
    environment.put("TORNADOVM_HOME", sdk.toString());
    Path ran = folder.resolve("python ran");
    Path python =
        program(folder.resolve("a venv/bin/python3"), "touch '%s'".formatted(ran)).getParent();
    Path library =
        Files.createDirectories(
            folder.resolve("a venv/lib/python3.13/site-packages/nvidia/cu99/lib"));
    Files.createFile(library.resolve("libnvrtc.so.99"));
    environment.put("PATH", python + ":/usr/bin:/bin");
    Outcome outcome = start(tree, "demo");
    assertFalse(outcome.errors().contains("libnvrtc"), outcome.errors());
    String path = outcome.lines().get(1);
    assertTrue(path.endsWith("/a venv/lib/python3.13/site-packages/nvidia/cu99/lib"), path);
    assertFalse(path.contains("=:") || path.contains("::"), path);
    assertFalse(Files.exists(ran));
  }

  @Test
  void cdpathDoesNotLeadElsewhere() throws Exception {
    environment.put("CDPATH", folder.toString());
    Outcome outcome = start(Path.of("source tree/funnel"), "demo");
    assertEquals(0, outcome.exitCode(), outcome.errors());
    assertTrue(
        outcome.after("-cp").startsWith(real(tree) + "/target/classes:"), outcome.toString());
    Path scripts = Path.of(".ci");
    assumeTrue(Files.isDirectory(scripts), "a bundle has no scripts but the launcher");
    try (Stream<Path> files = Files.list(scripts)) {
      for (Path script : files.toList()) {
        assertTrue(Files.readString(script).contains("\nunset CDPATH\ncd "), script.toString());
      }
    }
  }

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
    mavenTakes("2");
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

  private static Path program(Path file, String text) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, "#!/bin/sh\n" + text);
    assertTrue(file.toFile().setExecutable(true));
    return file;
  }

  @Test
  void optionsOfTheCallerComeLast() throws Exception {
    environment.put("FUNNEL_ENGINE", "jvm");
    environment.put("FUNNEL_JAVA_OPTS", "-Xmx1g  -Dfunnel.engine=other");
    environment.put("FUNNEL_CLASSPATH", "/operators of mine");
    Outcome outcome = start(tree, "-Dfunnel.engine=tornado", "-Dx=a b", "demo", "-Dy");
    List<String> lines = outcome.lines();
    int first = lines.indexOf("-Dfunnel.engine=jvm");
    assertEquals(
        List.of(
            "-Dfunnel.engine=jvm",
            "-Xmx1g",
            "-Dfunnel.engine=other",
            "-Dfunnel.engine=tornado",
            "-Dx=a b",
            "-cp"),
        lines.subList(first, first + 6));
    assertTrue(outcome.after("-cp").endsWith(":/operators of mine"));
    assertEquals(
        List.of("funnel.cli.Main", "demo", "-Dy"), lines.subList(lines.size() - 3, lines.size()));
  }

  @Test
  void aBundleRunsWithItsOwnJavaAndSdks() throws Exception {
    Path bundle = bundle();
    Path launcher = bundle.resolve("bin/funnel");
    environment.put("TORNADOVM_HOME", "/another/sdk");
    Outcome first = start(launcher, "demo");
    assertEquals(0, first.exitCode(), first.errors());
    assertEquals(bundle.resolve("runtime/bin/java").toString(), first.java());
    assertEquals("TORNADOVM_HOME=" + bundle.resolve("sdk-ptx"), first.lines().getFirst());
    assertEquals("%1$s/app/funnel.jar:%1$s/app/lib/*".formatted(bundle), first.after("-cp"));

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
  void jshellRunsInOneProcessWithAllJars() throws Exception {
    Path sdk = sdk("an sdk", "25", TEMPLATE, "ptx");
    Path api = sdk.resolve("share/java/tornado/tornado-api-1.jar");
    Path library = tree.resolve("target/lib/some library.jar");
    Files.createDirectories(tree.resolve("target/lib"));
    Files.createFile(library);
    environment.put("TORNADOVM_HOME", sdk.toString());
    Outcome outcome = start(tree.resolve("funnel"), "jshell", "a script.jsh");
    assertEquals(0, outcome.exitCode(), outcome.errors());
    assertEquals("jdk.jshell/jdk.internal.jshell.tool.JShellToolProvider", outcome.after("-m"));
    assertEquals("local", outcome.after("--execution"));
    assertEquals(
        "%s:%s:%s".formatted(tree.resolve("target/classes"), library, api),
        outcome.after("--class-path"));
    assertEquals("a script.jsh", outcome.lines().getLast());
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
        List.of("target/funnel-1.jar", "target/funnel-1-tests.jar", "LICENSE", "docs/bundle.md")) {
      Files.createFile(tree.resolve(name));
    }
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

  private Path bundle() throws IOException {
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

  private Path jdk(String name, String version) throws IOException {
    Path home = folder.resolve(name);
    program(home.resolve("bin/java"), "");
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"%s\"\n".formatted(version));
    return home;
  }

  private Path sdk(String name, String java, String template, String... drivers)
      throws IOException {
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

  private static Path real(Path path) throws IOException {
    return path.toRealPath();
  }

  private Outcome start(Path launcher, String... arguments) throws Exception {
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
