package funnel.arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Ints;
import funnel.Table;
import funnel.operation.Target;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JvmReadingsTest extends ReadingsContract {

  private static final LongAdder CALLS = new LongAdder();

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 2, 1000, 40_001};
  }

  private static int counted(int v) {
    CALLS.increment();
    return v;
  }

  /** With room for the longest input: on a device a second plan would be compiled. */
  @Test
  void aJoinWithAsManyRowsAsAnInput_isComputedOnce() {
    int n = 5000;
    int[] numbers = IntStream.range(0, n).toArray();
    Ints key = funnel.of(numbers).map(JvmReadingsTest::counted);
    Ints right = funnel.of(numbers);
    Table joined = funnel.table(key).join(key, funnel.table(right), right);
    assertEquals(n, joined.of(right).toArray().length);
    assertTrue(CALLS.sum() < 2 * n, CALLS::toString);
  }
}
