package funnel.arrays;

import funnel.EngineContract;
import funnel.Seed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Random methods of tables, compared with lists of records bit for bit. */
abstract class RandomTablesContract extends EngineContract {

  private static final int REPORTED = 1000;

  /** How many tables there are. */
  abstract int tables();

  @Override
  public int[] lengths() {
    return new int[0]; // the tables' own
  }

  @Test
  void tablesAreWhatListsOfRecordsAre() {
    SplittableRandom random = Seed.random("random tables");
    long start = System.nanoTime();
    int number = 0;
    for (; number < Seed.draws(tables()) && !Seed.isOver(start); number++) {
      check(new RandomTable(funnel, random.nextLong()), random, number);
      if (number % REPORTED == REPORTED - 1) {
        System.out.println("random tables so far: " + (number + 1));
      }
    }
    System.out.println("random tables: " + number);
  }

  private static void check(RandomTable table, SplittableRandom random, int number) {
    try {
      for (int steps = random.nextInt(1, 7); steps > 0; steps--) {
        table.step();
      }
      table.check();
      if (random.nextInt(4) == 0) {
        table.checkText();
      }
    } catch (RuntimeException | Error e) {
      throw new AssertionError(
          "table %s%s: %s%n  %s".formatted(number, Seed.replay(), e, table), e);
    }
  }
}
