package funnel.bench;

import funnel.Funnel;
import funnel.Plan;
import funnel.operator.ElementType;
import funnel.operator.Operator;

/** One of Funnel's primitives over an array of elements. */
abstract class PrimitiveSubject extends PlanSubject<Workload, Operator, PrimitiveCase> {

  private final Funnel funnel;
  private final String name;
  private final Work work;
  private final int block;

  /**
   * Makes a subject.
   *
   * @param funnel the measured Funnel
   * @param block the number of threads of a block if block sizes are compared, else 0
   */
  PrimitiveSubject(Funnel funnel, String name, Work work, int block) {
    this.funnel = funnel;
    this.name = name;
    this.work = work;
    this.block = block;
  }

  /** Adds the measured primitive to a plan. */
  abstract Plan.Builder add(Plan.Builder plan, Operator operator);

  /** What is wrong with the plan's results, or an empty string. */
  abstract String wrong(Plan plan, Workload workload, Operator operator, Number result);

  final Funnel funnel() {
    return funnel;
  }

  @Override
  public final String name() {
    return name;
  }

  /** A plain loop's result for the value that a run returns. */
  Number expected(Workload workload, Operator operator) {
    return workload.expected(operator);
  }

  @Override
  final PrimitiveCase what(Workload workload, Operator operator) {
    return new PrimitiveCase(work, block, workload, operator, expected(workload, operator));
  }

  @Override
  Plan plan(Workload workload, Operator operator) {
    return add(funnel.plan("bench").input(INPUT, workload.array()), operator).build();
  }

  /** For a scan, the total. */
  @Override
  Outcome outcome(Plan plan, Workload workload, Operator operator) {
    Number result = plan.run().get(work == Work.SCAN ? OUTPUT + "_total" : OUTPUT);
    return new Outcome(result.toString(), wrong(plan, workload, operator, result));
  }

  /** The first executions of a process are several times slower than the ten-thousandth. */
  @Override
  public void warmUpEngine(Effort effort) {
    Workload small = Workload.random(ElementType.INT, WARM_UP_LENGTH);
    try (Plan plan = plan(small, Operator.SUM)) {
      effort.warmUp(plan::run);
    }
  }
}
