package funnel.select;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Elements;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Order;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.operation.Input;
import funnel.operation.Primitive;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.scan.ScanForm;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EmulatorSelectTest extends SelectContract {

  @Override
  Target target() {
    return Target.EMULATOR;
  }

  @Override
  int capacity(ElementType type) {
    return 5 * SelectTiles.tile(type);
  }

  /** More than a chunk of tiles. */
  @ParameterizedTest
  @EnumSource
  void chunks(ScanForm form) {
    int length = (SelectTiles.CHUNK + 2) * SelectTiles.tile(ElementType.LONG) + 5;
    long[] x = Seed.random("chunks").longs(length).toArray();
    Transform even = Transform.testLong("even", v -> (v & 1L) == 0L);
    long[] expected = LongStream.of(x).filter(v -> (v & 1L) == 0L).toArray();
    Select select = Select.where(even).by(form);
    assertArrayEquals(expected, funnel.run(select, Elements.of(x)).longs("result"), Seed.replay());
  }

  /** Arrays with room for more elements have larger tiles. */
  @Test
  void largeTiles() {
    int capacity = SelectTiles.MOST_OF_SMALL + 1;
    int tile = SelectTiles.THREADS * SelectTiles.items(ElementType.INT, capacity, false);
    int[] x = Seed.random("large tiles").ints(tile + 77, 0, 3).toArray();
    Transform odd = Transform.testInt("odd", v -> (v & 1) == 1);
    try (Plan plan =
        funnel
            .plan("large_tiles")
            .input("x", ElementType.INT, capacity)
            .add("parts", Partition.where(odd), "x")
            .add("heads", Unique.adjacent(), "x")
            .add("both", Select.where(odd).withPositions(), "x")
            .add("runs", Runs.encode(), "x")
            .add("sums", GroupBy.of(Aggregate.sum(1), Aggregate.count()).runs(), "x", "x")
            .build()) {
      int end = tile - SelectTiles.lead(ElementType.INT);
      for (int length : new int[] {end / 2 - 1 - (int) (Seed.VALUE & 1), end + 1, x.length}) {
        int[] given = Arrays.copyOf(x, length);
        Results results = plan.run(Map.of("x", Elements.of(given)));
        assertArrayEquals(
            IntStream.of(given).filter(v -> v == 1).toArray(), results.ints("parts_kept"));
        assertArrayEquals(
            IntStream.of(given).filter(v -> v != 1).toArray(), results.ints("parts_rejected"));
        int[] odds = places(length, i -> given[i] == 1);
        assertArrayEquals(odds, results.ints("both_positions"), Seed.replay());
        assertEquals(odds.length, IntStream.of(results.ints("both")).sum(), Seed.replay());
        int[] starts = places(length, i -> i == 0 || given[i] != given[i - 1]);
        int[] heads = IntStream.of(starts).map(i -> given[i]).toArray();
        int[] lengths =
            IntStream.range(0, starts.length)
                .map(i -> (i + 1 < starts.length ? starts[i + 1] : length) - starts[i])
                .toArray();
        assertArrayEquals(heads, results.ints("heads"), Seed.replay());
        assertArrayEquals(heads, results.ints("runs"), Seed.replay());
        assertArrayEquals(starts, results.ints("runs_starts"), Seed.replay());
        assertArrayEquals(lengths, results.ints("runs_lengths"), Seed.replay());
        assertArrayEquals(heads, results.ints("sums"), Seed.replay());
        assertArrayEquals(lengths, results.ints("sums_2"), Seed.replay());
        assertArrayEquals(
            IntStream.range(0, starts.length)
                .mapToLong(i -> (long) heads[i] * lengths[i])
                .toArray(),
            results.longs("sums_1"),
            Seed.replay());
      }
    }
  }

  /** Blocks that wait for no other may run in any order; those of a single pass have theirs. */
  @ParameterizedTest
  @EnumSource
  void threadsInAnyOrder_withoutRaces(Order order) {
    for (ScanForm form : ScanForm.values()) {
      Order ofBlocks = form == ScanForm.SINGLE_PASS ? Order.FORWARD : order;
      try (EmulatorEngine engine =
          new EmulatorEngine(
              Emulator.builder()
                  .order(order)
                  .groupOrder(ofBlocks)
                  .seed(Seed.VALUE)
                  .detectRaces(true)
                  .build())) {
        int length = 2 * SelectTiles.tile(ElementType.INT) + 17;
        Input x = new Input("x", ElementType.INT, length);
        Input flags = new Input("f", ElementType.BYTE, length);
        List<Primitive> primitives = new ArrayList<>();
        Transform odd = test(ElementType.INT);
        primitives.addAll(
            Select.where(odd).withPositions().by(form).expand("a", List.of(x)).primitives());
        primitives.addAll(
            Select.flagged().rejecting().by(form).expand("b", List.of(x, flags)).primitives());
        primitives.addAll(Partition.where(odd).expand("c", List.of(x)).primitives());
        primitives.addAll(Partition.flagged().joined().expand("d", List.of(x, flags)).primitives());
        primitives.addAll(Runs.encode().expand("e", List.of(x)).primitives());
        SplittableRandom random = Seed.random("order" + order);
        int[] values = random.ints(length, 0, 4).toArray();
        byte[] flagged = new byte[length];
        random.nextBytes(flagged);
        IntStream.range(0, length).forEach(i -> flagged[i] &= 3);
        try (LoadedProgram loaded =
                engine.load(Program.of(List.of(x, flags), primitives), Map.of());
            LoadedProgram jvm =
                new JvmEngine().load(Program.of(List.of(x, flags), primitives), Map.of())) {
          for (LoadedProgram each : List.of(loaded, jvm)) {
            each.set("x", MemorySegment.ofArray(values));
            each.set("f", MemorySegment.ofArray(flagged));
            each.run();
          }
          for (String array :
              List.of("a", "a_positions", "b", "c_kept", "c_rejected", "d", "e", "e_lengths")) {
            assertArrayEquals(
                fetched(jvm, array), fetched(loaded, array), array + form + Seed.replay());
          }
        }
      }
    }
  }

  /** Blocks that begin with the last: those that store wait in vain for those that count. */
  @Test
  void aBlockThatWaitsInVain_isReplacedByTheOtherForm() {
    int length = 3 * SelectTiles.tile(ElementType.INT);
    int[] values = Seed.random("vain").ints(length).toArray();
    Input x = new Input("x", ElementType.INT, length);
    Select odd = Select.where(test(ElementType.INT)).by(ScanForm.SINGLE_PASS);
    try (EmulatorEngine engine =
            new EmulatorEngine(Emulator.builder().groupOrder(Order.REVERSE).build());
        LoadedProgram loaded =
            engine.load(
                Program.of(List.of(x), odd.expand("a", List.of(x)).primitives()), Map.of())) {
      for (int run = 0; run < 2; run++) {
        loaded.set("x", MemorySegment.ofArray(values));
        loaded.run();
        assertArrayEquals(
            IntStream.of(values).filter(v -> (v & 1) == 1).toArray(), fetched(loaded, "a"));
      }
    }
  }

  private static int[] fetched(LoadedProgram loaded, String array) {
    int[] elements = new int[loaded.length(array)];
    loaded.fetch(array, MemorySegment.ofArray(elements));
    return elements;
  }

  /** Around tiles, which begin a lead before the first element. */
  @Override
  List<Integer> lengths(ElementType type) {
    SplittableRandom random = Seed.random("lengths" + type);
    int tile = SelectTiles.tile(type);
    int lead = SelectTiles.lead(type);
    return Stream.of(
            0,
            1,
            33,
            tile - lead - 1,
            tile - lead,
            tile - lead + 1,
            tile,
            2 * tile - lead,
            5 * tile)
        .filter(length -> length < 2 || Seed.draws(random, 3))
        .toList();
  }
}
