package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Histograms of bytes that a plan copies itself, which kernels read as longs. */
class ByteCountersTest {

  /** A block's longs, in bytes. */
  private static final int TILE = 8 * 8 * ByteCounters.THREADS;

  /** What holds on an engine with kernels. */
  abstract static class Contract {

    abstract Target target();

    /** Lengths beyond a few tiles. */
    abstract int[] longLengths();

    private static int[] expected(byte[] bytes, int from, int to) {
      int[] counts = new int[ByteCounters.BINS];
      for (int i = from; i < to; i++) {
        counts[bytes[i] & 0xff]++;
      }
      return counts;
    }

    private static byte[] bytes(int length, int kind, SplittableRandom random) {
      byte[] bytes = new byte[length];
      byte one = (byte) random.nextInt();
      for (int i = 0; i < length; i++) {
        bytes[i] =
            switch (kind) {
              case 0 -> (byte) random.nextInt();
              case 1 -> one;
              case 2 -> i % 2 == 0 ? one : (byte) (one + 1);
              default -> random.nextInt(10) > 0 ? one : (byte) random.nextInt();
            };
      }
      return bytes;
    }

    @Test
    void lengthsAndDistributions() {
      SplittableRandom random = Seed.random("bytes");
      int most = 3 * TILE + 9;
      int[] lengths = {
        0,
        1,
        7,
        8,
        9,
        15,
        16,
        17,
        255,
        256,
        257,
        TILE - 1,
        TILE,
        TILE + 1,
        TILE + 8,
        2 * TILE - 8,
        2 * TILE,
        2 * TILE + 7,
        most
      };
      try (Funnel funnel = Funnel.open(target());
          Plan plan =
              funnel
                  .plan("bytes")
                  .input("x", ElementType.BYTE, most)
                  .add("counts", Histogram.ofBytes(), "x")
                  .build()) {
        for (int kind = 0; kind < 4; kind++) {
          byte[] all = bytes(most, kind, random);
          for (int length : lengths) {
            int from = random.nextInt(most - length + 1);
            Results results = plan.run(Map.of("x", Elements.of(all, from, from + length)));
            assertArrayEquals(
                expected(all, from, from + length),
                results.ints("counts"),
                "length=" + length + ", kind=" + kind + Seed.replay());
          }
        }
      }
    }

    @Test
    void manyTilesABlock() {
      SplittableRandom random = Seed.random("many bytes");
      try (Funnel funnel = Funnel.open(target())) {
        for (int length : longLengths()) {
          for (int kind = 0; kind < 2; kind++) {
            byte[] all = bytes(length, kind, random);
            assertArrayEquals(
                expected(all, 0, length),
                funnel.histogram(all),
                "length=" + length + ", kind=" + kind + Seed.replay());
          }
        }
      }
    }

    @Test
    void longCountersAndCountsSoFar() {
      SplittableRandom random = Seed.random("long bytes");
      byte[] all = bytes(2 * TILE + 77, 0, random);
      long[] before = random.longs(ByteCounters.BINS, -5, 1L << 40).toArray();
      Histogram histogram = Histogram.ofBytes().to(ElementType.LONG);
      try (Funnel funnel = Funnel.open(target());
          Plan plan =
              funnel
                  .plan("sofar")
                  .input("x", ElementType.BYTE, all.length)
                  .input("before", ElementType.LONG, before.length)
                  .add("counts", histogram, "x")
                  .add("sums", histogram.accumulating(), "x", "before")
                  .build()) {
        for (int length : new int[] {all.length, 0, TILE + 1}) {
          Results results =
              plan.run(Map.of("x", Elements.of(all, 0, length), "before", Elements.of(before)));
          int[] expected = expected(all, 0, length);
          long[] counts = results.longs("counts");
          long[] sums = results.longs("sums");
          for (int i = 0; i < expected.length; i++) {
            assertEquals(expected[i], counts[i], "bin " + i + Seed.replay());
            assertEquals(before[i] + expected[i], sums[i], "bin " + i + Seed.replay());
          }
        }
      }
    }

    /** An input that another primitive reads stays an array of bytes. */
    @Test
    void besideAnotherPrimitive() {
      SplittableRandom random = Seed.random("shared bytes");
      byte[] all = bytes(5000, 0, random);
      try (Funnel funnel = Funnel.open(target());
          Plan plan =
              funnel
                  .plan("shared")
                  .input("x", ElementType.BYTE, all.length)
                  .add("counts", Histogram.ofBytes().to(ElementType.LONG), "x")
                  .add("largest", Reduction.of(Operator.MAX), "x")
                  .build()) {
        Results results = plan.run(Map.of("x", Elements.of(all)));
        long[] counts = results.longs("counts");
        int[] expected = expected(all, 0, all.length);
        for (int i = 0; i < expected.length; i++) {
          assertEquals(expected[i], counts[i], "bin " + i + Seed.replay());
        }
      }
    }
  }

  /** In the emulator. */
  @Nested
  class Emulated extends Contract {
    @Override
    Target target() {
      return Target.EMULATOR;
    }

    @Override
    int[] longLengths() {
      return new int[] {40 * TILE + 3};
    }
  }

  /** On a device. */
  @Nested
  @Tag("gpu")
  class OnDevice extends Contract {
    @Override
    Target target() {
      return Target.TORNADO;
    }

    @Override
    int[] longLengths() {
      return new int[] {
        100_000_007, ByteCounters.BLOCKS * TILE, 3 * ByteCounters.BLOCKS * TILE + 5
      };
    }
  }
}
