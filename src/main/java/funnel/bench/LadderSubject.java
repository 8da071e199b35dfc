package funnel.bench;

import funnel.Funnel;
import funnel.Plan;
import funnel.operator.Operator;
import funnel.reduce.LadderVariant;

/** One variant of the ladder at one block size. */
final class LadderSubject extends PlanSubject {

  private final LadderVariant variant;
  private final int blockSize;

  LadderSubject(Funnel funnel, LadderVariant variant, int blockSize) {
    super(funnel, blockSize);
    this.variant = variant;
    this.blockSize = blockSize;
  }

  @Override
  public String name() {
    return variant.label();
  }

  @Override
  Work work() {
    return Work.REDUCE;
  }

  @Override
  Plan.Builder add(Plan.Builder plan, String output, Operator operator, String input) {
    return plan.add(output, variant.reduction(blockSize, operator), input);
  }
}
