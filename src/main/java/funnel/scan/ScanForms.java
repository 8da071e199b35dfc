package funnel.scan;

import funnel.operator.ElementType;

/**
 * The classes that hold a scan's forms, by its types.
 *
 * @param kernels for a device
 * @param loops for the JVM
 */
record ScanForms(Class<? extends ScanTasks> kernels, Class<? extends ScanLoops> loops) {

  /**
   * The forms over an element and an accumulator type.
   *
   * @throws IllegalArgumentException if there is no such scan
   */
  static ScanForms of(ElementType element, ElementType accumulator) {
    return switch (element) {
      case BYTE ->
          switch (accumulator) {
            case INT -> new ScanForms(ByteToIntScanKernels.class, ByteToIntScanLoops.class);
            case LONG -> new ScanForms(ByteToLongScanKernels.class, ByteToLongScanLoops.class);
            default -> throw unsupported(element, accumulator);
          };
      case INT ->
          switch (accumulator) {
            case INT -> new ScanForms(IntToIntScanKernels.class, IntToIntScanLoops.class);
            case LONG -> new ScanForms(IntToLongScanKernels.class, IntToLongScanLoops.class);
            default -> throw unsupported(element, accumulator);
          };
      case LONG ->
          switch (accumulator) {
            case LONG -> new ScanForms(LongToLongScanKernels.class, LongToLongScanLoops.class);
            default -> throw unsupported(element, accumulator);
          };
      case FLOAT ->
          switch (accumulator) {
            case FLOAT -> new ScanForms(FloatToFloatScanKernels.class, FloatToFloatScanLoops.class);
            case DOUBLE ->
                new ScanForms(FloatToDoubleScanKernels.class, FloatToDoubleScanLoops.class);
            default -> throw unsupported(element, accumulator);
          };
      case DOUBLE ->
          switch (accumulator) {
            case DOUBLE ->
                new ScanForms(DoubleToDoubleScanKernels.class, DoubleToDoubleScanLoops.class);
            default -> throw unsupported(element, accumulator);
          };
    };
  }

  private static IllegalArgumentException unsupported(
      ElementType element, ElementType accumulator) {
    return new IllegalArgumentException(
        "no scan of %s elements to %s".formatted(element, accumulator));
  }
}
