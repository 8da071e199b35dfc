package funnel.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import funnel.Elements;
import funnel.EngineContract;
import funnel.Results;
import funnel.Seed;
import funnel.jit.KernelCopies;
import funnel.operator.ElementFunction;
import funnel.transform.Elementwise;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Functions whose bits may not differ have Java's; the oracle is the function in a plain loop. */
abstract class ExactFunctionsContract extends EngineContract {

  private static final double[] SPECIAL = {
    Double.NaN,
    0.0,
    -0.0,
    1,
    -1,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Double.MIN_NORMAL,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    Float.MIN_VALUE,
    -Float.MIN_NORMAL,
    Float.MAX_VALUE,
    0x1p31,
    -0x1p31 - 0.5,
    0x1.000001p24, // halfway between two floats
    1e10 + 0.5,
    -1e10 - 0.5,
    0x1p52 + 0.5,
    0x1p63,
    -0x1p63,
    1 / 3.0
  };

  @TempDir Path folder;

  /** How many functions. */
  int functions() {
    return Seed.draws(24);
  }

  /** One that fails does not hide the others. */
  @TestFactory
  Stream<DynamicTest> randomFunctions() throws Exception {
    SplittableRandom random = Seed.random("exact");
    return RandomFunctions.make(functions(), folder).stream()
        .map(
            each -> DynamicTest.dynamicTest(each.toString(), () -> check(each.function(), random)));
  }

  @TestFactory
  Stream<DynamicTest> callsOfTheJdk() {
    SplittableRandom random = Seed.random("exact");
    Map<String, ElementFunction> all = new LinkedHashMap<>(JdkCalls.integers());
    JdkCalls.floats().forEach((name, each) -> all.put("floats: " + name, each));
    return all.entrySet().stream()
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.getKey() + Seed.replay(), () -> check(each.getValue(), random)));
  }

  private void check(ElementFunction function, SplittableRandom random) {
    assertEquals(Optional.empty(), KernelCopies.deviceReason(function));
    assertFalse(KernelCopies.mayDiffer(function));
    Elementwise operation = Elementwise.of("drawn", function);
    for (int n : lengths()) {
      int[] i = new int[n];
      long[] l = new long[n];
      float[] x = new float[n];
      double[] y = new double[n];
      for (int at = 0; at < n; at++) {
        i[at] = random.nextInt(3) == 0 ? random.nextInt() : random.nextInt(-3, 9);
        l[at] = random.nextLong() >> random.nextInt(64);
        x[at] =
            switch (random.nextInt(3)) {
              case 0 -> (float) SPECIAL[random.nextInt(SPECIAL.length)];
              case 1 -> Float.intBitsToFloat(random.nextInt());
              default -> random.nextInt(-99, 99) / 8f;
            };
        y[at] =
            switch (random.nextInt(3)) {
              case 0 -> SPECIAL[random.nextInt(SPECIAL.length)];
              case 1 -> Double.longBitsToDouble(random.nextLong());
              default -> random.nextDouble(-99, 99);
            };
      }
      Results found =
          funnel.run(operation, Elements.of(i), Elements.of(l), Elements.of(x), Elements.of(y));
      for (int at = 0; at < n; at++) {
        String where = "of %s, %s, %s, %s".formatted(i[at], l[at], x[at], y[at]);
        switch (function) {
          case JdkCalls.Whole of ->
              assertEquals(of.of(i[at], l[at], x[at], y[at]), found.longs("result")[at], where);
          case RandomFunctions.Mixed of ->
              assertEquals(
                  Double.doubleToLongBits(of.of(i[at], l[at], x[at], y[at])),
                  Double.doubleToLongBits(found.doubles("result")[at]),
                  where);
          default -> throw new AssertionError(function);
        }
      }
    }
  }
}
