package funnel.bench;

import funnel.Funnel;
import funnel.Plan;
import funnel.engine.tornado.HostArrays;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.ScanForm;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * An inclusive scan of integers in segments of 1000 elements. All results are compared with a plain
 * loop's after the timed runs.
 */
final class SegmentedScanSubject extends PrimitiveSubject {

  /** How segments are given. */
  enum By {
    /** A bit for each element. */
    BITS,
    /** A byte for each element. */
    HEADS,
    /** An int for each element. */
    KEYS,
    /** An int for each segment. */
    OFFSETS
  }

  private static final int SEGMENT = 1000;
  private static final String SEGMENTS = "segments";

  private final By by;
  private final @Nullable ScanForm form;

  /**
   * Makes a subject.
   *
   * @param funnel the measured Funnel
   * @param by how segments are given
   * @param form the form, or null for Funnel's choice
   */
  SegmentedScanSubject(Funnel funnel, By by, @Nullable ScanForm form) {
    super(
        funnel,
        "funnel/by-%s/%s".formatted(Named.of(by), form == null ? "choice" : form.label()),
        Work.SCAN,
        0);
    this.by = by;
    this.form = form;
  }

  @Override
  public boolean takes(Workload workload, Operator operator) {
    return !workload.type().isFloating() && !operator.isUser();
  }

  @Override
  Plan.Builder add(Plan.Builder plan, Operator operator) {
    Segments segments =
        switch (by) {
          case BITS -> Segments.byHeadBits();
          case HEADS -> Segments.byHeads();
          case KEYS -> Segments.byKeys();
          case OFFSETS -> Segments.byOffsets();
        };
    SegmentedScan scan = SegmentedScan.inclusive(operator).segments(segments);
    return plan.add(OUTPUT, form == null ? scan : scan.by(form), INPUT, SEGMENTS);
  }

  @Override
  Plan plan(Workload workload, Operator operator) {
    Plan.Builder plan =
        funnel()
            .plan("bench")
            .input(INPUT, workload.array())
            .input(SEGMENTS, segments(workload.length()));
    return add(plan, operator).build();
  }

  private TornadoNativeArray segments(int length) {
    return switch (by) {
      case BITS -> {
        IntArray bits = new IntArray(Math.ceilDiv(length, Integer.SIZE));
        for (long i = 0; i < length; i += SEGMENT) {
          int at = (int) (i / Integer.SIZE);
          bits.set(at, bits.get(at) | 1 << (i % Integer.SIZE));
        }
        yield bits;
      }
      case HEADS -> {
        ByteArray heads = (ByteArray) HostArrays.allocate(ElementType.BYTE, length);
        for (long i = 0; i < length; i += SEGMENT) {
          heads.set((int) i, (byte) 1);
        }
        yield heads;
      }
      case KEYS -> {
        IntArray keys = new IntArray(length);
        for (int i = 0; i < length; i++) {
          keys.set(i, i / SEGMENT);
        }
        yield keys;
      }
      case OFFSETS -> {
        IntArray offsets = new IntArray(Math.ceilDiv(length, SEGMENT));
        for (int i = 0; i < offsets.getSize(); i++) {
          offsets.set(i, i * SEGMENT);
        }
        yield offsets;
      }
    };
  }

  @Override
  Number expected(Workload workload, Operator operator) {
    int last = (workload.length() - 1) / SEGMENT * SEGMENT;
    return firstWrong(workload, operator, null, last);
  }

  @Override
  String wrong(Plan plan, Workload workload, Operator operator, Number total) {
    if (total.longValue() != expected(workload, operator).longValue()) {
      return total.toString();
    }
    try (Arena arena = Arena.ofShared()) {
      MemorySegment results = ScanSubject.results(plan, workload, arena);
      long at = firstWrong(workload, operator, results, 0);
      return at < 0 ? "" : "%s at %s".formatted(Workload.whole(workload.type(), results, at), at);
    }
  }

  /** The first index with a wrong result, or -1; without results, the loop's last value. */
  private static long firstWrong(
      Workload workload, Operator operator, @Nullable MemorySegment results, int from) {
    ElementType type = workload.type();
    MemorySegment values = workload.array().getSegment();
    LongBinaryOperator combine = operator.equals(Operator.MAX) ? Math::max : Long::sum;
    long running = 0;
    for (int i = from; i < workload.length(); i++) {
      long value = Workload.whole(type, values, i);
      running = i % SEGMENT == 0 ? value : combine.applyAsLong(running, value);
      running = type == ElementType.INT ? (int) running : running;
      if (results != null && Workload.whole(type, results, i) != running) {
        return i;
      }
    }
    return results == null ? running : -1;
  }
}
