package funnel;

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
import funnel.operation.Device;
import funnel.operation.EngineUnavailableException;
import funnel.operation.FunnelDeviceException;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.rank.Quantiles;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.Select;
import funnel.sort.Order;
import funnel.sort.Sort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Several devices, which are fakes. */
@Isolated // it looks at the log
@Timeout(60)
class DevicesTest {

  private static final int PIECE = 20_000;
  private static final int LENGTH = 9 * PIECE + 7;
  private static final FakeDevices.Fault NONE = (call, device) -> {};

  private static double[] numbers() {
    var random = Seed.random("devices");
    return random.doubles(LENGTH, -1, 1).toArray();
  }

  private interface Call {
    Object of(ElementStream stream, double[] into) throws IOException;
  }

  private static Sink sink(double[] into) {
    return Sink.of(MemorySegment.ofArray(into), ElementType.DOUBLE);
  }

  private static List<Object> read(Results results) {
    List<Object> all = new ArrayList<>();
    for (String name : results.names()) {
      Map<String, Object> values = results.valuesOrReasons();
      all.add(
          values.containsKey(name)
              ? String.valueOf(values.get(name))
              : Arrays.toString(results.elements(name).segment().toArray(ValueLayout.JAVA_BYTE)));
    }
    return all;
  }

  /** Every call of a stream of doubles, whose bits depend on how pieces are put together. */
  private static Map<String, Call> calls() {
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put(
        "reduce",
        (stream, into) ->
            read(
                stream.reduce(
                    Map.of(
                        "sum", Reduction.sum(),
                        "product", Reduction.product(),
                        "mean", Reduction.mean(),
                        "variance", Reduction.variance(),
                        "ends", Reduction.minMax(),
                        "least", Reduction.argMin()))));
    calls.put(
        "histogram",
        (stream, into) -> {
          long[] counts = new long[100];
          return stream.histogram(Histogram.even(100, -0.9, 0.9), counts) + Arrays.toString(counts);
        });
    calls.put("scan", (stream, into) -> stream.scan(Scan.inclusive(Operator.SUM), sink(into)));
    Transform positive = Transform.testDouble("positive", x -> x > 0);
    calls.put("select", (stream, into) -> stream.select(Select.where(positive), sink(into)));
    calls.put(
        "positions",
        (stream, into) ->
            stream.select(
                Select.where(positive).positions(),
                Sink.of(MemorySegment.ofArray(into), ElementType.LONG)));
    calls.put(
        "flagged",
        (stream, into) -> {
          byte[] flags = new byte[LENGTH];
          for (int i = 0; i < LENGTH; i += 3) {
            flags[i] = 1;
          }
          Source of = Source.of(MemorySegment.ofArray(flags), ElementType.BYTE);
          return stream.select(Select.flagged(), of, sink(into));
        });
    calls.put("unique", (stream, into) -> stream.unique(sink(into)));
    calls.put(
        "runs",
        (stream, into) -> {
          long[] lengths = new long[LENGTH];
          return stream.runs(sink(into), Sink.of(MemorySegment.ofArray(lengths), ElementType.LONG))
              + Arrays.toString(lengths);
        });
    calls.put(
        "sort",
        (stream, into) -> {
          stream.sort(Sort.descending(), sink(into));
          return "";
        });
    calls.put(
        "order",
        (stream, into) -> {
          stream.sort(Order.ascending(), Sink.of(MemorySegment.ofArray(into), ElementType.LONG));
          return "";
        });
    calls.put("topK", (stream, into) -> read(stream.topK(TopK.largest(50).withPositions())));
    calls.put("quantiles", (stream, into) -> read(stream.quantiles(Quantiles.of(0.01, 0.5))));
    return calls;
  }

  private static List<Object> results(Funnel funnel, Call call, double[] numbers)
      throws IOException {
    double[] into = new double[LENGTH];
    Object result =
        call.of(
            funnel
                .over(Source.of(MemorySegment.ofArray(numbers), ElementType.DOUBLE))
                .pieces(PIECE),
            into);
    return List.of(
        result,
        Arrays.hashCode(Arrays.stream(into).mapToLong(Double::doubleToRawLongBits).toArray()));
  }

  private static String logged(ThrowingRun run) throws IOException {
    PrintStream err = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    try {
      System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
      run.run();
    } finally {
      System.setErr(err);
    }
    assertTrue(
        LoggerFactory.getLogger(Funnel.class).getClass().getName().contains("Simple"),
        "another logger than slf4j-simple: its log is not seen");
    return log.toString(StandardCharsets.UTF_8);
  }

  private interface ThrowingRun {
    void run() throws IOException;
  }

  // Results

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void bitsDoNotDependOnTheDevicesNorOnTheFaster(int count) throws IOException {
    double[] numbers = numbers();
    FakeDevices.Fault slow =
        (call, device) -> {
          if (call.equals("run") && device == 0) {
            FakeDevices.sleep(3);
          }
        };
    try (Funnel one = Funnel.open(Target.JVM);
        Funnel several = FakeDevices.open(count, slow)) {
      for (Map.Entry<String, Call> call : calls().entrySet()) {
        assertEquals(
            results(one, call.getValue(), numbers),
            results(several, call.getValue(), numbers),
            call.getKey() + Seed.replay());
      }
    }
  }

  @Test
  void allDevicesWork_andOneThatIsFasterDoesMore() throws IOException {
    AtomicInteger[] runs = {new AtomicInteger(), new AtomicInteger()};
    FakeDevices.Fault counting =
        (call, device) -> {
          if (call.equals("run")) {
            runs[device].incrementAndGet();
            FakeDevices.sleep(device == 0 ? 60 : 1);
          }
        };
    try (Funnel funnel = FakeDevices.open(2, counting)) {
      var _ = results(funnel, calls().get("reduce"), numbers());
    }
    assertEquals(10, runs[0].get() + runs[1].get());
    assertTrue(runs[0].get() >= 1 && runs[1].get() > runs[0].get(), Arrays.toString(runs));
  }

  @Test
  void sinksAndListenersAreToldInOrder_byOneThread() throws IOException {
    List<Long> written = Collections.synchronizedList(new ArrayList<>());
    List<Long> told = new ArrayList<>();
    Set<Thread> listeners = ConcurrentHashMap.newKeySet();
    double[] into = new double[LENGTH];
    Sink inner = sink(into);
    Sink sink =
        new Sink() {
          @Override
          public ElementType type() {
            return inner.type();
          }

          @Override
          public long length() {
            return inner.length();
          }

          @Override
          public void write(long from, MemorySegment elements) throws IOException {
            written.add(from);
            inner.write(from, elements);
          }
        };
    try (Funnel funnel = FakeDevices.open(3, FakeDevices.slower())) {
      var _ =
          funnel
              .over(Source.of(MemorySegment.ofArray(numbers()), ElementType.DOUBLE))
              .pieces(PIECE)
              .listener(
                  (done, total) -> {
                    told.add(done);
                    listeners.add(Thread.currentThread());
                  })
              .scan(Scan.inclusive(Operator.MAX), sink);
    }
    List<Long> expected = new ArrayList<>();
    for (long from = 0; from < LENGTH; from += PIECE) {
      expected.add(from);
    }
    assertEquals(expected, written);
    expected.removeFirst();
    expected.add((long) LENGTH);
    assertEquals(expected, told);
    assertEquals(Set.of(Thread.currentThread()), listeners);
  }

  @Test
  void aSourceIsReadByOneAtATime_inOrder() throws IOException {
    AtomicInteger inside = new AtomicInteger();
    List<Long> read = new ArrayList<>();
    Source source =
        Source.generated(
            ElementType.LONG,
            LENGTH,
            (from, piece) -> {
              assertEquals(1, inside.incrementAndGet());
              read.add(from);
              FakeDevices.sleep(1);
              inside.decrementAndGet();
            });
    try (Funnel funnel = FakeDevices.open(3, NONE)) {
      assertEquals(0L, funnel.over(source).pieces(PIECE).reduce(Reduction.max()));
    }
    assertEquals(10, read.size());
    assertEquals(read.stream().sorted().toList(), read);
  }

  @Test
  void operatorsThatCallBackAreRefused() {
    try (Funnel outer = Funnel.open(Target.JVM);
        Funnel funnel = FakeDevices.open(2, NONE)) {
      Operator calling =
          Operator.ofDouble(
              "calling",
              0,
              (a, b) -> {
                try {
                  return funnel
                      .over(Source.of(MemorySegment.ofArray(new double[4]), ElementType.DOUBLE))
                      .pieces(2)
                      .reduce(
                          Reduction.of(
                              Operator.ofDouble(
                                  "back", 0, (x, y) -> outer.sum(new double[] {x, y}))))
                      .doubleValue();
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      IllegalStateException e =
          assertThrows(
              IllegalStateException.class, () -> outer.reduce(new double[] {1, 2}, calling));
      assertTrue(String.valueOf(e.getMessage()).contains("called back"), e.getMessage());
    }
  }

  @Test
  void longReductionsAreSpread_ifThatGivesTheSameBits() {
    Set<Integer> ran = ConcurrentHashMap.newKeySet();
    FakeDevices.Fault noting =
        (call, device) -> {
          if (call.startsWith("run")) {
            ran.add(device);
          }
        };
    byte[] bytes = new byte[OneShotCalls.LEAST_SPREAD];
    bytes[5] = 7;
    bytes[bytes.length - 1] = 9;
    Elements all = Elements.of(bytes);
    try (Funnel funnel = FakeDevices.open(2, noting)) {
      assertEquals(16L, funnel.sumAsLong(all));
      assertEquals(9, funnel.reduce(all, Reduction.max()));
      assertEquals(Set.of(0, 1), ran);
      ran.clear();
      assertEquals(9, funnel.reduce(all.range(1, all.length()), Reduction.max()));
      assertEquals(16.0, funnel.sumAsDouble(all));
      assertEquals(2L, funnel.reduce(all, Reduction.countIf(Transform.testInt("any", x -> x > 0))));
      assertEquals(Set.of(0), ran);
      Thread.currentThread().interrupt();
      assertEquals(16L, funnel.sumAsLong(all));
      assertTrue(Thread.interrupted());
    }
  }

  // Faults

  private static FakeDevices.Fault failing(String at, int device, int n) {
    AtomicInteger calls = new AtomicInteger();
    return (call, of) -> {
      if (call.equals("run") && of != device) {
        FakeDevices.sleep(1); // so that it has its share
      }
      if (call.equals(at) && of == device && calls.incrementAndGet() >= n) {
        throw new FunnelDeviceException("Xid 79 [device %d]".formatted(of), null);
      }
    };
  }

  @Test
  void whatADeviceThatFailsWasAtIsComputedOnTheJvm_andTheRestOnOthers() throws IOException {
    double[] numbers = numbers();
    try (Funnel one = Funnel.open(Target.JVM)) {
      for (Map.Entry<String, Call> call : calls().entrySet()) {
        if (call.getKey().equals("select") || call.getKey().equals("positions")) {
          continue; // by a predicate of the user's: see below
        }
        List<Object> expected = results(one, call.getValue(), numbers);
        for (String at : List.of("load", "set", "run")) {
          try (Funnel two = FakeDevices.open(2, failing(at, 1, 2))) {
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
        try (Funnel two = FakeDevices.open(2, failing("fetch", 1, 2))) {
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
      try (Funnel two = FakeDevices.open(2, failing("fetch", 1, 2))) {
        ElementStream stream =
            two.over(Source.of(MemorySegment.ofArray(numbers), ElementType.DOUBLE)).pieces(PIECE);
        assertThrows(FunnelDeviceException.class, () -> calls().get(call).of(stream, numbers));
      }
    }
  }

  @Test
  void aFailureIsLoggedOnce_withDeviceAndPieceAndCause() throws IOException {
    try (Funnel two = FakeDevices.open(2, failing("run", 1, 1))) {
      String log = logged(() -> results(two, calls().get("reduce"), numbers()));
      assertEquals(1, log.lines().filter(line -> line.contains("has failed")).count(), log);
      assertTrue(log.contains("at elements "), log);
    }
  }

  @Test
  void whenAllHaveFailed_theJvmDoesTheRest() throws IOException {
    double[] numbers = numbers();
    FakeDevices.Fault first = failing("run", 0, 2);
    FakeDevices.Fault second = failing("run", 1, 3);
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
  void whatMayBeContractedOnADeviceGoesToNoOther() {
    try (Funnel two = FakeDevices.open(2, failing("run", 1, 1))) {
      FunnelDeviceException e =
          assertThrows(
              FunnelDeviceException.class, () -> results(two, calls().get("select"), numbers()));
      assertEquals("Xid 79 [device 1]", e.getMessage());
    }
  }

  @Test
  void ofOneDeviceAFailureIsThrown() {
    try (Funnel one = FakeDevices.open(1, failing("run", 0, 3))) {
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

  // Plans, and what is opened

  @Test
  void aPlanIsOnOneDevice() {
    List<Integer> loaded = new ArrayList<>();
    FakeDevices.Fault noting =
        (call, device) -> {
          if (call.equals("load")) {
            loaded.add(device);
          }
        };
    List<Device> devices = FakeDevices.devices(3);
    try (Funnel funnel = FakeDevices.open(2, noting)) {
      for (Plan.Builder builder :
          List.of(funnel.plan("sums", devices.get(1)), funnel.plan("sums"))) {
        try (Plan plan =
            builder.input("x", ElementType.INT, 3).add("sum", Reduction.sum(), "x").build()) {
          assertEquals(
              6, plan.run(Map.of("x", Elements.of(new int[] {1, 2, 3})), Map.of()).getInt("sum"));
        }
      }
      assertEquals(6, funnel.sum(new int[] {1, 2, 3}));
      assertEquals(List.of(1, 0, 0), loaded);
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> funnel.plan("sums", devices.get(2)));
      assertEquals(
          "this Funnel was not opened on device 2: a fake, jvm: it has [0: a fake, jvm, 1: a fake,"
              + " jvm]",
          e.getMessage());
      assertEquals("2 devices, the first 0: a fake, jvm", funnel.description());
    }
  }

  @Test
  void devicesThatAreNone() {
    assertThrows(IllegalArgumentException.class, () -> Funnel.open(new Device[0]));
    Device refused =
        new Device("a fake", "cuda", 1, 1L << 30, "device 1 has no context of its own");
    EngineUnavailableException e =
        assertThrows(EngineUnavailableException.class, () -> Funnel.open(refused));
    assertEquals("device 1 has no context of its own", e.getMessage());
    if (!Sdk.isHere()) {
      assertEquals(List.of(), Funnel.devices());
      assertThrows(
          EngineUnavailableException.class, () -> Funnel.open(FakeDevices.devices(1).getFirst()));
    }
  }
}
