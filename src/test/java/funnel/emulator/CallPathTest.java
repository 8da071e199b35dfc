package funnel.emulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.block.BlockReduce;
import funnel.block.WarpScan;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Places in common methods are told apart by the calls that lead to them. */
class CallPathTest {

  private static final int THREADS = 64;

  /** One collective in each arm: on a device, two different barriers in divergent code. */
  static void collectiveInBothArms(KernelContext context, IntArray x, int threads) {
    int thread = context.localIdx;
    int v = x.get(thread);
    int sum;
    if (v > 0) {
      sum = BlockReduce.sum(context, thread, threads, v);
    } else {
      sum = BlockReduce.sum(context, thread, threads, -v);
    }
    x.set(thread, sum);
  }

  static void collectivesInOneLine(KernelContext context, IntArray x, int threads) {
    int i = context.localIdx;
    int v = x.get(i);
    x.set(
        i,
        v > 0 ? BlockReduce.sum(context, i, threads, v) : BlockReduce.sum(context, i, threads, 1));
  }

  static void shufflesInBothArms(KernelContext context, IntArray x) {
    int thread = context.localIdx;
    int v = x.get(thread);
    if (v > 0) {
      x.set(thread, WarpScan.inclusiveSum(context, thread, v));
    } else {
      x.set(thread, WarpScan.inclusiveSum(context, thread, -v));
    }
  }

  record Sums(KernelContext context, int threads) {
    int of(int thread, int value) {
      return BlockReduce.sum(context, thread, threads, value);
    }
  }

  static int throughRecord(Sums sums, int thread, int value) {
    return sums.of(thread, value);
  }

  static void collectiveOfRecordInBothArms(KernelContext context, IntArray x, int threads) {
    Sums sums = new Sums(context, threads);
    int thread = context.localIdx;
    int v = x.get(thread);
    if (v > 0) {
      x.set(thread, throughRecord(sums, thread, v));
    } else {
      x.set(thread, throughRecord(sums, thread, -v));
    }
  }

  static void collectiveTwice(KernelContext context, IntArray x, int threads) {
    int thread = context.localIdx;
    int v = x.get(thread);
    int sum = BlockReduce.sum(context, thread, threads, v);
    int more = BlockReduce.sum(context, thread, threads, v + 1);
    x.set(thread, sum + more);
  }

  /** The barrier that keeps a round from writing what the round before still reads. */
  static void collectiveInLoop(KernelContext context, IntArray x, int threads, int barrier) {
    int thread = context.localIdx;
    int sum = 0;
    for (int round = 0; round < 3; round++) {
      sum += BlockReduce.sum(context, thread, threads, x.get(thread) + round);
      if (barrier == 1) {
        context.localBarrier();
      }
    }
    x.set(thread, sum);
  }

  static void differentArrays(KernelContext context, IntArray x, int threads) {
    int thread = context.localIdx;
    int[] mine;
    if (thread < threads / 2) {
      mine = context.allocateIntLocalArray(threads);
    } else {
      mine = context.allocateIntLocalArray(threads);
    }
    mine[thread] = thread;
    context.localBarrier();
    x.set(thread, mine[threads - 1 - thread]);
  }

  private static IntArray halfNegative() {
    IntArray x = new IntArray(THREADS);
    for (int i = 0; i < THREADS; i++) {
      x.set(i, i < 20 ? 1 : -1);
    }
    return x;
  }

  private static BarrierDivergenceException divergence(KernelTask task) {
    return assertThrows(
        BarrierDivergenceException.class, () -> Emulator.builder().build().run(task));
  }

  @Test
  void barrierOfACommonMethod_reachedFromTwoPlaces_isTwo() {
    Grid grid = Grid.of(1, THREADS);
    BarrierDivergenceException e =
        divergence(
            KernelTask.of("k", grid, CallPathTest::collectiveInBothArms, halfNegative(), THREADS));
    assertEquals(BarrierDivergenceException.Kind.DIFFERENT_BARRIERS, e.kind());
    String message = e.getMessage();
    assertTrue(
        message.contains("20 wait at the barrier funnel.block.IntBlockReduce.interleaved(IntBlock")
            && message.contains(
                ", called at funnel.emulator.CallPathTest.collectiveInBothArms(CallPathTest.java:"),
        message);
    assertEquals(
        BarrierDivergenceException.Kind.DIFFERENT_BARRIERS,
        divergence(
                KernelTask.of(
                    "k", grid, CallPathTest::collectivesInOneLine, halfNegative(), THREADS))
            .kind());
    assertEquals(
        BarrierDivergenceException.Kind.DIFFERENT_BARRIERS,
        divergence(
                KernelTask.of(
                    "k", grid, CallPathTest::collectiveOfRecordInBothArms, halfNegative(), THREADS))
            .kind());
  }

  @Test
  void shuffleOfACommonMethod_reachedFromTwoPlaces_isTwo() {
    BarrierDivergenceException e =
        divergence(
            KernelTask.of(
                "k", Grid.of(1, THREADS), CallPathTest::shufflesInBothArms, halfNegative()));
    assertEquals(BarrierDivergenceException.Kind.NOT_ALL_LANES, e.kind());
  }

  @Test
  void collectiveCalledTwice_passes() {
    IntArray x = new IntArray(THREADS);
    x.init(2);
    Emulator.builder()
        .detectRaces(true)
        .build()
        .run(KernelTask.of("k", Grid.of(1, THREADS), CallPathTest::collectiveTwice, x, THREADS));
    assertEquals(5 * THREADS, x.get(7));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void localArrayInALoop_isTheSameInEveryRound(int barrier) {
    IntArray x = new IntArray(THREADS);
    x.init(2);
    Emulator races = Emulator.builder().detectRaces(true).build();
    KernelTask task =
        KernelTask.of(
            "k", Grid.of(1, THREADS), CallPathTest::collectiveInLoop, x, THREADS, barrier);
    if (barrier == 0) {
      assertThrows(LocalRaceException.class, () -> races.run(task));
    } else {
      races.run(task);
      assertEquals(9 * THREADS, x.get(7));
    }
  }

  @Test
  void localArraysOfTwoPlaces_areTwo() {
    IntArray x = new IntArray(THREADS);
    x.init(-1);
    Emulator.builder()
        .build()
        .run(KernelTask.of("k", Grid.of(1, THREADS), CallPathTest::differentArrays, x, THREADS));
    int right = 0;
    for (int i = 0; i < THREADS; i++) {
      right += x.get(i) == THREADS - 1 - i ? 1 : 0;
    }
    assertEquals(0, right, "the halves exchange nothing: each has an array of its own");
  }
}
