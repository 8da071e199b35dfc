package funnel;

import static funnel.PlanTest.assertThrowsWith;
import static funnel.PlanTest.ints;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.ShortArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** What plans refuse, and in which words. */
class PlanRefusalsTest {

  private static final Reduction SUM = Reduction.sum();

  // Bad input

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "1x", "a b", "a-b", "_a", "ä", "a.b", "a\n"})
  void malformedNames_areRefused(String name) {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      String shown = "'" + name + "'";
      assertThrowsWith(IllegalArgumentException.class, () -> funnel.plan(name), shown);
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> funnel.plan("p").input(name, ElementType.INT, 1),
          shown);
      assertThrowsWith(
          IllegalArgumentException.class, () -> ints(funnel, 1).add(name, SUM, "x"), shown);
    }
  }

  @Test
  void builder_refuses() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> ints(funnel, 1).input("x", ElementType.LONG, 1),
          "'x'",
          "taken");
      assertThrowsWith(
          IllegalArgumentException.class, () -> ints(funnel, 1).add("x", SUM, "x"), "'x'");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> ints(funnel, 1).add("s", SUM, "x").add("s", SUM, "x"),
          "'s'");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> ints(funnel, 1).add("s", SUM, "nobody"),
          "nobody",
          "[x]");
      assertThrowsWith(IllegalArgumentException.class, () -> ints(funnel, -1), "capacity=-1", "x");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> ints(funnel, Integer.MAX_VALUE),
          "capacity=2147483647");
      assertThrowsWith(
          IllegalArgumentException.class, () -> ints(funnel, 1).add("s", SUM), "given=0");
      assertThrowsWith(
          IllegalArgumentException.class, () -> ints(funnel, 1).add("s", SUM, "x", "x"), "given=2");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> ints(funnel, 1).add("s", Reduction.dot(), "x"),
          "given=1");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> ints(funnel, 1).input("y", ElementType.INT, 2).add("s", Reduction.dot(), "x", "y"),
          "x is INT[1]",
          "y is INT[2]");
      assertThrowsWith(
          IllegalArgumentException.class,
          () ->
              funnel
                  .plan("p")
                  .input("f", ElementType.FLOAT, 1)
                  .add("s", Reduction.of(Operator.XOR), "f"),
          "xor",
          "FLOAT");
      assertThrowsWith(
          IllegalArgumentException.class,
          () ->
              funnel
                  .plan("p")
                  .input("f", ElementType.DOUBLE, 1)
                  .add("s", Reduction.sumAsLong(), "f"),
          "DOUBLE");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> ints(funnel, 1).add("s", Reduction.of(Operator.ofLong("mine", 0, Long::sum)), "x"),
          "mine",
          "LONG",
          "INT");
      assertThrowsWith(
          IllegalArgumentException.class,
          () ->
              ints(funnel, 1)
                  .add("s", Reduction.countIf(Transform.testFloat("mine", v -> v > 0)), "x"),
          "mine",
          "FLOAT",
          "INT");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> funnel.plan("p").input("s", new ShortArray(3)),
          "ShortArray");
      assertThrowsWith(IllegalStateException.class, () -> ints(funnel, 1).build(), "plan");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> Reduction.of(Operator.SUM, Transform.testInt("even", v -> v % 2 == 0)),
          "even");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> Reduction.countIf(Transform.ofInt("double", v -> 2 * v)),
          "double");
    }
  }

  @Test
  void aRefusedReduction_doesNotTakeItsName() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      Plan.Builder builder = ints(funnel, 3);
      assertThrows(IllegalArgumentException.class, () -> builder.add("s", SUM, "nobody"));
      try (Plan plan = builder.add("s", SUM, "x").build()) {
        assertEquals(4, plan.run(Map.of("x", Elements.of(new int[] {4}))).getInt("s"));
      }
    }
  }

  @Test
  void run_refuses() {
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            ints(funnel, 8)
                .input("y", ElementType.INT, 8)
                .add("dot", Reduction.dot(), "x", "y")
                .build()) {
      assertThrowsWith(IllegalStateException.class, plan::run, "x", "plan", "not been set");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> plan.set("x", Elements.of(new int[12])),
          "length=12",
          "capacity=8",
          "x");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> plan.run(Map.of("x", Elements.of(new long[1]))),
          "INT",
          "LONG");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> plan.run(Map.of("z", Elements.of(new int[1]))),
          "'z'",
          "[x, y]");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> plan.run(Map.of("x", Elements.of(new int[3]), "y", Elements.of(new int[4]))),
          "x=3",
          "y=4");
      assertThrowsWith(IllegalArgumentException.class, () -> plan.changed("x", 0, 1), "x", "set");
      assertEquals(
          8L,
          plan.run(Map.of("x", Elements.of(new int[] {2}), "y", Elements.of(new int[] {4})))
              .getLong("dot"),
          "usable after all this");
    }
  }

  @Test
  void boundInputs_refuse() {
    IntArray array = new IntArray(5);
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan = funnel.plan("p").input("x", array).add("s", SUM, "x").build()) {
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> plan.set("x", Elements.of(new int[1])),
          "x",
          "changed");
      for (int[] range : new int[][] {{-1, 2}, {3, 2}, {0, 6}}) {
        assertThrowsWith(
            IndexOutOfBoundsException.class,
            () -> plan.changed("x", range[0], range[1]),
            "from=" + range[0],
            "to=" + range[1],
            "length=5");
      }
      assertThrowsWith(IllegalArgumentException.class, () -> plan.changed("y", 0, 1), "'y'");
    }
  }

  @Test
  void nullParameters_areNamed() {
    List<String> wrong = new ArrayList<>();
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan = ints(funnel, 3).add("s", SUM, "x").build()) {
      Elements some = Elements.of(new int[1]);
      Map<String, Elements> nullValue = new HashMap<>();
      nullValue.put("x", null);
      Map<String, Executable> calls = new HashMap<>();
      calls.put("name 1", () -> funnel.plan(null));
      calls.put("name 2", () -> funnel.plan("p").input(null, ElementType.INT, 1));
      calls.put("type", () -> funnel.plan("p").input("x", null, 1));
      calls.put("array", () -> funnel.plan("p").input("x", (TornadoNativeArray) null));
      calls.put("operation", () -> ints(funnel, 1).add("s", null, "x"));
      calls.put("of 1", () -> ints(funnel, 1).add("s", SUM, (String[]) null));
      calls.put("of 2", () -> ints(funnel, 1).add("s", SUM, (String) null));
      calls.put("elements 1", () -> plan.set("x", (Elements) null));
      calls.put("input 1", () -> plan.set((String) null, some));
      calls.put("input 2", () -> plan.changed(null, 0, 0));
      calls.put("inputs", () -> plan.run(null));
      calls.put("elements 2", () -> plan.run(nullValue));
      calls.put("elements 3", () -> funnel.reduce((Elements) null, SUM));
      calls.put("reduction", () -> funnel.reduce(some, (Reduction) null));
      calls.put("first", () -> funnel.reduce(null, some, Reduction.dot()));
      calls.put("second", () -> funnel.reduce(some, null, Reduction.dot()));
      calls.put("operator 1", () -> funnel.reduce(new int[1], null));
      calls.put("array 2", () -> funnel.sum((int[]) null));
      calls.put("array 3", () -> funnel.dot((float[]) null, new float[1]));
      calls.put("target 1", () -> Funnel.open((Target) null));
      calls.put("targets", () -> Funnel.open((Target[]) null));
      calls.put("graph", () -> plan.addTo(null, null, null));
      calls.put("operator 2", () -> Reduction.of(null));
      calls.put("transform", () -> Reduction.of(Operator.SUM, null));
      calls.put("predicate", () -> Reduction.countIf(null));
      calls.put("name 3", () -> Operator.ofInt(null, 0, Integer::sum));
      calls.put("operator 3", () -> Operator.ofInt("mine", 0, null));
      calls.put("name 4", () -> Transform.ofInt(null, v -> v));
      calls.put("function", () -> Transform.ofInt("mine", null));
      calls.forEach(
          (key, call) -> {
            String parameter = key.split(" ")[0];
            try {
              call.execute();
              wrong.add(key + ": nothing thrown");
            } catch (NullPointerException e) {
              if (e.getMessage() == null
                  || !e.getMessage().matches("(?s).*\\b" + parameter + "\\b.*")
                  || e.getMessage().contains("Cannot ")) {
                wrong.add(key + ": " + e.getMessage());
              }
            } catch (Throwable e) {
              wrong.add(key + ": " + e);
            }
          });
    }
    assertEquals(List.of(), wrong);
  }
}
