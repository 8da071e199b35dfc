package funnel.histogram;

import funnel.jit.FunctionCopies;
import funnel.jit.KernelTask;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import java.lang.invoke.MethodHandles;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The task of a {@link Gather}, whatever its types. */
interface GatherTasks {

  /** Ints of the shape array: offset and number of the values. */
  int SHAPE_INTS = 2;

  /** The task from one type to another that is {@linkplain Gather#isWider wide enough}. */
  static GatherTasks of(ElementType element, ElementType accumulator) {
    return FunctionCopies.instance(
        MethodHandles.lookup(),
        GatherTasks.class,
        TwinClass.of(MethodHandles.lookup(), IntToIntGatherKernels.class, element, accumulator));
  }

  /** Puts values into the order of positions. */
  KernelTask gather(
      String id,
      int capacity,
      IntArray shape,
      Object values,
      IntArray positions,
      Object gathered,
      int shapeAt);
}
