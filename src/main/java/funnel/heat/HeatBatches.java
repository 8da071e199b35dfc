package funnel.heat;

import java.util.List;

/**
 * Into which runs steps are divided: as many of the largest as fit, and the rest such as take the
 * least time together.
 *
 * @param sizes steps of the runs that there are, the largest first
 * @param next for each number of steps up to the largest run, the place of the one to begin with
 */
record HeatBatches(List<Integer> sizes, int[] next) {

  private static final List<Integer> SIZES = List.of(16, 8, 4, 2, 1);

  /**
   * For methods that make several steps a launch. More launches than that in a run do not fit into
   * a task graph of TornadoVM's, nor would they gain anything.
   */
  private static final List<Integer> LONG_SIZES = List.of(512, 64, 20, 16, 8, 4, 2, 1);

  /** What these take on a large grid of an H200, in units of what one step by method 5 does. */
  private static final List<Double> LONG_COSTS = List.of(97., 12.2, 3.9, 3.2, 2.7, 2.9, 2.1, 2.05);

  /** Steps of the largest run of all. */
  static final int LARGEST = LONG_SIZES.getFirst();

  /** Refuses what is the size of no run. */
  static void require(int size) {
    if (!LONG_SIZES.contains(size)) {
      throw new IllegalArgumentException("batch=%d is none of %s".formatted(size, LONG_SIZES));
    }
  }

  /** The runs of a method, of so many steps at most. */
  static HeatBatches of(HeatMethod method, int most) {
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

  /** The place of the run to begin with where so many steps are to be made, 1 or more. */
  int first(long steps) {
    return next[(int) Math.min(next.length - 1, steps)];
  }
}
