package funnel.rank;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.Values;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.ptx.PtxDriver;
import funnel.sort.SortOracle;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("gpu")
class TornadoRankTest extends RankContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  public int[] lengths() {
    return PtxDriver.lengths(0, 1, 2, 33, 511, 513, 2047, 2049, 4095, 4096, 4097, 12_289, 500_000);
  }

  @Override
  int several() {
    return PtxDriver.length(100_000);
  }

  private static Plan plan(Funnel of, ElementType type, int capacity) {
    return of.plan("many")
        .input("x", type, capacity)
        .add("top", TopK.largest(1000).withPositions(), "x")
        .add("quantiles", Quantiles.of(0.25, 0.5, 0.999).interpolated(), "x")
        .build();
  }

  /** So many that there is a sample, in parts of several tiles; the JVM has the same. */
  @ParameterizedTest
  @EnumSource
  @Tag("large")
  void ofMany(ElementType type) {
    SplittableRandom random = Seed.random("many" + type);
    int length = (type.bytes() > 4 ? 1 << 24 : 1 << 25) + random.nextInt(100_000);
    long nan = type == ElementType.DOUBLE ? 0x7ff8000000000000L : 0x7fc00000L;
    List<IntFunction<Long>> kinds =
        List.of(
            _ -> random.nextLong(),
            i -> (long) i,
            i -> (long) -i,
            i -> (long) (i % 4096),
            i -> i < length - 5 ? 77L : i,
            _ -> random.nextLong() & random.nextLong() & random.nextLong(),
            i -> random.nextInt(3) > 0 ? nan + random.nextInt(4) : i);
    try (Funnel jvm = Funnel.open(Target.JVM);
        Plan plan = plan(funnel, type, length);
        Plan onJvm = plan(jvm, type, length)) {
      for (int kind = 0; kind < kinds.size(); kind++) {
        Values x = SortOracle.made(type, length, kinds.get(kind));
        Results got = plan.run(Map.of("x", x.elements()));
        Results expected = onJvm.run(Map.of("x", x.elements()));
        String said = "%s, kind %s%s".formatted(type, kind, Seed.replay());
        assertArrayEquals(expected.ints("top_positions"), got.ints("top_positions"), said);
        assertArrayEquals(expected.doubles("quantiles"), got.doubles("quantiles"), said);
        assertEquals(1000, got.length("top"), said);
      }
    }
  }
}
