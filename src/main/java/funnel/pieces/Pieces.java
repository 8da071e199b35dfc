package funnel.pieces;

import funnel.io.FileChangedException;
import funnel.io.Source;
import funnel.io.StreamException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Sources of one length, piece by piece: what is larger than memory, or than the device, goes
 * through in pieces of at most {@code most} elements. While work is done on one, a thread of its
 * own reads the next, and does what can be done about it ahead, such as its upload.
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
   * Two pieces are in memory at a time: the one that is worked on and the next. They take turns, 0
   * and 1, and what is copied for one is in the memory of its turn.
   *
   * The pages of a mapped file are loaded ahead. Not those of the first piece: work on it may begin
   * with what is there.
   */

  /** Pieces that are in memory at a time. */
  public static final int TURNS = 2;

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
   * @param turn 0 and 1 in turn
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
   *     runs on the one before
   * @throws StreamException if a source cannot be read, with the position
   * @throws FileChangedException if somebody wrote to a source
   * @throws IOException of the steps
   */
  public void forEach(Step ahead, Step step) throws IOException {
    try (Arena arena = Arena.ofShared()) {
      eachInOrder(
          ahead, step, List.of(new Room(arena, sources.size()), new Room(arena, sources.size())));
    }
    for (Source source : sources) {
      source.requireUnchanged();
    }
  }

  private void eachInOrder(Step ahead, Step step, List<Room> rooms) throws IOException {
    Piece piece = read(0, 0, ahead, false, rooms);
    while (piece.to() < source().length()) {
      long next = piece.to();
      int turn = (piece.turn() + 1) % TURNS;
      try (Background<Piece> reading =
          new Background<>(
              "reading " + source(),
              bytes(next, end(next)),
              () -> read(next, turn, ahead, true, rooms))) {
        step(step, piece);
        piece = reading.await();
      }
    }
    step(step, piece);
  }

  private long end(long from) {
    return from + Math.min(most, source().length() - from);
  }

  private long bytes(long from, long to) {
    return (to - from) * sources.stream().mapToLong(source -> source.type().bytes()).sum();
  }

  private Piece read(long from, int turn, Step ahead, boolean load, List<Room> rooms)
      throws IOException {
    long to = end(from);
    List<MemorySegment> elements = new ArrayList<>();
    for (int s = 0; s < sources.size(); s++) {
      Source source = sources.get(s);
      try {
        MemorySegment some = source.piece(from, to, rooms.get(turn).of(s));
        if (load && some.isMapped()) {
          some.load();
        }
        elements.add(some);
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException | InternalError e) {
        throw failed(source, from, to, e);
      }
    }
    Piece piece = new Piece(List.copyOf(elements), from, to, turn);
    guarded(ahead, piece);
    return piece;
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
