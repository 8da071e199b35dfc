package funnel.engine.tornado;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.Seed;
import funnel.operation.Target;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That one-shot calls of changing kinds take no more memory the more there are. */
@Tag("gpu")
class ManyCallsDeviceTest {

  private static final int ROUNDS = 10;
  private static final int CALLS = 10_000;
  private static final long MEGA = 1 << 20;

  /** More kinds than plans of one-shot calls are kept. */
  private static final int[] LENGTHS = {1, 1000, 1100, 1300, 1500, 1800, 2100, 2500, 3000, 200_000};

  /** What this process has, in bytes. */
  private record Memory(long heap, long metaspace, long host, long device) {

    static Memory now() throws IOException {
      for (int i = 0; i < 3; i++) {
        System.gc();
      }
      long metaspace =
          ManagementFactory.getMemoryPoolMXBeans().stream()
              .filter(pool -> pool.getName().equals("Metaspace"))
              .map(MemoryPoolMXBean::getUsage)
              .mapToLong(usage -> usage.getUsed())
              .sum();
      long host =
          Files.readAllLines(Path.of("/proc/self/status")).stream()
              .filter(line -> line.startsWith("VmRSS"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
              .sum();
      return new Memory(
          ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
          metaspace,
          host,
          NvidiaSmi.query(0).map(smi -> -smi.freeBytes()).orElse(0L));
    }
  }

  private static void call(Funnel funnel, SplittableRandom random) {
    int length = LENGTHS[random.nextInt(LENGTHS.length)];
    int[] x = random.ints(length, -9, 9).toArray();
    int expected = Arrays.stream(x).sum();
    switch (random.nextInt(4)) {
      case 0 -> assertEquals(expected, funnel.sum(x), Seed.replay());
      case 1 -> assertEquals(Arrays.stream(x).max().orElseThrow(), funnel.max(x), Seed.replay());
      case 2 -> {
        long[] longs = Arrays.stream(x).asLongStream().toArray();
        assertEquals(
            (long) expected,
            funnel.reduce(Elements.of(longs), Reduction.sum()).longValue(),
            Seed.replay());
      }
      default -> {
        int[] into = new int[length];
        funnel.scan(Elements.of(x), Scan.inclusive(Operator.SUM), Elements.of(into));
        assertEquals(expected, into[length - 1], Seed.replay());
      }
    }
  }

  @Test
  void hundredThousandCallsOfChangingKinds() throws IOException {
    SplittableRandom random = Seed.random("many calls");
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      Memory before = null;
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < CALLS; i++) {
          call(funnel, random);
        }
        Memory now = Memory.now();
        System.out.printf("after %,d calls: %s%n", (round + 1) * CALLS, now);
        before = before == null ? now : before;
        if (round == ROUNDS - 1) {
          String grown = "%s, then %s".formatted(before, now);
          assertTrue(now.heap() - before.heap() < 16 * MEGA, grown);
          assertTrue(now.metaspace() - before.metaspace() < 4 * MEGA, grown);
          assertTrue(now.host() - before.host() < 256 * MEGA, grown);
          assertTrue(now.device() - before.device() < 64 * MEGA, grown);
        }
      }
    }
  }
}
