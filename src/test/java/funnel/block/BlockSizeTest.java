package funnel.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.emulator.Emulator;
import funnel.emulator.EmulatorException;
import funnel.emulator.LocalMemoryException;
import funnel.emulator.UnsupportedKernelException;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operator.OperatorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Collectives in blocks of the sizes that they are not for. */
class BlockSizeTest {

  static void reduced(KernelContext context, IntArray x, int threads) {
    x.set(context.localIdx, BlockReduce.sum(context, context.localIdx, threads, 1));
  }

  static void reducedInOrder(KernelContext context, IntArray x, int threads) {
    int i = context.localIdx;
    x.set(i, BlockReduce.reduceInOrder(context, OperatorCode.SUM, i, threads, 1));
  }

  static void voted(KernelContext context, IntArray x, int threads) {
    x.set(context.localIdx, BlockVote.count(context, context.localIdx, threads, true));
  }

  static void scanned(KernelContext context, IntArray x, int threads) {
    x.set(context.localIdx, BlockScan.inclusiveSum(context, context.localIdx, threads, 1));
  }

  static void prefixes(KernelContext context, IntArray x, int threads) {
    int i = context.localIdx;
    x.set(i, BlockScan.prefixSums(context, i, threads, 1)[i]);
  }

  static void hillisSteele(KernelContext context, IntArray x, int threads) {
    int i = context.localIdx;
    x.set(i, BlockScan.hillisSteele(context, OperatorCode.SUM, i, threads, 1));
  }

  static void blelloch(KernelContext context, IntArray x, int threads) {
    int i = context.localIdx;
    x.set(i, BlockScan.blelloch(context, OperatorCode.SUM, i, threads, 1, 0));
  }

  static void warpShuffle(KernelContext context, IntArray x, int threads) {
    int i = context.localIdx;
    x.set(i, BlockScan.warpShuffle(context, OperatorCode.SUM, i, threads, 1, 0));
  }

  static void loaded(KernelContext context, IntArray x, int threads) {
    int i = context.localIdx;
    x.set(i, BlockExchange.load(context, x, 0, x.getSize(), 0, i, threads, 1)[i]);
  }

  static KernelTask.Kernel3<?, ?>[] collectives() {
    return new KernelTask.Kernel3<?, ?>[] {
      (KernelTask.Kernel3<IntArray, Integer>) BlockSizeTest::reduced,
      (KernelTask.Kernel3<IntArray, Integer>) BlockSizeTest::reducedInOrder,
      (KernelTask.Kernel3<IntArray, Integer>) BlockSizeTest::voted,
      (KernelTask.Kernel3<IntArray, Integer>) BlockSizeTest::scanned,
      (KernelTask.Kernel3<IntArray, Integer>) BlockSizeTest::prefixes,
      (KernelTask.Kernel3<IntArray, Integer>) BlockSizeTest::hillisSteele,
      (KernelTask.Kernel3<IntArray, Integer>) BlockSizeTest::blelloch,
      (KernelTask.Kernel3<IntArray, Integer>) BlockSizeTest::warpShuffle,
      (KernelTask.Kernel3<IntArray, Integer>) BlockSizeTest::loaded
    };
  }

  private static <E extends EmulatorException> E refused(
      Class<E> type, KernelTask.Kernel3<IntArray, Integer> kernel, int block, int threads) {
    KernelTask task =
        KernelTask.of("k", Grid.of(1, block), kernel, new IntArray(2 * block), threads);
    return assertThrows(type, () -> Emulator.builder().build().run(task));
  }

  @ParameterizedTest
  @MethodSource("collectives")
  void anotherNumberThanTheBlocksSize_isRefused(KernelTask.Kernel3<IntArray, Integer> kernel) {
    for (int threads : new int[] {32, 128}) {
      String message = refused(UnsupportedKernelException.class, kernel, 64, threads).getMessage();
      assertTrue(message.contains("threads=" + threads + " in a block of 64 threads"), message);
      assertTrue(message.contains("BlockSizeTest.java:") || message.contains(".block."), message);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {17, 48, 1})
  void shuffles_ofBlocksThatAreNotMadeOfWarps_areRefused(int threads) {
    LocalMemoryException e =
        refused(LocalMemoryException.class, BlockSizeTest::warpShuffle, threads, threads);
    assertTrue(e.getMessage().contains("negative size"), e.getMessage());
  }

  @Test
  void powerOfTwo_nextOne() {
    int expected = 1;
    for (int threads = 1; threads <= 2048; threads++) {
      expected = threads > expected ? 2 * expected : expected;
      assertEquals(expected, BlockReduce.powerOfTwo(threads));
    }
  }
}
