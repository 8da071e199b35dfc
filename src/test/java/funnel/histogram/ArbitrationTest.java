package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import funnel.transform.IndexOutsideException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Arbitration, on every engine; the oracle is a plain loop. */
class ArbitrationTest {

  private static final int CAPACITY = 9000;

  private static Program program(int seats) {
    List<Input> inputs = List.of(new Input("x", ElementType.INT, CAPACITY));
    return Program.of(inputs, Arbitration.of(seats).expand("y", inputs).primitives());
  }

  abstract static class Contract {

    private static final List<String> PATTERNS =
        List.of("uniform", "with none", "none", "last seat");

    abstract Engine open();

    /** One in so many of the patterns is tried besides one for each number of requests. */
    int oneIn() {
      return 1;
    }

    /** Whether a pair of numbers of seats and requests is tried. */
    boolean isTried(int pair) {
      return true;
    }

    private static void check(LoadedProgram program, int seats, int[] requests, String message) {
      int[] winners = new int[seats];
      int[] won = new int[requests.length];
      Arrays.fill(winners, -1);
      for (int i = 0; i < requests.length; i++) {
        if (requests[i] >= 0 && winners[requests[i]] < 0) {
          winners[requests[i]] = i;
          won[i] = 1;
        }
      }
      program.set("x", MemorySegment.ofArray(requests));
      program.run();
      String where =
          "%s, n=%s, seats=%s%s".formatted(message, requests.length, seats, Seed.replay());
      int[] seen = new int[seats];
      program.fetch("y", MemorySegment.ofArray(seen));
      assertArrayEquals(winners, seen, where);
      int[] told = new int[requests.length];
      if (told.length > 0) {
        program.fetch("y_won", MemorySegment.ofArray(told));
      }
      assertArrayEquals(won, told, where);
    }

    @Test
    void winnersEqualTheLoop() {
      SplittableRandom random = Seed.random("arbitration");
      int turn = random.nextInt(4);
      int pair = random.nextInt(2);
      try (Engine engine = open()) {
        for (int seats : new int[] {1, 2, 63, 64, 65, 1000, 5000}) {
          try (LoadedProgram program = engine.load(program(seats), Map.of())) {
            for (int n : new int[] {0, 1, 256, 257, 4092, 4093, CAPACITY}) {
              if (!isTried(pair++)) {
                continue;
              }
              Map<String, IntStream> patterns =
                  Map.of(
                      "uniform", random.ints(n, 0, seats),
                      "with none", random.ints(n, -1, seats),
                      "none", random.ints(n, -1, 0),
                      "last seat", random.ints(n, seats - 1, seats));
              for (String pattern : PATTERNS) {
                if (turn++ % 4 == 0 || Seed.draws(random, oneIn())) {
                  check(program, seats, patterns.get(pattern).toArray(), pattern);
                }
              }
              turn++; // the next n has another pattern
            }
          }
        }
      }
    }

    @Test
    void badRequest_isNamed_andTheOutputsAreAsTheyWere() {
      int seats = 100;
      IntArray winners = new IntArray(seats);
      IntArray won = new IntArray(CAPACITY);
      try (Engine engine = open();
          LoadedProgram program = engine.load(program(seats), Map.of("y", winners, "y_won", won))) {
        program.setRange("y", 0, seats);
        program.setRange("y_won", 0, CAPACITY);
        for (int place : new int[] {0, 5000, CAPACITY - 1}) {
          for (int request : new int[] {-2, seats, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            winners.init(7);
            won.init(7);
            int[] requests = new int[CAPACITY];
            requests[place] = request;
            requests[CAPACITY - 1] = request;
            program.set("x", MemorySegment.ofArray(requests));
            IndexOutsideException e = assertThrows(IndexOutsideException.class, program::run);
            assertEquals(List.of(place, request), List.of(e.position(), e.index()));
            String wanted = "x[%s]=%s, size=100; indices are -1 to 99".formatted(place, request);
            assertTrue(String.valueOf(e.getMessage()).contains(wanted), e.getMessage());
            for (int i = 0; i < seats; i++) {
              assertEquals(7, winners.get(i));
            }
            for (int i = 0; i < CAPACITY; i++) {
              assertEquals(7, won.get(i));
            }
          }
        }
      }
    }

    @Test
    void example() {
      try (Engine engine = open();
          LoadedProgram program = engine.load(program(3), Map.of())) {
        program.set("x", MemorySegment.ofArray(new int[] {2, 0, 2, -1}));
        program.run();
        int[] y = new int[3];
        int[] won = new int[4];
        program.fetch("y", MemorySegment.ofArray(y));
        program.fetch("y_won", MemorySegment.ofArray(won));
        assertArrayEquals(new int[] {1, -1, 0}, y);
        assertArrayEquals(new int[] {1, 1, 0, 0}, won);
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
    int oneIn() {
      return 20;
    }

    /** Half: there are seven numbers of either, so each meets every second of the other. */
    @Override
    boolean isTried(int pair) {
      return pair % 2 == 0;
    }

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
    assertThrows(IllegalArgumentException.class, () -> Arbitration.of(0));
    assertThrows(IllegalArgumentException.class, () -> Arbitration.of(Integer.MAX_VALUE));
    Arbitration arbitration = Arbitration.of(5);
    assertThrows(IllegalArgumentException.class, () -> arbitration.expand("y", List.of(x, x)));
    assertThrows(
        IllegalArgumentException.class,
        () -> arbitration.expand("y", List.of(new Input("x", ElementType.LONG, 10))));
  }
}
