package funnel.bench;

import funnel.Elements;
import funnel.Funnel;
import funnel.engine.tornado.HostArrays;
import funnel.operation.ParallelRows;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Keys, and their order: the input of a benchmark. */
final class Sortable implements Input {

  /* Floating-point keys are converted from whole numbers, so that there is no NaN and no -0.0 among
   * them, which CUB orders differently. sort.cu has the same keys.
   *
   * The JDK's sort gives the expected keys. Only one order of positions is right: each position's
   * key must be the sorted key there, and positions of equal keys ascend. The order that Funnel
   * computes on the JVM is checked for this, then used as the expected one.
   */

  private static final int CONSTANT = 77;

  /** Distributions of keys. */
  enum Data {
    /** All bits of integers vary. */
    UNIFORM,
    /** 10 bits vary: 0 to 1023. */
    TEN_BITS,
    /** All equal. */
    CONSTANT,
    /** Ascending. */
    SORTED;

    @Override
    public String toString() {
      return Named.of(this);
    }
  }

  private final ElementType type;
  private final int length;
  private final Data data;
  private final TornadoNativeArray array;
  private final Map<SortTask, String> expected = new EnumMap<>(SortTask.class);

  /**
   * Makes keys.
   *
   * @param length at least 1
   */
  Sortable(ElementType type, int length, Data data) {
    this.type = type;
    this.length = length;
    this.data = data;
    this.array = HostArrays.allocate(type, length);
    ParallelRows.run(length, length, this::fill);
  }

  private void fill(int from, int to) {
    MemorySegment segment = array.getSegment();
    for (int i = from; i < to; i++) {
      long value = value(i);
      switch (type) {
        case BYTE -> segment.set(ValueLayout.JAVA_BYTE, i, (byte) value);
        case INT -> segment.setAtIndex(ValueLayout.JAVA_INT, i, (int) value);
        case LONG -> segment.setAtIndex(ValueLayout.JAVA_LONG, i, value);
        case FLOAT -> segment.setAtIndex(ValueLayout.JAVA_FLOAT, i, (int) value);
        case DOUBLE -> segment.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
      }
    }
  }

  private long value(int i) {
    return switch (data) {
      case UNIFORM -> Workload.splitmix64(i);
      case TEN_BITS -> Workload.splitmix64(i) >>> 54;
      case CONSTANT -> CONSTANT;
      case SORTED -> type == ElementType.BYTE ? 256L * i / length : i;
    };
  }

  ElementType type() {
    return type;
  }

  int length() {
    return length;
  }

  Data data() {
    return data;
  }

  TornadoNativeArray array() {
    return array;
  }

  @Override
  public long bytes() {
    return (long) length * type.bytes();
  }

  /** The hash of the right result, as text. */
  String expected(SortTask task) {
    return expected.computeIfAbsent(task, this::right);
  }

  private String right(SortTask task) {
    Object sorted = LoopSelectSubject.array(array.getSegment(), type);
    sort(sorted, task.offsets(length));
    MemorySegment keys = LoopSelectSubject.segment(sorted);
    if (task != SortTask.ORDER) {
      return hash(type, keys);
    }
    int[] order;
    try (Funnel jvm = Funnel.open(Target.JVM);
        Arena arena = Arena.ofShared()) {
      MemorySegment found = arena.allocate(ValueLayout.JAVA_INT, length);
      Elements positions = Elements.of(found, ElementType.INT);
      jvm.run(task.operation(type), Map.of("result", positions), Elements.ofTornado(array));
      order = found.toArray(ValueLayout.JAVA_INT);
    }
    for (int k = 0; k < length; k++) {
      boolean isLikeTheLast = k > 0 && bits(type, keys, k) == bits(type, keys, k - 1);
      if (bits(type, array.getSegment(), order[k]) != bits(type, keys, k)
          || isLikeTheLast && order[k] <= order[k - 1]) {
        throw new IllegalStateException("position %s of the order is %s".formatted(k, order[k]));
      }
    }
    return hash(ElementType.INT, MemorySegment.ofArray(order));
  }

  /** The sorted keys of a range. */
  TornadoNativeArray sorted(int from, int to) {
    long bytes = type.bytes();
    TornadoNativeArray range = HostArrays.allocate(type, to - from);
    Object sorted =
        LoopSelectSubject.array(
            array.getSegment().asSlice(from * bytes, (to - from) * bytes), type);
    sort(sorted, 0, to - from);
    range.getSegment().copyFrom(LoopSelectSubject.segment(sorted));
    return range;
  }

  /** Sorts an array as the JDK does in parallel; bytes are unsigned. */
  static void sort(Object array, int... offsets) {
    if (array instanceof byte[] bytes) {
      flip(bytes);
    }
    for (int k = 1; k < offsets.length; k++) {
      int from = offsets[k - 1];
      int to = offsets[k];
      switch (array) {
        case byte[] bytes -> Arrays.parallelSort(bytes, from, to);
        case int[] ints -> Arrays.parallelSort(ints, from, to);
        case long[] longs -> Arrays.parallelSort(longs, from, to);
        case float[] floats -> Arrays.parallelSort(floats, from, to);
        default -> Arrays.parallelSort((double[]) array, from, to);
      }
    }
    if (array instanceof byte[] bytes) {
      flip(bytes);
    }
  }

  private static void flip(byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] ^= Byte.MIN_VALUE;
    }
  }

  private static long bits(ElementType type, MemorySegment elements, long i) {
    return switch (type) {
      case BYTE -> elements.get(ValueLayout.JAVA_BYTE, i);
      case INT, FLOAT -> elements.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i);
      case LONG, DOUBLE -> elements.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i);
    };
  }

  /** The sum of elements' bits, each times 2 k + 1 for index k; sort.cu prints the same. */
  static String hash(ElementType type, MemorySegment elements) {
    long hash = 0;
    long count = elements.byteSize() / type.bytes();
    for (long k = 0; k < count; k++) {
      hash += bits(type, elements, k) * (2 * k + 1);
    }
    return String.format(Locale.ROOT, "%016x", hash);
  }
}
