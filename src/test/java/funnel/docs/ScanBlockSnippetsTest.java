package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Graphs;
import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.Order;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The examples of the scans of blocks and warps do what they say. */
class ScanBlockSnippetsTest {

  private static final int THREADS = 128;
  private static final int ITEMS = 8;
  private static final int TILE = THREADS * ITEMS;

  /** Runs a task in one of the ways that are to be tried. */
  private interface Run {
    void run(KernelTask task, Object... arrays) throws Exception;
  }

  private static void runningTotals(Run run) throws Exception {
    for (int n : new int[] {1, TILE, 3 * TILE - 5}) {
      SplittableRandom random = Seed.random("runningTotals" + n);
      int blocks = Math.ceilDiv(n, TILE);
      IntArray in = new IntArray(n);
      for (int i = 0; i < n; i++) {
        in.set(i, random.nextInt());
      }
      IntArray out = new IntArray(n);
      IntArray sums = new IntArray(blocks);
      KernelTask task =
          KernelTask.of(
              "runningTotals",
              Grid.of(blocks, THREADS),
              ScanBlockSnippets::runningTotals,
              in,
              out,
              sums,
              THREADS,
              ITEMS);
      run.run(task, in, out, sums);
      int running = 0;
      for (int i = 0; i < n; i++) {
        running = i % TILE == 0 ? in.get(i) : running + in.get(i);
        assertEquals(running, out.get(i), "n=" + n + ", at " + i + Seed.replay());
        if (i % TILE == TILE - 1 || i == n - 1) {
          assertEquals(running, sums.get(i / TILE), "n=" + n + ", tile of " + i + Seed.replay());
        }
      }
    }
  }

  private static void sumsOfWarps(Run run) throws Exception {
    int n = 3 * 64;
    FloatArray in = new FloatArray(n);
    for (int i = 0; i < n; i++) {
      in.set(i, i % 47 - 20); // sums are exact
    }
    FloatArray out = new FloatArray(n);
    run.run(
        KernelTask.of("warps", Grid.of(3, 64), ScanBlockSnippets::sumsOfWarps, in, out), in, out);
    float running = 0;
    for (int i = 0; i < n; i++) {
      running = i % 32 == 0 ? in.get(i) : running + in.get(i);
      assertEquals(running, out.get(i), "at " + i);
    }
  }

  @ParameterizedTest
  @EnumSource
  void inTheEmulator(Order order) throws Exception {
    Emulator emulator = Emulator.builder().order(order).seed(Seed.VALUE).detectRaces(true).build();
    runningTotals((task, arrays) -> emulator.run(task));
    sumsOfWarps((task, arrays) -> emulator.run(task));
  }

  @Tag("gpu")
  @Test
  void onDevice() throws Exception {
    runningTotals(Graphs::run);
    sumsOfWarps(Graphs::run);
  }
}
