package funnel.engine.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.emulator.EmulatorEngine;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.operation.Input;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory for an array whose length is found is made when it is known. */
class FoundDestinationTest {

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void isMadeAsLongAsWhatWasFound(Target target) {
    Input keys = new Input("keys", ElementType.INT, 1000);
    GroupBy groups = GroupBy.of(Aggregate.count());
    Program program = Program.of(List.of(keys), groups.expand("y", List.of(keys)).primitives());
    int[] many = new int[700];
    Arrays.setAll(many, i -> i % 3 * 5);
    try (Engine engine = target == Target.JVM ? new JvmEngine() : new EmulatorEngine();
        LoadedProgram loaded = engine.load(program, Map.of())) {
      for (int run = 0; run < 2; run++) { // what was made for the one is not for the other
        List<int[]> made = new ArrayList<>();
        loaded.setDestination(
            "y",
            length -> {
              made.add(new int[length]);
              return MemorySegment.ofArray(made.getLast());
            });
        int shift = run;
        MemorySegment given =
            MemorySegment.ofArray(Arrays.stream(many).map(k -> k + shift).toArray());
        loaded.runAndRelease(Map.of("keys", given));
        assertEquals(1, made.size());
        assertArrayEquals(new int[] {run, 5 + run, 10 + run}, made.getFirst());
      }
      loaded.run(Map.of("keys", MemorySegment.ofArray(new int[] {4, 4})));
      MemorySegment rest = MemorySegment.ofArray(new int[1]);
      loaded.fetch("y", rest);
      assertEquals(4, rest.get(ValueLayout.JAVA_INT, 0));
    }
  }
}
