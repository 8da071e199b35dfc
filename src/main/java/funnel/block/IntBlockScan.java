package funnel.block;

import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.BlockSize;
import funnel.kernel.Scalars;
import funnel.operator.ElementType;
import funnel.operator.OperatorCode;
import uk.ac.manchester.tornado.api.KernelContext;

/** {@link BlockScan} over one element type. */
@Twins({"Long", "Float", "Double"})
final class IntBlockScan {

  /* The form for use has two levels and two barriers. The threads are divided into groups of
   * neighbours, 16 per group in blocks of up to 256. The values go to local memory. One thread per
   * group scans the group's values there, serially and in place, and stores the group's total after
   * them. Then every thread serially combines the totals of the groups before its own. All threads
   * of a warp read the same word, so this costs no more than letting one thread do it, and saves a
   * barrier. Each level has about sqrt(threads) steps; therefore larger blocks have groups of 32.
   *
   * The place of the total between two groups is also the padding: the scanning threads are 17 (or
   * 33) words apart, an odd number, so no two of a warp access the same bank.
   *
   * The loop over the groups has the same bounds in all threads, and its loads are outside its
   * condition, so that it can be unrolled with all loads in flight.
   *
   * If not all groups are full, the last one is padded with identities: one loop handles all
   * groups, without a guard. The condition is a constant, so it generates no code if they are full.
   *
   * The identity passes through a selection that no compiler can decide: TornadoVM generates
   * invalid code for a double infinity as an operand, such as the identity of min in `identity min
   * value`.
   *
   * hillisSteele and blelloch are the textbooks' scans, for comparison. Their number of barriers is
   * proportional to log2(threads). The first is double buffered: it alternates between two halves
   * of one array, since TornadoVM cannot choose between two local arrays. The second pads each 32
   * words by one; the strides of the tree are powers of two, which would all be in a few banks.
   *
   * A method may return a local array that it allocates, but not take one: TornadoVM computes wrong
   * addresses for a local array that is an argument. An element that another thread wrote is read
   * at a non-constant index, in the method where it is written.
   */

  private static final ElementType ELEMENT = ElementType.INT;
  private static final boolean WIDE = ELEMENT.bytes() > 4;

  private IntBlockScan() {}

  /** Threads of a group. */
  private static int group(int threads) {
    return threads > 256 ? 32 : Scalars.min(threads, 16);
  }

  /** Groups of the block; the last one may have fewer threads. */
  private static int groups(int threads) {
    return (threads + group(threads) - 1) / group(threads);
  }

  /**
   * Unrolled steps of a loop: all of them if blocks are small and values narrow, four if values are
   * wide, one in large blocks and if the number is not a multiple of four. The ptx backend would
   * launch a kernel that needs too many registers for 1024 threads with fewer threads, which would
   * give wrong results.
   */
  private static int unrolled(int steps, int threads) {
    int most = Scalars.min(steps, threads > 256 ? 1 : WIDE ? 4 : steps);
    return steps % most == 0 ? most : 1;
  }

  /**
   * The number of rounds of {@code steps} steps; if there are several, a number unknown to the
   * compiler, which would unroll the loop.
   */
  private static int rounds(int steps, int thread, int threads) {
    int unrolled = unrolled(steps, threads);
    return steps > unrolled ? steps / unrolled + thread / threads : 1;
  }

  /** Each group's exclusive scan at {@code thread + thread / group}, followed by its total. */
  private static @Element int[] scanGroups(
      KernelContext context,
      int operator,
      int thread,
      int threads,
      @Element int value,
      @Element int start) {
    int group = group(threads);
    int groups = groups(threads);
    int missing = groups * group - threads;
    BlockSize.require(threads);
    @Element int[] scratch = context.allocateIntLocalArray(threads + missing + groups);
    scratch[thread + thread / group] = value;
    if (missing > 0) {
      if (thread < missing) {
        scratch[threads + thread + groups - 1] = start;
      }
    }
    context.localBarrier();
    if (thread < groups) {
      int first = thread * (group + 1);
      @Element int running = start;
      for (int r = 0; r < rounds(group, thread, threads); r++) {
        for (int s = 0; s < unrolled(group, threads); s++) {
          int k = r * unrolled(group, threads) + s;
          @Element int next = scratch[first + k];
          scratch[first + k] = running;
          running = Combine.apply(operator, running, next);
        }
      }
      scratch[first + group] = running;
    }
    context.localBarrier();
    return scratch;
  }

  static @Element int exclusive(
      KernelContext context,
      int operator,
      int thread,
      int threads,
      @Element int value,
      @Element int identity) {
    int group = group(threads);
    int groups = groups(threads);
    int mine = thread / group;
    @Element int start = thread < threads ? identity : value;
    @Element int[] scratch = scanGroups(context, operator, thread, threads, value, start);
    @Element int before = start;
    for (int r = 0; r < rounds(groups, thread, threads); r++) {
      for (int s = 0; s < unrolled(groups, threads); s++) {
        int i = r * unrolled(groups, threads) + s;
        @Element int total = scratch[i * (group + 1) + group];
        if (i < mine) {
          before = Combine.apply(operator, before, total);
        }
      }
    }
    return Combine.apply(operator, before, scratch[thread + mine]);
  }

  static @Element int total(
      KernelContext context,
      int operator,
      int thread,
      int threads,
      @Element int value,
      @Element int identity) {
    int group = group(threads);
    int groups = groups(threads);
    @Element int start = thread < threads ? identity : value;
    @Element int[] scratch = scanGroups(context, operator, thread, threads, value, start);
    @Element int running = start;
    for (int r = 0; r < rounds(groups, thread, threads); r++) {
      for (int s = 0; s < unrolled(groups, threads); s++) {
        int i = r * unrolled(groups, threads) + s;
        running =
            Combine.apply(operator, running, scratch[i * (group + 1) + group + thread / threads]);
      }
    }
    return running;
  }

  static @Element int inclusive(
      KernelContext context,
      int operator,
      int thread,
      int threads,
      @Element int value,
      @Element int identity) {
    @Element int before = exclusive(context, operator, thread, threads, value, identity);
    return Combine.apply(operator, before, value);
  }

  static @Element int[] prefixes(
      KernelContext context,
      int operator,
      int thread,
      int threads,
      @Element int value,
      @Element int identity) {
    int group = group(threads);
    int groups = groups(threads);
    int mine = thread / group;
    @Element int start = thread < threads ? identity : value;
    @Element int[] scratch = scanGroups(context, operator, thread, threads, value, start);
    @Element int[] prefixes = context.allocateIntLocalArray(threads + 1);
    @Element int before = start;
    @Element int running = start;
    for (int r = 0; r < rounds(groups, thread, threads); r++) {
      for (int s = 0; s < unrolled(groups, threads); s++) {
        int i = r * unrolled(groups, threads) + s;
        before = i == mine ? running : before;
        running = Combine.apply(operator, running, scratch[i * (group + 1) + group]);
      }
    }
    prefixes[thread] = Combine.apply(operator, before, scratch[thread + mine]);
    if (thread == threads - 1) {
      prefixes[thread + 1] = running;
    }
    context.localBarrier();
    return prefixes;
  }

  static @Element int inclusiveSum(
      KernelContext context, int thread, int threads, @Element int value) {
    return inclusive(context, OperatorCode.SUM, thread, threads, value, 0);
  }

  static @Element int exclusiveSum(
      KernelContext context, int thread, int threads, @Element int value) {
    return exclusive(context, OperatorCode.SUM, thread, threads, value, 0);
  }

  static @Element int[] prefixSums(
      KernelContext context, int thread, int threads, @Element int value) {
    return prefixes(context, OperatorCode.SUM, thread, threads, value, 0);
  }

  static @Element int hillisSteele(
      KernelContext context, int operator, int thread, int threads, @Element int value) {
    BlockSize.require(threads);
    @Element int[] scratch = context.allocateIntLocalArray(2 * threads);
    @Element int running = value;
    int half = 0;
    scratch[thread] = running;
    context.localBarrier();
    for (int distance = 1; distance < threads; distance = distance * 2) {
      if (thread - distance > -1) {
        running = Combine.apply(operator, scratch[half + thread - distance], running);
      }
      half = threads - half;
      scratch[half + thread] = running;
      context.localBarrier();
    }
    return running;
  }

  private static int padded(int place) {
    return place + place / 32;
  }

  static @Element int blelloch(
      KernelContext context,
      int operator,
      int thread,
      int threads,
      @Element int value,
      @Element int identity) {
    @Element int start = thread < threads ? identity : value;
    int whole = BlockReduce.powerOfTwo(threads);
    int missing = whole - threads;
    BlockSize.require(threads);
    @Element int[] scratch = context.allocateIntLocalArray(padded(whole));
    scratch[padded(thread)] = value;
    if (missing > 0) {
      if (thread < missing) {
        scratch[padded(threads + thread)] = start;
      }
    }
    context.localBarrier();
    for (int stride = 1; stride < whole; stride = stride * 2) {
      int right = 2 * stride * (thread + 1) - 1;
      if (right < whole) {
        scratch[padded(right)] =
            Combine.apply(operator, scratch[padded(right - stride)], scratch[padded(right)]);
      }
      context.localBarrier();
    }
    if (thread == threads - 1) {
      scratch[padded(thread + missing)] = start;
    }
    context.localBarrier();
    for (int stride = whole / 2; stride > 0; stride = stride / 2) {
      int right = 2 * stride * (thread + 1) - 1;
      if (right < whole) {
        @Element int before = scratch[padded(right)];
        @Element int sum = scratch[padded(right - stride)];
        scratch[padded(right - stride)] = before;
        scratch[padded(right)] = Combine.apply(operator, before, sum);
      }
      context.localBarrier();
    }
    return Combine.apply(operator, scratch[padded(thread)], value);
  }
}
