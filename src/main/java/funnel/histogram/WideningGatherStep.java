package funnel.histogram;

import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.LengthRule;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Permutes values, and widens them to the array's type: {@code y[i] = x[positions[i]]}, which is
 * 30, 10, 20 for 10, 20, 30 and the positions 2, 0, 1. A part of composites.
 *
 * @param positions a permutation of their positions
 * @param type of the array, see {@link #isWider}
 */
record WideningGatherStep(String id, Input values, String positions, ElementType type)
    implements Primitive {

  /** Whether an array of a type can hold the values: it is their own type, or a wider one. */
  static boolean isWider(ElementType element, ElementType type) {
    return type == element
        || type == ElementType.DOUBLE
        || element == ElementType.INT && type == ElementType.LONG;
  }

  /**
   * Values gathered by positions, and scanned in the segments of sorted keys: {@code output +
   * ".scan"}. The scan starts from the neutral value, since its results are combined with others.
   */
  static List<Primitive> scanned(
      String output, Input values, String positions, String keys, Operator by, ElementType type) {
    int capacity = values.capacity();
    WideningGatherStep gather = new WideningGatherStep(output + ".gather", values, positions, type);
    List<Primitive> parts = new ArrayList<>(List.of(gather));
    parts.addAll(
        SegmentedScan.inclusive(by)
            .from(by.neutral(type))
            .segments(Segments.byKeys())
            .expand(
                output + ".scan",
                List.of(
                    new Input(gather.id(), type, capacity),
                    new Input(keys, ElementType.INT, capacity)))
            .primitives());
    return parts;
  }

  @Override
  public Step in(Setting setting) {
    int most = setting.capacity(values.capacity());
    return Step.of(this, setting)
        .reads("positions", positions)
        .derives(IntToIntWideningGatherKernels.LENGTH_AT, positions, LengthRule.LENGTH)
        .readsFound("values", values.name(), IntToIntWideningGatherKernels.FROM_AT)
        .writes("gathered", id, type, most, positions)
        .onDevice(
            launches ->
                launches
                    .kernels(IntToIntWideningGatherKernels.class, values.type(), type)
                    .launch("gather", "gather", IntToIntWideningGatherKernels.grid(most)))
        .onJvm(this::gather);
  }

  private void gather(JvmRun run) {
    int length = run.length(positions);
    MemorySegment given = run.input(values.name());
    MemorySegment order = run.input(positions);
    MemorySegment gathered = run.output(id);
    long bytes = type.bytes();
    ParallelRows.run(
        length,
        ParallelRows.mayBeShared(given, gathered) ? length : 0,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            long at = order.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i) * bytes;
            if (values.type() != type) {
              double value = wide(given, order.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i));
              gathered.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, i * bytes, value);
            } else if (bytes == Integer.BYTES) {
              int bits = given.get(ValueLayout.JAVA_INT_UNALIGNED, at);
              gathered.set(ValueLayout.JAVA_INT_UNALIGNED, i * bytes, bits);
            } else {
              long bits = given.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
              gathered.set(ValueLayout.JAVA_LONG_UNALIGNED, i * bytes, bits);
            }
          }
        });
  }

  /** A value as a double, the only wider type here: sums of longs need no gather on the JVM. */
  private double wide(MemorySegment given, int i) {
    return switch (values.type()) {
      case INT -> given.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i);
      case LONG -> given.get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i);
      case FLOAT -> given.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i);
      case BYTE, DOUBLE -> throw new IllegalStateException("not widened: " + values.type());
    };
  }
}
