package funnel.lessons;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.heat.HeatMethod;
import funnel.heat.HeatProblem;
import funnel.heat.HeatStepper;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and limits; what the variants compute is in the tests of the heat equation. */
class HeatVariantTest {

  @Test
  void eachHasANameAndANumber() {
    List<String> labels = HeatVariant.ALL.stream().map(HeatStepper::label).toList();
    assertEquals(
        List.of("global", "halo-threads", "tile", "strip", "register-march", "register-stream"),
        labels);
    for (int number = 1; number <= labels.size(); number++) {
      HeatStepper stepper = HeatVariant.ALL.get(number - 1);
      assertSame(stepper, HeatVariant.of(" " + number));
      assertSame(stepper, HeatVariant.of(stepper.label().toUpperCase(Locale.ROOT)));
    }
    assertSame(HeatVariant.TILE, HeatVariant.of("3"));
    assertSame(HeatMethod.REGISTER_MARCH, HeatVariant.of("5"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "7", "fast", ""})
  void otherNames_areRefusedWithThoseThatThereAre(String name) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> HeatVariant.of(name)).getMessage();
    assertEquals(
        "unknown method '%s': use auto, 1 or global, 2 or halo-threads, 3 or tile, 4 or strip, 5 or register-march, 6 or register-stream"
            .formatted(name),
        message);
  }

  @ParameterizedTest
  @EnumSource
  void diffusivityByCells_isForOneAlone(HeatVariant variant) {
    HeatProblem.Builder builder =
        HeatProblem.builder(2, 1).diffusivity(new double[] {1, 2}).method(variant);
    if (variant == HeatVariant.GLOBAL) {
      assertEquals(2, builder.build().nx());
    } else {
      String message = assertThrows(IllegalArgumentException.class, builder::build).getMessage();
      assertTrue(message.contains(variant.label()), message);
      assertTrue(message.contains("diffusivity by cell=true"), message);
    }
  }
}
