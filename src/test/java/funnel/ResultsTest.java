package funnel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.Scan;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Arrays of results whose type the program does not know. */
class ResultsTest {

  private static Plan plan(Funnel funnel) {
    return funnel
        .plan("sums")
        .input("x", ElementType.INT, 9)
        .add("y", Scan.inclusive(Operator.SUM), "x")
        .build();
  }

  private static Results run(Plan plan, int... x) {
    return plan.run(Map.of("x", Elements.of(x)));
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void elementsAreACopy_andReadWritesNoMore(Target target) {
    int[] into = {9, 9, 9, 9, 9};
    try (Funnel funnel = Funnel.open(target);
        Plan plan = plan(funnel)) {
      Results results = run(plan, 3, 1, 4);
      Elements copy = results.elements("y");
      results.read("y", Elements.of(into, 1, 5));
      assertArrayEquals(new int[] {9, 3, 4, 8, 9}, into);
      var _ = run(plan, 1);
      assertEquals(ElementType.INT, copy.type());
      assertArrayEquals(new int[] {3, 4, 8}, copy.segment().toArray(ValueLayout.JAVA_INT));
      assertThrows(IllegalStateException.class, () -> results.elements("y"));
      assertThrows(IllegalStateException.class, () -> results.read("y", Elements.of(into)));
    }
    assertArrayEquals(new int[] {9, 3, 4, 8, 9}, into);
  }

  private static void refuses(Results results, String name, Elements into, String part) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> results.read(name, into));
    assertTrue(e.getMessage().contains(part), e.getMessage());
  }

  @Test
  void whatIsNotReadInto() {
    int[] memory = new int[3];
    MemorySegment readOnly = MemorySegment.ofArray(memory).asReadOnly();
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan = plan(funnel)) {
      Results results = run(plan, 3, 1, 4);
      refuses(results, "z", Elements.of(memory), "no array z; there are [y]");
      refuses(results, "y_total", Elements.of(memory), "is a single value");
      refuses(results, "y", Elements.of(new long[3]), "of type INT, not LONG");
      refuses(results, "y", Elements.of(memory, 0, 2), "length=3, capacity=2");
      refuses(results, "y", Elements.of(readOnly, ElementType.INT), "read-only=true");
      assertThrows(IllegalArgumentException.class, () -> results.elements("z"));
    }
    assertArrayEquals(new int[3], memory);
  }

  @Test
  void outputsMayBeElements() {
    Results results = Results.of(Map.of("y", Elements.of(new int[] {1, 2, 3}, 1, 3), "n", 2));
    assertArrayEquals(new int[] {2, 3}, results.ints("y"));
    assertEquals(2, results.getInt("n"));
    assertThrows(IllegalArgumentException.class, () -> Results.of(Map.of("y", new short[1])));
  }
}
