package funnel.bench;

import funnel.Funnel;
import funnel.Plan;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.ScanVariant;

/** One of the ways in which scans are taught, at one block size. */
final class ScanVariantSubject extends PlanSubject {

  private final ScanVariant variant;
  private final int blockSize;

  ScanVariantSubject(Funnel funnel, ScanVariant variant, int blockSize) {
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
    return Work.SCAN;
  }

  @Override
  boolean takes(ElementType type) {
    return variant.isOver(type);
  }

  @Override
  Plan.Builder add(Plan.Builder plan, String output, Operator operator, String input) {
    return plan.add(output, variant.scan(blockSize, operator), input);
  }

  @Override
  String value(String output) {
    return ScanSubject.total(output);
  }

  @Override
  String wrong(Plan plan, String output, Workload workload, Operator operator, Number result) {
    return ScanSubject.wrongScan(plan, output, workload, operator, result, null);
  }
}
