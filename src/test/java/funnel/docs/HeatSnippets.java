package funnel.docs;

import funnel.Floats;
import funnel.Funnel;
import funnel.heat.Heat2D;
import funnel.heat.HeatFieldException;
import funnel.heat.HeatMethod;
import funnel.heat.HeatProblem;
import funnel.heat.HeatSnapshot;
import funnel.heat.HeatStepper;
import funnel.heat.Side;
import funnel.heat.UnstableStepException;
import funnel.lessons.HeatVariant;
import funnel.operator.ElementType;

/** Examples of {@link Heat2D}. */
final class HeatSnippets {

  private HeatSnippets() {}

  /** A plate that is warmed at its left. */
  static String plate() {
    // @start region="heat"
    try (Heat2D heat =
        HeatProblem.builder(256, 128)
            .spacing(1e-3, 1e-3) // metres
            .diffusivity(1.1e-4) // of copper, square metres a second
            .left(Side.dirichlet(100)) // degrees; the other sides are insulated
            .initial((x, y) -> 20)
            .build()
            .open()) {
      heat.step(1000);
      return "after %.2f s: %.1f degrees".formatted(heat.time(), heat.snapshot().at(32, 64));
    }
    // @end
  }

  /** Two solvers of one problem. */
  static String solvers(Funnel funnel) {
    // @start region="problem"
    HeatProblem plate = HeatProblem.builder(16, 16).left(Side.dirichlet(100)).dt(0.2).build();
    try (Heat2D one = plate.open(funnel);
        Heat2D other = plate.open(funnel)) { // two solvers, each with a field of its own
      one.step(100);
      return "t=%s: %.1f, t=%s: %.1f"
          .formatted(one.time(), one.snapshot().at(5, 0), other.time(), other.snapshot().at(5, 0));
      // t=20.0: 43.0, t=0.0: 0.0
    }
    // @end
  }

  /** A field that is where the Funnel computes, and one that goes there. */
  static double[] kept(Funnel funnel, float[] picture) {
    // @start region="kept"
    try (Floats field = funnel.of(picture).map(v -> v * 100).keep();
        Heat2D heat = HeatProblem.builder(16, 16).initial(field).build().open(funnel)) {
      heat.step(100);
      try (Floats after = funnel.of(heat.toFloats()).keep()) {
        return new double[] {field.max(), after.max()};
      }
    }
    // @end
  }

  /** The steady state of a tube, unrolled: held at 20 degrees at the left, heated at the right. */
  static double[] tube(Funnel funnel) {
    // @start region="sides"
    try (Heat2D heat =
        HeatProblem.builder(4, 3)
            .type(ElementType.DOUBLE)
            .left(Side.dirichlet(20)) // degrees
            .right(Side.neumann(5)) // 5 degrees a length, which lets heat in; or wall, or robin
            .bottom(Side.periodic()) // what leaves at the bottom comes in at the top
            .top(Side.periodic())
            .build()
            .open(funnel)) {
      boolean isSteady = heat.stepUntil(1e-9, 100, 100_000); // true
      return isSteady ? heat.toDoubles() : new double[0]; // 20, 25, 30, 35 in every row
    }
    // @end
  }

  /** A wall that swings, and a source that is switched off. */
  static double[] inTime(Funnel funnel) {
    // @start region="in-time"
    try (Heat2D heat =
        HeatProblem.builder(4, 3)
            .type(ElementType.DOUBLE)
            .dt(0.125)
            .left(Side.wall(0))
            .source((x, y) -> 1)
            .build()
            .open(funnel)) {
      heat.observe(1, h -> h.left(Side.wall(Math.sin(h.time())))); // a function of time
      heat.step(50);
      heat.source(new double[4 * 3]); // from here on
      return heat.step(50).toDoubles();
    }
    // @end
  }

  /** Some steps by a method. */
  static float[] by(Funnel funnel, HeatMethod method) {
    // @start region="method"
    try (Heat2D heat =
        HeatProblem.builder(40, 20).method(method).initial((x, y) -> x * y).build().open(funnel)) {
      return heat.step(8).toFloats(); // the same bits by every method
    }
    // @end
  }

  /** Some steps by a variant of the user's. */
  static float[] byVariant(Funnel funnel, String option) {
    // @start region="variant"
    HeatStepper variant = HeatVariant.of(option); // "tile", or its number "3"
    try (Heat2D heat =
        HeatProblem.builder(40, 20).method(variant).initial((x, y) -> x * y).build().open(funnel)) {
      return heat.step(8).toFloats(); // the same bits by every variant
    }
    // @end
  }

  /** A pulse of heat, before and after a step. */
  static String pulse(Funnel funnel) {
    // @start region="snapshot"
    try (Heat2D heat =
        HeatProblem.builder(5, 1)
            .left(Side.dirichlet(0))
            .right(Side.dirichlet(0))
            .initial(new float[] {0, 0, 1, 0, 0})
            .dt(0.25)
            .build()
            .open(funnel)) {
      HeatSnapshot before = heat.snapshot();
      HeatSnapshot after = heat.step(1).snapshot(); // 0, 0.25, 0.5, 0.25, 0
      return "t=%s: %s at most, t=%s: %s at most, %s beside it"
          .formatted(before.time(), before.max(), after.time(), after.max(), after.at(1, 0));
      // t=0.0: 1.0 at most, t=0.25: 0.5 at most, 0.25 beside it
    }
    // @end
  }

  /** Steps of the time that is wanted, or of a stable one. */
  static double stableTime(Funnel funnel, double wanted) {
    // @start region="unstable"
    HeatProblem.Builder plate = HeatProblem.builder(24, 24).spacing(0.5, 0.5);
    double dt;
    try (Heat2D heat = plate.dt(wanted).build().open(funnel)) {
      dt = heat.step(100).dt();
    } catch (UnstableStepException e) { // e.dt() is above e.limit(), 0.0625
      int parts = (int) Math.ceil(e.dt() / e.limit());
      try (Heat2D heat = plate.dt(wanted / parts).build().open(funnel)) {
        dt = heat.step(100L * parts).dt(); // the same time in more steps
      }
    }
    // @end
    return dt;
  }

  /** Begins with what sensors say, three in a row. */
  static String measured(Funnel funnel, double[] sensors) {
    // @start region="field"
    try (Heat2D heat = HeatProblem.builder(3, 2).initial(sensors).build().open(funnel)) {
      return "largest: " + heat.step(100).snapshot().max();
    } catch (HeatFieldException e) {
      int sensor = e.j() * 3 + e.i();
      return "sensor %s of %s says %s".formatted(sensor, sensors.length, e.value());
      // sensor 4 of 6 says NaN; e.getMessage() is
      // initial field at node (1, 1) is NaN: a finite number of type FLOAT expected
    }
    // @end
  }
}
