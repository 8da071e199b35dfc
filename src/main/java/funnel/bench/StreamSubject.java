package funnel.bench;

import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The JDK's parallel streams over an array on the heap: {@code Arrays.stream(values).parallel()}.
 * There is no stream of floats; theirs is mapped to doubles, as one would write it.
 */
final class StreamSubject implements Subject {

  @Override
  public String name() {
    return "jdk-stream";
  }

  @Override
  public Measurement measure(Workload workload, Operator operator, Effort effort) {
    if (workload.bytes() > Runtime.getRuntime().maxMemory() / 2) {
      return Measurement.failed(
          name(),
          0,
          Work.REDUCE,
          workload,
          operator.name(),
          "the heap is too small for the array: bytes=%d, heap=%d; give java a larger -Xmx"
              .formatted(workload.bytes(), Runtime.getRuntime().maxMemory()));
    }
    Supplier<Number> stream = stream(workload, operator.equals(Operator.SUM));
    Number[] kept = new Number[1];
    Runnable run = () -> kept[0] = stream.get();
    effort.warmUp(run);
    Timing wall = effort.wall(run);
    Number result = stream.get();
    return new Measurement(
        name(),
        0,
        Work.REDUCE,
        workload.type(),
        operator.name(),
        workload.length(),
        "warm",
        null,
        wall,
        result.toString(),
        workload.expected(operator).toString(),
        workload.isRight(operator, result),
        "");
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
      case BYTE -> throw new IllegalArgumentException("no benchmark over bytes");
    };
  }
}
