package funnel.emulator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

class EmulatorTest {

  static final long SEED = 20250817;

  static Emulator emulator(Order order) {
    return Emulator.builder().order(order).seed(SEED).build();
  }

  /** Every order, on continuations and on virtual threads, with and without race detection. */
  static Stream<Emulator> all() {
    return Stream.of(Order.values())
        .flatMap(
            order ->
                Stream.of(
                    Emulator.builder().order(order).seed(SEED).build(),
                    Emulator.builder().order(order).seed(SEED).virtualThreads(true).build(),
                    Emulator.builder().order(order).seed(SEED).parallel(true).build(),
                    Emulator.builder().order(order).seed(SEED).detectRaces(true).build()));
  }

  static IntArray random(int size) {
    SplittableRandom random = new SplittableRandom(SEED);
    IntArray array = new IntArray(size);
    for (int i = 0; i < size; i++) {
      array.set(i, random.nextInt());
    }
    return array;
  }

  static IntArray filled(int size, int value) {
    IntArray array = new IntArray(size);
    array.init(value);
    return array;
  }

  static int[] values(IntArray array) {
    return IntStream.range(0, array.getSize()).map(array::get).toArray();
  }

  static int[] sums(IntArray in, int threads) {
    int[] sums = new int[in.getSize() / threads];
    for (int i = 0; i < in.getSize(); i++) {
      sums[i / threads] += in.get(i);
    }
    return sums;
  }

  static void assertContains(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), () -> "no '" + part + "' in: " + text);
    }
  }

  // Ids

  @ParameterizedTest
  @MethodSource("all")
  void ids_oneAndTwoDimensions(Emulator emulator) {
    for (Grid grid : List.of(Grid.of(1, 1), Grid.of(5, 33), new Grid(3, 4, 2, 5))) {
      int width = grid.blocks() * grid.threads();
      int height = grid.blocksY() * grid.threadsY();
      IntArray ids = filled(15 * width * height, -1);
      emulator.run(KernelTask.of("ids", grid, Kernels::ids, ids));
      int at = 0;
      for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
          int[] expected = {
            x,
            y,
            0,
            x / grid.threads(),
            y / grid.threadsY(),
            0,
            x % grid.threads(),
            y % grid.threadsY(),
            0,
            width,
            height,
            1,
            grid.threads(),
            grid.threadsY(),
            1
          };
          assertArrayEquals(expected, Arrays.copyOfRange(values(ids), at, at + 15));
          at += 15;
        }
      }
    }
  }

  // Barriers

  @ParameterizedTest
  @MethodSource("all")
  void treeReduction_rightInAllOrders(Emulator emulator) {
    for (int threads : new int[] {1, 2, 64, 256, 1024}) {
      IntArray in = random(7 * threads);
      IntArray out = filled(7, 0);
      emulator.run(KernelTask.of("sum", Grid.of(7, threads), Kernels::sum, in, out, threads));
      assertArrayEquals(sums(in, threads), values(out));
    }
  }

  @Test
  void missingBarriers_wrongInSomeOrder() {
    List<Order> wrong = new ArrayList<>();
    for (Order order : Order.values()) {
      IntArray in = random(256);
      IntArray out = filled(1, 0);
      emulator(order)
          .run(KernelTask.of("sum", Grid.of(1, 256), Kernels::sumWithoutBarriers, in, out, 256));
      if (!Arrays.equals(sums(in, 256), values(out))) {
        wrong.add(order);
      }
    }
    assertTrue(wrong.contains(Order.FORWARD) && wrong.contains(Order.RANDOM), wrong::toString);
  }

  @Test
  void missingBarrierBehindForwardOrder_wrongInReverse() {
    int[] expected = IntStream.range(0, 64).map(i -> Math.max(0, i - 1)).toArray();
    IntArray out = filled(64, 0);
    KernelTask task =
        KernelTask.of("neighbour", Grid.of(1, 64), Kernels::neighbourWithoutBarrier, out, 64);
    emulator(Order.FORWARD).run(task);
    assertArrayEquals(expected, values(out));
    emulator(Order.REVERSE).run(task);
    assertFalse(Arrays.equals(expected, values(out)));
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void race_readOfWrite_found(Order order) {
    Emulator races = Emulator.builder().order(order).seed(SEED).detectRaces(true).build();
    KernelTask task =
        KernelTask.of(
            "neighbour", Grid.of(3, 64), Kernels::neighbourWithoutBarrier, filled(64, 0), 64);
    LocalRaceException e = assertThrows(LocalRaceException.class, () -> races.run(task));
    assertEquals(0, e.group());
    assertEquals(1, Math.abs(e.thread() - e.otherThread()));
    assertEquals(Math.min(e.thread(), e.otherThread()), e.index());
    assertContains(e.getMessage(), "int[64]", "Kernels.java:", "localBarrier");
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void race_writeOfRead_found(Order order) {
    Emulator races = Emulator.builder().order(order).seed(SEED).detectRaces(true).build();
    KernelTask task =
        KernelTask.of(
            "over", Grid.of(1, 64), Kernels::overwriteWithoutBarrier, new LongArray(64), 64);
    assertThrows(LocalRaceException.class, () -> races.run(task));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void race_inArraysOfEveryType_found(int type) {
    List<String> names = List.of("int[2]", "long[2]", "float[2]", "double[2]", "byte[2]");
    KernelTask task = KernelTask.of("race", Grid.of(1, 2), Kernels::raceInType, filled(2, 0), type);
    LocalRaceException e =
        assertThrows(
            LocalRaceException.class, () -> Emulator.builder().detectRaces(true).build().run(task));
    assertContains(e.getMessage(), names.get(type), "thread 0 wrote, and this thread read");
    emulator(Order.FORWARD).run(task);
  }

  @Test
  void race_differentValuesWritten_found() {
    KernelTask task = KernelTask.of("race", Grid.of(1, 2), Kernels::writeRace, new DoubleArray(2));
    LocalRaceException e =
        assertThrows(
            LocalRaceException.class, () -> Emulator.builder().detectRaces(true).build().run(task));
    assertContains(e.getMessage(), "thread 0 wrote, and this thread wrote");
  }

  @Test
  void race_sameValueWrittenByMany_isNone() {
    IntArray in = filled(128, 0);
    in.set(3, 1);
    in.set(9, 1);
    IntArray out = filled(128, -1);
    Emulator.builder()
        .detectRaces(true)
        .build()
        .run(KernelTask.of("flag", Grid.of(2, 64), Kernels::raiseFlag, in, out));
    assertArrayEquals(IntStream.range(0, 128).map(i -> i < 64 ? 1 : 0).toArray(), values(out));
  }

  @Test
  void race_atomicsAmongThemselves_areNone_withReads_are() {
    Emulator races = Emulator.builder().detectRaces(true).build();
    IntArray out = filled(64, 0);
    races.run(KernelTask.of("count", Grid.of(2, 32), Kernels::localAtomics, out));
    assertArrayEquals(IntStream.generate(() -> 31 * 16).limit(64).toArray(), values(out));
    assertThrows(
        LocalRaceException.class,
        () -> races.run(KernelTask.of("count", Grid.of(2, 32), Kernels::localAtomicsRead, out)));
  }

  @ParameterizedTest
  @MethodSource("all")
  void divergence_notAllThreads(Emulator emulator) {
    BarrierDivergenceException e =
        assertThrows(
            BarrierDivergenceException.class,
            () ->
                emulator.run(
                    KernelTask.of(
                        "early", Grid.of(3, 64), Kernels::earlyReturn, filled(64, 0), 40)));
    assertEquals(BarrierDivergenceException.Kind.NOT_ALL_THREADS, e.kind());
    assertEquals(0, e.group());
    assertEquals(Place.NONE, e.thread());
    assertContains(
        e.getMessage(),
        "kernel early (funnel.emulator.Kernels.earlyReturn), group 0",
        "40 wait at the barrier funnel.emulator.Kernels.earlyReturn(Kernels.java:",
        "24 have ended (threads 40, 41, 42, 43, ...)");
  }

  @ParameterizedTest
  @MethodSource("all")
  void divergence_differentBarriers(Emulator emulator) {
    List<KernelTask> tasks =
        List.of(
            KernelTask.of("d", Grid.of(1, 64), Kernels::differentBarriers, filled(64, 0)),
            KernelTask.of("d", Grid.of(1, 64), Kernels::differentKinds, filled(64, 0)));
    for (KernelTask task : tasks) {
      BarrierDivergenceException e =
          assertThrows(BarrierDivergenceException.class, () -> emulator.run(task));
      assertEquals(BarrierDivergenceException.Kind.DIFFERENT_BARRIERS, e.kind());
      assertContains(e.getMessage(), "20 wait at", "44 wait at", "(threads 0, 1, 2, 3, ...)");
    }
  }

  @Test
  void divergence_inTwoDimensions_namesCoordinates() {
    KernelTask task =
        KernelTask.of("d", new Grid(1, 8, 1, 8), Kernels::earlyReturn, filled(64, 0), 3);
    BarrierDivergenceException e =
        assertThrows(BarrierDivergenceException.class, () -> emulator(Order.FORWARD).run(task));
    assertContains(e.getMessage(), "40 have ended (threads (3, 0), (4, 0)");
  }

  // Kernels that do not end

  @Test
  void endless_loop_helperAndBarriers() {
    Emulator emulator = Emulator.builder().maxSteps(100_000).build();
    List<KernelTask> tasks =
        List.of(
            KernelTask.of("e", Grid.of(1, 64), Kernels::endless, filled(64, 0)),
            KernelTask.of("e", Grid.of(1, 64), Kernels::endlessInHelper, filled(64, 0)),
            KernelTask.of("e", Grid.of(1, 64), Kernels::endlessBarriers, filled(64, 0)));
    for (KernelTask task : tasks) {
      EndlessKernelException e =
          assertThrows(EndlessKernelException.class, () -> emulator.run(task));
      assertEquals(100_000, e.maxSteps());
      assertEquals(0, e.thread());
      assertContains(e.getMessage(), "maxSteps=100000", "group 0, thread 0", ".java:");
    }
  }

  @Test
  void steps_exactlyAsManyAsAllowed() {
    IntArray out = filled(64, 0);
    KernelTask task = KernelTask.of("c", Grid.of(2, 32), Kernels::countTo, out, 1000);
    Emulator.builder().maxSteps(1000).build().run(task);
    assertEquals(999 * 500, out.get(63));
    assertThrows(
        EndlessKernelException.class, () -> Emulator.builder().maxSteps(999).build().run(task));
  }

  @Test
  void maxSteps_notPositive_refused() {
    assertThrows(IllegalArgumentException.class, () -> Emulator.builder().maxSteps(0));
  }

  // What kernels call

  @ParameterizedTest
  @MethodSource("all")
  void helpers_inOtherClasses(Emulator emulator) {
    IntArray in = random(5 * 64);
    IntArray out = filled(5, 0);
    emulator.run(KernelTask.of("helpers", Grid.of(5, 64), Kernels::helpers, in, out));
    assertArrayEquals(sums(in, 64), values(out));
  }

  @Test
  void lambdas_alsoWithCapturedNumbers() {
    int five = Integer.parseInt("5");
    IntArray out = filled(64, 0);
    emulator(Order.FORWARD)
        .run(
            KernelTask.of(
                "lambda",
                Grid.of(2, 32),
                (KernelContext context, IntArray a) ->
                    a.set(context.globalIdx, five * context.globalIdx),
                out));
    assertArrayEquals(IntStream.range(0, 64).map(i -> 5 * i).toArray(), values(out));
  }

  @ParameterizedTest
  @MethodSource("all")
  void kernelsOwnException_isTheCause(Emulator emulator) {
    IntArray in = filled(64, 1);
    in.set(43, 0);
    KernelFailedException e =
        assertThrows(
            KernelFailedException.class,
            () ->
                emulator.run(
                    KernelTask.of("div", Grid.of(2, 32), Kernels::divides, in, filled(64, 0))));
    assertInstanceOf(ArithmeticException.class, e.getCause());
    assertEquals(1, e.group());
    assertEquals(11, e.thread());
    assertContains(e.getMessage(), "group 1, thread 11", "/ by zero", "Kernels.java:");
  }

  @Test
  void staticFields_finalOnly() {
    IntArray out = filled(32, 0);
    emulator(Order.FORWARD).run(KernelTask.of("f", Grid.of(1, 32), Kernels::staticFields, out));
    assertEquals(7, out.get(31));
    UnsupportedKernelException e =
        assertThrows(
            UnsupportedKernelException.class,
            () ->
                emulator(Order.FORWARD)
                    .run(KernelTask.of("f", Grid.of(1, 32), Kernels::mutableStaticField, out)));
    assertContains(e.getMessage(), "funnel.emulator.Kernels.mutable");
  }

  @Test
  void arguments_ofCopiedClasses_refused() {
    KernelTask task =
        KernelTask.of("r", Grid.of(1, 1), Kernels::recordArgument, new KernelHelper.Pair(1, 2));
    UnsupportedKernelException e =
        assertThrows(UnsupportedKernelException.class, () -> emulator(Order.FORWARD).run(task));
    assertContains(e.getMessage(), "KernelHelper$Pair");
  }

  @Test
  void kernelThatIsNoMethodReference_refused() {
    KernelTask.Kernel1 anonymous =
        new KernelTask.Kernel1() {
          private static final long serialVersionUID = 1L;

          @Override
          public void apply(KernelContext context) {}
        };
    assertThrows(
        UnsupportedKernelException.class,
        () -> emulator(Order.FORWARD).run(KernelTask.of("x", Grid.of(1, 1), anonymous)));
  }

  @Test
  void moreThreadsThanABlockHas_refused() {
    UnsupportedKernelException e =
        assertThrows(
            UnsupportedKernelException.class,
            () ->
                emulator(Order.FORWARD)
                    .run(
                        KernelTask.of(
                            "x", Grid.of(1, 1025), Kernels::staticFields, filled(1025, 0))));
    assertContains(e.getMessage(), "1024", "threads=1025");
  }

  @Test
  void taskList_inOrder() {
    IntArray a = filled(64, 3);
    KernelTask addOne = KernelTask.of("a", Grid.of(2, 32), Kernels::addOne, a);
    KernelTask doubled = KernelTask.of("d", Grid.of(2, 32), Kernels::doubled, a);
    emulator(Order.RANDOM).run(List.of(addOne, doubled, addOne));
    assertEquals(9, a.get(63));
    emulator(Order.RANDOM).run(List.of());
  }

  @Test
  void nulls_named() {
    assertEquals(
        "task",
        assertThrows(
                NullPointerException.class,
                () -> emulator(Order.FORWARD).run((KernelTask) nothing()))
            .getMessage());
    assertEquals(
        "order",
        assertThrows(NullPointerException.class, () -> Emulator.builder().order(nothing()))
            .getMessage());
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }

  // Orders

  private static int[] orderSeen(Emulator emulator, int groups, int threads) {
    IntArray next = filled(1, 0);
    IntArray order = filled(2 * groups * threads, -1);
    emulator.run(KernelTask.of("order", Grid.of(groups, threads), Kernels::order, next, order));
    return values(order);
  }

  @Test
  void orders_forwardReverseRandom() {
    int[] forward = IntStream.range(0, 40).toArray();
    int[] twice = IntStream.concat(Arrays.stream(forward), Arrays.stream(forward)).toArray();
    assertArrayEquals(twice, orderSeen(emulator(Order.FORWARD), 1, 40));
    int[] backward = Arrays.stream(twice).map(i -> 39 - i).toArray();
    assertArrayEquals(backward, orderSeen(emulator(Order.REVERSE), 1, 40));

    int[] random = orderSeen(emulator(Order.RANDOM), 3, 40);
    assertArrayEquals(random, orderSeen(emulator(Order.RANDOM), 3, 40), "same seed, same order");
    assertFalse(
        Arrays.equals(
            random,
            orderSeen(Emulator.builder().order(Order.RANDOM).seed(SEED + 1).build(), 3, 40)));
    assertFalse(
        Arrays.equals(Arrays.copyOfRange(random, 0, 40), Arrays.copyOfRange(random, 40, 80)),
        "a new order after each barrier");
    int[] sorted = Arrays.copyOfRange(random, 0, 40);
    Arrays.sort(sorted);
    assertArrayEquals(forward, sorted);
  }

  @Test
  void groupOrders_forwardReverseRandom() {
    for (Order order : Order.values()) {
      Emulator emulator = Emulator.builder().groupOrder(order).seed(SEED).build();
      int[] groups = IntStream.of(orderSeen(emulator, 20, 1)).map(i -> i).distinct().toArray();
      int[] expected = order.of(20, new SplittableRandom(SEED));
      assertArrayEquals(expected, groups, order::toString);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void groupsThatWaitForEarlierOnes_end(boolean parallel) {
    IntArray turn = filled(1, 0);
    IntArray out = filled(50 * 8, 0);
    Emulator emulator = Emulator.builder().parallel(parallel).maxSteps(Long.MAX_VALUE).build();
    emulator.run(KernelTask.of("chained", Grid.of(50, 8), Kernels::chained, turn, out));
    assertEquals(50, turn.get(0));
    assertEquals(50, out.get(50 * 8 - 1));
  }

  @Test
  void groupsThatWaitForLaterOnes_areEndless() {
    KernelTask task =
        KernelTask.of("chained", Grid.of(4, 8), Kernels::chained, filled(1, 0), filled(4 * 8, 0));
    Emulator emulator = Emulator.builder().groupOrder(Order.REVERSE).maxSteps(1_000_000).build();
    EndlessKernelException e = assertThrows(EndlessKernelException.class, () -> emulator.run(task));
    assertEquals(3, e.group());
  }

  @Test
  void parallelFailure_isTheFirstInGroupOrder() {
    IntArray in = filled(640, 1);
    for (int group : new int[] {4, 9, 17}) {
      in.set(32 * group + 5, 0);
    }
    KernelTask task = KernelTask.of("div", Grid.of(20, 32), Kernels::divides, in, filled(640, 0));
    Emulator emulator = Emulator.builder().parallel(true).build();
    for (int i = 0; i < 20; i++) {
      assertEquals(4, assertThrows(KernelFailedException.class, () -> emulator.run(task)).group());
    }
  }

  @Test
  void oneEmulator_manyThreads() {
    Emulator emulator = emulator(Order.RANDOM);
    IntArray in = random(64 * 64);
    List<int[]> results =
        IntStream.range(0, 8)
            .parallel()
            .mapToObj(
                i -> {
                  IntArray out = filled(64, 0);
                  emulator.run(KernelTask.of("sum", Grid.of(64, 64), Kernels::sum, in, out, 64));
                  return values(out);
                })
            .toList();
    results.forEach(result -> assertArrayEquals(sums(in, 64), result));
  }

  @Test
  void copies_areMadeOnce() {
    LongArray first = new LongArray(1);
    LongArray second = new LongArray(1);
    emulator(Order.FORWARD).run(KernelTask.of("l", Grid.of(1, 1), Kernels::loaded, first));
    emulator(Order.REVERSE).run(KernelTask.of("l", Grid.of(1, 1), Kernels::loaded, second));
    assertNotEquals(Kernels.LOADED, first.get(0), "a copy of the class");
    assertEquals(first.get(0), second.get(0), "the same copy in both runs");
  }

  @Test
  void treeReduction_ofGroupsInParallel() {
    IntArray in = random(100 * 256);
    IntArray out = filled(100, 0);
    Emulator parallel = Emulator.builder().parallel(true).build();
    parallel.run(KernelTask.of("sum", Grid.of(100, 256), Kernels::sum, in, out, 256));
    assertArrayEquals(sums(in, 256), values(out));
  }
}
