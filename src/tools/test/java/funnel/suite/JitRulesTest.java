package funnel.suite;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

class JitRulesTest {

  static List<JitRule> rules() {
    return JitRules.all();
  }

  @Test
  void names_areUniqueAndPlain() {
    Set<String> names = new HashSet<>();
    for (JitRule rule : JitRules.all()) {
      assertTrue(names.add(rule.name()), rule.name());
      assertTrue(rule.name().matches("[a-z0-9]+(-[a-z0-9]+)*"), rule.name());
      assertFalse(rule.says().isBlank(), rule.name());
    }
  }

  @Test
  void kinds_areAllThere() {
    for (JitRule.Kind kind : JitRule.Kind.values()) {
      assertTrue(JitRules.of(kind).size() > 10, kind.name());
    }
  }

  @Test
  void reliedOn_isNeverDangerous() {
    assertTrue(JitRules.of(JitRule.Kind.RELIED_ON).stream().noneMatch(JitRule::dangerous));
  }

  @Test
  void named_findsARuleOrSaysSo() {
    assertSame(JitRules.all().getFirst(), JitRules.named(JitRules.all().getFirst().name()));
    assertThrows(IllegalArgumentException.class, () -> JitRules.named("no-such-rule"));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void trial_isNotRightBeforeItHasRun(JitRule rule) {
    assertTrue(rule.newTrial().verify().isPresent());
  }

  @ParameterizedTest
  @MethodSource("rules")
  void trial_hasFreshArraysEachTime(JitRule rule) {
    JitTrial first = rule.newTrial();
    JitTrial second = rule.newTrial();
    for (int i = 0; i < first.outputs().size(); i++) {
      assertTrue(first.outputs().get(i).array() != second.outputs().get(i).array());
    }
  }

  @ParameterizedTest
  @MethodSource("rules")
  void trial_isRightWithTheExpectedValuesAndWrongWithOneOther(JitRule rule) {
    JitTrial trial = rule.newTrial();
    for (Output output : trial.outputs()) {
      if (output instanceof Expected<?> expected) {
        fill(expected);
        assertTrue(expected.firstDifference().isEmpty());
        int last = Array.getLength(expected.values()) - 1;
        spoil(expected, last);
        assertTrue(expected.firstDifference().orElseThrow().startsWith("out[" + last + "]"));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("rules")
  void outputs_areArgumentsOfTheTasks(JitRule rule) {
    JitTrial trial = rule.newTrial();
    for (Output output : trial.outputs()) {
      assertTrue(
          trial.tasks().stream()
              .flatMap(task -> task.arguments().stream())
              .anyMatch(argument -> argument == output.array()));
    }
  }

  @Test
  void expectations_ofKnownCases() {
    assertAll(
        () -> assertEquals(-1, expected("signed-shift-right-int", at(-1, Trials.INTS, 3))),
        () ->
            assertEquals(0x7fffffff, expected("unsigned-shift-right-int", at(-1, Trials.INTS, 3))),
        () ->
            assertEquals(
                0x40000000,
                expected("unsigned-shift-right-int", at(Integer.MIN_VALUE, Trials.INTS, 3))),
        () -> assertEquals(-3, expected("divide-negative-by-power-of-two", at(-7, Trials.INTS, 2))),
        () -> assertEquals(-1, expected("floor-div", at(-1, Trials.INTS, 2))),
        () -> assertEquals(0, expected("int-from-special-float", Trials.FLOATS.length - 1)),
        () ->
            assertEquals(
                Integer.MAX_VALUE, expected("int-from-special-float", Trials.FLOATS.length - 3)),
        () ->
            assertEquals(
                Long.MIN_VALUE, expected("long-from-special-double", Trials.DOUBLES.length - 2)),
        () -> assertEquals(-0f, expected("math-min-max-float", 2)),
        () -> assertEquals(0f, expected("math-min-max-float", 3)));
  }

  /** The wrong forms that are known must not pass for right ones. */
  @Test
  void values_tellTheKnownWrongFormsApart() {
    assertAll(
        () -> differs("signed-shift-right-int", i -> Trials.INTS[i / 3] >>> shift(i)),
        () ->
            differs(
                "unsigned-shift-right-int",
                i -> Trials.INTS[i / 3] >> new int[] {1, 24, 28}[i % 3]),
        () -> differs("compare-unsigned-int", i -> left(i) < right(i) ? 1 : 0),
        () -> differs("joined-conditions-int", i -> i % 3 == 0 ? 1 : 0),
        () -> {
          float[] x = Trials.randomFloats(256, 1);
          float[] y = Trials.randomFloats(256, 2);
          assertTrue(
              100 < differences("multiply-add-float", i -> Math.fma(x[i], y[i], -(x[i] * y[i]))));
        },
        () -> {
          double[] x = Trials.randomDoubles(256, 1);
          double[] y = Trials.randomDoubles(256, 2);
          assertTrue(
              100 < differences("multiply-add-double", i -> Math.fma(x[i], y[i], -(x[i] * y[i]))));
        },
        () -> {
          float[] x = Trials.randomFloats(1500, 1);
          float[] y = Trials.randomFloats(1500, 2);
          assertTrue(
              30
                  < differences(
                      "guarded-multiply-add-float",
                      i -> {
                        float sum = 0f;
                        for (int item = i; item < 1500; item += 64) {
                          sum = Math.fma(x[item], y[item], sum);
                        }
                        return sum;
                      }));
        },
        () -> differs("loop-with-two-exits", i -> -1),
        () -> differs("loop-with-two-exits", i -> 50));
  }

  private static int shift(int i) {
    return new int[] {1, 7, 31}[i % 3];
  }

  private static int left(int i) {
    return Trials.lefts(Trials.INTS)[i];
  }

  private static int right(int i) {
    return Trials.rights(Trials.INTS)[i];
  }

  private static int at(int value, int[] values, int width) {
    return width * Arrays.stream(values).boxed().toList().indexOf(value);
  }

  private static Expected<?> expectation(String rule) {
    return (Expected<?>) JitRules.named(rule).newTrial().outputs().getFirst();
  }

  private static Object expected(String rule, int i) {
    return Array.get(expectation(rule).values(), i);
  }

  private static void differs(String rule, IntFunction<Object> wrong) {
    assertTrue(differences(rule, wrong) > 0, rule);
  }

  private static int differences(String rule, IntFunction<Object> wrong) {
    Object values = expectation(rule).values();
    return (int)
        IntStream.range(0, Array.getLength(values))
            .filter(i -> !Array.get(values, i).equals(wrong.apply(i)))
            .count();
  }

  private static void fill(Expected<?> expected) {
    for (int i = 0; i < Array.getLength(expected.values()); i++) {
      Object value = Array.get(expected.values(), i);
      switch ((Object) expected.array()) {
        case IntArray a -> a.set(i, (int) value);
        case LongArray a -> a.set(i, (long) value);
        case FloatArray a -> a.set(i, (float) value);
        case DoubleArray a -> a.set(i, (double) value);
        default -> throw new IllegalStateException();
      }
    }
  }

  private static void spoil(Expected<?> expected, int i) {
    switch ((Object) expected.array()) {
      case IntArray a -> a.set(i, a.get(i) + 1);
      case LongArray a -> a.set(i, a.get(i) + 1);
      case FloatArray a -> a.set(i, a.get(i) == 1f ? 2f : 1f);
      case DoubleArray a -> a.set(i, a.get(i) == 1d ? 2d : 1d);
      default -> throw new IllegalStateException();
    }
  }
}
