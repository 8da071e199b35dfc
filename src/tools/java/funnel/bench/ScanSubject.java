package funnel.bench;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.lessons.ScanVariant;
import funnel.operation.Target;
import funnel.operator.Operator;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Funnel's inclusive scan, or one of the ways in which scans are taught. The timed runs leave the
 * results on the device and return the total. Then all results are compared with a plain loop's,
 * and the bits of Funnel's floating-point scans with those on the JVM.
 */
final class ScanSubject extends PrimitiveSubject {

  private final @Nullable Funnel jvm;
  private final @Nullable ScanForm form;
  private final @Nullable ScanVariant variant;
  private final int blockSize;

  /**
   * Funnel's scan.
   *
   * @param jvm a Funnel on the JVM, whose results must have the same bits
   * @param form the form, or null for Funnel's choice
   */
  ScanSubject(Funnel funnel, Funnel jvm, @Nullable ScanForm form) {
    super(funnel, form == null ? "funnel" : "funnel/" + form.label(), Work.SCAN, 0);
    this.jvm = funnel.target() == Target.JVM ? null : jvm;
    this.form = form;
    this.variant = null;
    this.blockSize = 0;
  }

  /** A variant at one block size. */
  ScanSubject(Funnel funnel, ScanVariant variant, int blockSize) {
    super(funnel, variant.label(), Work.SCAN, blockSize);
    this.jvm = null;
    this.form = null;
    this.variant = variant;
    this.blockSize = blockSize;
  }

  @Override
  public boolean takes(Workload workload, Operator operator) {
    return variant == null || variant.isOver(workload.type());
  }

  @Override
  Plan.Builder add(Plan.Builder plan, Operator operator) {
    Scan scan = Scan.inclusive(operator);
    return variant == null
        ? plan.add(OUTPUT, form == null ? scan : scan.by(form), INPUT)
        : plan.add(OUTPUT, variant.scan(blockSize, operator), INPUT);
  }

  @Override
  String wrong(Plan plan, Workload workload, Operator operator, Number total) {
    if (!workload.isRight(operator, total)) {
      return total.toString();
    }
    try (Arena arena = Arena.ofShared()) {
      MemorySegment results = results(plan, workload, arena);
      String wrong = workload.scan(operator).firstWrong(results);
      if (!wrong.isEmpty() || jvm == null || !workload.type().isFloating()) {
        return wrong;
      }
      try (Plan same =
          jvm.plan("bits")
              .input(INPUT, workload.array())
              .add(OUTPUT, Scan.inclusive(operator), INPUT)
              .build()) {
        long at = results.mismatch(results(same, workload, arena));
        return at < 0
            ? ""
            : "bits differ from the JVM's at %s".formatted(at / workload.type().bytes());
      }
    }
  }

  /** All results of a plan's scan. */
  static MemorySegment results(Plan plan, Workload workload, Arena arena) {
    MemorySegment results = arena.allocate(workload.bytes(), Long.BYTES);
    plan.run(Map.of(), Map.of(OUTPUT, Elements.of(results, workload.type())));
    return results;
  }
}
