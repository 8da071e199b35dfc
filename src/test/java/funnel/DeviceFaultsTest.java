package funnel;

import static funnel.StreamCalls.LENGTH;
import static funnel.StreamCalls.PIECE;
import static funnel.StreamCalls.calls;
import static funnel.StreamCalls.numbers;
import static funnel.StreamCalls.results;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.histogram.Histogram;
import funnel.histogram.KeyOutsideException;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.io.StreamException;
import funnel.operation.FunnelDeviceException;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.select.Select;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** What goes wrong on one of several devices, which are fakes, or in what they work on. */
@Isolated // it looks at the log
@Timeout(60)
class DeviceFaultsTest {

  private static String logged(ThrowingRun run) {
    return Log.of(
        () -> {
          try {
            run.run();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private interface ThrowingRun {
    void run() throws IOException;
  }

  @Test
  void whatADeviceThatFailsWasAtIsComputedOnTheJvm_andTheRestOnOthers() throws IOException {
    double[] numbers = numbers();
    try (Funnel one = Funnel.open(Target.JVM)) {
      for (Map.Entry<String, StreamCalls.Call> call : calls().entrySet()) {
        List<Object> expected = results(one, call.getValue(), numbers);
        for (String at : List.of("load", "set", "run")) {
          try (Funnel two = FakeDevices.open(2, FakeDevices.failing(at, 1, 2))) {
            String log =
                logged(
                    () ->
                        assertEquals(
                            expected,
                            results(two, call.getValue(), numbers),
                            call.getKey() + " at " + at));
            assertTrue(log.contains("device 1: a fake, jvm has failed "), log);
            assertTrue(log.contains("Xid 79 [device 1]"), log);
            assertTrue(log.contains("on the other devices"), log);
          }
        }
      }
    }
  }

  /** It has computed a piece, and others go on from there. */
  @Test
  void aDeviceThatFailsAsItGivesResultsBack() throws IOException {
    double[] numbers = numbers();
    try (Funnel one = Funnel.open(Target.JVM)) {
      for (String call : List.of("scan", "flagged")) {
        List<Object> expected = results(one, calls().get(call), numbers);
        try (Funnel two = FakeDevices.open(2, FakeDevices.failing("fetch", 1, 2))) {
          String log =
              logged(() -> assertEquals(expected, results(two, calls().get(call), numbers), call));
          assertTrue(log.contains("Xid 79 [device 1]"), log);
        }
      }
    }
  }

  /** What it was at may have been written over. */
  @Test
  void aFailureInASinkThatIsItsSourceIsThrown() {
    for (String call : List.of("scan", "flagged")) {
      double[] numbers = numbers();
      try (Funnel two = FakeDevices.open(2, FakeDevices.failing("fetch", 1, 2))) {
        ElementStream stream =
            two.over(Source.of(MemorySegment.ofArray(numbers), ElementType.DOUBLE)).pieces(PIECE);
        assertThrows(FunnelDeviceException.class, () -> calls().get(call).of(stream, numbers));
      }
    }
  }

  @Test
  void aFailureIsLoggedOnce_withDeviceAndPieceAndCause() throws IOException {
    try (Funnel two = FakeDevices.open(2, FakeDevices.failing("run", 1, 1))) {
      String log = logged(() -> results(two, calls().get("reduce"), numbers()));
      assertEquals(1, log.lines().filter(line -> line.contains("has failed")).count(), log);
      assertTrue(log.contains("at elements "), log);
    }
  }

  @Test
  void whenAllHaveFailed_theJvmDoesTheRest() throws IOException {
    double[] numbers = numbers();
    FakeDevices.Fault first = FakeDevices.failing("run", 0, 2);
    FakeDevices.Fault second = FakeDevices.failing("run", 1, 3);
    FakeDevices.Fault both =
        (call, device) -> {
          first.before(call, device);
          second.before(call, device);
        };
    try (Funnel one = Funnel.open(Target.JVM);
        Funnel two = FakeDevices.open(2, both)) {
      String log =
          logged(
              () ->
                  assertEquals(
                      results(one, calls().get("scan"), numbers),
                      results(two, calls().get("scan"), numbers)));
      assertTrue(log.contains("since no other is left"), log);
    }
  }

  @Test
  void whatMayDifferOnADeviceGoesToNoOther() {
    double[] numbers = numbers();
    float least = numbers.length / 2;
    Transform wave = Transform.testDouble("wave", x -> MayDiffer.power((float) x) > least);
    Source source = Source.of(MemorySegment.ofArray(numbers), ElementType.DOUBLE);
    Sink sink = Sink.of(MemorySegment.ofArray(new double[LENGTH]), ElementType.DOUBLE);
    try (Funnel two = FakeDevices.open(2, FakeDevices.failing("run", 1, 1))) {
      FunnelDeviceException e =
          assertThrows(
              FunnelDeviceException.class,
              () -> two.over(source).pieces(PIECE).select(Select.where(wave), sink));
      assertEquals("Xid 79 [device 1]", e.getMessage());
    }
  }

  @Test
  void ofOneDeviceAFailureIsThrown() {
    try (Funnel one = FakeDevices.open(1, FakeDevices.failing("run", 0, 3))) {
      assertThrows(
          FunnelDeviceException.class, () -> results(one, calls().get("reduce"), numbers()));
    }
  }

  @Test
  void theFirstFailureInTheOrderOfPiecesIsThrown() {
    int[] keys = new int[LENGTH];
    keys[3 * PIECE + 5] = 100;
    keys[4 * PIECE] = 200;
    for (int i = 0; i < 5; i++) {
      try (Funnel funnel = FakeDevices.open(3, FakeDevices.slower())) {
        long[] counts = new long[10];
        KeyOutsideException e =
            assertThrows(
                KeyOutsideException.class,
                () ->
                    funnel
                        .over(Source.of(MemorySegment.ofArray(keys), ElementType.INT))
                        .pieces(PIECE)
                        .histogram(Histogram.ofKeys(10), counts));
        assertTrue(String.valueOf(e.getMessage()).contains("100"), e.getMessage());
        assertArrayEquals(new long[10], counts);
      }
    }
  }

  @Test
  void aSourceThatCannotBeReadInTheMiddle() {
    IOException cause = new IOException("bad sector");
    Source source =
        Source.generated(
            ElementType.LONG,
            LENGTH,
            (from, piece) -> {
              if (from == 4 * PIECE) {
                throw cause;
              }
            });
    try (Funnel funnel = FakeDevices.open(2, FakeDevices.slower())) {
      StreamException e =
          assertThrows(
              StreamException.class,
              () -> funnel.over(source).pieces(PIECE).reduce(Reduction.sum()));
      assertEquals(4 * PIECE, e.position());
      assertSame(cause, e.getCause());
    }
  }

  @Test
  void whoListensMayEndTheCall() {
    CancellationException enough = new CancellationException("enough");
    try (Funnel funnel = FakeDevices.open(2, FakeDevices.slower())) {
      ElementStream stream =
          funnel
              .over(Source.of(MemorySegment.ofArray(numbers()), ElementType.DOUBLE))
              .pieces(PIECE)
              .listener(
                  (done, total) -> {
                    if (done == 2 * PIECE) {
                      throw enough;
                    }
                  });
      assertSame(
          enough, assertThrows(CancellationException.class, () -> stream.reduce(Reduction.sum())));
      noThreadIsLeft();
      assertEquals(3.0, funnel.sum(new double[] {1, 2}));
    }
  }

  private static void noThreadIsLeft() {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      assertFalse(thread.getName().startsWith("working on "), thread.getName());
    }
  }

  @Test
  void anInterruptedCallerGetsItsThreadBack() throws InterruptedException {
    CountDownLatch isBegun = new CountDownLatch(1);
    FakeDevices.Fault slow =
        (call, device) -> {
          if (call.equals("run")) {
            isBegun.countDown();
            FakeDevices.sleep(20);
          }
        };
    Thread caller = Thread.currentThread();
    try (Funnel funnel = FakeDevices.open(2, slow)) {
      Thread.ofPlatform()
          .start(
              () -> {
                try {
                  assertTrue(isBegun.await(10, TimeUnit.SECONDS));
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
                caller.interrupt();
              });
      assertThrows(
          InterruptedIOException.class, () -> results(funnel, calls().get("scan"), numbers()));
      assertTrue(Thread.interrupted());
      noThreadIsLeft();
    }
  }

  @Test
  void aFunnelThatIsClosedMeanwhile() {
    Funnel funnel = FakeDevices.open(2, FakeDevices.slower());
    ElementStream stream =
        funnel
            .over(Source.of(MemorySegment.ofArray(numbers()), ElementType.DOUBLE))
            .pieces(PIECE)
            .listener((done, total) -> funnel.close());
    assertThrows(IllegalStateException.class, () -> stream.reduce(Reduction.sum()));
  }

  @Test
  void allDevicesAreClosed() {
    Set<Integer> closed = ConcurrentHashMap.newKeySet();
    FakeDevices.open(
            3,
            (call, device) -> {
              if (call.equals("close")) {
                closed.add(device);
              }
            })
        .close();
    assertEquals(Set.of(0, 1, 2), closed);
  }
}
