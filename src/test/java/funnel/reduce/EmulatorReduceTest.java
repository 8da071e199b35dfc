package funnel.reduce;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Funnel;
import funnel.Seed;
import funnel.Values;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Order;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.kernel.Kernel;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.OperatorCode;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The device's kernels without a device: fewer and shorter inputs, since it is slow. */
class EmulatorReduceTest extends ReduceContract {

  private static final int TURN = Seed.random("turn of kinds").nextInt(2);

  @Override
  Funnel open() {
    return Funnel.open(Target.EMULATOR);
  }

  /** One in sixty at random, and what touches the ends of lanes and tiles. */
  @Override
  List<Size> smallSizes() {
    SplittableRandom random = Seed.random("emulated sizes");
    Set<Integer> always = Set.of(0, 1, 257, 1021, 1023, 2045, 2047, 2049, 4093);
    return Size.small().stream()
        .filter(size -> always.contains(size.n()) || Seed.draws(random, 60))
        .toList();
  }

  /** What floating-point numbers alone have, and of the others each with two types or three. */
  @Override
  boolean isTried(Kind kind, ElementType type) {
    return kind.compareTo(Kind.ALL_NAN) >= 0
        || (TURN + kind.ordinal() + type.ordinal()) % 2 == 0
        || Seed.draws(Seed.random(kind + "of" + type), 20);
  }

  /** Each part with two types or three. */
  @Override
  boolean isTried(int part, ElementType type) {
    return (TURN + part + type.ordinal()) % 2 == 0;
  }

  @Override
  List<Size> mediumSizes() {
    return List.of(Size.medium().getLast());
  }

  @Override
  List<Size> largeSizes(ElementType type) {
    return List.of(Size.shared().getLast());
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void inOneLaunch_threadsOfABlockInAnyOrder_withoutRaces(Order order) {
    SplittableRandom random = Seed.random("order of threads");
    Emulator emulator = Emulator.builder().order(order).seed(Seed.VALUE).detectRaces(true).build();
    for (ElementType type : List.of(ElementType.INT, ElementType.FLOAT, ElementType.DOUBLE)) {
      int most = 4 * ReductionTree.TILE + 5;
      Values values = Values.random(type, most, random);
      try (LoadedProgram device = new EmulatorEngine(emulator).load(sum(type, most), Map.of());
          LoadedProgram jvm = new JvmEngine().load(sum(type, most), Map.of())) {
        for (int length : new int[] {most, most, 1, 2 * ReductionTree.TILE, most - 1}) {
          MemorySegment x = values.segment().asSlice(0, (long) length * type.bytes());
          device.set("x", x);
          jvm.set("x", x);
          device.run();
          jvm.run();
          assertEquals(jvm.result("y"), device.result("y"), type + ", " + length + Seed.replay());
        }
      }
    }
  }

  /** Several rounds of a segment's items, which an array has only if it is too long for here. */
  @ParameterizedTest
  @EnumSource(Order.class)
  void orderedRows_severalRounds_withoutRaces(Order order) {
    int rows = 2;
    int ofSegment = 3 * ReductionTree.ORDERED_ITEMS;
    int length = rows * ReductionTree.ORDERED_THREADS * ofSegment - 5;
    IntArray values = IntArray.fromArray(Seed.random("rounds").ints(length).toArray());
    IntArray partials = new IntArray(rows);
    Emulator.builder()
        .order(order)
        .seed(Seed.VALUE)
        .detectRaces(true)
        .build()
        .run(
            Kernel.of(IntToIntReductionKernels.class, "orderedRows")
                .task(
                    "rows",
                    Grid.of(rows, ReductionTree.ORDERED_THREADS),
                    Map.of(
                        "shape",
                        IntArray.fromElements(0, length, ofSegment),
                        "values",
                        values,
                        "others",
                        values,
                        "partials",
                        partials,
                        "operator",
                        OperatorCode.SUM,
                        "transform",
                        TransformCode.IDENTITY,
                        "identity",
                        0,
                        "shapeAt",
                        0)));
    assertEquals(
        Arrays.stream(values.toHeapArray()).sum(),
        partials.get(0) + partials.get(1),
        Seed.replay());
  }

  @Test
  void aRowThatHasNotComeAfterAllPolls_isAskedForInTwoLaunches() {
    int length = 3 * ReductionTree.TILE;
    Emulator emulator = Emulator.builder().groupOrder(Order.REVERSE).build();
    System.setProperty(ReductionStep.POLLS_PROPERTY, "3");
    try (LoadedProgram loaded =
        new EmulatorEngine(emulator).load(sum(ElementType.INT, length), Map.of())) {
      int[] values = Seed.random("vain").ints(length).toArray();
      loaded.set("x", MemorySegment.ofArray(values));
      for (int run = 0; run < 2; run++) {
        loaded.run();
        assertEquals(Arrays.stream(values).sum(), loaded.result("y"), Seed.replay());
      }
    } finally {
      System.clearProperty(ReductionStep.POLLS_PROPERTY);
    }
  }

  private static Program sum(ElementType type, int capacity) {
    List<Input> inputs = List.of(new Input("x", type, capacity));
    return Program.of(inputs, Reduction.sum().expand("y", inputs).primitives());
  }
}
