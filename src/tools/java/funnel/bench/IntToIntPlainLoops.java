package funnel.bench;

import funnel.jit.Accumulator;
import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.JvmValues;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.operator.OperatorCode;

/** Plain loops over one element and one accumulator type, run as a copy with constant operators. */
@Twins({
  "IntToLong",
  "IntToDouble",
  "LongToInt",
  "LongToLong",
  "LongToDouble",
  "FloatToInt",
  "FloatToFloat",
  "FloatToDouble",
  "DoubleToInt",
  "DoubleToDouble",
  "ByteToInt",
  "ByteToLong",
  "ByteToDouble"
})
@SuppressWarnings("cast") // a twin's accumulator has another type
final class IntToIntPlainLoops implements PlainLoops {

  /** Called by the copies. */
  public IntToIntPlainLoops() {}

  private static @Accumulator int combine(@Accumulator int left, @Accumulator int right) {
    return switch (Placeholder.operator()) {
      case OperatorCode.MIN -> Math.min(left, right);
      case OperatorCode.MAX -> Math.max(left, right);
      case LAST -> right;
      default -> Combine.apply(Placeholder.operator(), left, right);
    };
  }

  private static @Accumulator int transformed(
      @Accumulator int x, @Accumulator int y, @Accumulator int mean) {
    return switch (Placeholder.transform()) {
      case SQUARE -> x * x;
      case PRODUCT -> x * y;
      case SQUARED_DEVIATION -> (x - mean) * (x - mean);
      default -> x;
    };
  }

  @Override
  public Number reduce(Object values, Object others, Number identity, Number mean) {
    @Element int[] x = (@Element int[]) values;
    @Element int[] y = (@Element int[]) others;
    @Accumulator int average = (@Accumulator Integer) mean;
    @Accumulator int sum = (@Accumulator Integer) identity;
    for (int i = 0; i < x.length; i++) {
      @Accumulator int second = 0;
      if (Placeholder.transform() == PRODUCT) {
        second = (@Accumulator int) JvmValues.of(y[i]);
      }
      @Accumulator int item = transformed((@Accumulator int) JvmValues.of(x[i]), second, average);
      if (Placeholder.transform() == TEST) {
        item = JvmValues.of(x[i]) > 0 ? 1 : 0;
      }
      sum = combine(sum, item);
    }
    return sum;
  }

  @Override
  public int best(Object values, boolean smallest) {
    @Element int[] x = (@Element int[]) values;
    int at = 0;
    if (smallest) {
      for (int i = 1; i < x.length; i++) {
        if (JvmValues.of(x[i]) < JvmValues.of(x[at])) {
          at = i;
        }
      }
    } else {
      for (int i = 1; i < x.length; i++) {
        if (JvmValues.of(x[i]) > JvmValues.of(x[at])) {
          at = i;
        }
      }
    }
    return at;
  }

  @Override
  public double minMax(Object values) {
    @Element int[] x = (@Element int[]) values;
    @Accumulator int min = (@Accumulator int) JvmValues.of(x[0]);
    @Accumulator int max = min;
    for (@Element int element : x) {
      @Accumulator int value = (@Accumulator int) JvmValues.of(element);
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    return (double) min + (double) max;
  }

  @Override
  public void scan(Object values, Object output, Number identity, boolean inclusive) {
    @Element int[] x = (@Element int[]) values;
    @Accumulator int[] y = (@Accumulator int[]) output;
    @Accumulator int running = (@Accumulator Integer) identity;
    if (inclusive) {
      for (int i = 0; i < x.length; i++) {
        running = combine(running, (@Accumulator int) JvmValues.of(x[i]));
        y[i] = running;
      }
    } else {
      for (int i = 0; i < x.length; i++) {
        @Accumulator int value = (@Accumulator int) JvmValues.of(x[i]);
        y[i] = running;
        running = combine(running, value);
      }
    }
  }

  @Override
  public void segments(Object values, String by, Object segments, Object output, Number identity) {
    @Element int[] x = (@Element int[]) values;
    @Accumulator int[] y = (@Accumulator int[]) output;
    @Accumulator int none = (@Accumulator Integer) identity;
    @Accumulator int running = none;
    switch (by) {
      case "heads" -> {
        byte[] heads = (byte[]) segments;
        for (int i = 0; i < x.length; i++) {
          @Accumulator int value = (@Accumulator int) JvmValues.of(x[i]);
          running = heads[i] != 0 ? value : combine(running, value);
          y[i] = running;
        }
      }
      case "bits" -> {
        int[] bits = (int[]) segments;
        for (int i = 0; i < x.length; i++) {
          @Accumulator int value = (@Accumulator int) JvmValues.of(x[i]);
          running = (bits[i >> 5] >>> i & 1) != 0 ? value : combine(running, value);
          y[i] = running;
        }
      }
      case "offsets" -> {
        int[] offsets = (int[]) segments;
        for (int s = 0; s < offsets.length; s++) {
          running = none;
          int end = s + 1 < offsets.length ? offsets[s + 1] : x.length;
          for (int i = offsets[s]; i < end; i++) {
            running = combine(running, (@Accumulator int) JvmValues.of(x[i]));
            y[i] = running;
          }
        }
      }
      case "int keys" -> {
        int[] keys = (int[]) segments;
        for (int i = 0; i < x.length; i++) {
          @Accumulator int value = (@Accumulator int) JvmValues.of(x[i]);
          running = i > 0 && keys[i] != keys[i - 1] ? value : combine(running, value);
          y[i] = running;
        }
      }
      default -> {
        long[] keys = (long[]) segments;
        for (int i = 0; i < x.length; i++) {
          @Accumulator int value = (@Accumulator int) JvmValues.of(x[i]);
          running = i > 0 && keys[i] != keys[i - 1] ? value : combine(running, value);
          y[i] = running;
        }
      }
    }
  }

  @Override
  public void scatter(int[] indices, Object values, Object into) {
    @Element int[] x = (@Element int[]) values;
    @Accumulator int[] y = (@Accumulator int[]) into;
    for (int i = 0; i < x.length; i++) {
      int index = indices[i];
      y[index] = combine(y[index], (@Accumulator int) JvmValues.of(x[i]));
    }
  }

  @Override
  public void weigh(int[] samples, int low, long range, Object weights, Object sums) {
    @Element int[] x = (@Element int[]) weights;
    @Accumulator int[] y = (@Accumulator int[]) sums;
    for (int i = 0; i < x.length; i++) {
      long d = (long) samples[i] - low;
      if (d >= 0 && d < range) {
        y[(int) (d * y.length / range)] += (@Accumulator int) JvmValues.of(x[i]);
      }
    }
  }
}
