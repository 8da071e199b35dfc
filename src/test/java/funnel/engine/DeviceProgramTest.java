package funnel.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.emulator.Emulator;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.exceptions.TornadoOutOfMemoryException;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** What a program on a device does about failures, on a device that fails as it is told. */
class DeviceProgramTest {

  /** What a device can do wrong. */
  private enum Fault {
    NONE,
    UPLOAD,
    LAUNCH,
    RESULT,
    DOWNLOAD,
    THROW,
    FAULTY_ALLOCATION,
    NO_MEMORY
  }

  private final Deque<Fault> faults = new ArrayDeque<>();
  private boolean contextLives = true;
  private int begun;
  private int closed;
  private int probed;
  private final DeviceMemory memory = new DeviceMemory(1 << 20);
  private final DeviceContext context =
      new DeviceContext(
          () -> new Device("one that fails", "any"),
          () -> "a device that fails",
          () -> {
            probed++;
            return contextLives;
          });

  /** Runs kernels in the emulator over the host's arrays, but for what goes wrong. */
  private final class Failing implements Launcher {
    private final ProgramArrays arrays;

    Failing(Program program, ProgramArrays arrays) {
      this.arrays = arrays;
      begun++;
    }

    private Fault next() {
      return faults.isEmpty() ? Fault.NONE : faults.removeFirst();
    }

    @Override
    public String upload() {
      return next() == Fault.UPLOAD ? "input x" : "";
    }

    @Override
    public void launch(int routine) {
      Fault fault = next();
      switch (fault) {
        case THROW -> throw new IllegalStateException("does not compile");
        case FAULTY_ALLOCATION -> throw new TornadoOutOfMemoryException("no bytes (status=719)");
        case NO_MEMORY -> throw new TornadoOutOfMemoryException("no bytes (status=2)");
        case LAUNCH -> {}
        default -> Emulator.builder().build().run(arrays.tasks(routine));
      }
      if (fault == Fault.RESULT) {
        ((IntArray) arrays.array("one.first")).set(arrays.index("one.first") + 1, -1074790399);
      }
    }

    @Override
    public void download(TornadoNativeArray array, int offset, int length) {
      // the kernels worked on the host's array; what the program fills it with is put back
      if (next() != Fault.DOWNLOAD) {
        for (int i = 0; i < length; i++) {
          ((IntArray) array).set(offset + i, expected[i]);
        }
      }
    }

    @Override
    public void measureKernels(boolean on) {}

    @Override
    public long kernelNanos() {
      return 0;
    }

    @Override
    public void close() {
      closed++;
    }
  }

  private int[] expected = new int[0];

  private DeviceProgram load() {
    Program program =
        Program.of(
            List.of(new Input("x", ElementType.INT, 100)),
            List.of(new RoutineContract.Adding("one", 1, 100)));
    return new DeviceProgram(program, Map.of(), context, memory, Failing::new, null);
  }

  private static void set(DeviceProgram program, int... x) {
    program.set("x", MemorySegment.ofArray(x));
  }

  private void requireWorks(DeviceProgram program) {
    faults.clear();
    set(program, 7, 8);
    program.run();
    assertEquals(8, program.result("one.first"));
    expected = new int[] {8, 9};
    int[] x = new int[2];
    program.fetch("x", MemorySegment.ofArray(x));
    assertArrayEquals(expected, x);
  }

  @Test
  void whatDoesNotComeBackOnce_isRunAgain_andNobodyNotices() {
    for (Fault fault : List.of(Fault.UPLOAD, Fault.LAUNCH)) {
      try (DeviceProgram program = load()) {
        int before = begun;
        if (fault == Fault.LAUNCH) {
          faults.add(Fault.NONE); // of the upload
        }
        faults.add(fault);
        set(program, 1, 2);
        program.run();
        assertEquals(2, program.result("one.first"), fault.name());
        assertEquals(before + 1, begun, "loaded again after " + fault);
        requireWorks(program);
      }
    }
    assertEquals(begun, closed);
  }

  @Test
  void whatDoesNotComeBackTwice_isAnExceptionForThisProgramAlone() {
    try (DeviceProgram program = load();
        DeviceProgram other = load()) {
      set(program, 1, 2);
      faults.addAll(List.of(Fault.NONE, Fault.LAUNCH, Fault.NONE, Fault.LAUNCH));
      FunnelDeviceException e = assertThrows(FunnelDeviceException.class, program::run);
      assertTrue(
          e.getMessage().contains("twice: result one.first was delivered by run 0"), e::getMessage);
      assertTrue(e.getMessage().contains("[a device that fails]"), e::getMessage);
      requireWorks(other);
      requireWorks(program);
    }
  }

  @Test
  void aCounterThatStartsFromGarbage_isAResultThatDidNotArrive_noLostContext() {
    try (DeviceProgram program = load()) {
      set(program, 1, 2);
      faults.addAll(List.of(Fault.NONE, Fault.RESULT, Fault.NONE, Fault.RESULT));
      FunnelDeviceException e = assertThrows(FunnelDeviceException.class, program::run);
      assertTrue(e.getMessage().contains("run -1074790399, expected run 1"), e::getMessage);
      assertFalse(e.getMessage().contains("context"), e::getMessage);
      requireWorks(program);
    }
  }

  @Test
  void aLostContext_endsTheUseOfTheDevice() {
    try (DeviceProgram program = load();
        DeviceProgram other = load()) {
      set(program, 1, 2);
      set(other, 1, 2);
      contextLives = false;
      faults.addAll(List.of(Fault.NONE, Fault.LAUNCH));
      FunnelDeviceException e = assertThrows(FunnelDeviceException.class, program::run);
      assertTrue(e.getMessage().contains("its context is lost"), e::getMessage);
      for (DeviceProgram any : List.of(program, other)) {
        FunnelDeviceException refused = assertThrows(FunnelDeviceException.class, any::run);
        assertTrue(
            refused.getMessage().contains("only a new process gets another; first failure: result"),
            refused::getMessage);
      }
      assertThrows(FunnelDeviceException.class, this::load);
      assertEquals(1, probed);
    }
  }

  @Test
  void anAllocationThatFailsAfterAFault_isJudgedByTheProbe() {
    for (boolean lives : new boolean[] {true, false}) {
      try (DeviceProgram program = load()) {
        contextLives = lives;
        set(program, 1, 2);
        faults.addAll(List.of(Fault.NONE, Fault.FAULTY_ALLOCATION));
        FunnelDeviceException e = assertThrows(FunnelDeviceException.class, program::run);
        assertTrue(e.getMessage().contains("status=719"), e::getMessage);
        if (lives) {
          requireWorks(program);
        } else {
          assertThrows(FunnelDeviceException.class, program::run);
        }
      }
    }
  }

  @Test
  void wantOfMemory_andWhatThePlatformThrows_areNotTriedAgain() {
    try (DeviceProgram program = load()) {
      set(program, 1, 2);
      faults.addAll(List.of(Fault.NONE, Fault.NO_MEMORY));
      assertThrows(FunnelMemoryException.class, program::run);
      faults.addAll(List.of(Fault.NONE, Fault.THROW));
      FunnelDeviceException e = assertThrows(FunnelDeviceException.class, program::run);
      assertTrue(
          e.getMessage().contains("running tasks one_add failed: does not compile"), e::getMessage);
      assertEquals(0, probed);
      requireWorks(program);
    }
  }

  @Test
  void anInputThatOnlyTheDeviceHad_isLostWithAFailure_andNotComputedTwice() {
    try (DeviceProgram program = load()) {
      set(program, 1, 2);
      program.run();
      faults.addAll(List.of(Fault.LAUNCH));
      FunnelDeviceException e = assertThrows(FunnelDeviceException.class, program::run);
      assertTrue(
          e.getMessage().contains("inputs [x], which earlier runs had changed, are lost"),
          e::getMessage);
      FunnelDeviceException again = assertThrows(FunnelDeviceException.class, program::run);
      assertTrue(again.getMessage().contains("set them again"), again::getMessage);
      requireWorks(program);
    }
  }

  @Test
  void aCopyThatDoesNotCome_isTriedAgainByTheNextFetch() {
    try (DeviceProgram program = load()) {
      set(program, 1, 2);
      program.run();
      faults.addAll(List.of(Fault.DOWNLOAD, Fault.DOWNLOAD));
      FunnelDeviceException e =
          assertThrows(
              FunnelDeviceException.class,
              () -> program.fetch("x", MemorySegment.ofArray(new int[2])));
      assertTrue(e.getMessage().contains("array x could not be copied"), e::getMessage);
      expected = new int[] {2, 3};
      int[] x = new int[2];
      program.fetch("x", MemorySegment.ofArray(x));
      assertArrayEquals(expected, x);
    }
  }

  @Test
  void memoryIsFreeAgain_afterAllThat() {
    load().close();
    assertEquals(memory.limit(), memory.left());
    contextLives = false;
    context.isLostBy("a test");
    assertThrows(FunnelDeviceException.class, this::load);
    assertEquals(memory.limit(), memory.left());
  }

  /** The messages are those of TornadoVM 5.2.0's two backends. */
  @Test
  void allocationThatFailsAfterAFault_isNoWantOfMemory() {
    assertTrue(
        DeviceProgram.isFault(
            "[ERROR] Unable to allocate 312 B on the CUDA device (cuMemAlloc status=719)."));
    assertTrue(DeviceProgram.isFault("[ERROR] Unable to allocate 1024 bytes ... status=715"));
    assertFalse(
        DeviceProgram.isFault(
            "[ERROR] Unable to allocate 312 B on the CUDA device (cuMemAlloc status=2)."));
    assertFalse(DeviceProgram.isFault("Unable to allocate 4294967320 bytes of memory."));
  }

  @Test
  void bytesWhoseIndexAndHeaderPass32Bits_areRefusedWhereTheyWrapAround() {
    long reached = (1L << 31) - TornadoNativeArray.ARRAY_HEADER;
    ByteArray bytes = new ByteArray(1);
    Device ptx = new Device("any", "ptx");
    ptx.requireReach("x", bytes, reached);
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> ptx.requireReach("x", bytes, reached + 1));
    assertTrue(e.getMessage().contains("input x"), e.getMessage());
    assertTrue(e.getMessage().contains("length=" + (reached + 1)), e.getMessage());
    assertTrue(e.getMessage().contains("largest=" + reached), e.getMessage());
    new Device("any", "cuda").requireReach("x", bytes, Input.LARGEST_CAPACITY);
    ptx.requireReach("x", new LongArray(1), Input.LARGEST_CAPACITY);
    ptx.requireReach("x", new IntArray(1), Input.LARGEST_CAPACITY);
  }
}
