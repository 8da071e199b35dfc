package funnel.reduce;

/** Codes in reduction kernels for what is applied to an element before it is combined. */
final class TransformCode {
  /** The element itself, widened to the accumulator type. */
  static final int IDENTITY = 0;

  /** Its square. */
  static final int SQUARE = 1;

  /** Its product with the element at the same place of the second input. */
  static final int PRODUCT = 2;

  /**
   * The square of its distance from the mean. The parameter divided by the length is the mean's
   * distance from the first element.
   */
  static final int SQUARED_DEVIATION = 3;

  /** 1 if the user-defined predicate holds, else 0. */
  static final int TEST = 4;

  /** The user-defined function of it. */
  static final int MAP = 5;

  /**
   * In kernels, {@link #PRODUCT} if the inputs may have different offsets in their arrays; the
   * other form takes a third less time on one backend.
   */
  static final int PRODUCT_APART = 6;

  /** Its {@linkplain Distance distance} from the first element. */
  static final int DISTANCE = 7;

  private TransformCode() {}
}
