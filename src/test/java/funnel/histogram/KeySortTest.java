package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Order;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.TornadoEngine;
import funnel.kernel.Kernel;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Sorted keys, positions and counts, on every engine. */
class KeySortTest {

  @Nested
  class OnJvm extends KeySortContract {
    @Override
    Engine open() {
      return new JvmEngine();
    }

    @Override
    List<Integer> longLengths() {
      return List.of(1_000_000);
    }
  }

  @Nested
  class InEmulator extends KeySortContract {
    @Override
    Engine open() {
      return new EmulatorEngine();
    }

    /** Few plans, whose kernels the emulator prepares once. */
    @Override
    int capacity(int length) {
      return length < 2000 ? 2000 : 9000;
    }

    /** One pass and two: the keys come from either array. More passes are tried with one length. */
    @Override
    int[] limits() {
      return new int[] {1, 64, 4000};
    }

    @Override
    List<Integer> lengths() {
      return List.of(0, 1, 255, 256, 257, 4091, 4092, 4093, 4097, 8189);
    }

    @Override
    int randomRuns() {
      return 20;
    }

    /** All where one pass more begins, some of the others. */
    @Override
    boolean isTried(int bits, SplittableRandom random) {
      return bits % KeySortKernels.BITS == 0 || Seed.draws(random, 4);
    }

    @Override
    int tenthsTried(int length) {
      return length > 300 ? 1 : 2;
    }
  }

  /** Threads and blocks in other orders, with a look for races. */
  @Nested
  class InAnyOrder extends KeySortContract {
    @Override
    Engine open() {
      return new EmulatorEngine(
          Emulator.builder()
              .order(Order.RANDOM)
              .groupOrder(Order.RANDOM)
              .seed(Seed.VALUE)
              .detectRaces(true)
              .build());
    }

    @Override
    List<Integer> lengths() {
      return List.of(1, 257, 4093);
    }

    @Override
    int randomRuns() {
      return 10;
    }

    /** Some, and more of them where one pass more begins. */
    @Override
    boolean isTried(int bits, SplittableRandom random) {
      return Seed.draws(random, bits % KeySortKernels.BITS == 0 ? 3 : 12);
    }

    @Override
    int tenthsTried(int length) {
      return 1;
    }
  }

  @Nested
  @Tag("gpu")
  class OnDevice extends KeySortContract {
    @Override
    Engine open() {
      return TornadoEngine.open();
    }

    @Override
    int capacity(int length) {
      return length < 100_000 ? 100_000 : 9_000_000;
    }

    @Override
    int randomRuns() {
      return 60;
    }

    /** More tiles than one block turns into starts at once, and more than a chunk. */
    @Override
    List<Integer> longLengths() {
      return List.of(1_000_000, 4_194_300, 9_000_000);
    }

    @Override
    Target target() {
      return Target.TORNADO;
    }
  }

  @Test
  void bits() {
    Input keys = new Input("x", ElementType.INT, 10);
    int[] limits = {1, 2, 3, 64, 65, 4096, 4097, 1 << 24, Integer.MAX_VALUE};
    int[] bits = {1, 1, 2, 6, 7, 12, 13, 24, 31};
    for (int i = 0; i < limits.length; i++) {
      assertEquals(bits[i], KeySort.of("s", keys, limits[i], false).bits());
    }
    assertThrows(IllegalArgumentException.class, () -> KeySort.of("s", keys, 0, false));
    assertThrows(
        IllegalArgumentException.class,
        () -> KeySort.of("s", new Input("x", ElementType.LONG, 10), 5, false));
  }

  /** As many chunks as a pass can have, tile counts around a chunk's end. */
  @Test
  void chunks() {
    assertEquals(0, KeySortKernels.tiles().of(0));
    assertEquals(1, KeySortKernels.tiles().of(1));
    assertEquals(1, KeySortKernels.tiles().of(4092));
    assertEquals(2, KeySortKernels.tiles().of(4093));
    assertEquals(524_288, KeySortKernels.tiles().of(Input.LARGEST_CAPACITY));
    SplittableRandom random = Seed.random("chunks");
    for (int i = 0; i < 1000; i++) {
      int most = random.nextInt(524_289);
      int tiles = random.nextInt(most + 1);
      int chunks = KeySortKernels.chunks(most);
      long end = (long) tiles * KeySortKernels.TILE - 4;
      int length = (int) Math.max(0, end - random.nextInt(4092));
      int chunk = KeySortKernels.chunk(chunks).of(length);
      assertEquals(tiles, KeySortKernels.tiles().of(length));
      assertEquals(0, chunk % KeySortKernels.CHUNK_STEP);
      assertTrue((long) chunks * chunk >= tiles, () -> "tiles=%d, most=%d".formatted(tiles, most));
    }
  }

  /** Several chunks of a digit's tiles, and several steps of a chunk. */
  @Test
  void startsOfManyTiles() {
    SplittableRandom random = Seed.random("starts");
    int chunks = KeySortKernels.chunks(2048);
    for (int tiles : new int[] {0, 1, 128, 1023, 1024, 1025, 2048, 3500, 4096}) {
      int threads = KeySortKernels.startThreads(tiles);
      int[] counts = random.ints(KeySortKernels.DIGITS * tiles, 0, 4097).toArray();
      IntArray shape = IntArray.fromElements(0, tiles, 0, 0, 0, 0, 0, 2048);
      IntArray given = new IntArray(Math.max(1, counts.length));
      for (int i = 0; i < counts.length; i++) {
        given.set(i, counts[i]);
      }
      IntArray starts = new IntArray(Math.max(1, counts.length));
      IntArray totals = new IntArray(KeySortKernels.DIGITS);
      Emulator.builder()
          .order(Order.RANDOM)
          .groupOrder(Order.RANDOM)
          .seed(Seed.VALUE)
          .build()
          .run(
              Kernel.of(KeySortKernels.class, "starts")
                  .task(
                      "s",
                      Grid.of(KeySortKernels.DIGITS * chunks, threads),
                      Map.of(
                          "shape", shape, "shapeAt", 0, "counts", given, "starts", starts, "totals",
                          totals, "chunks", chunks, "threads", threads)));
      for (int digit = 0; digit < KeySortKernels.DIGITS; digit++) {
        int sum = 0;
        for (int tile = 0; tile < tiles; tile++) {
          int at = digit * tiles + tile;
          assertEquals(sum, starts.get(at), "digit=%d, tile=%d".formatted(digit, tile));
          sum += counts[at];
        }
        assertEquals(sum, totals.get(digit), "tiles=%d%s".formatted(tiles, Seed.replay()));
      }
    }
  }
}
