package funnel.engine.device;

import static funnel.engine.device.FailingDevice.DROP;
import static funnel.engine.device.FailingDevice.DROP_COPY_BACK;
import static funnel.engine.device.FailingDevice.spoiling;
import static funnel.engine.device.FailingDevice.throwing;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Log;
import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Order;
import funnel.engine.Engine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.RoutineContract;
import funnel.engine.device.FailingDevice.Call;
import funnel.engine.device.FailingDevice.Fault;
import funnel.histogram.Histogram;
import funnel.operation.Device;
import funnel.operation.FunnelDeviceException;
import funnel.operation.FunnelMemoryException;
import funnel.operation.Input;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import uk.ac.manchester.tornado.api.exceptions.TornadoOutOfMemoryException;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** What a program on a device does about failures, on a device that fails as it is told. */
@Timeout(120)
class DeviceProgramTest {

  private static final int N = 3000;
  private static final int BINS = 8;
  private static final int GUARD = -77;
  private static final Input X = new Input("x", ElementType.INT, N);

  private final FailingDevice device = new FailingDevice(Emulator.builder().build()::launcher);

  /** The sum, the inclusive scan and a histogram of x. */
  private static Program small() {
    List<Input> inputs = List.of(X);
    return Program.of(
        inputs,
        Stream.of(
                Reduction.sum().expand("sum", inputs),
                Scan.inclusive(Operator.SUM).by(ScanForm.SINGLE_PASS).expand("scan", inputs),
                Histogram.ofKeys(BINS).expand("counts", inputs))
            .flatMap(step -> step.primitives().stream())
            .toList());
  }

  /** x plus one, in place, and another input. */
  private static Program adding() {
    return Program.of(
        List.of(X, new Input("y", ElementType.INT, N)),
        List.of(new RoutineContract.Adding("one", "x", 1, N)));
  }

  /** A small program with destinations, and what they have to hold. */
  private final class Small implements AutoCloseable {
    final DeviceProgram program;
    final int[] scan = new int[N + 1];
    final int[] counts = new int[BINS + 1];
    private int[] values = new int[0];

    Small(DeviceProgram program) {
      this.program = program;
      setAnew();
    }

    Small() {
      this(device.load(small()));
    }

    void setAnew() {
      values = Seed.random("small").ints(N, 0, BINS).toArray();
      program.set("x", MemorySegment.ofArray(values));
      program.setDestination("scan", MemorySegment.ofArray(scan));
      program.setDestination("counts", MemorySegment.ofArray(counts));
    }

    void requireRuns() {
      Arrays.fill(scan, GUARD);
      Arrays.fill(counts, GUARD);
      program.run();
      int sum = 0;
      int[] expectedScan = new int[N + 1];
      int[] expectedCounts = new int[BINS + 1];
      for (int i = 0; i < N; i++) {
        sum += values[i];
        expectedScan[i] = sum;
        expectedCounts[values[i]]++;
      }
      expectedScan[N] = GUARD;
      expectedCounts[BINS] = GUARD;
      assertEquals(sum, program.result("sum"), Seed.replay());
      assertArrayEquals(expectedScan, scan, Seed.replay());
      assertArrayEquals(expectedCounts, counts, Seed.replay());
    }

    /** Fails, and nothing of it is to be seen. */
    FunnelDeviceException requireFails() {
      Arrays.fill(scan, GUARD);
      Arrays.fill(counts, GUARD);
      FunnelDeviceException e = assertThrows(FunnelDeviceException.class, program::run);
      assertTrue(Arrays.stream(scan).allMatch(i -> i == GUARD), "scan");
      assertTrue(Arrays.stream(counts).allMatch(i -> i == GUARD), "counts");
      return e;
    }

    @Override
    public void close() {
      program.close();
    }
  }

  private static void set(DeviceProgram program, int... x) {
    program.set("x", MemorySegment.ofArray(x));
  }

  private static void assertFetched(DeviceProgram program, int... expected) {
    int[] x = new int[program.length("x")];
    program.fetch("x", MemorySegment.ofArray(x));
    assertArrayEquals(expected, x);
  }

  private static void assertContains(String text, String part) {
    assertTrue(text.contains(part), text);
  }

  private static void assertSays(Throwable e, String part) {
    assertContains(String.valueOf(e.getMessage()), part);
  }

  static Stream<Arguments> losses() {
    return Stream.of(
        Arguments.of(Call.UPLOAD, DROP, "input x did not reach the device"),
        Arguments.of(Call.LAUNCH, DROP, "was delivered by run"),
        Arguments.of(Call.LAUNCH, DROP_COPY_BACK, "was delivered by run"),
        Arguments.of(Call.LAUNCH, GARBAGE, "was delivered by run -1074790399"));
  }

  /** A counter that starts from what was in the memory before. */
  private static final Fault GARBAGE =
      spoiling(a -> ((IntArray) a.array("sum")).set(a.index("sum") + 1, -1074790399));

  @ParameterizedTest
  @MethodSource("losses")
  void whatIsLostOnce_isRunAgain_andLogged(Call call, Fault fault, String what) {
    try (Small small = new Small()) {
      for (int run = 1; run <= 3; run++) {
        int begun = device.begun;
        int launched = device.calls(Call.LAUNCH);
        device.at(call, 1, fault);
        String log = Log.of(small::requireRuns);
        assertContains(log, what);
        assertContains(log, "loading the program again to run it once more");
        assertEquals(begun + 1, device.begun);
        int launches = call == Call.LAUNCH ? 2 : 1; // none over what has not arrived
        assertEquals(launched + launches, device.calls(Call.LAUNCH));
        assertEquals("", Log.of(small::requireRuns));
        small.setAnew();
      }
    }
    assertEquals(device.begun, device.closed);
  }

  @ParameterizedTest
  @MethodSource("losses")
  void whatIsLostTwice_isAnExceptionForThisProgramAlone(Call call, Fault fault, String what) {
    try (Small small = new Small();
        Small other = new Small()) {
      device.at(call, 1, fault);
      device.at(call, 2, fault);
      FunnelDeviceException e = small.requireFails();
      assertSays(e, "the device did not complete tasks sum_");
      assertSays(e, "twice: ");
      assertSays(e, what);
      assertSays(e, "[a device that fails]");
      assertFalse(String.valueOf(e.getMessage()).contains("context"), e::getMessage);
      other.requireRuns();
      small.requireRuns();
    }
    assertEquals(device.memory.limit(), device.memory.left());
  }

  @ParameterizedTest
  @MethodSource("losses")
  void aProgramIsClosedAfterAFailure_once(Call call, Fault fault, String what) {
    Small small = new Small();
    device.at(call, 1, fault);
    device.at(call, 2, fault);
    assertSays(small.requireFails(), what);
    assertEquals(device.memory.limit(), device.memory.left() + small.program.deviceBytes());
    small.close();
    small.close();
    assertEquals(device.begun, device.closed);
    assertEquals(device.memory.limit(), device.memory.left());
  }

  @ParameterizedTest
  @MethodSource("losses")
  void whatTheRunBeforeHadFetched_isNoResultOfAFailedRun(Call call, Fault fault, String what) {
    try (Small small = new Small()) {
      small.requireRuns();
      small.setAnew();
      device.at(call, 1, fault);
      device.at(call, 2, fault);
      assertSays(small.requireFails(), what);
      FunnelDeviceException e =
          assertThrows(
              FunnelDeviceException.class,
              () -> small.program.fetch("counts", MemorySegment.ofArray(new int[BINS])));
      assertSays(e, "the last run failed: run again before counts is read");
      e = assertThrows(FunnelDeviceException.class, () -> small.program.result("sum"));
      assertSays(e, "the last run failed: run again before sum is read");
    }
  }

  @Test
  void aDelayedRun_isWaitedFor_andOthersGoOn() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (Small small = new Small();
        Small other = new Small()) {
      device.at(Call.LAUNCH, 1, FailingDevice.delay(waits, goOn));
      CompletableFuture<Void> run = CompletableFuture.runAsync(small::requireRuns);
      waits.await();
      other.requireRuns();
      assertFalse(run.isDone());
      goOn.countDown();
      run.get();
    }
  }

  @ParameterizedTest
  @MethodSource("calls")
  void aLostContext_endsTheUseOfTheDevice(Call call, String what) {
    try (Small small = new Small();
        Small other = new Small()) {
      other.requireRuns();
      device.at(call, 1, device.loseContext);
      assertSays(small.requireFails(), what);
      for (Small any : List.of(small, other)) {
        FunnelDeviceException refused = any.requireFails();
        assertSays(refused, "only a new process gets another; first failure: ");
      }
      assertThrows(
          FunnelDeviceException.class,
          () -> other.program.fetch("counts", MemorySegment.ofArray(new int[BINS])));
      assertThrows(FunnelDeviceException.class, () -> device.load(small()));
      assertEquals(1, device.probed);
    }
    assertEquals(device.begun, device.closed);
    assertEquals(device.memory.limit(), device.memory.left());
  }

  static Stream<Arguments> calls() {
    return Stream.of(
        Arguments.of(Call.UPLOAD, "input x did not reach the device; its context is lost"),
        Arguments.of(Call.LAUNCH, "expected run 1; its context is lost"),
        Arguments.of(Call.DOWNLOAD, "could not be copied from the device and its context is lost"));
  }

  @Test
  void aContextThatAnotherLoses_duringARun() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Fault delay = FailingDevice.delay(waits, goOn);
    try (Small small = new Small();
        Small other = new Small()) {
      device.at(Call.LAUNCH, 1, (call, arrays) -> delay.happensTo(() -> {}, arrays));
      CompletableFuture<FunnelDeviceException> run =
          CompletableFuture.supplyAsync(small::requireFails);
      waits.await();
      device.at(Call.LAUNCH, 1, device.loseContext);
      assertSays(other.requireFails(), "its context is lost");
      goOn.countDown();
      assertSays(run.get(), "its context is lost");
      assertEquals(1, device.probed);
    }
  }

  @Test
  void aContextThatIsLostByTheSecondTry() {
    try (Small small = new Small()) {
      device.at(Call.LAUNCH, 1, DROP);
      device.at(Call.LAUNCH, 2, device.loseContext);
      assertSays(small.requireFails(), "twice: ");
      assertSays(small.requireFails(), "only a new process");
    }
  }

  @Test
  void whatGaveUp_isComputedByAnotherForm_andLogged() {
    FailingDevice backwards =
        new FailingDevice(Emulator.builder().groupOrder(Order.REVERSE).build()::launcher);
    try (Small small = new Small(backwards.load(small()))) {
      assertContains(Log.of(small::requireRuns), "sum at the last row waited too long");
      assertEquals("", Log.of(small::requireRuns), "from now on");
      assertEquals(2, backwards.begun);
      backwards.at(Call.LAUNCH, 1, DROP);
      assertContains(Log.of(small::requireRuns), "loading the program again");
    }
    assertEquals(backwards.begun, backwards.closed);
  }

  /** Ints that are what the ends of an array are filled with before it is copied. */
  @Test
  void elementsThatLookLikeNoCopy_areNotTakenForIt() {
    try (DeviceProgram program = device.load(adding())) {
      for (int filling : new int[] {0x5a5a5a5a, 0x33333333}) {
        for (int other : new int[] {filling, 1}) {
          set(program, other - 1, other - 1, filling - 1, filling - 1);
          program.run();
          assertFetched(program, other, other, filling, filling);
        }
      }
    }
  }

  @Test
  void aCopyThatDoesNotCome_leavesAllDestinationsAsTheyWere() {
    for (int first = 1; first <= 2; first++) {
      try (Small small = new Small()) {
        // the ends of each array are filled twice, to tell a copy of the same bits from none
        device.at(Call.DOWNLOAD, first, DROP);
        device.at(Call.DOWNLOAD, first + 1, DROP);
        assertSays(small.requireFails(), " could not be copied from the device; ");
        small.requireRuns();
      }
    }
  }

  @Test
  void aCopyThatDoesNotCome_isTriedAgainByTheNextFetch() {
    try (DeviceProgram program = device.load(adding())) {
      set(program, 1, 2);
      program.run();
      device.at(Call.DOWNLOAD, 1, DROP);
      device.at(Call.DOWNLOAD, 2, DROP);
      FunnelDeviceException e =
          assertThrows(FunnelDeviceException.class, () -> assertFetched(program, 2, 3));
      assertSays(e, "array x could not be copied");
      assertFetched(program, 2, 3);
    }
  }

  @Test
  void aCopyThatThrows() {
    try (DeviceProgram program = device.load(adding())) {
      set(program, 1, 2);
      program.run();
      device.at(Call.DOWNLOAD, 1, throwing(new IllegalStateException(new IOException("no copy"))));
      FunnelDeviceException e =
          assertThrows(FunnelDeviceException.class, () -> assertFetched(program, 2, 3));
      assertSays(e, "copying array x of tasks one_add failed: no copy");
      assertFetched(program, 2, 3);
    }
  }

  @Test
  void aBoundArray_isWrittenByEveryRunThatSucceeds() {
    IntArray scan = new IntArray(N);
    try (DeviceProgram program = device.load(small(), Map.of("scan", scan), null)) {
      program.setRange("scan", 0, N);
      set(program, 1, 2, 3);
      device.at(Call.LAUNCH, 1, DROP);
      program.run();
      assertEquals(List.of(1, 3, 6), List.of(scan.get(0), scan.get(1), scan.get(2)));
    }
  }

  @Test
  void anAllocationThatFailsAfterAFault_isJudgedByTheProbe() {
    Fault faulty = throwing(new TornadoOutOfMemoryException("no bytes (status=719)"));
    try (Small small = new Small()) {
      device.at(Call.LAUNCH, 1, faulty);
      assertSays(small.requireFails(), "status=719");
      small.requireRuns();
      device.contextLives = false;
      device.at(Call.LAUNCH, 1, faulty);
      assertSays(small.requireFails(), "status=719");
      assertSays(small.requireFails(), "only a new process");
    }
  }

  @Test
  void wantOfMemory_andWhatThePlatformThrows_areNotTriedAgain() {
    try (Small small = new Small()) {
      device.at(Call.LAUNCH, 1, throwing(new TornadoOutOfMemoryException("status=2")));
      assertThrows(FunnelMemoryException.class, small.program::run);
      device.at(Call.LAUNCH, 1, throwing(new IllegalArgumentException("a caller's mistake")));
      assertThrows(IllegalArgumentException.class, small.program::run);
      device.at(Call.LAUNCH, 1, throwing(new IllegalStateException("cannot be inlined")));
      FunnelDeviceException e = small.requireFails();
      assertSays(e, "running tasks sum_");
      assertSays(e, "failed: cannot be inlined; a function of yours makes the kernel too large");
      assertEquals(3, device.calls(Call.LAUNCH));
      assertEquals(0, device.probed);
      small.requireRuns();
    }
  }

  @Test
  void aProgramThatCannotBePrepared_takesNoMemory() {
    device.at(Call.BEGIN, 1, throwing(new IllegalStateException("does not compile")));
    assertSays(
        assertThrows(FunnelDeviceException.class, () -> device.load(small())),
        "preparing tasks sum_");
    Program large =
        new Program(List.of(new Input("x", ElementType.INT, 1 << 20)), adding().routines());
    assertThrows(FunnelMemoryException.class, () -> device.load(large));
    assertEquals(device.memory.limit(), device.memory.left());
  }

  @Test
  void aProgramThatCannotBeLoadedAgain_isTriedWithTheNextRun() {
    try (Small small = new Small()) {
      device.at(Call.LAUNCH, 1, DROP);
      device.at(Call.BEGIN, 1, throwing(new IllegalStateException("no more")));
      assertSays(small.requireFails(), "failed: no more");
      small.requireRuns();
    }
  }

  @Test
  void anInputThatOnlyTheDeviceHad_isLostWithAFailure_andNotComputedTwice() {
    try (DeviceProgram program = device.load(adding())) {
      set(program, 1, 2);
      program.run();
      device.at(Call.LAUNCH, 1, DROP);
      FunnelDeviceException e = assertThrows(FunnelDeviceException.class, program::run);
      assertSays(e, "inputs [x], which only the device had, are lost");
      FunnelDeviceException again = assertThrows(FunnelDeviceException.class, program::run);
      assertSays(again, "set them again");
      FunnelDeviceException read =
          assertThrows(
              FunnelDeviceException.class,
              () -> program.fetch("x", MemorySegment.ofArray(new int[2])));
      assertSays(
          read, "inputs [x], which only the device had, were lost by a failure: set them again");
      set(program, 7, 8);
      program.run();
      assertFetched(program, 8, 9);
    }
  }

  @Test
  void anInputThatOnlyTheDeviceHas_isFetchedBeforeAnotherIsUploaded() {
    try (DeviceProgram program = device.load(adding())) {
      set(program, 1, 2);
      program.run();
      program.set("y", MemorySegment.ofArray(new int[1]));
      program.run();
      assertFetched(program, 3, 4);
      program.set("y", MemorySegment.ofArray(new int[1]));
      device.at(Call.LAUNCH, 1, DROP);
      program.run();
      assertFetched(program, 4, 5);
    }
  }

  @Test
  void anInputThatOnlyTheDeviceHas_isLostIfItCannotBeFetched() {
    try (DeviceProgram program = device.load(adding())) {
      set(program, 1, 2);
      program.run();
      program.set("y", MemorySegment.ofArray(new int[1]));
      device.at(Call.DOWNLOAD, 1, DROP);
      device.at(Call.DOWNLOAD, 2, DROP);
      assertSays(
          assertThrows(FunnelDeviceException.class, program::run), "array x could not be copied");
      assertSays(assertThrows(FunnelDeviceException.class, program::run), "set them again");
      set(program, 7, 8);
      program.run();
      assertFetched(program, 8, 9);
    }
  }

  @Test
  void kernelTimeIsMeasuredAfterAFailureToo() {
    try (Small small = new Small()) {
      small.requireRuns();
      assertEquals(-1, small.program.kernelNanos());
      small.program.measureKernels(true);
      small.program.measureKernels(true);
      assertEquals(1, small.program.kernelNanos());
      device.at(Call.LAUNCH, 1, DROP);
      small.requireRuns();
      assertEquals(2, small.program.kernelNanos());
      device.at(Call.LAUNCH, 1, throwing(new IllegalStateException()));
      assertSays(small.requireFails(), "IllegalStateException");
      assertEquals(-1, small.program.kernelNanos());
      small.program.measureKernels(false);
      small.requireRuns();
      assertEquals(-1, small.program.kernelNanos());
    }
  }

  @Test
  void whatIsGivenUp_isThrownAsItIs_andTheProgramGoesOn() {
    try (Small small = new Small()) {
      device.at(Call.LAUNCH, 1, throwing(new CancellationException()));
      assertThrows(CancellationException.class, small.program::run);
      small.requireRuns();
      assertEquals(0, device.probed);
    }
  }

  @Test
  void whatAKernelThrows_isThrownAsItIs_andTheProgramGoesOn() {
    Operator operator =
        Operator.ofInt("throwing", 0, (a, b) -> a + b + 0 / (13 - a) + 0 / (13 - b));
    Program program =
        Program.of(List.of(X), Reduction.of(operator).expand("sum", List.of(X)).primitives());
    try (Engine engine = new EmulatorEngine();
        LoadedProgram loaded = engine.load(program, Map.of())) {
      for (int i = 0; i < 2; i++) {
        loaded.set("x", MemorySegment.ofArray(new int[] {1, 13}));
        assertThrows(ArithmeticException.class, loaded::run);
        loaded.set("x", MemorySegment.ofArray(new int[] {1, 2, 3}));
        loaded.run();
        assertEquals(6, loaded.result("sum"));
      }
    }
  }

  /** The messages are those of TornadoVM 5.2.0's two backends. */
  @Test
  void allocationThatFailsAfterAFault_isNoWantOfMemory() {
    assertTrue(
        DeviceContext.isFault(
            "[ERROR] Unable to allocate 312 B on the CUDA device (cuMemAlloc status=719)."));
    assertTrue(DeviceContext.isFault("[ERROR] Unable to allocate 1024 bytes ... status=715"));
    assertFalse(
        DeviceContext.isFault(
            "[ERROR] Unable to allocate 312 B on the CUDA device (cuMemAlloc status=2)."));
    assertFalse(DeviceContext.isFault("Unable to allocate 4294967320 bytes of memory."));
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
