package funnel.engine.tornado;

import funnel.kernel.AtLaunch;
import funnel.kernel.KernelTask;
import funnel.kernel.Scalars;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Shows that uploaded arrays have reached the device. */
public final class Arrival {

  /* TornadoVM prints that a copy failed and continues. Worse, it pins the arrays' host memory; if
   * memory is freed while pinned, which it does to arrays of other graphs, a copy from the same
   * addresses reads the old pages without any error.
   *
   * So each array is numbered before it is uploaded, and a kernel reports the number that it finds.
   * The number is in the last word of the header that TornadoVM keeps before an array's elements
   * but does not use: it is part of the same copy, and callers' arrays have space for it too.
   *
   * The reports are read as well as written by the kernels: the cuda backend clears new arrays that
   * are only written, and may do so after the kernel.
   *
   * A graph uploads an array only if one of its tasks has it as an argument, so each array needs a
   * kernel in any case. One reads four: TornadoVM compiles each for each plan, which takes a tenth
   * of a second.
   */

  /** The number of values that two bytes can distinguish. */
  private static final int NUMBERS = 1 << 16;

  /** The arrays that a kernel reads. */
  private static final int AT_ONCE = 4;

  private static final AtomicInteger NUMBERED = new AtomicInteger();

  /** Each adds an element of four arrays to four reports, of which only some may count. */
  static final class Kernels {
    private Kernels() {}

    static void ofBytes(
        KernelContext context,
        ByteArray a,
        ByteArray b,
        ByteArray c,
        ByteArray d,
        @AtLaunch int index,
        IntArray reports,
        @AtLaunch int at) {
      add(reports, at, number(a, index), number(b, index), number(c, index), number(d, index));
    }

    private static int number(ByteArray array, int index) {
      return Scalars.value(array.get(index - 1)) * 256 + Scalars.value(array.get(index));
    }

    static void ofInts(
        KernelContext context,
        IntArray a,
        IntArray b,
        IntArray c,
        IntArray d,
        @AtLaunch int index,
        IntArray reports,
        @AtLaunch int at) {
      add(reports, at, a.get(index), b.get(index), c.get(index), d.get(index));
    }

    static void ofLongs(
        KernelContext context,
        LongArray a,
        LongArray b,
        LongArray c,
        LongArray d,
        @AtLaunch int index,
        IntArray reports,
        @AtLaunch int at) {
      int first = (int) a.get(index);
      int second = (int) b.get(index);
      add(reports, at, first, second, (int) c.get(index), (int) d.get(index));
    }

    static void ofFloats(
        KernelContext context,
        FloatArray a,
        FloatArray b,
        FloatArray c,
        FloatArray d,
        @AtLaunch int index,
        IntArray reports,
        @AtLaunch int at) {
      int first = (int) a.get(index);
      int second = (int) b.get(index);
      add(reports, at, first, second, (int) c.get(index), (int) d.get(index));
    }

    static void ofDoubles(
        KernelContext context,
        DoubleArray a,
        DoubleArray b,
        DoubleArray c,
        DoubleArray d,
        @AtLaunch int index,
        IntArray reports,
        @AtLaunch int at) {
      int first = (int) a.get(index);
      int second = (int) b.get(index);
      add(reports, at, first, second, (int) c.get(index), (int) d.get(index));
    }

    private static void add(IntArray reports, int at, int a, int b, int c, int d) {
      reports.set(at, reports.get(at) + a);
      reports.set(at + 1, reports.get(at + 1) + b);
      reports.set(at + 2, reports.get(at + 2) + c);
      reports.set(at + 3, reports.get(at + 3) + d);
    }
  }

  private List<String> names;
  private final List<TornadoNativeArray> arrays;
  private final int[] expected;

  /** Where the report of each array is. */
  private final int[] places;

  private final IntArray reports;

  /** For the uploads of some arrays, each with a name for messages. */
  Arrival(Map<String, TornadoNativeArray> arrays) {
    List<Map.Entry<String, TornadoNativeArray>> byType =
        byType(arrays.entrySet(), Map.Entry::getValue);
    this.names = byType.stream().map(Map.Entry::getKey).toList();
    this.arrays = byType.stream().map(Map.Entry::getValue).toList();
    this.expected = new int[arrays.size()];
    this.places = places(this.arrays);
    this.reports = reports(this.arrays);
  }

  private static <T> List<T> byType(Collection<T> all, Function<T, TornadoNativeArray> array) {
    Map<Class<?>, List<T>> byType =
        all.stream()
            .collect(
                Collectors.groupingBy(
                    each -> array.apply(each).getClass(), LinkedHashMap::new, Collectors.toList()));
    return byType.values().stream().flatMap(List::stream).toList();
  }

  /** A place for each array: those of a type are together, and begin at a multiple of four. */
  private static int[] places(List<TornadoNativeArray> byType) {
    int[] places = new int[byType.size()];
    for (int i = 1; i < places.length; i++) {
      boolean isAlike = byType.get(i).getClass() == byType.get(i - 1).getClass();
      places[i] = isAlike ? places[i - 1] + 1 : (places[i - 1] / AT_ONCE + 1) * AT_ONCE;
    }
    return places;
  }

  /** The arrays. */
  List<TornadoNativeArray> arrays() {
    return arrays;
  }

  /** The array to upload as zeros before, and to copy back after, each run of the kernels. */
  IntArray reports() {
    return reports;
  }

  /** One kernel for up to four arrays of a type. */
  List<KernelTask> tasks() {
    return reading("arrived", arrays, -1, reports);
  }

  /** Sets the names of the arrays for messages; the map may have others, too. */
  void rename(Map<String, TornadoNativeArray> named) {
    names =
        arrays.stream()
            .map(
                array ->
                    named.entrySet().stream()
                        .filter(entry -> entry.getValue() == array)
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElseThrow())
            .toList();
  }

  /** To be called before each upload. */
  void number() {
    for (int i = 0; i < expected.length; i++) {
      expected[i] = 1 + (NUMBERED.getAndIncrement() & (NUMBERS - 1)) % (NUMBERS - 1);
      write(arrays.get(i), expected[i]);
      reports.set(places[i], 0);
    }
  }

  /**
   * The name of an array that has not arrived, or an empty string. Another plan may have given an
   * array a new number meanwhile; that number is accepted as well.
   */
  String missing() {
    for (int i = 0; i < expected.length; i++) {
      int report = reports.get(places[i]);
      if (report != expected[i] && report != read(arrays.get(i))) {
        return names.get(i);
      }
    }
    return "";
  }

  private static MemorySegment header(TornadoNativeArray array) {
    MemorySegment whole = array.getSegmentWithHeader();
    return whole.asSlice(0, whole.byteSize() - array.getSegment().byteSize());
  }

  private static void write(TornadoNativeArray array, int number) {
    MemorySegment header = header(array);
    long end = header.byteSize();
    switch (array) {
      case ByteArray _ -> {
        header.set(ValueLayout.JAVA_BYTE, end - 2, (byte) (number / 256));
        header.set(ValueLayout.JAVA_BYTE, end - 1, (byte) number);
      }
      case IntArray _ -> header.set(ValueLayout.JAVA_INT_UNALIGNED, end - 4, number);
      case LongArray _ -> header.set(ValueLayout.JAVA_LONG_UNALIGNED, end - 8, number);
      case FloatArray _ -> header.set(ValueLayout.JAVA_FLOAT_UNALIGNED, end - 4, number);
      case DoubleArray _ -> header.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, end - 8, number);
      default -> throw new IllegalArgumentException("no such input: " + array.getClass());
    }
  }

  private static int read(TornadoNativeArray array) {
    MemorySegment header = header(array);
    long end = header.byteSize();
    return switch (array) {
      case ByteArray _ ->
          Scalars.value(header.get(ValueLayout.JAVA_BYTE, end - 2)) * 256
              + Scalars.value(header.get(ValueLayout.JAVA_BYTE, end - 1));
      case IntArray _ -> header.get(ValueLayout.JAVA_INT_UNALIGNED, end - 4);
      case LongArray _ -> (int) header.get(ValueLayout.JAVA_LONG_UNALIGNED, end - 8);
      case FloatArray _ -> (int) header.get(ValueLayout.JAVA_FLOAT_UNALIGNED, end - 4);
      case DoubleArray _ -> (int) header.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, end - 8);
      default -> throw new IllegalArgumentException("no such input: " + array.getClass());
    };
  }

  /** An array for the reports of {@link #reading}. */
  public static IntArray reports(List<TornadoNativeArray> arrays) {
    int[] places = places(byType(arrays, Function.identity()));
    int tasks = places.length == 0 ? 0 : places[places.length - 1] / AT_ONCE + 1;
    return (IntArray) HostArrays.allocate(ElementType.INT, tasks * AT_ONCE);
  }

  /**
   * Launches that read arrays, to be put first in a task graph that uploads them: TornadoVM uploads
   * nothing into an array that the first kernel of a graph only writes.
   *
   * @param id the beginning of their ids
   * @param reports what they read
   */
  public static List<KernelTask> reading(
      String id, List<TornadoNativeArray> arrays, IntArray reports) {
    return reading(id, byType(arrays, Function.identity()), 0, reports);
  }

  /**
   * Launches of one thread each, which adds an element of each array to its report.
   *
   * @param index the element's index; for bytes the element before it counts 256 times
   */
  private static List<KernelTask> reading(
      String id, List<TornadoNativeArray> byType, int index, IntArray reports) {
    int[] places = places(byType);
    List<KernelTask> tasks = new ArrayList<>();
    for (int i = 0; i < places.length; i++) {
      if (places[i] % AT_ONCE == 0) {
        int first = i;
        int last = first;
        while (last + 1 < places.length && places[last + 1] < places[first] + AT_ONCE) {
          last++;
        }
        List<TornadoNativeArray> group = byType.subList(first, last + 1);
        tasks.add(reading(id + tasks.size(), group, index, reports, places[first]));
      }
    }
    return tasks;
  }

  private static KernelTask reading(
      String id, List<TornadoNativeArray> group, int index, IntArray reports, int at) {
    return switch (group.getFirst()) {
      case ByteArray _ -> task(id, Kernels::ofBytes, ByteArray.class, group, index, reports, at);
      case IntArray _ -> task(id, Kernels::ofInts, IntArray.class, group, index, reports, at);
      case LongArray _ -> task(id, Kernels::ofLongs, LongArray.class, group, index, reports, at);
      case FloatArray _ -> task(id, Kernels::ofFloats, FloatArray.class, group, index, reports, at);
      case DoubleArray _ ->
          task(id, Kernels::ofDoubles, DoubleArray.class, group, index, reports, at);
      default ->
          throw new IllegalArgumentException("no such input: " + group.getFirst().getClass());
    };
  }

  /** If there are fewer than four, the last is read again, into reports that count nothing. */
  private static <A> KernelTask task(
      String id,
      KernelTask.Kernel8<A, A, A, A, Integer, IntArray, Integer> code,
      Class<A> type,
      List<TornadoNativeArray> group,
      int index,
      IntArray reports,
      int at) {
    int last = group.size() - 1;
    A second = type.cast(group.get(Math.min(1, last)));
    A third = type.cast(group.get(Math.min(2, last)));
    A fourth = type.cast(group.get(last));
    KernelTask.Grid one = KernelTask.Grid.of(1, 1);
    A first = type.cast(group.getFirst());
    return KernelTask.of(id, one, code, first, second, third, fourth, index, reports, at);
  }
}
