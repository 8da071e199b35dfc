package funnel.operation;

import java.util.List;

/**
 * What a plan can be asked to compute over its inputs: a reduction, a scan, a histogram, or an
 * operation of your own, which runs in a plan on every engine as they do.
 *
 * <p>Immutable. An operation knows neither engines nor devices: it says which primitives do its
 * work, and what is computed from their results at last.
 *
 * <p>One that is made of others, the root of the mean of squares:
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="step"}
 *
 * <p>One with kernels of its own, in a plan:
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="operation"}
 */
public interface Operation {

  /**
   * The primitives of this operation, and the values that it gives.
   *
   * @param output what its outputs' names are or begin with, unique in the plan; names of arrays
   *     that nobody else is to see begin with it and a dot
   * @param inputs what it works on, each an input of the plan or an array of an earlier operation
   * @throws IllegalArgumentException if the inputs are too few, too many, or of types that do not
   *     fit it or each other
   */
  Expansion expand(String output, List<Input> inputs);
}
