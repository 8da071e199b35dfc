package funnel.heat;

import java.util.List;

/**
 * The runs into which steps are divided: as many of the largest as fit, then a combination that
 * takes the least time for the rest.
 *
 * @param sizes steps of the available runs, the largest first
 * @param next for each number of steps up to the largest run, the index of the run to begin with
 */
record HeatBatches(List<Integer> sizes, int[] next) {

  private static final List<Integer> SIZES = List.of(16, 8, 4, 2, 1);

  /**
   * Sizes for methods with several steps per launch. Larger runs need more launches than fit into a
   * task graph of TornadoVM, and would gain nothing.
   */
  private static final List<Integer> LONG_SIZES = List.of(512, 64, 20, 16, 8, 4, 2, 1);

  /**
   * The times of these runs on a large grid of an H200, in units of a step by {@link
   * HeatMethod#REGISTER_MARCH}.
   */
  private static final List<Double> LONG_COSTS = List.of(97., 12.2, 3.9, 3.2, 2.7, 2.9, 2.1, 2.05);

  /** Steps of the largest possible run. */
  static final int LARGEST = LONG_SIZES.getFirst();

  /** Requires a number of steps that a run has. */
  static void require(int size) {
    if (!LONG_SIZES.contains(size)) {
      throw new IllegalArgumentException("batch=%s is none of %s".formatted(size, LONG_SIZES));
    }
  }

  /** The runs of a method, with at most {@code most} steps. */
  static HeatBatches of(HeatStepper method, int most) {
    List<Integer> sizes = method == HeatMethod.REGISTER_STREAM ? LONG_SIZES : SIZES;
    int largest = Math.min(most, sizes.getFirst());
    int[] next = new int[largest + 1];
    double[] cost = new double[largest + 1];
    for (int steps = 1; steps <= largest; steps++) {
      cost[steps] = Double.POSITIVE_INFINITY;
      for (int i = 0; i < sizes.size(); i++) {
        int size = sizes.get(i);
        double own = sizes == LONG_SIZES ? LONG_COSTS.get(i) : size + 1. / size;
        if (size <= steps && own + cost[steps - size] < cost[steps]) {
          cost[steps] = own + cost[steps - size];
          next[steps] = i;
        }
      }
    }
    return new HeatBatches(sizes, next);
  }

  /** The index of the run to begin with if this many steps, at least 1, are to be made. */
  int first(long steps) {
    return next[(int) Math.min(next.length - 1, steps)];
  }
}
