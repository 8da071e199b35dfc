package funnel.engine.tornado;

import funnel.engine.device.ProgramArrays;
import funnel.kernel.KernelTask;
import funnel.kernel.Scalars;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
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
   * kernel in any case.
   */

  /** The number of values that two bytes can distinguish. */
  private static final int NUMBERS = 1 << 16;

  private static final AtomicInteger NUMBERED = new AtomicInteger();

  /** Each adds an element of an array to one of the reports. */
  static final class Kernels {
    private Kernels() {}

    static void ofBytes(
        KernelContext context, ByteArray array, int index, IntArray reports, int at) {
      int number = Scalars.value(array.get(index - 1)) * 256 + Scalars.value(array.get(index));
      reports.set(at, reports.get(at) + number);
    }

    static void ofInts(KernelContext context, IntArray array, int index, IntArray reports, int at) {
      reports.set(at, reports.get(at) + array.get(index));
    }

    static void ofLongs(
        KernelContext context, LongArray array, int index, IntArray reports, int at) {
      reports.set(at, reports.get(at) + (int) array.get(index));
    }

    static void ofFloats(
        KernelContext context, FloatArray array, int index, IntArray reports, int at) {
      reports.set(at, reports.get(at) + (int) array.get(index));
    }

    static void ofDoubles(
        KernelContext context, DoubleArray array, int index, IntArray reports, int at) {
      reports.set(at, reports.get(at) + (int) array.get(index));
    }
  }

  private List<String> names;
  private final List<TornadoNativeArray> arrays;
  private final int[] expected;
  private final IntArray reports;

  /** For the uploads of some arrays, each with a name for messages. */
  Arrival(Map<String, TornadoNativeArray> arrays) {
    this.names = List.copyOf(arrays.keySet());
    this.arrays = List.copyOf(arrays.values());
    this.expected = new int[arrays.size()];
    this.reports = (IntArray) HostArrays.allocate(ElementType.INT, arrays.size());
  }

  /** The arrays. */
  List<TornadoNativeArray> arrays() {
    return arrays;
  }

  /** The array to upload as zeros before, and to copy back after, each run of the kernels. */
  IntArray reports() {
    return reports;
  }

  /** One kernel per array. */
  List<KernelTask> tasks() {
    return IntStream.range(0, arrays.size())
        .mapToObj(i -> reading("arrived" + i, arrays.get(i), -1, reports, i))
        .toList();
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
      reports.set(i, 0);
    }
  }

  /**
   * The name of an array that has not arrived, or an empty string. Another plan may have given an
   * array a new number meanwhile; that number is accepted as well.
   */
  String missing() {
    for (int i = 0; i < expected.length; i++) {
      if (reports.get(i) != expected[i] && reports.get(i) != read(arrays.get(i))) {
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

  /**
   * Launches that read the arrays of the first routine's results, to be put first in a task graph
   * that uploads them: TornadoVM uploads nothing into an array that the first kernel of a graph
   * only writes.
   *
   * @param id the beginning of their ids
   * @param seen an int for what they read
   */
  public static List<KernelTask> readingResults(ProgramArrays arrays, String id, IntArray seen) {
    List<TornadoNativeArray> of = arrays.resultArrays(0);
    return IntStream.range(0, of.size())
        .mapToObj(i -> reading(id + "_results" + i, of.get(i), 0, seen, 0))
        .toList();
  }

  /**
   * One thread that adds an element of an array to one of the reports.
   *
   * @param index the element's index; for bytes the element before it counts 256 times
   */
  static KernelTask reading(
      String id, TornadoNativeArray array, int index, IntArray reports, int at) {
    KernelTask.Grid one = KernelTask.Grid.of(1, 1);
    return switch (array) {
      case ByteArray a -> KernelTask.of(id, one, Kernels::ofBytes, a, index, reports, at);
      case IntArray a -> KernelTask.of(id, one, Kernels::ofInts, a, index, reports, at);
      case LongArray a -> KernelTask.of(id, one, Kernels::ofLongs, a, index, reports, at);
      case FloatArray a -> KernelTask.of(id, one, Kernels::ofFloats, a, index, reports, at);
      case DoubleArray a -> KernelTask.of(id, one, Kernels::ofDoubles, a, index, reports, at);
      default -> throw new IllegalArgumentException("no such input: " + array.getClass());
    };
  }
}
