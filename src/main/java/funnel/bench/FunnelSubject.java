package funnel.bench;

import funnel.Funnel;
import funnel.Plan;
import funnel.engine.Target;
import funnel.operator.Operator;
import funnel.reduce.Reduction;

/** Funnel's own reduction. */
final class FunnelSubject extends PlanSubject {

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
    return plan.add(output, Reduction.of(operator), input);
  }

  @Override
  Work work() {
    return Work.REDUCE;
  }

  @Override
  String wrong(Plan plan, String output, Workload workload, Operator operator, Number result) {
    String wrong = super.wrong(plan, output, workload, operator, result);
    if (!wrong.isEmpty() || funnel.target() == Target.JVM) {
      return wrong;
    }
    Number onJvm = jvm.reduce(workload.elements(), Reduction.of(operator));
    return onJvm.equals(result) ? "" : "%s, on the JVM %s".formatted(result, onJvm);
  }
}
