package funnel.functions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Elements;
import funnel.operation.Target;
import funnel.operator.ElementFunction;
import funnel.operator.OperatorThrewException;
import funnel.transform.Elementwise;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JvmRowFunctionTest extends RowFunctionContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 2047, 2049, 70_000};
  }

  private interface Ratio extends ElementFunction {
    double of(int a, long b);
  }

  /** Of wholes and of parts of arrays, the first element's exception. */
  @Test
  void exceptionsInTheMiddle() {
    int length = most();
    int[] a = IntStream.range(0, length).toArray();
    long[] b = new long[length];
    Elementwise ratio =
        Elementwise.of(
            "ratio",
            (Ratio)
                (p, q) -> {
                  if (q == 1) {
                    throw new IllegalStateException("at " + p);
                  }
                  return p;
                });
    for (int from : new int[] {0, 5}) {
      Elements first = Elements.of(a, from, length);
      Elements second = Elements.of(b, from, length);
      b[length / 3] = 1;
      b[length - 1] = 1;
      RuntimeException thrown =
          assertThrows(IllegalStateException.class, () -> funnel.run(ratio, first, second));
      assertEquals("at " + length / 3, thrown.getMessage());
      assertEquals(
          "ratio", OperatorThrewException.of(thrown).orElseThrow().transform().orElseThrow());
      b[length / 3] = 0;
      b[length - 1] = 0;
      assertArrayEquals(
          IntStream.range(from, length).asDoubleStream().toArray(),
          funnel.run(ratio, first, second).doubles("result"));
    }
  }
}
