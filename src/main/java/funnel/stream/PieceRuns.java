package funnel.stream;

import funnel.Elements;
import funnel.Plan;
import funnel.Results;
import funnel.StreamListener;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.operation.Device;
import funnel.operation.Operation;
import funnel.operation.Parts;
import funnel.operation.Primitive;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.pieces.Pieces;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Runs of plans over pieces of sources, for one call on a stream. */
public final class PieceRuns {

  /* Three plans of a device take turns: while one runs, the inputs of the other two are read and
   * set, which for a device is their upload. A run writes into the sink's own memory, or its output
   * goes to a PieceWriter, whose thread writes it while the next plan runs. So reading and upload,
   * kernels and download, and writing overlap. With one device all runs are in the caller's thread,
   * in the order of the source; with several, each device has a thread for its runs. The caller's
   * thread combines the results in the order of the source. So no result depends on which device
   * was first, nor on the number of devices.
   */

  private final Plans plans;
  private final int most;
  private final StreamListener listener;
  private final long total;
  private long done;
  private boolean isInPlace;
  private boolean hasOthers;

  /** For pieces of at most {@code most} elements; the listener's last total is {@code total}. */
  public PieceRuns(Plans plans, int most, StreamListener listener, long total) {
    this.plans = plans;
    this.most = most;
    this.listener = listener;
    this.total = total;
  }

  /** The work on a piece, of which several pieces may be in progress at a time. */
  interface Step<T> {
    /** Runs the plan, whose inputs are set, and returns all that is needed of its results. */
    T run(Plan plan, Pieces.Piece piece) throws IOException;
  }

  /** The maximum number of elements in a piece of a source. */
  int capacity(Source source) {
    return Math.clamp(source.length(), 1, most);
  }

  /** Whether a source is one piece. */
  boolean isOnePiece(Source source) {
    return source.length() <= most;
  }

  /** Whether plans run on the JVM. */
  boolean isOnJvm() {
    return plans.target() == Target.JVM;
  }

  /** Whether pieces of a source are spread over several devices. */
  boolean isSpread(Source source) {
    return plans.devices().size() > 1 && !isOnePiece(source);
  }

  /**
   * Whether results of a source, as many as it has elements, go to the sink while the next piece is
   * computed. Then two steps at a time work on a device, and they order among themselves what must
   * be in order.
   */
  boolean isOverlapped(Source source) {
    return isSpread(source) || plans.target() != Target.JVM && !isOnePiece(source);
  }

  /** Reports progress by a number of elements. */
  void done(long elements) {
    done += elements;
    listener.piece(done, total);
  }

  /** Does a step with each piece, one at a time on each device. */
  <T> void forEach(
      SequencedMap<String, Source> sources,
      UnaryOperator<Plan.Builder> operations,
      Step<T> step,
      Pieces.Taker<T> taker)
      throws IOException {
    forEach(false, sources, operations, step, taker);
  }

  /**
   * Does a step with each piece; an empty source has one, empty piece.
   *
   * @param isOverlapped whether two steps may run on a device at a time; the step then orders what
   *     must be in order
   * @param sources inputs of the plans by name; they are equally long
   * @param operations adds them to a plan with these inputs
   * @param taker takes the results of the steps, from the first piece to the last
   */
  <T> void forEach(
      boolean isOverlapped,
      SequencedMap<String, Source> sources,
      UnaryOperator<Plan.Builder> operations,
      Step<T> step,
      Pieces.Taker<T> taker)
      throws IOException {
    boolean isCopied = plans.target() != Target.EMULATOR && !hasOthers;
    Pieces pieces =
        new Pieces(
            sources.values().stream().map(each -> isCopied ? each.copied() : each).toList(),
            most,
            this::done);
    requireEqualLengths(pieces.sources());
    UnaryOperator<Plan.Builder> inputs =
        plan -> {
          sources.forEach((name, source) -> plan.input(name, source.type(), pieces.capacity()));
          Plan.Builder made = operations.apply(plan);
          if (!isOnePiece(pieces.sources().getFirst())) {
            plans.combined(made).forEach(Primitive.Combined::requireNoIndex);
          }
          return made;
        };
    List<String> names = List.copyOf(sources.keySet());
    BiConsumer<Plan, Pieces.Piece> set =
        (plan, piece) -> {
          for (int s = 0; s < names.size(); s++) {
            plans.lend(
                plan,
                names.get(s),
                Elements.of(piece.elements().get(s), pieces.sources().get(s).type()));
          }
        };
    List<PieceWorker<T>> workers = new ArrayList<>();
    try {
      if (isSpread(pieces.source())) {
        long count = Math.min(plans.devices().size(), pieces.count());
        AtomicInteger healthy = new AtomicInteger((int) count);
        for (Device each : plans.devices()) {
          if (workers.size() < count) {
            workers.add(new PieceWorker<>(plans, step, set));
            workers
                .getLast()
                .build(
                    () -> inputs.apply(plans.plan("stream", each)),
                    each,
                    healthy,
                    isInPlace ? null : () -> inputs.apply(plans.planOnJvm("stream")));
          }
        }
      } else {
        int count = isOverlapped ? 2 : 1;
        int turns = Math.clamp(pieces.count() / count, 1, isOverlapped ? 2 : Pieces.TURNS);
        while (workers.size() < count) {
          workers.add(new PieceWorker<>(plans, step, set));
          workers.getLast().build(() -> inputs.apply(plans.plan("stream")), turns);
        }
      }
      pieces.forEach(workers, taker);
    } finally {
      workers.forEach(PieceWorker::close);
    }
  }

  private static void requireEqualLengths(List<Source> sources) {
    Source first = sources.getFirst();
    for (Source source : sources) {
      if (source.length() != first.length()) {
        throw new IllegalArgumentException(
            "sources are read together and must be equally long: %s has length=%s, %s has length=%s"
                .formatted(first, first.length(), source, source.length()));
      }
    }
  }

  /**
   * Requires a sink of a type that takes at least {@code length} elements.
   *
   * @throws IllegalArgumentException if it does not
   */
  static void requireTakes(Sink sink, ElementType type, long length) {
    if (sink.type() != type || sink.length() < length) {
      throw new IllegalArgumentException(
          "sink %s takes length=%s of %s: results are of %s, length=%s"
              .formatted(sink, sink.length(), sink.type(), type, length));
    }
  }

  /** Requires a sink that does not overwrite parts of a source before they are read. */
  void requireNotAhead(Collection<Source> sources, Sink sink) {
    for (Source source : sources) {
      isInPlace |= source.isOverwrittenBy(sink, source.length());
      if (!isOnePiece(source) && source.isOverwrittenBy(sink, 0)) {
        throw new IllegalArgumentException(
            "sink %s is in the memory of source %s, where elements have not been read yet: give it memory"
                    .formatted(sink, source)
                + " of its own, or memory that begins where the source does, with elements that are"
                + " not wider");
      }
    }
  }

  /** Requires two sinks in different memory. */
  static void requireApart(Sink first, Sink second) {
    MemorySegment one = first.memory(0, first.length()).orElse(MemorySegment.NULL);
    MemorySegment other = second.memory(0, second.length()).orElse(MemorySegment.NULL);
    if (one.asOverlappingSlice(other).isPresent()) {
      throw new IllegalArgumentException(
          "sinks %s and %s overlap: give each memory of its own".formatted(first, second));
    }
  }

  /**
   * The second half of memory for longs, for as many ints. The ints can be widened in place from
   * first to last: long i never overwrites an int after int i.
   */
  static Elements intsIn(MemorySegment longs) {
    return Elements.of(longs.asSlice(longs.byteSize() / 2), ElementType.INT);
  }

  /**
   * Converts positions in a piece, ints, to positions in the source, longs; as many as {@code
   * positions} has room for.
   */
  static void inSource(MemorySegment inPiece, long from, MemorySegment positions) {
    long count = positions.byteSize() / Long.BYTES;
    for (long i = 0; i < count; i++) {
      int position = inPiece.getAtIndex(ValueLayout.JAVA_INT, i);
      positions.setAtIndex(ValueLayout.JAVA_LONG, i, from + position);
    }
  }

  /**
   * Rejects what an array would reject, in the same words. Loops of operations that are not ours
   * may do more than copy their input, and so does the emulator; for a device it is only copied.
   */
  void requireValid(
      SequencedMap<String, Source> sources, Map<String, ? extends Operation> operations) {
    Plan.Builder plan = plans.planOnJvm("stream");
    List<String> inputs = new ArrayList<>();
    for (Map.Entry<String, Source> each : sources.entrySet()) {
      String name = each.getKey();
      while (operations.containsKey(name)) { // the caller's own name, for an output
        name += "_of_stream";
      }
      inputs.add(name);
      plan.input(name, each.getValue().type(), capacity(each.getValue()));
    }
    operations.forEach(
        (name, operation) -> plan.add(name, operation, inputs.toArray(String[]::new)));
    hasOthers =
        operations.values().stream()
            .anyMatch(each -> !each.getClass().getPackageName().startsWith("funnel."));
  }

  /** Runs an operation once on the JVM, on what is kept of pieces. */
  Parts.Outputs onJvm(Operation operation, Object... arrays) {
    return onJvm(operation, Stream.of(arrays).map(Elements::ofArray).toArray(Elements[]::new));
  }

  /** Runs an operation once on the JVM. */
  public Results onJvm(Operation operation, Elements... all) {
    Plan.Builder plan = plans.planOnJvm("pieces");
    SequencedMap<String, Elements> inputs = new LinkedHashMap<>();
    for (Elements elements : all) {
      String name = "of" + inputs.size();
      inputs.put(name, elements);
      plan.input(name, elements.type(), elements.length());
    }
    String[] names = inputs.keySet().toArray(String[]::new);
    try (Plan built = plan.add(Parts.OUTPUT, operation, names).build()) {
      return plans.runOnce(built, null, inputs, Map.of(), Map.of());
    }
  }

  /** Reports that all is done, for calls that needed less work than the total. */
  void end() {
    if (done < total) {
      done(total - done);
    }
  }
}
