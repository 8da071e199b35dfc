package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.heat.HeatMethod;
import funnel.lessons.HeatVariant;
import funnel.operation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples of the heat equation do what they say. */
class HeatSnippetsTest {

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void sides(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      double[] row = {20, 25, 30, 35};
      double[] tube = HeatSnippets.tube(funnel);
      assertEquals(3 * row.length, tube.length);
      for (int i = 0; i < tube.length; i++) {
        assertEquals(row[i % row.length], tube[i], 1e-6, "at " + i);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void inTime(Target target) {
    double[] row = new double[4];
    for (int step = 0; step < 100; step++) {
      double ghost = 2 * Math.sin(step * 0.125) - row[0];
      double[] next = new double[4];
      for (int i = 0; i < 4; i++) {
        double left = i > 0 ? row[i - 1] : ghost;
        double right = i < 3 ? row[i + 1] : row[3];
        next[i] = row[i] + 0.125 * (left - 2 * row[i] + right + (step < 50 ? 1 : 0));
      }
      row = next;
    }
    try (Funnel funnel = Funnel.open(target)) {
      double[] field = HeatSnippets.inTime(funnel);
      for (int at = 0; at < field.length; at++) {
        assertEquals(row[at % 4], field[at], 1e-12, "at " + at);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void problem(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals("t=20.0: 43.0, t=0.0: 0.0", HeatSnippets.solvers(funnel));
      float[] picture = new float[16 * 16];
      picture[100] = 1;
      double[] most = HeatSnippets.kept(funnel, picture);
      assertEquals(100, most[0]);
      assertTrue(most[1] > 0.39 && most[1] < 2, () -> "after 100 steps " + most[1]);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void methods_giveTheSame(Target target) {
    try (Funnel funnel = Funnel.open(target);
        Funnel jvm = Funnel.open(Target.JVM)) {
      float[] expected = HeatSnippets.byVariant(jvm, "tile");
      for (HeatMethod method : HeatMethod.values()) {
        assertArrayEquals(expected, HeatSnippets.by(funnel, method), method.label());
      }
      for (HeatVariant variant : HeatVariant.values()) {
        assertArrayEquals(expected, HeatSnippets.byVariant(funnel, variant.label()));
      }
      assertArrayEquals(expected, HeatSnippets.byVariant(funnel, "3"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void snapshot(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(
          "t=0.0: 1.0 at most, t=0.25: 0.5 at most, 0.25 beside it", HeatSnippets.pulse(funnel));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void unstable(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(0.0625, HeatSnippets.stableTime(funnel, 0.0625));
      assertEquals(0.05, HeatSnippets.stableTime(funnel, 0.1));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void field(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(
          "sensor 4 of 6 says NaN",
          HeatSnippets.measured(funnel, new double[] {20, 20, 20, 20, Double.NaN, 20}));
      assertEquals(
          "largest: 20.0", HeatSnippets.measured(funnel, new double[] {20, 20, 20, 20, 20, 20}));
    }
  }
}
