package funnel.bench;

import funnel.Funnel;
import funnel.Plan;
import funnel.lessons.LadderVariant;
import funnel.operation.Target;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import org.jspecify.annotations.Nullable;

/** Funnel's reduction, or a variant of the ladder at one block size. */
final class ReduceSubject extends PrimitiveSubject {

  private final @Nullable Funnel jvm;
  private final @Nullable LadderVariant variant;
  private final int blockSize;

  /**
   * Funnel's reduction.
   *
   * @param jvm a Funnel on the JVM, whose results must have the same bits
   */
  ReduceSubject(Funnel funnel, Funnel jvm) {
    super(funnel, "funnel", Work.REDUCE, 0);
    this.jvm = funnel.target() == Target.JVM ? null : jvm;
    this.variant = null;
    this.blockSize = 0;
  }

  /** A variant of the ladder. */
  ReduceSubject(Funnel funnel, LadderVariant variant, int blockSize) {
    super(funnel, variant.label(), Work.REDUCE, blockSize);
    this.jvm = null;
    this.variant = variant;
    this.blockSize = blockSize;
  }

  @Override
  Plan.Builder add(Plan.Builder plan, Operator operator) {
    return variant == null
        ? plan.add(OUTPUT, Reduction.of(operator), INPUT)
        : plan.add(OUTPUT, variant.reduction(blockSize, operator), INPUT);
  }

  @Override
  String wrong(Plan plan, Workload workload, Operator operator, Number result) {
    if (!workload.isRight(operator, result)) {
      return result.toString();
    }
    Number bits = jvm == null ? result : jvm.reduce(workload.elements(), Reduction.of(operator));
    return bits.equals(result) ? "" : "%s, on the JVM %s".formatted(result, bits);
  }
}
