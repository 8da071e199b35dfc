package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.Order;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The example of votes does what it says. */
class BlockSnippetsTest {

  @ParameterizedTest
  @EnumSource
  void vote(Order order) {
    float[] values = new float[100]; // of 128 threads
    Arrays.fill(values, 1);
    values[40] = Float.NaN;
    values[63] = Float.NaN;
    FloatArray array = FloatArray.fromArray(values);
    IntArray counts = new IntArray(4);
    Emulator.builder()
        .order(order)
        .seed(Seed.VALUE)
        .detectRaces(true)
        .build()
        .run(
            KernelTask.of(
                "vote", Grid.of(4, 32), BlockSnippets::zeroBlocksWithNan, array, counts, 32));
    Arrays.fill(values, 32, 64, 0);
    assertArrayEquals(new int[] {0, 2, 0, 0}, counts.toHeapArray());
    assertArrayEquals(values, array.toHeapArray());
  }
}
