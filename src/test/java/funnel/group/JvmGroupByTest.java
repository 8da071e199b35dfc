package funnel.group;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import funnel.Elements;
import funnel.Funnel;
import funnel.Results;
import funnel.operation.Target;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JvmGroupByTest extends GroupByContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 2, 77, 5000, 100_000};
  }

  /** A sum that no double holds. */
  @Test
  void meansOfIntsAreOfExactSums() {
    int length = (1 << 22) + 3;
    int[] x = IntStream.range(0, length).map(i -> Integer.MAX_VALUE - 2 * (i & 1)).toArray();
    try (Funnel funnel = Funnel.open(target())) {
      Results got =
          funnel.run(GroupBy.of(Aggregate.mean(1)), Elements.of(new int[length]), Elements.of(x));
      double sum = (double) IntStream.of(x).asLongStream().sum();
      assertArrayEquals(new double[] {sum / length}, got.doubles("result_1"));
    }
  }
}
