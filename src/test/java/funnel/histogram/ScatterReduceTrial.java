package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Numbers;
import funnel.Seed;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorCode;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs scatter reductions on an engine, and computes what they have to give. */
abstract class ScatterReduceTrial {

  Engine engine = new JvmEngine();
  final JvmEngine jvm = new JvmEngine();
  final Map<List<Object>, LoadedProgram> loaded = new HashMap<>();
  final Map<List<Object>, LoadedProgram> loadedOnJvm = new HashMap<>();

  abstract Engine open();

  /** The capacity of the program that takes inputs of a length. */
  int capacity(int length) {
    return Math.max(64, Integer.highestOneBit(Math.max(length, 1) * 2 - 1) * 2);
  }

  List<Integer> lengths() {
    return List.of(0, 1, 2, 255, 256, 257, 1023, 1024, 1025, 4091, 4092, 4093, 4096, 4097, 17_000);
  }

  List<Integer> longLengths() {
    return List.of();
  }

  int randomRuns() {
    return 100;
  }

  /** How much of what lengths, sizes and patterns come to is tried. */
  int tenthsTried(int length) {
    return length > 300 ? 2 : 10;
  }

  /** One in so many of the operators is tried where all are. */
  int oneOperatorIn() {
    return 1;
  }

  /** One in so many of an operator's patterns is tried. */
  int onePatternIn() {
    return 1;
  }

  @BeforeAll
  void begin() {
    engine = open();
  }

  @AfterAll
  void end() {
    loaded.values().forEach(LoadedProgram::close);
    loadedOnJvm.values().forEach(LoadedProgram::close);
    engine.close();
    jvm.close();
  }

  static Number[] loop(
      ScatterReduce reduce, ElementType type, int[] indices, Number[] values, Number[] into) {
    Operator operator = reduce.operator();
    Number[] output = into.clone();
    for (int i = 0; i < indices.length; i++) {
      output[indices[i]] =
          operator == null
              ? values[i]
              : Numbers.combine(operator, type, output[indices[i]], values[i]);
    }
    return output;
  }

  // Runs

  static Program program(ScatterReduce reduce, ElementType type, int capacity, int size) {
    List<Input> inputs =
        List.of(
            new Input("i", ElementType.INT, capacity),
            new Input("v", type, capacity),
            new Input("old", type, size));
    return Program.of(inputs, reduce.expand("y", inputs).primitives());
  }

  static void set(
      LoadedProgram program, ElementType type, int[] indices, Number[] values, Number[] into) {
    program.set("i", MemorySegment.ofArray(indices));
    program.set("v", Numbers.segment(type, values));
    program.set("old", Numbers.segment(type, into));
  }

  /** What a program writes, with guards around it. */
  static Number[] run(
      LoadedProgram program,
      ElementType type,
      int[] indices,
      Number[] values,
      Number[] into,
      String message) {
    set(program, type, indices, values, into);
    MemorySegment output =
        Numbers.segment(type, Numbers.guards(type, into.length + 2 * Numbers.GUARDS));
    int bytes = type.bytes();
    program.setDestination(
        "y", output.asSlice((long) Numbers.GUARDS * bytes, (long) into.length * bytes));
    program.run();
    program.release();
    return Numbers.guarded(Numbers.of(type, output), message);
  }

  void check(
      ScatterReduce reduce,
      ElementType type,
      int[] indices,
      Number[] values,
      Number[] into,
      String what) {
    int capacity = capacity(indices.length);
    int size = into.length;
    List<Object> key = List.of(reduce, type, capacity, size);
    LoadedProgram here =
        loaded.computeIfAbsent(
            key, k -> engine.load(program(reduce, type, capacity, size), Map.of()));
    String message =
        "%s of %s, %s, n=%s, size=%s%s"
            .formatted(reduce, type, what, indices.length, size, Seed.replay());
    Number[] seen = run(here, type, indices, values, into, message);
    Number[] expected = loop(reduce, type, indices, values, into);
    Operator operator = reduce.operator();
    boolean isExact = !type.isFloating() || operator == null || operator.code() != OperatorCode.SUM;
    if (isExact) {
      Numbers.requireSame(expected, seen, message);
    } else {
      double[] magnitudes = new double[size];
      for (int k = 0; k < size; k++) {
        magnitudes[k] = Math.abs(into[k].doubleValue());
      }
      for (int i = 0; i < indices.length; i++) {
        magnitudes[indices[i]] += Math.abs(values[i].doubleValue());
      }
      double epsilon = type == ElementType.FLOAT ? 0x1p-23 : 0x1p-52;
      for (int k = 0; k < size; k++) {
        double error = epsilon * (100 + indices.length / 30.0) * magnitudes[k];
        assertEquals(expected[k].doubleValue(), seen[k].doubleValue(), error, message + " at " + k);
      }
    }
    if (type.isFloating()) {
      LoadedProgram there =
          loadedOnJvm.computeIfAbsent(
              key, k -> jvm.load(program(reduce, type, capacity, size), Map.of()));
      Numbers.requireSame(
          run(there, type, indices, values, into, message), seen, message + ", bits of the JVM");
    }
  }

  static int[] indices(int length, IntUnaryOperator pattern) {
    return IntStream.range(0, length).map(pattern).toArray();
  }
}
