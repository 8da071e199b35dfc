package funnel.suite;

import static funnel.suite.Trials.capability;
import static funnel.suite.Trials.dangerous;
import static funnel.suite.Trials.doubles;
import static funnel.suite.Trials.floats;
import static funnel.suite.Trials.ints;
import static funnel.suite.Trials.longs;
import static funnel.suite.Trials.reliedOn;

import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.suite.ExchangeRules.Tickets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Rules on atomics under contention. */
final class AtomicRules {

  /* Enough blocks for all multiprocessors, and all threads add to one element. The sums are below
   * 2^24, so that floats represent them exactly in any order.
   */

  private static final int THREADS = 256;
  private static final Grid GRID = Grid.of(64, THREADS);
  private static final int N = GRID.blocks() * THREADS;
  private static final int TIMES = 8;
  private static final int LARGEST = 128;

  private AtomicRules() {}

  static List<JitRule> all() {
    return List.of(
        reliedOn(
            "atomic-add-int-to-one-element",
            "no update is lost when all threads of all blocks add to one element",
            () -> {
              int[] values = Trials.randomInts(N);
              return adding(
                  AtomicKernels::addIntsToOne,
                  ints(values),
                  Expected.ints(new int[1], new int[] {TIMES * IntStream.of(values).sum()}));
            }),
        reliedOn(
            "atomic-add-long-to-one-element",
            "no update is lost when all threads of all blocks add to one element",
            () -> {
              long[] values = Trials.randomLongs(N);
              return adding(
                  AtomicKernels::addLongsToOne,
                  longs(values),
                  Expected.longs(new long[1], new long[] {TIMES * LongStream.of(values).sum()}));
            }),
        capability(
            "atomic-add-float-to-one-element",
            "no update is lost when all threads of all blocks add to one element",
            () -> {
              int[] values = Trials.randomInts(N, LARGEST);
              Expected<FloatArray> sum =
                  Expected.floats(
                      new float[1], new float[] {(float) TIMES * IntStream.of(values).sum()});
              return adding(AtomicKernels::addFloatsToOne, floats(floats(N, i -> values[i])), sum);
            }),
        capability(
            "atomic-add-double-to-one-element",
            "no update is lost when all threads of all blocks add to one element",
            () -> {
              double[] values = doubles(N, i -> i % LARGEST + 0.5);
              Expected<DoubleArray> sum =
                  Expected.doubles(
                      new double[1], new double[] {TIMES * DoubleStream.of(values).sum()});
              return adding(AtomicKernels::addDoublesToOne, doubles(values), sum);
            }),
        dangerous(
            "atomic-add-local",
            "no update of a local array is lost, nor does it go to another element",
            () -> {
              // every other value is the same
              int[] random = Trials.randomInts(N * TIMES, THREADS);
              int[] values = ints(random.length, i -> i % 2 == 0 ? THREADS - 1 : random[i]);
              int[] counts = new int[N];
              for (int i = 0; i < values.length; i++) {
                counts[i / (TIMES * THREADS) * THREADS + values[i]]++;
              }
              Expected<IntArray> out = Expected.ints(counts);
              return JitTrial.of(
                  KernelTask.of(
                      "block",
                      GRID,
                      AtomicKernels::addLocally,
                      ints(values),
                      out.array(),
                      THREADS,
                      TIMES),
                  out);
            }),
        capability(
            "ticket-contended",
            "AtomicInteger.getAndIncrement gives each of very many threads a number of its own",
            () -> drawing(ExchangeKernels::ticket)),
        capability(
            "ticket-increment-and-get",
            "AtomicInteger.incrementAndGet gives each thread a number of its own",
            () -> drawing(AtomicKernels::incremented)),
        capability(
            "ticket-counted-down",
            "AtomicInteger.getAndDecrement gives each thread a number of its own",
            () -> drawing(AtomicKernels::countedDown)),
        capability(
            "ticket-get-and-add",
            "AtomicInteger.getAndAdd gives each thread a number of its own",
            () -> drawing(AtomicKernels::drawnByTwos)));
  }

  private static <A extends TornadoNativeArray> JitTrial adding(
      KernelTask.Kernel4<A, A, Integer> kernel, A values, Expected<A> sum) {
    return JitTrial.of(KernelTask.of("add", GRID, kernel, values, sum.array(), TIMES), sum);
  }

  private static JitTrial drawing(KernelTask.Kernel3<AtomicInteger, IntArray> kernel) {
    Tickets out = new Tickets(ints(ints(N, i -> -1)), 1);
    return JitTrial.of(KernelTask.of("draw", GRID, kernel, new AtomicInteger(), out.array()), out);
  }
}
