package funnel.sort;

import static funnel.sort.RadixSteps.COUNTED;
import static funnel.sort.RadixSteps.INPUT;
import static funnel.sort.RadixSteps.MOVED;
import static funnel.sort.RadixSteps.NONE;
import static funnel.sort.RadixSteps.OTHER;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** What moves keys, in the device form of a {@link RadixSort}. */
@Twins({"Byte", "Long"})
final class IntRadixKernels {

  /* What a pass does is told by a step, see RadixSteps; what it does in a tile, by IntRadixTileKernels.
   *
   * A tile is 128 threads' items: 32 of bytes and ints alone, 16 of longs or with positions. In a
   * single tile ranks are places, nothing is counted before, and a block takes all passes.
   */

  /** Bits of a digit. */
  static final int BITS = 7;

  /** Digits. */
  static final int DIGITS = 1 << BITS;

  static final int THREADS = 128;

  /** Items of a thread where keys are narrow and alone, and where not. */
  static final int MANY = 32;

  static final int FEW = 16;

  /** Items in which rounds are counted. */
  static final int ROUND = 8;

  /** Keys are wanted. */
  static final int KEYS = 1;

  /** Positions are wanted. */
  static final int POSITIONS = 2;

  /** Positions are given with the keys, and are not numbered. */
  static final int GIVEN = 4;

  private IntRadixKernels() {}

  /** A key in one of three arrays. */
  static @Value int key(
      int place,
      int turned,
      @Element IntArray input,
      @Element IntArray otherKeys,
      @Element IntArray sortedKeys,
      int at) {
    return place == INPUT
        ? KeyWords.ofInput(Scalars.value(input.get(at)), turned)
        : place == OTHER ? Scalars.value(otherKeys.get(at)) : Scalars.value(sortedKeys.get(at));
  }

  /** Offset of the input's or the output's elements, from an int of the shape on. */
  static int offset(IntArray shape, int at, int place) {
    return place == OTHER ? 0 : shape.get(at + place / 2);
  }

  static void scatter(
      KernelContext context,
      IntArray shape,
      @Element IntArray input,
      @Element IntArray otherKeys,
      @Element IntArray sortedKeys,
      IntArray given,
      IntArray otherPositions,
      IntArray sortedPositions,
      IntArray steps,
      IntArray starts,
      IntArray totals,
      IntArray done,
      int shapeAt,
      int doneAt,
      int payload,
      int items,
      int turned) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int tiles = shape.get(shapeAt + 1);
    int pass = steps.get(MOVED);
    int step = RadixSteps.at(pass);
    if (tile < tiles & steps.get(step) != NONE) {
      int total = totals.get(thread);
      int start = starts.get(thread * tiles + tile);
      IntRadixTileKernels.move(
          context,
          shape,
          input,
          otherKeys,
          sortedKeys,
          given,
          otherPositions,
          sortedPositions,
          steps,
          shapeAt,
          thread,
          tile,
          step,
          total,
          start,
          0,
          payload,
          items,
          turned);
    }
    if (thread == 0 & tile == 0) {
      steps.set(COUNTED, pass + 1);
      if (pass + 1 == shape.get(shapeAt + RadixSort.PASSES)) {
        done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
      }
    }
  }

  /** All passes over a single tile. */
  static void sort(
      KernelContext context,
      IntArray shape,
      @Element IntArray input,
      @Element IntArray otherKeys,
      @Element IntArray sortedKeys,
      IntArray given,
      IntArray otherPositions,
      IntArray sortedPositions,
      IntArray steps,
      IntArray done,
      int shapeAt,
      int doneAt,
      int payload,
      int items,
      int turned) {
    int thread = context.localIdx;
    int length = shape.get(shapeAt);
    int passes = length == 0 ? 0 : shape.get(shapeAt + RadixSort.PASSES);
    int begin = offset(shape, shapeAt + RadixSort.IN_INPUT, INPUT);
    @Value int[] differences = context.allocateIntLocalArray(THREADS);
    @Value int difference = 0;
    for (int at = thread; at < length; at += THREADS) {
      @Value int key = key(INPUT, turned, input, otherKeys, sortedKeys, begin + at);
      difference = difference | (key ^ key(INPUT, turned, input, otherKeys, sortedKeys, begin));
    }
    differences[thread] = difference;
    context.localBarrier();
    if (thread == 0) {
      for (int k = 1; k < THREADS; k++) {
        difference = difference | differences[k];
      }
      RadixSteps.plan(shape, steps, difference, shapeAt);
    }
    context.localBarrier();
    for (int pass = 0; pass < passes; pass++) {
      if (steps.get(RadixSteps.at(pass)) != NONE) {
        IntRadixTileKernels.move(
            context,
            shape,
            input,
            otherKeys,
            sortedKeys,
            given,
            otherPositions,
            sortedPositions,
            steps,
            shapeAt,
            thread,
            0,
            RadixSteps.at(pass),
            0,
            0,
            1,
            payload,
            items,
            turned);
      }
      context.localBarrier();
    }
    if (thread == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
