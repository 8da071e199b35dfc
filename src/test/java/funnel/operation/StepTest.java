package funnel.operation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.operation.Primitive.Lengths;
import funnel.operator.ElementType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What a step makes of its verbs. */
class StepTest {

  private record Stating(UnaryOperator<Step> verbs, int capacity) implements Primitive {
    @Override
    public String id() {
      return "s";
    }

    @Override
    public Step in(Setting setting) {
      int most = setting.capacity(capacity);
      return verbs.apply(
          Step.of(this, setting).writes("output", "s", ElementType.INT, most, "x", 2));
    }
  }

  private static Step step(UnaryOperator<Step> verbs) {
    return new Stating(verbs, 100).in(Setting.asIs());
  }

  /** Of arrays of these lengths, with offsets that are ten times as much. */
  private static Lengths lengths(Map<String, Integer> lengths) {
    return new Lengths() {
      @Override
      public int length(String name) {
        return lengths.get(name);
      }

      @Override
      public int offset(String name) {
        return 10 * length(name);
      }

      @Override
      public int index(String result) {
        return 8;
      }
    };
  }

  private static String refusal(Runnable of) {
    return assertThrows(RuntimeException.class, of::run).getMessage();
  }

  @Test
  void intsAreStatedInAnyOrder() {
    Step step =
        step(
            s ->
                s.delivers("count", "s.count", ElementType.INT, 4)
                    .reads("values", "x", 1, 0)
                    .derives(3, "x", LengthRule.parts(4))
                    .numbers(5, 11, 12));
    Lengths lengths = lengths(Map.of("x", 7, "s", 7));
    assertArrayEquals(new int[] {0, 70, 70, 0, 8, 11, 12}, step.shape(lengths));
    int[] told = step.layout().shape(step.shape(lengths), lengths);
    assertEquals(7, told[0]);
    assertEquals(2, told[3]);
  }

  @Test
  void eachIntIsStatedOnce() {
    assertEquals("s states int 2 twice", refusal(() -> step(s -> s.number(2, 5))));
    Step gap = step(s -> s.number(1, 5));
    assertEquals("s does not state int 0", refusal(() -> gap.shape(lengths(Map.of("s", 1)))));
  }

  @Test
  void eachParameterIsBoundOnce() {
    assertEquals(
        "s binds parameter output twice",
        refusal(() -> step(s -> s.reports("output", "s.other", ElementType.INT))));
  }

  @Test
  void unequalLengthsAreRefused() {
    Step step =
        step(s -> s.readsFound("a", "x").readsFound("b", "y").equallyLong("x", "y", "equal ones"));
    assertDoesNotThrow(() -> step.requireLengths(lengths(Map.of("x", 3, "y", 3))));
    assertEquals(
        "equal ones: length of x=3, length of y=4",
        refusal(() -> step.requireLengths(lengths(Map.of("x", 3, "y", 4)))));
  }

  @Test
  void theFirstThatGaveUpSaysWhere() {
    Step step =
        step(
            s ->
                s.reports("a", "s.a", ElementType.INT)
                    .reports("b", "s.b", ElementType.INT)
                    .gaveUpAt("s.a", place -> "tile " + place)
                    .gaveUpAt("s.b", place -> "block " + place));
    Lengths none = lengths(Map.of());
    assertEquals("", step.gaveUp(result -> 0, none));
    assertEquals("block 5", step.gaveUp(result -> result.equals("s.b") ? 5 : 0, none));
    assertEquals("tile 5", step.gaveUp(result -> 5, none));
  }

  @Test
  void theFirstWrongAssumptionIsSaid() {
    Step step =
        step(s -> s.reports("a", "s.a", ElementType.INT).assumes("s.a", "a word of more letters"));
    Lengths none = lengths(Map.of());
    assertEquals("", step.disproved(_ -> 0, none));
    assertEquals("a word of more letters", step.disproved(_ -> 1, none));
    assertEquals("", step.gaveUp(_ -> 1, none));
  }

  @Test
  void settingsAreOfOneForm() {
    Setting device = Setting.on(Device.EMULATOR).over(Set.of("x"), true);
    Setting both = device.and(Setting.within(50));
    assertEquals(
        new Setting(Device.EMULATOR, Set.of("x"), false, false, 50, LocalAtomics.CORRECT), both);
    assertEquals(both, Setting.asIs().and(both));
    assertEquals(both, both.and(Setting.asIs()));
    Step cut = step(s -> s).in(Setting.on(Device.EMULATOR)).in(Setting.within(50));
    assertEquals(50, cut.layout().arrays().getFirst().length());
  }

  @Test
  void partsAreOneForm() {
    Primitive part = new Stating(s -> s.reads("values", "x", 1, 0), 100);
    Step whole = step(s -> composite(part).asIs().formOf(part, Setting.asIs()));
    Lengths lengths = lengths(Map.of("x", 7, "s", 7));
    assertEquals(7, whole.shape(lengths)[0]);
    assertEquals("s", whole.layout().arrays().getFirst().name());
  }

  private static Composite composite(Primitive part) {
    return Composite.of("s", List.of(part), Set.of("s"));
  }

  @Test
  void onlyTheEngineThatItIsForRunsIt() {
    Step step = step(s -> s);
    assertEquals("s is for a device", refusal(() -> step.runOnJvm(null)));
    assertEquals("s has no kernels: it is for the JVM", refusal(() -> step.launch(null)));
  }
}
