package funnel.stream;

import funnel.Elements;
import funnel.Plan;
import funnel.Results;
import funnel.engine.Compilation;
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

  /** Adds an input that is all elements of kept arrays, one in each run. */
  void lendInput(Plan.Builder plan, String input, KeptArray array, int capacity);

  /** Makes an output go to kept arrays, one in each run, which have {@link #room} for it. */
  void lendOutput(Plan.Builder plan, String output, KeptArray array);

  /**
   * An output's type and the number of elements that it has, or, if a run finds it, may have.
   *
   * @param inputs the lengths of inputs
   */
  Primitive.Slot room(Plan.Builder plan, String output, Map<String, Integer> inputs);

  /** Starts to compile a plan's kernels in the background; neither allocates nor loads anything. */
  Compilation compile(Plan.Builder plan);

  /** Sets an input without a copy on the JVM. */
  void lend(Plan plan, String input, Elements elements);

  /**
   * Runs a plan once: its arrays are in memory that later runs do not touch.
   *
   * @param like an operation that differs from the plan's only one at most in the values that its
   *     functions captured; null for that one
   * @param kept kept arrays for this run, by the names of inputs and outputs
   */
  Results runOnce(
      Plan plan,
      @Nullable Operation like,
      Map<String, Elements> given,
      Map<String, Elements> into,
      Map<String, KeptArray> kept);
}
