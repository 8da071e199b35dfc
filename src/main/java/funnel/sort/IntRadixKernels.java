package funnel.sort;

import static funnel.sort.RadixSteps.INPUT;
import static funnel.sort.RadixSteps.OTHER;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.Scalars;
import funnel.operator.ElementType;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The common part of the kernels of a {@link RadixSortStep}. */
@Twins({"Byte", "Long"})
final class IntRadixKernels {

  static final int BITS = 8;
  static final int DIGITS = 1 << BITS;

  static final int THREADS = 256;

  /**
   * Items of a thread: an odd number, so that threads that read their own use all banks. With 21
   * bytes and positions, the kernel of a single tile has more nodes than TornadoVM compiles.
   */
  static int items(ElementType words, boolean hasPositions) {
    return switch (words) {
      case BYTE -> hasPositions ? 19 : 23;
      case LONG -> hasPositions ? 11 : 13;
      default -> hasPositions ? 21 : 23;
    };
  }

  /**
   * Up to so many keys, threads have fewer items, so that all multiprocessors have blocks. Doubles
   * always do: with more, what makes keys of them takes registers of a third block.
   */
  static final int FEW_ITEMS_UP_TO = 1 << 22;

  static final int FEW_ITEMS = 11;

  static final int KEYS = 1;
  static final int POSITIONS = 2;

  /** Positions are read with the keys, not generated. */
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

  /** The offset of the input's or the output's elements, read from the shape. */
  static int offset(IntArray shape, int at, int place) {
    return place == OTHER ? 0 : shape.get(at + place / 2);
  }
}
