package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code funnel jupyter install}, with kernels that are made up of one empty class. */
class JupyterInstallTest {

  private static final String RAPAIO = "org.rapaio.jupyter.kernel.MainApp";
  private static final List<String> OPTIONS =
      List.of("--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED", "-Da=b \\ \"c\" d");

  @TempDir Path folder;

  private Path jar(String file, String mainClass, boolean inManifest) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (inManifest) {
      manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass);
    }
    Path jar = folder.resolve(file);
    byte[] code =
        ClassFile.of()
            .build(
                ClassDesc.of(mainClass),
                type ->
                    type.withMethodBody(
                        "main",
                        MethodTypeDesc.of(
                            ConstantDescs.CD_void, ConstantDescs.CD_String.arrayType()),
                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                        body -> body.return_()));
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out, manifest)) {
      entries.putNextEntry(new JarEntry(mainClass.replace('.', '/') + ".class"));
      entries.write(code);
    }
    return jar;
  }

  private static Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("java.home", System.getProperty("java.home"));
    properties.setProperty("java.specification.version", "25");
    properties.setProperty("java.class.path", "some folder/classes:/a/lib.jar");
    return properties;
  }

  private static Path command(Path folder, String name, String script) throws IOException {
    Path file = Files.createDirectories(folder).resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    assertTrue(file.toFile().setExecutable(true));
    return file;
  }

  private static List<Path> all(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "RAPAIO, org.rapaio.jupyter.kernel.MainApp, RJK_COMPILER_OPTIONS",
    "IJAVA, io.github.spencerpark.ijava.IJava, IJAVA_COMPILER_OPTS",
    "JJAVA, org.dflib.jjava.JJava, JJAVA_COMPILER_OPTS",
    "JJAVA, org.dflib.jjava.start.Launch, JJAVA_COMPILER_OPTS"
  })
  void everyKernelHasItsTemplate(KernelJar.Family family, String mainClass, String variable)
      throws Exception {
    KernelJar kernel = KernelJar.read(jar("a kernel.jar", mainClass, true));
    assertEquals(family, kernel.family());
    assertEquals(mainClass, kernel.mainClass());
    Path spec =
        KernelSettings.of(Map.of(), properties(), OPTIONS)
            .kernelspec("funnel", kernel)
            .install(folder.resolve("some \"data\""));
    JsonObject json =
        JsonParser.parseString(Files.readString(spec.resolve("kernel.json"))).getAsJsonObject();
    List<String> argv =
        json.getAsJsonArray("argv").asList().stream().map(word -> word.getAsString()).toList();
    assertEquals(
        List.of(
            System.getProperty("java.home") + "/bin/java",
            "@{resource_dir}/java.argfile",
            kernel.startClass(),
            "{connection_file}"),
        argv);
    JsonObject variables = json.getAsJsonObject("env");
    assertEquals("-g", variables.get(variable).getAsString());
    assertFalse(variables.has("TORNADOVM_HOME"));
    assertEquals("Java + Funnel", json.get("display_name").getAsString());
    Jupyter.Outcome outcome =
        Jupyter.Outcome.of(
            List.of(argv.get(0), "@" + spec + "/java.argfile", "-XshowSettings:all", "-version"),
            Map.of());
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains("a = b \\ \"c\" d"), outcome.output());
    assertTrue(
        outcome.output().contains(Path.of("some folder/classes").toAbsolutePath().toString()),
        outcome.output());
    assertTrue(outcome.output().contains(spec + "/a kernel.jar"), outcome.output());
  }

  @Test
  void aJarThatIsNoKernelIsRefused() throws IOException {
    Path text = Files.writeString(folder.resolve("text.jar"), "no jar");
    Path other = jar("other.jar", "org.example.Main", true);
    for (Path file : List.of(folder.resolve("none.jar"), folder, text, other)) {
      KernelJarException refused =
          assertThrows(KernelJarException.class, () -> KernelJar.read(file));
      String message = String.valueOf(refused.getMessage());
      assertTrue(message.startsWith(file + " is not the jar of a kernel: "), message);
    }
    assertEquals(RAPAIO, KernelJar.read(jar("r.jar", RAPAIO, false)).mainClass());
  }

  @Test
  void withoutPythonOrJupyterItSaysWhatIsMissing() throws Exception {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Jupyter jupyter = new Jupyter(Map.of("PATH", bin + ":/bin-that-is-not-there"));
    JupyterUnavailableException none =
        assertThrows(JupyterUnavailableException.class, jupyter::userData);
    assertTrue(String.valueOf(none.getMessage()).contains("neither Python nor Jupyter"));
    command(bin, "python3", "exit 0");
    JupyterUnavailableException python =
        assertThrows(JupyterUnavailableException.class, jupyter::userData);
    String message = String.valueOf(python.getMessage());
    assertTrue(message.contains("but no Jupyter on the PATH: install it, "), message);
    assertTrue(message.contains("apt install jupyter-notebook"), message);
    command(bin, "jupyter", "echo 'no module named jupyter_core'; exit 7");
    JupyterUnavailableException broken =
        assertThrows(JupyterUnavailableException.class, jupyter::userData);
    message = String.valueOf(broken.getMessage());
    assertTrue(message.contains("ended with 7 and said 'no module named jupyter_core'"), message);
    command(bin, "jupyter", "echo /home/me/.local/share/jupyter");
    assertEquals(Path.of("/home/me/.local/share/jupyter"), jupyter.userData());
  }

  @Test
  void anOldJdkAndMissingOptionsAreRefused() {
    Properties old = properties();
    old.setProperty("java.specification.version", "21");
    assertEquals(
        "JDK 21 is too old: install JDK 25 or later and set JAVA_HOME to it",
        assertThrows(KernelSettingsException.class, () -> KernelSettings.of(Map.of(), old, OPTIONS))
            .getMessage());
    Properties none = properties();
    none.setProperty("java.home", folder.toString());
    assertThrows(KernelSettingsException.class, () -> KernelSettings.of(Map.of(), none, OPTIONS));
    assertThrows(
        KernelSettingsException.class,
        () -> KernelSettings.of(Map.of(), properties(), List.of("-Xmx1g")));
  }

  @Test
  void anSdkIsTakenWholeOrNotAtAll() throws Exception {
    Path sdk = Files.createDirectory(folder.resolve("an $sdk"));
    Map<String, String> environment =
        Map.of(Surroundings.SDK, sdk.toString(), "LD_LIBRARY_PATH", "/cuda/lib");
    String refused =
        String.valueOf(
            assertThrows(
                    KernelSettingsException.class,
                    () -> KernelSettings.of(environment, properties(), OPTIONS))
                .getMessage());
    assertTrue(refused.contains("has no tornado-argfile, "), refused);
    assertTrue(refused.contains("its installer writes the argfile"), refused);
    Files.createFile(sdk.resolve("tornado-argfile"));
    Path jars = Files.createDirectories(sdk.resolve("share/java/tornado"));
    Path api = Files.createFile(jars.resolve("tornado-api-5.2.0-jdk25.jar"));
    Files.createFile(Files.createDirectory(sdk.resolve("lib")).resolve("libtornado-ptx.so"));
    refused =
        String.valueOf(
            assertThrows(
                    KernelSettingsException.class,
                    () -> KernelSettings.of(environment, properties(), OPTIONS))
                .getMessage());
    assertTrue(refused.contains("java was started without its options"), refused);
    List<String> options =
        List.of(OPTIONS.getFirst(), "-Djava.library.path=" + sdk + "/lib", "-agentlib:jdwp=x");
    KernelSettings settings = KernelSettings.of(environment, properties(), options);
    assertTrue(settings.options().contains(options.get(1)));
    assertFalse(settings.options().contains(options.get(2)));
    assertTrue(settings.classPath().contains(api.toString()));
    assertEquals("with TornadoVM from " + sdk, settings.engines());
    KernelJar kernel = KernelJar.read(jar("r.jar", RAPAIO, true));
    JsonObject variables =
        JsonParser.parseString(settings.kernelspec("gpu", kernel).json())
            .getAsJsonObject()
            .getAsJsonObject("env");
    // Jupyter replaces $NAME in these, and $$ by $
    assertEquals(sdk.toString().replace("$", "$$"), variables.get(Surroundings.SDK).getAsString());
    assertEquals("/cuda/lib", variables.get("LD_LIBRARY_PATH").getAsString());
  }

  @Test
  void aFailureLeavesEverythingAsItWas() throws Exception {
    Path data = folder.resolve("data");
    KernelJar kernel = KernelJar.read(jar("r.jar", RAPAIO, true));
    KernelSettings good = KernelSettings.of(Map.of(), properties(), OPTIONS);
    KernelSettings bad =
        KernelSettings.of(
            Map.of(), properties(), List.of(OPTIONS.getFirst(), "-XX:+NoSuchOptionAtAll"));
    String refused =
        String.valueOf(
            assertThrows(
                    KernelSettingsException.class,
                    () -> bad.kernelspec("funnel", kernel).install(data))
                .getMessage());
    assertTrue(refused.contains("NoSuchOptionAtAll"), refused);
    assertEquals(List.of(), all(data));
    Path spec = good.kernelspec("funnel", kernel).install(data);
    List<Path> files = all(data);
    assertEquals(3, files.size(), files::toString);
    Files.writeString(spec.resolve("kernel.json"), "the first");
    assertThrows(
        KernelSettingsException.class, () -> bad.kernelspec("funnel", kernel).install(data));
    assertEquals(files, all(data));
    assertEquals("the first", Files.readString(spec.resolve("kernel.json")));
    assertEquals(spec, good.kernelspec("funnel", kernel).install(data));
    assertEquals(files, all(data));
    assertTrue(Files.readString(spec.resolve("kernel.json")).contains("NotebookKernel"));
  }

  @Test
  void whatIsReplacedKeepsItsModesAndALinkStays() throws Exception {
    Path data = folder.resolve("data");
    KernelJar kernel = KernelJar.read(jar("r.jar", RAPAIO, true));
    Kernelspec spec = KernelSettings.of(Map.of(), properties(), OPTIONS).kernelspec("f", kernel);
    Path installed = spec.install(data);
    Path json = installed.resolve("kernel.json");
    Files.setPosixFilePermissions(installed, PosixFilePermissions.fromString("rwx------"));
    Files.setPosixFilePermissions(json, PosixFilePermissions.fromString("rw-r-----"));
    Files.writeString(json, "old");
    Path elsewhere =
        Files.move(installed, Files.createDirectory(folder.resolve("else")).resolve("where"));
    Files.createSymbolicLink(installed, elsewhere);
    assertEquals(installed, spec.install(data));
    assertTrue(Files.isSymbolicLink(installed));
    assertTrue(Files.readString(elsewhere.resolve("kernel.json")).contains("NotebookKernel"));
    assertEquals(
        "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(elsewhere)));
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(json)));
    try (Stream<Path> files = Stream.concat(Files.list(data), Files.list(folder.resolve("else")))) {
      assertEquals(2, files.count());
    }
  }

  /** A process that has ended, and this one, which has not. */
  @Test
  void whatAKilledInstallLeftIsNamed() throws Exception {
    Path data = Files.createDirectories(folder.resolve("data"));
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    Path left = Files.createDirectory(data.resolve(".f-%s.old".formatted(ended.pid())));
    long alive = ProcessHandle.current().parent().orElseThrow().pid();
    Files.createDirectory(data.resolve(".f-%s.making".formatted(alive)));
    KernelJar kernel = KernelJar.read(jar("r.jar", RAPAIO, true));
    Kernelspec spec = KernelSettings.of(Map.of(), properties(), OPTIONS).kernelspec("f", kernel);
    spec.install(data);
    assertEquals(List.of(left), spec.leftBehind(data));
  }

  @Test
  void aKernelOfAnotherIsNotReplaced() throws Exception {
    Path python = Files.createDirectories(folder.resolve("data/kernels/python3"));
    Files.writeString(python.resolve("kernel.json"), "{}");
    KernelJar kernel = KernelJar.read(jar("r.jar", RAPAIO, true));
    KernelSettings settings = KernelSettings.of(Map.of(), properties(), OPTIONS);
    assertThrows(
        KernelSettingsException.class,
        () -> settings.kernelspec("python3", kernel).install(folder.resolve("data")));
    assertEquals(List.of(python.resolve("kernel.json")), all(folder.resolve("data")));
  }

  @Test
  void theDoctorSeesWhetherAKernelIsWhole() throws Exception {
    Surroundings surroundings =
        new Surroundings(
            Map.of("JUPYTER_PATH", folder.resolve("data").toString()), new Properties());
    Properties properties = properties();
    Path classes = Files.createDirectory(folder.resolve("classes"));
    properties.setProperty("java.class.path", classes.toString());
    KernelJar kernel = KernelJar.read(jar("r.jar", RAPAIO, true));
    Path spec =
        KernelSettings.of(Map.of(), properties, OPTIONS)
            .kernelspec("funnel", kernel)
            .install(folder.resolve("data"));
    assertTrue(surroundings.kernel().isOk(), surroundings.kernel()::toString);
    assertTrue(surroundings.kernel().found().contains(spec.toString()));
    Files.delete(classes);
    assertFalse(surroundings.kernel().isOk());
    assertTrue(surroundings.kernel().found().contains("needs " + classes));
  }

  @Test
  void theCommandSaysItInOneLine() {
    Run run = Run.of("jupyter", "install", "--kernel-jar", folder.resolve("none.jar").toString());
    assertEquals(ExitCode.FAILURE, run.exitCode());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(
        run.err().contains("is not the jar of a kernel")
            || run.err().contains("Jupyter on the PATH"),
        run.err());
  }
}
