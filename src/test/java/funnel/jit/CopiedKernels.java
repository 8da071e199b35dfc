package funnel.jit;

import funnel.kernel.KernelTask;
import funnel.operator.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** A class with placeholders, for copying: what a kernel class and a loop class may contain. */
final class CopiedKernels implements PlaceholderCalls {

  /** Another class of Funnel that reaches a placeholder. */
  static final class Detour {
    private Detour() {}

    static int twice(int value) {
      return thrice(value) - value;
    }

    private static int thrice(int value) {
      return Placeholder.map(-1, value) * 3;
    }

    /** Reaches none. */
    static int untouched(int value) {
      return value + 1;
    }
  }

  private static int count;

  /** A function that is declared in the very class that is copied. */
  static final Operator.IntCombine OWN = (a, b) -> scaled(a) + b;

  private static int scaled(int value) {
    return value * 100;
  }

  private final List<CopiedKernels> made = new ArrayList<>();

  static void kernel(KernelContext context, IntArray values, IntArray result, Integer n) {
    int combined = values.get(0);
    for (int i = 1; i < n; i++) {
      combined = Combine.apply(7, combined, values.get(i));
    }
    result.set(0, combined);
  }

  @Override
  public KernelTask task(IntArray values, IntArray result, int n) {
    return KernelTask.of(
        "x", KernelTask.Grid.of(1, 1), CopiedKernels::kernel, values, result, (Integer) n);
  }

  @Override
  public int combine(int left, int right) {
    return Placeholder.combine(left, right);
  }

  @Override
  public long combine(long left, long right) {
    return Placeholder.combine(left, right);
  }

  @Override
  public float combine(float left, float right) {
    return Placeholder.combine(left, right);
  }

  @Override
  public double combine(double left, double right) {
    return Placeholder.combine(left, right);
  }

  @Override
  public int combineByCode(int operator, int left, int right) {
    return Combine.apply(operator, left, right);
  }

  @Override
  public boolean testAll(int i, long j, float f, double d) {
    return Placeholder.test(-1, i)
        && Placeholder.test(-1, j)
        && Placeholder.test(-1, f)
        && Placeholder.test(-1, d);
  }

  @Override
  public int map(int value) {
    return Detour.twice(Detour.untouched(value));
  }

  @Override
  public long map(long value) {
    return Placeholder.map(-1, value);
  }

  @Override
  public float map(float value) {
    return Placeholder.map(-1, value);
  }

  @Override
  public double map(double value) {
    return Placeholder.map(-1, value);
  }

  @Override
  public String codes() {
    String name =
        switch (Placeholder.operator()) {
          case 1_000_000 -> "a million";
          case -1 -> "none";
          default -> "other";
        };
    return name + " " + Placeholder.transform();
  }

  @Override
  public int mapInStream(int value) {
    return IntStream.of(value).map(v -> Placeholder.map(-1, v) + map(v)).sum();
  }

  @Override
  public int mapInAnonymousLoop(int value) {
    IntUnaryOperator function = Detour::twice;
    Object merged = value > 0 ? made : this;
    return merged == null ? 0 : function.applyAsInt(value);
  }

  @Override
  public PlaceholderCalls another() {
    CopiedKernels[] array = {new CopiedKernels()};
    made.add(array[0]);
    return array[0];
  }

  @Override
  public Class<?> named() {
    return CopiedKernels.class;
  }

  @Override
  public int next() {
    return ++count;
  }
}
