package funnel.engine.device;

import static funnel.engine.device.FailingDevice.DROP;
import static funnel.engine.device.FailingDevice.throwing;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.emulator.Emulator;
import funnel.emulator.Order;
import funnel.engine.FoundLengthContract;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.Routine;
import funnel.engine.RoutineContract;
import funnel.engine.device.FailingDevice.Call;
import funnel.histogram.Histogram;
import funnel.operation.FunnelDeviceException;
import funnel.operation.FunnelMemoryException;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uk.ac.manchester.tornado.api.exceptions.TornadoOutOfMemoryException;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** That what closed programs leave serves the next ones of their kinds, and nobody else. */
@Timeout(300)
class KeptProgramsTest {

  private static final int N = 3000;
  private static final int BINS = 8;
  private static final Scan SCAN = Scan.inclusive(Operator.SUM).by(ScanForm.SINGLE_PASS);

  private final FailingDevice device = new FailingDevice(Emulator.builder().build()::launcher);
  private final KeptPrograms kept = new KeptPrograms(device.memory, 3, 1 << 19);

  KeptProgramsTest() {
    device.kept = kept;
  }

  static Program program(String output, Operation operation, Input... inputs) {
    List<Input> all = List.of(inputs);
    return Program.of(all, operation.expand(output, all).primitives());
  }

  static Input ints(String name, int capacity) {
    return new Input(name, ElementType.INT, capacity);
  }

  static Program sum(String input, String output, int capacity) {
    return program(output, Reduction.sum(), ints(input, capacity));
  }

  static void set(LoadedProgram program, String input, int... elements) {
    program.set(input, MemorySegment.ofArray(elements));
  }

  static int[] fetched(LoadedProgram program, String array) {
    int[] elements = new int[program.length(array)];
    program.fetch(array, MemorySegment.ofArray(elements));
    return elements;
  }

  /** Has a sum run once and closed. */
  private void useSum(int capacity) {
    try (DeviceProgram program = device.load(sum("x", "s", capacity))) {
      set(program, "x", 1, 2, 3);
      program.run();
      assertEquals(6, program.result("s"));
    }
  }

  private void assertKept(int hits, int misses, int number) {
    String now = kept.toString();
    String expected = "hits=%s, misses=%s, kept=%s, bytes=".formatted(hits, misses, number);
    assertTrue(now.startsWith(expected), now);
    long used = device.memory.limit() - device.memory.left();
    assertEquals(used, Long.parseLong(now.substring(expected.length())), now);
    assertEquals(device.begun, device.closed + number, now);
  }

  static Program adding(String x, String id, int... amounts) {
    return new Program(
        List.of(ints(x, N)),
        Arrays.stream(amounts)
            .mapToObj(
                amount ->
                    Routine.of(List.of(new RoutineContract.Adding(id + amount, x, amount, N))))
            .toList());
  }

  @Test
  void theNextOneOfAKind_hasWhatIsThere_underNamesOfItsOwn_andCountsOn() {
    for (int i = 1; i <= 3; i++) {
      String in = "in" + i;
      String sums = "sums" + i;
      try (DeviceProgram program = device.load(program(sums, SCAN, ints(in, N)))) {
        int[] x = IntStream.range(0, N / i).map(j -> j % 5).toArray();
        int[] expected = x.clone();
        Arrays.parallelPrefix(expected, Integer::sum);
        for (int run = 0; run < 2; run++) {
          set(program, in, x);
          program.run();
          assertArrayEquals(expected, fetched(program, sums));
        }
        assertEquals(1, device.begun);
        if (i == 3) {
          device.at(Call.LAUNCH, 1, throwing(new IllegalStateException("no launch")));
          FunnelDeviceException e = assertThrows(FunnelDeviceException.class, program::run);
          assertTrue(e.getMessage().startsWith("running tasks sums3_"), e.getMessage());
        }
      }
    }
    assertKept(2, 1, 0);
  }

  /** A launch that is dropped is noticed by the count of all owners' runs. */
  @Test
  void aFirstRunThatIsLost_isNotTakenForTheFormersLast() {
    useSum(N);
    try (DeviceProgram program = device.load(sum("y", "t", N))) {
      set(program, "y", 1, 2, 4);
      device.at(Call.LAUNCH, 1, DROP);
      program.run();
      assertEquals(7, program.result("t"));
      assertEquals(2, device.begun);
    }
    assertKept(1, 1, 1);
  }

  @Test
  void nothingOfTheFormerOwners_isSeen() {
    Program first = adding("x", "a", 1, 10);
    try (DeviceProgram program = device.load(first)) {
      set(program, "x", 1, 2, 3);
      program.run(0);
      program.run(1);
      assertArrayEquals(new int[] {12, 13, 14}, fetched(program, "x"));
      program.run(1);
    }
    try (DeviceProgram program = device.load(adding("y", "b", 1, 10))) {
      assertEquals(1, device.begun);
      assertEquals(0, program.length("y"));
      assertEquals(0, fetched(program, "y").length);
      IllegalStateException e =
          assertThrows(IllegalStateException.class, () -> program.result("b1.first"));
      assertEquals("no run yet that writes b1.first: run before it is read", e.getMessage());
      set(program, "y", 5, 6);
      assertArrayEquals(new int[] {5, 6}, fetched(program, "y"));
      program.run(0);
      assertEquals(6, program.result("b1.first"));
      assertArrayEquals(new int[] {6, 7}, fetched(program, "y"));
      assertThrows(IllegalStateException.class, () -> program.result("b10.first"));
      program.run(1);
      assertEquals(16, program.result("b10.first"));
    }
    assertKept(1, 1, 1);
  }

  @Test
  void anArrayThatTheFormerHad_isNotReadBeforeARun() {
    try (DeviceProgram program = device.load(program("c", Histogram.ofKeys(BINS), ints("x", N)))) {
      set(program, "x", 1, 2, 2);
      program.run();
      assertArrayEquals(new int[] {0, 1, 2, 0, 0, 0, 0, 0}, fetched(program, "c"));
    }
    try (DeviceProgram program = device.load(program("d", Histogram.ofKeys(BINS), ints("y", N)))) {
      assertThrows(IllegalStateException.class, () -> fetched(program, "d"));
      set(program, "y", 7);
      program.run();
      assertArrayEquals(new int[] {0, 0, 0, 0, 0, 0, 0, 1}, fetched(program, "d"));
    }
    assertKept(1, 1, 1);
  }

  @Test
  void aLengthThatTheFormerFound_isNotSeen() {
    for (String runs : List.of("a", "b")) {
      Program program =
          new Program(
              List.of(ints("x", N)),
              List.of(
                  Routine.of(List.of(new RoutineContract.Adding("add" + runs, "x", 1, N))),
                  Routine.of(List.of(new FoundLengthContract.Runs(runs, "x", N)))));
      try (DeviceProgram loaded = device.load(program)) {
        set(loaded, "x", 1, 1, 2, 3);
        loaded.run(0);
        assertEquals(0, loaded.length(runs));
        loaded.run(1);
        assertArrayEquals(new int[] {2, 3, 4}, fetched(loaded, runs));
      }
    }
    assertKept(1, 1, 1);
  }

  @Test
  void theOneThatIsClosed_isOfNoUseAnyMore() {
    DeviceProgram closed = device.load(sum("x", "s", N));
    set(closed, "x", 1, 2, 3);
    closed.run();
    closed.close();
    closed.close();
    try (DeviceProgram program = device.load(sum("y", "t", N))) {
      set(program, "y", 5);
      program.run();
      assertThrows(IllegalStateException.class, () -> set(closed, "x", 6));
      assertThrows(IllegalStateException.class, closed::run);
      assertThrows(IllegalStateException.class, () -> fetched(closed, "x"));
      assertThrows(IllegalStateException.class, () -> closed.result("s"));
      assertThrows(IllegalStateException.class, () -> closed.measureKernels(true));
      closed.close();
      program.run();
      assertEquals(5, program.result("t"));
    }
    assertKept(1, 1, 1);
  }

  @Test
  void twoOfAKindAtOnce_haveTwo() {
    try (DeviceProgram first = device.load(sum("x", "s", N));
        DeviceProgram second = device.load(sum("x", "s", N))) {
      set(first, "x", 1);
      set(second, "x", 2);
      first.run();
      second.run();
      assertEquals(1, first.result("s"));
      assertEquals(2, second.result("s"));
      assertEquals(2, device.begun);
    }
    assertKept(0, 2, 2);
  }

  @Test
  void kernelsThatWereChecked_areNotCheckedAgain() {
    KernelCheck check =
        new KernelCheck(device.context, "kept programs", device::load, PassedChecks.NONE);
    for (int i = 0; i < 2; i++) {
      try (DeviceProgram program = device.load(sum("x" + i, "s" + i, N), Map.of(), check)) {
        set(program, "x" + i, 1, 2, 3);
        int before = device.calls(Call.LAUNCH);
        program.run();
        assertEquals(i == 0 ? 2 : 1, device.calls(Call.LAUNCH) - before);
      }
    }
  }

  @Test
  void overArraysOfTheCallers_nothingIsKept() {
    for (int i = 0; i < 2; i++) {
      try (DeviceProgram program =
          device.load(sum("x", "s", 3), Map.of("x", IntArray.fromElements(1, 2, 3)), null)) {
        program.setRange("x", 0, 3);
        program.run();
        assertEquals(6, program.result("s"));
      }
    }
    assertKept(0, 0, 0);
  }

  @Test
  void whatHasNeverRun_orIsMeasured_isNotKept() {
    device.load(sum("x", "s", N)).close();
    assertKept(0, 1, 0);
    try (DeviceProgram program = device.load(sum("x", "s", N))) {
      program.measureKernels(true);
      set(program, "x", 1);
      program.run();
    }
    assertKept(0, 2, 0);
  }

  @Test
  void whatHasFailed_isNotKept_unlessItRanAgain() {
    DeviceProgram program = device.load(adding("x", "a", 1));
    set(program, "x", 1);
    program.run();
    device.at(Call.LAUNCH, 1, DROP);
    assertThrows(FunnelDeviceException.class, program::run);
    program.close();
    assertKept(0, 1, 0);

    program = device.load(adding("x", "a", 1));
    set(program, "x", 1);
    program.run();
    device.at(Call.DOWNLOAD, 1, DROP);
    device.at(Call.DOWNLOAD, 2, DROP);
    DeviceProgram copied = program;
    assertThrows(FunnelDeviceException.class, () -> fetched(copied, "x"));
    program.close();
    assertKept(0, 2, 0);

    program = device.load(adding("x", "a", 1));
    set(program, "x", 1);
    device.at(Call.LAUNCH, 1, DROP);
    program.run();
    program.close();
    assertKept(0, 3, 1);

    program = device.load(adding("y", "b", 1));
    set(program, "y", 1);
    program.run();
    device.at(Call.LAUNCH, 1, device.loseContext);
    assertThrows(FunnelDeviceException.class, program::run);
    program.close();
    assertKept(1, 3, 0);
  }

  @Test
  void aLostContext_isTheEndOfOtherProgramsToo() {
    try (DeviceProgram lost = device.load(sum("x", "s", N));
        DeviceProgram other = device.load(sum("x", "s", N))) {
      set(lost, "x", 1);
      set(other, "x", 1);
      other.run();
      device.at(Call.LAUNCH, 1, device.loseContext);
      assertThrows(FunnelDeviceException.class, lost::run);
    }
    assertKept(0, 2, 0);
  }

  @Test
  void whatGaveUp_andTookAnotherForm_isNotKept() {
    FailingDevice backwards =
        new FailingDevice(Emulator.builder().groupOrder(Order.REVERSE).build()::launcher);
    backwards.kept = new KeptPrograms(backwards.memory);
    try (DeviceProgram program = backwards.load(program("s", SCAN, ints("x", N)))) {
      set(program, "x", IntStream.range(0, N).toArray());
      program.run();
      assertEquals(2, backwards.begun);
    }
    assertEquals(2, backwards.closed);
    assertEquals(backwards.memory.limit(), backwards.memory.left());
  }

  @Test
  void boundedInNumber_theOneNotUsedForLongestGoes() {
    IntStream.of(1, 2, 3, 1, 4).forEach(i -> useSum(100 * i));
    assertKept(1, 4, 3);
    useSum(200);
    assertKept(1, 5, 3);
    IntStream.of(100, 400, 200).forEach(this::useSum);
    assertKept(4, 5, 3);
  }

  @Test
  void boundedInBytes_andWhatIsLargerItself_pushesNothingOut() {
    useSum(50_000); // 200 KB of 512
    useSum(60_000);
    assertKept(0, 2, 2);
    useSum(140_000);
    assertKept(0, 3, 2);
    useSum(70_000);
    assertKept(0, 4, 2);
    useSum(60_000);
    useSum(70_000);
    assertKept(2, 4, 2);
  }

  @Test
  void whereMemoryIsShort_asMuchAsIsWantedIsClosed_theOldestFirst() {
    useSum(30_000);
    useSum(40_000);
    useSum(50_000); // 480 KB of 1024
    useSum(150_000); // 600 KB
    assertKept(0, 4, 2);
    useSum(40_000);
    useSum(50_000);
    assertKept(2, 4, 2);
    assertThrows(FunnelMemoryException.class, () -> useSum(300_000)); // more than there is
    assertKept(2, 5, 2);
    try (DeviceProgram large = device.load(sum("x", "s", 200_000))) {
      assertEquals(3, device.closed);
      FunnelMemoryException e = assertThrows(FunnelMemoryException.class, () -> useSum(100_000));
      assertEquals(device.memory.limit() - large.deviceBytes(), e.freeBytes());
    }
    assertKept(2, 7, 0);
  }

  @Test
  void whereThePlatformFindsMemoryShort_allIsClosed_andTheRunDoneAgain() {
    useSum(N);
    useSum(N + 1);
    try (DeviceProgram program = device.load(sum("x", "s", N + 2))) {
      set(program, "x", 1, 2);
      device.at(Call.LAUNCH, 1, throwing(new TornadoOutOfMemoryException("status=2")));
      program.run();
      assertEquals(3, program.result("s"));
      device.at(Call.LAUNCH, 1, throwing(new TornadoOutOfMemoryException("status=2")));
      assertThrows(FunnelMemoryException.class, program::run);
    }
    assertKept(0, 3, 0);
  }

  @Test
  void closingClosesAll_andWhatIsClosedLater() {
    DeviceProgram late = device.load(sum("x", "s", 7));
    set(late, "x", 1);
    late.run();
    useSum(N);
    useSum(N + 1);
    kept.close();
    assertEquals(2, device.closed);
    late.close();
    assertKept(0, 3, 0);
  }

  /** Says when it is closed. */
  record Watched(Launcher launcher, Runnable whenClosed) implements Launcher {
    @Override
    public String upload() {
      return launcher.upload();
    }

    @Override
    public void launch(int routine) {
      launcher.launch(routine);
    }

    @Override
    public void download(TornadoNativeArray array, int offset, int length) {
      launcher.download(array, offset, length);
    }

    @Override
    public void close() {
      whenClosed.run();
      launcher.close();
    }
  }

  /** Closing waits for other programs' runs. */
  @Test
  void whileOneIsClosed_othersAreLent() throws Exception {
    CountDownLatch closes = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    useSum(N);
    Program large = sum("x", "s", (1 << 19) / Integer.BYTES);
    ProgramArrays arrays = new ProgramArrays(large, Map.of());
    Launcher slow =
        new Watched(
            Emulator.builder().build().launcher(large, arrays),
            () -> {
              closes.countDown();
              try {
                goOn.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    long bytes = ProgramArrays.bytes(large);
    device.memory.reserve(large, bytes);
    KeptPrograms.Kept left =
        new KeptPrograms.Kept(
            new ProgramKind("large"), arrays.allocated(), slow, List.of(), bytes, null);
    CompletableFuture<Void> close = CompletableFuture.runAsync(() -> kept.keep(left));
    closes.await();
    useSum(N);
    assertEquals(1, device.begun);
    goOn.countDown();
    close.join();
    assertKept(1, 1, 1);
  }
}
