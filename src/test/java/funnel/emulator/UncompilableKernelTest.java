package funnel.emulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** What no device can compile, or compiles to something else, is refused before it runs. */
class UncompilableKernelTest {

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int[] TABLE = {1, 2, 3, 4};
  private static final boolean CHECKED = Boolean.getBoolean("funnel.test.checked");

  record Pair(int a, int b) {}

  static void catching(KernelContext context, IntArray x, int n) {
    int i = context.localIdx;
    try {
      x.set(i, 100 / x.get(i));
    } catch (ArithmeticException _) {
      x.set(i, 0);
    }
  }

  /** Swallows what stops an endless kernel. */
  static void catchingForEver(KernelContext context, IntArray x, int n) {
    while (x.get(0) != n) {
      try {
        context.localBarrier();
      } catch (RuntimeException _) {
        x.set(1, 1);
      }
    }
  }

  private static int divided(int v) {
    try {
      return 100 / v;
    } catch (ArithmeticException _) {
      return 0;
    }
  }

  static void catchingInHelper(KernelContext context, IntArray x, int n) {
    x.set(context.localIdx, divided(x.get(context.localIdx)));
  }

  static void barrierInLock(KernelContext context, IntArray x, int n) {
    synchronized (x) {
      x.set(context.localIdx, n);
      context.localBarrier();
    }
  }

  private static synchronized void locked(KernelContext context) {
    context.localBarrier();
  }

  static void barrierInSynchronizedMethod(KernelContext context, IntArray x, int n) {
    locked(context);
    x.set(context.localIdx, n);
  }

  static void arraycopy(KernelContext context, IntArray x, int n) {
    int[] from = context.allocateIntLocalArray(4);
    int[] to = context.allocateIntLocalArray(4);
    from[context.localIdx] = n;
    System.arraycopy(from, context.localIdx, to, context.localIdx, 1);
    x.set(context.localIdx, to[context.localIdx]);
  }

  static void cloning(KernelContext context, IntArray x, int n) {
    int[] mine = new int[4];
    mine[n & 3] = n;
    x.set(context.localIdx, mine.clone()[n & 3]);
  }

  static void throwing(KernelContext context, IntArray x, int n) {
    if (n < 0) {
      throw new IllegalArgumentException("n=" + n);
    }
    x.set(context.localIdx, n);
  }

  private static int chosen(int n) {
    return switch (n) {
      case 5 -> 1;
      default -> throw new IllegalStateException();
    };
  }

  static void throwingInSwitch(KernelContext context, IntArray x, int n) {
    x.set(context.localIdx, chosen(n));
  }

  static void printing(KernelContext context, IntArray x, int n) {
    System.out.println(n);
    x.set(context.localIdx, n);
  }

  static void timing(KernelContext context, IntArray x, int n) {
    x.set(context.localIdx, (int) System.nanoTime());
  }

  static void lambda(KernelContext context, IntArray x, int n) {
    IntUnaryOperator twice = v -> 2 * v;
    x.set(context.localIdx, twice.applyAsInt(n));
  }

  static void strings(KernelContext context, IntArray x, int n) {
    x.set(context.localIdx, ("n=" + n).length());
  }

  static void arrayOfArrays(KernelContext context, IntArray x, int n) {
    int[][] square = new int[2][2];
    square[n & 1][0] = n;
    x.set(context.localIdx, square[n & 1][0]);
  }

  static void arrayOfObjects(KernelContext context, IntArray x, int n) {
    Pair[] pairs = new Pair[2];
    pairs[0] = new Pair(1, n);
    x.set(context.localIdx, pairs[0].b());
  }

  static void table(KernelContext context, IntArray x, int n) {
    x.set(context.localIdx, TABLE[n & 3]);
  }

  private static int factorial(int n) {
    return n < 2 ? 1 : n * factorial(n - 1);
  }

  static void recursive(KernelContext context, IntArray x, int n) {
    x.set(context.localIdx, factorial(n));
  }

  static void exact(KernelContext context, IntArray x, int n) {
    x.set(context.localIdx, Math.addExact(n, 1));
  }

  static void magnitude(KernelContext context, IntArray x, int n) {
    x.set(context.localIdx, Math.abs(n));
  }

  static void fill(KernelContext context, IntArray x, int n) {
    int[] all = context.allocateIntLocalArray(4);
    Arrays.fill(all, n);
    context.localBarrier();
    x.set(context.localIdx, all[context.localIdx]);
  }

  private static void put(int[] all, int at, int value) {
    all[at] = value;
  }

  static void passing(KernelContext context, IntArray x, int n) {
    int[] all = context.allocateIntLocalArray(4);
    put(all, context.localIdx, n);
    x.set(context.localIdx, all[context.localIdx]);
  }

  static void length(KernelContext context, IntArray x, int n) {
    int[] all = context.allocateIntLocalArray(4);
    all[context.localIdx] = n;
    x.set(context.localIdx, all[context.localIdx] + all.length);
  }

  private static Arguments refused(
      KernelTask.Kernel3<IntArray, Integer> kernel, String method, String what, String advice) {
    return Arguments.of(kernel, method, what, advice);
  }

  static Stream<Arguments> kernels() {
    return Stream.of(
        refused(UncompilableKernelTest::catching, "catching", "catches exceptions", "test the"),
        refused(UncompilableKernelTest::catchingForEver, "catchingForEver", "catches", "test the"),
        refused(UncompilableKernelTest::catchingInHelper, "divided", "catches", "test the"),
        refused(
            UncompilableKernelTest::barrierInLock, "barrierInLock", "synchronizes", "atomicAdd"),
        refused(
            UncompilableKernelTest::barrierInSynchronizedMethod,
            "locked",
            "is synchronized",
            "atomicAdd"),
        refused(UncompilableKernelTest::arraycopy, "arraycopy", "System.arraycopy", "a loop"),
        refused(UncompilableKernelTest::cloning, "cloning", "clones an array", "a loop"),
        refused(UncompilableKernelTest::throwing, "throwing", "joins strings", "static methods"),
        refused(UncompilableKernelTest::throwingInSwitch, "chosen", "throws", "means failure"),
        refused(UncompilableKernelTest::printing, "printing", "prints", "an array"),
        refused(UncompilableKernelTest::timing, "timing", "System.nanoTime", "an argument"),
        refused(UncompilableKernelTest::lambda, "lambda", "makes a lambda", "static methods"),
        refused(UncompilableKernelTest::strings, "strings", "joins strings", "static methods"),
        refused(UncompilableKernelTest::arrayOfArrays, "arrayOfArrays", "array of arrays", "row"),
        refused(UncompilableKernelTest::arrayOfObjects, "arrayOfObjects", "of objects", "field"),
        refused(UncompilableKernelTest::table, "table", "static field TABLE", "TornadoVM array"),
        refused(
            UncompilableKernelTest::recursive, "factorial", "leads back to this call", "a loop"),
        refused(UncompilableKernelTest::exact, "exact", "Math.addExact", "long"),
        refused(UncompilableKernelTest::magnitude, "magnitude", "Math.abs", "-v : v"),
        refused(UncompilableKernelTest::fill, "fill", "passed to Arrays.fill", "allocates it"),
        refused(
            UncompilableKernelTest::passing,
            "passing",
            "passed to UncompilableKernelTest.put",
            "allocates it"),
        refused(UncompilableKernelTest::length, "length", "length of a local array", "number"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("kernels")
  void refused_withPlaceAndAdvice(
      KernelTask.Kernel3<IntArray, Integer> kernel, String method, String what, String advice) {
    IntArray x = new IntArray(4);
    x.init(-1);
    KernelTask task = KernelTask.of("k", Grid.of(1, 4), kernel, x, 5);
    Emulator emulator = Emulator.builder().maxSteps(100_000).build();
    UnsupportedKernelException e =
        assertThrows(
            UnsupportedKernelException.class,
            () -> assertTimeoutPreemptively(SOON, () -> emulator.run(task)));
    String message = e.getMessage();
    assertTrue(
        message.matches(
            ".*UncompilableKernelTest\\." + method + "\\(UncompilableKernelTest\\.java:\\d+\\).*"),
        message);
    assertTrue(message.contains(what) && message.contains(advice), message);
  }

  /** What looks like it, and compiles. */
  static void compiling(KernelContext context, IntArray x, int n) {
    assert n > 0 : "n=" + n;
    if (CHECKED) {
      throw new IllegalArgumentException();
    }
    int[] mine = new int[4];
    Arrays.fill(mine, n);
    put(mine, 1, TABLE.length);
    Pair pair = new Pair(mine[1], mine.length);
    x.set(context.localIdx, pair.a() + pair.b() + mine[2] + (int) Math.abs(-1.0));
  }

  @Test
  void whatCompiles_runs() {
    IntArray x = new IntArray(4);
    Emulator.builder()
        .detectRaces(true)
        .build()
        .run(KernelTask.of("k", Grid.of(1, 4), UncompilableKernelTest::compiling, x, 5));
    assertEquals(4 + 4 + 5 + 1, x.get(3));
  }
}
