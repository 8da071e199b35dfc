package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.block.BlockReduce;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Target;
import funnel.operator.AffineMaps;
import funnel.operator.CapturedValues;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorCode;
import funnel.operator.OperatorException;
import funnel.operator.OperatorLawException;
import funnel.operator.OperatorThrewException;
import funnel.operator.Storage;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import java.lang.foreign.MemorySegment;
import java.util.List;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The examples of the package {@code funnel.operator}. */
final class OperatorSnippets {

  private OperatorSnippets() {}

  static List<Number> types(Funnel funnel) {
    // @start region="type"
    MemorySegment memory = MemorySegment.ofArray(new byte[] {2, 0, 0, 0, -1, -1, -1, -1});
    Elements bytes = Elements.of(memory, ElementType.BYTE); // 2, 0, 0, 0, 255, 255, 255, 255
    Elements ints = Elements.of(memory, ElementType.INT); // 2, -1
    Elements longs = Elements.of(memory, ElementType.LONG); // -4294967294
    Number sumOfBytes = funnel.reduce(bytes, Reduction.sum()); // 1022
    Number sumOfInts = funnel.reduce(ints, Reduction.sum()); // 1
    Number sumOfLongs = funnel.reduce(longs, Reduction.sum()); // -4294967294
    // @end
    return List.of(sumOfBytes, sumOfInts, sumOfLongs);
  }

  static List<Object> storages() {
    // @start region="storage"
    MemorySegment stored = Storage.UINT16.memory(new short[] {2, -1}); // 2, 65535
    int[] elements = new int[2];
    Storage.UINT16.widen(stored, MemorySegment.ofArray(elements)); // 2, 65535
    short half = Storage.FLOAT16.toArray(MemorySegment.ofArray(new byte[] {0, 0x3c}))[0];
    float one = Float.float16ToFloat(half); // 1.0
    // @end
    return List.of(elements[0], elements[1], one);
  }

  // @start region="affine"
  /** The value of x after all maps, the first one first. */
  static int mapped(Funnel funnel, long[] maps, int x) {
    long all = funnel.reduce(maps, AffineMaps.FOLLOWED_BY); // of 3x + 1 and 5x + 2 it is 15x + 7
    return (2 * (int) (all >> 32) + 1) * x + (int) all;
  }

  // @end

  // @start region="operator"
  static int greatestCommonDivisor(Funnel funnel, int[] values) {
    Operator gcd =
        Operator.ofInt(
            "gcd",
            0,
            (a, b) -> {
              while (b != 0) {
                int rest = a % b;
                a = b;
                b = rest;
              }
              return a;
            });
    return funnel.reduce(values, gcd.commutative()); // of 12, 18, 30 it is 6
  }

  /** Fills gaps, which are zeros, with what was before them. */
  static int[] filled(Funnel funnel, int[] values) {
    Operator last = Operator.ofInt("last", 0, (a, b) -> b != 0 ? b : a); // not commutative
    return funnel.inclusiveScan(values, last); // 7, 0, 0, 2, 0 becomes 7, 7, 7, 2, 2
  }

  // @end

  // @start region="comparison"
  /** By the length of a name, and then by its letters, which are the low 32 bits. */
  static final Comparison SHORT_NAMES_FIRST =
      Comparison.ofLong(
          "short names first",
          (a, b) -> {
            int lengths = Long.compare(a >>> 32, b >>> 32);
            return lengths != 0 ? lengths : Integer.compareUnsigned((int) a, (int) b);
          });

  // @end

  // @start region="code"
  /** Combines the elements of each block; {@code operator} is a code, a constant of the kernel. */
  static void blocks(KernelContext context, IntArray in, IntArray out, int operator, int threads) {
    int thread = context.localIdx;
    int value = in.get(context.globalIdx);
    int result = BlockReduce.reduce(context, operator, thread, threads, value);
    if (thread == 0) {
      out.set(context.groupIdx, result);
    }
  }

  static KernelTask maximaOfBlocks(IntArray in, IntArray maxima) {
    int threads = in.getSize() / maxima.getSize();
    Grid grid = Grid.of(maxima.getSize(), threads);
    return KernelTask.of(
        "maxima", grid, OperatorSnippets::blocks, in, maxima, OperatorCode.MAX, threads);
  }

  // @end

  // @start region="refused"
  /** The sum of numbers from 0 to the limit, or the limit if that is less: on every engine. */
  static int sumUpTo(int limit, Funnel funnel, int[] values) {
    return funnel.reduce(values, Operator.ofInt("capped", 0, (a, b) -> Math.min(a + b, limit)));
  }

  /** The price of some goods, by their numbers: on the JVM, since a list is captured. */
  static int price(List<Integer> prices, Funnel funnel, int[] goods, List<String> log) {
    Reduction sum = Reduction.of(Operator.SUM, Transform.ofInt("price", v -> prices.get(v)));
    try {
      return funnel.reduce(Elements.of(goods), sum).intValue();
    } catch (OperatorException e) {
      log.add(e.operator() + " stays on the JVM: " + e.reason()); // it captures an object ...
      try (Funnel jvm = Funnel.open(Target.JVM)) {
        return jvm.reduce(Elements.of(goods), sum).intValue();
      }
    }
  }

  // @end

  /** What a caller learns of a function that threw. */
  static String exactSum(Funnel funnel, int[] values) {
    // @start region="threw"
    Operator exact = Operator.ofInt("exact sum", 0, Math::addExact);
    try {
      return "sum " + funnel.reduce(values, exact);
    } catch (ArithmeticException e) {
      OperatorThrewException thrower =
          OperatorThrewException.of(e).orElseThrow(() -> e); // not by a function of ours
      return e.getMessage() + " in " + thrower.operator(); // integer overflow in exact sum
    }
    // @end
  }

  /** The largest temperature, if the operator is what it has to be. */
  static String warmest(Funnel funnel, float[] degrees) {
    // @start region="law"
    Operator warmer = Operator.ofFloat("warmer", 0f, (a, b) -> a > b ? a : b);
    try {
      warmer.check(-3.5f, 0f, 21f); // f(0.0, -3.5) gave 0.0, not -3.5
    } catch (OperatorLawException e) {
      warmer = Operator.ofFloat("warmer", Float.NEGATIVE_INFINITY, (a, b) -> a > b ? a : b);
    }
    float warmest = funnel.reduce(degrees, warmer.check(-3.5f, 0f, 21f));
    // @end
    return warmer.identity(ElementType.FLOAT) + " " + warmest;
  }

  static List<Number> transforms(Funnel funnel) {
    // @start region="transform"
    Transform collatz = Transform.ofInt("collatz", x -> x % 2 == 0 ? x / 2 : 3 * x + 1);
    Elements ints = Elements.of(new int[] {3, 8, 5}); // 10, 4, 16
    Number largest = funnel.reduce(ints, Reduction.of(Operator.MAX, collatz)); // 16

    Transform positive = Transform.testFloat("positive", x -> x > 0);
    Elements floats = Elements.of(new float[] {-1, 0.5f, 0, 2, Float.NaN});
    Number positives = funnel.reduce(floats, Reduction.countIf(positive)); // 2
    // @end
    return List.of(largest, positives);
  }

  // @start region="equal"
  static Transform above(int k) {
    return Transform.testInt("above", v -> v > k);
  }

  static List<Boolean> comparisons() {
    boolean equal = above(3).equals(above(3)); // true
    boolean others = above(3).equals(above(4)); // false
    boolean byCode = CapturedValues.ignoring(() -> above(3).equals(above(4))); // true
    return List.of(equal, others, byCode);
  }
  // @end
}
