package funnel.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.kernel.KernelTask;
import funnel.operation.Input;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Programs of several routines that change an input, on an engine. */
public abstract class RoutineContract {

  abstract Engine engine();

  private static final int CAPACITY = 70_000;

  /** Adds {@code amount} to its input in place. */
  public record Adding(String id, String x, int amount, int capacity) implements Primitive {
    @Override
    public Step in(Setting setting) {
      int most = setting.capacity(capacity);
      return Step.of(this, setting)
          .reads("values", x)
          .changes(x)
          .number(0, lengths -> lengths.length(x))
          .delivers("result", id + ".first", ElementType.INT)
          .onDevice(
              launches ->
                  launches
                      .value("amount", amount)
                      .add(
                          "add",
                          RoutineKernels.class,
                          "add",
                          KernelTask.Grid.of(Math.ceilDiv(most, 256), 256)))
          .onJvm(
              run -> {
                MemorySegment values = run.input(x);
                for (int i = 0; i < run.length(x); i++) {
                  values.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i, at(values, i) + amount);
                }
                run.deliver(id + ".first", at(values, 0));
              });
    }

    private static int at(MemorySegment values, int i) {
      return values.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i);
    }
  }

  private static Program program() {
    return new Program(
        List.of(new Input("x", ElementType.INT, CAPACITY)),
        List.of(
            Routine.of(List.of(new Adding("one", "x", 1, CAPACITY))),
            Routine.of(
                List.of(
                    new Adding("ten", "x", 10, CAPACITY),
                    new Adding("hundred", "x", 100, CAPACITY)))));
  }

  private static int[] fetched(LoadedProgram loaded, int length) {
    int[] x = new int[length];
    loaded.fetch("x", MemorySegment.ofArray(x));
    return x;
  }

  @Test
  void runsGoOnWithWhatRunsHaveChanged_theCallersMemoryStays() {
    int[] mine = new int[60_001];
    Arrays.setAll(mine, i -> i);
    int[] before = mine.clone();
    int expected = 0;
    try (LoadedProgram loaded = engine().load(program(), Map.of())) {
      loaded.set("x", MemorySegment.ofArray(mine));
      assertArrayEquals(before, fetched(loaded, mine.length));
      for (int routine : new int[] {0, 1, 1, 0, 0, 1}) {
        loaded.run(routine);
        expected += routine == 0 ? 1 : 110;
        assertEquals(expected, loaded.result(routine == 0 ? "one.first" : "hundred.first"));
      }
      int added = expected;
      int[] after = before.clone();
      Arrays.setAll(after, i -> i + added);
      assertArrayEquals(after, fetched(loaded, mine.length));
      loaded.run(0);
      assertEquals(added + 1, fetched(loaded, mine.length)[0]);
      assertArrayEquals(before, mine);
    }
  }

  @Test
  void anInputSetAnewStartsAnew_alsoOfAnotherLength() {
    try (LoadedProgram loaded = engine().load(program(), Map.of())) {
      loaded.set("x", MemorySegment.ofArray(new int[1000]));
      loaded.run(1);
      loaded.set("x", MemorySegment.ofArray(new int[] {5, 6, 7}));
      loaded.run(0);
      assertArrayEquals(new int[] {6, 7, 8}, fetched(loaded, 3));
    }
  }
}
