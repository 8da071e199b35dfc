package funnel.engine.device;

import static funnel.engine.device.FailingDevice.DROP;
import static funnel.engine.device.FailingDevice.throwing;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.Order;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.RoutineContract;
import funnel.engine.device.FailingDevice.Call;
import funnel.operation.FunnelDeviceException;
import funnel.operation.Input;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Inputs that are on the device alone, on a device that fails as it is told. */
@Timeout(120)
class StagedProgramTest {

  private static final int N = 3000;
  private static final Input X = new Input("x", ElementType.INT, N);
  private static final Input Y = new Input("y", ElementType.INT, N);

  private final FailingDevice device = device(Order.FORWARD);

  private static FailingDevice device(Order groups) {
    return new FailingDevice(
        Emulator.builder().groupOrder(groups).stagedBytes(0).build()::launcher);
  }

  /** The running sum of x, and y beside it. */
  private static Program scans() {
    return Program.of(
        List.of(X, Y),
        Scan.inclusive(Operator.SUM)
            .by(ScanForm.SINGLE_PASS)
            .expand("scan", List.of(X))
            .primitives());
  }

  private static Program adding() {
    return Program.of(List.of(X, Y), List.of(new RoutineContract.Adding("one", "x", 1, N)));
  }

  private static MemorySegment of(int... values) {
    return MemorySegment.ofArray(values);
  }

  private static int[] values() {
    return Seed.random("staged").ints(N, -9, 9).toArray();
  }

  private static int[] sums(int... values) {
    int[] sums = values.clone();
    Arrays.parallelPrefix(sums, Integer::sum);
    return sums;
  }

  private static void assertFetched(LoadedProgram program, String array, int... expected) {
    int[] found = new int[program.length(array)];
    program.fetch(array, MemorySegment.ofArray(found));
    assertArrayEquals(expected, found, Seed.replay());
  }

  private static FunnelDeviceException assertFails(Runnable call, String... parts) {
    FunnelDeviceException e = assertThrows(FunnelDeviceException.class, call::run);
    for (String part : parts) {
      assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
    }
    return e;
  }

  @Test
  void elementsGoStraightToTheDevice_andStraightBack() {
    try (DeviceProgram program = device.load(scans())) {
      int[] into = new int[N];
      program.setDestination("scan", MemorySegment.ofArray(into));
      for (int n : new int[] {N, 1, 0, N - 1}) {
        int[] values = Arrays.copyOf(values(), n);
        program.run(Map.of("x", of(values), "y", of(1)));
        assertArrayEquals(sums(values), Arrays.copyOf(into, n), Seed.replay());
        assertFetched(program, "scan", sums(values));
      }
      assertEquals(8, device.calls(Call.SEND));
      assertEquals(8, device.calls(Call.RECEIVE));
      assertEquals(0, device.calls(Call.DOWNLOAD));
    }
  }

  @Test
  void whatDoesNotArrive_isSentOnceMore() {
    try (DeviceProgram program = device.load(scans())) {
      program.set("y", of(1));
      device.at(Call.SEND, 1, DROP);
      assertFails(() -> program.set("x", of(1, 2)), "inputs [y]", "are lost");
      program.set("y", of(1));
      program.set("x", of(1, 2));
      program.run();
      assertFetched(program, "scan", 1, 3);
    }
    try (DeviceProgram program = device.load(scans())) {
      device.at(Call.SEND, 1, DROP);
      program.set("x", of(1, 2));
      device.at(Call.SEND, 1, DROP);
      program.run(Map.of("x", of(3, 4), "y", of(1)));
      assertFetched(program, "scan", 3, 7);
    }
  }

  @Test
  void whatDoesNotArriveTwice_isAFailure_andTheInputIsLost() {
    try (DeviceProgram program = device.load(scans())) {
      program.set("y", of(1));
      device.at(Call.SEND, 1, DROP);
      device.at(Call.SEND, 2, throwing(new IllegalStateException("no link")));
      assertFails(() -> program.run(Map.of("x", of(1, 2), "y", of(1))), "no link");
      assertFails(program::run, "set them again");
      program.run(Map.of("x", of(1, 2), "y", of(1)));
      assertFetched(program, "scan", 1, 3);
    }
  }

  @Test
  void aRunThatFails_isRepeatedWithWhatWasGivenToIt_andNotWithWhatWasSetBefore() {
    try (DeviceProgram program = device.load(scans())) {
      device.at(Call.LAUNCH, 1, DROP);
      program.run(Map.of("x", of(1, 2), "y", of(1)));
      assertFetched(program, "scan", 1, 3);
      device.at(Call.LAUNCH, 1, DROP);
      assertFails(() -> program.run(Map.of("x", of(5, 6))), "inputs [y]", "are lost");
      assertFails(program::run, "set them again");
      assertFails(() -> program.fetch("y", of(0)), "inputs [y]", "were lost");
      program.run(Map.of("x", of(5, 6), "y", of(1)));
      assertFetched(program, "scan", 5, 11);
    }
  }

  @Test
  void anInputThatRunsChange_staysOnTheDevice() {
    try (DeviceProgram program = device.load(adding())) {
      program.run(Map.of("x", of(1, 2), "y", of(1)));
      program.run();
      program.set("y", of(7));
      program.run();
      assertFetched(program, "x", 4, 5);
      assertFetched(program, "y", 7);
      device.at(Call.LAUNCH, 1, DROP);
      assertFails(program::run, "are lost");
      assertFails(() -> program.fetch("x", of(0, 0)), "inputs [x]", "were lost");
    }
  }

  @Test
  void measuringThatNeedsAnotherLauncher_keepsTheInputs() {
    device.records = true;
    try (DeviceProgram program = device.load(adding())) {
      program.run(Map.of("x", of(1, 2), "y", of(5)));
      program.measureKernels(true);
      assertEquals(2, device.begun);
      program.run();
      assertEquals(2, program.kernelNanos());
      assertFetched(program, "x", 3, 4);
      assertFetched(program, "y", 5);
      program.measureKernels(false);
      program.run();
      assertFetched(program, "x", 4, 5);
      assertEquals(2, device.begun);
    }
  }

  /** Blocks that come in reverse order wait for others until they give up. */
  @Test
  void anotherForm_goesOnWithTheSameInputs() {
    FailingDevice reverse = device(Order.REVERSE);
    try (DeviceProgram program = reverse.load(scans())) {
      int[] values = values();
      program.set("x", of(values));
      program.set("y", of(8));
      Arrays.setAll(values.clone(), i -> values[i] = -1);
      program.run();
      assertEquals(2, reverse.begun);
      int[] expected = sums(values());
      assertFetched(program, "scan", expected);
      assertFetched(program, "y", 8);
      program.run();
      assertFetched(program, "scan", expected);
    }
  }

  @Test
  void whatDoesNotComeBack_isAFailure() {
    try (DeviceProgram program = device.load(scans())) {
      program.run(Map.of("x", of(1, 2), "y", of(1)));
      device.at(Call.RECEIVE, 1, DROP);
      assertFails(() -> program.fetch("scan", of(0, 0)), "array scan could not be copied");
      device.at(Call.RECEIVE, 1, throwing(new IllegalStateException("no link")));
      assertFails(() -> program.fetch("scan", of(0, 0)), "copying array scan", "no link");
      assertFetched(program, "scan", 1, 3);
    }
  }

  @Test
  void ofBoundArrays_whatHasChangedIsSent_andIsSentAgainAfterAFailure() {
    IntArray x = IntArray.fromArray(values());
    IntArray scan = new IntArray(N);
    Map<String, uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray> bound =
        Map.of("x", x, "scan", scan);
    try (DeviceProgram program = device.load(scans(), bound, null)) {
      program.setRange("x", 0, N);
      program.setRange("scan", 0, N);
      program.set("y", of(1));
      program.run();
      assertArrayEquals(sums(values()), scan.toHeapArray(), Seed.replay());
      x.set(7, 100);
      program.setRange("x", 7, 2);
      device.at(Call.LAUNCH, 1, DROP);
      assertFails(program::run, "inputs [y]", "are lost");
      program.set("y", of(1));
      program.run();
      assertEquals(100, scan.get(0));
      assertEquals(100 + x.get(8), scan.get(1));
      assertEquals(sums(values())[2], scan.get(2));
    }
  }
}
