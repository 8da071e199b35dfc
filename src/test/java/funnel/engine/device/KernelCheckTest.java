package funnel.engine.device;

import static funnel.engine.device.FailingDevice.spoiling;
import static funnel.engine.device.FailingDevice.throwing;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.MayDiffer;
import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.engine.Program;
import funnel.engine.RoutineContract;
import funnel.engine.device.FailingDevice.Call;
import funnel.histogram.Histogram;
import funnel.operation.FunnelDeviceException;
import funnel.operation.Input;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.transform.Elementwise;
import funnel.transform.Slice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** That kernels are checked against the JVM before a run, on a device that computes wrong. */
class KernelCheckTest {

  private static final Input X = new Input("x", ElementType.INT, 10_000);
  private static final Input Y = new Input("y", ElementType.INT, 10_000);

  private final FailingDevice device =
      new FailingDevice(Emulator.builder().stagedBytes(Long.MAX_VALUE).build()::launcher, 1 << 24);

  /** A program whose kernels have not been checked yet: what has been is known by {@code kind}. */
  private DeviceProgram load(String kind, List<Input> inputs, List<Primitive> primitives) {
    KernelCheck check = new KernelCheck(device.context, kind, device::load, PassedChecks.NONE);
    return device.load(Program.of(inputs, primitives), Map.of(), check);
  }

  private static void setInts(DeviceProgram program, String input, int length) {
    SplittableRandom random = Seed.random("setInts");
    program.set(input, MemorySegment.ofArray(random.ints(length, 0, 1000).toArray()));
  }

  private void requireFails(DeviceProgram program, String what) {
    int launches = device.calls(Call.LAUNCH);
    FunnelDeviceException e = assertThrows(FunnelDeviceException.class, program::run);
    assertTrue(
        String.valueOf(e.getMessage()).contains("the check of the kernels of "), e::getMessage);
    assertTrue(String.valueOf(e.getMessage()).contains(what), e::getMessage);
    assertEquals(launches + 1, device.calls(Call.LAUNCH), "the check's alone");
  }

  private void requireRuns(DeviceProgram program, int launches) {
    int before = device.calls(Call.LAUNCH);
    program.run();
    assertEquals(before + launches, device.calls(Call.LAUNCH));
  }

  @Test
  void aWrongResult_endsTheRunBeforeItsFirstLaunch_andTheCheckIsDoneAgain() {
    List<Primitive> primitives = new ArrayList<>();
    primitives.addAll(Reduction.sum().expand("sum", List.of(X)).primitives());
    primitives.addAll(Scan.inclusive(Operator.SUM).expand("scan", List.of(X)).primitives());
    try (DeviceProgram program = load("a wrong result", List.of(X), primitives)) {
      setInts(program, "x", 100);
      device.at(Call.LAUNCH, 1, spoiling(a -> ((IntArray) a.array("sum")).set(a.index("sum"), -1)));
      requireFails(program, "found result sum=-1 on the device and ");
      requireRuns(program, 2);
      requireRuns(program, 1);
      setInts(program, "x", 399);
      requireRuns(program, 1);
      setInts(program, "x", 400); // four times as many: checked again
      requireRuns(program, 2);
    }
    assertEquals(device.memory.limit(), device.memory.left());
  }

  @Test
  void aWrongElementOfAChangedInput_isFound() {
    List<Primitive> adding = List.of(new RoutineContract.Adding("one", "x", 1, X.capacity()));
    try (DeviceProgram program = load("a wrong element", List.of(X), adding)) {
      setInts(program, "x", 500);
      device.at(Call.DOWNLOAD, 1, spoiling(a -> ((IntArray) a.array("x")).set(3, -1)));
      requireFails(program, "found result x[3]=-1 on the device and ");
      requireRuns(program, 2);
    }
  }

  /** What is undefined may be anything. */
  @Test
  void theResultOverNoElements_isNotCompared() {
    List<Primitive> sum = Reduction.sum().expand("sum", List.of(X)).primitives();
    try (DeviceProgram program = load("no elements", List.of(X, Y), sum)) {
      setInts(program, "y", 100);
      device.at(Call.LAUNCH, 1, spoiling(a -> ((IntArray) a.array("sum")).set(a.index("sum"), -1)));
      requireRuns(program, 2);
    }
  }

  /** Sums of windows: parts from either end are equally long, but not of the first elements. */
  @Test
  void partsOfEqualLength_areCheckedTogether() {
    int n = X.capacity();
    Elementwise minus = Elementwise.ofInt("minus", (a, b) -> a - b);
    for (int window : new int[] {1, 2, 100, n / 2, n - 100, n - 1, n}) {
      List<List<Slice>> parts =
          List.of(
              List.of(Slice.of(window - 1, n), Slice.of(0, n - window + 1)),
              List.of(Slice.skip(window - 1), Slice.limit(n - window + 1)));
      for (List<Slice> part : parts) {
        List<Primitive> all = new ArrayList<>();
        all.addAll(Scan.inclusive(Operator.SUM).expand("to", List.of(X)).primitives());
        all.addAll(Scan.exclusive(Operator.SUM).expand("from", List.of(X)).primitives());
        Input to = new Input("to", ElementType.INT, n);
        Input from = new Input("from", ElementType.INT, n);
        all.addAll(part.getFirst().expand("last", List.of(to)).primitives());
        all.addAll(part.getLast().expand("first", List.of(from)).primitives());
        Input last = new Input("last", ElementType.INT, n - window + 1);
        Input first = new Input("first", ElementType.INT, n - window + 1);
        all.addAll(minus.expand("y", List.of(last, first)).primitives());
        all.addAll(minus.expand("z", List.of(first, last)).primitives());
        try (DeviceProgram program = load("windows " + window + part, List.of(X), all)) {
          setInts(program, "x", n);
          requireRuns(program, 2);
        }
      }
    }
  }

  @Test
  void countsByFunctionsThatMayDiffer_mayDifferByAFew() {
    Input floats = new Input("x", ElementType.FLOAT, 1000);
    float factor = 0.5f;
    Transform half = Transform.ofFloat("half", v -> MayDiffer.power(v) * factor);
    List<Primitive> counts =
        Histogram.even(4, 0.0, 100.0).mapped(half).expand("h", List.of(floats)).primitives();
    try (DeviceProgram program = load("counts", List.of(floats), counts)) {
      float[] values = new float[100];
      IntStream.range(0, values.length).forEach(i -> values[i] = i);
      program.set("x", MemorySegment.ofArray(values));
      for (int more : new int[] {9, 3}) {
        device.at(
            Call.DOWNLOAD,
            1,
            spoiling(
                a -> ((IntArray) a.array("h")).set(1, ((IntArray) a.array("h")).get(1) + more)));
        if (more == 9) {
          requireFails(program, "found result h[1]=59 on the device and 50 on the JVM");
        } else {
          requireRuns(program, 2);
        }
      }
    }
  }

  @Test
  void floatsOfFunctionsThatMayDiffer_mayDifferALittle() {
    float factor = 1;
    checkFloats(Operator.ofFloat("plus", 0, (a, b) -> a + MayDiffer.power(b) * factor), 1.00001f);
  }

  @Test
  void floatsOfOtherFunctions_mayNot() {
    checkFloats(Operator.ofFloat("plus", 0, (a, b) -> a + b), 1);
  }

  private void checkFloats(Operator plus, float inTolerance) {
    Input floats = new Input("x", ElementType.FLOAT, 1000);
    List<Primitive> sum = Reduction.of(plus).expand("sum", List.of(floats)).primitives();
    try (DeviceProgram program = load("floats by " + inTolerance, List.of(floats), sum)) {
      float[] values = new float[100];
      IntStream.range(0, values.length).forEach(i -> values[i] = i);
      program.set("x", MemorySegment.ofArray(values));
      for (float factor : new float[] {1.001f, 1.00001f, 1}) {
        device.at(
            Call.LAUNCH,
            1,
            spoiling(
                a -> {
                  FloatArray results = (FloatArray) a.array("sum");
                  int at = a.index("sum");
                  results.set(at, factor * results.get(at));
                }));
        if (factor > inTolerance) {
          requireFails(program, "found result sum=495");
        } else {
          requireRuns(program, 2);
          return;
        }
      }
    }
  }

  @Test
  void aFailureOfTheDevice_isThrownAsItIs_andTheCheckIsDoneAgain() {
    List<Primitive> sum = Reduction.sum().expand("sum", List.of(X)).primitives();
    try (DeviceProgram program = load("a failure", List.of(X), sum)) {
      setInts(program, "x", 100);
      device.at(Call.LAUNCH, 1, throwing(new IllegalStateException("no such device")));
      FunnelDeviceException e = assertThrows(FunnelDeviceException.class, program::run);
      assertTrue(String.valueOf(e.getMessage()).contains("no such device"), e::getMessage);
      requireRuns(program, 2);
    }
  }

  /** Its kernels are compiled once, and the caller gets nothing before they are checked. */
  @Test
  void aSmallProgram_isCheckedByARunOfItsOwn() {
    Input few = new Input("x", ElementType.INT, 1000);
    List<Primitive> scan = Scan.inclusive(Operator.SUM).expand("scan", List.of(few)).primitives();
    int[] into = new int[100];
    try (DeviceProgram program = load("a small program", List.of(few), scan)) {
      setInts(program, "x", into.length);
      program.setDestination("scan", length -> MemorySegment.ofArray(into).asSlice(0, 4L * length));
      device.at(Call.DOWNLOAD, 1, spoiling(a -> ((IntArray) a.array("scan")).set(3, -1)));
      requireFails(program, "found result scan[3]=-1 on the device and ");
      assertArrayEquals(new int[into.length], into);
      assertThrows(FunnelDeviceException.class, () -> program.result("scan"));
      requireRuns(program, 2);
      assertEquals(2, device.begun, "one for each attempt");
      assertTrue(
          IntStream.range(1, into.length).allMatch(i -> into[i] >= into[i - 1] && into[i] > 0));
      requireRuns(program, 1);
    }
    assertEquals(device.memory.limit(), device.memory.left());
  }

  @ParameterizedTest
  @CsvSource({"1048576, 1", "1048577, 2"})
  void aLargeProgram_isCheckedByAnother(int capacity, int programs) {
    Input x = new Input("x", ElementType.INT, capacity);
    List<Primitive> sum = Reduction.sum().expand("sum", List.of(x)).primitives();
    try (DeviceProgram program = load("of " + capacity, List.of(x), sum)) {
      program.set("x", MemorySegment.ofArray(new int[] {1, 2, 3}));
      requireRuns(program, 2);
      assertEquals(programs, device.begun);
      assertEquals(6, program.result("sum").intValue());
    }
  }

  /** Of a staged input the host has no more elements than the check reads. */
  @Test
  void aProgramOfStagedInputs_isCheckedByARunOfItsOwn() {
    FailingDevice staging =
        new FailingDevice(Emulator.builder().stagedBytes(1 << 10).build()::launcher, 1 << 24);
    KernelCheck check =
        new KernelCheck(staging.context, "staged", staging::load, PassedChecks.NONE);
    Input x = new Input("x", ElementType.INT, 100_000);
    List<Primitive> sum = Reduction.sum().expand("sum", List.of(x)).primitives();
    try (DeviceProgram program = staging.load(Program.of(List.of(x), sum), Map.of(), check)) {
      program.set("x", MemorySegment.ofArray(IntStream.range(0, x.capacity()).toArray()));
      program.run();
      assertEquals(704_982_704, program.result("sum").intValue()); // 4,999,950,000 wraps around
      assertEquals(1, staging.begun);
    }
  }

  @Test
  void aSmallProgramThatChangesItsInput_isCheckedByAnother() {
    Input few = new Input("x", ElementType.INT, 1000);
    List<Primitive> adding = List.of(new RoutineContract.Adding("one", "x", 1, few.capacity()));
    try (DeviceProgram program = load("a small change", List.of(few), adding)) {
      program.set("x", MemorySegment.ofArray(new int[] {1, 2, 3}));
      requireRuns(program, 2);
      assertEquals(2, device.begun);
      int[] once = new int[3];
      program.fetch("x", MemorySegment.ofArray(once));
      assertArrayEquals(new int[] {2, 3, 4}, once);
    }
  }
}
