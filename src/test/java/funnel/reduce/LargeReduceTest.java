package funnel.reduce;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Elements;
import funnel.FreeMemory;
import funnel.Funnel;
import funnel.LargeInts;
import funnel.Plan;
import funnel.Results;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** More than 2^31 bytes of ints, whose results have closed forms. */
@Tag("large")
class LargeReduceTest {

  private static final int N = (1 << 29) + 3;
  private static final long NEEDED_BYTES = 4L << 30;

  /** Element i is i; the last three are -1, -2 and Integer.MAX_VALUE. */
  private static void fill(MemorySegment memory) {
    LargeInts.fill(memory, N);
    memory.setAtIndex(ValueLayout.JAVA_INT, N - 3, -1);
    memory.setAtIndex(ValueLayout.JAVA_INT, N - 2, -2);
    memory.setAtIndex(ValueLayout.JAVA_INT, N - 1, Integer.MAX_VALUE);
  }

  private static void check(Results results) {
    long sum = (N - 3L) * (N - 4L) / 2 - 3 + Integer.MAX_VALUE;
    assertEquals((int) sum, results.getInt("sum"));
    assertEquals(sum, results.getLong("wide"));
    assertEquals(N - 1, results.getInt("arg"));
    assertEquals(Integer.MAX_VALUE, results.getInt("arg_value"));
    // every element but the first is non-zero, so this is the last one in the tree's order
    assertEquals(Integer.MAX_VALUE, results.getInt("last"));
  }

  private static Plan.Builder reductions(Plan.Builder plan) {
    return plan.add("sum", Reduction.sum(), "x")
        .add("wide", Reduction.sumAsLong(), "x")
        .add("arg", Reduction.argMax(), "x")
        .add("last", Reduction.of(UserOperators.LAST_INT), "x");
  }

  @Test
  void jvm_offHeapSegment() throws IOException {
    FreeMemory.assume("LargeReduceTest", NEEDED_BYTES);
    try (Arena arena = Arena.ofShared();
        Funnel funnel = Funnel.open(Target.JVM);
        Plan plan = reductions(funnel.plan("large").input("x", ElementType.INT, N)).build()) {
      MemorySegment memory = arena.allocate(4L * N, 8);
      fill(memory);
      check(plan.run(Map.of("x", Elements.of(memory, ElementType.INT))));
    }
  }

  @Tag("gpu")
  @Test
  void device_boundArray() throws IOException {
    FreeMemory.assume("LargeReduceTest", NEEDED_BYTES);
    IntArray array = new IntArray(N);
    fill(array.getSegment());
    try (Funnel funnel = Funnel.open(Target.TORNADO);
        Plan plan = reductions(funnel.plan("large").input("x", array)).build()) {
      check(plan.run());
      plan.changed("x", N - 3, N);
      assertEquals(Integer.MAX_VALUE - 3, plan.run().getInt("sum"));
    }
  }
}
