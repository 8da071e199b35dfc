package funnel.bench;

import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.scan.Window;
import funnel.select.FindFirst;
import funnel.select.Runs;
import funnel.transform.AdjacentDifference;
import funnel.transform.Bits;
import funnel.transform.Elementwise;
import funnel.transform.Gather;
import funnel.transform.RandomNumbers;
import funnel.transform.Reverse;
import funnel.transform.Scatter;
import funnel.transform.Shuffle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** The rows of {@link JvmTable} that move, make or search elements; most are over ints. */
final class JvmMoves {

  /** Elements of a run on average. */
  private static final int RUN = 8;

  /** Elements of a window. */
  private static final int WINDOW = 100;

  private JvmMoves() {}

  static List<String> names() {
    return List.of(
        "transform: elementwise, INT",
        "transform: elementwise, FLOAT",
        "transform: elementwise, DOUBLE",
        "transform: elementwise, FLOAT, INT",
        "transform: adjacent difference, INT",
        "transform: window sum, INT",
        "transform: window least, INT",
        "transform: gather, INT",
        "transform: scatter, INT",
        "transform: reverse, INT",
        "transform: random numbers, INT",
        "transform: random numbers, DOUBLE",
        "transform: shuffle, INT",
        "transform: find first, INT",
        "transform: flags of bits, INT",
        "transform: decode, INT");
  }

  static JvmCase.Work work(String of, ElementType to, Object values, SplittableRandom random) {
    return switch (values) {
      case float[] x when to == ElementType.INT -> truncated(x);
      case float[] x -> scaled(x);
      case double[] x -> of.equals("elementwise") ? scaled(x) : randomDoubles(x.length);
      default -> ofInts(of, (int[]) values, random);
    };
  }

  private static JvmCase.Work scaled(float[] x) {
    float[] y = new float[x.length];
    return new JvmCase.Work(
        Elementwise.ofFloat("scaled", v -> v * 0.3f + 1),
        new float[x.length],
        List.of(x),
        () -> {
          for (int i = 0; i < x.length; i++) {
            y[i] = x[i] * 0.3f + 1;
          }
          return y;
        });
  }

  private static JvmCase.Work truncated(float[] x) {
    int[] y = new int[x.length];
    return new JvmCase.Work(
        Elementwise.ofFloat("scaled", v -> v * 100).to(ElementType.INT),
        new int[x.length],
        List.of(x),
        () -> {
          for (int i = 0; i < x.length; i++) {
            y[i] = (int) (x[i] * 100);
          }
          return y;
        });
  }

  private static JvmCase.Work scaled(double[] x) {
    double[] y = new double[x.length];
    return new JvmCase.Work(
        Elementwise.ofDouble("scaled", v -> v * 0.3 + 1),
        new double[x.length],
        List.of(x),
        () -> {
          for (int i = 0; i < x.length; i++) {
            y[i] = x[i] * 0.3 + 1;
          }
          return y;
        });
  }

  private static JvmCase.Work randomDoubles(int length) {
    double[] y = new double[length];
    return new JvmCase.Work(
        RandomNumbers.of(ElementType.DOUBLE, 1, length),
        new double[length],
        List.of(),
        () -> {
          SplittableRandom numbers = new SplittableRandom(1);
          for (int i = 0; i < length; i++) {
            y[i] = numbers.nextDouble();
          }
          return y;
        });
  }

  private static void shuffle(int[] y, SplittableRandom random) {
    for (int i = y.length - 1; i > 0; i--) {
      int k = random.nextInt(i + 1);
      int swapped = y[i];
      y[i] = y[k];
      y[k] = swapped;
    }
  }

  private static int[] windowSum(int[] x, int[] y) {
    int sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += x[i] - (i < WINDOW ? 0 : x[i - WINDOW]);
      y[i] = sum;
    }
    return y;
  }

  /** By a queue of the positions of elements that may still be the least of a window. */
  private static int[] windowLeast(int[] x, int[] y) {
    int[] queue = new int[x.length];
    int first = 0;
    int end = 0;
    for (int i = 0; i < x.length; i++) {
      while (end > first && x[queue[end - 1]] >= x[i]) {
        end--;
      }
      queue[end++] = i;
      first += queue[first] <= i - WINDOW ? 1 : 0;
      y[i] = x[queue[first]];
    }
    return y;
  }

  private static int firstAbove(int[] x, int limit) {
    for (int i = 0; i < x.length; i++) {
      if (x[i] > limit) {
        return i;
      }
    }
    return -1;
  }

  /** As many flags as there are ints, of a part of these; a BitSet has the bits by longs. */
  private static JvmCase.Work flagsOfBits(int[] x) {
    int[] bits = Arrays.copyOf(x, Math.ceilDiv(x.length, Integer.SIZE));
    byte[] y = new byte[x.length];
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * bits.length);
    bytes.order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().put(bits);
    BitSet set = BitSet.valueOf(bytes);
    return new JvmCase.Work(
        Bits.toFlags(x.length),
        new byte[x.length],
        List.of(bits),
        () -> {
          for (int i = 0; i < y.length; i++) {
            y[i] = (byte) (set.get(i) ? 1 : 0);
          }
          return y;
        });
  }

  private static JvmCase.Work ofInts(String of, int[] x, SplittableRandom random) {
    int length = x.length;
    int[] y = new int[length];
    int[] order = new int[length];
    Arrays.setAll(order, i -> i);
    shuffle(order, random);
    if (of.equals("find first")) {
      int[] last = new int[length];
      last[length - 1] = 2;
      Transform above = Transform.testInt("above 1", v -> v > 1);
      return new JvmCase.Work(
          FindFirst.where(above), JvmCase.NOTHING, List.of(last), () -> firstAbove(last, 1));
    }
    if (of.equals("flags of bits")) {
      return flagsOfBits(x);
    }
    if (of.equals("decode")) {
      return decode(length, x, y, random);
    }
    Operation operation =
        switch (of) {
          case "elementwise" -> Elementwise.ofInt("scaled", v -> v * 3 + 1);
          case "adjacent difference" -> AdjacentDifference.left();
          case "window sum" -> Window.rows(WINDOW, Operator.SUM);
          case "window least" -> Window.rows(WINDOW, Operator.MIN);
          case "gather" -> Gather.at();
          case "scatter" -> Scatter.into(length);
          case "reverse" -> Reverse.elements();
          case "random numbers" -> RandomNumbers.of(ElementType.INT, 1, length);
          default -> Shuffle.by(1);
        };
    Supplier<Object> loop =
        switch (of) {
          case "elementwise" ->
              () -> {
                for (int i = 0; i < length; i++) {
                  y[i] = x[i] * 3 + 1;
                }
                return y;
              };
          case "adjacent difference" ->
              () -> {
                y[0] = x[0];
                for (int i = 1; i < length; i++) {
                  y[i] = x[i] - x[i - 1];
                }
                return y;
              };
          case "window sum" -> () -> windowSum(x, y);
          case "window least" -> () -> windowLeast(x, y);
          case "gather" ->
              () -> {
                for (int i = 0; i < length; i++) {
                  y[i] = x[order[i]];
                }
                return y;
              };
          case "scatter" ->
              () -> {
                for (int i = 0; i < length; i++) {
                  y[order[i]] = x[i];
                }
                return y;
              };
          case "reverse" ->
              () -> {
                for (int i = 0; i < length; i++) {
                  y[i] = x[length - 1 - i];
                }
                return y;
              };
          case "random numbers" ->
              () -> {
                SplittableRandom numbers = new SplittableRandom(1);
                for (int i = 0; i < length; i++) {
                  y[i] = numbers.nextInt();
                }
                return y;
              };
          default ->
              () -> {
                System.arraycopy(x, 0, y, 0, length);
                shuffle(y, new SplittableRandom(1));
                return JvmCase.NOTHING; // another order
              };
        };
    List<Object> inputs =
        switch (of) {
          case "gather", "scatter" -> List.of(x, order);
          case "random numbers" -> List.of();
          default -> List.of(x);
        };
    return new JvmCase.Work(operation, new int[length], inputs, loop);
  }

  private static JvmCase.Work decode(int length, int[] x, int[] y, SplittableRandom random) {
    int[] lengths = new int[Math.max(1, length / RUN)];
    int left = length;
    for (int r = 0; r < lengths.length; r++) {
      boolean isLast = r == lengths.length - 1;
      lengths[r] = isLast ? left : Math.min(left, random.nextInt(2 * RUN));
      left -= lengths[r];
    }
    int[] values = Arrays.copyOf(x, lengths.length);
    return new JvmCase.Work(
        Runs.decode(length),
        new int[length],
        List.of(values, lengths),
        () -> {
          int at = 0;
          for (int r = 0; r < lengths.length; r++) {
            for (int k = 0; k < lengths[r]; k++) {
              y[at++] = values[r];
            }
          }
          return y;
        });
  }
}
