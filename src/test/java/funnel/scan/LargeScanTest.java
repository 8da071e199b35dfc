package funnel.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Elements;
import funnel.FreeMemory;
import funnel.Funnel;
import funnel.LargeInts;
import funnel.Plan;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** More than 2^31 bytes of ints, whose prefix sums have a closed form. */
@Tag("large")
class LargeScanTest {

  private static final int N = (1 << 29) + 3;
  private static final long NEEDED_BYTES = 7L << 30;

  /** Element i is i, so that the sum up to it is i (i + 1) / 2, modulo 2^32. */
  private static void fill(MemorySegment memory) {
    LargeInts.fill(memory, N);
  }

  private static void check(MemorySegment sums, int from) {
    int wrong =
        LargeInts.firstWrong(
            sums,
            N - from,
            i -> {
              long first = from;
              long last = from + (long) i;
              return (int) ((last * (last + 1) - first * (first - 1)) / 2);
            });
    assertEquals(-1, wrong, "first wrong element");
  }

  @Test
  void jvm_inPlaceOffTheHeap() throws IOException {
    FreeMemory.assume("LargeScanTest", NEEDED_BYTES);
    try (Arena arena = Arena.ofShared();
        Funnel funnel = Funnel.open(Target.JVM)) {
      MemorySegment memory = arena.allocate(4L * N, 8);
      fill(memory);
      Elements all = Elements.of(memory, ElementType.INT);
      Number total = funnel.scan(all, Scan.inclusive(Operator.SUM), all);
      assertEquals((int) ((long) N * (N - 1L) / 2), total);
      check(memory, 0);
    }
  }

  @Tag("gpu")
  @ParameterizedTest
  @EnumSource(ScanForm.class)
  void device_boundArrays(ScanForm form) throws IOException {
    FreeMemory.assume("LargeScanTest", NEEDED_BYTES);
    IntArray x = new IntArray(N);
    IntArray y = new IntArray(N);
    fill(x.getSegment());
    try (Funnel funnel = Funnel.open(Target.TORNADO);
        Plan plan =
            funnel
                .plan("large")
                .input("x", x)
                .add("y", Scan.inclusive(Operator.SUM).by(form), "x")
                .output("y", y)
                .build()) {
      assertEquals((int) ((long) N * (N - 1L) / 2), plan.run().getInt("y_total"));
      check(y.getSegment(), 0);
      plan.changed("x", 5, N).run();
      check(y.getSegment(), 5);
    }
  }
}
