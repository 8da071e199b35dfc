package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Elements;
import funnel.Funnel;
import funnel.operation.Target;
import funnel.transform.IndexOutsideException;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples of transforms do what they say. */
class TransformSnippetsTest {

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void difference(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(7, TransformSnippets.longestGap(funnel, new int[] {0, 2, 9, 10}));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void functions(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      long[] nanos = {1_500_000_000L, 999_999_999L, 7_000_000_000L};
      assertEquals(2, TransformSnippets.late(funnel, nanos));
      Elements a = Elements.of(new float[] {0, 3});
      Elements b = Elements.of(new float[] {8, 1});
      Elements share = Elements.of(new float[] {0.25f, 0.5f});
      assertArrayEquals(
          new float[] {2, 3}, funnel.run(TransformSnippets.MIXED, a, b, share).floats("result"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void functionsOfOnesOwnTypes(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      int[] users = {0, 1, 0};
      long[] times = {5, 5, 1L << 40};
      assertArrayEquals(
          new byte[] {0, 1, 1}, TransformSnippets.late(funnel, users, times, new long[] {7, 4}));
      assertArrayEquals(
          new double[] {-1, 1}, TransformSnippets.normalised(funnel, new double[] {3, 5}));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void madeAndMixed(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertArrayEquals(
          new long[] {2, 0, 1}, TransformSnippets.counts(funnel, new int[] {0, 2, 0}));
      assertArrayEquals(
          new int[] {8, 5, 4}, TransformSnippets.suffixSums(funnel, new int[] {3, 1, 4}));
      assertArrayEquals(
          new int[] {5, 7, 9},
          TransformSnippets.columnSums(funnel, new int[] {1, 2, 3, 4, 5, 6}, 3));
      assertEquals(3.14, TransformSnippets.pi(funnel, 20_000), 0.05);
      float[] x = {1, 2, 3, 4};
      float[] mixed = TransformSnippets.mixed(funnel, x, new int[4]);
      assertArrayEquals(Arrays.copyOf(mixed, 2), TransformSnippets.some(funnel, x, 2));
      Arrays.sort(mixed);
      assertArrayEquals(x, mixed);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void parts(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      float[] prices = new float[20];
      Arrays.fill(prices, 6, 13, 2);
      Arrays.fill(prices, 13, 20, 3);
      assertArrayEquals(new double[] {3, 2}, TransformSnippets.lastWeeks(funnel, prices));
      assertArrayEquals(new int[] {2, 7, 1}, TransformSnippets.gaps(funnel, new int[] {2, 9, 10}));
      assertArrayEquals(
          new int[] {3, 1, 4}, TransformSnippets.both(funnel, new int[] {3, 1}, new int[] {4}));
      assertArrayEquals(
          new byte[] {1, 0, 1}, TransformSnippets.flags(funnel, new byte[] {1, 0, 7}));
      assertArrayEquals(
          new short[] {2, -2}, TransformSnippets.doubled(funnel, new short[] {1, -1}));
      assertArrayEquals(
          new int[] {1, 4, 3, 1},
          TransformSnippets.transposed(funnel, new int[] {1, -7, 3, 4, -1, 1}));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void moves(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      float[] prices = {1.5f, 2.5f, 3.5f};
      assertArrayEquals(
          new float[] {3.5f, 1.5f, 3.5f},
          TransformSnippets.prices(funnel, prices, new int[] {2, 0, 2}));
      assertArrayEquals(
          new float[] {3.5f, 1.5f},
          funnel
              .run(
                  TransformSnippets::atOwnPositions,
                  Elements.of(prices),
                  Elements.of(new int[] {2, 0}))
              .floats("result"));
      int[] guests = {7, 8, 9};
      assertArrayEquals(
          new int[] {9, -1, -1, 7, -1},
          TransformSnippets.seats(funnel, guests, new int[] {3, -1, 0}));
      assertEquals("seated", TransformSnippets.seat(funnel, guests, new int[] {3, -1, 0}));
      assertEquals(
          "seat 3 is booked twice", TransformSnippets.seat(funnel, guests, new int[] {3, -1, 3}));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void check(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      Elements days = Elements.of(new int[] {0, 6, 3});
      assertEquals(-1, funnel.run(TransformSnippets.WEEKDAYS, days).ints("result")[0]);
      Elements others = Elements.of(new int[] {0, 7, 9});
      assertEquals(
          1,
          assertThrows(
                  IndexOutsideException.class, () -> funnel.run(TransformSnippets.WEEKDAYS, others))
              .position());
    }
  }
}
