package funnel.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Funnel;
import funnel.Plan;
import funnel.operator.ElementType;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What composites derive of their parts. */
class CompositeTest {

  /** Copies an input, in place if it likes. */
  private record Copy(String id, String input) implements Primitive {
    @Override
    public Step in(Setting setting) {
      return Step.of(this, setting)
          .reads("from", input)
          .writes("to", id, ElementType.INT, 10, input)
          .inPlaceOf(id, input)
          .onJvm(_ -> {});
    }
  }

  @Test
  void whatHasNoKernelsIsForTheJvm() {
    Operation copy = (output, of) -> new Expansion(List.of(new Copy(output, "x")), List.of());
    try (Funnel funnel = Funnel.open(Target.EMULATOR)) {
      Plan.Builder plan = funnel.plan("p").input("x", ElementType.INT, 10).add("y", copy, "x");
      FunnelDeviceException e = assertThrows(FunnelDeviceException.class, plan::build);
      Throwable cause = assertInstanceOf(UnsupportedOperationException.class, e.getCause());
      assertEquals("y has no kernels: it is for the JVM", cause.getMessage());
    }
  }

  private static Set<String> inPlace(Primitive primitive, String array) {
    return primitive.asIs().layout().inputsInPlace(array);
  }

  @Test
  void anArrayIsNotInPlaceOfWhatLaterPartsRead() {
    Composite both =
        Composite.of("b", List.of(new Copy("y", "x"), new Copy("z", "x")), Set.of("y", "z"));
    assertEquals(Set.of(), inPlace(both, "y"));
    assertEquals(Set.of("x"), inPlace(both, "z"));
  }

  @Test
  void aCompositeIsTheSameWhateverItIsAPartOf() {
    Composite part = Composite.of("p", List.of(new Copy("y", "x")), Set.of("y"));
    Composite whole = Composite.of("w", List.of(part, new Copy("z", "x")), Set.of("y", "z"));
    assertEquals(Set.of(), inPlace(whole, "y"));
    assertEquals(Set.of("x"), inPlace(part, "y"));
  }

  @Test
  void lengthsOfHiddenArraysAreThoseOfTheirInputs() {
    Composite chain =
        Composite.of("c", List.of(new Copy("c.h", "x"), new Copy("y", "c.h")), Set.of("y"));
    assertEquals(List.of("x"), List.copyOf(chain.asIs().layout().inputs()));
    assertEquals(Set.of("c.h"), chain.asIs().layout().hidden().keySet());
  }
}
