package funnel.pieces;

import funnel.engine.UntouchedMemory;
import funnel.file.Background;
import funnel.io.Sink;
import funnel.io.StreamException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes to a sink piece by piece, from its beginning: while another thread writes one piece, the
 * next can be computed. It buffers one piece more than can be computed at a time.
 *
 * {@snippet class="funnel.docs.PieceSnippets" region="pieces"}
 *
 * <p>Used by one thread; other threads may ask for memory.
 */
public final class PieceWriter implements AutoCloseable {

  private final Arena arena = Arena.ofShared();
  private final Sink sink;
  private final long bytes;
  private final boolean inArrays;
  private final Queue<MemorySegment> free = new ConcurrentLinkedQueue<>();
  private final NavigableMap<Long, MemorySegment> all = new ConcurrentSkipListMap<>();
  private final Queue<MemorySegment> arrays = new ConcurrentLinkedQueue<>();
  private @Nullable Background<MemorySegment> writing;
  private long written;

  /**
   * A writer of pieces of at most {@code most} elements; memory is allocated when it is needed.
   *
   * @throws IllegalArgumentException if {@code most} is negative
   */
  public PieceWriter(Sink sink, int most) {
    this(sink, most, false);
  }

  /**
   * A writer of pieces.
   *
   * @param inArrays whether their memory is Java arrays of ints or longs: loops that work on such
   *     then need none of their own, while others copy from memory outside the heap faster
   */
  public PieceWriter(Sink sink, int most, boolean inArrays) {
    if (most < 0) {
      throw new IllegalArgumentException("negative length of a piece: most=%s".formatted(most));
    }
    this.sink = sink;
    this.bytes = (long) most * sink.type().bytes();
    this.inArrays = inArrays && sink.type().bytes() >= Integer.BYTES;
  }

  /**
   * Memory for the next piece, for the caller's use until {@link #write}.
   *
   * @param elements the number of elements
   * @throws IndexOutOfBoundsException if they are more than a piece has
   */
  public MemorySegment next(int elements) {
    MemorySegment memory = free.poll();
    if (memory == null && inArrays) {
      memory =
          sink.type().bytes() == Integer.BYTES
              ? MemorySegment.ofArray(new int[(int) (bytes / Integer.BYTES)])
              : MemorySegment.ofArray(new long[(int) (bytes / Long.BYTES)]);
      arrays.add(memory);
    } else if (memory == null) {
      memory = UntouchedMemory.allocate(bytes, arena);
      all.put(memory.address(), memory);
    }
    return memory.asSlice(0, (long) elements * sink.type().bytes());
  }

  /**
   * Memory for a piece: the sink's own memory, if it has any that does not overlap what is read, so
   * that nothing is copied; otherwise as {@link #next(int)}.
   *
   * @param elements the number of elements
   * @param from where they go in the sink
   * @param read the memory that is read while the piece is computed
   * @throws IndexOutOfBoundsException if they are more than a piece has
   */
  public MemorySegment next(int elements, long from, List<MemorySegment> read) {
    if ((long) elements * sink.type().bytes() <= bytes && elements <= sink.length() - from) {
      Optional<MemorySegment> own = sink.memory(from, from + elements);
      if (own.isPresent()
          && read.stream().noneMatch(some -> own.get().asOverlappingSlice(some).isPresent())) {
        return own.get();
      }
    }
    return next(elements);
  }

  /** The memory that {@link #next(int)} has given out a part of, or nothing. */
  private Optional<MemorySegment> given(MemorySegment piece) {
    Object array = piece.heapBase().orElse(null);
    if (array != null) {
      return arrays.stream().filter(each -> each.heapBase().orElse(null) == array).findFirst();
    }
    Map.Entry<Long, MemorySegment> below = all.floorEntry(piece.address());
    return below != null
            && piece.isNative()
            && piece.address() < below.getKey() + below.getValue().byteSize()
        ? Optional.of(below.getValue())
        : Optional.empty();
  }

  /**
   * Starts to write a piece, after the one before is written.
   *
   * @param piece what {@link #next} has returned, filled, or a part of that
   * @throws StreamException if the piece before could not be written
   */
  public void write(MemorySegment piece) throws IOException {
    await();
    long from = written;
    written += piece.byteSize() / sink.type().bytes();
    long to = written;
    Optional<MemorySegment> memory = given(piece);
    if (memory.isEmpty()) {
      return; // it is in its place already
    }
    writing =
        new Background<>(
            "writing " + sink,
            piece.byteSize(),
            () -> {
              write(from, to, piece);
              free.add(memory.get());
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
