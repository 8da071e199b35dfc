package funnel.histogram;

import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.Scalars;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

@SuppressWarnings("cast") // a twin's samples have other types
@Twins({"Byte", "Long", "Float", "Double"})
final class IntBinLoops implements Bins.Loops {

  /* Samples that are not in a Java array are copied to one, a chunk at a time, so that all loops
   * are over arrays, which the JVM's compiler optimizes best; there is one loop for each form of
   * the rule. Forms that do not support the type are never reached.
   *
   * The rules here have a branch for samples outside. It nearly always goes the same way, which the
   * processor predicts; the form for devices computes both ways.
   */

  private final @Element int[] x = new @Element int[Bins.CHUNK];

  /** The difference between a sample's index in the input and its index in the array. */
  private int shift;

  private double[] edges = {};

  IntBinLoops() {}

  /**
   * The value to bin: a sample, or in a copy of this class with a user-defined function, its value.
   */
  private @Value int value(@Element int sample, int i) {
    return Placeholder.map(i + shift, Scalars.value(sample));
  }

  @Override
  public void number(MemorySegment samples, int first, int count, Bins b, int[] into) {
    ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    MemorySegment.copy(samples, layout, first * layout.byteSize(), x, 0, count);
    shift = first;
    switch (b.form()) {
      case BinRule.KEYS -> {
        for (int i = 0; i < count; i++) {
          into[i] = BinRule.key((long) value(x[i], i), b.bins());
        }
      }
      case BinRule.SHORT, BinRule.NARROW -> {
        for (int i = 0; i < count; i++) {
          into[i] = narrow((long) value(x[i], i), b);
        }
      }
      case BinRule.MIDDLE -> {
        for (int i = 0; i < count; i++) {
          into[i] = middle((long) value(x[i], i), b);
        }
      }
      case BinRule.WIDE -> {
        for (int i = 0; i < count; i++) {
          into[i] = wide((long) value(x[i], i), b);
        }
      }
      case BinRule.EVEN -> {
        double[] edges = edges(b);
        double scale = b.bins() / (b.to() - b.from());
        for (int i = 0; i < count; i++) {
          into[i] = even((double) value(x[i], i), edges, scale, b);
        }
      }
      case BinRule.RANGES -> {
        EdgeCells cells = b.cells();
        if (b.limits().length > 0) {
          for (int i = 0; i < count; i++) {
            into[i] = cells.bin((double) value(x[i], i), b.limits(), b.end());
          }
        } else {
          for (int i = 0; i < count; i++) {
            into[i] = cells.bin((long) value(x[i], i), b.edges(), b.end());
          }
        }
      }
      default -> throw new IllegalStateException("rule " + b.kind());
    }
    if (b.channels() > 1) {
      addChannels(first, count, b.bins(), b.channels(), into);
    }
  }

  @Override
  public void count(MemorySegment samples, int first, int count, Bins b, int[] counts) {
    ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    Object heap = samples.heapBase().orElse(null);
    if (heap instanceof @Element int[] all && samples.address() % layout.byteSize() == 0) {
      int at = (int) (samples.address() / layout.byteSize()) + first;
      shift = first - at;
      count(all, at, at + count, b, counts);
      return;
    }
    for (int from = 0; from < count; from += Bins.CHUNK) {
      int some = Math.min(Bins.CHUNK, count - from);
      MemorySegment.copy(samples, layout, (first + (long) from) * layout.byteSize(), x, 0, some);
      shift = first + from;
      count(x, 0, some, b, counts);
    }
  }

  private void count(@Element int[] x, int from, int to, Bins b, int[] counts) {
    switch (b.form()) {
      case BinRule.KEYS -> countKeys(x, from, to, b.bins(), counts);
      case BinRule.SHORT, BinRule.NARROW -> {
        for (int i = from; i < to; i++) {
          counts[narrow((long) value(x[i], i), b)]++;
        }
      }
      case BinRule.MIDDLE -> {
        for (int i = from; i < to; i++) {
          counts[middle((long) value(x[i], i), b)]++;
        }
      }
      case BinRule.WIDE -> {
        for (int i = from; i < to; i++) {
          counts[wide((long) value(x[i], i), b)]++;
        }
      }
      case BinRule.EVEN -> {
        double[] edges = edges(b);
        double scale = b.bins() / (b.to() - b.from());
        for (int i = from; i < to; i++) {
          counts[even((double) value(x[i], i), edges, scale, b)]++;
        }
      }
      case BinRule.RANGES -> {
        EdgeCells cells = b.cells();
        if (b.limits().length > 0) {
          for (int i = from; i < to; i++) {
            counts[cells.bin((double) value(x[i], i), b.limits(), b.end())]++;
          }
        } else {
          for (int i = from; i < to; i++) {
            counts[cells.bin((long) value(x[i], i), b.edges(), b.end())]++;
          }
        }
      }
      default -> throw new IllegalStateException("rule " + b.kind());
    }
  }

  /* The comparison is the bounds check that an array access needs anyway: keys up to two above the
   * last are counted in the counters after the bins.
   */
  private void countKeys(@Element int[] x, int from, int to, int bins, int[] counts) {
    for (int i = from; i < to; i++) {
      long key = (long) value(x[i], i);
      int at = (int) key;
      if (at == key && at >= 0 && at < counts.length) {
        counts[at]++;
      } else {
        counts[bins]++;
      }
    }
  }

  private static int narrow(long value, Bins b) {
    long d = value - b.low();
    if (Long.compareUnsigned(d, b.range()) >= 0) {
      return value < b.low() ? b.bins() : d == b.range() ? b.atEnd() : b.bins() + 1;
    }
    return (int)
        (b.reciprocal() == 0
            ? d * b.bins() / b.range()
            : Math.unsignedMultiplyHigh(d, b.reciprocal()));
  }

  private static int middle(long value, Bins b) {
    int number = BinRule.middle(value, b.bins(), b.low(), b.range(), b.scale());
    return BinRule.ended(b.end(), value, b.low() + b.range(), number, b.bins());
  }

  private static int wide(long value, Bins b) {
    int number = BinRule.wide(value, b.bins(), b.low(), b.range(), b.factor(), b.scale());
    return BinRule.ended(b.end(), value, b.low() + b.range(), number, b.bins());
  }

  /* The sign of the difference, since which side of the nearest edge a sample is on is not
   * predictable. A difference is never -0.0, as no edge is 0.0.
   */
  private static int even(double value, double[] edges, double scale, Bins b) {
    int bins = edges.length - 1;
    if (value >= edges[0] && value < edges[bins]) {
      double rounded = (value - edges[0]) * scale + BinRule.ROUNDING;
      int nearest = (int) Double.doubleToRawLongBits(rounded);
      return nearest + (int) (Double.doubleToRawLongBits(value - edges[nearest]) >> 63);
    }
    return value < edges[0]
        ? bins
        : value > edges[bins] ? bins + 1 : value == edges[bins] ? b.atEnd() : bins + 2;
  }

  /** The edges of even bins, with -0.0 for 0.0; the bins are the same in all calls. */
  private double[] edges(Bins b) {
    if (edges.length == 0) {
      edges = Edges.even(b.bins(), b.from(), b.to());
      Arrays.setAll(edges, i -> edges[i] == 0 ? -0.0 : edges[i]);
    }
    return edges;
  }

  @Override
  public long key(MemorySegment samples, int position) {
    ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    shift = position;
    return (long) value(samples.getAtIndex(layout, position), 0);
  }

  private static void addChannels(int first, int count, int bins, int channels, int[] into) {
    int outside = bins * (channels - 1);
    int channel = first % channels;
    for (int i = 0; i < count; i++) {
      into[i] += into[i] < bins ? channel * bins : outside;
      channel = channel + 1 < channels ? channel + 1 : 0;
    }
  }
}
