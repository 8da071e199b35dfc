package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.io.Source;
import funnel.operation.Device;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several GPUs of one machine. */
@Tag("gpu")
class TornadoDevicesTest {

  private static final int LENGTH = (1 << 27) + 3;

  private final List<Device> devices = Funnel.devices();

  @BeforeEach
  void severalDevices() {
    assumeTrue(
        devices.size() > 1, "NOT RUN: this machine has devices=%s".formatted(devices.size()));
  }

  @Test
  void streamsGiveTheSameBitsOnAll() throws IOException {
    double[] numbers = StreamCalls.numbers();
    try (Funnel jvm = Funnel.open(Target.JVM);
        Funnel all = Funnel.open(devices.toArray(Device[]::new))) {
      for (var call : StreamCalls.calls().entrySet()) {
        assertEquals(
            StreamCalls.results(jvm, call.getValue(), numbers),
            StreamCalls.results(all, call.getValue(), numbers),
            call.getKey() + Seed.replay());
      }
    }
  }

  @Test
  void functionsThatCaptureNumbersAndArrays() throws IOException {
    int[] x = Seed.random("devices").ints(5_000_000, 0, 8).toArray();
    int[] table = {3, 1, 4, 1, 5, 9, 2, 6};
    try (Funnel all = Funnel.open(devices.toArray(Device[]::new))) {
      for (int k : new int[] {-7, 0, 5}) {
        Transform weight = Transform.ofInt("weight", v -> table[v] * k);
        assertEquals(
            Arrays.stream(x).map(v -> table[v] * k).sum(),
            all.over(Source.of(MemorySegment.ofArray(x), ElementType.INT))
                .pieces(1 << 18)
                .reduce(Reduction.of(Operator.SUM, weight)),
            Seed.replay());
      }
    }
  }

  @Test
  void longCallsGiveTheSameBitsOnAll() {
    int[] numbers = Seed.random("devices").ints(LENGTH).toArray();
    int[] sums = numbers.clone();
    Arrays.parallelPrefix(sums, Integer::sum);
    try (Funnel all = Funnel.open(devices.toArray(Device[]::new))) {
      assertEquals(sums[LENGTH - 1], all.sum(numbers));
      int[] scanned = new int[LENGTH];
      all.scan(Elements.of(numbers), Scan.inclusive(Operator.SUM), Elements.of(scanned));
      assertEquals(-1, Arrays.mismatch(sums, scanned), Seed.replay());
    }
  }

  /** A plan on each, all at once, many times. */
  @Test
  void plansOnEachAtOnce() {
    int[] numbers = Seed.random("plans").ints(1 << 20).toArray();
    int sum = Arrays.stream(numbers).sum();
    try (Funnel all = Funnel.open(devices.toArray(Device[]::new))) {
      CompletableFuture.allOf(
              devices.stream()
                  .map(device -> CompletableFuture.runAsync(() -> sums(all, device, numbers, sum)))
                  .toArray(CompletableFuture[]::new))
          .join();
    }
  }

  private static void sums(Funnel funnel, Device device, int[] numbers, int sum) {
    try (Plan plan =
        funnel
            .plan("sums", device)
            .input("x", ElementType.INT, numbers.length)
            .add("sum", Reduction.sum(), "x")
            .build()) {
      plan.set("x", Elements.of(numbers));
      for (int run = 0; run < 1000; run++) {
        assertEquals(sum, plan.run().getInt("sum"), device + ", run=" + run);
      }
    }
  }
}
