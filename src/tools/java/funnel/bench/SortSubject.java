package funnel.bench;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Funnel's sorts. The timed runs leave the results on the device. */
final class SortSubject extends PlanSubject<Sortable, SortTask, SortCase> {

  private static final String SECOND = "second";

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
    Plan.Builder plan = funnel.plan("bench");
    if (task == SortTask.MERGE) {
      int half = keys.length() / 2;
      plan.input(INPUT, keys.sorted(0, half)).input(SECOND, keys.sorted(half, keys.length()));
    } else {
      plan.input(INPUT, keys.array());
    }
    if (task.isOfSegments()) {
      plan.input(SECOND, IntArray.fromArray(task.offsets(keys.length())));
    }
    Operation operation = task.operation(keys.type());
    return task == SortTask.MERGE || task.isOfSegments()
        ? plan.add(OUTPUT, operation, INPUT, SECOND).build()
        : plan.add(OUTPUT, operation, INPUT).build();
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
