package funnel.pieces;

import funnel.io.Sink;
import funnel.io.StreamException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes to a sink piece by piece, from its beginning on: while a thread of its own writes one, the
 * next can be computed. It has memory for two, or as many as are computed at a time and one more.
 *
 * {@snippet class="funnel.docs.PieceSnippets" region="pieces"}
 *
 * <p>Used by one thread; memory may be asked for by others.
 */
public final class PieceWriter implements AutoCloseable {

  private final Arena arena = Arena.ofShared();
  private final Sink sink;
  private final long bytes;
  private final Queue<MemorySegment> free = new ConcurrentLinkedQueue<>();
  private final NavigableMap<Long, MemorySegment> all = new ConcurrentSkipListMap<>();
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
    MemorySegment memory = free.poll();
    if (memory == null) {
      memory = arena.allocate(bytes, Long.BYTES);
      all.put(memory.address(), memory);
    }
    return memory.asSlice(0, (long) elements * sink.type().bytes());
  }

  /**
   * Begins to write a piece, when the one before is written.
   *
   * @param piece what {@link #next} has returned, filled
   * @throws StreamException if the piece before could not be written
   */
  public void write(MemorySegment piece) throws IOException {
    await();
    long from = written;
    written += piece.byteSize() / sink.type().bytes();
    long to = written;
    writing =
        new Background<>(
            "writing " + sink,
            piece.byteSize(),
            () -> {
              write(from, to, piece);
              free.add(all.floorEntry(piece.address()).getValue());
              return piece;
            });
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
