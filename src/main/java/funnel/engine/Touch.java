package funnel.engine;

import funnel.jit.KernelTask;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Kernels that do nothing with one array. TornadoVM transfers an array only if a task of the same
 * graph has it as an argument; these tasks make a graph that only uploads.
 */
final class Touch {

  private Touch() {}

  static KernelTask task(String id, TornadoNativeArray array) {
    KernelTask.Grid one = KernelTask.Grid.of(1, 1);
    return switch (array) {
      case ByteArray a -> KernelTask.of(id, one, Touch::touchBytes, a);
      case IntArray a -> KernelTask.of(id, one, Touch::touchInts, a);
      case LongArray a -> KernelTask.of(id, one, Touch::touchLongs, a);
      case FloatArray a -> KernelTask.of(id, one, Touch::touchFloats, a);
      case DoubleArray a -> KernelTask.of(id, one, Touch::touchDoubles, a);
      default -> throw new IllegalArgumentException("no such input: " + array.getClass());
    };
  }

  private static void touchBytes(KernelContext context, ByteArray array) {}

  private static void touchInts(KernelContext context, IntArray array) {}

  private static void touchLongs(KernelContext context, LongArray array) {}

  private static void touchFloats(KernelContext context, FloatArray array) {}

  private static void touchDoubles(KernelContext context, DoubleArray array) {}
}
