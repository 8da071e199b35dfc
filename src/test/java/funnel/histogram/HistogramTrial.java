package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.engine.Engine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.tornado.HostArrays;
import funnel.operation.Input;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** A histogram on an engine, over arrays with guards, compared with what it has to be. */
final class HistogramTrial implements AutoCloseable {

  private static final int GUARDS = 5;
  private static final long GUARD = 77;

  private final Histogram histogram;
  private final ElementType element;
  private final Expected.Rule rule;
  private final boolean inPlace;
  private final TornadoNativeArray x;
  private final TornadoNativeArray y;
  private final TornadoNativeArray old;
  private final LoadedProgram loaded;

  /**
   * Loads it.
   *
   * @param rule what it has to be
   * @param inPlace whether the counts so far, if there are, are in the output
   */
  HistogramTrial(
      Engine engine,
      Histogram histogram,
      ElementType element,
      Expected.Rule rule,
      int capacity,
      boolean inPlace) {
    this.histogram = histogram;
    this.element = element;
    this.rule = rule;
    this.inPlace = inPlace;
    ElementType counter = histogram.counterType();
    int counters = histogram.counters();
    x = HostArrays.allocate(element, capacity + 2 * GUARDS);
    y = HostArrays.allocate(counter, counters + 2 * GUARDS);
    old = inPlace ? y : HostArrays.allocate(counter, counters + 2 * GUARDS);
    List<Input> inputs = new ArrayList<>();
    inputs.add(new Input("x", element, capacity));
    Map<String, TornadoNativeArray> bound = new HashMap<>(Map.of("x", x, "y", y));
    if (histogram.isAccumulating()) {
      inputs.add(new Input("old", counter, counters));
      bound.put("old", old);
    }
    loaded = engine.load(Program.of(inputs, histogram.expand("y", inputs).primitives()), bound);
  }

  private static void set(TornadoNativeArray array, ElementType counter, int at, long value) {
    MemorySegment segment = array.getSegment();
    if (counter == ElementType.INT) {
      segment.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, at, (int) value);
    } else {
      segment.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, at, value);
    }
  }

  private static long get(TornadoNativeArray array, ElementType counter, int at) {
    MemorySegment segment = array.getSegment();
    return counter == ElementType.INT
        ? segment.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, at)
        : segment.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, at);
  }

  /** Counts samples {@code from} to {@code to}, from nothing. */
  void check(Samples samples, int from, int to, String message) {
    check(samples, from, to, new long[histogram.counters()], message);
  }

  /** Counts samples {@code from} to {@code to}; what is before is added if accumulating. */
  void check(Samples samples, int from, int to, long[] before, String message) {
    ElementType counter = histogram.counterType();
    int counters = histogram.counters();
    int at = from % (2 * GUARDS);
    long bytes = element.bytes();
    MemorySegment.copy(
        samples.segment(), from * bytes, x.getSegment(), at * bytes, (to - from) * bytes);
    loaded.setRange("x", at, to - from);
    for (int i = 0; i < counters + 2 * GUARDS; i++) {
      set(y, counter, i, GUARD);
    }
    if (histogram.isAccumulating()) {
      for (int i = 0; i < counters; i++) {
        set(old, counter, GUARDS + i, before[i]);
      }
      loaded.setRange("old", GUARDS, counters);
    }
    loaded.setRange("y", GUARDS, counters);
    long[] added = histogram.isAccumulating() ? before : new long[counters];
    Expected expected =
        Expected.of(rule, histogram.bins(), histogram.channels(), samples, from, to, added);
    String all =
        "%s by %s of %s, from=%s, to=%s, inPlace=%s: %s"
            .formatted(histogram, histogram.method(), element, from, to, inPlace, message);
    int overflow = overflow(expected.counts, before);
    if (histogram.isByKeys() && expected.firstOutside >= 0) {
      KeyOutsideException e = assertThrows(KeyOutsideException.class, loaded::run, all);
      assertEquals(expected.firstOutside, e.position(), all);
      assertEquals(samples.integer(from + expected.firstOutside), e.key(), all);
      requireUnchanged(before, all);
      return;
    }
    if (overflow >= 0) {
      CounterOverflowException e = assertThrows(CounterOverflowException.class, loaded::run, all);
      assertEquals(overflow % histogram.bins(), e.bin(), all);
      assertEquals(overflow / histogram.bins(), e.channel(), all);
      requireUnchanged(before, all);
      return;
    }
    loaded.run();
    requireEqual(expected.counts, all);
    if (!histogram.isByKeys()) {
      assertEquals(expected.below, loaded.result("y_below"), "below: " + all);
      assertEquals(expected.above, loaded.result("y_above"), "above: " + all);
      assertEquals(expected.nan, loaded.result("y_nan"), "NaN: " + all);
    }
  }

  private int overflow(long[] counts, long[] before) {
    for (int i = 0; histogram.isAccumulating() && i < counts.length; i++) {
      boolean fits = histogram.counterType() == ElementType.LONG || counts[i] == (int) counts[i];
      if (counts[i] < before[i] || !fits) {
        return i;
      }
    }
    return -1;
  }

  private void requireUnchanged(long[] before, String message) {
    long[] filled = new long[before.length];
    Arrays.fill(filled, GUARD);
    requireEqual(inPlace ? before : filled, "unchanged: " + message);
  }

  private void requireEqual(long[] counts, String message) {
    ElementType counter = histogram.counterType();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] != get(y, counter, GUARDS + i)) {
        assertEquals(counts[i], get(y, counter, GUARDS + i), "counter " + i + ": " + message);
      }
    }
    for (int i = 0; i < GUARDS; i++) {
      assertEquals(GUARD, get(y, counter, i), "guard before: " + message);
      assertEquals(GUARD, get(y, counter, GUARDS + counts.length + i), "guard: " + message);
    }
  }

  @Override
  public void close() {
    loaded.close();
  }
}
