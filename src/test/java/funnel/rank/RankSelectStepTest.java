package funnel.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.Values;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Order;
import funnel.engine.Engine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.kernel.Kernel;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operator.ElementType;
import funnel.sort.SortOracle;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

class RankSelectStepTest {

  private static final int NO_SAMPLE = Integer.MAX_VALUE;
  private static final int SAMPLE = 1024;

  /** In the emulator, threads and blocks in other orders, with a look for races. */
  Engine open() {
    return new EmulatorEngine(
        Emulator.builder()
            .order(Order.RANDOM)
            .groupOrder(Order.RANDOM)
            .seed(Seed.VALUE)
            .detectRaces(true)
            .build());
  }

  private void check(RankSelectStep select, Values values, String what) {
    Ranks ranks = select.ranks();
    int length = values.length();
    int wanted = ranks.wanted(length);
    ElementType found = ranks.isFirst() ? ElementType.INT : select.type();
    MemorySegment expected = Values.ofLength(found, wanted).segment();
    RankSelectLoops loops = new RankSelectLoops(values.segment(), length, select.type(), ranks);
    if (ranks.isFirst()) {
      loops.positions(wanted, expected);
    } else {
      loops.elements(expected);
    }
    MemorySegment got = Values.ofLength(found, wanted).segment();
    Input x = new Input("x", select.type(), select.capacity());
    try (Engine engine = open();
        LoadedProgram program = engine.load(Program.of(List.of(x), List.of(select)), Map.of())) {
      program.set("x", values.segment());
      program.run();
      program.fetch("y", got);
    }
    assertEquals(-1, expected.mismatch(got), () -> what + ": " + select + Seed.replay());
  }

  private static Ranks quantiles(SplittableRandom random, int count, boolean isInterpolated) {
    DoubleStream some = random.doubles(count).map(q -> Math.round(q * 64) / 64.0);
    return Ranks.of(some.boxed().toList(), isInterpolated);
  }

  /** Parts of several tiles; one of all, for which counters are added up more than once. */
  @ParameterizedTest
  @EnumSource(names = {"BYTE", "INT", "DOUBLE"})
  void amongAll(ElementType type) {
    SplittableRandom random = Seed.random("ranks among all" + type);
    int length = 5 * IntRankSelectKernels.TILE - random.nextInt(2 * IntRankSelectKernels.TILE);
    int capacity = length + random.nextInt(5000);
    long mask = random.nextLong() & random.nextLong() | random.nextLong() & random.nextLong();
    Values values = SortOracle.made(type, length, i -> random.nextLong() & mask);
    boolean isInterpolated = random.nextBoolean();
    for (Ranks ranks :
        List.of(
            Ranks.first(1 + random.nextInt(length), random.nextBoolean()),
            quantiles(random, isInterpolated ? 11 : 21, isInterpolated))) {
      int parts = ranks.isFirst() ? 2 : 1;
      check(
          new RankSelectStep(
              "s", new Input("x", type, capacity), ranks, "y", parts, SAMPLE, NO_SAMPLE, false),
          values,
          type.toString());
    }
  }

  /** What a sample says little about, and what its places were chosen for. */
  @ParameterizedTest
  @EnumSource(names = "BYTE", mode = EnumSource.Mode.EXCLUDE)
  void bySamples(ElementType type) {
    SplittableRandom random = Seed.random("ranks by samples" + type);
    int length = 2 * IntRankSelectKernels.TILE + random.nextInt(IntRankSelectKernels.TILE);
    int few = length - random.nextInt(20);
    long other = random.nextLong();
    boolean[] isInSample = new boolean[length];
    for (int part = 0; part < SAMPLE; part++) {
      isInSample[IntSampleKernels.place(part, SAMPLE, length)] = true;
    }
    long nan = type == ElementType.DOUBLE ? Double.doubleToRawLongBits(Double.NaN) : 0x7fc00000L;
    Map<String, IntFunction<Long>> kinds =
        Map.of(
            "random", i -> random.nextLong(),
            "sorted", i -> (long) i << (8 * type.bytes() - 16),
            "sawtooth", i -> (long) (i % (length / SAMPLE)),
            "constant but few", i -> i < few ? other : (long) i,
            "two values", i -> random.nextBoolean() ? 0L : Long.MIN_VALUE | 1L << 31,
            "and of three", i -> random.nextLong() & random.nextLong() & random.nextLong(),
            "mostly NaN", i -> random.nextInt(3) > 0 ? nan + random.nextInt(4) : (long) i,
            "against the sample", i -> isInSample[i] ? i & 7L : 1000L + random.nextInt(1 << 20),
            "within the sample", i -> isInSample[i] ? (long) i : length / 2 - random.nextLong(9));
    kinds.forEach(
        (kind, bits) -> {
          Values values = SortOracle.made(type, length, bits);
          boolean isInterpolated = random.nextBoolean();
          Ranks ranks =
              switch (random.nextInt(3)) {
                case 0 -> Ranks.first(1 + random.nextInt(100), random.nextBoolean());
                case 1 -> Ranks.first(1 + random.nextInt(length), random.nextBoolean());
                default -> quantiles(random, 1 + random.nextInt(3), isInterpolated);
              };
          int capacity = length + random.nextInt(5000);
          int parts = random.nextBoolean() ? 2 : 100;
          check(
              new RankSelectStep(
                  "s",
                  new Input("x", type, capacity),
                  ranks,
                  "y",
                  parts,
                  SAMPLE,
                  1 + length / 2,
                  false),
              values,
              kind);
        });
  }

  /** Also those that other threads have begun with: wrong ones cost time, and change no result. */
  @ParameterizedTest
  @EnumSource(Order.class)
  void placesInTheSampleAreAroundTheRanks(Order order) {
    int length = 100 * SAMPLE;
    int ranges = 3;
    IntArray shape = new IntArray(RankSelectStep.QUANTILES);
    shape.set(0, length);
    IntArray state = new IntArray(IntRankSelectKernels.STATE);
    state.set(IntRankSelectKernels.IS_SAMPLED, 1);
    state.set(IntRankSelectKernels.OWN, ranges);
    for (int range = 0; range < ranges; range++) {
      state.set(IntRankSelectKernels.PLACES + range, length / 4 * (range + 1));
    }
    IntArray places = new IntArray(IntSampleKernels.PLACES);
    Map<String, Object> arguments = new HashMap<>();
    arguments.put("shape", shape);
    arguments.put("values", new IntArray(length));
    arguments.put("samples", new IntArray(SAMPLE));
    arguments.put("bounds", new IntArray(2 * ranges));
    arguments.put("places", places);
    arguments.put("state", state);
    arguments.put("shapeAt", 0);
    arguments.put("size", SAMPLE);
    arguments.put("ranges", ranges);
    arguments.put("bits", 32);
    arguments.put("complement", 0);
    arguments.put("kind", IntRankSelectKernels.INTEGERS);
    Grid grid = Grid.of(SAMPLE / IntSampleKernels.THREADS, IntSampleKernels.THREADS);
    Emulator emulator = Emulator.builder().order(order).seed(Seed.VALUE).build();
    emulator.run(Kernel.of(IntSampleKernels.class, "sample").task("sample", grid, arguments));
    for (int range = 0; range < ranges; range++) {
      int expected = SAMPLE / 4 * (range + 1);
      int low = places.get(2 * range);
      int high = places.get(2 * range + 1);
      assertTrue(0 < low && low < expected, low + " < " + expected + Seed.replay());
      assertTrue(expected < high && high < SAMPLE, expected + " < " + high + Seed.replay());
    }
  }
}
