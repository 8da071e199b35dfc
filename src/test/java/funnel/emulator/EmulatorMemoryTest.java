package funnel.emulator;

import static funnel.emulator.EmulatorTest.assertContains;
import static funnel.emulator.EmulatorTest.emulator;
import static funnel.emulator.EmulatorTest.filled;
import static funnel.emulator.EmulatorTest.random;
import static funnel.emulator.EmulatorTest.values;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** What kernels do with memory in the emulator: bounds, local memory, atomics, shuffles. */
class EmulatorMemoryTest {

  // Bounds

  static Stream<Supplier<KernelTask>> accessesAtMinusOneAndSize() {
    Grid grid = Grid.of(1, 8);
    List<Supplier<KernelTask>> tasks = new ArrayList<>();
    for (int offset : new int[] {-1, -2, -4, 1}) {
      tasks.add(() -> KernelTask.of("get", grid, Kernels::get, filled(8, 0), filled(8, 0), offset));
      tasks.add(() -> KernelTask.of("set", grid, Kernels::setBytes, new ByteArray(8), offset));
      tasks.add(() -> KernelTask.of("set", grid, Kernels::setLongs, new LongArray(8), offset));
      tasks.add(() -> KernelTask.of("set", grid, Kernels::setFloats, new FloatArray(8), offset));
      tasks.add(() -> KernelTask.of("set", grid, Kernels::setDoubles, new DoubleArray(8), offset));
    }
    return tasks.stream();
  }

  @ParameterizedTest
  @MethodSource("accessesAtMinusOneAndSize")
  void bounds_tornadoArrays(Supplier<KernelTask> task) {
    KernelTask launch = task.get();
    int offset = (int) launch.arguments().getLast();
    KernelBoundsException e =
        assertThrows(KernelBoundsException.class, () -> emulator(Order.FORWARD).run(launch));
    assertEquals(8, e.size());
    assertEquals(offset < 0 ? offset : 8, e.index());
    assertEquals(offset < 0 ? 0 : 7, e.thread());
    assertContains(
        e.getMessage(), "Array", "index=" + e.index(), "size=8", "thread ", "Kernels.java:");
    assertTrue(
        Stream.of(e.getStackTrace())
            .anyMatch(frame -> frame.getMethodName().startsWith("bounds_tornadoArrays")),
        "the caller is in the stack trace");
  }

  @Test
  void bounds_insideOnly_passes() {
    IntArray out = filled(8, -1);
    emulator(Order.FORWARD)
        .run(KernelTask.of("get", Grid.of(1, 8), Kernels::get, random(8), out, 0));
    assertArrayEquals(values(random(8)), values(out));
  }

  @Test
  void bounds_atomics() {
    KernelBoundsException e =
        assertThrows(
            KernelBoundsException.class,
            () ->
                emulator(Order.FORWARD)
                    .run(KernelTask.of("a", Grid.of(1, 8), Kernels::atomicOutside, filled(8, 0))));
    assertEquals(-2, e.index());
    assertContains(e.getMessage(), "Kernels.atomicOutside(Kernels.java:");
  }

  @ParameterizedTest
  @MethodSource("funnel.emulator.EmulatorTest#all")
  void bounds_localArrays(Emulator emulator) {
    KernelBoundsException e =
        assertThrows(
            KernelBoundsException.class,
            () ->
                emulator.run(
                    KernelTask.of("l", Grid.of(1, 17), Kernels::localOutside, filled(17, 0))));
    assertEquals(16, e.index());
    assertEquals(16, e.size());
    assertEquals(16, e.thread());
    assertInstanceOf(ArrayIndexOutOfBoundsException.class, e.getCause());
  }

  // Local memory

  @Test
  void uninitialisedLocalMemory_shows() {
    IntArray out = filled(64, 0);
    emulator(Order.FORWARD).run(KernelTask.of("u", Grid.of(2, 32), Kernels::uninitialised, out));
    int[] first = values(out);
    assertNotEquals(1, first[1]);
    assertNotEquals(first[1], first[33], "each group has contents of its own");
    emulator(Order.FORWARD).run(KernelTask.of("u", Grid.of(2, 32), Kernels::uninitialised, out));
    assertArrayEquals(first, values(out), "the seed fixes the contents");
  }

  @Test
  void uninitialisedLocalMemory_ofAllTypes() {
    ByteArray bytes = new ByteArray(64);
    LongArray longs = new LongArray(64);
    FloatArray floats = new FloatArray(64);
    DoubleArray doubles = new DoubleArray(64);
    emulator(Order.FORWARD)
        .run(
            KernelTask.of(
                "u",
                Grid.of(1, 64),
                Kernels::uninitialisedOfAllTypes,
                bytes,
                longs,
                floats,
                doubles));
    assertTrue(IntStream.range(0, 64).map(bytes::get).distinct().count() > 10);
    assertTrue(IntStream.range(0, 64).mapToLong(longs::get).distinct().count() > 60);
    assertTrue(IntStream.range(0, 64).mapToDouble(floats::get).distinct().count() > 50);
    assertTrue(IntStream.range(0, 64).mapToDouble(doubles::get).distinct().count() > 50);
  }

  @Test
  void localMemory_over48KiB_refused() {
    IntArray out = filled(32, 0);
    emulator(Order.FORWARD)
        .run(KernelTask.of("m", Grid.of(1, 32), Kernels::tooMuchLocalMemory, out, 4096));
    LocalMemoryException e =
        assertThrows(
            LocalMemoryException.class,
            () ->
                emulator(Order.FORWARD)
                    .run(
                        KernelTask.of(
                            "m", Grid.of(1, 32), Kernels::tooMuchLocalMemory, out, 4097)));
    assertContains(e.getMessage(), "49156", "49152", "int[4097]");
  }

  @Test
  void localMemory_differentAllocations_refused() {
    LocalMemoryException e =
        assertThrows(
            LocalMemoryException.class,
            () ->
                emulator(Order.FORWARD)
                    .run(
                        KernelTask.of(
                            "m", Grid.of(1, 32), Kernels::differentAllocations, filled(32, 0))));
    assertEquals(5, e.thread());
    assertContains(e.getMessage(), "int[64] here", "int[32]");
  }

  // Atomics

  @ParameterizedTest
  @MethodSource("funnel.emulator.EmulatorTest#all")
  void globalAtomics_exact(Emulator emulator) {
    IntArray ints = filled(3, 0);
    LongArray longs = new LongArray(3);
    longs.init(0L);
    FloatArray floats = new FloatArray(3);
    floats.init(0f);
    DoubleArray doubles = new DoubleArray(3);
    doubles.init(0d);
    int[] heap = new int[3];
    emulator.run(
        List.of(
            KernelTask.of(
                "atomics", Grid.of(60, 64), Kernels::globalAtomics, ints, longs, floats, doubles),
            KernelTask.of("heap", Grid.of(60, 64), Kernels::heapAtomics, heap)));
    for (int bin = 0; bin < 3; bin++) {
      assertEquals(1280, ints.get(bin));
      assertEquals(1280L << 33, longs.get(bin));
      assertEquals(640f, floats.get(bin));
      assertEquals(320d, doubles.get(bin));
      assertEquals(1280, heap[bin]);
    }
  }

  @ParameterizedTest
  @MethodSource("funnel.emulator.EmulatorTest#all")
  void atomicInteger_givesEachTicketOnce(Emulator emulator) {
    IntArray out = filled(640, -1);
    AtomicInteger next = new AtomicInteger();
    emulator.run(KernelTask.of("tickets", Grid.of(10, 64), Kernels::tickets, out, next));
    assertEquals(640, next.get());
    int[] sorted = values(out);
    Arrays.sort(sorted);
    assertArrayEquals(IntStream.range(0, 640).toArray(), sorted);
  }

  // Shuffles

  @ParameterizedTest
  @MethodSource("funnel.emulator.EmulatorTest#all")
  void shuffles_downSumFirst(Emulator emulator) {
    SplittableRandom random = new SplittableRandom(EmulatorTest.SEED);
    int n = 192;
    FloatArray in = new FloatArray(n);
    for (int i = 0; i < n; i++) {
      in.set(i, (float) random.nextDouble(-1e6, 1e6));
    }
    FloatArray down = new FloatArray(n);
    FloatArray sums = new FloatArray(n);
    FloatArray first = new FloatArray(n);
    emulator.run(
        KernelTask.of("shuffles", Grid.of(2, 96), Kernels::shuffles, in, down, sums, first));
    for (int i = 0; i < n; i++) {
      int warp = i / 32 * 32;
      assertEquals(in.get(i % 32 + 3 > 31 ? i : i + 3), down.get(i));
      assertEquals(in.get(warp), first.get(i));
      assertEquals(butterfly(in, warp)[i - warp], sums.get(i), "same bits as shuffles by xor");
    }
  }

  /** Every lane adds the value of the lane whose number differs in one bit, five times. */
  private static float[] butterfly(FloatArray in, int warp) {
    float[] lanes = new float[32];
    for (int lane = 0; lane < 32; lane++) {
      lanes[lane] = in.get(warp + lane);
    }
    for (int bit = 16; bit > 0; bit /= 2) {
      float[] old = lanes.clone();
      for (int lane = 0; lane < 32; lane++) {
        lanes[lane] = old[lane] + old[lane ^ bit];
      }
    }
    return lanes;
  }

  @Test
  void shuffleDown_distanceOfItsOwnInEachLane() {
    FloatArray in = new FloatArray(32);
    for (int i = 0; i < 32; i++) {
      in.set(i, i);
    }
    FloatArray out = new FloatArray(32);
    emulator(Order.RANDOM)
        .run(KernelTask.of("s", Grid.of(1, 32), Kernels::shuffleDownByLane, in, out));
    for (int lane = 0; lane < 32; lane++) {
      assertEquals(2 * lane > 31 ? lane : 2 * lane, out.get(lane));
    }
  }

  @ParameterizedTest
  @MethodSource("funnel.emulator.EmulatorTest#all")
  void shuffles_ofSomeWarps_allowed(Emulator emulator) {
    FloatArray in = new FloatArray(96);
    in.init(1f);
    FloatArray out = new FloatArray(96);
    out.init(0f);
    emulator.run(KernelTask.of("s", Grid.of(1, 96), Kernels::shuffleOfSomeWarps, in, out));
    for (int i = 0; i < 96; i++) {
      assertEquals(i < 64 ? 32f + 32f * 32f : 0f, out.get(i));
    }
  }

  @ParameterizedTest
  @MethodSource("funnel.emulator.EmulatorTest#all")
  void shuffles_inHalfAWarp_diverge(Emulator emulator) {
    FloatArray in = new FloatArray(64);
    BarrierDivergenceException e =
        assertThrows(
            BarrierDivergenceException.class,
            () ->
                emulator.run(KernelTask.of("s", Grid.of(1, 64), Kernels::shuffleInBranch, in, in)));
    assertEquals(BarrierDivergenceException.Kind.NOT_ALL_LANES, e.kind());
    assertContains(e.getMessage(), "of warp 0 16 wait at simdSum", "16 wait at the barrier");
  }

  @Test
  void shuffles_atTwoPlacesOfOneLine_diverge() {
    FloatArray in = new FloatArray(64);
    BarrierDivergenceException e =
        assertThrows(
            BarrierDivergenceException.class,
            () ->
                emulator(Order.FORWARD)
                    .run(KernelTask.of("s", Grid.of(2, 32), Kernels::shuffleInBothArms, in, in)));
    assertEquals(BarrierDivergenceException.Kind.NOT_ALL_LANES, e.kind());
    assertContains(e.getMessage(), ") (threads 0, 2, 4, 6", ") no. 2 (threads 1, 3, 5, 7");
  }

  @Test
  void shuffles_inAWarpThatIsNotFull_diverge() {
    FloatArray in = new FloatArray(48);
    BarrierDivergenceException e =
        assertThrows(
            BarrierDivergenceException.class,
            () ->
                emulator(Order.FORWARD)
                    .run(KernelTask.of("s", Grid.of(1, 48), Kernels::shuffleDownByLane, in, in)));
    assertContains(e.getMessage(), "only 16 threads", "multiple of 32");
  }

  @Test
  void shuffleDown_beyondTheWarp_refused() {
    FloatArray in = new FloatArray(32);
    KernelFailedException e =
        assertThrows(
            KernelFailedException.class,
            () ->
                emulator(Order.FORWARD)
                    .run(KernelTask.of("s", Grid.of(1, 32), Kernels::shuffleTooFar, in, in)));
    assertContains(e.getMessage(), "delta=32");
  }
}
