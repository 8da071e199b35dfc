package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Sdk;
import funnel.docs.PrimitiveSnippets.Scaled;
import funnel.emulator.EmulatorEngine;
import funnel.engine.Engine;
import funnel.engine.Program;
import funnel.operation.Device;
import funnel.operation.FunnelMemoryException;
import funnel.operation.Input;
import funnel.operation.Setting;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The examples of engines do what they say. */
class EngineSnippetsTest {

  private static final int[] VALUES = {1, 2, 3};

  @Test
  void target() {
    assertEquals("6 on the cores", EngineSnippets.sum(VALUES, Target.JVM));
    assertEquals("6 in the emulator", EngineSnippets.sum(VALUES, Target.EMULATOR, Target.JVM));
  }

  @Test
  void withoutTornadoVm() {
    assumeFalse(Sdk.isHere(), "there is a TornadoVM");
    assertEquals("6 on the cores", EngineSnippets.sum(VALUES, Target.TORNADO, Target.JVM));
    String sum = EngineSnippets.sumOnDevice(VALUES);
    assertTrue(sum.startsWith("no sum: no device through TornadoVM: "), sum);
    assertTrue(sum.endsWith("(funnel doctor says what is missing)"), sum);

    List<String> log = new ArrayList<>();
    try (Engine best = EngineSnippets.best(log::add)) {
      assertSame(Target.JVM, best.target());
    }
    assertEquals(1, log.size());
    assertTrue(log.getFirst().startsWith("no device through TornadoVM"), log.getFirst());

    String form = EngineSnippets.form(Setting.on(new Device("a GPU", "ptx")));
    assertTrue(form.startsWith("counts of its own for each thread: UNSUPPORTED: "), form);
  }

  @Tag("gpu")
  @Test
  void onDevice() {
    assertEquals("6 on the device", EngineSnippets.sum(VALUES, Target.TORNADO, Target.JVM));
    assertEquals("sum: 6", EngineSnippets.sumOnDevice(VALUES));
    List<String> log = new ArrayList<>();
    try (Engine best = EngineSnippets.best(log::add)) {
      assertSame(Target.TORNADO, best.target());
      assertEquals(List.of(best.description()), log);
      assertTrue(EngineSnippets.agreesWithJvm(best, VALUES));
    }
  }

  @Test
  void memory() {
    List<Integer> tried = new ArrayList<>();
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      IntFunction<Plan> plans =
          capacity -> {
            tried.add(capacity);
            if (capacity > 500) {
              throw new FunnelMemoryException("a plan", 4L * capacity, 4L * 500);
            }
            return funnel
                .plan("chunk")
                .input("x", ElementType.INT, capacity)
                .add("sum", Reduction.sum(), "x")
                .build();
          };
      try (Plan plan = EngineSnippets.fitting(plans, 1000)) {
        assertEquals(List.of(1000, 450), tried);
        assertEquals(6, plan.run(Map.of("x", Elements.of(VALUES))).getInt("sum"));
        assertThrows(
            IllegalArgumentException.class, () -> plan.set("x", Elements.of(new int[451])));
      }
    }
  }

  @Test
  void deviceFailure() {
    Input x = new Input("x", ElementType.INT, 10);
    Scaled scaled = new Scaled("y", x, 3);
    List<String> log = new ArrayList<>();
    try (Engine emulator = new EmulatorEngine()) {
      assertArrayEquals(
          new int[] {3, 6, 9},
          EngineSnippets.run(emulator, Program.of(List.of(x), List.of(scaled)), VALUES, log::add));
      assertEquals(List.of(), log);
      assertArrayEquals(
          new int[] {3, 6, 9},
          EngineSnippets.run(
              emulator, Program.of(List.of(x), List.of(Uncounted.of(scaled))), VALUES, log::add));
    }
    assertEquals(1, log.size());
    for (String part :
        List.of(
            "twice: result y_written was delivered by run 0, expected run 1",
            "a last kernel that does not count its run")) {
      assertTrue(log.getFirst().contains(part), log::toString);
    }
  }

  @Test
  void reference() {
    try (Engine emulator = new EmulatorEngine()) {
      assertTrue(EngineSnippets.agreesWithJvm(emulator, VALUES));
    }
  }

  @Test
  void aTableThatLooksIntoItself() {
    EngineSnippets.Table table = new EngineSnippets.Table(new double[100]);
    EngineSnippets.Table other = new EngineSnippets.Table(new double[100]);
    table.fill(i -> i);
    other.fill(i -> 2 * table.at(i));
    assertEquals(198, other.at(99));
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class, () -> table.fill(i -> i == 0 ? 1 : table.at(i - 1)));
    assertEquals("the table is being filled: entry=0", e.getMessage());
    assertEquals(1, table.at(0));
  }

  @Test
  void formInTheEmulator() {
    assertEquals("counts in local memory", EngineSnippets.form(Setting.on(Device.EMULATOR)));
  }
}
