package funnel.bench;

import funnel.Funnel;
import funnel.Plan;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import org.jspecify.annotations.Nullable;

/** A plan of Funnel's over resident data, as a program would use it. */
abstract class PlanSubject implements Subject {

  /** The input's name in its plan. */
  static final String INPUT = "x";

  private static final String OUTPUT = "result";
  private static final int WARM_UP_LENGTH = 1024;

  private final Funnel funnel;
  private final int block;

  /**
   * A subject.
   *
   * @param funnel what is measured
   * @param block threads of a block where block sizes are compared, else 0
   */
  PlanSubject(Funnel funnel, int block) {
    this.funnel = funnel;
    this.block = block;
  }

  /** Adds what is to be measured to a plan. */
  abstract Plan.Builder add(Plan.Builder plan, String output, Operator operator, String input);

  /** Whether it works on elements of a type. */
  boolean takes(ElementType type) {
    return true;
  }

  /** What it does. */
  abstract Work work();

  /** The name of the single value that comes back from a run. */
  String value(String output) {
    return output;
  }

  /** What a plain loop gives for that value. */
  Number expected(Workload workload, Operator operator) {
    return workload.expected(operator);
  }

  /** What is wrong with the results of the plan, or nothing. May run it, outside of any timing. */
  String wrong(Plan plan, String output, Workload workload, Operator operator, Number result) {
    return workload.isRight(operator, result) ? "" : result.toString();
  }

  Plan plan(Workload workload, Operator operator) {
    return add(funnel.plan("bench").input(INPUT, workload.array()), OUTPUT, operator, INPUT)
        .build();
  }

  @Override
  public Measurement measure(Workload workload, Operator operator, Effort effort) {
    try (Plan plan = plan(workload, operator)) {
      effort.warmUp(plan::run);
      Timing wall = effort.wall(plan::run);
      Timing kernel = kernelTimes(plan, effort);
      Number result = plan.run().get(value(OUTPUT));
      String wrong = wrong(plan, OUTPUT, workload, operator, result);
      return new Measurement(
          name(),
          block,
          work(),
          workload.type(),
          operator.name(),
          workload.length(),
          "warm",
          kernel,
          wall,
          wrong.isEmpty() ? result.toString() : wrong,
          expected(workload, operator).toString(),
          wrong.isEmpty(),
          "");
    } catch (RuntimeException e) {
      return Measurement.failed(name(), block, work(), workload, operator.name(), e.toString());
    }
  }

  /**
   * Runs a small plan until the JVM has compiled the way from a plan to the device: the first
   * executes of a process are several times slower than the ten-thousandth.
   */
  void warmUpEngine(Effort effort) {
    Workload small = Workload.random(ElementType.INT, WARM_UP_LENGTH);
    try (Plan plan = plan(small, Operator.SUM)) {
      effort.warmUp(plan::run);
    }
  }

  /**
   * Times of a plan's kernels, or null where there are none. A pass of its own, since TornadoVM's
   * profiler slows every run down.
   */
  static @Nullable Timing kernelTimes(Plan plan, Effort effort) {
    plan.measureKernels(true);
    try {
      plan.run();
      if (plan.kernelNanos() < 0) {
        return null;
      }
      return effort.times(
          () -> {
            plan.run();
            return plan.kernelNanos();
          });
    } finally {
      plan.measureKernels(false);
    }
  }
}
