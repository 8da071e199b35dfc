package funnel.sort;

import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Whether a later element, or row, comes before an earlier one in the order of a {@link
 * MergeOrder}, in kernels.
 */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntOvertakes {

  /* How to compare. */

  static final int ASCENDING = 0;
  static final int DESCENDING = 1;
  static final int COMPARED = 2;
  static final int COMPARED_ROWS_OF_2 = 3;
  static final int COMPARED_ROWS_OF_3 = 4;

  private IntOvertakes() {}

  /** 1 if the later one of two elements comes before the earlier one, else 0. */
  static int of(int by, @Value int later, @Value int earlier) {
    return switch (by) {
      case COMPARED -> Placeholder.compare(later, earlier) < 0 ? 1 : 0;
      case DESCENDING -> Precedes.of(earlier, later);
      default -> Precedes.of(later, earlier);
    };
  }

  /**
   * 1 if the later one of two rows comes before the earlier one, else 0. The second and third
   * columns begin at given places.
   */
  static int of(
      int by,
      @Value int later,
      @Value int earlier,
      @Element IntArray second,
      @Element IntArray third,
      int secondFrom,
      int thirdFrom,
      int laterAt,
      int earlierAt) {
    return switch (by) {
      case COMPARED_ROWS_OF_2 ->
          Placeholder.compare(
                      later,
                      Scalars.value(second.get(secondFrom + laterAt)),
                      earlier,
                      Scalars.value(second.get(secondFrom + earlierAt)))
                  < 0
              ? 1
              : 0;
      case COMPARED_ROWS_OF_3 ->
          Placeholder.compare(
                      later,
                      Scalars.value(second.get(secondFrom + laterAt)),
                      Scalars.value(third.get(thirdFrom + laterAt)),
                      earlier,
                      Scalars.value(second.get(secondFrom + earlierAt)),
                      Scalars.value(third.get(thirdFrom + earlierAt)))
                  < 0
              ? 1
              : 0;
      default -> of(by, later, earlier);
    };
  }
}
