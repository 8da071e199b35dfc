package funnel.histogram;

import funnel.block.BlockReduce;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Device form of histograms over samples of one type. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntHistogramKernels {

  /* Thread counters. Each of 64 threads has a byte for each of 256 counters: counter c is in byte c
   * / 64 of word (c % 64) * 64 + thread, so that a thread's words are all in one bank and a warp's
   * threads in 32. A tile has at most 248 samples per thread, so no byte wraps around. After it,
   * thread t sums the 64 threads' words of the counters t, 64 + t, 128 + t and 192 + t, even and
   * odd bytes separately, beginning with its own number, so that here too no two threads access the
   * same bank. Those sums stay in registers until the end. Samples that are not counted, in no bin
   * or of another pass, add 0, so that there is no branch. If samples in no bin are to be reported,
   * eight samples share one branch: they are rare, and would take three operations in ten.
   *
   * Passes are launched together, block by block in turn, so that all passes read a tile while it
   * is in the second-level cache, unless a check has found all of its samples in one counter.
   * Samples after the last whole round of eight are counted one by one, in a loop that full tiles
   * run zero times. Positions are below 2^31, and no loop counter passes it. Rounds are counted by
   * a number from the shape array: loops of constant length are unrolled, and need many registers.
   */

  private static final int PASS = HistogramShape.PASS;
  private static final int LANES = HistogramShape.COUNTING_THREADS;
  private static final int THREADS = HistogramShape.THREADS;
  private static final int ROUND = HistogramShape.ROUND;
  private static final int FEW = HistogramShape.FEW;

  private IntHistogramKernels() {}

  /** Add to a sample's counter; neighbouring threads take neighbouring samples. */
  static final int STRIDES = 0;

  /** Add to a sample's counter; each thread takes its own part of the samples. */
  static final int SECTIONS = 1;

  /** Write the number of a sample's counter, or that of all counters, instead of adding. */
  static final int NUMBERS = 2;

  /**
   * A sample's counter: {@code channel * bins + bin}. With {@code n} the number of all counters,
   * {@code n} for a sample below or not a key, {@code n + 1} above, {@code n + 2} NaN.
   */
  private static int number(
      int kind,
      int channels,
      int bins,
      int position,
      @Element int x,
      long low,
      long range,
      long factor,
      double from,
      double to,
      double scale,
      LongArray edges,
      DoubleArray limits,
      int top) {
    @Value int value = value(position, x);
    int bin =
        BinRule.number(kind, value, bins, low, range, factor, from, to, scale, edges, limits, top);
    int channel = channels == 3 ? position % 3 : position & (channels - 1);
    channel = bin < bins ? channel : channels - 1;
    return channel * bins + bin;
  }

  /** The value to bin: a sample, or in a copy with a user-defined function, its value. */
  private static @Value int value(int position, @Element int x) {
    return Placeholder.map(position, Scalars.value(x));
  }

  /** One in the field of ten bits for samples below, above or NaN, from the excess number. */
  private static int told(int over) {
    int one = 1 << (10 * (over & 3));
    return over > -1 ? one : 0;
  }

  /** The position of a sample that is not a key, else the largest int. */
  private static int wrong(int over, int position) {
    return over == 0 ? position : Integer.MAX_VALUE;
  }

  /** The first position of a sample that is not a key: an earlier one, or one of these four. */
  private static int first(
      int found, int total, int c0, int p0, int c1, int p1, int c2, int p2, int c3, int p3) {
    int first = Scalars.min(found, wrong(c0 - total, p0));
    first = Scalars.min(first, wrong(c1 - total, p1));
    first = Scalars.min(first, wrong(c2 - total, p2));
    return Scalars.min(first, wrong(c3 - total, p3));
  }

  /** The number to add to a word of counters: one in its counter's byte, or 0. */
  private static int increment(int counter, int first, int end) {
    return ((counter > first - 1 ? 1 : 0) & (counter < end ? 1 : 0)) << ((counter >> 3) & 24);
  }

  /* Long, since the code for eight samples is written out, and all of it shares a local array,
   * which TornadoVM cannot pass to another method.
   */

  /**
   * Counts without atomic additions, in {@link HistogramShape#passes} passes. Stores the count of
   * block {@code b} of a pass for counter {@code c} in {@code rows[c * blocks + b]}.
   */
  static void threadCounters(
      KernelContext context,
      IntArray shape,
      @Element IntArray samples,
      IntArray rows,
      IntArray tallies,
      IntArray alike,
      LongArray edges,
      DoubleArray limits,
      @AtLaunch int shapeAt,
      @AtLaunch int isLookedAt,
      int kind,
      int channels,
      int bins,
      long low,
      long range,
      long factor,
      double from,
      double to,
      double scale,
      @AtLaunch int blocks) {
    int thread = context.localIdx;
    int group = context.groupIdx;
    int areKeys = kind == BinRule.KEYS ? 1 : 0;
    int total = bins * channels;
    int passes = (total + PASS - 1) / PASS;
    int pass = group % passes;
    int block = group / passes;
    int first = pass * PASS;
    int end = Scalars.min(first + PASS, total);
    int offset = shape.get(shapeAt + HistogramShape.OFFSET);
    int length = shape.get(shapeAt + HistogramShape.LENGTH);
    int tiles = shape.get(shapeAt + HistogramShape.TILES);
    int rounds = shape.get(shapeAt + HistogramShape.ROUNDS);
    int top = shape.get(shapeAt + HistogramShape.TOP);
    int[] counters = context.allocateIntLocalArray(LANES * LANES);
    for (int i = 0; i < LANES; i++) {
      counters[i * LANES + thread] = 0;
    }
    int s0 = 0;
    int s1 = 0;
    int s2 = 0;
    int s3 = 0;
    int below = 0;
    int above = 0;
    int nan = 0;
    int wrong = Integer.MAX_VALUE;
    for (int tile = block; tile < tiles; tile += blocks) {
      int start = tile * (rounds * (ROUND * LANES));
      int size = Scalars.min(length - start, rounds * (ROUND * LANES));
      int counted = isLookedAt == 1 ? alike.get(tile) : -1;
      int items = counted < 0 ? size : 0;
      int told = 0;
      int fullRounds = items / (ROUND * LANES);
      for (int r = 0; r < fullRounds; r++) {
        int p0 = start + r * (ROUND * LANES) + thread;
        @Element int x0 = samples.get(offset + p0);
        @Element int x1 = samples.get(offset + p0 + LANES);
        @Element int x2 = samples.get(offset + p0 + 2 * LANES);
        @Element int x3 = samples.get(offset + p0 + 3 * LANES);
        @Element int x4 = samples.get(offset + p0 + 4 * LANES);
        @Element int x5 = samples.get(offset + p0 + 5 * LANES);
        @Element int x6 = samples.get(offset + p0 + 6 * LANES);
        @Element int x7 = samples.get(offset + p0 + 7 * LANES);
        int p1 = p0 + LANES;
        int p2 = p0 + 2 * LANES;
        int p3 = p0 + 3 * LANES;
        int p4 = p0 + 4 * LANES;
        int p5 = p0 + 5 * LANES;
        int p6 = p0 + 6 * LANES;
        int p7 = p0 + 7 * LANES;
        int c0 =
            number(
                kind, channels, bins, p0, x0, low, range, factor, from, to, scale, edges, limits,
                top);
        int c1 =
            number(
                kind, channels, bins, p1, x1, low, range, factor, from, to, scale, edges, limits,
                top);
        int c2 =
            number(
                kind, channels, bins, p2, x2, low, range, factor, from, to, scale, edges, limits,
                top);
        int c3 =
            number(
                kind, channels, bins, p3, x3, low, range, factor, from, to, scale, edges, limits,
                top);
        int c4 =
            number(
                kind, channels, bins, p4, x4, low, range, factor, from, to, scale, edges, limits,
                top);
        int c5 =
            number(
                kind, channels, bins, p5, x5, low, range, factor, from, to, scale, edges, limits,
                top);
        int c6 =
            number(
                kind, channels, bins, p6, x6, low, range, factor, from, to, scale, edges, limits,
                top);
        int c7 =
            number(
                kind, channels, bins, p7, x7, low, range, factor, from, to, scale, edges, limits,
                top);
        int w0 = (c0 & (LANES - 1)) * LANES + thread;
        counters[w0] = counters[w0] + increment(c0, first, end);
        int w1 = (c1 & (LANES - 1)) * LANES + thread;
        counters[w1] = counters[w1] + increment(c1, first, end);
        int w2 = (c2 & (LANES - 1)) * LANES + thread;
        counters[w2] = counters[w2] + increment(c2, first, end);
        int w3 = (c3 & (LANES - 1)) * LANES + thread;
        counters[w3] = counters[w3] + increment(c3, first, end);
        int w4 = (c4 & (LANES - 1)) * LANES + thread;
        counters[w4] = counters[w4] + increment(c4, first, end);
        int w5 = (c5 & (LANES - 1)) * LANES + thread;
        counters[w5] = counters[w5] + increment(c5, first, end);
        int w6 = (c6 & (LANES - 1)) * LANES + thread;
        counters[w6] = counters[w6] + increment(c6, first, end);
        int w7 = (c7 & (LANES - 1)) * LANES + thread;
        counters[w7] = counters[w7] + increment(c7, first, end);
        int most03 = Scalars.max(Scalars.max(c0, c1), Scalars.max(c2, c3));
        int most47 = Scalars.max(Scalars.max(c4, c5), Scalars.max(c6, c7));
        if (Scalars.max(most03, most47) > total - 1) {
          if (areKeys == 0) {
            told = told + told(c0 - total) + told(c1 - total) + told(c2 - total) + told(c3 - total);
            told = told + told(c4 - total) + told(c5 - total) + told(c6 - total) + told(c7 - total);
          }
          if (areKeys == 1) {
            wrong = first(wrong, total, c0, p0, c1, p1, c2, p2, c3, p3);
            wrong = first(wrong, total, c4, p4, c5, p5, c6, p6, c7, p7);
          }
        }
      }
      for (int item = fullRounds * (ROUND * LANES) + thread; item < items; item += LANES) {
        int p = start + item;
        @Element int x = samples.get(offset + p);
        int c =
            number(
                kind, channels, bins, p, x, low, range, factor, from, to, scale, edges, limits,
                top);
        int w = (c & (LANES - 1)) * LANES + thread;
        counters[w] = counters[w] + increment(c, first, end);
        if (areKeys == 0) {
          told = told + told(c - total);
        }
        if (areKeys == 1) {
          wrong = Scalars.min(wrong, wrong(c - total, p));
        }
      }
      below = below + (told & 1023);
      above = above + ((told >> 10) & 1023);
      nan = nan + ((told >> 20) & 1023);
      context.localBarrier();
      int even = 0;
      int odd = 0;
      if (counted < 0) {
        for (int u = 0; u < LANES; u++) {
          int at = thread * LANES + ((u + thread) & (LANES - 1));
          int four = counters[at];
          counters[at] = 0;
          even = even + (four & 0x00ff00ff);
          odd = odd + ((four >> 8) & 0x00ff00ff);
        }
      }
      s0 = s0 + (even & 0xffff);
      s1 = s1 + (odd & 0xffff);
      s2 = s2 + ((even >> 16) & 0xffff);
      s3 = s3 + ((odd >> 16) & 0xffff);
      if (isLookedAt == 1) {
        int mine = counted - first - thread;
        s0 = s0 + (mine == 0 ? size : 0);
        s1 = s1 + (mine == LANES ? size : 0);
        s2 = s2 + (mine == 2 * LANES ? size : 0);
        s3 = s3 + (mine == 3 * LANES ? size : 0);
      }
      context.localBarrier();
    }
    int row = first + thread;
    if (row < total) {
      rows.set(row * blocks + block, s0);
    }
    if (row + LANES < total) {
      rows.set((row + LANES) * blocks + block, s1);
    }
    if (row + 2 * LANES < total) {
      rows.set((row + 2 * LANES) * blocks + block, s2);
    }
    if (row + 3 * LANES < total) {
      rows.set((row + 3 * LANES) * blocks + block, s3);
    }
    counters[thread] = below;
    counters[LANES + thread] = above;
    counters[2 * LANES + thread] = nan;
    counters[3 * LANES + thread] = wrong;
    context.localBarrier();
    int sum = 0;
    int least = Integer.MAX_VALUE;
    for (int u = 0; u < LANES; u++) {
      int value = counters[(thread & 3) * LANES + u];
      sum = sum + value;
      least = Scalars.min(least, value);
    }
    if (thread < 4 & pass == 0) {
      tallies.set(thread * blocks + block, thread == 3 ? least : sum);
      if (thread == 3 & areKeys == 1 & least < Integer.MAX_VALUE) {
        long key = (long) value(least, samples.get(offset + least));
        tallies.set(4 * blocks + block, (int) (key >> 32));
        tallies.set(5 * blocks + block, (int) key);
      }
    }
  }

  /** Adds to a sample's counter, or writes the counter's number. */
  private static void put(
      KernelContext context, IntArray into, int use, int at, int counter, int total) {
    if (use == NUMBERS) {
      into.set(at, Scalars.min(counter, total));
    }
    if (use != NUMBERS & counter < total) {
      context.atomicAdd(into, counter, 1);
    }
  }

  /** Stores a block's reports on samples in no bin. */
  private static void tell(
      KernelContext context,
      @Element IntArray samples,
      IntArray tallies,
      int thread,
      int block,
      int offset,
      @AtLaunch int blocks,
      int areKeys,
      int below,
      int above,
      int nan,
      int wrong) {
    if (areKeys == 0) {
      below = BlockReduce.sum(context, thread, THREADS, below);
      above = BlockReduce.sum(context, thread, THREADS, above);
      nan = BlockReduce.sum(context, thread, THREADS, nan);
    }
    if (areKeys == 1) {
      wrong = BlockReduce.min(context, thread, THREADS, wrong);
    }
    if (thread == 0) {
      tallies.set(block, below);
      tallies.set(blocks + block, above);
      tallies.set(2 * blocks + block, nan);
      tallies.set(3 * blocks + block, wrong);
      if (areKeys == 1 & wrong < Integer.MAX_VALUE) {
        long key = (long) value(wrong, samples.get(offset + wrong));
        tallies.set(4 * blocks + block, (int) (key >> 32));
        tallies.set(5 * blocks + block, (int) key);
      }
    }
  }

  /** Adds to the counters in global memory, or writes each sample's number. */
  static void oneByOne(
      KernelContext context,
      IntArray shape,
      @Element IntArray samples,
      IntArray into,
      IntArray tallies,
      LongArray edges,
      DoubleArray limits,
      @AtLaunch int shapeAt,
      int kind,
      int channels,
      int use,
      int bins,
      long low,
      long range,
      long factor,
      double from,
      double to,
      double scale,
      @AtLaunch int blocks) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int areKeys = kind == BinRule.KEYS ? 1 : 0;
    int total = bins * channels;
    int offset = shape.get(shapeAt + HistogramShape.OFFSET);
    int length = shape.get(shapeAt + HistogramShape.LENGTH);
    int outputAt = shape.get(shapeAt + HistogramShape.OUTPUT);
    int top = shape.get(shapeAt + HistogramShape.TOP);
    int number = block * THREADS + thread;
    int start = number;
    int step = blocks * THREADS;
    int count = shape.get(shapeAt + HistogramShape.PER_THREAD);
    count = count + (number < shape.get(shapeAt + HistogramShape.ONE_MORE) ? 1 : 0);
    if (use == SECTIONS) {
      int part = shape.get(shapeAt + HistogramShape.PART);
      int whole = shape.get(shapeAt + HistogramShape.WHOLE_PARTS);
      start = Scalars.min(number, whole) * part;
      step = 1;
      count = number < whole ? part : 0;
      count = number == whole ? length - start : count;
    }
    int below = 0;
    int above = 0;
    int nan = 0;
    int wrong = Integer.MAX_VALUE;
    int whole = count - (count & (FEW - 1));
    for (int i = 0; i < whole; i += FEW) {
      int p0 = start + i * step;
      int p1 = p0 + step;
      int p2 = p1 + step;
      int p3 = p2 + step;
      @Element int x0 = samples.get(offset + p0);
      @Element int x1 = samples.get(offset + p1);
      @Element int x2 = samples.get(offset + p2);
      @Element int x3 = samples.get(offset + p3);
      int c0 =
          number(
              kind, channels, bins, p0, x0, low, range, factor, from, to, scale, edges, limits,
              top);
      int c1 =
          number(
              kind, channels, bins, p1, x1, low, range, factor, from, to, scale, edges, limits,
              top);
      int c2 =
          number(
              kind, channels, bins, p2, x2, low, range, factor, from, to, scale, edges, limits,
              top);
      int c3 =
          number(
              kind, channels, bins, p3, x3, low, range, factor, from, to, scale, edges, limits,
              top);
      put(context, into, use, outputAt + p0, c0, total);
      put(context, into, use, outputAt + p1, c1, total);
      put(context, into, use, outputAt + p2, c2, total);
      put(context, into, use, outputAt + p3, c3, total);
      if (areKeys == 0) {
        int told = told(c0 - total) + told(c1 - total) + told(c2 - total) + told(c3 - total);
        below = below + (told & 1023);
        above = above + ((told >> 10) & 1023);
        nan = nan + ((told >> 20) & 1023);
      }
      if (areKeys == 1) {
        wrong = first(wrong, total, c0, p0, c1, p1, c2, p2, c3, p3);
      }
    }
    for (int i = whole; i < count; i++) {
      int p = start + i * step;
      @Element int x = samples.get(offset + p);
      int c =
          number(
              kind, channels, bins, p, x, low, range, factor, from, to, scale, edges, limits, top);
      put(context, into, use, outputAt + p, c, total);
      if (areKeys == 0) {
        int told = told(c - total);
        below = below + (told & 1023);
        above = above + ((told >> 10) & 1023);
        nan = nan + ((told >> 20) & 1023);
      }
      if (areKeys == 1) {
        wrong = Scalars.min(wrong, wrong(c - total, p));
      }
    }
    tell(
        context, samples, tallies, thread, block, offset, blocks, areKeys, below, above, nan,
        wrong);
  }

  /** Adds to the block's own counters, and then these to the counters. */
  static void addInBlock(
      KernelContext context,
      IntArray shape,
      @Element IntArray samples,
      IntArray counts,
      IntArray tallies,
      LongArray edges,
      DoubleArray limits,
      @AtLaunch int shapeAt,
      int kind,
      int channels,
      int bins,
      long low,
      long range,
      long factor,
      double from,
      double to,
      double scale,
      @AtLaunch int blocks) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int areKeys = kind == BinRule.KEYS ? 1 : 0;
    int total = bins * channels;
    int offset = shape.get(shapeAt + HistogramShape.OFFSET);
    int top = shape.get(shapeAt + HistogramShape.TOP);
    int number = block * THREADS + thread;
    int start = number;
    int step = blocks * THREADS;
    int count = shape.get(shapeAt + HistogramShape.PER_THREAD);
    count = count + (number < shape.get(shapeAt + HistogramShape.ONE_MORE) ? 1 : 0);
    int[] own = context.allocateIntLocalArray(total);
    for (int c = thread; c < total; c += THREADS) {
      own[c] = 0;
    }
    int below = 0;
    int above = 0;
    int nan = 0;
    int wrong = Integer.MAX_VALUE;
    context.localBarrier();
    int whole = count - (count & (FEW - 1));
    for (int i = 0; i < whole; i += FEW) {
      int p0 = start + i * step;
      int p1 = p0 + step;
      int p2 = p1 + step;
      int p3 = p2 + step;
      @Element int x0 = samples.get(offset + p0);
      @Element int x1 = samples.get(offset + p1);
      @Element int x2 = samples.get(offset + p2);
      @Element int x3 = samples.get(offset + p3);
      int c0 =
          number(
              kind, channels, bins, p0, x0, low, range, factor, from, to, scale, edges, limits,
              top);
      int c1 =
          number(
              kind, channels, bins, p1, x1, low, range, factor, from, to, scale, edges, limits,
              top);
      int c2 =
          number(
              kind, channels, bins, p2, x2, low, range, factor, from, to, scale, edges, limits,
              top);
      int c3 =
          number(
              kind, channels, bins, p3, x3, low, range, factor, from, to, scale, edges, limits,
              top);
      if (c0 < total) {
        context.atomicAdd(own, c0, 1);
      }
      if (c1 < total) {
        context.atomicAdd(own, c1, 1);
      }
      if (c2 < total) {
        context.atomicAdd(own, c2, 1);
      }
      if (c3 < total) {
        context.atomicAdd(own, c3, 1);
      }
      if (areKeys == 0) {
        int told = told(c0 - total) + told(c1 - total) + told(c2 - total) + told(c3 - total);
        below = below + (told & 1023);
        above = above + ((told >> 10) & 1023);
        nan = nan + ((told >> 20) & 1023);
      }
      if (areKeys == 1) {
        wrong = first(wrong, total, c0, p0, c1, p1, c2, p2, c3, p3);
      }
    }
    for (int i = whole; i < count; i++) {
      int p = start + i * step;
      @Element int x = samples.get(offset + p);
      int c =
          number(
              kind, channels, bins, p, x, low, range, factor, from, to, scale, edges, limits, top);
      if (c < total) {
        context.atomicAdd(own, c, 1);
      }
      if (areKeys == 0) {
        int told = told(c - total);
        below = below + (told & 1023);
        above = above + ((told >> 10) & 1023);
        nan = nan + ((told >> 20) & 1023);
      }
      if (areKeys == 1) {
        wrong = Scalars.min(wrong, wrong(c - total, p));
      }
    }
    context.localBarrier();
    for (int c = thread; c < total; c += THREADS) {
      int counted = own[c];
      if (counted > 0) {
        context.atomicAdd(counts, c, counted);
      }
    }
    tell(
        context, samples, tallies, thread, block, offset, blocks, areKeys, below, above, nan,
        wrong);
  }
}
