package funnel.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.kernel.Kernel;
import funnel.kernel.KernelTask.Grid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * What follows from a length is the same on the host, on a device, and by plain long arithmetic.
 */
class LengthRuleTest {

  private static final int BEHIND = 5;

  private static LengthRule random(SplittableRandom random, int rules) {
    int per = 1 + random.nextInt(1 << random.nextInt(1, 13));
    LengthRule rule =
        switch (random.nextInt(3)) {
          case 0 -> LengthRule.parts(per).beginning(random.nextInt(5));
          case 1 -> LengthRule.wholeParts(per);
          default -> LengthRule.rest(per);
        };
    return rules > 0 && random.nextBoolean() ? rule.timesIntAt(random.nextInt(rules)) : rule;
  }

  private static int plain(LengthRule rule, long length, int[] own) {
    long per = (long) rule.per() * (rule.perAt() < 0 ? 1 : own[rule.perAt()]);
    long counted =
        switch (rule.kind()) {
          case PARTS -> length == 0 ? 0 : Math.ceilDiv(length + rule.before(), per);
          case WHOLE_PARTS -> length / per;
          case REST -> length % per;
        };
    return Math.toIntExact(Math.clamp(counted, rule.least(), rule.most()) * rule.times());
  }

  @Test
  void hostAndDeviceAgree() {
    SplittableRandom random = Seed.random("length rules");
    for (int i = 0; i < Seed.draws(200); i++) {
      int length = random.nextInt(3) == 0 ? random.nextInt(10) : random.nextInt(1 << 30) * 2 + 1;
      List<LengthRule> rules = new ArrayList<>();
      int[] own = new int[4];
      while (rules.size() < own.length) {
        LengthRule rule = random(random, rules.size());
        int times = rules.size() == own.length - 1 ? 1 + random.nextInt(8) : 1;
        rule = rule.within(1, 100_000).times(times);
        own[rules.size()] = plain(rule, length, own);
        rules.add(rule);
      }
      IntStream.Builder ints = IntStream.builder();
      IntStream.range(0, BEHIND + own.length).forEach(at -> ints.add(-7));
      for (int at = 0; at < own.length; at++) {
        assertEquals(own[at], rules.get(at).of(length, own), rules.get(at) + " of " + length);
        rules.get(at).put(at, ints);
      }
      int tableAt = BEHIND + own.length + own.length * LengthRule.INTS;
      new FoundLength(
              "found",
              List.of(new FoundLength.Need("x", "found", BEHIND, own.length, own.length)),
              tableAt)
          .table()
          .forEach(ints::add);
      IntArray shape = IntArray.fromArray(ints.build().toArray());
      Emulator.builder()
          .build()
          .run(
              Kernel.of(LengthRuleKernels.class, "derive")
                  .task(
                      "derive",
                      Grid.of(1, LengthRuleKernels.THREADS),
                      Map.of(
                          "shape",
                          shape,
                          "found",
                          IntArray.fromElements(1, length),
                          "tableAt",
                          tableAt,
                          "needs",
                          1,
                          "foundAt",
                          1)));
      for (int at = 0; at < own.length; at++) {
        assertEquals(own[at], shape.get(BEHIND + at), rules + " of " + length);
      }
    }
  }

  @Test
  void examples() {
    assertEquals(3, LengthRule.parts(3).of(7));
    assertEquals(2, LengthRule.wholeParts(3).of(7));
    assertEquals(1, LengthRule.rest(3).of(7));
    assertEquals(7, LengthRule.LENGTH.of(7));
    assertEquals(2, LengthRule.parts(3).timesIntAt(1).of(7, 0, 2));
    assertEquals(4, LengthRule.parts(3).beginning(3).of(7));
    assertEquals(0, LengthRule.parts(3).beginning(3).of(0));
    assertEquals(8, LengthRule.parts(3).within(4, 5).times(2).of(7));
    int most = Input.LARGEST_CAPACITY;
    assertEquals(524_288, LengthRule.parts(4096).beginning(4).of(most));
  }
}
