package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.emulator.EmulatorEngine;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Layout;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * All operations over arrays of which none is found: kernels and loops deliver the same, also where
 * a value is not defined, since later primitives may read it, and checks of kernels compare it.
 */
class EmptyFoundTest {

  private static final int CAPACITY = 5000;

  private static Program program(Operation operation, List<ElementType> types) {
    List<Input> inputs = new ArrayList<>(List.of(new Input("k", ElementType.INT, 1)));
    List<Input> found = new ArrayList<>();
    for (ElementType type : types) {
      int at = found.size();
      inputs.add(new Input("a" + at, type, CAPACITY));
      found.add(new Input(at == 0 ? "f" : "f_" + at, type, CAPACITY));
    }
    List<Primitive> primitives =
        new ArrayList<>(FirstOf.OPERATION.expand("f", inputs).primitives());
    primitives.addAll(operation.expand("o", found).primitives());
    return Program.of(inputs, primitives).in(Setting.within(CAPACITY));
  }

  private static void set(LoadedProgram to, Program program) {
    for (Input input : program.inputs()) {
      int length = input.name().equals("k") ? 1 : 100;
      Values values = Values.ofLength(input.type(), length);
      to.set(input.name(), values.segment());
    }
  }

  private static List<String> delivered(Program program, LoadedProgram by) {
    List<String> all = new ArrayList<>();
    for (Layout layout : program.layouts()) {
      for (Primitive.Slot slot : layout.results()) {
        all.add(slot.name() + "=" + by.result(slot.name()));
      }
      for (Primitive.Slot slot : layout.arrays()) {
        int length = by.length(slot.name());
        Values values = Values.ofLength(slot.type(), length);
        MemorySegment elements = values.segment();
        by.fetch(slot.name(), elements);
        all.add("%s of %s:".formatted(slot.name(), length));
        for (int i = 0; i < length; i++) {
          all.add(slot.name() + "[" + i + "]=" + JvmRun.element(elements, slot.type(), i));
        }
      }
    }
    return all;
  }

  @Test
  void kernelsAndLoopsDeliverTheSame() {
    Set<String> differing = new TreeSet<>();
    Set<List<Object>> seen = new LinkedHashSet<>();
    SplittableRandom random = Seed.random("empty found lengths");
    try (Engine emulator = new EmulatorEngine();
        Engine jvm = new JvmEngine()) {
      ListedOperations.each(
          (named, inputs) -> {
            List<ElementType> types = inputs.stream().map(Input::type).toList();
            boolean isOfOneType = types.stream().distinct().count() == 1;
            if (!isOfOneType && types.size() != 2 || !seen.add(List.of(named.name(), types))) {
              return;
            }
            boolean isOfInts = isOfOneType && types.getFirst() == ElementType.INT;
            if (!isOfInts && !Seed.draws(random, 4)) {
              return; // a build has a quarter of the other types
            }
            List<Program> programs =
                ListedOperations.orNone(() -> program(named.operation(), types));
            if (programs.isEmpty()) {
              return; // not of such types, or not of found lengths
            }
            Program program = programs.getFirst();
            boolean delivers =
                program.layouts().stream()
                        .anyMatch(
                            layout ->
                                layout.results().stream()
                                    .anyMatch(slot -> !slot.name().equals("f_length")))
                    || program.arrays().stream()
                        .anyMatch(slot -> program.lengths(_ -> 0).length(slot.name()) > 0);
            if (!delivers) {
              return;
            }
            String what = named.name() + " of " + types;
            try (LoadedProgram here = emulator.load(program, Map.of());
                LoadedProgram there = jvm.load(program, Map.of())) {
              set(here, program);
              set(there, program);
              there.run(0);
              here.run(0);
              List<String> expected = delivered(program, there);
              List<String> actual = delivered(program, here);
              if (!expected.equals(actual)) {
                List<String> other = new ArrayList<>(actual);
                actual.removeAll(expected);
                expected.removeAll(other);
                differing.add(what + ": kernels " + actual + ", loops " + expected);
              }
            } catch (RuntimeException e) {
              differing.add(what + ": " + e);
            }
          });
    }
    assertEquals("", String.join("\n", differing), Seed::replay);
  }
}
