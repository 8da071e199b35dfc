package funnel.compiled;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.cli.OtherJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many threads and processes on one folder, some of which are killed. */
class SharedFolderTest {

  private static final int KEYS = 24;
  private static final int THREADS = 8;
  private static final int PROCESSES = 4;
  private static final int KILLED = 2;
  private static final int MOST_BYTES = 1_000_000; // 24 kernels have 1.4 million on average
  private static final int LONGEST_CODE = 120_000;
  private static final long SECONDS = 3;

  @TempDir Path temporary;

  private static String key(int number) {
    return String.format(Locale.ROOT, "%064x", number);
  }

  /** One of many right kernels of a key: its name says which. */
  private static CompiledKernel kernel(int number, long seed) {
    SplittableRandom random = new SplittableRandom(seed * KEYS + number);
    byte[] code = new byte[random.nextInt(LONGEST_CODE)];
    random.nextBytes(code);
    return new CompiledKernel("k" + seed, List.of("READ_ONLY"), code);
  }

  private static boolean isRight(int number, CompiledKernel kernel) {
    return kernel.equals(kernel(number, Long.parseLong(kernel.entry().substring(1))));
  }

  private static KernelFolder open(Path folder) {
    return KernelFolder.open(new Settings(folder, "test", MOST_BYTES));
  }

  /** Threads that write, read and remove; the number of kernels that they have read. */
  private static int use(Path folder, long seed) throws InterruptedException {
    KernelFolder kernels = open(folder);
    Queue<String> wrong = new ConcurrentLinkedQueue<>();
    AtomicInteger hits = new AtomicInteger();
    long end = System.nanoTime() + SECONDS * 1_000_000_000;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = new SplittableRandom(seed * THREADS + i);
      threads.add(
          Thread.ofPlatform()
              .uncaughtExceptionHandler((_, e) -> wrong.add(e.toString()))
              .start(
                  () -> {
                    while (System.nanoTime() < end) {
                      int number = random.nextInt(KEYS);
                      int dice = random.nextInt(100);
                      if (dice < 50) {
                        kernels.write(key(number), kernel(number, random.nextInt(1000)));
                      } else if (dice < 98) {
                        kernels
                            .read(key(number))
                            .ifPresent(
                                kernel -> {
                                  hits.incrementAndGet();
                                  if (!isRight(number, kernel)) {
                                    wrong.add(number + ": " + kernel);
                                  }
                                });
                      } else {
                        kernels.remove(key(number));
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), List.copyOf(wrong));
    return hits.get();
  }

  /** Another process. */
  static final class User {
    private User() {}

    public static void main(String[] arguments) throws InterruptedException {
      IO.println("began");
      int hits = use(Path.of(arguments[0]), Long.parseLong(arguments[1]));
      IO.println("hits=" + hits);
    }
  }

  @Test
  void nobodyReadsAWrongKernel() throws IOException, InterruptedException {
    Path folder = temporary.resolve("kernels");
    SplittableRandom random = Seed.random("nobodyReadsAWrongKernel");
    List<Process> processes = new ArrayList<>();
    try {
      for (int i = 0; i < PROCESSES; i++) {
        List<String> command =
            OtherJvm.command(User.class, folder.toString(), "" + random.nextInt(1000));
        processes.add(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(temporary.resolve(i + ".log").toFile())
                .start());
      }
      Thread killer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < KILLED; i++) {
                      kill(processes.get(i), temporary.resolve(i + ".log"), random);
                    }
                  });
      assertTrue(use(folder, random.nextInt(1000)) > 0);
      killer.join();
      for (int i = 0; i < PROCESSES; i++) {
        int code = processes.get(i).waitFor();
        String said = Files.readString(temporary.resolve(i + ".log"), StandardCharsets.UTF_8);
        assertFalse(said.contains("WARN"), () -> said + Seed.replay());
        if (i < KILLED) {
          assertNotEquals(0, code, said);
        } else {
          assertEquals(0, code, () -> said + Seed.replay());
          assertTrue(said.contains("hits=") && !said.contains("hits=0"), said);
        }
      }
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
    assertClean(folder);
  }

  /** Some time after it began. */
  private static void kill(Process process, Path log, SplittableRandom random) {
    try {
      while (process.isAlive() && Files.size(log) == 0) {
        Thread.sleep(10);
      }
      Thread.sleep(random.nextInt(200, 1000));
      process.destroyForcibly();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** All that is there can be read, and an hour later nothing else is there. */
  private static void assertClean(Path folder) throws IOException {
    List<Path> parts;
    try (Stream<Path> files = Files.list(folder)) {
      parts = files.filter(file -> !file.toString().endsWith(".kernel")).toList();
    }
    FileTime old = FileTime.from(Instant.now().minusSeconds(3700));
    for (Path part : parts) {
      Files.setLastModifiedTime(part, old);
    }
    IO.println("parts that killed processes left: " + parts.size());
    KernelFolder kernels = open(folder);
    kernels.write(key(0), kernel(0, 1));
    int readable = 0;
    for (int number = 0; number < KEYS; number++) {
      int at = number;
      readable +=
          kernels.read(key(at)).stream().peek(k -> assertTrue(isRight(at, k))).count() == 1 ? 1 : 0;
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(readable, files.count());
    }
    assertTrue(kernels.contents().bytes() <= MOST_BYTES);
    assertTrue(readable > 0);
  }
}
