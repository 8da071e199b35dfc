package funnel.transform;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.EngineContract;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import funnel.select.Select;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What bits of flags are on every engine; the oracle is a plain loop. */
abstract class BitsContract extends EngineContract {

  static final int TILE = BitsKernels.TILE;

  private void check(byte[] flags, int from, int to) {
    int words = Math.ceilDiv(to - from, 32);
    int[] expected = new int[words + 5];
    Arrays.fill(expected, 0, 2, 77);
    Arrays.fill(expected, words + 2, words + 5, 77);
    for (int i = 0; i < to - from; i++) {
      expected[2 + i / 32] |= flags[from + i] == 0 ? 0 : 1 << (i % 32);
    }
    int[] bits = new int[words + 5];
    Arrays.fill(bits, 77);
    funnel.run(
        Bits.ofFlags(),
        Map.of("result", Elements.of(bits, 2, words + 2)),
        Elements.of(flags, from, to));
    assertArrayEquals(expected, bits, () -> "%s flags%s".formatted(to - from, Seed.replay()));
  }

  @Test
  void bits() {
    SplittableRandom random = Seed.random("bits");
    for (int length : lengths()) {
      for (int bound : new int[] {2, 3, 100}) {
        int from = random.nextInt(5);
        byte[] flags = new byte[from + length + 3];
        for (int i = 0; i < flags.length; i++) {
          flags[i] = (byte) (random.nextInt(bound) < bound / 2 ? 0 : random.nextInt());
        }
        check(flags, from, from + length);
      }
      byte[] all = new byte[length + 1];
      Arrays.fill(all, (byte) 0x80);
      check(all, 1, length + 1);
    }
  }

  /** Each value of a byte, at each of 32 places. */
  @Test
  void everyByte() {
    byte[] flags = new byte[32 * 256];
    for (int value = 0; value < 256; value++) {
      flags[value * 32 + value % 32] = (byte) value;
    }
    check(flags, 0, flags.length);
  }

  /** Flags of bits that begin and end anywhere. */
  @Test
  void flagsOfBits() {
    SplittableRandom random = Seed.random("flags of bits");
    for (int length : lengths()) {
      int from = random.nextInt(3);
      int[] bits = random.ints(from + Math.ceilDiv(length, 32) + 2).toArray();
      byte[] expected = new byte[length + 5];
      Arrays.fill(expected, (byte) 77);
      for (int i = 0; i < length; i++) {
        expected[2 + i] = (byte) (bits[from + i / 32] >>> (i % 32) & 1);
      }
      byte[] flags = new byte[length + 5];
      Arrays.fill(flags, (byte) 77);
      funnel.run(
          Bits.toFlags(length),
          Map.of("result", Elements.of(flags, 2, length + 2)),
          Elements.of(bits, from, bits.length));
      assertArrayEquals(expected, flags, () -> "%s flags%s".formatted(length, Seed.replay()));
    }
  }

  /** Sets and words to arrays, and back. */
  @Test
  void sets() {
    SplittableRandom random = Seed.random("sets");
    for (int length : lengths()) {
      BitSet set = new BitSet();
      byte[] flags = new byte[length];
      for (int i = 0; i < length + 40; i++) {
        boolean isSet = random.nextInt(3) == 0;
        set.set(i, isSet);
        if (i < length) {
          flags[i] = (byte) (isSet ? 1 : 0);
        }
      }
      assertArrayEquals(flags, funnel.flags(set, length).toArray(), Seed.replay());
      long[] words = Arrays.copyOf(set.toLongArray(), length / 64 + 1);
      assertArrayEquals(flags, funnel.flags(words, length).toArray(), Seed.replay());
      set.clear(length, length + 40);
      assertEquals(set, funnel.of(flags).toBitSet(), Seed.replay());
      long[] expected = Arrays.copyOf(set.toLongArray(), Math.ceilDiv(length, 64));
      assertArrayEquals(expected, funnel.of(flags).toBits(), Seed.replay());
      boolean[] booleans = new boolean[length];
      set.stream().forEach(i -> booleans[i] = true);
      assertArrayEquals(booleans, funnel.of(flags).toBooleans(), Seed.replay());
      assertArrayEquals(flags, funnel.of(booleans).toArray(), Seed.replay());
      assertEquals(set.cardinality(), funnel.flags(set, length).sum(), Seed.replay());
    }
  }

  @Test
  void tooFewBits() {
    for (Executable call :
        List.<Executable>of(
            () -> funnel.flags(new long[1], 65),
            () -> funnel.run(Bits.toFlags(33), Elements.of(new int[1])),
            () -> funnel.flags(new long[1], -1),
            () -> funnel.run(Bits.toFlags(1), Elements.of(new byte[4])))) {
      String message =
          String.valueOf(assertThrows(IllegalArgumentException.class, call).getMessage());
      assertTrue(message.matches(".*(bits|of type BYTE|at least 0).*"), message);
    }
  }

  /** Selections and segments take them: the first of each, and how many there are. */
  @Test
  void selectionsAndSegmentsTakeThem() {
    try (Plan plan =
        funnel
            .plan("p")
            .input("x", ElementType.INT, 100)
            .input("flags", ElementType.BYTE, 100)
            .add("bits", Bits.ofFlags(), "flags")
            .add("kept", Select.flagged(), "x", "bits")
            .add(
                "sums",
                SegmentedScan.inclusive(Operator.SUM).segments(Segments.byHeadBits()),
                "x",
                "bits")
            .build()) {
      byte[] flags = new byte[70];
      flags[0] = 1;
      flags[33] = -1;
      flags[69] = 2;
      int[] x = IntStream.range(0, 70).toArray();
      Results results = plan.run(Map.of("x", Elements.of(x), "flags", Elements.of(flags)));
      assertArrayEquals(new int[] {0, 33, 69}, results.ints("kept"));
      int[] sums = results.ints("sums");
      assertArrayEquals(
          new int[] {33 * 32 / 2, 33, 68 * 69 / 2 - 33 * 32 / 2, 69},
          new int[] {sums[32], sums[33], sums[68], sums[69]});
    }
  }

  @Test
  void examplesAndWhatIsNotTaken() {
    assertArrayEquals(
        new int[] {5},
        funnel.run(Bits.ofFlags(), Elements.of(new byte[] {1, 0, 7})).ints("result"));
    assertEquals(0, funnel.run(Bits.ofFlags(), Elements.of(new byte[0])).length("result"));
    String message =
        String.valueOf(
            assertThrows(
                    IllegalArgumentException.class,
                    () -> funnel.run(Bits.ofFlags(), Elements.of(new int[3])))
                .getMessage());
    assertTrue(message.contains("bits of flags takes bytes") && message.contains("INT"), message);
  }
}
