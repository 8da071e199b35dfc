package funnel.pieces;

import funnel.engine.UntouchedMemory;
import funnel.file.Background;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * Processes sources of equal length, which may be larger than the memory or the device, in pieces
 * of at most {@code most} elements. While one piece is processed, other threads read the next ones,
 * and do work on them ahead, such as their upload.
 *
 * {@snippet class="funnel.docs.PieceSnippets" region="pieces"}
 *
 * @param sources the sources, at least one
 * @param most the number of elements of each piece; the last one may have fewer
 * @param done takes the number of elements of each piece when the work on it is done; an exception
 *     ends the loop
 */
public record Pieces(List<Source> sources, int most, LongConsumer done) {

  /* A piece is what one run of a plan takes: it bounds the device's memory, not the source. Where
   * pieces are combined on the host, one after the other, its length is part of the definition of a
   * floating-point result; so it does not depend on the engine.
   *
   * Three pieces are in memory at a time for each worker: the one that is processed, and two that
   * are being prepared. With one upload at a time the link would idle while a part of it begins or
   * ends; and one piece is read while the other is uploaded. Pieces take turns, and copies for a
   * piece are in the memory of its turn. A single worker works in the caller's thread, several in
   * threads of their own (Spread). Pieces are handed out in their order, and read by one thread at
   * a time; only the work ahead is done for two pieces at the same time. Which worker gets the
   * next piece depends on their speed. Nothing else may depend on that.
   *
   * The pages of a mapped file are loaded ahead by several threads, since one thread loads only a
   * few gigabytes per second. Those of the first piece are not: work on it may begin with the pages
   * that are there.
   */

  /** The number of pieces in memory at a time for each worker. */
  public static final int TURNS = 3;

  /** The number of bytes of a mapped file for which another loading thread pays off. */
  private static final long LOADED_BY_ONE = 16L << 20;

  private static final int MOST_LOADING = Runtime.getRuntime().availableProcessors();

  /**
   * Sources in pieces.
   *
   * @throws IllegalArgumentException if {@code most} is less than 1
   */
  public Pieces {
    sources = List.copyOf(sources);
    if (most < 1) {
      throw new IllegalArgumentException("most=%s: a piece has at least 1 element".formatted(most));
    }
  }

  /** One source in pieces. */
  public Pieces(Source source, int most, LongConsumer done) {
    this(List.of(source), most, done);
  }

  /**
   * A piece of each source.
   *
   * @param elements the elements of each source, in the order of sources
   * @param from the position of the first element
   * @param to the position after the last element
   * @param turn 0 to {@link #TURNS}, the latter excluded, in rotation for each worker
   * @param order makes work that must be in the order of pieces wait for earlier pieces
   */
  public record Piece(List<MemorySegment> elements, long from, long to, int turn, Order order) {

    /** The number of elements. */
    public int length() {
      return (int) (to - from);
    }

    /** Does a part of the work on this piece after that part is done for all earlier pieces. */
    public <T> T inTurn(Background.Work<T> work) throws IOException {
      return order.inTurn(this, work);
    }
  }

  /** How work on a piece waits for earlier pieces. */
  interface Order {

    /** No waiting: a single worker processes one piece after the other. */
    Order OF_ONE =
        new Order() {
          @Override
          public <T> T inTurn(Piece piece, Background.Work<T> work) throws IOException {
            return work.run();
          }
        };

    /** Does some work after it is done for earlier pieces. */
    <T> T inTurn(Piece piece, Background.Work<T> work) throws IOException;
  }

  /** Processes pieces, one at a time, while the next ones are read for it. */
  public interface Worker<T> {
    /**
     * Work on a piece ahead, in the thread that has read it; possibly for two pieces at the same
     * time.
     */
    void ahead(Piece piece) throws IOException;

    /** Processes a piece. */
    T run(Piece piece) throws IOException;

    /** The number of pieces in memory for it at a time. */
    default int turns() {
      return TURNS;
    }

    /** Whether it takes more pieces than those that were read for it. */
    default boolean takesMore() {
      return true;
    }
  }

  /** Takes the results of the work, in the order of pieces. */
  @FunctionalInterface
  public interface Taker<T> {
    /** Takes a result. */
    void take(Piece piece, T result) throws IOException;

    /** Whether it takes more; otherwise the loop ends, and failures of later pieces are ignored. */
    default boolean takesMore() {
      return true;
    }
  }

  /** Work on a piece. */
  @FunctionalInterface
  public interface Step {
    /** Does it. */
    void run(Piece piece) throws IOException;
  }

  /** Work on a piece of a single source. */
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

  /** The number of pieces; one for an empty source. */
  public long count() {
    return Math.max(1, Math.ceilDiv(source().length(), (long) most));
  }

  /** The capacity of a plan for these pieces. */
  public int capacity() {
    return (int) Math.min(most, Math.max(1, source().length()));
  }

  /**
   * Does some work on each piece of the first source, in the caller's thread.
   *
   * @throws IOException as {@link #forEach(Step, Step)} does
   */
  public void forEach(Action action) throws IOException {
    forEach(piece -> {}, piece -> action.run(piece.elements().getFirst(), piece.from()));
  }

  /**
   * Does a step on each piece, from the first to the last, in the caller's thread; an empty source
   * has one empty piece. When this returns or throws, nothing is being read.
   *
   * @param ahead is done on each piece before {@code step}, in the thread that has read it, while
   *     {@code step} runs on earlier pieces; it may run for two pieces at the same time
   * @throws StreamException if a source cannot be read, with the position
   * @throws FileChangedException if somebody wrote to a source
   * @throws IOException if a step throws it
   */
  public void forEach(Step ahead, Step step) throws IOException {
    Worker<Piece> worker =
        new Worker<>() {
          @Override
          public void ahead(Piece piece) throws IOException {
            ahead.run(piece);
          }

          @Override
          public Piece run(Piece piece) throws IOException {
            step.run(piece);
            return piece;
          }
        };
    forEach(List.of(worker), (piece, result) -> {});
  }

  /**
   * Lets several workers process pieces, each in a thread of its own; a single worker in the
   * caller's. Results are taken in the caller's thread, in the order of pieces, whichever worker
   * was faster; the first failure in this order is thrown.
   *
   * @throws IOException as {@link #forEach(Step, Step)} does; if the caller is interrupted while it
   *     waits, an InterruptedIOException, and it stays so
   */
  public <T> void forEach(List<? extends Worker<T>> workers, Taker<T> taker) throws IOException {
    try (Arena arena = Arena.ofShared()) {
      if (workers.size() > 1) {
        new Spread<T>(this, workers.size()).run(workers, taker, arena);
      } else {
        Worker<T> only = workers.getFirst();
        Deal deal = new Deal(Order.OF_ONE, 1);
        deal.forEach(
            only,
            arena,
            piece -> {
              guarded(last -> taker.take(last, only.run(last)), piece);
              done.accept(piece.length());
              if (!taker.takesMore()) {
                deal.end();
              }
            },
            from -> {});
      }
    }
    for (Source source : sources) {
      source.requireUnchanged();
    }
  }

  /** Hands out pieces, each once, in their order. */
  final class Deal {
    private final Order order;
    private final int workers;
    private final Lock reading = new ReentrantLock(); // its own: no worker waits for a source here
    private long begun;
    private long next;
    private volatile boolean isOver;
    private volatile boolean isEnded;

    Deal(Order order, int workers) {
      this.order = order;
      this.workers = workers;
    }

    /**
     * Whether there is a piece for a worker that has {@code held} pieces, if as many are left for
     * each of the others.
     */
    private synchronized boolean mayBegin(int held) {
      if (isOver || begun + (workers - 1L) * held >= count()) {
        return false;
      }
      begun++;
      return true;
    }

    /** Stops handing out pieces, and drops those that are not being processed yet. */
    void end() {
      isOver = true;
      isEnded = true;
    }

    /**
     * Lets one worker process pieces until there are no more.
     *
     * @param step the work on a piece, in this thread
     * @param begins takes the beginning of the piece that is read or processed from now on
     */
    void forEach(Worker<?> worker, Arena arena, Step step, LongConsumer begins) throws IOException {
      List<Room> rooms =
          IntStream.range(0, worker.turns())
              .mapToObj(_ -> new Room(arena, sources.size()))
              .toList();
      Deque<Reading> held = new ArrayDeque<>();
      int turn = 0;
      try {
        while (!isEnded) {
          while (held.size() < rooms.size() && worker.takesMore() && mayBegin(held.size())) {
            CompletableFuture<Void> before =
                held.isEmpty() ? CompletableFuture.completedFuture(null) : held.getLast().isRead;
            held.add(new Reading(worker, rooms.get(turn), turn, before));
            turn = (turn + 1) % rooms.size();
          }
          if (held.isEmpty()) {
            return;
          }
          try (Reading first = held.remove()) {
            Optional<Piece> piece = first.await(begins);
            if (piece.isPresent()) {
              step.run(piece.get());
            }
          }
        }
      } finally {
        held.forEach(Reading::close);
      }
    }

    /**
     * Reads the next piece, unless no more are handed out, after those that are read for the same
     * worker.
     */
    private final class Reading implements AutoCloseable {
      private final CompletableFuture<Void> isRead = new CompletableFuture<>();
      private final Background<Optional<Piece>> background;
      private volatile long claimed = -1;

      Reading(Worker<?> worker, Room room, int turn, CompletableFuture<Void> before) {
        long bytes = capacity() * sources.stream().mapToLong(source -> source.type().bytes()).sum();
        background =
            new Background<>(
                "reading " + source(),
                bytes,
                () -> {
                  Optional<Piece> piece;
                  try {
                    before.join();
                    piece = read(room, turn);
                    isRead.complete(null);
                  } finally {
                    isRead.cancel(false); // no effect if it is complete
                  }
                  if (piece.isPresent()) {
                    guarded(worker::ahead, piece.get());
                  }
                  return piece;
                });
      }

      private Optional<Piece> read(Room room, int turn) throws IOException {
        Piece piece;
        reading.lock();
        try {
          if (isOver) {
            return Optional.empty();
          }
          long from = next;
          next = from + Math.min(most, source().length() - from);
          if (next == source().length()) {
            isOver = true;
          }
          claimed = from;
          piece = new Piece(elements(from, next, room), from, next, turn, order);
        } finally {
          reading.unlock();
        }
        if (claimed > 0) {
          guarded(Pieces::load, piece);
        }
        return Optional.of(piece);
      }

      Optional<Piece> await(LongConsumer begins) throws IOException {
        try {
          return background.await();
        } finally {
          if (claimed >= 0) {
            begins.accept(claimed);
          }
        }
      }

      @Override
      public void close() {
        background.close();
      }
    }
  }

  private static void load(Piece piece) throws IOException {
    List<Background<Boolean>> loading = new ArrayList<>();
    try {
      for (MemorySegment all : piece.elements()) {
        long part = Math.max(LOADED_BY_ONE, Math.ceilDiv(all.byteSize(), (long) MOST_LOADING));
        for (long at = 0; all.isMapped() && at < all.byteSize(); at += part) {
          MemorySegment some = all.asSlice(at, Math.min(part, all.byteSize() - at));
          loading.add(
              new Background<>(
                  "loading",
                  some.byteSize() == all.byteSize() ? 0 : some.byteSize(),
                  () -> {
                    some.load();
                    return true;
                  }));
        }
      }
      for (Background<Boolean> each : loading) {
        each.await();
      }
    } finally {
      loading.forEach(Background::close);
    }
  }

  private List<MemorySegment> elements(long from, long to, Room room) throws IOException {
    List<MemorySegment> elements = new ArrayList<>();
    for (int s = 0; s < sources.size(); s++) {
      Source source = sources.get(s);
      MemorySegment piece;
      try {
        piece = source.piece(from, to, room.of(s));
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException | InternalError e) {
        throw failed(source, from, to, e);
      }
      elements.add(StreamException.whole(source, from, to, piece));
    }
    return List.copyOf(elements);
  }

  /** A page of a mapping may be missing: somebody truncated the file, or the disk failed. */
  void guarded(Step step, Piece piece) throws IOException {
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

  /** Memory of one turn, for sources that have none of their own; reused for each of its pieces. */
  private static final class Room {
    private final Arena arena;
    private final List<List<MemorySegment>> memory = new ArrayList<>();

    Room(Arena arena, int sources) {
      this.arena = arena;
      for (int s = 0; s < sources; s++) {
        memory.add(new ArrayList<>());
      }
    }

    /** The allocator of a source's next piece. */
    SegmentAllocator of(int source) {
      List<MemorySegment> has = memory.get(source);
      int[] taken = {0};
      return (bytes, alignment) -> {
        int k = taken[0]++;
        if (k == has.size()) {
          has.add(MemorySegment.NULL);
        }
        if (has.get(k).byteSize() < bytes) { // all pieces have the same length, except the last
          has.set(k, UntouchedMemory.allocate(bytes, arena));
        }
        return has.get(k).asSlice(0, bytes);
      };
    }
  }
}
