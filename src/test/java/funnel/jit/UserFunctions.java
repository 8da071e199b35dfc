package funnel.jit;

import funnel.operator.Operator;
import funnel.operator.Transform;

/** Functions as users write them, in places that a copy of a kernel class cannot reach. */
final class UserFunctions {

  private static final int MODULUS = Integer.parseInt("10007");
  private static long[] table = {3, 5, 7};
  private static int calls;

  private final int offset;

  UserFunctions(int offset) {
    this.offset = offset;
  }

  static int gcd(int a, int b) {
    int x = magnitude(a);
    int y = magnitude(b);
    while (y != 0) {
      int rest = x % y;
      x = y;
      y = rest;
    }
    return x;
  }

  private static int magnitude(int a) {
    return negative(a) ? -a : a;
  }

  private static boolean negative(int a) {
    return a < 0;
  }

  static int recursiveGcd(int a, int b) {
    return b == 0 ? a : recursiveGcd(b, a % b);
  }

  static int modular(int a, int b) {
    return Math.floorMod(a * b, MODULUS);
  }

  static long fromTable(long a, long b) {
    return a * table[0] + b;
  }

  static int counting(int a, int b) {
    calls++;
    return a + b;
  }

  static int throwing(int a, int b) {
    if (a > b) {
      throw new IllegalStateException("a=%s, b=%s".formatted(a, b));
    }
    return a + b;
  }

  static int comparing(long a, long b) {
    return a < b ? -1 : a == b ? 0 : 1;
  }

  static int combinedByFunnel(int a, int b) {
    return Combine.apply(7, a, b) + Combine.apply(0, a, b);
  }

  static synchronized int locked(int a, int b) {
    return a + b;
  }

  static Integer boxed(Integer a, Integer b) {
    return a + b;
  }

  static int withLambda(int a, int b) {
    java.util.function.IntBinaryOperator inner = (x, y) -> magnitude(x) + magnitude(y);
    return inner.applyAsInt(a, b);
  }

  int shifted(int a, int b) {
    return a + b + offset;
  }

  Operator.IntCombine comparingThis() {
    return (a, b) -> this == null ? a : b + offset;
  }

  Operator.IntCombine keepingThis() {
    return (a, b) -> {
      UserFunctions kept = this;
      return a + b + kept.offset;
    };
  }

  Operator.IntCombine passingThis() {
    return (a, b) -> a + b + offsetOf(this);
  }

  private static int offsetOf(UserFunctions of) {
    return of.offset;
  }

  Operator.IntCombine callingAnother(Operator.IntCombine other) {
    return other::applyAsInt;
  }

  Operator.IntCombine capturingThis() {
    return (a, b) -> a + b + offset;
  }

  Operator.IntCombine withinAnObject() {
    return (a, b) -> a + b + 1;
  }

  static Operator.IntCombine capturing(int seed, long other) {
    return (a, b) -> (int) (a + b + seed + other);
  }

  static Operator.IntCombine capturing(int[][] seeds) {
    return (a, b) -> a + b + seeds[0][0];
  }

  static Operator.IntCombine capturing(String text) {
    return (a, b) -> a + b + text.length();
  }

  /** Serializable, but neither lambda nor method reference. */
  static final class OwnClass implements Operator.IntCombine {
    private static final long serialVersionUID = 1L;

    @Override
    public int applyAsInt(int a, int b) {
      return a + b;
    }
  }

  /** An interface with a static method. */
  interface Mixed {
    static float half(float value) {
      return value / 2;
    }
  }

  /** Inherits a static method. */
  static class Base {
    static double inherited(double value) {
      return value * 3;
    }
  }

  static final class Derived extends Base {}

  static final Transform.DoubleMap INHERITED = v -> Derived.inherited(v) + 1;
}
