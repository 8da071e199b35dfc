package funnel.sort;

import funnel.jit.Accumulator;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Floating-point numbers to {@link KeyWords} and back on a device. */
@Twins({"FloatToInt", "DoubleToLong"})
final class IntToIntWordKernels {

  /* TornadoVM compiles a change between a number and its bits only where what is loaded is stored
   * as it is, and computes nothing with the bits. So they are stored among the words and read again:
   * what is read of an array is never taken from what was stored there.
   */

  static final int THREADS = 256;
  private static final int ITEMS = 4;

  private IntToIntWordKernels() {}

  /** Blocks for so many elements. */
  static int blocks(int capacity) {
    return Math.max(1, Math.ceilDiv(capacity, ITEMS * THREADS));
  }

  static void encode(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Accumulator IntArray words,
      IntArray done,
      int shapeAt,
      int doneAt,
      int mergesNaN,
      int last) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int first = block * (ITEMS * THREADS);
    int left = shape.get(shapeAt) - first;
    int from = shape.get(shapeAt + RadixSort.IN_INPUT);
    for (int k = 0; k < ITEMS; k++) {
      int item = k * THREADS + thread;
      if (item < left) {
        words.set(first + item, KeyWords.raw(values.get(from + first + item)));
      }
    }
    context.localBarrier();
    for (int k = 0; k < ITEMS; k++) {
      int item = k * THREADS + thread;
      if (item < left) {
        @Accumulator int word = KeyWords.word(words.get(first + item));
        words.set(first + item, mergesNaN == 1 ? KeyWords.merged(word) : word);
      }
    }
    if (last == 1 & thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }

  static void decode(
      KernelContext context,
      IntArray shape,
      @Accumulator IntArray words,
      @Accumulator IntArray sortedWords,
      IntArray steps,
      @Element IntArray sorted,
      IntArray done,
      int shapeAt,
      int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int first = block * (ITEMS * THREADS);
    int left = shape.get(shapeAt) - first;
    int to = shape.get(shapeAt + RadixSort.TO_RESULT);
    int place = steps.get(RadixSteps.PLACE);
    for (int k = 0; k < ITEMS; k++) {
      int item = first + k * THREADS + thread;
      if (item - first < left) {
        @Accumulator int word = place == RadixSteps.OTHER ? words.get(item) : sortedWords.get(item);
        words.set(item, KeyWords.bits(word));
      }
    }
    context.localBarrier();
    for (int k = 0; k < ITEMS; k++) {
      int item = first + k * THREADS + thread;
      if (item - first < left) {
        sorted.set(to + item, KeyWords.ofRaw(words.get(item), (@Element int) 0));
      }
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
