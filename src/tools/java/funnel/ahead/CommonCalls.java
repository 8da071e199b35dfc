package funnel.ahead;

import funnel.Bytes;
import funnel.Funnel;
import funnel.histogram.Histogram;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Calls of the kinds that most programs make some of, over arrays of all types. */
final class CommonCalls {

  private static final List<Integer> BINS = List.of(10, 50, 100, 256);
  private static final int KEYS = 1000;
  private static final int SEGMENT = 8;

  private CommonCalls() {}

  /** All of them, over arrays of a length. */
  static List<Runnable> of(Funnel funnel, int length) {
    List<Histogram> whole = BINS.stream().map(n -> Histogram.even(n, 0L, 1L << 20)).toList();
    List<Histogram> parts = BINS.stream().map(n -> Histogram.even(n, 0.0, 1 << 20)).toList();
    List<Runnable> calls = new ArrayList<>(ofBytes(funnel, length));
    calls.addAll(IntCommonCalls.of(funnel, length, whole));
    calls.addAll(LongCommonCalls.of(funnel, length, whole));
    calls.addAll(FloatCommonCalls.of(funnel, length, parts));
    calls.addAll(DoubleCommonCalls.of(funnel, length, parts));
    return calls;
  }

  private static List<Runnable> ofBytes(Funnel funnel, int length) {
    byte[] values = flags(length);
    Bytes x = funnel.of(values);
    Bytes flags = funnel.of(flags(length));
    return List.of(
        () -> funnel.histogram(values),
        x::sum,
        x::min,
        x::max,
        () -> x.filter(flags).toArray(),
        () -> x.sorted().toArray(),
        () -> x.distinct().toArray(),
        () -> x.reversed().toArray(),
        () -> x.histogram().toArray());
  }

  static byte[] flags(int length) {
    byte[] flags = new byte[length];
    for (int i = 0; i < length; i += 2) {
      flags[i] = 1;
    }
    return flags;
  }

  static int[] positions(int length) {
    return IntStream.range(0, length).map(i -> length - 1 - i).toArray();
  }

  static int[] keys(int length) {
    return IntStream.range(0, length).map(i -> i % KEYS).toArray();
  }

  static long[] longKeys(int length) {
    return IntStream.range(0, length).mapToLong(i -> i % KEYS).toArray();
  }

  static int[] distinctKeys(int length) {
    return IntStream.range(0, length).toArray();
  }

  static int[] offsets(int length) {
    return IntStream.rangeClosed(0, length / SEGMENT).map(i -> SEGMENT * i).toArray();
  }
}
