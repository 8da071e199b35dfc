package funnel.histogram;

import funnel.Numbers;
import funnel.engine.Engine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.tornado.HostArrays;
import funnel.operation.Input;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** A weighted histogram on an engine, over parts of arrays, its sums between guards. */
final class WeightedTrial implements AutoCloseable {

  private final Histogram histogram;
  private final ElementType element;
  private final ElementType type;
  private final boolean inPlace;
  private final TornadoNativeArray x;
  private final TornadoNativeArray w;
  private final TornadoNativeArray y;
  private final TornadoNativeArray old;
  private final LoadedProgram loaded;

  /**
   * Loads it.
   *
   * @param element the samples' type
   * @param type the weights' type
   * @param inPlace whether the sums so far, if there are, are in the output
   */
  WeightedTrial(
      Engine engine,
      Histogram histogram,
      ElementType element,
      ElementType type,
      int capacity,
      boolean inPlace) {
    this.histogram = histogram;
    this.element = element;
    this.type = type;
    this.inPlace = inPlace;
    int counters = histogram.counters();
    x = HostArrays.allocate(element, capacity + 2 * Numbers.GUARDS);
    w = HostArrays.allocate(type, capacity + 2 * Numbers.GUARDS);
    y = HostArrays.allocate(type, counters + 2 * Numbers.GUARDS);
    old = inPlace ? y : HostArrays.allocate(type, counters + Numbers.GUARDS);
    List<Input> inputs =
        new ArrayList<>(List.of(new Input("x", element, capacity), new Input("w", type, capacity)));
    Map<String, TornadoNativeArray> bound = new HashMap<>(Map.of("x", x, "w", w, "y", y));
    if (histogram.isAccumulating()) {
      inputs.add(new Input("old", type, counters));
      bound.put("old", old);
    }
    loaded = engine.load(Program.of(inputs, histogram.expand("y", inputs).primitives()), bound);
  }

  private static void put(MemorySegment from, TornadoNativeArray into, int at, ElementType type) {
    MemorySegment.copy(from, 0, into.getSegment(), (long) at * type.bytes(), from.byteSize());
  }

  /** Sets everything for {@link #run}. */
  void set(Samples samples, Number[] weights, int length, Number[] before) {
    int counters = histogram.counters();
    int at = length % Numbers.GUARDS;
    int weightsAt = length % 3;
    put(samples.segment().asSlice(0, (long) length * element.bytes()), x, at, element);
    Number[] given = Arrays.copyOf(weights, length);
    put(Numbers.segment(type, given), w, weightsAt, type);
    put(Numbers.segment(type, Numbers.guards(type, counters + 2 * Numbers.GUARDS)), y, 0, type);
    int oldAt = inPlace ? Numbers.GUARDS : 2;
    if (histogram.isAccumulating()) {
      put(Numbers.segment(type, before), old, oldAt, type);
      loaded.setRange("old", oldAt, counters);
    }
    loaded.setRange("x", at, length);
    loaded.setRange("w", weightsAt, length);
    loaded.setRange("y", Numbers.GUARDS, counters);
  }

  void run() {
    loaded.run();
  }

  Number result(String name) {
    return loaded.result(name);
  }

  /** What an output that was not written has: the sums so far in place, or guards. */
  Number[] unwritten(Number[] before) {
    return inPlace ? before : Numbers.guards(type, before.length);
  }

  /** The output; the guards must be there. */
  Number[] sums(String message) {
    int counters = histogram.counters();
    MemorySegment all = y.getSegment().asSlice(0, (counters + 2L * Numbers.GUARDS) * type.bytes());
    return Numbers.guarded(Numbers.of(type, all), message);
  }

  @Override
  public void close() {
    loaded.close();
  }
}
