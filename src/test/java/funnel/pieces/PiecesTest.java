package funnel.pieces;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.file.Background;
import funnel.io.FileChangedException;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.io.StreamException;
import funnel.operator.ElementType;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The loop over pieces, with sources and sinks that are no memory. */
class PiecesTest {

  /** Bytes of a piece that is worth a thread. */
  private static final int MANY = (int) Background.FEW_BYTES;

  private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());

  /** Whatever happened, nothing goes on. */
  @AfterEach
  void allThreadsHaveEnded() {
    for (Thread thread : threads) {
      assertTrue(thread == Thread.currentThread() || !thread.isAlive(), thread.getName());
    }
  }

  private interface Access {
    void at(long from) throws IOException;
  }

  /** So many bytes; a piece's memory has the address of its first one. */
  private Source source(long length, Access reader) {
    return new Source() {
      @Override
      public ElementType type() {
        return ElementType.BYTE;
      }

      @Override
      public long length() {
        return length;
      }

      @Override
      @SuppressWarnings("restricted") // never read
      public MemorySegment piece(long from, long to, SegmentAllocator room) throws IOException {
        threads.add(Thread.currentThread());
        reader.at(from);
        return MemorySegment.ofAddress(from).reinterpret(to - from);
      }

      @Override
      public String toString() {
        return "numbers";
      }
    };
  }

  private Sink sink(long length, Access writer) {
    return new Sink() {
      @Override
      public ElementType type() {
        return ElementType.BYTE;
      }

      @Override
      public long length() {
        return length;
      }

      @Override
      public void write(long from, MemorySegment elements) throws IOException {
        threads.add(Thread.currentThread());
        writer.at(from);
      }
    };
  }

  private static Pieces pieces(Source source, int most) {
    return new Pieces(source, most, done -> {});
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Three pieces, of which the second is read when a latch is counted down. */
  private Source secondWaits(CountDownLatch isReading, CountDownLatch until, boolean[] hasRead) {
    return source(
        3L * MANY,
        from -> {
          if (from == MANY) {
            isReading.countDown();
            await(until);
            hasRead[0] = true;
          }
        });
  }

  @Test
  void aSourceMayHaveMoreBytesThanAnIntCounts() throws IOException {
    long length = (1L << 33) + 5;
    int most = Integer.MAX_VALUE - 8;
    long[] next = {0};
    pieces(source(length, from -> {}), most)
        .forEach(
            (piece, from) -> {
              assertEquals(next[0], from);
              assertEquals(from, piece.address());
              assertEquals(Math.min(most, length - from), piece.byteSize());
              next[0] += piece.byteSize();
            });
    assertEquals(length, next[0]);
  }

  @Test
  void aSinkMayTakeMoreBytesThanAnIntCounts() throws IOException {
    int most = 1 << 23;
    List<Long> written = Collections.synchronizedList(new ArrayList<>());
    List<Long> expected = new ArrayList<>();
    try (PieceWriter writer = new PieceWriter(sink(1L << 32, written::add), most)) {
      for (long from = 0; from < 3L << 30; from += most) {
        expected.add(from);
        writer.write(writer.next(most));
      }
    }
    assertEquals(expected, written);
  }

  @Test
  void theNextTwoPiecesAndNoOthersAreReadMeanwhile() throws IOException {
    int all = 5;
    List<Long> read = Collections.synchronizedList(new ArrayList<>());
    List<CountDownLatch> latches = new ArrayList<>();
    for (int k = 0; k < all; k++) {
      latches.add(new CountDownLatch(1));
    }
    Source source =
        source(
            (long) all * MANY,
            from -> {
              read.add(from);
              latches.get((int) (from / MANY)).countDown();
            });
    pieces(source, MANY)
        .forEach(
            (piece, from) -> {
              int k = (int) (from / MANY);
              await(latches.get(Math.min(k + 2, all - 1)));
              assertEquals(Math.min(k + 3, all), read.size());
            });
    assertEquals(List.of(0L, (long) MANY, 2L * MANY, 3L * MANY, 4L * MANY), read);
    assertEquals(all, threads.stream().distinct().count(), "a thread for each");
  }

  /**
   * What is ahead of one piece waits for that of the other; each is read by one thread at a time.
   */
  @Test
  void twoPiecesAreAheadAtATime() throws IOException {
    AtomicInteger readers = new AtomicInteger();
    CyclicBarrier both = new CyclicBarrier(2);
    Source source =
        source(
            7L * MANY,
            from -> {
              assertEquals(1, readers.incrementAndGet());
              LockSupport.parkNanos(1_000_000);
              readers.decrementAndGet();
            });
    List<Long> seen = new ArrayList<>();
    new Pieces(source, MANY, done -> {})
        .forEach(
            piece -> {
              if (piece.from() > 0) {
                try {
                  both.await(60, TimeUnit.SECONDS);
                } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                  throw new AssertionError(e);
                }
              }
            },
            piece -> seen.add(piece.from()));
    assertEquals(7, seen.size());
  }

  @Test
  void smallPiecesAreReadWithoutThreads() throws IOException {
    pieces(source(4L * (MANY - 1), from -> {}), MANY - 1).forEach((piece, from) -> {});
    assertEquals(4, threads.size());
    assertEquals(List.of(Thread.currentThread()), threads.stream().distinct().toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {3, MANY})
  void whatASourceThrowsInTheMiddleIsThrownWithItsPlace(int most) {
    List<Throwable> failures =
        List.of(
            new EOFException("numbers: cut off"),
            new IllegalStateException("numbers: closed"),
            new StackOverflowError("numbers: deep"));
    for (Throwable failure : failures) {
      Source source =
          source(
              5L * most,
              from -> {
                if (from == 2L * most) {
                  switch (failure) {
                    case IOException e -> throw e;
                    case RuntimeException e -> throw e;
                    default -> throw (Error) failure;
                  }
                }
              });
      List<Long> seen = new ArrayList<>();
      Throwable thrown =
          assertThrows(
              Throwable.class, () -> pieces(source, most).forEach((piece, from) -> seen.add(from)));
      if (failure instanceof IOException) {
        StreamException e = assertInstanceOf(StreamException.class, thrown);
        assertEquals(2L * most, e.position());
        assertEquals(
            "numbers: elements %,d to %,d cannot be read: numbers: cut off"
                .formatted(2 * most, 3 * most - 1),
            e.getMessage());
        assertSame(failure, e.getCause());
      } else {
        assertSame(failure, thrown);
      }
      assertEquals(List.of(0L, (long) most), seen);
    }
  }

  /** As where a page of a mapped file cannot be read. */
  @ParameterizedTest
  @ValueSource(ints = {3, MANY})
  void aFaultOfTheMemoryNamesTheSource(int most) {
    InternalError fault = new InternalError("a fault occurred");
    Source source =
        source(
            5L * most,
            from -> {
              if (from > 0) {
                throw fault;
              }
            });
    IOException e =
        assertThrows(IOException.class, () -> pieces(source, most).forEach((piece, from) -> {}));
    assertEquals(
        "numbers: elements %,d to %,d cannot be read: a fault occurred"
            .formatted(most, 2 * most - 1),
        e.getMessage());
    assertSame(fault, e.getCause());
  }

  @Test
  void whenTheActionThrowsTheReaderHasEnded() {
    CountDownLatch isReading = new CountDownLatch(1);
    CountDownLatch hasThrown = new CountDownLatch(1);
    boolean[] hasRead = new boolean[1];
    Source source = secondWaits(isReading, hasThrown, hasRead);
    IllegalStateException failure = new IllegalStateException("no");
    assertSame(
        failure,
        assertThrows(
            IllegalStateException.class,
            () ->
                pieces(source, MANY)
                    .forEach(
                        (piece, from) -> {
                          await(isReading);
                          hasThrown.countDown();
                          throw failure;
                        })));
    assertTrue(hasRead[0]);
    assertEquals(3, threads.size());
  }

  /** The reader is in the source whenever the worker asks whether there is another piece. */
  @Test
  void aPieceIsProcessedWhileTheNextIsRead() throws IOException {
    CountDownLatch isReading = new CountDownLatch(1);
    CountDownLatch isProcessed = new CountDownLatch(1);
    boolean[] hasRead = new boolean[1];
    Source source = secondWaits(isReading, isProcessed, hasRead);
    Pieces.Worker<Long> worker =
        new Pieces.Worker<>() {
          private int asked;

          @Override
          public boolean takesMore() {
            if (++asked == Pieces.TURNS) {
              await(isReading);
            }
            return true;
          }

          @Override
          public void ahead(Pieces.Piece piece) {}

          @Override
          public Long run(Pieces.Piece piece) {
            isProcessed.countDown();
            return piece.from();
          }
        };
    List<Long> taken = new ArrayList<>();
    pieces(source, MANY).forEach(List.of(worker), (piece, result) -> taken.add(result));
    assertTrue(hasRead[0]);
    assertEquals(List.of(0L, (long) MANY, 2L * MANY), taken);
  }

  @Test
  void anInterruptEndsTheLoopAndStays() {
    List<Long> seen = new ArrayList<>();
    assertThrows(
        InterruptedIOException.class,
        () ->
            pieces(source(5L * MANY, from -> {}), MANY)
                .forEach(
                    (piece, from) -> {
                      seen.add(from);
                      Thread.currentThread().interrupt();
                    }));
    assertTrue(Thread.interrupted());
    assertEquals(List.of(0L), seen);
  }

  @Test
  void aSourceThatChangesMeanwhileIsRefused() {
    FileChangedException changed = new FileChangedException(Path.of("numbers"), "it is gone");
    for (boolean faults : new boolean[] {false, true}) {
      Source plain = source(2L * MANY, from -> {});
      Source source =
          new Source() {
            @Override
            public ElementType type() {
              return plain.type();
            }

            @Override
            public long length() {
              return plain.length();
            }

            @Override
            public MemorySegment piece(long from, long to, SegmentAllocator room)
                throws IOException {
              if (faults && from > 0) {
                throw new InternalError("a fault occurred");
              }
              return plain.piece(from, to, room);
            }

            @Override
            public void requireUnchanged() throws IOException {
              throw changed;
            }
          };
      List<Long> seen = new ArrayList<>();
      IOException e =
          assertThrows(
              IOException.class,
              () -> pieces(source, MANY).forEach((piece, from) -> seen.add(from)));
      if (faults) {
        assertEquals(MANY, assertInstanceOf(StreamException.class, e).position());
      }
      assertSame(changed, faults ? e.getCause() : e);
      assertEquals(faults ? 1 : 2, seen.size());
    }
  }

  /** While a step runs, the next piece is read from all sources and what is ahead done with it. */
  @Test
  void whatIsAheadIsDoneWhileTheStepRuns() throws IOException {
    List<CountDownLatch> ahead = new ArrayList<>();
    for (int k = 0; k < 4; k++) {
      ahead.add(new CountDownLatch(1));
    }
    Source first = source(4L * MANY, from -> {});
    Source computed =
        Source.generated(
            ElementType.BYTE, 4L * MANY, (from, piece) -> piece.fill((byte) (from / MANY)));
    List<String> steps = new ArrayList<>();
    new Pieces(List.of(first, computed), MANY, done -> {})
        .forEach(
            piece -> ahead.get((int) (piece.from() / MANY)).countDown(),
            piece -> {
              int k = (int) (piece.from() / MANY);
              await(ahead.get(Math.min(k + 1, 3)));
              steps.add(k + " in turn " + piece.turn());
              assertEquals(piece.from(), piece.elements().get(0).address());
              MemorySegment some = piece.elements().get(1);
              assertEquals(MANY, some.byteSize());
              for (int i = 0; i < MANY; i++) {
                assertEquals(k, some.get(ValueLayout.JAVA_BYTE, i));
              }
            });
    assertEquals(List.of("0 in turn 0", "1 in turn 1", "2 in turn 2", "3 in turn 0"), steps);
  }

  @Test
  void lengthsOfPiecesAreChecked() {
    Source source = source(10, from -> {});
    assertEquals(3, pieces(source, 3).capacity());
    assertEquals(10, pieces(source, 11).capacity());
    assertEquals(1, pieces(source(0, from -> {}), 11).capacity());
    assertThrows(IllegalArgumentException.class, () -> pieces(source, 0));
    Sink sink = sink(10, from -> {});
    assertThrows(IllegalArgumentException.class, () -> new PieceWriter(sink, -1));
  }

  /** The first piece is not written before the memory of the second is filled. */
  @Test
  void theNextPieceIsFilledWhileOneIsWritten() throws IOException {
    CountDownLatch isFilled = new CountDownLatch(1);
    byte[] taken = new byte[3 * MANY];
    Sink memory = Sink.of(MemorySegment.ofArray(taken), ElementType.BYTE);
    Sink slow =
        new Sink() {
          @Override
          public ElementType type() {
            return memory.type();
          }

          @Override
          public long length() {
            return memory.length();
          }

          @Override
          public void write(long from, MemorySegment elements) throws IOException {
            threads.add(Thread.currentThread());
            await(isFilled);
            memory.write(from, elements);
          }
        };
    try (PieceWriter writer = new PieceWriter(slow, MANY)) {
      for (int k = 1; k <= 3; k++) {
        MemorySegment piece = writer.next(MANY).fill((byte) k);
        if (k == 2) {
          isFilled.countDown();
        }
        writer.write(piece);
      }
    }
    for (int i = 0; i < taken.length; i++) {
      assertEquals(1 + i / MANY, taken[i], "element " + i);
    }
    assertNotEquals(Thread.currentThread(), threads.getFirst());
  }

  /**
   * What is computed in the sink's own memory is not copied, and what comes after goes after it.
   */
  @Test
  void aPieceMayBeComputedInTheSinksOwnMemory() throws IOException {
    byte[] taken = new byte[10];
    MemorySegment memory = MemorySegment.ofArray(taken);
    try (PieceWriter writer = new PieceWriter(Sink.of(memory, ElementType.BYTE), 4)) {
      MemorySegment own = writer.next(4, 0, List.of(MemorySegment.ofArray(new byte[10])));
      assertTrue(own.asOverlappingSlice(memory).isPresent());
      writer.write(own.fill((byte) 1).asSlice(0, 3)); // as many as are kept
      assertEquals(
          Optional.empty(),
          writer.next(4, 3, List.of(memory.asSlice(6))).asOverlappingSlice(memory),
          "what is read is not written to");
      writer.write(writer.next(4, 3, List.of()).fill((byte) 2));
      assertEquals(Optional.empty(), writer.next(4, 7, List.of()).asOverlappingSlice(memory));
      writer.write(writer.next(3).fill((byte) 3));
    }
    assertArrayEquals(new byte[] {1, 1, 1, 2, 2, 2, 2, 3, 3, 3}, taken);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, MANY})
  void whatASinkThrowsIsThrownWithItsPlaceAndOnce(int most) {
    IOException full = new IOException("no space left");
    for (int failing = 0; failing < 3; failing++) {
      long place = (long) failing * most;
      List<Long> written = Collections.synchronizedList(new ArrayList<>());
      Sink sink =
          sink(
              3L * most,
              from -> {
                written.add(from);
                if (from == place) {
                  throw full;
                }
              });
      IOException e =
          assertThrows(
              IOException.class,
              () -> {
                try (PieceWriter writer = new PieceWriter(sink, most)) {
                  for (int k = 0; k < 3; k++) {
                    writer.write(writer.next(most));
                  }
                }
              });
      assertEquals(place, assertInstanceOf(StreamException.class, e).position());
      assertSame(full, e.getCause());
      assertEquals(0, e.getSuppressed().length);
      assertEquals(failing + 1, written.size(), "nothing is written after what failed");
    }
  }

  @Test
  void whenTheComputationThrowsTheWriterHasEnded() {
    CountDownLatch hasThrown = new CountDownLatch(1);
    boolean[] hasWritten = new boolean[1];
    Sink sink =
        sink(
            2L * MANY,
            from -> {
              await(hasThrown);
              hasWritten[0] = true;
            });
    IllegalStateException failure = new IllegalStateException("no");
    assertSame(
        failure,
        assertThrows(
            IllegalStateException.class,
            () -> {
              try (PieceWriter writer = new PieceWriter(sink, MANY)) {
                writer.write(writer.next(MANY));
                hasThrown.countDown();
                throw failure;
              }
            }));
    assertTrue(hasWritten[0]);
  }
}
