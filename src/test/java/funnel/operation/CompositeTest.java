package funnel.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.operator.ElementType;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What composites derive of their parts. */
class CompositeTest {

  /** Copies an input, in place if it likes. */
  private record Copy(String id, String input) implements Primitive {
    @Override
    public Layout layout() {
      return Layout.reads(input).writes(id, ElementType.INT, 10, input).inPlaceOf(id, input);
    }

    @Override
    public int[] shape(Lengths lengths) {
      return new int[0];
    }

    @Override
    public void launch(Launches launches) {}

    @Override
    public void runOnJvm(JvmRun run) {}

    @Override
    public Primitive in(Setting setting) {
      return this;
    }
  }

  private static Set<String> inPlace(Primitive primitive, String array) {
    return primitive.layout().inputsInPlace(array);
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
    assertEquals(List.of("x"), List.copyOf(chain.layout().inputs()));
    assertEquals(Set.of("c.h"), chain.layout().hidden().keySet());
  }
}
