package funnel.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SegmentedScanTest extends SegmentedScanContract {

  @Override
  Engine open() {
    return new JvmEngine();
  }

  @Override
  int capacity(int length) {
    return length;
  }

  /** On the JVM an operator may throw: it would at operands of two segments, used or not. */
  @Test
  void theOperatorNeverSeesOperandsOfTwoSegments() {
    Operator strict =
        Operator.ofLong(
            "strict",
            0L,
            (a, b) -> {
              if (a != 0 && b != 0 && (int) a != (int) (b >> 32)) {
                throw new IllegalArgumentException("not neighbours: %x, %x".formatted(a, b));
              }
              return a == 0 ? b : b == 0 ? a : (a >> 32 << 32) | (int) b;
            });
    int length = 300_000;
    long[] values = new long[length];
    byte[] heads = new byte[length];
    for (int i = 0; i < length; i++) {
      values[i] = ((long) (i + 1) << 32) | (i + 2);
      heads[i] = (byte) (i % 1009 == 500 ? 1 : 0);
    }
    List<Input> inputs =
        List.of(new Input("x", ElementType.LONG, length), new Input("s", ElementType.BYTE, length));
    Program program =
        Program.of(inputs, SegmentedScan.inclusive(strict).expand("y", inputs).primitives());
    try (JvmEngine engine = new JvmEngine();
        LoadedProgram loaded = engine.load(program, Map.of())) {
      loaded.set("x", MemorySegment.ofArray(values));
      loaded.set("s", MemorySegment.ofArray(heads));
      loaded.run();
      int head = (length - 501) / 1009 * 1009 + 500;
      assertEquals(((long) (head + 1) << 32) | (length + 1), loaded.result("y_total"));
    }
  }
}
