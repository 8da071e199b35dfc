package funnel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** What of a plan belongs to a run: its inputs, set all or none, and the lengths of its outputs. */
class PlanStateTest {

  private static final Scan SUM = Scan.inclusive(Operator.SUM);

  private static Elements ints(int... values) {
    return Elements.of(values);
  }

  /** In this order, so that what is right comes first. */
  private static Map<String, Elements> inOrder(
      String first, Elements its, String second, Elements other) {
    Map<String, Elements> map = new LinkedHashMap<>();
    map.put(first, its);
    map.put(second, other);
    return map;
  }

  // A refused run

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void aRefusedRun_setsNothing(Target target) {
    Elements closed;
    try (Arena arena = Arena.ofConfined()) {
      closed = Elements.of(arena.allocate(8), ElementType.INT);
    }
    Elements set = ints(100, 200);
    int[] memory = {100, 200, 300};
    Elements good = ints(7, 7, 7);
    Elements two = ints(100, 100);
    Map<String, Elements> none = Map.of();
    List<List<Map<String, Elements>>> runs = new ArrayList<>();
    runs.add(List.of(inOrder("x", set, "y", ints(1, 2, 3)), none)); // lengths differ
    runs.add(List.of(inOrder("x", set, "y", ints(1, 2, 3, 4, 5)), none)); // too long
    runs.add(List.of(inOrder("x", set, "y", Elements.of(new long[2])), none)); // wrong type
    runs.add(List.of(inOrder("x", set, "nobody", two), none));
    runs.add(List.of(inOrder("x", set, "y", closed), none));
    runs.add(List.of(inOrder("x", set, "y", two), Map.of("p", ints(1)))); // too short
    runs.add(List.of(inOrder("x", set, "y", two), Map.of("p", closed)));
    runs.add(List.of(inOrder("x", set, "y", two), Map.of("nobody", ints(1, 2))));
    runs.add(List.of(inOrder("x", set, "y", two), inOrder("p", good, "q", ints(1))));
    runs.add(
        List.of(
            inOrder("x", set, "y", Elements.of(memory, 0, 2)),
            inOrder("p", good, "q", Elements.of(memory, 1, 3))));
    for (List<Map<String, Elements>> refused : runs) {
      try (Funnel funnel = Funnel.open(target);
          Plan plan =
              funnel
                  .plan("plan")
                  .input("x", ElementType.INT, 4)
                  .input("y", ElementType.INT, 4)
                  .add("dot", Reduction.dot(), "x", "y")
                  .add("p", SUM, "x")
                  .add("q", SUM, "y")
                  .build()) {
        int[] before = {0, 0, 0};
        plan.set("x", ints(1, 2, 3)).set("y", ints(4, 5, 6));
        Results results = plan.run(Map.of(), Map.of("p", Elements.of(before)));
        String message = refused.toString();
        assertThrows(
            RuntimeException.class, () -> plan.run(refused.get(0), refused.get(1)), message);
        assertArrayEquals(new int[] {4, 9, 15}, results.ints("q"), message);
        before[0] = 0;
        assertEquals(32L, plan.run().getLong("dot"), message);
        assertArrayEquals(new int[] {1, 3, 6}, before, message);
        assertArrayEquals(
            new int[] {7, 7, 7},
            good.segment().toArray(java.lang.foreign.ValueLayout.JAVA_INT),
            message);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void aRefusedFirstRun_leavesAllInputsUnset(Target target) {
    try (Funnel funnel = Funnel.open(target);
        Plan plan =
            funnel
                .plan("plan")
                .input("x", ElementType.INT, 4)
                .input("y", ElementType.INT, 4)
                .add("dot", Reduction.dot(), "x", "y")
                .build()) {
      assertThrows(
          IllegalArgumentException.class,
          () -> plan.run(inOrder("x", ints(1), "y", ints(1, 2, 3, 4, 5))));
      assertThrows(IllegalStateException.class, () -> plan.run(Map.of("y", ints(1))));
      assertThrows(IllegalStateException.class, () -> plan.run(Map.of("x", ints(1))));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void aRefusedRun_keepsTheRangesOfBoundArrays(Target target) {
    IntArray x = IntArray.fromElements(1, 2, 3, 4);
    try (Funnel funnel = Funnel.open(target);
        Plan plan =
            funnel
                .plan("plan")
                .input("x", x)
                .input("y", ElementType.INT, 4)
                .add("dot", Reduction.dot(), "x", "y")
                .build()) {
      plan.changed("x", 0, 2);
      assertThrows(IllegalArgumentException.class, () -> plan.run(Map.of("y", ints(9, 9, 9))));
      assertEquals(14L, plan.set("y", ints(4, 5)).run().getLong("dot"));
      assertThrows(IndexOutOfBoundsException.class, () -> plan.changed("x", 3, 5));
      assertEquals(14L, plan.run().getLong("dot"));
    }
  }

  // What it says of itself

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void aPlan_saysWhatItDoes_andWhetherItIsClosed(Target target) {
    Funnel funnel = Funnel.open(target);
    Plan.Builder builder =
        funnel
            .plan("sums")
            .input("x", ElementType.INT, 1000)
            .input("w", ElementType.FLOAT, 7)
            .add("y", SUM, "x")
            .add("dot", Reduction.dot(), "x", "y");
    String says =
        "plan sums: x INT[1000], w FLOAT[7]; y = inclusive scan by sum of x; dot = dot product of"
            + " x, y";
    assertEquals(says, builder.toString());
    Plan plan = builder.build();
    assertEquals(says, plan.toString());
    assertEquals("Funnel on " + funnel.description() + ": open plans=1", funnel.toString());
    plan.close();
    assertEquals(says + "; closed", plan.toString());
    assertEquals("Funnel on " + funnel.description() + ": open plans=0", funnel.toString());
    funnel.close();
    assertEquals("Funnel on " + funnel.description() + ": closed", funnel.toString());
  }

  // The last run's arrays

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void arraysOfTheLastRun_haveItsLength_whateverIsSetAfterwards(Target target) {
    IntArray bound = IntArray.fromElements(1, 2, 3, 4, 5);
    try (Funnel funnel = Funnel.open(target);
        Plan plan =
            funnel
                .plan("plan")
                .input("x", ElementType.INT, 5)
                .input("b", bound)
                .add("y", SUM, "x")
                .add("z", SUM, "y")
                .add("c", SUM, "b")
                .output("c", bound)
                .build()) {
      plan.changed("b", 1, 4);
      Results results = plan.run(Map.of("x", ints(1, 1, 1)));
      plan.set("x", ints(1, 1, 1, 1, 1)).changed("b", 0, 5);
      assertArrayEquals(new int[] {1, 2, 3}, results.ints("y"));
      assertArrayEquals(new int[] {1, 3, 6}, results.ints("z"));
      assertArrayEquals(new int[] {2, 5, 9}, results.ints("c"));
      plan.set("x", ints(9)).changed("b", 4, 5);
      assertArrayEquals(new int[] {1, 2, 3}, results.ints("y"));
      assertArrayEquals(new int[] {1, 3, 6}, results.ints("z"));
      assertArrayEquals(new int[] {2, 5, 9}, results.ints("c"));
      assertArrayEquals(new int[] {9}, plan.run().ints("z"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void aRunThatFailed_tookTheArraysOfTheOneBefore(Target target) {
    try (Funnel funnel = Funnel.open(target);
        Plan plan =
            funnel
                .plan("plan")
                .input("x", ElementType.INT, 4)
                .add("y", SUM, "x")
                .add(
                    "shares",
                    Reduction.of(Operator.SUM, Transform.ofInt("share", v -> 100 / v)),
                    "y")
                .build()) {
      Results results = plan.run(Map.of("x", ints(1, 1)));
      assertEquals(150, results.getInt("shares"));
      assertThrows(RuntimeException.class, () -> plan.run(Map.of("x", ints(5, -5))));
      assertThrows(IllegalStateException.class, () -> results.ints("y"));
    }
  }

  // Bound arrays

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void anOutputOverFewerBits_hasRoomToTheEndOfTheArray_andNotBeyond(Target target) {
    IntArray bits = new IntArray(5);
    bits.set(0, 5);
    try (Funnel funnel = Funnel.open(target);
        Plan plan =
            funnel
                .plan("plan")
                .input("x", ElementType.INT, 5)
                .input("s", bits)
                .add(
                    "y",
                    SegmentedScan.inclusive(Operator.SUM).segments(Segments.byHeadBits()),
                    "x",
                    "s")
                .output("y", bits)
                .build()) {
      plan.changed("s", 0, 1).set("x", ints(3, 1, 4, 1, 5)).run();
      assertArrayEquals(new int[] {3, 4, 4, 5, 10}, bits.toHeapArray());
      plan.changed("s", 2, 3);
      assertThrows(IllegalArgumentException.class, plan::run);
      assertArrayEquals(new int[] {3, 4, 4, 5, 10}, bits.toHeapArray());
    }
  }

  // Task graphs

  @Test
  void graphResults_areOfTheLastExecutionsLengths() {
    IntArray x = IntArray.fromElements(1, 2, 3, 4);
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            funnel
                .plan("plan")
                .input("x", ElementType.INT, 4)
                .add("mean", Reduction.mean(), "x")
                .build()) {
      GraphResults results = plan.addTo(new TaskGraph("g"), new GridScheduler(), Map.of("x", x));
      results.setLength("x", 0);
      assertThrows(IllegalStateException.class, () -> results.get("mean"), "never executed");
      results.setLength("x", 4);
      execute(results, 10);
      assertEquals(2.5, results.get("mean"));
      results.setLength("x", 2);
      assertEquals(2.5, results.get("mean"), "not executed since");
      results.setLength("x", 1);
      assertEquals(2.5, results.get("mean"), "not executed since");
      execute(results, 1);
      results.setLength("x", 3);
      assertEquals(1.0, results.get("mean"));
      execute(results, 6);
      assertEquals(2.0, results.get("mean"));
    }
  }

  /** What an execution of the graph leaves: a sum and a count of runs behind it. */
  private static void execute(GraphResults results, double sum) {
    DoubleArray array = (DoubleArray) results.array("mean");
    int index = results.index("mean");
    array.set(index, sum);
    array.set(index + 1, array.get(index + 1) + 1);
  }
}
