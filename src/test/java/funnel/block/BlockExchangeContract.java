package funnel.block;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Seed;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** What a tile looks like in both arrangements. */
abstract class BlockExchangeContract {

  private static final int BLOCKS = 3;

  /** Runs a task in every way that is to be tried; {@code check} looks at the arrays after each. */
  abstract void run(KernelTask task, Runnable check, Object... arrays) throws Exception;

  private static String message(int threads, int items, int at) {
    return "threads=%s, items=%s, at=%s%s".formatted(threads, items, at, Seed.replay());
  }

  @ParameterizedTest
  @CsvSource({"32, 1", "32, 5", "64, 2", "128, 8", "256, 3", "256, 16", "64, 32", "1024, 4"})
  void ints(int threads, int items) throws Exception {
    int n = BLOCKS * threads * items;
    int begin = 3; // the last tile begins past the end
    int end = begin + n / BLOCKS + Math.max(1, threads * items / 2 - 1);
    SplittableRandom random = Seed.random("ints" + threads + "x" + items);
    IntArray in = new IntArray(n + begin);
    for (int i = 0; i < in.getSize(); i++) {
      in.set(i, random.nextInt());
    }
    IntArray blocked = new IntArray(n);
    IntArray striped = new IntArray(n);
    run(
        KernelTask.of(
            "ints",
            Grid.of(BLOCKS, threads),
            BlockExchangeKernels::ints,
            in,
            blocked,
            striped,
            begin,
            end,
            threads,
            items),
        () -> {
          for (int at = 0; at < n; at++) {
            int loaded = begin + at < end ? in.get(begin + at) : -1;
            assertEquals(loaded, blocked.get(at), message(threads, items, at));
            int marked = loaded + at % (threads * items);
            assertEquals(marked, striped.get(at), message(threads, items, at));
          }
          blocked.init(0);
          striped.init(0);
        },
        in,
        blocked,
        striped);
  }

  @ParameterizedTest
  @CsvSource({"32, 1", "32, 5", "64, 2", "128, 8", "256, 3", "256, 16", "64, 32", "1024, 4"})
  void longs(int threads, int items) throws Exception {
    int n = BLOCKS * threads * items;
    int begin = 3; // the last tile begins past the end
    int end = begin + n / BLOCKS + Math.max(1, threads * items / 2 - 1);
    SplittableRandom random = Seed.random("longs" + threads + "x" + items);
    LongArray in = new LongArray(n + begin);
    for (int i = 0; i < in.getSize(); i++) {
      in.set(i, random.nextLong());
    }
    LongArray blocked = new LongArray(n);
    LongArray striped = new LongArray(n);
    run(
        KernelTask.of(
            "longs",
            Grid.of(BLOCKS, threads),
            BlockExchangeKernels::longs,
            in,
            blocked,
            striped,
            begin,
            end,
            threads,
            items),
        () -> {
          for (int at = 0; at < n; at++) {
            long loaded = begin + at < end ? in.get(begin + at) : -1;
            assertEquals(loaded, blocked.get(at), message(threads, items, at));
            long marked = loaded + at % (threads * items);
            assertEquals(marked, striped.get(at), message(threads, items, at));
          }
          blocked.init(0);
          striped.init(0);
        },
        in,
        blocked,
        striped);
  }

  @ParameterizedTest
  @CsvSource({"32, 1", "32, 5", "64, 2", "128, 8", "256, 3", "256, 16", "64, 32", "1024, 4"})
  void floats(int threads, int items) throws Exception {
    int n = BLOCKS * threads * items;
    int begin = 3; // the last tile begins past the end
    int end = begin + n / BLOCKS + Math.max(1, threads * items / 2 - 1);
    SplittableRandom random = Seed.random("floats" + threads + "x" + items);
    FloatArray in = new FloatArray(n + begin);
    for (int i = 0; i < in.getSize(); i++) {
      in.set(i, random.nextInt(1 << 20));
    }
    FloatArray blocked = new FloatArray(n);
    FloatArray striped = new FloatArray(n);
    run(
        KernelTask.of(
            "floats",
            Grid.of(BLOCKS, threads),
            BlockExchangeKernels::floats,
            in,
            blocked,
            striped,
            begin,
            end,
            threads,
            items),
        () -> {
          for (int at = 0; at < n; at++) {
            float loaded = begin + at < end ? in.get(begin + at) : -1;
            assertEquals(loaded, blocked.get(at), message(threads, items, at));
            float marked = loaded + at % (threads * items);
            assertEquals(marked, striped.get(at), message(threads, items, at));
          }
          blocked.init(0);
          striped.init(0);
        },
        in,
        blocked,
        striped);
  }

  @ParameterizedTest
  @CsvSource({"32, 1", "32, 5", "64, 2", "128, 8", "256, 3", "256, 16", "64, 32", "1024, 4"})
  void doubles(int threads, int items) throws Exception {
    int n = BLOCKS * threads * items;
    int begin = 3; // the last tile begins past the end
    int end = begin + n / BLOCKS + Math.max(1, threads * items / 2 - 1);
    SplittableRandom random = Seed.random("doubles" + threads + "x" + items);
    DoubleArray in = new DoubleArray(n + begin);
    for (int i = 0; i < in.getSize(); i++) {
      in.set(i, random.nextDouble(-1e9, 1e9));
    }
    DoubleArray blocked = new DoubleArray(n);
    DoubleArray striped = new DoubleArray(n);
    run(
        KernelTask.of(
            "doubles",
            Grid.of(BLOCKS, threads),
            BlockExchangeKernels::doubles,
            in,
            blocked,
            striped,
            begin,
            end,
            threads,
            items),
        () -> {
          for (int at = 0; at < n; at++) {
            double loaded = begin + at < end ? in.get(begin + at) : -1;
            assertEquals(loaded, blocked.get(at), message(threads, items, at));
            double marked = loaded + at % (threads * items);
            assertEquals(marked, striped.get(at), message(threads, items, at));
          }
          blocked.init(0);
          striped.init(0);
        },
        in,
        blocked,
        striped);
  }
}
