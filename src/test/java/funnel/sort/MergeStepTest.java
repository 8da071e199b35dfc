package funnel.sort;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.Seed;
import funnel.Values;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Target;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.operator.OperatorException;
import funnel.operator.OperatorThrewException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kernels of merges in any order of threads, and comparators that throw. */
class MergeStepTest {

  private static EmulatorEngine inAnyOrder() {
    return new EmulatorEngine(
        Emulator.builder()
            .order(funnel.emulator.Order.RANDOM)
            .groupOrder(funnel.emulator.Order.RANDOM)
            .seed(Seed.VALUE)
            .detectRaces(true)
            .build());
  }

  /** A selection that is given up leaves places of its positions as they were in memory. */
  @Test
  void positionsThatNobodyWrote_areOfNoElementOutside() {
    Input a = new Input("a", ElementType.INT, 3);
    Input b = new Input("b", ElementType.INT, 2);
    Input p = new Input("p", ElementType.INT, 4);
    MergeStep merge =
        Merge.merge(Merge.ascending(), "m", List.of(a, b), MergeOrder.ASCENDING, "e", "q");
    MergedColumnStep column = new MergedColumnStep("y", a, b, merge, "p");
    int[] merged = new int[4];
    try (LoadedProgram program =
        new EmulatorEngine().load(Program.of(List.of(a, b, p), List.of(column)), Map.of())) {
      program.set("a", MemorySegment.ofArray(new int[] {1, 2, 3}));
      program.set("b", MemorySegment.ofArray(new int[] {4, 5}));
      program.set("p", MemorySegment.ofArray(new int[] {-5, Integer.MIN_VALUE, 1 << 30, 3}));
      program.run();
      program.fetch("y", MemorySegment.ofArray(merged));
    }
    assertArrayEquals(new int[] {1, 1, 5, 4}, merged);
  }

  @ParameterizedTest
  @EnumSource
  void sortsInAnyOrder(ElementType type) {
    SplittableRandom random = Seed.random("any order" + type);
    int length = 8192 + 77 + random.nextInt(2048);
    Input x = new Input("x", type, length + random.nextInt(5000));
    Values keys = Values.random(type, length, random);
    MergeOrder order = MergeOrder.of(MergeTrial.comparison(type));
    for (boolean isOrder : new boolean[] {false, true}) {
      ElementType sorted = isOrder ? ElementType.INT : type;
      MemorySegment expected = Values.ofLength(sorted, length).segment();
      order
          .loops(type)
          .sort(keys.segment(), length, isOrder ? null : expected, isOrder ? expected : null);
      MemorySegment got = Values.ofLength(sorted, length).segment();
      MergeSortStep sort = new MergeSortStep("y", List.of("x"), type, order, isOrder, x.capacity());
      try (EmulatorEngine engine = inAnyOrder();
          LoadedProgram program = engine.load(Program.of(List.of(x), List.of(sort)), Map.of())) {
        program.set("x", keys.segment());
        program.run();
        program.fetch("y", got);
      }
      assertEquals(-1, expected.mismatch(got), () -> sort + Seed.replay());
    }
  }

  @ParameterizedTest
  @EnumSource
  void mergesInAnyOrder(ElementType type) {
    SplittableRandom random = Seed.random("any merge" + type);
    int[] lengths = {6000 + random.nextInt(3000), 1 + random.nextInt(5000)};
    MergeOrder order = MergeOrder.of(MergeTrial.comparison(type));
    MemorySegment[] sorted = new MemorySegment[2];
    for (int k = 0; k < 2; k++) {
      sorted[k] = Values.ofLength(type, lengths[k]).segment();
      MemorySegment keys = Values.random(type, lengths[k], random).segment();
      order.loops(type).sort(keys, lengths[k], sorted[k], null);
    }
    int length = lengths[0] + lengths[1];
    MemorySegment expected = Values.ofLength(type, length).segment();
    MemorySegment positions = Values.ofLength(ElementType.INT, length).segment();
    order
        .loops(type)
        .merge(
            new MergeLoops.Part(sorted[0], 0, lengths[0]),
            new MergeLoops.Part(sorted[1], 0, lengths[1]),
            expected,
            positions);
    MemorySegment got = Values.ofLength(type, length).segment();
    MemorySegment gotPositions = Values.ofLength(ElementType.INT, length).segment();
    Input a = new Input("a", type, lengths[0] + random.nextInt(3000));
    Input b = new Input("b", type, lengths[1] + random.nextInt(3000));
    MergeStep merge = new MergeStep("y", a, b, order, "y", "positions");
    try (EmulatorEngine engine = inAnyOrder();
        LoadedProgram program = engine.load(Program.of(List.of(a, b), List.of(merge)), Map.of())) {
      program.set("a", sorted[0]);
      program.set("b", sorted[1]);
      program.run();
      assertEquals(length, program.result(merge.count()));
      program.fetch("y", got);
      program.fetch("positions", gotPositions);
    }
    assertEquals(-1, expected.mismatch(got), () -> merge + Seed.replay());
    assertEquals(-1, positions.mismatch(gotPositions), () -> merge + Seed.replay());
  }

  /** What the check of kernels runs: the first elements of inputs, and no array with more. */
  @Test
  void aProgramThatIsCut() {
    List<Input> inputs =
        List.of(new Input("a", ElementType.INT, 9000), new Input("b", ElementType.INT, 9000));
    List<Primitive> primitives =
        Stream.of(
                Merge.ascending().expand("m", inputs),
                SetOperation.union().expand("y", inputs),
                Sort.descending().expand("z", List.of(new Input("m", ElementType.INT, 18_000))))
            .flatMap(expansion -> expansion.primitives().stream())
            .toList();
    Program program = Program.of(inputs, primitives).in(Setting.within(5000));
    MemorySegment x = MemorySegment.ofArray(IntStream.range(0, 5000).toArray());
    for (Engine engine : List.of(new JvmEngine(), inAnyOrder())) {
      try (engine;
          LoadedProgram loaded = engine.load(program, Map.of())) {
        loaded.set("a", x);
        loaded.set("b", x);
        loaded.run();
        assertEquals(5000, loaded.length("m"));
        assertEquals(2500, loaded.length("y"));
        int[] z = new int[5000];
        loaded.fetch("z", MemorySegment.ofArray(z));
        assertArrayEquals(IntStream.range(0, 5000).map(i -> 2499 - i / 2).toArray(), z);
      }
    }
  }

  private static final AtomicBoolean THROWS = new AtomicBoolean();

  private static final class UserException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final UserException THROWN = new UserException();

  private static int lateInDay(int a, int b) {
    if (THROWS.get() && (a == 77 || b == 77)) {
      throw THROWN;
    }
    return Integer.compare(a, b);
  }

  @Test
  void aComparatorThatThrows_isHeard_andTheNextCallIsGood() {
    Comparison copied = Comparison.ofInt("lateInDay", MergeStepTest::lateInDay);
    int[] captured = {0};
    Comparison called = Comparison.ofInt("lateInDay", (a, b) -> lateInDay(a, b) + captured[0]);
    int[] x = Seed.random("throws").ints(100_000, 0, 1000).toArray();
    x[50_000] = 77;
    int[] sorted = x.clone();
    Arrays.sort(sorted);
    Elements values = Elements.of(x);
    Elements one = Elements.of(new int[] {77});
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      for (Comparison comparison : List.of(copied, called)) {
        for (Operation sort :
            List.of(MergeSort.by(comparison), MergeSort.by(comparison).positions())) {
          requireThrown(() -> funnel.run(sort, values));
          assertEquals(100_000, funnel.run(sort, values).length("result"));
        }
        requireThrown(() -> funnel.run(Merge.by(comparison), Elements.of(sorted), one));
        SetOperation set = SetOperation.union().by(comparison);
        requireThrown(() -> funnel.run(set, Elements.of(sorted), one));
        assertEquals(100_000, funnel.run(set, Elements.of(sorted), one).length("result"));
        assertArrayEquals(
            sorted, funnel.run(MergeSort.by(comparison), values).ints("result"), Seed.replay());
      }
    }
    try (Funnel funnel = Funnel.open(Target.EMULATOR)) {
      OperatorException refused =
          assertThrows(OperatorException.class, () -> funnel.run(MergeSort.by(called), values));
      assertTrue(String.valueOf(refused.getMessage()).contains("lateInDay"), refused::toString);
    }
  }

  private static void requireThrown(Runnable call) {
    THROWS.set(true);
    try {
      assertSame(THROWN, assertThrows(UserException.class, call::run));
      assertEquals(
          "lateInDay", OperatorThrewException.of(THROWN).orElseThrow().transform().orElseThrow());
    } finally {
      THROWS.set(false);
    }
  }
}
