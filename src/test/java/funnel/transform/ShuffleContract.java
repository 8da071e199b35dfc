package funnel.transform;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.EngineContract;
import funnel.Plan;
import funnel.Seed;
import funnel.Types;
import funnel.Values;
import funnel.operator.ElementType;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What shuffles and samples are on every engine; the oracle takes one place after the other. */
abstract class ShuffleContract extends EngineContract {

  private static int[] order(int length, long seed) {
    int bits = Bijection.bits(length);
    long key = Bijection.key(seed);
    return IntStream.range(0, length).map(i -> Bijection.at(i, length, bits, key)).toArray();
  }

  @ParameterizedTest
  @Types
  void allElementsOnce_inTheOrderOfTheSeed(ElementType type) {
    SplittableRandom random = Seed.random("shuffle of " + type);
    for (int length : lengths()) {
      long seed = random.nextLong();
      int[] order = order(length, seed);
      boolean[] isThere = new boolean[length];
      for (int place : order) {
        assertTrue(!isThere[place], () -> "twice at " + place + ", length " + length);
        isThere[place] = true;
      }
      int from = random.nextInt(4);
      Values x = Values.random(type, from + length + 1, random);
      Elements elements = x.elements(from, from + length);
      int count = length == 0 ? 0 : random.nextInt(length + 1);
      Values y = Values.guard(type, length + 7);
      Values some = Values.guard(type, count + 7);
      funnel.run(Shuffle.by(seed), Map.of("result", y.range(3, 3 + length).elements()), elements);
      funnel.run(
          Sample.of(count, seed), Map.of("result", some.range(3, 3 + count).elements()), elements);
      y.requireGuards(3, "length " + length);
      some.requireGuards(3, "count " + count);
      for (int i = 0; i < length; i++) {
        Number wanted = x.at(from + order[i]);
        assertEquals(wanted, y.at(3 + i), "element " + i + Seed.replay());
        if (i < count) {
          assertEquals(wanted, some.at(3 + i), "sampled " + i + Seed.replay());
        }
      }
      assertArrayEquals(order, funnel.run(Shuffle.positions(length, seed)).ints("result"));
    }
  }

  /** Several arrays in one order, and back, on the device. */
  @Test
  void positionsGoWithGathersAndScatters() {
    int length = 2000;
    int[] x = Seed.random("positions").ints(length).toArray();
    try (Plan plan =
        funnel
            .plan("p")
            .input("x", ElementType.INT, length)
            .add("at", Shuffle.positions(length, 5))
            .add("mixed", Shuffle.by(5), "x")
            .add("taken", Gather.at(), "x", "at")
            .add("back", Scatter.into(length), "mixed", "at")
            .add("reversed", Reverse.elements(), "x")
            .build()) {
      var results = plan.run(Map.of("x", Elements.of(x)));
      assertArrayEquals(results.ints("taken"), results.ints("mixed"));
      assertArrayEquals(x, results.ints("back"), Seed.replay());
    }
  }

  @Test
  void whatIsNotTaken_isNamed() {
    Elements x = Elements.of(new int[3]);
    Elements many = Elements.of(new int[1000]);
    Map<Runnable, String> messages = new HashMap<>();
    messages.put(() -> Sample.of(-1, 1), "count=-1");
    messages.put(() -> funnel.run(Sample.of(5000, 1), x), "sample of 5000 elements by seed 1");
    messages.put(() -> funnel.run(Sample.of(1001, 1), many), "has only length=1000");
    messages.put(() -> funnel.run(Shuffle.by(1)), "takes one input, given=0");
    messages.put(() -> funnel.run(Shuffle.positions(3, 1), x), "takes no input, given=1");
    messages.put(() -> Shuffle.positions(-1, 1), "=-1");
    messages.forEach(
        (run, message) -> {
          String given = assertThrows(IllegalArgumentException.class, run::run).getMessage();
          assertTrue(String.valueOf(given).contains(message), given);
        });
  }
}
