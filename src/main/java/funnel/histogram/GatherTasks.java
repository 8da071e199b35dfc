package funnel.histogram;

import funnel.jit.KernelTask;
import funnel.operator.ElementType;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The task of a {@link Gather}, whatever its types. */
interface GatherTasks {

  /** Ints of the shape array: offset and number of the values. */
  int SHAPE_INTS = 2;

  /** The task from one type to another that is {@linkplain Gather#isWider wide enough}. */
  static GatherTasks of(ElementType element, ElementType accumulator) {
    return switch (element) {
      case BYTE -> throw new IllegalStateException("no gather of bytes");
      case INT ->
          switch (accumulator) {
            case LONG -> new IntToLongGatherKernels();
            case DOUBLE -> new IntToDoubleGatherKernels();
            default -> new IntToIntGatherKernels();
          };
      case LONG ->
          accumulator == ElementType.DOUBLE
              ? new LongToDoubleGatherKernels()
              : new LongToLongGatherKernels();
      case FLOAT ->
          accumulator == ElementType.DOUBLE
              ? new FloatToDoubleGatherKernels()
              : new FloatToFloatGatherKernels();
      case DOUBLE -> new DoubleToDoubleGatherKernels();
    };
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
