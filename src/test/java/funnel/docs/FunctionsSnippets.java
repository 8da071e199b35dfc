package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Ints;
import funnel.Plan;
import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.transform.Elementwise;
import java.util.Map;

/** The examples of docs/functions.md. */
final class FunctionsSnippets {

  static int[] large(Funnel funnel, int[] amounts) {
    // @start region="threshold"
    int threshold = 500;
    int[] large = funnel.of(amounts).filter(v -> v > threshold).toArray();
    // @end
    return large;
  }

  static int[] fees(Funnel funnel, int[] amounts, int[] classes) {
    // @start region="lookUps"
    int[] percent = {5, 2, 1}; // by class of customer
    Ints fees = funnel.range(0, amounts.length).map(i -> amounts[i] * percent[classes[i]] / 100);
    // @end
    return fees.toArray();
  }

  static int[] feesOfClasses(Funnel funnel, Ints classes) {
    // @start region="table"
    Ints percent = funnel.of(5, 2, 1).keep();
    Ints fees = classes.map(c -> 100 * percent.get(c));
    // @end
    try (percent) {
      return fees.toArray();
    }
  }

  static int[] line(Funnel funnel, int[] values) {
    Ints x = funnel.of(values);
    // @start region="object"
    record Line(int slope, int intercept) {
      int at(int x) {
        return slope * x + intercept;
      }
    }
    Ints y = x.map(new Line(3, 7)::at);
    // @end
    return y.toArray();
  }

  static byte[] late(Funnel funnel, int[] users, long[] times, long[] limits) {
    // @start region="types"
    interface Late extends ElementFunction {
      boolean test(int user, long time);
    }
    Late late = (user, time) -> time > limits[user];
    byte[] isLate = funnel.flags(late, funnel.of(users), funnel.of(times)).toArray();
    // @end
    return isLate;
  }

  static double[] normalised(Funnel funnel, double[] values) {
    Plan.Builder plan = funnel.plan("normalised").input("x", ElementType.DOUBLE, values.length);
    // @start region="values"
    interface Normalise extends ElementFunction {
      double of(double x, double mean, double variance);
    }
    plan.add("mean", Reduction.mean(), "x")
        .add("variance", Reduction.variance(), "x")
        .add(
            "z",
            Elementwise.of("normalise", (Normalise) (x, m, v) -> (x - m) / Math.sqrt(v)),
            "x",
            "mean",
            "variance");
    // @end
    try (Plan built = plan.build()) {
      return built.run(Map.of("x", Elements.of(values))).doubles("z");
    }
  }

  // @start region="above"
  Reduction above(float limit) {
    return Reduction.countIf(Transform.testFloat("above", t -> t > limit));
  }

  // @end

  long above(Funnel funnel, float[] temperatures) {
    try (Plan plan =
        funnel
            .plan("days")
            .input("temperatures", ElementType.FLOAT, temperatures.length)
            .add("above", above(30), "temperatures")
            .build()) {
      plan.set("temperatures", Elements.of(temperatures));
      plan.run();
      // @start region="set"
      long days = plan.set("above", above(25)).run().getLong("above"); // nothing is compiled
      // @end
      return days;
    }
  }
}
