package funnel.operation;

import java.util.List;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * The TornadoVM arrays that a program's kernels work on.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="arrays"}
 */
public interface DeviceArrays extends Primitive.Lengths {

  /** The array of lengths: the ints of all primitives of the program. */
  IntArray shape();

  /** The TornadoVM array of an input, an output, a scratch array or a result. */
  Object array(String name);

  /** The result that gives the length of an input, if an earlier primitive finds it. */
  default @Nullable String found(String input) {
    return null;
  }

  /** The lengths that are first needed by the primitive whose own ints begin at an index. */
  default List<FoundLength> firstNeeded(int shapeAt) {
    return List.of();
  }
}
