package funnel.engine;

import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * The TornadoVM arrays that a primitive's kernels work on.
 *
 * <p>In the example of {@link Primitive}:
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="tasks"}
 */
public interface DeviceArrays extends Primitive.Lengths {

  /** The ints of all primitives of the program. */
  IntArray shape();

  /** Where the primitive's own ints begin in {@link #shape}. */
  int shapeAt(Primitive primitive);

  /** The TornadoVM array of an input, a scratch array, one it writes, or that of a result. */
  Object array(String name);
}
