package funnel.engine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.emulator.Emulator;
import funnel.engine.KernelsOfProgram;
import funnel.engine.device.FailingDevice.Call;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a program says of the kernels that were compiled for it. */
class KernelsOfProgramTest {

  private static final int N = 3_000;
  private static final KernelsOfProgram EACH = new KernelsOfProgram(5, 3, 70);

  private final FailingDevice device = new FailingDevice(Emulator.builder().build()::launcher);

  KernelsOfProgramTest() {
    device.kernels = EACH;
  }

  @Test
  void thoseThatAreLoadedAgainCountAgain() {
    try (DeviceProgram program = device.load(KeptProgramsTest.sum("x", "s", N))) {
      assertEquals(EACH, program.kernels());
      KeptProgramsTest.set(program, "x", 1, 2, 3);
      device.at(Call.LAUNCH, 1, FailingDevice.DROP);
      program.run();
      assertEquals(2, device.begun);
      assertEquals(new KernelsOfProgram(10, 6, 140), program.kernels());
    }
  }

  @Test
  void thoseOfAClosedProgramAreKnown() {
    device.kept = new KeptPrograms(device.memory, 3, 1 << 19);
    try (DeviceProgram program = device.load(KeptProgramsTest.sum("x", "s", 100))) {
      KeptProgramsTest.set(program, "x", 1, 2, 3);
      program.run();
    }
    try (DeviceProgram next = device.load(KeptProgramsTest.sum("y", "t", 100))) {
      assertEquals(1, device.begun);
      assertEquals(new KernelsOfProgram(5, 0, 0), next.kernels());
    }
  }

  @Test
  void thoseOfACheckCount() {
    FailingDevice large = new FailingDevice(Emulator.builder().build()::launcher, 1L << 30);
    large.kernels = EACH;
    KernelCheck check =
        new KernelCheck(large.context, "kernels of a check", large::load, PassedChecks.NONE);
    int n = 2 * KernelCheck.MOST_OF_OWN; // too many for a check by its own run
    try (DeviceProgram program = large.load(KeptProgramsTest.sum("x", "s", n), Map.of(), check)) {
      program.set("x", MemorySegment.ofArray(new int[] {1, 2, 3}));
      program.run();
      assertEquals(2, large.begun);
      assertEquals(new KernelsOfProgram(10, 6, 140), program.kernels());
    }
  }
}
