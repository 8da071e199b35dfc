package funnel.stream;

import funnel.Elements;
import funnel.Plan;
import funnel.Results;
import funnel.engine.KeptArray;
import funnel.operation.Device;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Target;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The plans of one Funnel, for its streams and one-shot calls. */
public interface Plans {

  /* A Funnel implements this, and hands it to them. They use neither the Funnel, which uses them,
   * nor what only the package of Plan may see. */

  /** The devices that pieces are spread over; fewer than two if they are not. */
  List<Device> devices();

  /** The engine of {@link #plan(String)}. */
  Target target();

  /** Starts a plan. */
  Plan.Builder plan(String name);

  /** Starts a plan on one of {@link #devices}. */
  Plan.Builder plan(String name, Device device);

  /** Starts a plan on the JVM, whatever the engine: it combines the results of pieces. */
  Plan.Builder planOnJvm(String name);

  /**
   * Starts a plan that the user does not know of: the Funnel neither counts nor closes it.
   *
   * @param on {@link #target} or the JVM
   */
  Plan.Builder unlisted(String name, Target on);

  /**
   * The operators that a plan's primitives combine with, and the user-defined functions in them.
   */
  Stream<Primitive.Combined> combined(Plan.Builder plan);

  /** Adds all elements of a kept array as an input. */
  void input(Plan.Builder plan, String input, KeptArray array);

  /** Sets an input without a copy on the JVM. */
  void lend(Plan plan, String input, Elements elements);

  /**
   * Runs a plan once: its arrays are in memory that later runs do not touch.
   *
   * @param like an operation that differs from the plan's only one at most in the values that its
   *     functions captured; null for that one
   */
  Results runOnce(
      Plan plan, @Nullable Operation like, Map<String, Elements> given, Map<String, Elements> into);
}
