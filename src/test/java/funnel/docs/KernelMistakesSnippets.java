package funnel.docs;

import funnel.emulator.BarrierDivergenceException;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorException;
import funnel.emulator.EndlessKernelException;
import funnel.emulator.KernelBoundsException;
import funnel.emulator.KernelFailedException;
import funnel.emulator.LocalMemoryException;
import funnel.emulator.LocalRaceException;
import funnel.emulator.UnsupportedKernelException;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Kernels with mistakes, and what the emulator says about them. */
final class KernelMistakesSnippets {

  private KernelMistakesSnippets() {}

  // @start region="any"
  /** Where a kernel goes wrong, whatever the mistake. */
  static String verdict(KernelTask task) {
    try {
      Emulator.builder().detectRaces(true).build().run(task);
      return "no mistake found";
    } catch (EmulatorException e) {
      String mistake = e.getClass().getSimpleName();
      return "%s in group %s, thread %s".formatted(mistake, e.group(), e.thread());
      // such as KernelBoundsException in group 1, thread 3
    }
  }

  // @end

  // @start region="bounds"
  /** Lacks a guard: the last block has more threads than there are elements left. */
  static void negate(KernelContext context, IntArray x) {
    int i = context.globalIdx;
    x.set(i, -x.get(i));
  }

  static String negated(IntArray x) {
    try {
      Emulator.builder()
          .build()
          .run(KernelTask.of("negate", Grid.of(2, 4), KernelMistakesSnippets::negate, x));
      return "all inside";
    } catch (KernelBoundsException e) {
      return "index %s of %s elements".formatted(e.index(), e.size()); // index 7 of 7 elements
    }
  }

  // @end

  // @start region="divergence"
  /** Threads without an element return and never reach the barrier. */
  static void neighbours(KernelContext context, IntArray x, int threads) {
    int i = context.localIdx;
    int[] tile = context.allocateIntLocalArray(threads);
    if (i >= x.getSize()) {
      return;
    }
    tile[i] = x.get(i);
    context.localBarrier();
    x.set(i, i == 0 ? 0 : tile[i - 1]);
  }

  static String barriers(IntArray x) {
    try {
      Emulator.builder()
          .build()
          .run(
              KernelTask.of("neighbours", Grid.of(1, 8), KernelMistakesSnippets::neighbours, x, 8));
      return "all threads meet";
    } catch (BarrierDivergenceException e) {
      return switch (e.kind()) {
        case NOT_ALL_THREADS -> "a barrier that some threads never reach"; // for 7 elements
        case DIFFERENT_BARRIERS -> "threads wait at different barriers";
        case NOT_ALL_LANES -> "a shuffle that some lanes do not reach";
      };
    }
  }

  // @end

  // @start region="race"
  /** Reads its neighbour's element without a barrier after the writes. */
  static void previous(KernelContext context, IntArray x, int threads) {
    int i = context.localIdx;
    int[] tile = context.allocateIntLocalArray(threads);
    tile[i] = x.get(i);
    x.set(i, i == 0 ? 0 : tile[i - 1]);
  }

  static String race(IntArray x) {
    KernelTask task =
        KernelTask.of("previous", Grid.of(1, 4), KernelMistakesSnippets::previous, x, 4);
    try {
      Emulator.builder().detectRaces(true).build().run(task);
      return "no race";
    } catch (LocalRaceException e) {
      return "threads %s and %s meet at element %s"
          .formatted(e.otherThread(), e.thread(), e.index()); // threads 0 and 1 meet at element 0
    }
  }

  // @end

  // @start region="endless"
  /** Halves until 1 is left, which 0 never becomes. */
  static void halvings(KernelContext context, IntArray x) {
    int i = context.globalIdx;
    int count = 0;
    for (int rest = x.get(i); rest != 1; rest /= 2) {
      count++;
    }
    x.set(i, count);
  }

  static String steps(IntArray x) {
    KernelTask task = KernelTask.of("halvings", Grid.of(1, 4), KernelMistakesSnippets::halvings, x);
    try {
      Emulator.builder().maxSteps(1000).build().run(task);
      return "ended";
    } catch (EndlessKernelException e) {
      return "thread %s took more than %s steps".formatted(e.thread(), e.maxSteps());
      // for 8, 4, 0, 1: thread 2 took more than 1000 steps
    }
  }

  // @end

  // @start region="local-memory"
  /** A tile of {@code elements} doubles; a block has 48 KB. */
  static void tiled(KernelContext context, DoubleArray x, int elements) {
    double[] tile = context.allocateDoubleLocalArray(elements);
    tile[context.localIdx] = x.get(context.localIdx);
    x.set(context.localIdx, 2 * tile[context.localIdx]);
  }

  /** The largest tile of 2^k doubles that a block can have. */
  static int largestTile(DoubleArray x) {
    Emulator emulator = Emulator.builder().build();
    for (int elements = 1 << 16; ; elements /= 2) {
      try {
        emulator.run(
            KernelTask.of("tiled", Grid.of(1, 4), KernelMistakesSnippets::tiled, x, elements));
        return elements; // 4096, which are 32 KB
      } catch (LocalMemoryException _) {
        // its message has the bytes: try half as many
      }
    }
  }

  // @end

  // @start region="failed"
  /** Divides by each element, 0 or not. */
  static void shares(KernelContext context, IntArray x) {
    int i = context.globalIdx;
    x.set(i, 100 / x.get(i));
  }

  static String shared(IntArray x) {
    try {
      Emulator.builder()
          .build()
          .run(KernelTask.of("shares", Grid.of(1, 4), KernelMistakesSnippets::shares, x));
      return "nothing thrown";
    } catch (KernelFailedException e) {
      return "thread %s: %s".formatted(e.thread(), e.getCause());
      // for 5, 2, 0, 1: thread 2: java.lang.ArithmeticException: / by zero
    }
  }

  // @end

  // @start region="unsupported"
  static int factor = 3; // is not final

  static void scaled(KernelContext context, IntArray x) {
    x.set(context.globalIdx, factor * x.get(context.globalIdx));
  }

  static String emulated(IntArray x) {
    try {
      Emulator.builder()
          .build()
          .run(KernelTask.of("scaled", Grid.of(1, 4), KernelMistakesSnippets::scaled, x));
      return "emulated";
    } catch (UnsupportedKernelException e) {
      return e.getMessage(); // ... pass the value as an argument, or make the field final ...
    }
  }
  // @end
}
