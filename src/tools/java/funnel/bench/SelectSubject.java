package funnel.bench;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import funnel.scan.ScanForm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Funnel's selections. The timed runs leave the kept elements on the device and return their
 * number. Then all of them are compared with a plain loop's.
 */
final class SelectSubject extends PlanSubject<Selectable, SelectTask, SelectCase> {

  private static final String FLAGS = "flags";
  private static final String KEPT = "kept";
  private static final String SUMS = "sums";

  private final Funnel funnel;
  private final @Nullable ScanForm form;

  /**
   * Makes a subject.
   *
   * @param form the form, or null for Funnel's choice
   */
  SelectSubject(Funnel funnel, @Nullable ScanForm form) {
    this.funnel = funnel;
    this.form = form;
  }

  @Override
  public String name() {
    return "funnel" + (form == null ? "" : "/" + form.label());
  }

  /* On engines with kernels, Funnel chooses the single pass, but on ptx for short inputs only
   * (SelectStep).
   */
  private int passes(Selectable elements) {
    if (funnel.target() == Target.JVM) {
      return 0;
    }
    boolean isLongOnPtx =
        elements.array().getSize() > 1 << 26 && "PTX".equals(funnel.details().get("backend"));
    return form == ScanForm.REDUCE_THEN_SCAN || form == null && isLongOnPtx ? 2 : 1;
  }

  @Override
  SelectCase what(Selectable elements, SelectTask task) {
    int again = task.isRuns() ? 2 * Integer.BYTES : 0; // lengths follow from starts
    return SelectCase.of(elements, task, passes(elements), again);
  }

  @Override
  Plan plan(Selectable elements, SelectTask task) {
    Plan.Builder plan = funnel.plan("bench").input(INPUT, elements.array());
    var operation = task.operation(elements.type(), form);
    Plan.Builder added =
        switch (task) {
          case FLAGGED_50 ->
              plan.input(FLAGS, elements.flags()).add(OUTPUT, operation, INPUT, FLAGS);
          case CHAIN_50 ->
              plan.add(KEPT, operation, INPUT)
                  .add(SUMS, SelectTask.scan(form), KEPT)
                  .add(OUTPUT, Reduction.max(), SUMS);
          default -> plan.add(OUTPUT, operation, INPUT);
        };
    return added.build();
  }

  @Override
  Outcome outcome(Plan plan, Selectable elements, SelectTask task) {
    if (task == SelectTask.CHAIN_50) {
      Results results = plan.run();
      long largest = results.get(OUTPUT).longValue();
      return compared(new Selectable.Kept(results.length(KEPT), largest), elements, task);
    }
    ElementType type = elements.type();
    boolean isPartition = task == SelectTask.PARTITION_50;
    String kept = isPartition ? OUTPUT + "_kept" : OUTPUT;
    String others = OUTPUT + (isPartition ? "_rejected" : "_lengths");
    ElementType otherType = task.others(type);
    long length = elements.length();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment first = arena.allocate(length * type.bytes(), Long.BYTES);
      Map<String, Elements> into = new HashMap<>(Map.of(kept, Elements.of(first, type)));
      MemorySegment second = arena.allocate(length * otherType.bytes(), Long.BYTES);
      if (isPartition || task.isRuns()) {
        into.put(others, Elements.of(second, otherType));
      }
      Results results = plan.run(Map.of(), into);
      int count = results.length(kept);
      long hash = Selectable.hash(type, first, count);
      if (isPartition || task.isRuns()) {
        hash += Selectable.hash(otherType, second, results.length(others));
      }
      return compared(new Selectable.Kept(count, hash), elements, task);
    }
  }

  /** A result, and what is wrong with it. */
  static Outcome compared(Selectable.Kept kept, Selectable elements, SelectTask task) {
    Selectable.Kept expected = elements.kept(task);
    return new Outcome(
        kept.toString(), kept.equals(expected) ? "" : "%s, expected %s".formatted(kept, expected));
  }

  @Override
  public void warmUpEngine(Effort effort) {
    Selectable small = new Selectable(ElementType.INT, WARM_UP_LENGTH, 0);
    try (Plan plan = new SelectSubject(funnel, null).plan(small, SelectTask.SELECT_50)) {
      effort.warmUp(plan::run);
    }
  }
}
