package funnel.reduce;

import funnel.jit.KernelTask;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The launches of a {@link Ladder}, whatever its type. */
interface LadderTasks {

  /**
   * What a launch works on.
   *
   * @param shape the plan's shape array
   * @param values the elements: the input, or an earlier launch's partial results
   * @param out where the blocks' results go
   * @param operator code of the operator
   * @param identity its identity
   * @param shapeAt where this launch's part of the shape array begins: offset, length
   * @param outAt index of the first block's result
   * @param last whether this is the last launch, which counts the run
   */
  record Arguments(
      IntArray shape,
      Object values,
      Object out,
      int operator,
      Number identity,
      int shapeAt,
      int outAt,
      boolean last) {}

  /** One launch of a variant: one partial result a block. */
  KernelTask launch(LadderVariant variant, String id, int blocks, int threads, Arguments arguments);

  /**
   * The only launch of {@link LadderVariant#SINGLE_PASS}.
   *
   * @param blocks a power of two
   * @param arguments as above; the shape is offset, length, elements of a block
   * @param partials {@link SinglePass#PITCH} elements for each block
   * @param count the array with the count of blocks that are done
   * @param countAt index of that count
   */
  KernelTask singlePass(
      String id,
      int blocks,
      int threads,
      Arguments arguments,
      Object partials,
      IntArray count,
      int countAt);
}
