package funnel.engine.tornado;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Log;
import funnel.Seed;
import funnel.compiled.CompiledKernel;
import funnel.compiled.Folders;
import funnel.compiled.KernelFolder;
import funnel.engine.tornado.KernelStoreDeviceTest.Added;
import funnel.ptx.PtxDriver;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several processes with one folder of compiled kernels. */
@Tag("gpu")
@Timeout(300)
class KernelProcessesDeviceTest {

  private static final int PROGRAMS = 8;
  private static final int LATEST_KILL_MILLIS = 900;
  private static final String BEGAN = "began";

  private final SplittableRandom random = Seed.random("processes");
  private final List<There> started = new ArrayList<>();

  @TempDir private Path temporary;

  /** What another process does: numbers to add, each by a kernel of its own. */
  public static void main(String[] arguments) {
    PtxDriver.begin();
    try (TornadoEngine engine = TornadoEngine.open()) {
      IO.println(BEGAN);
      for (String amount : arguments) {
        KernelStoreDeviceTest.requireAdds(engine, new Added("x", Integer.parseInt(amount), 600));
      }
      IO.println("compiled: " + Objects.requireNonNull(KernelStore.instance()).compiled());
    }
  }

  /** Another process. */
  private record There(Process process, Path output) {
    String lines() throws IOException {
      return Files.readString(output);
    }

    void awaitBegin() throws IOException, InterruptedException {
      while (!lines().contains(BEGAN)) {
        assertTrue(process.isAlive(), lines());
        Thread.sleep(1);
      }
    }

    /** All that it has said. */
    String end() throws IOException, InterruptedException {
      assertTrue(process.waitFor(120, TimeUnit.SECONDS), lines());
      assertEquals(0, process.exitValue(), lines());
      return lines();
    }
  }

  private There start(int... amounts) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    String driver = System.getProperty(PtxDriver.FOLDER);
    if (driver != null) {
      command.add("-D%s=%s".formatted(PtxDriver.FOLDER, driver));
    }
    command.add("-Dfunnel.kernels=" + folder());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), getClass().getName()));
    Arrays.stream(amounts).mapToObj(Integer::toString).forEach(command::add);
    Path output = temporary.resolve("output" + started.size());
    There there =
        new There(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start(),
            output);
    started.add(there);
    return there;
  }

  @AfterEach
  void killAll() {
    started.forEach(each -> each.process.destroyForcibly());
  }

  private Path folder() {
    return temporary.resolve("kernels");
  }

  /** The files, each of which is whole; those of checks are not listed. */
  private List<Path> requireWhole() throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder(), "*.kernel")) {
      all.forEach(files::add);
    }
    KernelFolder kernels = Folders.named(folder());
    List<Path> whole = new ArrayList<>();
    String log =
        Log.of(
            () -> {
              for (Path file : files) {
                String key = file.toFile().getName().replace(".kernel", "");
                CompiledKernel kernel = kernels.read(key).orElseThrow(AssertionError::new);
                if (!kernel.entry().equals(KernelStore.CHECKED)) {
                  whole.add(file);
                }
              }
            });
    assertEquals("", log, Seed.replay());
    return whole;
  }

  @Test
  void anotherProcess_findsWhatOneHasCompiled() throws Exception {
    int amount = random.nextInt();
    assertFalse(start(amount).end().contains("compiled: 0"));
    assertTrue(start(amount).end().contains("compiled: 0"));
  }

  /** With a folder that is empty, then with what is left there. */
  @Test
  void afterProcessesWereKilled_thereAreNoDamagedFiles_andDamageIsNamed() throws Exception {
    int[] amounts = random.ints(PROGRAMS).toArray();
    for (int processes : new int[] {3, 2}) {
      List<There> all = new ArrayList<>();
      for (int i = 0; i < processes; i++) {
        all.add(start(amounts));
      }
      for (There each : all) {
        each.awaitBegin();
        Thread.sleep(random.nextInt(LATEST_KILL_MILLIS));
        each.process.destroyForcibly().waitFor();
      }
      System.out.printf("killed=%s, files=%s%n", processes, requireWhole().size());
    }
    There writer = start(amounts);
    assertTrue(writer.end().lines().noneMatch(line -> line.contains(" WARN ")), writer.lines());
    List<Path> files = requireWhole();
    assertTrue(files.size() >= PROGRAMS, "files=" + files.size());
    byte[] bytes = Files.readAllBytes(files.getFirst());
    bytes[random.nextInt(bytes.length)] ^= 1;
    Files.write(files.getFirst(), bytes);
    Files.write(files.get(1), Arrays.copyOf(bytes, random.nextInt(bytes.length)));
    String lines = start(amounts).end();
    assertTrue(lines.contains("compiled: 2"), lines);
    assertEquals(2, lines.lines().filter(line -> line.contains(" WARN ")).count(), lines);
    for (Path damaged : files.subList(0, 2)) {
      assertTrue(lines.contains(damaged.getFileName() + " is ignored"), lines);
    }
    assertEquals(files.size(), requireWhole().size());
  }
}
