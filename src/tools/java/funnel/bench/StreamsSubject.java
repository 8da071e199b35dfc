package funnel.bench;

import funnel.Funnel;
import funnel.engine.tornado.PinnedCopies;
import funnel.histogram.Histogram;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.Select;
import funnel.sort.Sort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.LongAdder;

/** The subjects that work on a stream. */
abstract sealed class StreamsSubject implements Subject<StreamsInput, StreamsCase, StreamsCase> {

  static final String LINK = "link";
  static final String PLAIN = "plain";

  private final String name;

  private StreamsSubject(String name) {
    this.name = name;
  }

  @Override
  public final String name() {
    return name;
  }

  /** Runs once, and returns the nanoseconds. */
  abstract long nanos(StreamsInput input, StreamsCase what);

  /** The outcome of the last run. */
  abstract Outcome outcome(StreamsInput input, StreamsCase what);

  @Override
  public final Measurement<StreamsCase> measure(
      StreamsInput input, StreamsCase what, Effort effort) {
    try {
      effort.warmUp(() -> nanos(input, what));
      Timing wall = effort.times(() -> nanos(input, what));
      return Measurement.taken(name, what, null, wall, outcome(input, what));
    } catch (RuntimeException e) {
      return Measurement.failed(name, what, e.toString());
    }
  }

  /** The timed work. */
  private interface Timed {
    void run() throws IOException;
  }

  private static long nanosOf(Timed timed) {
    long begin = System.nanoTime();
    try {
      timed.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return System.nanoTime() - begin;
  }

  /** The calls of an ElementStream. */
  static final class Streams extends StreamsSubject {
    private final Funnel funnel;
    private final int piece;
    private Object result = "";

    Streams(Funnel funnel, int piece) {
      super("funnel");
      this.funnel = funnel;
      this.piece = piece;
    }

    @Override
    long nanos(StreamsInput input, StreamsCase what) {
      return nanosOf(
          () -> input.with(what.type(), source -> result = run(source, what.task(), input)));
    }

    private Object run(Source source, StreamsTask task, StreamsInput input) throws IOException {
      var stream = funnel.over(source).pieces(piece);
      return switch (task) {
        case REDUCE -> stream.reduce(Reduction.sum());
        case HISTOGRAM_BYTE, HISTOGRAM_INT -> {
          long[] counts = new long[256];
          stream.histogram(
              task == StreamsTask.HISTOGRAM_BYTE
                  ? Histogram.ofBytes()
                  : Histogram.even(256, Integer.MIN_VALUE, 1L << 31),
              counts);
          yield counts;
        }
        case SELECT ->
            stream.select(
                Select.where(Transform.testInt("not negative", v -> v >= 0)), sink(input));
        case SCAN -> stream.scan(Scan.inclusive(Operator.SUM), sink(input));
        case SORT -> {
          stream.sort(Sort.ascending(), sink(input));
          yield "";
        }
      };
    }

    private static Sink sink(StreamsInput input) {
      return Sink.of(input.sink(), ElementType.INT);
    }

    @Override
    Outcome outcome(StreamsInput input, StreamsCase what) {
      return input.outcome(what.task(), result);
    }
  }

  /** Copies by the driver, of the source's size, from pinned memory to the device, and back. */
  static final class Link extends StreamsSubject {
    Link() {
      super(LINK);
    }

    @Override
    long nanos(StreamsInput input, StreamsCase what) {
      return PinnedCopies.nanos(what.size(), what.task().isBothWays() ? what.size() : 0);
    }

    @Override
    Outcome outcome(StreamsInput input, StreamsCase what) {
      return Outcome.of("");
    }
  }

  /** Reads all elements in as many threads as there are cores, or copies them to the sink. */
  static final class Plain extends StreamsSubject {
    private static final long PART = 4L << 20;

    private long sum;

    Plain() {
      super(PLAIN);
    }

    @Override
    long nanos(StreamsInput input, StreamsCase what) {
      return nanosOf(() -> input.with(ElementType.BYTE, source -> run(source, what, input)));
    }

    private void run(Source source, StreamsCase what, StreamsInput input) throws IOException {
      MemorySegment all = // mapped; nobody cuts off the benchmark's own file
          source.copied().piece(0, source.length(), (bytes, alignment) -> MemorySegment.NULL);
      LongAdder total = new LongAdder();
      ParallelRows.deal(
          Math.toIntExact(Math.ceilDiv(all.byteSize(), PART)),
          part -> {
            long from = part * PART;
            long bytes = Math.min(PART, all.byteSize() - from);
            if (what.task().isBothWays()) {
              MemorySegment.copy(all, from, input.sink(), from, bytes);
            } else {
              total.add(sum(all.asSlice(from, bytes)));
            }
          });
      sum = total.sum();
    }

    private static long sum(MemorySegment some) {
      long added = 0;
      for (long i = 0; i < some.byteSize() / Integer.BYTES; i++) {
        added += some.getAtIndex(ValueLayout.JAVA_INT, i);
      }
      return added;
    }

    @Override
    Outcome outcome(StreamsInput input, StreamsCase what) {
      return what.task().isBothWays()
          ? Outcome.of("")
          : input.outcome(StreamsTask.REDUCE, (int) sum);
    }
  }
}
