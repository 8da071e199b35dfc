package funnel.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Log;
import funnel.math.ElementaryFunctions;
import funnel.operator.ElementFunction;
import funnel.operator.Transform;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** Functions that the JVM's loops call as objects have Funnel's elementary functions. */
class JvmFunctionTest {

  /** Of an argument whose power is another number by the JDK than by Funnel's functions. */
  private static final double BASE = baseOfAnother();

  private static double baseOfAnother() {
    SplittableRandom random = new SplittableRandom(1);
    double found = random.nextDouble(1, 9);
    for (int i = 0; i < 1_000_000 && power(found) == Math.pow(found, 1.7); i++) {
      found = random.nextDouble(1, 9);
    }
    return found;
  }

  private static double power(double v) {
    return ElementaryFunctions.pow(v, 1.7);
  }

  private record Line(double exponent) {
    double at(double v) {
      return own(v) + 0 * exponent;
    }

    private double own(double v) {
      return Math.pow(v, exponent);
    }
  }

  /** Of several types, with all kinds of captured values. */
  private interface Row extends ElementFunction {
    double of(double v);
  }

  private static Transform.DoubleMap ofMore(
      boolean is, byte b, short s, char c, int i, long l, float f, double d, double[] table) {
    return v -> (is ? Math.pow(v, d) : 0) + 0.0 * (b + s + c + i + l + f + table[0]);
  }

  /** In another nest. */
  private static double elsewhere(double v) {
    return Elsewhere.of(v);
  }

  @Test
  void jdkAndFunnelDiffer() { // or these tests could not fail
    assertNotEquals(Math.pow(BASE, 1.7), power(BASE));
  }

  @Test
  void capturedValues_ofAllTypes() {
    Transform.DoubleMap of = ofMore(true, (byte) 1, (short) 2, '3', 4, 5, 6, 1.7, new double[] {7});
    assertEquals(power(BASE), ((Transform.DoubleMap) JvmFunction.of(of)).applyAsDouble(BASE));
    assertFalse(JvmFunction.differs(of));
  }

  @Test
  void instanceMethods_withPrivateOnes() {
    Transform.DoubleMap of = new Line(1.7)::at;
    assertEquals(power(BASE), ((Transform.DoubleMap) JvmFunction.of(of)).applyAsDouble(BASE));
  }

  @Test
  void functionsOfSeveralTypes() {
    double exponent = 1.7;
    Row of = v -> Math.pow(v, exponent);
    assertEquals(power(BASE), ((Row) JvmFunction.of(of)).of(BASE));
  }

  @Test
  void withoutElementaryFunctions_theObjectItself() {
    double captured = 1.7;
    Transform.DoubleMap of = v -> v * captured;
    assertSame(of, JvmFunction.of(of));
  }

  @Test
  void methodsOfAnotherClass_arePublicOrThereIsAWarning() {
    double captured = 0;
    Transform.DoubleMap open = v -> Elsewhere.open(v) + captured;
    assertEquals(power(BASE), ((Transform.DoubleMap) JvmFunction.of(open)).applyAsDouble(BASE));

    Transform.DoubleMap closed = v -> elsewhere(v) + captured;
    String log = Log.of(() -> assertSame(closed, JvmFunction.of(closed)));
    assertTrue(log.contains("calls the JDK's elementary functions"), log);
    assertTrue(log.contains("make the methods that it calls public"), log);
    assertTrue(JvmFunction.differs(closed));
  }

  /** A process with the property says which functions it calls. */
  static final class Process {
    private Process() {}

    public static void main(String[] none) {
      DoubleUnaryOperator platform = v -> Math.pow(v, 1.7);
      double captured = 1.7;
      Transform.DoubleMap of = v -> Math.pow(v, captured);
      double found = ((Transform.DoubleMap) JvmFunction.of(of)).applyAsDouble(BASE);
      System.out.println("platform=" + (found == platform.applyAsDouble(BASE)));
      System.out.println("may differ=" + KernelCopies.mayDiffer(of));
    }
  }

  private static String run(String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Process.class.getName()));
    java.lang.Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes());
  }

  @Test
  void property_choosesWhoseFunctionsTheyAre() throws IOException {
    String own = run();
    assertTrue(own.contains("platform=false") && own.contains("may differ=false"), own);
    String platform = run("-Dfunnel.math=platform");
    assertTrue(
        platform.contains("platform=true") && platform.contains("may differ=true"), platform);
    assertTrue(platform.contains("results may differ in their last digits"), platform);
    String wrong = run("-Dfunnel.math=platfrom");
    assertTrue(wrong.contains("-Dfunnel.math=platfrom is neither funnel nor platform"), wrong);
  }
}

/** In a nest of its own. */
final class Elsewhere {
  private Elsewhere() {}

  static double of(double v) {
    return hidden(v) + Math.pow(v, 1.7);
  }

  private static double hidden(double v) {
    return v - v;
  }

  public static double open(double v) {
    return Math.pow(v, 1.7);
  }
}
