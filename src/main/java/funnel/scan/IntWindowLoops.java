package funnel.scan;

import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.kernel.Scalars;
import funnel.operation.ParallelRows;
import funnel.operator.OperatorCode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** JVM form of windows over one type: see {@link Window}. */
@Twins({"Long", "Float", "Double"})
final class IntWindowLoops implements WindowStep.Loops {

  /* A block and the elements before it that its windows reach are doubled together in the
   * processor's cache; where windows are long, blocks are some times as long, so that little is
   * combined twice. Places at the beginning do not see as far as they should; no result needs those.
   * A least or largest element is that of two windows which overlap.
   */

  private static final boolean MAY_OVERLAP =
      Placeholder.operator() == OperatorCode.MIN || Placeholder.operator() == OperatorCode.MAX;

  private static final int BLOCK = 1 << 12;

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;

  /** Called by the copies. */
  public IntWindowLoops() {}

  @Override
  public void combine(
      MemorySegment values,
      @Nullable MemorySegment given,
      MemorySegment output,
      int length,
      int kind,
      int rows,
      @Nullable Number decay) {
    int most = kind == WindowStep.WIDTHS ? widest(given, length) : rows;
    int halo = Math.min(most, length) - 1;
    int block = (int) Math.min(length, Math.max(BLOCK, 4L * halo));
    ParallelRows.run(
        Math.ceilDiv(length, Math.max(1, block)),
        ParallelRows.mayBeShared(values, given, output) ? length : 0,
        (from, to) -> {
          Places places = new Places(block + halo, kind, decay);
          for (int b = from; b < to; b++) {
            int first = b * block;
            int start = Math.max(first - halo, 0);
            int count = Math.min(length - first, block) + first - start;
            long bytes = VALUES.byteSize();
            MemorySegment.copy(values, VALUES, start * bytes, places.x, 0, count);
            places.read(given, start, count);
            combine(places, first - start, count, most);
            MemorySegment.copy(
                places.sums, first - start, output, VALUES, first * bytes, count - first + start);
          }
        });
  }

  private static int given(@Nullable MemorySegment given, int i) {
    return given == null ? 0 : given.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i);
  }

  private static int widest(@Nullable MemorySegment given, int length) {
    int widest = 1;
    for (int i = 0; i < length; i++) {
      widest = Math.max(widest, Math.min(given(given, i), i + 1));
    }
    return widest;
  }

  /** Elements before a block, and those of the block. */
  private static final class Places {
    @Element int[] x;
    @Element int[] other;
    final @Element int[] sums;
    final int[] reach;
    final int[] width;
    final int kind;
    final boolean isDecayed;
    final @Element int decay;

    Places(int count, int kind, @Nullable Number decay) {
      x = new @Element int[count];
      other = new @Element int[count];
      sums = new @Element int[count];
      reach = new int[kind == WindowStep.IN_SEGMENTS ? count : 0];
      width = new int[kind == WindowStep.WIDTHS ? count : 0];
      this.kind = kind;
      isDecayed = decay != null;
      this.decay = decay == null ? (@Element int) 0 : (@Element Integer) decay;
    }

    void read(@Nullable MemorySegment given, int start, int count) {
      for (int k = 0; k < reach.length && k < count; k++) {
        reach[k] = Math.min(given(given, start + k), k);
      }
      for (int k = 0; k < width.length && k < count; k++) {
        width[k] = Math.clamp(given(given, start + k), 1, start + k + 1);
      }
    }
  }

  /** Sets the results of places from {@code lead} below {@code count}. */
  private static void combine(Places places, int lead, int count, int rows) {
    @Element int decay = places.decay;
    for (int distance = 1; true; distance *= 2) {
      boolean isLast = distance > rows / 2;
      if (places.kind == WindowStep.WIDTHS) {
        addOwn(places, distance, lead, count);
      } else if (!MAY_OVERLAP && (rows & distance) != 0) {
        add(places, rows & (distance - 1), lead, count);
      } else if (MAY_OVERLAP && isLast) {
        add(places, 0, lead, count);
        add(places, rows - distance, lead, count);
      }
      if (isLast) {
        return;
      }
      widen(places, distance, decay, count);
      @Element int[] wider = places.other;
      places.other = places.x;
      places.x = wider;
      decay *= decay;
    }
  }

  private static void add(Places places, int nearer, int lead, int count) {
    @Element int[] x = places.x;
    @Element int[] sums = places.sums;
    if (nearer == 0) {
      System.arraycopy(x, lead, sums, lead, count - lead);
    } else if (places.kind == WindowStep.IN_SEGMENTS) {
      for (int k = lead; k < count; k++) {
        sums[k] = places.reach[k] >= nearer ? combine(x[k - nearer], sums[k]) : sums[k];
      }
    } else {
      combine(x, nearer, sums, Math.max(lead, nearer), sums, count);
    }
  }

  private static void addOwn(Places places, int distance, int lead, int count) {
    @Element int[] x = places.x;
    @Element int[] sums = places.sums;
    for (int k = lead; k < count; k++) {
      if ((places.width[k] & distance) != 0) {
        int nearer = places.width[k] & (distance - 1);
        sums[k] = nearer == 0 ? x[k] : combine(x[k - nearer], sums[k]);
      }
    }
  }

  private static void widen(Places places, int distance, @Element int decay, int count) {
    @Element int[] x = places.x;
    @Element int[] y = places.other;
    System.arraycopy(x, 0, y, 0, Math.min(distance, count));
    if (places.kind == WindowStep.IN_SEGMENTS) {
      for (int k = distance; k < count; k++) {
        @Element int far = x[k - distance];
        @Element int both = places.isDecayed ? Scalars.fma(decay, far, x[k]) : combine(far, x[k]);
        y[k] = places.reach[k] >= distance ? both : x[k];
      }
    } else if (places.isDecayed) {
      for (int k = distance; k < count; k++) {
        y[k] = Scalars.fma(decay, x[k - distance], x[k]);
      }
    } else {
      combine(x, distance, x, distance, y, count);
    }
  }

  /** Combines each element from {@code from} on with the one that is {@code distance} before it. */
  private static void combine(
      @Element int[] far, int distance, @Element int[] near, int from, @Element int[] to, int end) {
    for (int k = from; k < end; k++) {
      to[k] = combine(far[k - distance], near[k]);
    }
  }

  private static @Element int combine(@Element int left, @Element int right) {
    return switch (Placeholder.operator()) {
      case OperatorCode.MIN -> Math.min(left, right);
      case OperatorCode.MAX -> Math.max(left, right);
      default -> Combine.apply(Placeholder.operator(), left, right);
    };
  }
}
