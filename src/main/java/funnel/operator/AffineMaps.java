package funnel.operator;

/**
 * Affine maps {@code x -> (2 h + 1) x + b} over 32-bit integers, each packed into a long, with h in
 * its high half: an operator as a user would write one, associative but not commutative. It shows
 * whether a primitive keeps the order of its elements.
 *
 * {@snippet class="funnel.docs.OperatorSnippets" region="affine"}
 */
public final class AffineMaps {

  private AffineMaps() {}

  /**
   * The left map followed by the right one. The identity is 0, the map {@code x -> x}; all
   * arithmetic wraps around. Factors are odd, so that maps are invertible and none is lost in the
   * composition.
   */
  public static final Operator FOLLOWED_BY =
      Operator.ofLong(
          "affine",
          0,
          (left, right) -> {
            long h = (left >> 32) & 0xffffffffL;
            long b = left & 0xffffffffL;
            long k = (right >> 32) & 0xffffffffL;
            long d = right & 0xffffffffL;
            return ((2 * h * k + h + k) << 32) | ((b * (2 * k + 1) + d) & 0xffffffffL);
          });
}
