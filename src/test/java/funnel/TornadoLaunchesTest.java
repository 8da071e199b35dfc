package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.ListedOperations.Named;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.tornado.TornadoEngine;
import funnel.operation.Input;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.transform.Reverse;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Programs that launch every kernel at least once: the check of kernels, which each has at its
 * first run, compares all that they write with what the JVM writes.
 */
@Tag("gpu")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TornadoLaunchesTest {

  /** Lengths of inputs; pairs and rows that are found have to fit, and places to differ. */
  private static final int[] LENGTHS = {100, 396, ListedOperations.CAPACITY};

  /** Different numbers in any input, in order: keys, offsets, places and flags, as it is taken. */
  private static final long NUMBERS = 100;

  private static final int LARGE_BYTES = 32 << 20;

  /** Which of how many parts of the tests a process runs, so that several can share them. */
  private static final int PART = Integer.getInteger("funnel.test.part", 0);

  private static final int PARTS = Integer.getInteger("funnel.test.parts", 1);

  private final TornadoEngine engine = TornadoEngine.open();

  @AfterAll
  void close() {
    engine.close();
  }

  @TestFactory
  Stream<DynamicTest> everyKernel() {
    LaunchedKernels kernels = new LaunchedKernels();
    List<DynamicTest> tests = new ArrayList<>();
    ListedOperations.each(
        (named, inputs) -> {
          for (Setting setting : List.of(engine.setting(), Setting.toTheEnd())) {
            for (Program program : ListedOperations.orNone(() -> program(named, inputs, setting))) {
              if (!ListedOperations.isOfParts(program) && kernels.add(program, Map.of())) {
                boolean isDown = named.name().endsWith("descending");
                tests.add(
                    DynamicTest.dynamicTest(
                        named.name() + " " + inputs, () -> run(program, isDown)));
              }
            }
          }
        });
    int part = Objects.checkIndex(PART, PARTS); // with another one nothing would be run
    System.out.printf("part %s of %s of %s tests%n", part, PARTS, tests.size());
    return IntStream.range(0, tests.size()).filter(i -> i % PARTS == part).mapToObj(tests::get);
  }

  /** Refuses what the operation does, and methods that the device does not get right. */
  private Program program(Named named, List<Input> inputs, Setting setting) {
    Program program = Program.of(inputs, named.operation().expand("o", inputs).primitives());
    return program.in(setting).on(engine.setting(), Map.of());
  }

  private void run(Program program, boolean isDown) {
    try (LoadedProgram there = new JvmEngine().load(program, Map.of());
        LoadedProgram here = engine.load(program, Map.of())) {
      boolean isRun = false;
      for (int length : LENGTHS) {
        if (runs(there, program, length, isDown)) {
          set(here, program, length, isDown);
          here.run();
          compare(program, here, there);
          isRun = true;
        }
      }
      assertTrue(isRun, "inputs of no length are taken");
    }
  }

  /** Arrays so large that they go to the device and back in pieces. */
  @ParameterizedTest
  @EnumSource
  void arraysInPieces(ElementType type) {
    List<Input> inputs = List.of(new Input("x", type, LARGE_BYTES / type.bytes()));
    run(Program.of(inputs, Reverse.elements().expand("o", inputs).primitives()), false);
  }

  private static void compare(Program program, LoadedProgram here, LoadedProgram there) {
    for (Layout layout : program.layouts()) {
      for (Primitive.Slot slot : layout.results()) {
        assertEquals(there.result(slot.name()), here.result(slot.name()), slot.name());
      }
      for (Primitive.Slot slot : layout.arrays()) {
        assertEquals(there.length(slot.name()), here.length(slot.name()), slot.name());
        assertEquals(-1, array(there, slot).mismatch(array(here, slot)), slot.name());
      }
    }
  }

  private static MemorySegment array(LoadedProgram of, Primitive.Slot slot) {
    long bytes = (long) of.length(slot.name()) * slot.type().bytes();
    MemorySegment array = MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
    of.fetch(slot.name(), array);
    return array;
  }

  /** Whether inputs of a length are taken. */
  private static boolean runs(LoadedProgram there, Program program, int length, boolean isDown) {
    set(there, program, length, isDown);
    try {
      there.run();
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  private static void set(LoadedProgram program, Program of, int length, boolean isDown) {
    for (Input input : of.inputs()) {
      int most = Math.min(length, input.capacity());
      Number[] numbers =
          Numbers.of(
              most, i -> Numbers.of(input.type(), (isDown ? most - 1 - i : i) * NUMBERS / most));
      program.set(input.name(), Numbers.segment(input.type(), numbers));
    }
  }
}
