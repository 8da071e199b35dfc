package funnel.select;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Elements;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.ptx.PtxDriver;
import funnel.reduce.Reduction;
import funnel.scan.ScanForm;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("gpu")
class SelectDeviceTest extends SelectContract {

  @Override
  Target target() {
    return Target.TORNADO;
  }

  @Override
  int capacity(ElementType type) {
    return PtxDriver.length(1 << 22);
  }

  /** Around tiles, chunks and groups. */
  @Override
  List<Integer> lengths(ElementType type) {
    int tile = SelectTiles.tile(type);
    int lead = SelectTiles.lead(type);
    int chunk = SelectTiles.CHUNK * tile;
    return IntStream.of(
            PtxDriver.lengths(
                0,
                1,
                33,
                tile - lead - 1,
                tile - lead,
                tile - lead + 1,
                chunk - lead - 1,
                chunk - lead,
                chunk - lead + 1,
                3 * chunk + 77,
                capacity(type)))
        .boxed()
        .toList();
  }

  /** One plan again and again, of lengths that change, gives each time what a plain loop does. */
  @Test
  void tenThousandRuns() {
    SplittableRandom random = Seed.random("runs");
    int most = PtxDriver.length(100_000);
    int[] x = random.ints(most, -1000, 1000).toArray();
    int[] expected = new int[most + 1];
    for (int i = 0; i < most; i++) {
      expected[i + 1] = expected[i] + (x[i] > 0 ? 1 : 0);
    }
    Transform positive = Transform.testInt("positive", v -> v > 0);
    try (Plan plan =
        funnel
            .plan("p")
            .input("x", ElementType.INT, most)
            .add("kept", Select.where(positive), "x")
            .add("again", Select.where(positive).by(ScanForm.SINGLE_PASS).positions(), "kept")
            .add("sum", Reduction.sum(), "again")
            .build()) {
      for (int run = 0; run < PtxDriver.cases(10_000); run++) {
        int length = random.nextInt(most + 1);
        Results results = plan.run(Map.of("x", Elements.of(x, 0, length)));
        int kept = expected[length];
        String what = "run %s, length %s%s".formatted(run, length, Seed.replay());
        assertEquals(kept, results.length("kept"), what);
        assertEquals(kept, results.length("again"), what);
        assertEquals((int) (kept * (kept - 1L) / 2), results.getInt("sum"), what);
        if (run % 500 == 0) {
          int[] wanted = IntStream.of(x).limit(length).filter(v -> v > 0).toArray();
          assertArrayEquals(wanted, results.ints("kept"), what);
        }
      }
    }
  }

  /** More elements than an int has bytes for. */
  @Test
  @Tag("large")
  void halfABillionElements() {
    int length = (1 << 29) + 3;
    int[] x = new int[length];
    Arrays.parallelSetAll(x, i -> i * 0x9e3779b9);
    Transform positive = Transform.testInt("positive", v -> v > 0);
    for (ScanForm form : ScanForm.values()) {
      int[] kept = funnel.run(Select.where(positive).by(form), Elements.of(x)).ints("result");
      int at = 0;
      for (int value : x) {
        if (value > 0) {
          assertEquals(value, kept[at], form::toString);
          at++;
        }
      }
      assertEquals(at, kept.length, form::toString);
    }
  }
}
