package funnel.select;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Elements;
import funnel.LargeZeros;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.OperatorThrewException;
import funnel.operator.Transform;
import funnel.scan.ScanForm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JvmSelectTest extends SelectContract {

  @Override
  Target target() {
    return Target.JVM;
  }

  @Override
  int capacity(ElementType type) {
    return 200_000;
  }

  /** By one thread and by several; the exception itself comes, with the predicate's name. */
  @ParameterizedTest
  @ValueSource(ints = {10, 200_000})
  void predicatesThatThrow(int length) {
    int[] x = new int[length];
    x[length - 3] = 7;
    Select select = Select.where(Transform.testInt("reciprocal", v -> v == 0 || 1 / (v - 7) > 0));
    for (Operation operation : List.of(select, select.rejecting().withPositions())) {
      ArithmeticException e =
          assertThrows(ArithmeticException.class, () -> funnel.run(operation, Elements.of(x)));
      assertEquals(
          "thrown by transform reciprocal",
          OperatorThrewException.of(e).orElseThrow().getMessage());
    }
    assertEquals(length - 3, funnel.run(select, Elements.of(x, 0, length - 3)).length("result"));
  }

  /** A copy of the loops serves all values that a lambda captures. */
  @Test
  void predicatesThatCapture() {
    for (int limit = 0; limit < 3; limit++) {
      int least = limit;
      assertArrayEquals(
          IntStream.of(0, 1, 2).filter(v -> v >= least).toArray(),
          funnel.select(new int[] {0, 1, 2}, v -> v >= least));
    }
  }

  /** Places near 2^31, in nothing but zeros and a one. */
  @Test
  void asManyElementsAsThereCanBe() {
    int length = Input.LARGEST_CAPACITY;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment x = LargeZeros.allocate(arena, length);
      x.set(ValueLayout.JAVA_BYTE, length - 1, (byte) 1);
      SelectStep.Loops loops =
          Criterion.loops(
              SelectStep.Loops.class,
              IntSelectLoops.class,
              ElementType.BYTE,
              IntSelectKernels.FLAGS,
              true,
              List.of());
      byte[] kept = new byte[1];
      int[] positions = new int[1];
      int count =
          loops.select(
              new SelectStep.Loops.Given(x, x, length),
              new SelectStep.Loops.Outputs(
                  MemorySegment.ofArray(kept), MemorySegment.ofArray(positions), null, false));
      assertEquals(1, count);
      assertEquals(1, kept[0]);
      assertEquals(length - 1, positions[0]);
    }
  }

  /** Forms are those of devices. */
  @Override
  List<ScanForm> forms() {
    return List.of(ScanForm.REDUCE_THEN_SCAN);
  }

  @Override
  List<Integer> lengths(ElementType type) {
    return List.of(
        0, 1, 2, 31, 32, 33, 1023, 1024, 1025, 65_535, 65_536, 65_537, 66_559, 131_073, 200_000);
  }
}
