package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Numbers;
import funnel.Seed;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.tornado.HostArrays;
import funnel.operation.Input;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.UserOperators;
import funnel.transform.IndexOutsideException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** What scatter reductions compute, on every engine; the oracle is a plain loop. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ScatterReduceContract extends ScatterReduceTrial {

  /** Patterns of keys: uniform, constant, sorted, descending, alternating, 90 % in one. */
  static Map<String, IntUnaryOperator> patterns(int limit, int length, SplittableRandom random) {
    int hot = random.nextInt(limit);
    Map<String, IntUnaryOperator> patterns = new TreeMap<>();
    patterns.put("uniform", i -> random.nextInt(limit));
    patterns.put("constant", i -> hot);
    patterns.put("last", i -> limit - 1);
    patterns.put("sorted", i -> (int) ((long) limit * i / length));
    patterns.put("descending", i -> limit - 1 - (int) ((long) limit * i / length));
    patterns.put("alternating", i -> i % 2 == 0 ? 0 : limit - 1);
    patterns.put("hot", i -> random.nextInt(10) == 0 ? random.nextInt(limit) : hot);
    return patterns;
  }

  // Tests

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 300, 5000})
  void lengthsAroundEveryBoundary(int size) {
    SplittableRandom random = Seed.random("boundary" + size);
    List<Integer> all = new ArrayList<>(lengths());
    all.addAll(longLengths());
    for (int length : all) {
      ElementType type = length % 2 == 0 ? ElementType.DOUBLE : ElementType.INT;
      Map<String, IntUnaryOperator> patterns = patterns(size, length, random);
      for (Map.Entry<String, IntUnaryOperator> pattern : patterns.entrySet()) {
        if (random.nextInt(10) >= tenthsTried(length)) {
          continue;
        }
        check(
            ScatterReduce.by(Operator.SUM),
            type,
            indices(length, pattern.getValue()),
            Numbers.of(length, i -> Numbers.random(type, random)),
            Numbers.of(size, i -> Numbers.random(type, random)),
            pattern.getKey());
      }
    }
  }

  /** Affine maps, the left one applied first: wrong in any other order. */
  private static final List<Operator> OF_LONGS =
      List.of(
          Operator.SUM,
          Operator.PRODUCT,
          Operator.MIN,
          Operator.MAX,
          Operator.AND,
          Operator.OR,
          Operator.XOR,
          UserOperators.AFFINE,
          UserOperators.MATRIX,
          UserOperators.FIRST_LONG);

  private static final Map<ElementType, List<Operator>> OPERATORS =
      Map.of(
          ElementType.INT,
          List.of(
              Operator.SUM,
              Operator.MIN,
              Operator.MAX,
              Operator.AND,
              Operator.OR,
              Operator.XOR,
              UserOperators.FIRST_INT,
              UserOperators.LAST_INT),
          ElementType.LONG,
          OF_LONGS,
          ElementType.FLOAT,
          List.of(Operator.SUM, Operator.MIN, Operator.MAX, UserOperators.FIRST_FLOAT),
          ElementType.DOUBLE,
          List.of(Operator.SUM, Operator.MIN, Operator.MAX, UserOperators.FIRST_DOUBLE));

  private static List<ScatterReduce> reductions(ElementType type) {
    List<ScatterReduce> all = new ArrayList<>(List.of(ScatterReduce.last()));
    OPERATORS.get(type).forEach(operator -> all.add(ScatterReduce.by(operator)));
    return all;
  }

  @ParameterizedTest
  @EnumSource(value = ElementType.class, names = "BYTE", mode = EnumSource.Mode.EXCLUDE)
  void operators(ElementType type) {
    SplittableRandom random = Seed.random("operators" + type);
    int length = 5000;
    int size = 700;
    int turn = random.nextInt(2);
    for (ScatterReduce reduce : reductions(type)) {
      if (!Seed.draws(random, oneOperatorIn())) {
        continue;
      }
      Number[] values =
          Numbers.of(
              length,
              i -> random.nextInt(4) == 0 ? Numbers.of(type, 0) : Numbers.random(type, random));
      turn++; // the next operator has another pattern first
      for (String pattern : List.of("uniform", "hot")) {
        if (turn++ % onePatternIn() > 0) {
          continue;
        }
        check(
            reduce,
            type,
            indices(length, patterns(size, length, random).get(pattern)),
            values,
            Numbers.of(size, i -> i % 3 == 0 ? Numbers.of(type, 0) : Numbers.random(type, random)),
            pattern);
      }
    }
  }

  @Test
  void randomRuns_equalTheLoop() {
    SplittableRandom random = Seed.random("runs");
    ElementType[] types = {
      ElementType.INT, ElementType.LONG, ElementType.FLOAT, ElementType.DOUBLE
    };
    int[] sizes = {1, 3, 64, 65, 1000, 4097};
    for (int run = 0; run < randomRuns(); run++) {
      ElementType type = types[random.nextInt(types.length)];
      List<ScatterReduce> reductions = reductions(type);
      ScatterReduce reduce = reductions.get(random.nextInt(reductions.size()));
      int length = random.nextInt(1 << random.nextInt(1, 14));
      int size = sizes[random.nextInt(sizes.length)];
      Map<String, IntUnaryOperator> patterns = patterns(size, length, random);
      String pattern = List.copyOf(patterns.keySet()).get(random.nextInt(patterns.size()));
      check(
          reduce,
          type,
          indices(length, patterns.get(pattern)),
          Numbers.of(length, i -> Numbers.random(type, random)),
          Numbers.of(size, i -> Numbers.random(type, random)),
          pattern);
    }
  }

  /** Sums of small integers are exact; NaN and infinities stay where they belong. */
  @ParameterizedTest
  @EnumSource(
      value = ElementType.class,
      names = {"FLOAT", "DOUBLE"})
  void specialValues(ElementType type) {
    SplittableRandom random = Seed.random("special" + type);
    int length = 6000;
    int size = 100;
    Number[] values =
        Numbers.of(
            length,
            i ->
                Numbers.of(
                    type,
                    switch (i % 700) {
                      case 50 -> Double.NaN;
                      case 100 -> Double.POSITIVE_INFINITY;
                      case 150 -> Double.NEGATIVE_INFINITY;
                      default -> i % 3 == 0 ? -0.0 : i % 5 - 2;
                    }));
    int[] indices = indices(length, i -> random.nextInt(size - 1)); // nothing for the last one
    Number[] into = Numbers.of(size, i -> Numbers.of(type, i == size - 1 ? -0.0 : 0.0));
    for (Operator operator : List.of(Operator.SUM, Operator.MIN, Operator.MAX)) {
      ScatterReduce reduce = ScatterReduce.by(operator);
      LoadedProgram program =
          loaded.computeIfAbsent(
              List.of(reduce, type, capacity(length), size),
              k -> engine.load(program(reduce, type, capacity(length), size), Map.of()));
      String message = "%s of %s%s".formatted(reduce, type, Seed.replay());
      Numbers.requireSame(
          loop(reduce, type, indices, values, into),
          run(program, type, indices, values, into, message),
          message);
    }
    check(ScatterReduce.last(), type, indices, values, into, "special");
  }

  /** Sums of nothing but -0.0 are -0.0, as a plain loop's. */
  @ParameterizedTest
  @EnumSource(
      value = ElementType.class,
      names = {"FLOAT", "DOUBLE"})
  void negativeZeros(ElementType type) {
    SplittableRandom random = Seed.random("negative" + type);
    int length = 6000;
    int size = 1000;
    ScatterReduce reduce = ScatterReduce.by(Operator.SUM);
    int[] indices = indices(length, i -> random.nextInt(size));
    Number[] values =
        Numbers.of(length, i -> Numbers.of(type, random.nextInt(20) == 0 ? 0.0 : -0.0));
    Number[] into = Numbers.of(size, i -> Numbers.of(type, i % 5 == 0 ? 0.0 : -0.0));
    String message = "%s of %s%s".formatted(reduce, type, Seed.replay());
    try (LoadedProgram program =
        engine.load(program(reduce, type, capacity(length), size), Map.of())) {
      Numbers.requireSame(
          loop(reduce, type, indices, values, into),
          run(program, type, indices, values, into, message),
          message);
    }
  }

  /** Values of one type into an array of a wider one: sums of ints that no int holds. */
  @ParameterizedTest
  @CsvSource({"INT, LONG", "INT, DOUBLE", "LONG, DOUBLE", "FLOAT, DOUBLE", "INT, INT"})
  void widened(ElementType narrow, ElementType wide) {
    SplittableRandom random = Seed.random("wide" + narrow + wide);
    int size = 300;
    int capacity = 5000;
    List<Operator> operators =
        wide == ElementType.LONG
            ? List.of(Operator.SUM, Operator.PRODUCT, Operator.MAX, UserOperators.FIRST_LONG)
            : List.of(Operator.SUM, Operator.MIN);
    for (Operator operator : operators) {
      if (!Seed.draws(random, oneOperatorIn())) {
        continue;
      }
      ScatterReduce reduce = ScatterReduce.by(operator).to(wide);
      List<Input> inputs =
          List.of(
              new Input("i", ElementType.INT, capacity),
              new Input("v", narrow, capacity),
              new Input("old", wide, size));
      Program program = Program.of(inputs, reduce.expand("y", inputs).primitives());
      try (LoadedProgram here = engine.load(program, Map.of());
          LoadedProgram there = jvm.load(program, Map.of())) {
        for (int length : new int[] {0, 1, 1025, capacity}) {
          int[] indices = indices(length, i -> random.nextInt(length > 1025 ? size : 5));
          // large ints of one sign; in floating point so few bits that no sum is rounded
          Number[] values =
              Numbers.of(
                  length,
                  i ->
                      Numbers.of(
                          narrow,
                          narrow == ElementType.FLOAT
                              ? random.nextInt(-1000, 1000)
                              : 2e9 + random.nextInt(100_000_000)));
          Number[] into = Numbers.of(size, i -> Numbers.of(wide, random.nextInt(100)));
          Number[] widened = Numbers.of(length, i -> Numbers.of(wide, values[i].doubleValue()));
          Number[] expected = loop(reduce, wide, indices, widened, into);
          String message =
              "%s of %s to %s, n=%s%s".formatted(reduce, narrow, wide, length, Seed.replay());
          for (LoadedProgram each : List.of(here, there)) {
            each.set("i", MemorySegment.ofArray(indices));
            each.set("v", Numbers.segment(narrow, values));
            each.set("old", Numbers.segment(wide, into));
            each.run();
            MemorySegment y = Numbers.segment(wide, into);
            each.fetch("y", y);
            Numbers.requireSame(expected, Numbers.of(wide, y), message);
          }
        }
      }
    }
  }

  @Test
  void typesThatAreNotWider() {
    Input i = new Input("i", ElementType.INT, 10);
    for (ElementType narrow :
        List.of(ElementType.INT, ElementType.LONG, ElementType.FLOAT, ElementType.DOUBLE)) {
      for (ElementType to : ElementType.values()) {
        boolean isWider =
            to == narrow
                || to == ElementType.DOUBLE
                || narrow == ElementType.INT && to == ElementType.LONG;
        Input v = new Input("v", narrow, 10);
        Input into = new Input("into", to, 10);
        ScatterReduce reduce = ScatterReduce.by(Operator.SUM).to(to);
        if (isWider) {
          assertEquals(to, reduce.resultType(narrow));
          assertEquals(1, reduce.expand("y", List.of(i, v, into)).primitives().size());
        } else {
          IllegalArgumentException e =
              assertThrows(
                  IllegalArgumentException.class, () -> reduce.expand("y", List.of(i, v, into)));
          String message = String.valueOf(e.getMessage());
          assertTrue(message.contains(narrow + " ") && message.contains(" " + to), message);
        }
      }
    }
    Input v = new Input("v", ElementType.INT, 10);
    Input l = new Input("l", ElementType.LONG, 10);
    for (ScatterReduce reduce :
        List.of(
            ScatterReduce.last().to(ElementType.LONG),
            ScatterReduce.by(Operator.XOR).to(ElementType.DOUBLE),
            ScatterReduce.by(UserOperators.FIRST_INT).to(ElementType.LONG))) {
      assertThrows(
          IllegalArgumentException.class,
          () -> reduce.expand("y", List.of(i, v, l)),
          reduce.toString());
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> ScatterReduce.by(Operator.SUM).expand("y", List.of(i, v, l)));
  }

  @Test
  void inPlace() {
    int length = 9000;
    int size = 800;
    SplittableRandom random = Seed.random("inPlace");
    for (ScatterReduce reduce : List.of(ScatterReduce.by(Operator.SUM), ScatterReduce.last())) {
      IntArray indices = new IntArray(length);
      IntArray values = new IntArray(length);
      IntArray into = new IntArray(size);
      int[] i = random.ints(length, 0, size).toArray();
      Number[] v = Numbers.of(length, at -> random.nextInt());
      Number[] old = Numbers.of(size, at -> random.nextInt());
      for (int at = 0; at < length; at++) {
        indices.set(at, i[at]);
        values.set(at, v[at].intValue());
      }
      for (int at = 0; at < size; at++) {
        into.set(at, old[at].intValue());
      }
      Map<String, TornadoNativeArray> bound =
          Map.of("i", indices, "v", values, "old", into, "y", into);
      try (LoadedProgram program =
          engine.load(program(reduce, ElementType.INT, length, size), bound)) {
        program.setRange("i", 0, length);
        program.setRange("v", 0, length);
        program.setRange("old", 0, size);
        program.setRange("y", 0, size);
        program.run();
        Number[] expected = loop(reduce, ElementType.INT, i, v, old);
        for (int at = 0; at < size; at++) {
          assertEquals(expected[at], into.get(at), reduce + " at " + at + Seed.replay());
        }
      }
    }
  }

  // Bad input

  @Test
  void badIndex_isNamed_andTheOutputIsAsItWas() {
    refusals(ScatterReduce.by(Operator.SUM), ElementType.INT);
    refusals(ScatterReduce.last(), ElementType.DOUBLE);
  }

  private void refusals(ScatterReduce reduce, ElementType type) {
    SplittableRandom random = Seed.random("bad" + reduce);
    int length = 5000;
    int size = 1000;
    int[] good = random.ints(length, 0, size).toArray();
    Number[] values = Numbers.of(length, i -> Numbers.random(type, random));
    Number[] into = Numbers.of(size, i -> Numbers.random(type, random));
    TornadoNativeArray y = HostArrays.allocate(type, size);
    try (LoadedProgram program = engine.load(program(reduce, type, length, size), Map.of("y", y))) {
      program.setRange("y", 0, size);
      int[] bads = {-1, size, Integer.MIN_VALUE, Integer.MAX_VALUE, size + 24};
      int[] places = {0, 1, length - 1, 4096, random.nextInt(length)};
      int turn = random.nextInt(bads.length);
      for (int place : places) {
        refusal(program, type, good, values, into, place, bads[turn++ % bads.length], y);
      }
      set(program, type, good, values, into);
      program.run();
      Number[] seen = Numbers.of(type, y.getSegment().asSlice(0, (long) size * type.bytes()));
      Numbers.requireSame(
          loop(reduce, type, good, values, into), seen, "after refusals" + Seed.replay());
    }
  }

  private static void refusal(
      LoadedProgram program,
      ElementType type,
      int[] good,
      Number[] values,
      Number[] into,
      int place,
      int index,
      TornadoNativeArray y) {
    y.getSegment().fill((byte) 7);
    int[] bad = good.clone();
    bad[place] = index;
    bad[bad.length - 1] = index; // and another one behind
    set(program, type, bad, values, into);
    IndexOutsideException e =
        assertThrows(IndexOutsideException.class, program::run, "place=" + place);
    assertEquals(List.of(place, index), List.of(e.position(), e.index()));
    String wanted = "i[%s]=%s, size=%s".formatted(place, index, into.length);
    assertTrue(String.valueOf(e.getMessage()).contains(wanted), e.getMessage());
    for (byte b : y.getSegment().toArray(ValueLayout.JAVA_BYTE)) {
      assertEquals(7, b, "written, place=" + place);
    }
  }

  /** A run may have a shorter array than the plan allows: what counts is this run's. */
  @Test
  void sizeIsThatOfTheRun() {
    ScatterReduce reduce = ScatterReduce.by(Operator.MAX);
    try (LoadedProgram program = engine.load(program(reduce, ElementType.INT, 100, 50), Map.of())) {
      int[] indices = {0, 9, 3};
      Number[] values = {5, 6, 7};
      set(program, ElementType.INT, indices, values, Numbers.of(10, i -> 0));
      program.run();
      int[] y = new int[10];
      program.fetch("y", MemorySegment.ofArray(y));
      assertEquals(List.of(5, 7, 6), List.of(y[0], y[3], y[9]));
      set(program, ElementType.INT, indices, values, Numbers.of(9, i -> 0));
      IndexOutsideException e = assertThrows(IndexOutsideException.class, program::run);
      assertEquals(List.of(1, 9), List.of(e.position(), e.index()));
      set(program, ElementType.INT, new int[] {0}, new Number[] {1}, new Number[0]);
      e = assertThrows(IndexOutsideException.class, program::run);
      assertEquals(List.of(0, 0), List.of(e.position(), e.index()));
      set(program, ElementType.INT, new int[0], new Number[0], new Number[0]);
      program.run();
      set(program, ElementType.INT, indices, values, Numbers.of(10, i -> 8));
      program.run();
      program.fetch("y", MemorySegment.ofArray(y));
      assertEquals(List.of(8, 8, 8), List.of(y[0], y[3], y[9]));
    }
  }

  /** Engines try kernels on the first elements of the inputs: the array may then be too short. */
  @Test
  void indicesBehindAnArrayThatWasCutOff() {
    for (ElementType type : List.of(ElementType.INT, ElementType.FLOAT)) {
      for (ScatterReduce reduce : List.of(ScatterReduce.by(Operator.SUM), ScatterReduce.last())) {
        Program whole = program(reduce, type, 100, 80);
        List<Input> inputs =
            List.of(
                new Input("i", ElementType.INT, 50),
                new Input("v", type, 50),
                new Input("old", type, 50));
        Program cut = new Program(inputs, whole.in(Setting.within(50)).routines());
        try (LoadedProgram program = engine.load(cut, Map.of())) {
          int[] indices = IntStream.range(0, 50).map(i -> 30 + i).toArray();
          Number[] values = Numbers.of(50, i -> Numbers.of(type, i));
          set(program, type, indices, values, Numbers.of(50, i -> Numbers.of(type, 1)));
          program.run();
          MemorySegment y = Numbers.segment(type, Numbers.of(50, i -> Numbers.of(type, 0)));
          program.fetch("y", y);
          Number[] seen = Numbers.of(type, y);
          int old = reduce.operator() == null ? 0 : 1;
          for (int k = 0; k < 50; k++) {
            int expected = k < 30 ? 1 : k - 30 + old;
            assertEquals(expected, seen[k].intValue(), reduce + " at " + k);
          }
          indices[7] = 80;
          set(program, type, indices, values, Numbers.of(50, i -> Numbers.of(type, 1)));
          IndexOutsideException e = assertThrows(IndexOutsideException.class, program::run);
          assertEquals(List.of(7, 80), List.of(e.position(), e.index()));
        }
      }
    }
  }

  @Test
  void typesAndLengthsThatDoNotFit() {
    ScatterReduce sum = ScatterReduce.by(Operator.SUM);
    Input i = new Input("i", ElementType.INT, 10);
    Input v = new Input("v", ElementType.INT, 10);
    Input f = new Input("f", ElementType.FLOAT, 10);
    Input b = new Input("b", ElementType.BYTE, 10);
    Input l = new Input("l", ElementType.LONG, 10);
    for (List<Input> bad :
        List.of(List.of(i, v), List.of(l, v, v), List.of(i, v, f), List.of(i, b, b))) {
      assertThrows(IllegalArgumentException.class, () -> sum.expand("y", bad), bad.toString());
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> ScatterReduce.by(Operator.XOR).expand("y", List.of(i, f, f)));
    Program program = program(sum, ElementType.INT, 10, 10);
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                program
                    .steps()
                    .getFirst()
                    .requireLengths(program.lengths(name -> name.equals("i") ? 4 : 3)));
    assertTrue(
        String.valueOf(e.getMessage()).contains("length of i=4, length of v=3"), e.getMessage());
  }

  @Test
  void example() {
    int[] indices = {2, 0, 2, 2};
    Number[] values = {10, 20, 30, 40};
    Number[] into = {1, 2, 3};
    Map<ScatterReduce, List<Number>> expected =
        Map.of(
            ScatterReduce.by(Operator.SUM), List.of(21, 2, 83),
            ScatterReduce.by(Operator.MAX), List.of(20, 2, 40),
            ScatterReduce.last(), List.of(20, 2, 40));
    expected.forEach(
        (reduce, results) -> {
          try (LoadedProgram program =
              engine.load(program(reduce, ElementType.INT, 4, 3), Map.of())) {
            assertEquals(
                results, List.of(run(program, ElementType.INT, indices, values, into, "example")));
          }
        });
  }
}
