package funnel;

import funnel.engine.Engine;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one-shot calls of a {@link Funnel}: each runs a plan once and keeps it for the next call of
 * its kind.
 */
final class OneShotCalls {

  /** Calls of fewer elements are not spread: their upload takes too little time. */
  static final int LEAST_SPREAD = 1 << 26;

  /** The number of elements handed to one of several devices at a time. */
  private static final int PIECE = 1 << 24;

  private static final int CACHED_PLANS = 32;
  private static final long CACHED_BYTES = 8L << 30;

  /**
   * Plans kept per kind on the JVM, where a plan is cheap, so that concurrent calls do not wait.
   */
  private static final int COPIES =
      Math.min(Runtime.getRuntime().availableProcessors(), CACHED_PLANS / 4);

  /**
   * A call. Its plan has the call's name, and inputs and outputs have the names of the call's
   * parameters, since messages contain these names.
   *
   * @param name of the call
   * @param output the name of its output
   * @param operation the operation that it runs
   * @param inputs the names of its inputs
   */
  record Call(String name, String output, Operation operation, List<String> inputs) {}

  /** What determines the plan of a call; inputs have the plan's capacity. */
  private record Kind(Target on, Call call, List<Input> inputs) {}

  private final Funnel funnel;
  private final Engine engine;
  private final Engine jvm;
  private final @Nullable Placement placement;
  private final Guard guard;
  private final SpreadCalls byAll;

  OneShotCalls(
      Funnel funnel, Engine engine, Engine jvm, @Nullable Placement placement, Guard guard) {
    this.funnel = funnel;
    this.engine = engine;
    this.jvm = jvm;
    this.placement = placement;
    this.guard = guard;
    this.byAll = new SpreadCalls(funnel, LEAST_SPREAD, PIECE);
  }

  /** A cache for the plans of one Funnel. */
  static PlanCache cache() {
    return new PlanCache(CACHED_PLANS, CACHED_BYTES);
  }

  /** Makes a call on the engine that is expected to finish first. */
  Results once(Call call, Map<String, Elements> into, Elements... inputs) {
    Results spread = byAll.once(call, into, inputs);
    if (spread != null) {
      return spread;
    }
    Map<String, Elements> given = new HashMap<>();
    List<Input> wanted = new ArrayList<>();
    for (int i = 0; i < inputs.length; i++) {
      String name = call.inputs().get(i);
      Elements elements = Objects.requireNonNull(inputs[i], name);
      given.put(name, elements);
      wanted.add(new Input(name, elements.type(), PlanCache.capacity(elements.length())));
    }
    return guard.call(
        () ->
            placement == null
                ? on(engine, call, into, given, wanted)
                : placement.call(
                    call.operation(),
                    call.output(),
                    wanted,
                    bytes(given),
                    bytes(into),
                    on -> on(on == Target.JVM ? jvm : engine, call, into, given, wanted)));
  }

  private static long bytes(Map<String, Elements> places) {
    return places.values().stream()
        .filter(Objects::nonNull)
        .mapToLong(place -> place.segment().byteSize())
        .sum();
  }

  private Results on(
      Engine on,
      Call call,
      Map<String, Elements> into,
      Map<String, Elements> given,
      List<Input> wanted) {
    return funnel.cache.with(
        new Kind(on.target(), call, List.copyOf(wanted)),
        on.target() == Target.JVM ? COPIES : 1,
        () -> {
          Plan.Builder plan = new Plan.Builder(call.name(), on, guard, null);
          wanted.forEach(input -> plan.input(input.name(), input.type(), input.capacity()));
          return plan.add(call.output(), call.operation(), call.inputs().toArray(String[]::new))
              .build();
        },
        plan -> plan.runOnce(given, into));
  }
}
