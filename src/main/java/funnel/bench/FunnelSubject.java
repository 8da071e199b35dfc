package funnel.bench;

import funnel.Funnel;
import funnel.Plan;
import funnel.engine.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;

/** Funnel's own reduction. */
final class FunnelSubject extends PlanSubject {

  private static final int WARM_UP_LENGTH = 1024;

  private final Funnel funnel;
  private final Funnel jvm;

  /**
   * A subject.
   *
   * @param funnel what is measured
   * @param jvm a Funnel on the JVM, whose results must have the same bits
   */
  FunnelSubject(Funnel funnel, Funnel jvm) {
    super(funnel, 0);
    this.funnel = funnel;
    this.jvm = jvm;
  }

  @Override
  public String name() {
    return "funnel";
  }

  @Override
  Plan.Builder add(Plan.Builder plan, String output, Operator operator, String input) {
    return plan.reduce(output, Reduction.of(operator), input);
  }

  @Override
  boolean isRight(Workload workload, Operator operator, Number result) {
    return super.isRight(workload, operator, result)
        && (funnel.target() == Target.JVM
            || jvm.reduce(workload.elements(), Reduction.of(operator)).equals(result));
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
}
