package funnel.pieces;

import funnel.io.Sink;
import funnel.io.StreamException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes to a sink piece by piece, from its beginning on: while a thread of its own writes one, the
 * next can be computed. It has memory for two.
 *
 * {@snippet class="funnel.docs.PieceSnippets" region="pieces"}
 *
 * <p>Used by one thread.
 */
public final class PieceWriter implements AutoCloseable {

  private final Arena arena = Arena.ofShared();
  private final Sink sink;
  private final long bytes;
  private @Nullable MemorySegment free;
  private @Nullable MemorySegment busy;
  private @Nullable Background<MemorySegment> writing;
  private long written;

  /**
   * For pieces of at most {@code most} elements; memory for two is taken when it is needed.
   *
   * @throws IllegalArgumentException if {@code most} is negative
   */
  public PieceWriter(Sink sink, int most) {
    if (most < 0) {
      throw new IllegalArgumentException("negative length of a piece: most=%d".formatted(most));
    }
    this.sink = sink;
    this.bytes = (long) most * sink.type().bytes();
  }

  /**
   * Memory for the next piece, which nobody reads or writes until {@link #write}.
   *
   * @param elements how many
   * @throws IndexOutOfBoundsException if they are more than a piece has
   */
  public MemorySegment next(int elements) {
    if (free == null) {
      free = arena.allocate(bytes, Long.BYTES);
    }
    return free.asSlice(0, (long) elements * sink.type().bytes());
  }

  /**
   * Memory for the next piece: the sink's own, if it has some that is apart from what is read, so
   * that nothing is copied; else as {@link #next(int)} has it.
   *
   * @param elements how many
   * @param read what is read while the piece is computed
   * @throws IndexOutOfBoundsException if they are more than a piece has
   */
  public MemorySegment next(int elements, List<MemorySegment> read) {
    long bytesOfPiece = (long) elements * sink.type().bytes();
    if (bytesOfPiece <= bytes && elements <= sink.length() - written) {
      Optional<MemorySegment> own = sink.memory(written, written + elements);
      if (own.isPresent()
          && read.stream().noneMatch(some -> own.get().asOverlappingSlice(some).isPresent())) {
        return own.get();
      }
    }
    return next(elements);
  }

  /**
   * Begins to write a piece, when the one before is written.
   *
   * @param piece what {@link #next} has returned, filled, or the beginning of that
   * @throws StreamException if the piece before could not be written
   */
  public void write(MemorySegment piece) throws IOException {
    await();
    long from = written;
    written += piece.byteSize() / sink.type().bytes();
    long to = written;
    if (free == null || free.asOverlappingSlice(piece).isEmpty()) {
      return; // it is where it goes
    }
    writing =
        new Background<>(
            "writing " + sink,
            piece.byteSize(),
            () -> {
              write(from, to, piece);
              return piece;
            });
    MemorySegment other = busy;
    busy = free;
    free = other;
  }

  private void write(long from, long to, MemorySegment piece) throws IOException {
    try {
      sink.write(from, piece);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      throw StreamException.writing(sink, from, to, e);
    }
  }

  private void await() throws IOException {
    try (Background<MemorySegment> last = writing) {
      writing = null;
      if (last != null) {
        last.await();
      }
    }
  }

  /**
   * Waits until all pieces are written.
   *
   * @throws StreamException if the last one could not be
   */
  @Override
  public void close() throws IOException {
    try (arena) {
      await();
    }
  }
}
