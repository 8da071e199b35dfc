package funnel.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.FreeMemory;
import funnel.Funnel;
import funnel.Seed;
import funnel.operation.Target;
import java.io.IOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nearly 2^29 floats, more than 2^31 bytes a field, against single steps of parts of it. */
@Tag("large")
class LargeHeatTest {

  private static final int NX = 23_171;
  private static final int NY = 23_169;
  private static final int STEPS = 27;
  private static final int PART = 40;
  private static final float CX = 0.2f;
  private static final long NEEDED_BYTES = 24L << 30;

  private static float value(int i, int j) {
    return (i * 7 + j * 13) % 1009 / 1024f - ((i / 64 + j / 32) & 1);
  }

  @Tag("gpu")
  @ParameterizedTest
  @EnumSource
  void device_partsAreTheLoopsBits(HeatMethod method) throws IOException {
    FreeMemory.assume("LargeHeatTest", NEEDED_BYTES);
    SplittableRandom random = Seed.random("large heat");
    try (Funnel funnel = Funnel.open(Target.TORNADO);
        Heat2D heat =
            HeatProblem.builder(NX, NY)
                .dt(CX)
                .left(Side.dirichlet())
                .method(method)
                .initial((x, y) -> value((int) x, (int) y))
                .build()
                .open(funnel)) {
      HeatSnapshot after = heat.step(STEPS).snapshot();
      for (int x : new int[] {0, NX - PART, random.nextInt(NX - PART)}) {
        for (int y : new int[] {0, NY - PART, random.nextInt(NY - PART)}) {
          check(after, x, y);
        }
      }
    }
  }

  /** A part with all nodes that it depends on; those beyond the grid are never looked at. */
  private static void check(HeatSnapshot after, int x, int y) {
    int width = PART + 2 * STEPS;
    float[] u = new float[width * width];
    for (int at = 0; at < u.length; at++) {
      u[at] = value(Math.max(0, x - STEPS + at % width), Math.max(0, y - STEPS + at / width));
    }
    for (int step = 0; step < STEPS; step++) {
      float[] next = u.clone();
      for (int at = width; at < u.length - width; at++) {
        int i = x - STEPS + at % width;
        int j = y - STEPS + at / width;
        if (at % width == 0 || at % width == width - 1 || i == 0) {
          continue;
        }
        float l = u[at - 1];
        float r = i == NX - 1 ? u[at] : u[at + 1];
        float d = j == 0 ? u[at] : u[at - width];
        float t = j == NY - 1 ? u[at] : u[at + width];
        next[at] = Math.fma(CX, Math.fma(-4f, u[at], Math.fma(1f, d + t, l + r)), u[at]);
      }
      u = next;
    }
    for (int at = 0; at < PART * PART; at++) {
      int i = x + at % PART;
      int j = y + at / PART;
      float expected = u[(j - y + STEPS) * width + i - x + STEPS];
      assertEquals(expected, (float) after.at(i, j), "i=%s, j=%s%s".formatted(i, j, Seed.replay()));
    }
  }
}
