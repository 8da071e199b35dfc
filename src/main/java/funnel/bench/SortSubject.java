package funnel.bench;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.operator.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/** Funnel's own sorts. What is timed leaves what comes out on the device. */
final class SortSubject extends PlanSubject<Sortable, SortTask, SortCase> {

  private final Funnel funnel;

  SortSubject(Funnel funnel) {
    this.funnel = funnel;
  }

  @Override
  public String name() {
    return "funnel";
  }

  @Override
  SortCase what(Sortable keys, SortTask task) {
    return SortCase.of(keys, task);
  }

  @Override
  Plan plan(Sortable keys, SortTask task) {
    return funnel
        .plan("bench")
        .input(INPUT, keys.array())
        .add(OUTPUT, task.operation(), INPUT)
        .build();
  }

  @Override
  Outcome outcome(Plan plan, Sortable keys, SortTask task) {
    ElementType type = task.type(keys.type());
    try (Arena arena = Arena.ofShared()) {
      MemorySegment made = arena.allocate((long) keys.length() * type.bytes(), Long.BYTES);
      plan.run(Map.of(), Map.of(OUTPUT, Elements.of(made, type)));
      return compared(Sortable.hash(type, made), keys, task);
    }
  }

  /** A result, and what is wrong with it. */
  static Outcome compared(String hash, Sortable keys, SortTask task) {
    String expected = keys.expected(task);
    return new Outcome(
        hash, hash.equals(expected) ? "" : "hash %s, expected %s".formatted(hash, expected));
  }

  @Override
  public void warmUpEngine(Effort effort) {
    Sortable small = new Sortable(ElementType.INT, WARM_UP_LENGTH, Sortable.Data.UNIFORM);
    try (Plan plan = plan(small, SortTask.SORT)) {
      effort.warmUp(plan::run);
    }
  }
}
