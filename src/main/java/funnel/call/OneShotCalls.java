package funnel.call;

import funnel.ElementStream;
import funnel.Elements;
import funnel.Plan;
import funnel.Results;
import funnel.engine.KeptArray;
import funnel.io.Source;
import funnel.operation.Input;
import funnel.operation.Primitive;
import funnel.operation.Target;
import funnel.operator.CapturedValues;
import funnel.operator.ElementType;
import funnel.plan.Guard;
import funnel.stream.Plans;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one-shot calls of a Funnel: each runs a plan once and keeps it for the next call of its kind.
 */
public final class OneShotCalls {

  /** Calls of fewer elements are not spread: their upload takes too little time. */
  public static final int LEAST_SPREAD = 1 << 26;

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
   * What determines the plan of a call; inputs have the plan's capacity, and some inputs and
   * outputs are kept arrays.
   */
  private record Kind(Target on, Call call, List<Input> inputs, Set<String> kept) {
    /** A plan serves all values that functions capture. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Kind kind
          && on == kind.on
          && inputs.equals(kind.inputs)
          && kept.equals(kind.kept)
          && CapturedValues.ignoring(() -> call.equals(kind.call));
    }

    @Override
    public int hashCode() {
      return Objects.hash(on, call, inputs, kept);
    }
  }

  private final Plans plans;
  private final @Nullable CallPlaces placement;
  private final Guard guard;
  private final SpreadCalls byAll;
  private final PlanCache cache = new PlanCache(CACHED_PLANS, CACHED_BYTES);

  /**
   * The calls of one Funnel.
   *
   * @param plans its plans
   * @param streams makes its streams
   */
  public OneShotCalls(
      Plans plans,
      Function<Source, ElementStream> streams,
      @Nullable CallPlaces placement,
      Guard guard) {
    this.plans = plans;
    this.placement = placement;
    this.guard = guard;
    this.byAll = new SpreadCalls(plans.devices().size(), streams, LEAST_SPREAD, PIECE);
  }

  /** Makes a call on the engine that is expected to finish first. */
  public Results once(Call call, Map<String, Elements> into, Elements... inputs) {
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
      wanted.add(input(name, elements));
    }
    return guard.call(
        () ->
            placement == null
                ? on(plans.target(), call, into, given, wanted, Map.of())
                : placement.call(
                    call,
                    wanted,
                    bytes(given),
                    bytes(into),
                    now -> plans.compile(plan(plans.target(), call, now, Map.of())),
                    on -> on(on, call, into, given, wanted, Map.of())));
  }

  /** Makes a call some of whose inputs are kept arrays of the device, on the device. */
  public Results onKept(Call call, Map<String, Elements> given, Map<String, KeptArray> kept) {
    return guard.call(
        () ->
            on(plans.target(), call, Map.of(), given, wanted(call, given, kept), Map.copyOf(kept)));
  }

  /**
   * Makes a call on the device, one output of which stays there.
   *
   * @param check throws if the other outputs are not as they must be
   * @param make makes an array of a type and length
   * @param unused takes it back if the call fails
   */
  public KeptArray keep(
      Call call,
      Map<String, Elements> given,
      Map<String, KeptArray> kept,
      String output,
      Consumer<Results> check,
      BiFunction<ElementType, Integer, KeptArray> make,
      Consumer<KeptArray> unused) {
    return guard.call(
        () -> {
          List<Input> wanted = wanted(call, given, kept);
          Map<String, Integer> lengths = new HashMap<>();
          given.forEach((name, elements) -> lengths.put(name, elements.length()));
          kept.forEach((name, array) -> lengths.put(name, array.written()));
          Primitive.Slot room =
              plans.room(plan(plans.target(), call, wanted, kept), output, lengths);
          KeptArray array = make.apply(room.type(), room.length());
          Map<String, KeptArray> all = new HashMap<>(kept);
          all.put(output, array);
          try {
            check.accept(on(plans.target(), call, Map.of(), given, wanted, all));
            return array;
          } catch (RuntimeException | Error e) {
            unused.accept(array);
            throw e;
          }
        });
  }

  private static List<Input> wanted(
      Call call, Map<String, Elements> given, Map<String, KeptArray> kept) {
    List<Input> wanted = new ArrayList<>();
    for (String name : call.inputs()) {
      KeptArray array = kept.get(name);
      wanted.add(
          array == null
              ? input(name, Objects.requireNonNull(given.get(name), name))
              : new Input(name, array.type(), CapturedValues.capacity(array.written())));
    }
    return wanted;
  }

  private static Input input(String name, Elements elements) {
    return new Input(name, elements.type(), CapturedValues.capacity(elements.length()));
  }

  private static long bytes(Map<String, Elements> places) {
    return places.values().stream()
        .filter(Objects::nonNull)
        .mapToLong(place -> place.segment().byteSize())
        .sum();
  }

  private Results on(
      Target on,
      Call call,
      Map<String, Elements> into,
      Map<String, Elements> given,
      List<Input> wanted,
      Map<String, KeptArray> kept) {
    return cache.with(
        new Kind(on, call, List.copyOf(wanted), Set.copyOf(kept.keySet())),
        on == Target.JVM ? COPIES : 1,
        () -> {
          Plan.Builder plan = plan(on, call, wanted, kept);
          kept.forEach(
              (name, array) -> {
                if (!call.inputs().contains(name)) {
                  plans.lendOutput(plan, name, array);
                }
              });
          return plan.build();
        },
        plan -> plans.runOnce(plan, call.operation(), given, into, kept));
  }

  private Plan.Builder plan(Target on, Call call, List<Input> wanted, Map<String, KeptArray> kept) {
    Plan.Builder plan = plans.unlisted(call.name(), on);
    for (Input input : wanted) {
      KeptArray array = kept.get(input.name());
      if (array == null) {
        plan.input(input.name(), input.type(), input.capacity());
      } else {
        plans.lendInput(plan, input.name(), array, input.capacity());
      }
    }
    return plan.add(call.output(), call.operation(), call.inputs().toArray(String[]::new));
  }

  /** The number of plans that are kept. */
  public int plans() {
    return cache.size();
  }

  /** Closes the plans that are kept. */
  public void close() {
    cache.close();
  }
}
