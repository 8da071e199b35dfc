package funnel.reduce;

import funnel.operator.ElementType;

/**
 * The classes that hold a reduction's forms, by its types.
 *
 * @param kernels for a device
 * @param loops for the JVM, to be copied before use, see {@link ReduceLoopCopies}
 */
record ReduceForms(Class<? extends ReduceTasks> kernels, Class<? extends ReduceLoops> loops) {

  /**
   * The forms over an element and an accumulator type.
   *
   * @throws IllegalArgumentException if there is no such reduction
   */
  static ReduceForms of(ElementType element, ElementType accumulator) {
    return switch (element) {
      case BYTE ->
          switch (accumulator) {
            case INT -> new ReduceForms(ByteToIntReduceKernels.class, ByteToIntReduceLoops.class);
            case LONG ->
                new ReduceForms(ByteToLongReduceKernels.class, ByteToLongReduceLoops.class);
            case DOUBLE ->
                new ReduceForms(ByteToDoubleReduceKernels.class, ByteToDoubleReduceLoops.class);
            default -> throw unsupported(element, accumulator);
          };
      case INT ->
          switch (accumulator) {
            case INT -> new ReduceForms(IntToIntReduceKernels.class, IntToIntReduceLoops.class);
            case LONG -> new ReduceForms(IntToLongReduceKernels.class, IntToLongReduceLoops.class);
            case DOUBLE ->
                new ReduceForms(IntToDoubleReduceKernels.class, IntToDoubleReduceLoops.class);
            default -> throw unsupported(element, accumulator);
          };
      case LONG ->
          switch (accumulator) {
            case LONG ->
                new ReduceForms(LongToLongReduceKernels.class, LongToLongReduceLoops.class);
            case DOUBLE ->
                new ReduceForms(LongToDoubleReduceKernels.class, LongToDoubleReduceLoops.class);
            default -> throw unsupported(element, accumulator);
          };
      case FLOAT ->
          switch (accumulator) {
            case FLOAT ->
                new ReduceForms(FloatToFloatReduceKernels.class, FloatToFloatReduceLoops.class);
            case DOUBLE ->
                new ReduceForms(FloatToDoubleReduceKernels.class, FloatToDoubleReduceLoops.class);
            default -> throw unsupported(element, accumulator);
          };
      case DOUBLE ->
          switch (accumulator) {
            case DOUBLE ->
                new ReduceForms(DoubleToDoubleReduceKernels.class, DoubleToDoubleReduceLoops.class);
            default -> throw unsupported(element, accumulator);
          };
    };
  }

  private static IllegalArgumentException unsupported(
      ElementType element, ElementType accumulator) {
    return new IllegalArgumentException(
        "no reduction of %s elements to %s".formatted(element, accumulator));
  }
}
