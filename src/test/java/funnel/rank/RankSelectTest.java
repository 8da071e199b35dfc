package funnel.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Seed;
import funnel.Values;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Order;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operator.ElementType;
import funnel.sort.SortOracle;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RankSelectTest {

  /** Parts of several tiles, threads and blocks in other orders, with a look for races. */
  @ParameterizedTest
  @EnumSource(names = {"BYTE", "INT", "LONG"})
  void inAnyOrder(ElementType type) {
    SplittableRandom random = Seed.random("ranks in any order" + type);
    int length = 5 * IntRankKernels.TILE - random.nextInt(2 * IntRankKernels.TILE);
    Input x = new Input("x", type, length + random.nextInt(5000));
    long mask = random.nextLong() & random.nextLong() | random.nextLong() & random.nextLong();
    Values values = SortOracle.made(type, length, i -> random.nextLong() & mask);
    boolean isInterpolated = random.nextBoolean();
    double[] quantiles = random.doubles(isInterpolated ? 11 : 21).toArray();
    for (Ranks ranks :
        List.of(
            Ranks.first(1 + random.nextInt(length), random.nextBoolean()),
            Ranks.of(DoubleStream.of(quantiles).boxed().toList(), isInterpolated))) {
      RankSelect select = new RankSelect("s", "x", type, ranks, "y", 2, x.capacity());
      int wanted = ranks.wanted(length);
      ElementType found = ranks.isFirst() ? ElementType.INT : type;
      MemorySegment expected = Values.ofLength(found, wanted).segment();
      RankLoops loops = new RankLoops(values.segment(), length, type, ranks);
      if (ranks.isFirst()) {
        loops.positions(wanted, expected);
      } else {
        loops.elements(expected);
      }
      MemorySegment got = Values.ofLength(found, wanted).segment();
      Emulator emulator =
          Emulator.builder()
              .order(Order.RANDOM)
              .groupOrder(Order.RANDOM)
              .seed(Seed.VALUE)
              .detectRaces(true)
              .build();
      try (EmulatorEngine engine = new EmulatorEngine(emulator);
          LoadedProgram program = engine.load(Program.of(List.of(x), List.of(select)), Map.of())) {
        program.set("x", values.segment());
        program.run();
        program.fetch("y", got);
      }
      assertEquals(-1, expected.mismatch(got), () -> select + Seed.replay());
    }
  }
}
