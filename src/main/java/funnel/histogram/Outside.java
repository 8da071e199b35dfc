package funnel.histogram;

import funnel.operation.JvmRun;
import funnel.operation.Output;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.util.List;
import java.util.function.Function;

/**
 * What a run reports about samples outside the bins, as three results: how many are below, above
 * and NaN; or for keys the position of the first one, or -1, and the sample itself, or 0.
 */
final class Outside {

  /** The result in place of a position if no sample is outside. */
  static final long NO_POSITION = -1;

  private static final List<String> PARAMETERS = List.of("first", "second", "third");

  private Outside() {}

  static List<String> names(String id, boolean areKeys) {
    return areKeys
        ? List.of(id + ".position", id + ".key", id + ".other")
        : List.of(id + "_below", id + "_above", id + "_nan");
  }

  /** The outputs that have the numbers of samples outside the bins. */
  static List<Output> outputs(String id, String samples, boolean areKeys) {
    return (areKeys ? List.<String>of() : names(id, false))
        .stream().map(name -> Output.of(name, ElementType.LONG, samples, "")).toList();
  }

  /**
   * States the results: the three numbers are values of the plan, those for keys lead to
   * exceptions.
   *
   * @param at where their indices are among the ints, if kernels find them there
   */
  static Step state(Step step, String id, boolean areKeys, int... at) {
    List<String> names = names(id, areKeys);
    for (int i = 0; i < names.size(); i++) {
      int[] own = at.length == 0 ? at : new int[] {at[i]};
      if (areKeys) {
        step.reports(PARAMETERS.get(i), names.get(i), ElementType.LONG, own);
      } else {
        step.delivers(PARAMETERS.get(i), names.get(i), ElementType.LONG, own);
      }
    }
    return step;
  }

  static void deliver(JvmRun run, String id, Bins bins, long below, long above, long nan) {
    if (!bins.areKeys()) {
      List<String> names = names(id, false);
      run.deliver(names.get(0), below);
      run.deliver(names.get(1), above);
      run.deliver(names.get(2), nan);
    }
  }

  /**
   * Requires all samples to be valid keys.
   *
   * @throws KeyOutsideException for the first one that is not
   */
  static void requireKeys(String id, String input, Bins bins, Function<String, Number> results) {
    if (bins.areKeys()) {
      List<String> names = names(id, true);
      long position = results.apply(names.get(0)).longValue();
      if (position != NO_POSITION) {
        long key = results.apply(names.get(1)).longValue();
        throw new KeyOutsideException(id, input, position, key, bins.bins());
      }
    }
  }
}
