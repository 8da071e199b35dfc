package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.Order;
import funnel.operation.Target;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The examples of operators, transforms and element types do what they say. */
class OperatorSnippetsTest {

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void types(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(List.of(1022, 1, -4294967294L), OperatorSnippets.types(funnel));
    }
  }

  @Test
  void storages() {
    assertEquals(List.of(2, 65535, 1f), OperatorSnippets.storages());
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void operators(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(6, OperatorSnippets.greatestCommonDivisor(funnel, new int[] {12, 18, 30}));
      assertArrayEquals(
          new int[] {7, 7, 7, 2, 2}, OperatorSnippets.filled(funnel, new int[] {7, 0, 0, 2, 0}));
      long[] maps = {1L << 32 | 1, 2L << 32 | 2};
      assertEquals(15 * 9 + 7, OperatorSnippets.mapped(funnel, maps, 9));
    }
  }

  @ParameterizedTest
  @EnumSource
  void code(Order order) {
    int[] values = Seed.random("code").ints(3 * 64).toArray();
    IntArray maxima = new IntArray(3);
    Emulator.builder()
        .order(order)
        .seed(Seed.VALUE)
        .detectRaces(true)
        .build()
        .run(OperatorSnippets.maximaOfBlocks(IntArray.fromArray(values), maxima));
    int[] expected = {Integer.MIN_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE};
    for (int i = 0; i < values.length; i++) {
      expected[i / 64] = Math.max(expected[i / 64], values[i]);
    }
    assertArrayEquals(expected, maxima.toHeapArray(), Seed.replay());
  }

  @Test
  void capturedList_isRefusedForDevicesAlone() {
    List<String> log = new ArrayList<>();
    int[] values = {3, 1, 4, 1, 5};
    try (Funnel jvm = Funnel.open(Target.JVM);
        Funnel emulator = Funnel.open(Target.EMULATOR)) {
      for (int limit : new int[] {10, 12}) {
        assertEquals(limit, OperatorSnippets.sumUpTo(limit, jvm, values));
        assertEquals(limit, OperatorSnippets.sumUpTo(limit, emulator, values));
      }
      List<Integer> prices = List.of(0, 100, 20, 5, 7, 1);
      assertEquals(213, OperatorSnippets.price(prices, jvm, values, log));
      assertEquals(List.of(), log);
      assertEquals(213, OperatorSnippets.price(prices, emulator, values, log));
      assertEquals(1, log.size());
      assertTrue(
          log.getFirst().startsWith("price stays on the JVM: it captures an object of type List: "),
          log::toString);
    }
  }

  @Test
  void equalFunctions() {
    assertEquals(List.of(true, false, true), OperatorSnippets.comparisons());
  }

  @Test
  void threw() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      assertEquals("sum 8", OperatorSnippets.exactSum(funnel, new int[] {3, 1, 4}));
      assertEquals(
          "integer overflow in exact sum",
          OperatorSnippets.exactSum(funnel, new int[] {Integer.MAX_VALUE, 1}));
    }
  }

  @Test
  void law() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      assertEquals("-Infinity -1.5", OperatorSnippets.warmest(funnel, new float[] {-7, -1.5f, -4}));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void transforms(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(List.of(16, 2L), OperatorSnippets.transforms(funnel));
    }
  }
}
