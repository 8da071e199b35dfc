package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Order;
import funnel.engine.Engine;
import funnel.engine.Program;
import funnel.engine.Routine;
import funnel.engine.device.ProgramArrays;
import funnel.operation.Input;
import funnel.operation.Primitive;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

class EmulatorHistogramTest extends HistogramContract {

  @Override
  Engine open() {
    return new EmulatorEngine();
  }

  @Override
  List<HistogramMethod> methods() {
    return List.of(
        HistogramMethod.SECTIONED,
        HistogramMethod.STRIDED,
        HistogramMethod.PRIVATISED,
        HistogramMethod.THREAD_COUNTERS,
        HistogramMethod.PASSES);
  }

  /** A sort takes the emulator long, and has tests of its own. */
  @Test
  void sortedToo() {
    nanInfinityAndZeros(HistogramMethod.SORTED);
    longCounters(HistogramMethod.SORTED);
    valueThatIsNoKey_isNamed(HistogramMethod.SORTED);
    accumulating_inPlaceAndApart_overflowIsRefused(HistogramMethod.SORTED);
  }

  /** Results have more places in their array than twelve bits count. */
  @ParameterizedTest
  @EnumSource(names = {"BYTE", "INT"})
  void resultsOfManyHistograms(ElementType type) {
    Input keys = new Input("x", type, 8);
    List<Primitive> histograms = new ArrayList<>();
    for (int i = 0; i < 2100; i++) {
      Histogram histogram = Histogram.ofKeys(type == ElementType.BYTE ? 256 : 2);
      histograms.addAll(histogram.expand("h" + i, List.of(keys)).primitives());
    }
    List<Step> steps = Program.of(List.of(keys), histograms).steps();
    Program program = new Program(List.of(keys), List.of(new Routine(steps)));
    ProgramArrays arrays = new ProgramArrays(program, Map.of());
    arrays.set("x", MemorySegment.ofArray(new byte[8 * type.bytes()]));
    arrays.writeShape();
    Step last = steps.getLast();
    Emulator.builder().build().run(arrays.tasks(last));
    for (Step histogram : steps) {
      for (Primitive.Slot result : histogram.layout().delivered()) {
        assertEquals(histogram == last ? 1 : 0, arrays.runs(result.name()), result.name());
      }
    }
    assertEquals(-1L, arrays.result(Outside.names("h2099", true).getFirst()));
    assertEquals(8, ((IntArray) arrays.written("h2099")).get(0));
  }

  @Override
  int oneIn() {
    return 20;
  }

  @Override
  int capacity() {
    return 9_000;
  }

  @Override
  int mostCounters() {
    return 2048;
  }

  @Override
  int randomCases() {
    return 30;
  }

  @Test
  void tilesOfSeveralRounds() {
    int bins = 60 * HistogramShape.PASS;
    int blocks = HistogramShape.countingBlocks(bins, Integer.MAX_VALUE);
    int stretch = 2 * ROUND;
    check(ElementType.INT, bins, blocks * stretch - 100, stretch, Seed.random("rounds"));
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void threadsOfABlockInAnyOrder_withoutRaces(Order order) {
    SplittableRandom random = Seed.random("order" + order);
    Emulator emulator =
        Emulator.builder()
            .order(order)
            .groupOrder(order)
            .seed(Seed.VALUE)
            .detectRaces(true)
            .build();
    int n = 4000;
    Samples samples = Samples.of(ElementType.INT, n, i -> i < 1200 ? 7 : random.nextInt(-5, 300));
    Samples keys = Samples.of(ElementType.BYTE, n, i -> random.nextInt(70));
    for (HistogramMethod method : methods()) {
      int bins = method == HistogramMethod.PASSES ? 290 : 250;
      long[] edges = random.longs(bins + 1, 0, 290).sorted().toArray();
      try (Engine engine = new EmulatorEngine(emulator);
          HistogramTrial even =
              new HistogramTrial(
                  engine,
                  Histogram.ranges(edges).by(method),
                  ElementType.INT,
                  Expected.ranges(edges),
                  n,
                  false);
          HistogramTrial byKeys =
              new HistogramTrial(
                  engine,
                  Histogram.ofKeys(70).accumulating().by(method),
                  ElementType.BYTE,
                  Expected.keys(70),
                  n,
                  true)) {
        for (int run = 0; run < 2; run++) {
          even.check(samples, 0, n, order + Seed.replay());
          byKeys.check(keys, 0, n, order + Seed.replay());
        }
        keys.set(2000, 70);
        byKeys.check(keys, 0, n, order + Seed.replay());
        keys.set(2000, 69);
      }
    }
  }
}
