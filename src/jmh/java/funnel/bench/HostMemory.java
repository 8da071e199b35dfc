package funnel.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * How fast some threads copy from memory to memory, and into so few bytes that they stay in caches.
 * Run as {@code funnel java funnel.bench.HostMemory GIBIBYTES}; prints gigabytes of the source a
 * second, best of several times. {@code funnel bench streams --peers plain} measures reading.
 */
public final class HostMemory {

  private static final long BLOCK = 1 << 20;
  private static final int TIMES = 4;

  private HostMemory() {}

  /** Measures 1, 2, 4, ... threads. */
  public static void main(String[] args) throws InterruptedException {
    long bytes = Long.parseLong(args[0]) << 30;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment from = arena.allocate(bytes);
      MemorySegment into = arena.allocate(bytes);
      int cores = Runtime.getRuntime().availableProcessors();
      System.out.println(cores + " cores, " + bytes + " bytes");
      for (int threads = 1; threads <= cores; threads *= 2) {
        double copy = best(threads, bytes, at -> MemorySegment.copy(from, at, into, at, BLOCK));
        long few = threads * BLOCK;
        double keep =
            best(threads, bytes, at -> MemorySegment.copy(from, at, into, at % few, BLOCK));
        System.out.printf(
            Locale.ROOT,
            "%3s threads: copy %6.1f, copy into caches %6.1f GB/s%n",
            threads,
            copy,
            keep);
      }
    }
  }

  private interface Block {
    void from(long at);
  }

  private static double best(int threads, long bytes, Block block) throws InterruptedException {
    double best = 0;
    for (int time = 0; time < TIMES; time++) {
      long start = System.nanoTime();
      Thread[] all =
          IntStream.range(0, threads)
              .mapToObj(
                  thread ->
                      Thread.ofPlatform()
                          .start(
                              () -> {
                                for (long at = thread * BLOCK; at < bytes; at += threads * BLOCK) {
                                  block.from(at);
                                }
                              }))
              .toArray(Thread[]::new);
      for (Thread thread : all) {
        thread.join();
      }
      best = Math.max(best, bytes / (double) (System.nanoTime() - start));
    }
    return best;
  }
}
