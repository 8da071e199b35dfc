package funnel.bench;

import funnel.operator.Operator;

/** An operator as a user would write one, and not commutative: the composition of affine maps. */
final class AffineMaps {

  private AffineMaps() {}

  /**
   * A long stands for the map x -> (2 * h + 1) * x + b over 32-bit integers, h in its high half;
   * two neighbours become the left map followed by the right. Factors are odd, so no map is lost in
   * those that follow.
   */
  static final Operator FOLLOWED_BY =
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
