package funnel;

import java.util.SplittableRandom;

/** The seed of a test run's random data: fresh each time, or {@code -Dfunnel.test.seed=...}. */
public final class Seed {

  /** The seed. */
  public static final long VALUE =
      Long.getLong("funnel.test.seed", new SplittableRandom().nextLong());

  /** How many times as much as usual is drawn at random: {@code -Dfunnel.test.draws=...}. */
  private static final int DRAWS = Integer.getInteger("funnel.test.draws", 1);

  /** Seconds after which no more is drawn: {@code -Dfunnel.test.seconds=...}. */
  private static final long SECONDS = Long.getLong("funnel.test.seconds", Integer.MAX_VALUE);

  private Seed() {}

  /** Random numbers of one test's own, which do not depend on what other tests take. */
  public static SplittableRandom random(String test) {
    return new SplittableRandom(VALUE * 31 + test.hashCode());
  }

  /** How many random cases there are where there usually are so many. */
  public static int draws(int cases) {
    return cases * DRAWS;
  }

  /** Whether to try a case, of which usually one in so many is tried. */
  public static boolean draws(SplittableRandom random, int oneIn) {
    return random.nextInt(oneIn) < DRAWS;
  }

  /** Whether cases that began at a {@link System#nanoTime} have had their time. */
  public static boolean isOver(long start) {
    return System.nanoTime() - start > SECONDS * 1_000_000_000;
  }

  /** How to have the same data again, for messages. */
  public static String replay() {
    return " [again with -Dfunnel.test.seed=" + VALUE + "]";
  }
}
