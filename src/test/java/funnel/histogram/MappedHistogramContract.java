package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.FusedFunction;
import funnel.Seed;
import funnel.engine.Engine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.tornado.HostArrays;
import funnel.operation.Input;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.transform.Elementwise;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Histograms of functions' values, on any engine. */
abstract class MappedHistogramContract {

  private static final List<String> OUTSIDE = List.of("_below", "_above", "_nan");

  abstract Engine engine();

  /** Methods to be tried, each where it can be. */
  abstract List<HistogramMethod> methods();

  /** What a histogram counts of a function's values is what it counts of an array of them. */
  @ParameterizedTest
  @MethodSource("methods")
  void mapped(HistogramMethod method) {
    SplittableRandom random = Seed.random("mapped" + method);
    int turn = random.nextInt(2);
    for (ElementType type : ElementType.values()) {
      List<FusedFunction> functions = FusedFunction.over(type);
      Histogram even =
          type.isFloating() ? Histogram.even(50, -0.7, 0.6) : Histogram.even(50, -200, 900);
      Histogram ranges =
          type.isFloating() ? Histogram.ranges(-0.3, 0, 0.1, 0.4) : Histogram.ranges(-5, 9, 300);
      mapped(even.by(method), functions.get(turn & 1), type, random);
      mapped(ranges.channels(3).by(method), functions.get((turn + 1) & 1), type, random);
      turn++;
    }
    FusedFunction key =
        new FusedFunction(
            Transform.indexedInt("key", (i, v) -> (v + i) & 255),
            Elementwise.ofInt("key", (i, v) -> (v + i) & 255).indexed());
    mapped(Histogram.ofKeys(256).by(method), key, ElementType.BYTE, random);
    mapped(Histogram.ofKeys(256).by(method), key, ElementType.INT, random);
  }

  private void mapped(
      Histogram histogram, FusedFunction function, ElementType type, SplittableRandom random) {
    int most = 3 * HistogramShape.COUNTING_THREADS * HistogramShape.ROUND + 9;
    Samples samples =
        Samples.of(
            type,
            most + 9,
            i -> type.isFloating() ? random.nextDouble() : (Number) random.nextInt(400));
    TornadoNativeArray array = HostArrays.allocate(type, most + 9);
    MemorySegment.copy(samples.segment(), 0, array.getSegment(), 0, (most + 9L) * type.bytes());
    Input x = new Input("x", type, most);
    ElementType valueType = type == ElementType.BYTE ? ElementType.INT : type;
    List<Primitive> primitives = new ArrayList<>();
    primitives.addAll(function.values().expand("values", List.of(x)).primitives());
    primitives.addAll(
        histogram.expand("expected", List.of(new Input("values", valueType, most))).primitives());
    primitives.addAll(histogram.mapped(function.transform()).expand("y", List.of(x)).primitives());
    try (LoadedProgram loaded =
        engine().load(Program.of(List.of(x), primitives), Map.of("x", array))) {
      for (int length : new int[] {most, 0, random.nextInt(most)}) {
        int whole = length - length % histogram.channels();
        loaded.setRange("x", random.nextInt(9), whole);
        loaded.run();
        String what =
            "%s by %s of %s, length=%s%s"
                .formatted(histogram, histogram.method(), function, whole, Seed.replay());
        int[] expected = new int[histogram.counters()];
        int[] actual = new int[histogram.counters()];
        loaded.fetch("expected", MemorySegment.ofArray(expected));
        loaded.fetch("y", MemorySegment.ofArray(actual));
        assertArrayEquals(expected, actual, what);
        for (String end : histogram.isByKeys() ? List.<String>of() : OUTSIDE) {
          assertEquals(loaded.result("expected" + end), loaded.result("y" + end), what + end);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void valueThatIsNoKey_isNamed(HistogramMethod method) {
    Transform key = Transform.indexedInt("key", (i, v) -> i == 777 ? v + 123_456 : v);
    Input x = new Input("x", ElementType.INT, 1000);
    Histogram histogram = Histogram.ofKeys(100).mapped(key).by(method);
    try (LoadedProgram loaded =
        engine()
            .load(
                Program.of(List.of(x), histogram.expand("y", List.of(x)).primitives()), Map.of())) {
      int[] samples = new int[1000];
      Arrays.fill(samples, 7);
      loaded.set("x", MemorySegment.ofArray(samples));
      KeyOutsideException e = assertThrows(KeyOutsideException.class, loaded::run);
      assertEquals(777, e.position());
      assertEquals(123_463, e.key());
    }
  }
}
