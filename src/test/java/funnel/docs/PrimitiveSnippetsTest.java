package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Elements;
import funnel.Funnel;
import funnel.docs.PrimitiveSnippets.Scaled;
import funnel.emulator.EmulatorEngine;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.Program;
import funnel.engine.device.ProgramArrays;
import funnel.io.Source;
import funnel.kernel.KernelTask;
import funnel.operation.Input;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The examples for authors of primitives do what they say. */
class PrimitiveSnippetsTest {

  private static final Input X = new Input("x", ElementType.INT, 1000);

  static Stream<Engine> engines() {
    return Stream.of(new JvmEngine(), new EmulatorEngine());
  }

  private static void assertArrays(List<int[]> actual, int[]... expected) {
    assertArrayEquals(expected, actual.toArray(int[][]::new));
  }

  @ParameterizedTest
  @MethodSource("engines")
  void loadedOnce_runForEach(Engine engine) {
    int[] many = IntStream.range(0, 1000).toArray();
    assertArrays(
        PrimitiveSnippets.tripled(
            engine, List.of(new int[] {1, 2, 3}, new int[] {10}, new int[0], many)),
        new int[] {3, 6, 9},
        new int[] {30},
        new int[0],
        Arrays.stream(many).map(i -> 3 * i).toArray());
  }

  @ParameterizedTest
  @MethodSource("engines")
  void routines(Engine engine) {
    assertArrays(
        PrimitiveSnippets.twiceAndTenfold(engine, new int[] {1, 2, 3}),
        new int[] {2, 4, 6},
        new int[] {10, 20, 30});
  }

  @ParameterizedTest
  @MethodSource("engines")
  void scaled_partsOfBoundArrays(Engine engine) {
    IntArray x = IntArray.fromElements(1, 2, 3, 4, 5);
    Program program =
        Program.of(
            List.of(new Input("x", ElementType.INT, 5)),
            List.of(new Scaled("y", new Input("x", ElementType.INT, 5), 3)));
    try (var loaded = engine.load(program, Map.of("x", x))) {
      loaded.setRange("x", 2, 2);
      loaded.run();
      assertEquals(2, loaded.result("y_written"));
      int[] y = new int[2];
      loaded.fetch("y", MemorySegment.ofArray(y));
      assertArrayEquals(new int[] {9, 12}, y);
    }
  }

  @Test
  void foundLength() {
    assertEquals(List.of(4, 7, 1), PrimitiveSnippets.table());
  }

  @Test
  void scaled_ofAnotherCapacity() {
    Input ten = new Input("x", ElementType.INT, 10);
    assertEquals(
        said(Program.of(List.of(ten), List.of(new Scaled("y", ten, 3)))),
        said(Program.of(List.of(X), List.of(new Scaled("y", X, 3))).in(Setting.within(10))));
  }

  /** Its arrays, and its launches with their grids and numbers. */
  private static String said(Program program) {
    return program.arrays()
        + new ProgramArrays(program, Map.of())
            .tasks().stream().map(KernelTask::signature).toList().toString();
  }

  @ParameterizedTest
  @MethodSource("engines")
  void dot(Engine engine) {
    double[] values = {1, 2, 3};
    double[] weights = {0.5, 0.25, 1};
    assertEquals(4.0, PrimitiveSnippets.dot(engine, 1000, values, weights));
  }

  @ParameterizedTest
  @MethodSource("engines")
  void rootMeanSquare(Engine engine) {
    assertEquals(5.0, PrimitiveSnippets.rootMeanSquare(engine, new double[] {1, 7}));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void rootMeanSquareInParts(int piece) throws IOException {
    Source source = Source.of(MemorySegment.ofArray(new double[] {1, 7, 1, 7}), ElementType.DOUBLE);
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      assertEquals(5.0, PrimitiveSnippets.rootMeanSquare(funnel, source));
      assertEquals(
          5.0,
          funnel
              .over(source)
              .pieces(piece)
              .run(new PrimitiveSnippets.RootMeanSquare())
              .getDouble("result"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void sumOfSixfold(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(48, PrimitiveSnippets.sumOfSixfold(funnel, new int[] {3, 1, 4}));
    }
  }

  @ParameterizedTest
  @MethodSource("engines")
  void sixfold(Engine engine) {
    Primitive sixfold = PrimitiveSnippets.sixfold("y", X);
    assertEquals(
        List.of(new Primitive.Slot("y", ElementType.INT, 1000)), sixfold.asIs().layout().arrays());
    assertArrayEquals(
        new int[] {6, 12, 18},
        EngineSnippets.run(engine, Program.of(List.of(X), List.of(sixfold)), new int[] {1, 2, 3}));
  }

  @Test
  void emulated() {
    Program program = Program.of(List.of(X), List.of(new Scaled("y", X, 3)));
    assertArrayEquals(
        new int[] {3, 6, 9}, PrimitiveSnippets.emulated(program, new int[] {1, 2, 3}));
    assertEquals(2 * 4000 + (3 + 8) * 4 + 16, ProgramArrays.bytes(program)); // 8: one rule
  }

  @Test
  void emulated_aKernelThatDoesNotCountItsRun() {
    Program program = Program.of(List.of(X), List.of(Uncounted.of(new Scaled("y", X, 3))));
    AssertionError e =
        assertThrows(
            AssertionError.class, () -> PrimitiveSnippets.emulated(program, new int[] {1, 2, 3}));
    assertEquals("result y_written was delivered by run 0, expected run 1", e.getMessage());
  }

  @Test
  void sumsOfRows() {
    assertArrayEquals(
        new double[] {3, 7}, PrimitiveSnippets.sumsOfRows(new double[] {1, 2, 3, 4}, 2));
    assertArrayEquals(new double[0], PrimitiveSnippets.sumsOfRows(new double[0], 2));
    double[] large = new double[1000 * 300];
    Arrays.setAll(large, i -> i / 300);
    double[] expected = new double[1000];
    Arrays.setAll(expected, row -> 300.0 * row);
    assertArrayEquals(expected, PrimitiveSnippets.sumsOfRows(large, 300));
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void required(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      PrimitiveSnippets.SmallestOfPositive smallest = new PrimitiveSnippets.SmallestOfPositive();
      assertEquals(1, funnel.run(smallest, Elements.of(new int[] {3, 1})).getInt("result"));
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () -> funnel.run(smallest, Elements.of(new int[] {3, -1})));
      assertEquals("-1 of 2", e.getMessage());
    }
  }
}
