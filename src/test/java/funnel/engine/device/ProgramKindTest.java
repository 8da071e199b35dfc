package funnel.engine.device;

import static funnel.engine.device.KeptProgramsTest.adding;
import static funnel.engine.device.KeptProgramsTest.ints;
import static funnel.engine.device.KeptProgramsTest.program;
import static funnel.engine.device.KeptProgramsTest.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.emulator.Emulator;
import funnel.engine.Program;
import funnel.engine.RoutineKernels;
import funnel.histogram.Histogram;
import funnel.kernel.KernelTask;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** What programs have to have in common for one to go on with what another has left. */
class ProgramKindTest {

  private static final int N = 3000;
  private static final int BINS = 8;
  private static final Scan SCAN = Scan.inclusive(Operator.SUM).by(ScanForm.SINGLE_PASS);

  private static boolean isSameKind(Program one, Program other) {
    ProgramKind kind = ProgramKind.of(one);
    return kind != null && kind.equals(ProgramKind.of(other));
  }

  private static Program two(Operation operation, boolean twice) {
    List<Input> inputs = List.of(ints("x", N), ints("y", N));
    List<Input> read = List.of(inputs.getFirst(), inputs.get(twice ? 0 : 1));
    return Program.of(inputs, operation.expand("s", read).primitives());
  }

  private static Program working(UnaryOperator<Step> work) {
    return Program.of(List.of(ints("x", N)), List.of(new Own(null, work)));
  }

  @Test
  void whatMakesAKind() {
    Operator max = Operator.ofInt("max", 0, (a, b) -> Math.max(a, b));
    Operator same = Operator.ofInt("other max", 0, (a, b) -> Math.max(a, b));
    Operator min = Operator.ofInt("min", 0, (a, b) -> Math.min(a, b));
    Input x = ints("x", N);
    Program sum = program("s", Reduction.sum(), x);
    assertTrue(isSameKind(sum, program("t", Reduction.sum(), ints("y", N))));
    Program ofMax = program("s", Reduction.of(max), x);
    assertTrue(isSameKind(ofMax, program("t", Reduction.of(max), ints("y", N))));
    assertTrue(isSameKind(ofMax, program("t", Reduction.of(same), x)), "functions of equal code");
    assertTrue(isSameKind(adding("x", "a", 1, 2), adding("y", "b", 1, 2)));
    List<Program> differ =
        List.of(
            sum,
            program("s", Reduction.min(), x),
            ofMax,
            program("s", Reduction.of(min), x),
            program("s", Reduction.sum(), ints("x", N + 1)),
            new Program(List.of(x, ints("y", N)), sum.routines()),
            program("s", Reduction.sum(), new Input("x", ElementType.FLOAT, N)),
            program("s", Reduction.sum(), new Input("x", ElementType.BYTE, N)),
            program("s", Reduction.sum(), new Input("x", ElementType.BYTE, N - 1)),
            two(Reduction.dot(), false),
            two(Reduction.dot(), true),
            program("s", SCAN, x),
            program("s", SCAN.by(ScanForm.REDUCE_THEN_SCAN), x),
            program("s", Scan.exclusive(Operator.SUM), x),
            program("s", Scan.exclusive(Operator.SUM).from(1), x),
            program("s", Histogram.ofBytes(), new Input("x", ElementType.BYTE, N)),
            program("s", Histogram.ofBytes(), new Input("x", ElementType.BYTE, N - 1)),
            working(step -> step.scratch("values", "work", ElementType.INT, 32)),
            working(step -> step.scratch("values", "work", ElementType.INT, 33)),
            working(step -> step.filled("values", "work", ElementType.INT, 32, 0)),
            working(step -> step.filled("values", "work", ElementType.INT, 32, 1)),
            working(step -> step.writes("values", "work", ElementType.INT, 32)),
            working(step -> step.scratch("values", "work", ElementType.INT, 32).checkedWith(7)),
            program("s", Histogram.ofKeys(BINS), x),
            program("s", Histogram.ofKeys(BINS + 1), x),
            adding("x", "a", 1, 2),
            adding("x", "a", 2, 1),
            adding("x", "a", 1),
            adding("x", "a", 1, 3));
    for (int i = 0; i < differ.size(); i++) {
      for (int k = 0; k < i; k++) {
        assertNotEquals(ProgramKind.of(differ.get(i)), ProgramKind.of(differ.get(k)), i + ", " + k);
      }
    }
  }

  /**
   * Adds one to an array of its own.
   *
   * @param own an array that the next program's primitive has not; else "work", which {@code work}
   *     adds to its step
   */
  record Own(@Nullable IntArray own, UnaryOperator<Step> work) implements Primitive {
    @Override
    public String id() {
      return "own";
    }

    @Override
    public Step in(Setting setting) {
      return work.apply(
          Step.of(this, setting)
              .reads("x", "x")
              .number(0, lengths -> lengths.length("x"))
              .delivers("result", "first", ElementType.INT)
              .onDevice(
                  launches ->
                      (own == null ? launches : launches.value("values", own))
                          .value("amount", 1)
                          .add("add", RoutineKernels.class, "add", KernelTask.Grid.of(1, 32))));
    }
  }

  @Test
  void overArraysOfAPrimitivesOwn_nothingIsKept() {
    Program own =
        Program.of(List.of(ints("x", 3)), List.of(new Own(new IntArray(32), step -> step)));
    assertNull(ProgramKind.of(own));
    FailingDevice device = new FailingDevice(Emulator.builder().build()::launcher);
    device.kept = new KeptPrograms(device.memory);
    try (DeviceProgram program = device.load(own)) {
      set(program, "x", 1, 2, 3);
      program.run();
    }
    assertEquals("hits=0, misses=0, kept=0, bytes=0", device.kept.toString());
    assertEquals(1, device.closed);
  }
}
