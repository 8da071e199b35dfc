package funnel.sort;

import funnel.kernel.Scalars;
import funnel.operator.ElementType;

/**
 * Floating-point numbers as integers of the same order: that of {@code Float.compare}, with NaN of
 * different bits next to each other at the end.
 *
 * <p>-0.0 is just below 0.0, and negative infinity has the least word: for floats -2<sup>31</sup>;
 * the word of 0.0 is -8388607. Kernels may use this class too.
 *
 * {@snippet class="funnel.docs.SortSnippets" region="words"}
 */
public final class KeyWords {

  /* A number's bits, inverted except the sign if it is negative, are integers in the order of the
   * numbers, but NaN with a sign bit come first. Subtracting the count of these makes them wrap
   * around to the end. Each word belongs to some number, so nothing is lost. No sum here overflows:
   * the cuda backend's compiler assumes that none does if it is compared. Selections are between
   * constants, since others become branches, with which TornadoVM unrolls no loop.
   */

  private static final int NEGATIVE_NANS = 0x7fffff;
  private static final long NEGATIVE_NANS_OF_DOUBLES = 0xfffffffffffffL;

  /** The first word of NaN with a sign bit; all words from here on are theirs. */
  private static final int COME_ROUND = Integer.MAX_VALUE - NEGATIVE_NANS + 1;

  private static final long COME_ROUND_OF_DOUBLES = Long.MAX_VALUE - NEGATIVE_NANS_OF_DOUBLES + 1;

  /** The word of the first NaN. */
  private static final int NAN = 0x7f800001 - NEGATIVE_NANS;

  private static final long NAN_OF_DOUBLES = 0x7ff0000000000001L - NEGATIVE_NANS_OF_DOUBLES;

  /* Codes in kernels for the conversion of elements that are read as bits. */

  static final int NOT_TURNED = 0;

  /** Words of floating-point numbers. */
  static final int TURNED = 1;

  /** Words of floating-point numbers, with one word for all NaN. */
  static final int MERGED = 2;

  private KeyWords() {}

  /** The type of the words of numbers; integers are their own words. */
  public static ElementType typeOf(ElementType type) {
    return switch (type) {
      case FLOAT -> ElementType.INT;
      case DOUBLE -> ElementType.LONG;
      default -> type;
    };
  }

  /** The word of a float's bits. */
  public static int word(int bits) {
    int turned = bits ^ (bits < 0 ? Integer.MAX_VALUE : 0);
    int comesRound = turned < Integer.MIN_VALUE + NEGATIVE_NANS ? 1 : 0;
    return (turned ^ (comesRound == 1 ? Integer.MIN_VALUE : 0))
        + (comesRound == 1 ? COME_ROUND : -NEGATIVE_NANS);
  }

  /** The word of a double's bits. */
  public static long word(long bits) {
    long turned = bits ^ (bits < 0 ? Long.MAX_VALUE : 0);
    int comesRound = turned < Long.MIN_VALUE + NEGATIVE_NANS_OF_DOUBLES ? 1 : 0;
    return (turned ^ (comesRound == 1 ? Long.MIN_VALUE : 0))
        + (comesRound == 1 ? COME_ROUND_OF_DOUBLES : -NEGATIVE_NANS_OF_DOUBLES);
  }

  /** The bits of a float from its word. */
  public static int bits(int word) {
    int turned =
        word >= COME_ROUND ? (word - COME_ROUND) ^ Integer.MIN_VALUE : word + NEGATIVE_NANS;
    return turned < 0 ? turned ^ Integer.MAX_VALUE : turned;
  }

  /** The bits of a double from its word. */
  public static long bits(long word) {
    long turned =
        word >= COME_ROUND_OF_DOUBLES
            ? (word - COME_ROUND_OF_DOUBLES) ^ Long.MIN_VALUE
            : word + NEGATIVE_NANS_OF_DOUBLES;
    return turned < 0 ? turned ^ Long.MAX_VALUE : turned;
  }

  /**
   * {@link #word(int)}, by a sum that wraps around, which the JVM computes in vectors; not for
   * kernels.
   */
  public static int wrappedWord(int bits) {
    return (bits ^ bits >> Integer.SIZE - 1 >>> 1) - NEGATIVE_NANS;
  }

  /** {@link #word(long)}, as {@link #wrappedWord(int)}. */
  public static long wrappedWord(long bits) {
    return (bits ^ bits >> Long.SIZE - 1 >>> 1) - NEGATIVE_NANS_OF_DOUBLES;
  }

  /** {@link #bits(int)}, as {@link #wrappedWord(int)}. */
  public static int wrappedBits(int word) {
    int turned = word + NEGATIVE_NANS;
    return turned ^ turned >> Integer.SIZE - 1 >>> 1;
  }

  /** {@link #bits(long)}, as {@link #wrappedWord(int)}. */
  public static long wrappedBits(long word) {
    long turned = word + NEGATIVE_NANS_OF_DOUBLES;
    return turned ^ turned >> Long.SIZE - 1 >>> 1;
  }

  /** The word, or if it is that of NaN, one word for all of them. */
  public static int merged(int word) {
    return Scalars.min(word, NAN);
  }

  /** The word, or if it is that of NaN, one word for all of them. */
  public static long merged(long word) {
    return Scalars.min(word, NAN_OF_DOUBLES);
  }

  /** The lowest 32 bits. */
  public static int low(int word) {
    return word;
  }

  /** The lowest 32 bits. */
  public static int low(long word) {
    return (int) word;
  }

  /** The word to sort for an element that is read as bits. */
  static int ofInput(int bits, int turned) {
    return turned == NOT_TURNED ? bits : turned == MERGED ? merged(word(bits)) : word(bits);
  }

  /** The word to sort for an element that is read as bits. */
  static long ofInput(long bits, int turned) {
    return turned == NOT_TURNED ? bits : turned == MERGED ? merged(word(bits)) : word(bits);
  }

  /** The bits of an element that has been sorted. */
  static int ofOutput(int word, int turned) {
    return turned == NOT_TURNED ? word : bits(word);
  }

  /** The bits of an element that has been sorted. */
  static long ofOutput(long word, int turned) {
    return turned == NOT_TURNED ? word : bits(word);
  }
}
