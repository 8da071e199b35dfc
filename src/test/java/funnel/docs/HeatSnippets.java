package funnel.docs;

import funnel.heat.Heat2D;
import funnel.heat.Side;

/** Examples of {@link Heat2D}. */
final class HeatSnippets {

  private HeatSnippets() {}

  /** A plate that is warmed at its left. */
  static String plate() {
    // @start region="heat"
    try (Heat2D heat =
        Heat2D.builder(256, 128)
            .spacing(1e-3, 1e-3) // metres
            .diffusivity(1.1e-4) // of copper, square metres a second
            .left(Side.dirichlet(100)) // degrees; the other sides are insulated
            .initial((x, y) -> 20)
            .build()) {
      heat.step(1000);
      return "after %.2f s: %.1f degrees".formatted(heat.time(), heat.snapshot().at(32, 64));
    }
    // @end
  }
}
