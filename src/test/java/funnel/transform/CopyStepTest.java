package funnel.transform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Values;
import funnel.emulator.EmulatorEngine;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The forms over the first elements of large arrays, by which kernels are checked on a device. */
class CopyStepTest {

  private static final int MOST = 3000;

  private static final List<Operation> OPERATIONS =
      List.of(
          Slice.of(10, 20_000),
          Slice.of(9000, 9100),
          Slice.of(0, 70),
          Slice.from(20_000),
          Slice.limit(2900),
          Slice.skip(1 << 29),
          Slice.last(77),
          Shift.by(5, 7),
          Shift.by(-100_000, 7),
          Concat.all());

  private static Program program(Operation operation, List<Input> inputs) {
    List<Primitive> all = new ArrayList<>(operation.expand("y", inputs).primitives());
    all.addAll(
        AdjacentDifference.left()
            .expand("z", List.of(new Input("y", ElementType.INT, 1 << 30)))
            .primitives()); // has room for as many as the setting allows
    return Program.of(inputs, all).in(Setting.within(MOST));
  }

  @Test
  void arraysAreNoLongerThanTheSettingAllows_andOneOnAllEngines() {
    for (Operation operation : OPERATIONS) {
      int count = operation instanceof Concat ? 3 : 1;
      List<Input> inputs =
          List.of("a", "b", "c").subList(0, count).stream()
              .map(name -> new Input(name, ElementType.INT, 1 << 29))
              .toList();
      Program program = program(operation, inputs);
      program.arrays().forEach(slot -> assertTrue(slot.length() <= MOST, slot::toString));
      for (int length : new int[] {MOST, 1000, 1}) {
        try (Engine emulator = new EmulatorEngine();
            Engine jvm = new JvmEngine();
            LoadedProgram here = emulator.load(program, Map.of());
            LoadedProgram there = jvm.load(program, Map.of())) {
          SplittableRandom random = new SplittableRandom(7);
          for (Input input : inputs) {
            Values x = Values.random(ElementType.INT, length, random);
            here.set(input.name(), x.segment());
            there.set(input.name(), x.segment());
          }
          here.run(0);
          there.run(0);
          for (String array : List.of("y", "z")) {
            int n = there.length(array);
            assertEquals(n, here.length(array), operation::toString);
            Values expected = Values.ofLength(ElementType.INT, n);
            Values actual = Values.ofLength(ElementType.INT, n);
            there.fetch(array, expected.segment());
            here.fetch(array, actual.segment());
            assertEquals(-1, expected.segment().mismatch(actual.segment()), operation::toString);
          }
        }
      }
    }
  }
}
