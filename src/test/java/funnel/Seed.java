package funnel;

import java.util.SplittableRandom;

/** The seed of a test run's random data: fresh each time, or {@code -Dfunnel.test.seed=...}. */
public final class Seed {

  /** The seed. */
  public static final long VALUE =
      Long.getLong("funnel.test.seed", new SplittableRandom().nextLong());

  private Seed() {}

  /** Random numbers of one test's own, which do not depend on what other tests take. */
  public static SplittableRandom random(String test) {
    return new SplittableRandom(VALUE * 31 + test.hashCode());
  }

  /** How to have the same data again, for messages. */
  public static String replay() {
    return " [again with -Dfunnel.test.seed=" + VALUE + "]";
  }
}
