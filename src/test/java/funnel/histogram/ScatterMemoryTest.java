package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Elements;
import funnel.Funnel;
import funnel.Seed;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operation.Setting;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whose memory scatter reductions on the JVM read, and how much they take. */
class ScatterMemoryTest {

  private static final int N = 1 << 18;
  private static final int SIZE = 1000;

  /** Other threads may help with the values, but not read a confined output. */
  @Test
  void aConfinedOutput_isReadByItsThreadAlone() {
    SplittableRandom random = Seed.random("confined");
    int[] indices = random.ints(N, 0, SIZE).toArray();
    int[] values = random.ints(N).toArray();
    int[] expected = new int[SIZE];
    try (Arena confined = Arena.ofConfined();
        Funnel funnel = Funnel.open(Target.JVM)) {
      MemorySegment into = confined.allocate(4L * SIZE, Long.BYTES);
      for (int round = 0; round < 50; round++) {
        funnel.scatterReduce(
            Elements.of(indices),
            Elements.of(values),
            ScatterReduce.by(Operator.SUM),
            Elements.of(into, ElementType.INT));
        for (int i = 0; i < N; i++) {
          expected[indices[i]] += values[i];
        }
        assertArrayEquals(expected, into.toArray(ValueLayout.JAVA_INT), Seed.replay());
      }
    }
  }

  /** What the check of kernels runs on the JVM: a few values, of an output that is very large. */
  @ParameterizedTest
  @EnumSource(
      value = ElementType.class,
      names = {"LONG", "DOUBLE"})
  void cutOff_takesNoMemoryForTheWhole(ElementType type) {
    int capacity = 1 << 30;
    List<Input> inputs =
        List.of(
            new Input("indices", ElementType.INT, capacity),
            new Input("values", type, capacity),
            new Input("into", type, capacity));
    Program whole =
        Program.of(inputs, ScatterReduce.by(Operator.SUM).expand("y", inputs).primitives());
    int few = 100;
    int[] indices = new int[few];
    double[] doubles = new double[few];
    long[] longs = new long[few];
    double[] expected = new double[few];
    for (int i = 0; i < few; i++) {
      indices[i] = i % 7 == 0 ? capacity - 1 - i : i / 2;
      doubles[i] = i;
      longs[i] = i;
      if (indices[i] < few) {
        expected[indices[i]] += i;
      }
    }
    boolean isLong = type == ElementType.LONG;
    try (LoadedProgram program = new JvmEngine().load(whole.in(Setting.within(few)), Map.of())) {
      program.set("indices", MemorySegment.ofArray(indices));
      program.set("values", isLong ? MemorySegment.ofArray(longs) : MemorySegment.ofArray(doubles));
      program.set("into", MemorySegment.ofArray(new long[few]));
      program.run();
      long[] found = new long[few];
      program.fetch("y", MemorySegment.ofArray(found));
      for (int i = 0; i < few; i++) {
        double value = isLong ? found[i] : Double.longBitsToDouble(found[i]);
        assertEquals(expected[i], value, "y[" + i + "]");
      }
    }
  }
}
