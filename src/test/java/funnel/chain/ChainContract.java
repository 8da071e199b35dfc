package funnel.chain;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Seed;
import funnel.Values;
import funnel.operation.Target;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Chains of three to six operations drawn at random, of which most take arrays whose length an
 * earlier one finds; all that they make is compared with what plain loops make.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ChainContract {

  private static final int REPORTED = 10;

  abstract Target target();

  /** How many chains there are. */
  abstract int chains();

  /** The most elements of their inputs. */
  abstract int capacity();

  private final Funnel funnel = Funnel.open(target());

  @AfterAll
  void close() {
    funnel.close();
  }

  @Test
  void chainsAreWhatPlainLoopsMake() {
    SplittableRandom random = Seed.random("chains");
    long start = System.nanoTime();
    int number = 0;
    for (; number < Seed.draws(chains()) && !Seed.isOver(start); number++) {
      int capacity =
          1 + random.nextInt(1 << random.nextInt(1, 32 - Integer.numberOfLeadingZeros(capacity())));
      Chain chain = new Chain(random, capacity, 3 + random.nextInt(4));
      try (Plan plan = chain.plan(funnel)) {
        for (int run = 0; run < 3; run++) {
          int length = run == 0 ? capacity : random.nextInt(capacity + 1);
          Map<String, Values> data = chain.data(length);
          Map<String, Elements> given = new HashMap<>();
          data.forEach((name, values) -> given.put(name, values.elements()));
          String what =
              "chain %s, run %s, length %s, capacity %s: %s%s"
                  .formatted(number, run, length, capacity, chain, Seed.replay());
          try {
            chain.requireSame(chain.made(data), plan.run(given), what);
          } catch (RuntimeException e) {
            throw new AssertionError(what, e);
          }
        }
      }
      if (number % REPORTED == REPORTED - 1) {
        System.out.println("chains so far: " + (number + 1));
      }
    }
    System.out.println("chains: " + number);
  }
}
