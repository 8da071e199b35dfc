package funnel;

import static funnel.StreamCalls.LENGTH;
import static funnel.StreamCalls.PIECE;
import static funnel.StreamCalls.calls;
import static funnel.StreamCalls.numbers;
import static funnel.StreamCalls.results;
import static funnel.StreamCalls.sink;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.call.OneShotCalls;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.operation.Device;
import funnel.operation.EngineUnavailableException;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several devices, which are fakes. */
@Timeout(60)
class DevicesTest {

  private static final FakeDevices.Fault NONE = (call, device) -> {};

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
      for (Map.Entry<String, StreamCalls.Call> call : calls().entrySet()) {
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
