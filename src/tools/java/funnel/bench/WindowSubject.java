package funnel.bench;

import funnel.Funnel;
import funnel.Plan;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.Window;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongBinaryOperator;

/**
 * Windows of so many elements, over integers. A result of each thousand is compared with a loop.
 */
final class WindowSubject extends PrimitiveSubject {

  private static final int STEP = 997;

  private final int rows;

  WindowSubject(Funnel funnel, int rows) {
    super(funnel, "funnel/window-" + rows, Work.SCAN, 0);
    this.rows = rows;
  }

  @Override
  public boolean takes(Workload workload, Operator operator) {
    return !workload.type().isFloating() && !operator.isUser();
  }

  @Override
  Plan.Builder add(Plan.Builder plan, Operator operator) {
    return plan.add(OUTPUT, Window.rows(rows, operator), INPUT);
  }

  @Override
  Number expected(Workload workload, Operator operator) {
    return at(workload, operator, workload.length() - 1);
  }

  private long at(Workload workload, Operator operator, int i) {
    ElementType type = workload.type();
    MemorySegment values = workload.array().getSegment();
    LongBinaryOperator combine = operator.equals(Operator.MAX) ? Math::max : Long::sum;
    long all = Workload.whole(type, values, i);
    for (int j = i - 1; j >= 0 && j > i - rows; j--) {
      all = combine.applyAsLong(Workload.whole(type, values, j), all);
    }
    return type == ElementType.INT ? (int) all : all;
  }

  @Override
  Outcome outcome(Plan plan, Workload workload, Operator operator) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment results = ScanSubject.results(plan, workload, arena);
      int last = workload.length() - 1;
      long result = Workload.whole(workload.type(), results, last);
      return new Outcome(Long.toString(result), wrong(workload, operator, results));
    }
  }

  private String wrong(Workload workload, Operator operator, MemorySegment results) {
    for (long i = 0; i < workload.length(); i += STEP) {
      long result = Workload.whole(workload.type(), results, i);
      if (result != at(workload, operator, (int) i)) {
        return "%s at %s".formatted(result, i);
      }
    }
    return "";
  }

  @Override
  String wrong(Plan plan, Workload workload, Operator operator, Number result) {
    throw new IllegalStateException("windows have no total");
  }
}
