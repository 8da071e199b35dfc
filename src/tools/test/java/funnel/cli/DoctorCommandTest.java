package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.cli.AtomicOperation.Finding;
import funnel.compiled.CompiledKernel;
import funnel.compiled.Folders;
import funnel.compiled.KernelUse;
import funnel.engine.tornado.AtomicsProbe.Outcome;
import funnel.operation.EngineUnavailableException;
import funnel.operation.Target;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {

  @TempDir Path folder;

  private static void assumeNoDevice() {
    boolean device;
    try {
      Funnel.open(Target.TORNADO).close();
      device = true;
    } catch (EngineUnavailableException e) {
      device = false;
    }
    Assumptions.assumeFalse(device, "there is a device");
  }

  @Test
  void itSaysWhetherCompiledKernelsAreKept() throws IOException {
    Path own = folder.toRealPath().resolve("kernels");
    KernelUse kept = new KernelUse(3, 1_499_999_999, 20, Folders.named(own));
    Check ok = DoctorCommand.kernels(kept);
    assertTrue(ok.isOk());
    assertEquals(
        "3 compiled (1500 ms in all), 20 found in the folder; %s, read and written: 0 kernels, 0 bytes"
            .formatted(own),
        ok.found());

    KernelUse none = new KernelUse(3, 0, 0, Folders.named(null));
    Check off = DoctorCommand.kernels(none);
    assertFalse(off.isOk());
    assertEquals("no folder keeps them: named by a test", off.todo());
    assertEquals("none: named by a test", none.ofFolder());
  }

  @Test
  void withoutADevice_theFolderOfKernelsIsShown_andAWrongOneIsNamed() throws IOException {
    assumeNoDevice();
    Path own = folder.toRealPath().resolve("kernels");
    Folders.named(own).write("0".repeat(64), new CompiledKernel("k", List.of(), new byte[100]));
    Run shown = doctorOf(own.toString());
    assertEquals(ExitCode.OK, shown.exitCode(), shown.out() + shown.err());
    String contents = "%s, read and written: 1 kernels, ".formatted(own);
    assertTrue(shown.out().contains("ok  compiled kernels ") && shown.out().contains(contents));

    Run wrong = doctorOf("relative");
    assertEquals(ExitCode.FAILURE, wrong.exitCode());
    assertTrue(
        wrong
            .out()
            .contains(
                "!!  compiled kernels     none are kept: property funnel.kernels=relative is not an"
                    + " absolute path: give one, or off"),
        wrong.out());
  }

  private static Run doctorOf(String kernels) {
    String before = System.getProperty("funnel.kernels", "");
    System.setProperty("funnel.kernels", kernels);
    try {
      return Run.of("doctor");
    } finally {
      System.setProperty("funnel.kernels", before); // blank is not set
    }
  }

  @Test
  void everyLineIsOkOrSaysWhatToDo() {
    Run run = Run.of("doctor");
    assertEquals(ExitCode.OK, run.exitCode(), run.out() + run.err());
    assertTrue(run.out().lines().allMatch(line -> line.matches("(ok|--|!!)  \\S.*")), run.out());
    assertTrue(
        run.out()
            .lines()
            .filter(line -> !line.startsWith("ok"))
            .allMatch(line -> line.contains(": ")),
        run.out());
    int trials = Trial.ALL.size() + ScanTrial.ALL.size();
    for (String engine : new String[] {"jvm", "emulator"}) {
      assertTrue(
          run.out()
              .contains(
                  "%s of %s reductions and scans equal a plain loop".formatted(trials, trials)),
          run.out());
      assertTrue(run.out().contains("ok  self-test " + engine), run.out());
    }
  }

  @Test
  void aMissingDeviceIsAFailureOnlyOnDemand() {
    assumeNoDevice();
    Run run = Run.of("doctor", "--require-device", "--json");
    assertEquals(ExitCode.UNAVAILABLE, run.exitCode());
    assertTrue(run.out().startsWith("{\"ok\":false,\"device\":false,\"checks\":[{"), run.out());
    assertEquals(1, run.out().lines().count());
    assertTrue(run.err().startsWith("funnel doctor: "), run.err());
    assertEquals(ExitCode.UNAVAILABLE, Run.of("doctor", "--jit").exitCode());
    Run json = Run.of("doctor", "--json");
    assertTrue(json.out().startsWith("{\"ok\":true,\"device\":false"), json.out());
    assertTrue(json.out().stripTrailing().endsWith(",\"atomics\":[]}"), json.out());
  }

  @Test
  void atomicsAreALineEachAndFailOnlyWhereFunnelReliesOnThem() {
    Finding right = new Finding(AtomicOperation.ADD_INT, Outcome.RIGHT, "rules");
    Finding wrong =
        new Finding(AtomicOperation.ADD_LONG, Outcome.WRONG, "a rule: expected 2, got 1");
    Finding local =
        new Finding(AtomicOperation.LOCAL_ADD, Outcome.WRONG, "a rule: expected 7, got 64");
    Finding ticket =
        new Finding(AtomicOperation.TICKET, Outcome.UNSUPPORTED, "a rule: error\nmore");
    assertEquals(
        List.of(
            "ok  atomicAdd on IntArray right under contention",
            "!!  atomicAdd on LongArray wrong: Funnel relies on it: run funnel doctor --jit (a"
                + " rule: expected 2, got 1)",
            "--  atomicAdd on local int[] wrong: histograms count without it, and so should your"
                + " kernels (a rule: expected 7, got 64)",
            "--  AtomicInteger.getAndIncrement unsupported: take Funnel's tickets, which come from"
                + " a scan (a rule: error)"),
        DoctorCommand.checks(List.of(right, wrong, local, ticket)).stream()
            .map(Check::toString)
            .toList());
    assertTrue(DoctorCommand.isBroken(wrong));
    for (Finding finding : List.of(right, local, ticket)) {
      assertFalse(DoctorCommand.isBroken(finding));
    }
  }

  @Test
  void devicesThatAreOneInDisguiseAreAWarning() {
    assertEquals(
        "--  device 1             a GPU: not by itself: device 1 has no context of its own",
        DoctorCommand.notReal(
                "device 1",
                "a GPU",
                new EngineUnavailableException(
                    "no device", new IllegalStateException("device 1 has no context of its own")))
            .toString());
  }

  @Tag("gpu")
  @Test
  void aDevicesAtomicsAreShown() {
    Run lines = Run.of("doctor");
    assertEquals(ExitCode.OK, lines.exitCode(), lines.out() + lines.err());
    for (AtomicOperation operation : AtomicOperation.values()) {
      assertTrue(lines.out().contains("  " + operation.label()), lines.out());
    }
    assertTrue(lines.out().contains("ok  atomicAdd on IntArray"), lines.out());
    Run json = Run.of("doctor", "--json");
    assertEquals(1, json.out().lines().count());
    assertTrue(
        json.out()
            .contains(
                "\"atomics\":[{\"operation\":\"atomicAdd on IntArray\",\"outcome\":\"right\""),
        json.out());
  }

  @Test
  void anSdkIsToldByItsFiles() throws IOException {
    assertFalse(new Surroundings(Map.of(), new Properties()).sdk().isOk());
    Surroundings surroundings =
        new Surroundings(Map.of(Surroundings.SDK, folder.toString()), new Properties());
    assertTrue(
        surroundings
            .sdk()
            .found()
            .endsWith(
                "has no tornado-argfile, share/java/tornado/tornado-api-*.jar, lib/libtornado-*"),
        surroundings.sdk().found());
    Files.createFile(folder.resolve("tornado-argfile"));
    Path jars = Files.createDirectories(folder.resolve("share/java/tornado"));
    Files.createFile(jars.resolve("tornado-api-5.2.0-jdk25.jar"));
    Files.createFile(Files.createDirectory(folder.resolve("lib")).resolve("libtornado-ptx.so"));
    assertTrue(surroundings.sdk().isOk());
    assertEquals("of unknown version in " + folder, surroundings.sdk().found());
    Files.writeString(
        Files.createDirectory(folder.resolve("etc")).resolve("tornado.release"),
        "version=5.2.0-jdk25\nbranch=x\n");
    assertEquals("5.2.0-jdk25 in " + folder, surroundings.sdk().found());
    assertTrue(surroundings.untested().isEmpty());
  }

  /** Which has no native libraries. */
  @Test
  void anSdkThatIsLittleTestedIsNamed() throws IOException {
    Files.createFile(folder.resolve("tornado-argfile.template"));
    Path release = Files.createDirectory(folder.resolve("etc")).resolve("tornado.release");
    for (String jar : List.of("tornado/tornado-api-7.jar", "graalJars/tornado-graal-1.jar")) {
      Path file = folder.resolve("share/java").resolve(jar);
      Files.createDirectories(file.getParent());
      Files.createFile(file);
    }
    Surroundings surroundings =
        new Surroundings(Map.of(Surroundings.SDK, folder.toString()), new Properties());
    Files.writeString(release, "version=7.0.1-jdk22plus\n");
    assertEquals("7.0.1-jdk22plus in " + folder, surroundings.sdk().found());
    assertTrue(surroundings.sdk().isOk());
    assertEquals(
        "--  tests with it        none: Funnel was not tested with version 7.0.1-jdk22plus: run"
            + " 'funnel doctor --jit' and 'funnel test'; 5.2.0 is tested on GPUs",
        surroundings.untested().orElseThrow().toString());
    Files.writeString(release, "version=6.0.0-jdk22plus\n");
    assertTrue(
        surroundings.untested().orElseThrow().found().startsWith("few, with a build near 6.0: "));
  }

  @Test
  void whatIsWrongAndWhatIsNotNeededLookDifferent() throws IOException {
    Properties properties = new Properties();
    Surroundings none = new Surroundings(Map.of(), properties);
    assertTrue(none.sdk().toString().startsWith("--  TornadoVM SDK        TORNADOVM_HOME is not"));
    properties.setProperty("funnel.backend", "none");
    assertEquals(
        "--  TornadoVM SDK        left out: only needed for a GPU; start without --backend none",
        none.sdk().toString());
    Surroundings half =
        new Surroundings(Map.of(Surroundings.SDK, folder.toString()), new Properties());
    assertTrue(half.sdk().toString().startsWith("!!  TornadoVM SDK"), half.sdk().toString());
  }

  /** And not the driver's library, which is there. */
  @Test
  void aMissingRunTimeCompilerIsNamed() throws IOException {
    Path library = Files.createDirectory(folder.resolve("lib")).resolve("libtornado-cuda.so");
    Files.writeString(library, "\0libnvrtc.so.99\0");
    Properties properties = new Properties();
    Surroundings surroundings =
        new Surroundings(Map.of(Surroundings.SDK, folder.toString()), properties);
    assertTrue(surroundings.compiler().isEmpty());
    properties.setProperty("funnel.backend", "cuda");
    assertEquals(
        "!!  CUDA compiler        libnvrtc.so.99 is not found: install CUDA 99, or 'pip install"
            + " nvidia-cuda-nvrtc', or name its folder in LD_LIBRARY_PATH",
        surroundings.compiler().orElseThrow().toString());
  }

  @Test
  void propertiesThatHideFailuresAreNamed() {
    Properties properties = new Properties();
    Surroundings surroundings = new Surroundings(Map.of(), properties);
    assertTrue(surroundings.properties().stream().noneMatch(Check::isOk));
    properties.setProperty("tornado.recover.bailout", "True");
    assertTrue(surroundings.properties().stream().noneMatch(Check::isOk));
    properties.setProperty("tornado.recover.bailout", "False");
    properties.setProperty("tornado.load.annotation.implementation", "funnel.jit.GeneratedClasses");
    assertTrue(surroundings.properties().stream().allMatch(Check::isOk));
  }

  @Test
  void theSelfTestOfScansCanFail() {
    try (TrialData data =
        new TrialData(MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}))) {
      for (ScanTrial trial : ScanTrial.ALL) {
        MemorySegment elements = data.segment(trial.type());
        MemorySegment expected = trial.loop().apply(elements);
        MemorySegment results = trial.loop().apply(elements);
        assertEquals(-1, trial.firstWrong(results, expected), trial.name());
        long last = results.byteSize() - 1;
        results.set(ValueLayout.JAVA_BYTE, last, (byte) ~results.get(ValueLayout.JAVA_BYTE, last));
        assertEquals(
            expected.byteSize() / trial.scan().resultType(trial.type()).bytes() - 1,
            trial.firstWrong(results, expected),
            trial.name());
      }
    }
  }

  @Test
  void theSelfTestCanFail() {
    try (TrialData data =
        new TrialData(MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}))) {
      for (Trial trial : Trial.ALL) {
        MemorySegment elements = data.segment(trial.type());
        Number expected = trial.loop().apply(elements);
        assertTrue(trial.isRight(expected, expected, elements), trial.name());
        Number other =
            expected instanceof Double || expected instanceof Float
                ? (Number) (expected.doubleValue() + 0.01)
                : (Number) (expected.longValue() + 1);
        assertFalse(trial.isRight(other, expected, elements), trial.name());
        assertFalse(
            expected instanceof Double && trial.isRight(Double.NaN, expected, elements),
            trial.name());
      }
    }
  }
}
