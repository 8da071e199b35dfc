package funnel.bench;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.engine.Target;
import funnel.operator.Operator;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Funnel's own inclusive scan. What is timed leaves the results on the device and brings the total;
 * afterwards all results are compared with a plain loop's, and the bits of floating-point ones with
 * those on the JVM.
 */
final class ScanSubject extends PlanSubject {

  private final Funnel funnel;
  private final Funnel jvm;
  private final @Nullable ScanForm form;

  /**
   * A subject.
   *
   * @param funnel what is measured
   * @param jvm a Funnel on the JVM, whose results must have the same bits
   * @param form the form, or null for the one that Funnel chooses
   */
  ScanSubject(Funnel funnel, Funnel jvm, @Nullable ScanForm form) {
    super(funnel, 0);
    this.funnel = funnel;
    this.jvm = jvm;
    this.form = form;
  }

  @Override
  public String name() {
    return form == null ? "funnel" : "funnel/" + form.label();
  }

  @Override
  Work work() {
    return Work.SCAN;
  }

  @Override
  Plan.Builder add(Plan.Builder plan, String output, Operator operator, String input) {
    Scan scan = Scan.inclusive(operator);
    return plan.add(output, form == null ? scan : scan.by(form), input);
  }

  @Override
  String value(String output) {
    return total(output);
  }

  @Override
  String wrong(Plan plan, String output, Workload workload, Operator operator, Number result) {
    return wrongScan(
        plan,
        output,
        workload,
        operator,
        result,
        funnel.target() == Target.JVM || !workload.type().isFloating() ? null : jvm);
  }

  /** The name of a scan's total. */
  static String total(String output) {
    return output + "_total";
  }

  /**
   * What is wrong with a plan's scan of a workload, or nothing.
   *
   * @param jvm whose bits the results must have, if there is one
   */
  static String wrongScan(
      Plan plan,
      String output,
      Workload workload,
      Operator operator,
      Number total,
      @Nullable Funnel jvm) {
    if (!workload.isRight(operator, total)) {
      return total.toString();
    }
    try (Arena arena = Arena.ofShared()) {
      MemorySegment results = arena.allocate(workload.bytes(), Long.BYTES);
      plan.run(Map.of(), Map.of(output, Elements.of(results, workload.type())));
      String wrong = workload.scan(operator).firstWrong(results);
      if (!wrong.isEmpty() || jvm == null) {
        return wrong;
      }
      MemorySegment onJvm = arena.allocate(workload.bytes(), Long.BYTES);
      try (Plan same =
          jvm.plan("bits")
              .input(INPUT, workload.array())
              .add(output, Scan.inclusive(operator), INPUT)
              .build()) {
        same.run(Map.of(), Map.of(output, Elements.of(onJvm, workload.type())));
      }
      long at = results.mismatch(onJvm);
      return at < 0
          ? ""
          : "other bits than on the JVM at %d".formatted(at / workload.type().bytes());
    }
  }
}
