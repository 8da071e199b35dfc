package funnel.emulator;

import java.util.SplittableRandom;

/**
 * An order in which the {@link Emulator} lets threads or groups run.
 *
 * {@snippet class="funnel.docs.EmulatorSnippets" region="order"}
 */
public enum Order {
  /** 0, 1, 2, ... */
  FORWARD,
  /** The last one first. */
  REVERSE,
  /** A new random order each time, determined by {@link Emulator.Builder#seed(long)}. */
  RANDOM;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  /** The random numbers of one group: the same however many carriers run the groups. */
  static SplittableRandom random(long seed, int group) {
    return new SplittableRandom(seed + GOLDEN * (group + 1L));
  }

  static void shuffle(int[] order, SplittableRandom random) {
    for (int i = order.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swapped = order[i];
      order[i] = order[j];
      order[j] = swapped;
    }
  }

  /** The numbers 0 to count - 1 in this order. */
  int[] of(int count, SplittableRandom random) {
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      order[i] = this == REVERSE ? count - 1 - i : i;
    }
    if (this == RANDOM) {
      shuffle(order, random);
    }
    return order;
  }
}
