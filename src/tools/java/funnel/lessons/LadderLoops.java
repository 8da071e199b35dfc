package funnel.lessons;

import java.lang.foreign.MemorySegment;

/** The JVM form of a {@link Ladder}, for any type: follows the kernels' trees. */
interface LadderLoops {

  /**
   * Reduces elements.
   *
   * @param values little-endian elements
   * @param length their number
   * @param variant the variant, which has the tree
   * @param threads threads of a block
   * @param launches how many launches the kernels have
   * @param identity the operator's identity
   */
  Number reduce(
      MemorySegment values,
      int length,
      LadderVariant variant,
      int threads,
      int launches,
      Number identity);
}
