package funnel.bench;

import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The JDK's parallel streams over an array on the heap: {@code Arrays.stream(values).parallel()}.
 * There is no stream of floats; they are mapped to doubles, as one would write it.
 */
final class StreamSubject extends HeapSubject<Workload, Operator, PrimitiveCase> {

  StreamSubject() {
    super("jdk-stream", 1);
  }

  @Override
  PrimitiveCase what(Workload workload, Operator operator) {
    return PrimitiveCase.of(Work.REDUCE, workload, operator);
  }

  @Override
  Loop loop(Workload workload, Operator operator) {
    Supplier<Number> stream = stream(workload, operator.equals(Operator.SUM));
    Number[] kept = new Number[1];
    return new Loop(
        () -> {}, () -> kept[0] = stream.get(), () -> workload.outcome(operator, kept[0]));
  }

  private static Supplier<Number> stream(Workload workload, boolean sum) {
    MemorySegment from = workload.array().getSegment();
    return switch (workload.type()) {
      case INT -> {
        int[] values = from.toArray(ValueLayout.JAVA_INT);
        yield sum
            ? () -> Arrays.stream(values).parallel().sum()
            : () -> Arrays.stream(values).parallel().max().orElseThrow();
      }
      case LONG -> {
        long[] values = from.toArray(ValueLayout.JAVA_LONG);
        yield sum
            ? () -> Arrays.stream(values).parallel().sum()
            : () -> Arrays.stream(values).parallel().max().orElseThrow();
      }
      case FLOAT -> {
        float[] values = from.toArray(ValueLayout.JAVA_FLOAT);
        yield sum
            ? () -> IntStream.range(0, values.length).parallel().mapToDouble(i -> values[i]).sum()
            : () ->
                IntStream.range(0, values.length)
                    .parallel()
                    .mapToDouble(i -> values[i])
                    .max()
                    .orElseThrow();
      }
      case DOUBLE -> {
        double[] values = from.toArray(ValueLayout.JAVA_DOUBLE);
        yield sum
            ? () -> Arrays.stream(values).parallel().sum()
            : () -> Arrays.stream(values).parallel().max().orElseThrow();
      }
      case BYTE -> throw new IllegalArgumentException("benchmarks do not support bytes");
    };
  }
}
