package funnel.scan;

import funnel.block.BlockReduce;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Device form of {@link SegmentBitsStep}: makes bits, and checks offsets. */
final class SegmentBitsKernels {

  /* For offsets, one launch clears all bits but the first, and the next sets them by atomic
   * additions. Of equal offsets, which are empty segments, only the last one adds, so that no bit
   * is added to itself. A thread that finds a wrong offset leaves a mark in place 0 of the flags;
   * the scan then writes nothing, and the last launch finds the first wrong offset for the message.
   *
   * For bytes and keys, threads also read elements of others: a thread's result, a bit for each of
   * 32 elements, passes through local memory as a single int.
   */

  /** Elements between two counts of earlier segments, for a reduction of segments. */
  static final int GRAIN = 4096;

  private static final int THREADS = SegmentedTree.THREADS;

  /** Offsets per thread that marks: a grid with a thread for each would be too large to launch. */
  private static final int MARKED = 2;

  private SegmentBitsKernels() {}

  /** Blocks with a thread for each int of the bits of {@code capacity} elements. */
  static int blocksOfWords(int capacity) {
    return Math.max(1, Math.ceilDiv(words(capacity), THREADS));
  }

  /** Blocks that mark {@code mostOffsets} offsets. */
  static int markingBlocks(int mostOffsets) {
    return Math.max(1, Math.ceilDiv(mostOffsets, MARKED * THREADS));
  }

  /** Ints of bits for {@code length} elements. */
  static int words(int length) {
    return Math.ceilDiv(length, Integer.SIZE);
  }

  static void clear(
      KernelContext context, IntArray shape, IntArray bits, IntArray flags, @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt + SegmentedTree.LENGTH_AT);
    int word = block * THREADS + thread;
    int words = length / 32 + ((length & 31) > 0 ? 1 : 0);
    if (word < words) {
      bits.set(word, word == 0 ? 1 : 0);
    }
    if (word == 0) {
      flags.set(0, 0);
    }
  }

  static void mark(
      KernelContext context,
      IntArray shape,
      IntArray offsets,
      IntArray bits,
      IntArray flags,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt + SegmentedTree.LENGTH_AT);
    int from = shape.get(shapeAt + SegmentedTree.SEGMENTS_FROM_AT);
    int count = shape.get(shapeAt + SegmentedTree.OFFSETS_AT);
    int strict = shape.get(shapeAt + SegmentedTree.STRICTNESS_AT);
    int hasEnd = strict > 1 ? 1 : 0;
    int all = count + hasEnd;
    for (int k = 0; k < MARKED; k++) {
      int j = (block * MARKED + k) * THREADS + thread;
      if (j < all) {
        int offset = offsets.get(from + j);
        int next = offsets.get(from + Scalars.min(j, all - 2) + 1);
        int last = j == all - 1 ? 1 : 0;
        next = last == 1 ? offset : next;
        int wrong = (offset < 0 ? 1 : 0) | (next < offset ? 1 : 0);
        wrong = wrong | (strict & (offset > length ? 1 : 0));
        wrong = wrong | (hasEnd & last & (offset < length ? 1 : 0));
        if (wrong == 1) {
          flags.set(0, 1);
        }
        int another = last | (next > offset ? 1 : 0);
        if (wrong == 0 & another == 1 & offset > 0 & offset < length) {
          int word = offset / 32;
          int bit = 1 << (offset & 31);
          context.atomicAdd(bits, word, bit);
        }
      }
    }
  }

  /** Numbers of the segments that begin before each {@link #GRAIN} elements. */
  static void search(
      KernelContext context,
      IntArray shape,
      IntArray starts,
      IntArray numbers,
      IntArray flags,
      @AtLaunch int shapeAt) {
    int number = context.groupIdx * THREADS + context.localIdx;
    int length = shape.get(shapeAt + SegmentedTree.LENGTH_AT);
    int count = shape.get(shapeAt + SegmentedTree.OFFSETS_AT);
    int last = length / GRAIN + 1;
    if (number <= last) {
      int from = count > 0 ? shape.get(shapeAt + SegmentedTree.SEGMENTS_FROM_AT) : 0;
      int place = number * (number < last ? GRAIN : 0) - 1;
      int wanted = number < last ? place : Integer.MAX_VALUE;
      numbers.set(number, IntToIntSegmentReductionKernels.upTo(starts, from, 0, count, wanted));
    }
    if (number == 0) {
      flags.set(0, 0);
    }
  }

  /** Makes bits from heads, keys or bits: a thread per int. */
  static void pack(
      KernelContext context,
      IntArray shape,
      ByteArray bytes,
      IntArray ints,
      LongArray longs,
      IntArray bits,
      IntArray done,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt,
      int segments) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt + SegmentedTree.LENGTH_AT);
    int from = shape.get(shapeAt + SegmentedTree.SEGMENTS_FROM_AT);
    int one = shape.get(shapeAt + SegmentedTree.ONE_AT);
    int first = block * THREADS * HeadBits.ITEMS;
    if (first < length) {
      int word = block * THREADS + thread;
      int words = length / 32 + ((length & 31) > 0 ? 1 : 0);
      int packed = 0;
      if (segments == HeadBits.HEAD_BITS) {
        packed = ints.get(from + Scalars.min(word, words - 1));
      }
      if (segments != HeadBits.HEAD_BITS) {
        int[] marks = context.allocateIntLocalArray(THREADS + THREADS / 32);
        marks[thread + thread / 32] =
            HeadBits.found(bytes, ints, longs, segments, from, first, length, thread, one);
        context.localBarrier();
        int width = HeadBits.width(segments);
        int units = HeadBits.ITEMS / width;
        int unit = thread * units;
        int at = unit & (THREADS - 1);
        int shift = unit / THREADS * width;
        for (int u = 0; u < units; u++) {
          int few = (marks[at + at / 32 + u] >> shift) & ((1 << width) - 1);
          packed = packed | (few << (u * width));
        }
      }
      int there = Scalars.max(Scalars.min(length - 32 * word, 32), 0);
      packed = (packed | (word == 0 ? 1 : 0)) & (int) ((1L << there) - 1L);
      if (word < words) {
        bits.set(word, packed);
      }
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }

  static void refuse(
      KernelContext context,
      IntArray shape,
      IntArray offsets,
      IntArray flags,
      IntArray index,
      IntArray offset,
      IntArray before,
      @AtLaunch int shapeAt,
      @AtLaunch int indexAt,
      @AtLaunch int offsetAt,
      @AtLaunch int beforeAt) {
    int thread = context.localIdx;
    int length = shape.get(shapeAt + SegmentedTree.LENGTH_AT);
    int from = shape.get(shapeAt + SegmentedTree.SEGMENTS_FROM_AT);
    int count = shape.get(shapeAt + SegmentedTree.OFFSETS_AT);
    int strict = shape.get(shapeAt + SegmentedTree.STRICTNESS_AT);
    int hasEnd = strict > 1 ? 1 : 0;
    int searched = flags.get(0) == 1 ? count + hasEnd : 0;
    int first = Integer.MAX_VALUE;
    for (int left = searched - thread; left > 0; left -= THREADS) {
      int j = searched - left;
      int low = offsets.get(from + Scalars.max(j - 1, 0));
      low = j > 0 ? low : 0;
      int here = offsets.get(from + j);
      int wrong = (here < low ? 1 : 0) | (strict & (here > length ? 1 : 0));
      int isEnd = hasEnd & (left == 1 ? 1 : 0);
      wrong = wrong | (isEnd & (here < length ? 1 : 0));
      first = wrong == 1 ? Scalars.min(first, j) : first;
    }
    first = BlockReduce.min(context, thread, THREADS, first);
    if (thread == 0) {
      int runs = RunCounter.next(index.get(indexAt + 1));
      index.set(indexAt, first == Integer.MAX_VALUE ? -1 : first);
      if (searched > 0) {
        int low = offsets.get(from + Scalars.max(first - 1, 0));
        offset.set(offsetAt, offsets.get(from + first));
        before.set(beforeAt, first > 0 ? low : 0);
      }
      if (searched == 0) {
        offset.set(offsetAt, 0);
        before.set(beforeAt, 0);
      }
      index.set(indexAt + 1, runs);
      offset.set(offsetAt + 1, runs);
      before.set(beforeAt + 1, runs);
    }
  }
}
