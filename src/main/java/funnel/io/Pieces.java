package funnel.io;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/**
 * A source, piece by piece: what is larger than memory, or than the device, goes through in pieces
 * of at most {@code most} elements. While work is done on one, a thread of its own reads the next.
 *
 * {@snippet class="funnel.docs.NpySnippets" region="file"}
 *
 * @param source what is read
 * @param most elements of each piece but the last one, which may have fewer
 * @param done is told the elements of each piece when the work on it is over
 */
public record Pieces(Source source, int most, LongConsumer done) {

  /* A piece is what one run of a plan takes: it bounds the device's memory, not the source. Where
   * pieces are combined on the host, one after the other, its length is part of the definition of a
   * floating-point result; so it does not depend on the engine.
   *
   * The pages of a mapped file are loaded ahead. Not those of the first piece: work on it may begin
   * with what is there.
   */

  /**
   * A source in pieces.
   *
   * @throws IllegalArgumentException if {@code most} is below 1
   */
  public Pieces {
    if (most < 1) {
      throw new IllegalArgumentException("most=%d: a piece has at least 1 element".formatted(most));
    }
  }

  /** What is done with a piece. */
  @FunctionalInterface
  public interface Action {
    /**
     * Does it.
     *
     * @param from the position of the piece's first element
     */
    void run(MemorySegment piece, long from) throws IOException;
  }

  /** The capacity of a plan for these pieces. */
  public int capacity() {
    return (int) Math.min(most, Math.max(1, source.length()));
  }

  /**
   * Does something with each piece, from the first to the last, in the caller's thread; an empty
   * source has one, which is empty. When this returns or throws, nothing is read any more.
   *
   * @throws FileChangedException if somebody wrote to the source
   * @throws IOException if the source cannot be read, with its name, or of the action
   */
  public void forEach(Action action) throws IOException {
    try {
      eachInOrder(action);
    } catch (InternalError e) {
      /* a page of the mapping is gone: somebody cut the file off, or the disk has failed */
      source.requireUnchanged();
      throw new IOException("%s: %s".formatted(source, e.getMessage()), e);
    }
    source.requireUnchanged();
  }

  private void eachInOrder(Action action) throws IOException {
    long from = 0;
    long to = end(0);
    MemorySegment piece = source.piece(from, to);
    while (to < source.length()) {
      long next = to;
      long nextEnd = end(next);
      try (Background<MemorySegment> reading =
          new Background<>(
              "reading " + source,
              (nextEnd - next) * source.type().bytes(),
              () -> loaded(source.piece(next, nextEnd)))) {
        step(action, piece, from, to);
        piece = reading.await();
      }
      from = next;
      to = nextEnd;
    }
    step(action, piece, from, to);
  }

  private long end(long from) {
    return from + Math.min(most, source.length() - from);
  }

  private static MemorySegment loaded(MemorySegment piece) {
    if (piece.isMapped()) {
      piece.load();
    }
    return piece;
  }

  private void step(Action action, MemorySegment piece, long from, long to) throws IOException {
    action.run(piece, from);
    done.accept(to - from);
  }
}
