package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which JDK and SDK the launcher starts, and with which options. */
class LauncherTest extends MadeUpLauncher {
  @Test
  void withoutAnSdkOurOwnStatementOfTheApiIsOnTheClassPath() throws Exception {
    Outcome outcome = start(tree.resolve("funnel"), "reduce", "some file", "--op", "sum");
    assertEquals(0, outcome.exitCode(), outcome.errors());
    assertEquals(jdk25.resolve("bin/java").toString(), outcome.java());
    assertEquals(
        "%1$s/target/classes:%1$s/target/tools-classes:%1$s/target/tornado-api-classes:%1$s/target/lib/*"
            .formatted(tree),
        outcome.after("-cp"));
    assertTrue(outcome.lines().contains("@" + tree.resolve("tornado-config/funnel.argfile")));
    assertFalse(outcome.mentions("tornado.argfile"));
    assertEquals(
        List.of("funnel.cli.Main", "reduce", "some file", "--op", "sum"),
        outcome.lines().subList(outcome.lines().size() - 5, outcome.lines().size()));
  }

  @Test
  void withoutAnSdkTheAheadOfTimeCacheIsTakenUnlessABuildIsNewer() throws Exception {
    Path cache = Files.createDirectories(tree.resolve("target/start")).resolve("command.aot");
    Files.createFile(cache);
    Files.writeString(cache.resolveSibling("class-path"), "a.jar:b.jar\n");
    Path file = Files.write(folder.resolve("a file"), new byte[100]);
    Outcome outcome = start(tree, "reduce", file.toString());
    assertTrue(outcome.lines().contains("-XX:AOTCache=" + cache), outcome.errors());
    assertTrue(outcome.lines().contains("-XX:TieredStopAtLevel=1"), "a small file");
    assertEquals("%1$s/a.jar:%1$s/b.jar".formatted(cache.getParent()), outcome.after("-cp"));
    assertFalse(start(tree, "reduce", "-").mentions("-XX:TieredStopAtLevel=1"), "standard input");
    assertFalse(start(tree, "heat").mentions("-XX:TieredStopAtLevel=1"), "no file");
    try (FileChannel large = FileChannel.open(file, StandardOpenOption.WRITE)) {
      large.write(ByteBuffer.allocate(1), 1L << 30); // a hole: it takes no room
    }
    outcome = start(tree, "reduce", file.toString());
    assertTrue(outcome.mentions("-XX:AOTCache") && !outcome.mentions("-XX:TieredStopAtLevel=1"));
    environment.put("TORNADOVM_HOME", sdk("sdk", "25", TEMPLATE, "ptx").toString());
    assertFalse(start(tree, "reduce", "x").mentions("-XX:AOTCache"), "an SDK has other modules");
    environment.remove("TORNADOVM_HOME");
    Path built = Files.createDirectories(tree.resolve("target/build-tools")).resolve("sources.txt");
    Files.createFile(built);
    Files.setLastModifiedTime(cache, FileTime.from(Instant.EPOCH));
    assertFalse(start(tree, "reduce", "x").mentions("-XX:AOTCache"), "of the build before");
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
  void anSdkForManyJdksTakesTheOneThatIsThere() throws Exception {
    Path sdk = laterSdk("sdk 6", "6.0.0-jdk22plus", LATER_TEMPLATE);
    environment.put("TORNADOVM_HOME", sdk.toString());
    Outcome outcome = start(tree, "demo");
    assertEquals(0, outcome.exitCode(), outcome.errors());
    assertEquals(jdk25.resolve("bin/java").toString(), outcome.java());
    Path jars = sdk.resolve("share/java");
    assertEquals(
        "%1$s/tornado-api-1.jar:%1$s/tornado-drivers-common-1.jar:%1$s/tornado-drivers-cuda-1.jar:%2$s"
            .formatted(jars.resolve("tornado"), jars.resolve("graalJars")),
        outcome.after("--module-path"));
    assertEquals(
        "jdk.internal.vm.ci=" + jars.resolve("jvmci/jvmci-21.0.2.jar"),
        outcome.after("--patch-module"));
    assertTrue(outcome.lines().contains("@" + tree.resolve("tornado-config/tornado-6.argfile")));
    assertFalse(outcome.mentions("/tornado.argfile"), outcome::toString);
    assertTrue(outcome.lines().contains("@" + tree.resolve("tornado-config/cuda.argfile")));
  }

  /** JDK 27 has no JVMCI to enable, and an SDK's options say whether they do. */
  @Test
  void anSdkForManyJdksIsNotStartedWithOneThatIsTooNew() throws Exception {
    Path sdk = laterSdk("sdk 6", "6.0.0-jdk22plus", LATER_TEMPLATE);
    environment.put("TORNADOVM_HOME", sdk.toString());
    Path jdk27 = jdk("jdk 27", "27");
    environment.put("JAVA_HOME", jdk27.toString());
    Outcome outcome = start(tree); // a JDK of this machine's, or none
    assertFalse(outcome.mentions(jdk27.toString()), outcome::toString);
    assertTrue(outcome.exitCode() == 0 || outcome.errors().contains("no JDK 25 to 26, which"));
    String options = LATER_TEMPLATE.replace("-XX:+EnableJVMCI\n", "");
    environment.put("TORNADOVM_HOME", laterSdk("sdk 7", "7.0.0-jdk22plus", options).toString());
    assertEquals(jdk27.resolve("bin/java").toString(), start(tree).java());
    environment.put("TORNADOVM_HOME", laterSdk("sdk 8", "8.0.0-jdk97plus", options).toString());
    Outcome none = start(tree);
    assertEquals(1, none.exitCode());
    assertTrue(
        none.errors().contains("no JDK 97 or later, which TornadoVM 8.0.0-jdk97plus in " + folder),
        none.errors());
  }

  @Test
  void anSdkThatCannotBeUsedIsRefusedWithWhatWouldDo() throws Exception {
    environment.put("TORNADOVM_HOME", sdk("sdk 21", "21", TEMPLATE, "ptx").toString());
    Outcome old = start(tree, "demo");
    assertEquals(1, old.exitCode());
    assertTrue(
        old.errors().contains("TornadoVM 5.2.0-jdk21 in " + folder.resolve("sdk 21"))
            && old.errors().contains("is made for JDK 21, and Funnel needs JDK 25 or later")
            && old.errors().contains("take TornadoVM 5.2.0-jdk25, or 6 or 7 of jdk22plus"),
        old.errors());
    environment.put("TORNADOVM_HOME", sdk("sdk cl", "25", TEMPLATE, "metal", "opencl").toString());
    Outcome other = start(tree, "demo");
    assertEquals(1, other.exitCode());
    assertTrue(
        other.errors().contains("has no backend that Funnel knows, only: metal opencl: take "),
        other.errors());
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

  /** Which has no library that would name one. */
  @Test
  void aLaterSdkTakesAnyRunTimeCompiler() throws Exception {
    assumeTrue(System.getProperty("os.name").equals("Linux"));
    Path sdk = laterSdk("sdk", "7.0.1-jdk22plus", LATER_TEMPLATE);
    environment.put("TORNADOVM_HOME", sdk.toString());
    environment.put("CUDA_HOME", folder.resolve("cuda").toString());
    Path library = Files.createDirectories(folder.resolve("cuda/lib64"));
    Files.createFile(library.resolve("libnvrtc.so.12"));
    Outcome outcome = start(tree, "demo");
    assertFalse(outcome.errors().contains("libnvrtc"), outcome.errors());
    assertTrue(outcome.lines().get(1).endsWith(library.toString()), outcome::toString);
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
        String text = Files.readString(script);
        boolean isOfBash = text.startsWith("#!/usr/bin/env bash\n");
        assertTrue(!isOfBash || text.contains("\nunset CDPATH\ncd "), script.toString());
      }
    }
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
        "%s:%s:%s:%s"
            .formatted(
                tree.resolve("target/classes"), tree.resolve("target/tools-classes"), library, api),
        outcome.after("--class-path"));
    int at = outcome.lines().indexOf("--startup");
    assertEquals(
        List.of("DEFAULT", "--startup", tree + "/tornado-config/startup.jsh", "a script.jsh"),
        outcome.lines().subList(at + 1, outcome.lines().size()));
    Outcome own = start(tree.resolve("funnel"), "jshell", "--no-startup");
    assertFalse(own.lines().contains("--startup"), own::toString);
  }
}
