package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
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
    int[] large = funnel.select(amounts, v -> v > threshold);
    // @end
    return large;
  }

  static int[] fees(Funnel funnel, int[] amounts, int[] classes) {
    // @start region="lookUps"
    int[] percent = {5, 2, 1}; // by class of customer
    Elementwise fee =
        Elementwise.ofInt("fee", i -> amounts[i] * percent[classes[i]] / 100)
            .indexed(amounts.length);
    int[] fees = funnel.run(fee).ints("result");
    // @end
    return fees;
  }

  static int[] line(Funnel funnel, int[] x) {
    // @start region="object"
    record Line(int slope, int intercept) {
      int at(int x) {
        return slope * x + intercept;
      }
    }
    int[] y =
        funnel.run(Elementwise.ofInt("line", new Line(3, 7)::at), Elements.of(x)).ints("result");
    // @end
    return y;
  }

  static byte[] late(Funnel funnel, int[] users, long[] times, long[] limits) {
    // @start region="types"
    interface Late extends ElementFunction {
      boolean test(int user, long time);
    }
    Elementwise late = Elementwise.of("late", (Late) (user, time) -> time > limits[user]);
    byte[] isLate = funnel.run(late, Elements.of(users), Elements.of(times)).bytes("result");
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
