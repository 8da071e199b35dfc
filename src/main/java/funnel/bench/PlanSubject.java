package funnel.bench;

import funnel.Funnel;
import funnel.Plan;
import funnel.operator.Operator;
import org.jspecify.annotations.Nullable;

/** A plan of Funnel's over resident data, as a program would use it. */
abstract class PlanSubject implements Subject {

  private static final String INPUT = "x";
  private static final String OUTPUT = "result";

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

  /** Whether a result is right. */
  boolean isRight(Workload workload, Operator operator, Number result) {
    return workload.isRight(operator, result);
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
      Number result = plan.run().get(OUTPUT);
      return new Measurement(
          name(),
          block,
          workload.type(),
          operator.name(),
          workload.length(),
          "warm",
          kernel,
          wall,
          result.toString(),
          workload.expected(operator).toString(),
          isRight(workload, operator, result),
          "");
    } catch (RuntimeException e) {
      return Measurement.failed(name(), block, workload, operator.name(), e.toString());
    }
  }

  /** A pass of its own, since TornadoVM's profiler slows every run down. */
  private static @Nullable Timing kernelTimes(Plan plan, Effort effort) {
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
