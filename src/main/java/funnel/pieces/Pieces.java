package funnel.pieces;

import funnel.io.FileChangedException;
import funnel.io.Source;
import funnel.io.StreamException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * Sources of one length, piece by piece: what is larger than memory, or than the device, goes
 * through in pieces of at most {@code most} elements. While work is done on one, threads of their
 * own read the next ones, and do what can be done about them ahead, such as their upload.
 *
 * {@snippet class="funnel.docs.PieceSnippets" region="pieces"}
 *
 * @param sources what is read, at least one
 * @param most elements of each piece but the last one, which may have fewer
 * @param done is told the elements of each piece when the work on it is over; what it throws ends
 *     the loop
 */
public record Pieces(List<Source> sources, int most, LongConsumer done) {

  /* A piece is what one run of a plan takes: it bounds the device's memory, not the source. Where
   * pieces are combined on the host, one after the other, its length is part of the definition of a
   * floating-point result; so it does not depend on the engine.
   *
   * Three pieces are in memory at a time: the one that is worked on, and two that are on their way.
   * Of one upload alone the link would carry nothing while a part of it begins or ends; and the pages
   * of a file are loaded for one while the other is uploaded. Pieces take turns, and what is copied
   * for one is in the memory of its turn. Sources are read one piece after the other; only what is
   * done ahead is done for two at a time.
   *
   * The pages of a mapped file are loaded ahead, by several threads, since one comes to a few
   * gigabytes a second. Not those of the first piece: work on it may begin with what is there.
   */

  /** Pieces that are in memory at a time. */
  public static final int TURNS = 3;

  /** Bytes of a mapped file that are worth a thread which loads them. */
  private static final long LOADED_BY_ONE = 16L << 20;

  private static final int MOST_LOADING = Runtime.getRuntime().availableProcessors();

  /**
   * Sources in pieces.
   *
   * @throws IllegalArgumentException if {@code most} is below 1
   */
  public Pieces {
    sources = List.copyOf(sources);
    if (most < 1) {
      throw new IllegalArgumentException("most=%d: a piece has at least 1 element".formatted(most));
    }
  }

  /** One source in pieces. */
  public Pieces(Source source, int most, LongConsumer done) {
    this(List.of(source), most, done);
  }

  /**
   * A piece of each source.
   *
   * @param elements of each source, in their order
   * @param from the position of the first element
   * @param to that after the last one
   * @param turn 0 to {@link #TURNS}, excluded, in turn
   */
  public record Piece(List<MemorySegment> elements, long from, long to, int turn) {

    /** How many elements it has. */
    public int length() {
      return (int) (to - from);
    }
  }

  /** What is done with a piece. */
  @FunctionalInterface
  public interface Step {
    /** Does it. */
    void run(Piece piece) throws IOException;
  }

  /** What is done with a piece of a single source. */
  @FunctionalInterface
  public interface Action {
    /**
     * Does it.
     *
     * @param from the position of the piece's first element
     */
    void run(MemorySegment piece, long from) throws IOException;
  }

  /** The first source. */
  public Source source() {
    return sources.getFirst();
  }

  /** The capacity of a plan for these pieces. */
  public int capacity() {
    return (int) Math.min(most, Math.max(1, source().length()));
  }

  /**
   * Does something with each piece of the first source, in the caller's thread.
   *
   * @throws IOException as {@link #forEach(Step, Step)} does
   */
  public void forEach(Action action) throws IOException {
    forEach(piece -> {}, piece -> action.run(piece.elements().getFirst(), piece.from()));
  }

  /**
   * Does something with each piece, from the first to the last, in the caller's thread; an empty
   * source has one, which is empty. When this returns or throws, nothing is read any more.
   *
   * @param ahead is done with each piece before, in the thread that has read it, while {@code step}
   *     runs on those before; it may run for two pieces at once
   * @throws StreamException if a source cannot be read, with the position
   * @throws FileChangedException if somebody wrote to a source
   * @throws IOException of the steps
   */
  public void forEach(Step ahead, Step step) throws IOException {
    try (Arena arena = Arena.ofShared()) {
      eachInOrder(
          ahead,
          step,
          IntStream.range(0, TURNS).mapToObj(_ -> new Room(arena, sources.size())).toList());
    }
    for (Source source : sources) {
      source.requireUnchanged();
    }
  }

  /** How many pieces there are; of an empty source one, which is empty. */
  public long count() {
    return Math.max(1, Math.ceilDiv(source().length(), (long) most));
  }

  private void eachInOrder(Step ahead, Step step, List<Room> rooms) throws IOException {
    Deque<Background<Piece>> begun = new ArrayDeque<>();
    CompletableFuture<Void> before = CompletableFuture.completedFuture(null);
    long next = 0;
    try {
      for (long k = 0; k < count(); k++) {
        for (; next < Math.min(count(), k + TURNS); next++) {
          long from = next * most;
          int turn = (int) (next % TURNS);
          CompletableFuture<Void> last = before;
          CompletableFuture<Void> isRead = new CompletableFuture<>();
          before = isRead;
          begun.add(
              new Background<>(
                  "reading " + source(),
                  bytes(from, end(from)),
                  () -> {
                    Piece piece = read(from, turn, rooms.get(turn), last, isRead);
                    guarded(ahead, piece);
                    return piece;
                  }));
        }
        try (Background<Piece> reading = begun.remove()) {
          step(step, reading.await());
        }
      }
    } finally {
      begun.forEach(Background::close);
    }
  }

  private long end(long from) {
    return from + Math.min(most, source().length() - from);
  }

  private long bytes(long from, long to) {
    return (to - from) * sources.stream().mapToLong(source -> source.type().bytes()).sum();
  }

  /** Reads a piece after the one before, unless that could not be read. */
  private Piece read(
      long from,
      int turn,
      Room room,
      CompletableFuture<Void> before,
      CompletableFuture<Void> isRead)
      throws IOException {
    try {
      before.join();
      long to = end(from);
      List<MemorySegment> elements = new ArrayList<>();
      for (int s = 0; s < sources.size(); s++) {
        elements.add(read(sources.get(s), from, to, room.of(s)));
      }
      isRead.complete(null);
      return new Piece(List.copyOf(elements), from, to, turn);
    } finally {
      isRead.cancel(false); // which changes nothing if it is complete
    }
  }

  private static MemorySegment read(Source source, long from, long to, SegmentAllocator room)
      throws IOException {
    try {
      MemorySegment some = source.piece(from, to, room);
      if (from > 0 && some.isMapped()) {
        load(some);
      }
      return some;
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException | InternalError e) {
      throw failed(source, from, to, e);
    }
  }

  private static void load(MemorySegment mapped) throws IOException {
    long part = Math.max(LOADED_BY_ONE, Math.ceilDiv(mapped.byteSize(), (long) MOST_LOADING));
    List<Background<Boolean>> others = new ArrayList<>();
    try {
      for (long at = 0; at < mapped.byteSize(); at += part) {
        MemorySegment some = mapped.asSlice(at, Math.min(part, mapped.byteSize() - at));
        others.add(
            new Background<>(
                "loading",
                at == 0 ? 0 : some.byteSize(), // the first by this thread
                () -> {
                  some.load();
                  return true;
                }));
      }
      for (Background<Boolean> other : others) {
        other.await();
      }
    } finally {
      others.forEach(Background::close);
    }
  }

  private void step(Step step, Piece piece) throws IOException {
    guarded(step, piece);
    done.accept(piece.length());
  }

  /** A page of a mapping may be gone: somebody cut the file off, or the disk has failed. */
  private void guarded(Step step, Piece piece) throws IOException {
    try {
      step.run(piece);
    } catch (InternalError e) {
      for (Source source : sources) {
        requireUnchanged(source, piece.from(), piece.to());
      }
      throw failed(source(), piece.from(), piece.to(), e);
    }
  }

  private static void requireUnchanged(Source source, long from, long to) throws IOException {
    try {
      source.requireUnchanged();
    } catch (FileChangedException e) {
      throw StreamException.reading(source, from, to, e);
    }
  }

  private static StreamException failed(Source source, long from, long to, Throwable e)
      throws IOException {
    requireUnchanged(source, from, to);
    return StreamException.reading(source, from, to, e);
  }

  /**
   * Memory of one turn, for sources that have none of their own: the same for each of its pieces.
   */
  private static final class Room {
    private final Arena arena;
    private final List<List<MemorySegment>> memory = new ArrayList<>();

    Room(Arena arena, int sources) {
      this.arena = arena;
      for (int s = 0; s < sources; s++) {
        memory.add(new ArrayList<>());
      }
    }

    /** What a source takes for its next piece. */
    SegmentAllocator of(int source) {
      List<MemorySegment> has = memory.get(source);
      int[] taken = {0};
      return (bytes, alignment) -> {
        int k = taken[0]++;
        if (k == has.size()) {
          has.add(MemorySegment.NULL);
        }
        if (has.get(k).byteSize() < bytes) { // pieces are of one length, but the last
          has.set(k, arena.allocate(bytes, Math.max(alignment, Long.BYTES)));
        }
        return has.get(k).asSlice(0, bytes);
      };
    }
  }
}
