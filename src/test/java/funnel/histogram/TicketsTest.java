package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Order;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.tornado.TornadoEngine;
import funnel.operation.Input;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tickets, on every engine; the oracle is a counter. */
class TicketsTest {

  private static final int CAPACITY = 20_000;

  abstract static class Contract {

    abstract Engine open();

    private static Program program(ElementType type) {
      List<Input> inputs = List.of(new Input("x", type, CAPACITY));
      return Program.of(inputs, Tickets.stable().expand("y", inputs).primitives());
    }

    /** Asks once, and compares. */
    private static void check(LoadedProgram program, ElementType type, int[] asks, String message) {
      byte[] bytes = new byte[asks.length];
      int[] expected = new int[asks.length];
      int total = 0;
      for (int i = 0; i < asks.length; i++) {
        bytes[i] = (byte) asks[i];
        expected[i] = asks[i] == 0 ? -1 : total++;
      }
      program.set(
          "x",
          type == ElementType.BYTE ? MemorySegment.ofArray(bytes) : MemorySegment.ofArray(asks));
      int[] guarded = new int[asks.length + 2];
      guarded[0] = 77;
      guarded[asks.length + 1] = 77;
      program.setDestination("y", MemorySegment.ofArray(guarded).asSlice(4, 4L * asks.length));
      program.run();
      program.release();
      String where = "%s, n=%s%s".formatted(message, asks.length, Seed.replay());
      assertEquals(List.of(77, 77), List.of(guarded[0], guarded[asks.length + 1]), where);
      int[] seen = java.util.Arrays.copyOfRange(guarded, 1, asks.length + 1);
      assertArrayEquals(expected, seen, where);
      assertEquals(total, program.result("y_total"), where);
    }

    @Test
    void ticketsEqualACounter() {
      SplittableRandom random = Seed.random("tickets");
      try (Engine engine = open()) {
        for (ElementType type : List.of(ElementType.BYTE, ElementType.INT)) {
          try (LoadedProgram program = engine.load(program(type), Map.of())) {
            for (int n : new int[] {0, 1, 2, 255, 256, 257, 1024, 1025, 8191, 8193, CAPACITY}) {
              check(program, type, new int[n], "nobody");
              check(program, type, random.ints(n, 1, 2).toArray(), "everybody");
              check(program, type, random.ints(n, 0, 2).toArray(), "half");
              check(program, type, random.ints(n, -128, 128).toArray(), "any value");
              check(program, type, random.ints(n, 0, 100).map(v -> v / 99).toArray(), "few");
            }
          }
        }
      }
    }

    @Test
    void example() {
      try (Engine engine = open();
          LoadedProgram program = engine.load(program(ElementType.INT), Map.of())) {
        program.set("x", MemorySegment.ofArray(new int[] {0, 1, 1, 0, 5}));
        program.run();
        int[] y = new int[5];
        program.fetch("y", MemorySegment.ofArray(y));
        assertArrayEquals(new int[] {-1, 0, 1, -1, 2}, y);
        assertEquals(3, program.result("y_total"));
        program.set("x", MemorySegment.ofArray(new int[] {Integer.MIN_VALUE, 0, 256}));
        program.run();
        y = new int[3];
        program.fetch("y", MemorySegment.ofArray(y));
        assertArrayEquals(new int[] {0, -1, 1}, y);
      }
    }
  }

  @Nested
  class OnJvm extends Contract {
    @Override
    Engine open() {
      return new JvmEngine();
    }
  }

  @Nested
  class InEmulator extends Contract {
    @Override
    Engine open() {
      return new EmulatorEngine(
          Emulator.builder()
              .order(Order.RANDOM)
              .groupOrder(Order.REVERSE)
              .seed(Seed.VALUE)
              .detectRaces(true)
              .build());
    }
  }

  @Nested
  @Tag("gpu")
  class OnDevice extends Contract {
    @Override
    Engine open() {
      return TornadoEngine.open();
    }
  }

  @Test
  void badInputs() {
    Input x = new Input("x", ElementType.INT, 10);
    Tickets tickets = Tickets.stable();
    assertThrows(IllegalArgumentException.class, () -> tickets.expand("y", List.of(x, x)));
    assertThrows(
        IllegalArgumentException.class,
        () -> tickets.expand("y", List.of(new Input("x", ElementType.FLOAT, 10))));
    assertEquals("y_total", tickets.expand("y", List.of(x)).outputs().getFirst().name());
  }
}
