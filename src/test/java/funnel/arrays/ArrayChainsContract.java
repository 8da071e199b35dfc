package funnel.arrays;

import funnel.EngineContract;
import funnel.Funnel;
import funnel.Seed;
import funnel.operation.Target;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Random chains over arrays, each with two sets of data, compared with plain loops bit for bit. */
abstract class ArrayChainsContract extends EngineContract {

  private static final int REPORTED = 1000;

  /** How many chains there are. */
  abstract int chains();

  @Override
  public int[] lengths() {
    return new int[0]; // the chains' own
  }

  @Test
  void chainsAreWhatPlainLoopsMake() {
    SplittableRandom random = Seed.random("array chains");
    long start = System.nanoTime();
    int number = 0;
    try (Funnel jvm = Funnel.open(Target.JVM)) {
      for (; number < Seed.draws(chains()) && !Seed.isOver(start); number++) {
        long shape = random.nextLong();
        for (int run = 0; run < 2; run++) {
          check(new ArrayChain(funnel, jvm, shape, random.nextLong()), number);
        }
        if (number % REPORTED == REPORTED - 1) {
          System.out.println("chains of arrays so far: " + (number + 1));
        }
      }
    }
    System.out.println("chains of arrays: " + number);
  }

  private static void check(ArrayChain chain, int number) {
    try {
      chain.check();
    } catch (RuntimeException | Error e) {
      throw new AssertionError(
          "chain %s%s: %s%n  %s".formatted(number, Seed.replay(), e, chain), e);
    }
  }
}
