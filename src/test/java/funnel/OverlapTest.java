package funnel;

import static funnel.OverlapOperations.SUM;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.OverlapOperations.Given;
import funnel.OverlapOperations.Operation;
import funnel.histogram.Histogram;
import funnel.histogram.ScatterReduce;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Outputs in memory that something else is in: what is refused, and what may be in place. */
class OverlapTest {

  /** Ints of each piece of memory: more than any input or output has. */
  private static final int ROOM = 12;

  private static Stream<Arguments> operationsOnEngines() {
    return Stream.of(Target.JVM, Target.EMULATOR)
        .flatMap(
            target ->
                OverlapOperations.operations().stream()
                    .map(operation -> Arguments.of(target, operation)));
  }

  private static Plan plan(Funnel funnel, Operation operation) {
    Plan.Builder plan = funnel.plan("p");
    operation.inputs().forEach(input -> plan.input(input.name(), ElementType.INT, ROOM));
    operation.add().accept(plan);
    return plan.build();
  }

  /** What the operation writes into memory of its own on the JVM. */
  private static int[] expected(Operation operation, String output) {
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan = plan(funnel, operation)) {
      operation.inputs().forEach(input -> plan.set(input.name(), Elements.of(input.values())));
      return plan.run().ints(output);
    }
  }

  private enum Memory {
    HEAP,
    NATIVE,
    TORNADO
  }

  private static MemorySegment ints(Memory memory, int... values) {
    MemorySegment all =
        switch (memory) {
          case HEAP -> MemorySegment.ofArray(new int[ROOM]);
          case NATIVE -> Arena.ofAuto().allocate(4 * ROOM, 8);
          case TORNADO -> new IntArray(ROOM).getSegment();
        };
    MemorySegment.copy(values, 0, all, ValueLayout.JAVA_INT_UNALIGNED, 0, values.length);
    return all;
  }

  private static int[] first(int count, MemorySegment memory) {
    return Arrays.copyOf(memory.toArray(ValueLayout.JAVA_INT_UNALIGNED), count);
  }

  private static Elements elements(MemorySegment memory, int from, int to) {
    return Elements.of(memory, ElementType.INT).range(from, to);
  }

  private static void refused(String message, Executable run, MemorySegment... memory) {
    List<byte[]> before =
        Stream.of(memory).map(each -> each.toArray(ValueLayout.JAVA_BYTE)).toList();
    Throwable thrown = assertThrows(IllegalArgumentException.class, run, message);
    String reason = String.valueOf(thrown.getMessage());
    assertTrue( // an array for an input is too short for what is merged of two
        reason.contains("overlap") || reason.contains("INT[12] for INT[24]"),
        () -> message + ": " + reason);
    for (int i = 0; i < memory.length; i++) {
      assertArrayEquals(before.get(i), memory[i].toArray(ValueLayout.JAVA_BYTE), message);
    }
  }

  // One operation

  @ParameterizedTest
  @MethodSource("operationsOnEngines")
  void anInputsMemory_isRefusedUnlessTheOutputMayBeInPlace(Target target, Operation operation) {
    for (String output : operation.outputs()) {
      int[] expected = expected(operation, output);
      for (Memory kind : Memory.values()) {
        for (Given over : operation.inputs()) {
          for (int shift : new int[] {0, 1, -1, 2}) {
            try (Funnel funnel = Funnel.open(target);
                Plan plan = plan(funnel, operation)) {
              MemorySegment memory = MemorySegment.NULL;
              int from = Math.max(0, -shift);
              for (Given input : operation.inputs()) {
                int[] values = input.values();
                MemorySegment own = ints(kind);
                MemorySegment.copy(
                    values, 0, own, ValueLayout.JAVA_INT_UNALIGNED, 4L * from, values.length);
                plan.set(input.name(), elements(own, from, from + values.length));
                memory = input == over ? own : memory;
              }
              plan.into(output, elements(memory, from + shift, ROOM));
              String message =
                  "%s: %s over %s in %s, shifted by %s"
                      .formatted(operation, output, over.name(), kind, shift);
              if (shift == 0 && operation.inPlace().contains(over.name())) {
                for (int run = 0; run < 2; run++) {
                  plan.run();
                  assertArrayEquals(expected, first(expected.length, memory), message);
                }
              } else if (shift < over.values().length) {
                refused(message, plan::run, memory);
              } else {
                plan.run();
              }
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("operationsOnEngines")
  void aBoundInput_likewise(Target target, Operation operation) {
    for (String output : operation.outputs()) {
      int[] expected = expected(operation, output);
      for (Given over : operation.inputs()) {
        String message = "%s: %s over %s".formatted(operation, output, over.name());
        boolean allowed = operation.inPlace().contains(over.name());
        try (Funnel funnel = Funnel.open(target)) {
          Map<String, TornadoNativeArray> arrays = new HashMap<>();
          Plan.Builder builder = funnel.plan("p");
          for (Given input : operation.inputs()) {
            IntArray array = IntArray.fromArray(Arrays.copyOf(input.values(), ROOM));
            arrays.put(input.name(), array);
            builder.input(input.name(), array);
          }
          operation.add().accept(builder);
          MemorySegment memory = arrays.get(over.name()).getSegment();
          try (Plan plan = builder.build()) {
            operation.inputs().forEach(i -> plan.changed(i.name(), 0, i.values().length));
            for (int shift : new int[] {1, 8, 0}) {
              if (shift < over.values().length && (shift > 0 || !allowed)) {
                plan.into(output, elements(memory, shift, ROOM));
                refused(message + " into, shifted by " + shift, plan::run, memory);
              }
            }
            if (allowed) {
              plan.into(output, elements(memory, 0, ROOM)).run();
              assertArrayEquals(expected, first(expected.length, memory), message + " into");
              memory.copyFrom(ints(Memory.HEAP, over.values()));
              plan.changed(over.name(), 0, over.values().length);
            }
            Map<String, TornadoNativeArray> graph = new HashMap<>(arrays);
            graph.put(output, arrays.get(over.name()));
            GridScheduler scheduler = new GridScheduler();
            if (allowed) {
              plan.addTo(new TaskGraph("g"), scheduler, graph);
            } else {
              refused(
                  message + " in a graph",
                  () -> plan.addTo(new TaskGraph("g"), scheduler, graph),
                  memory);
            }
          }
          TornadoNativeArray into = arrays.get(over.name());
          if (!allowed) {
            refused(message + " bound", () -> builder.output(output, into).build(), memory);
            continue;
          }
          builder.output(output, into);
          try (Plan plan = builder.build()) {
            operation.inputs().forEach(i -> plan.changed(i.name(), 0, i.values().length));
            plan.run();
            assertArrayEquals(expected, first(expected.length, memory), message + " bound");
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void boundArraysThatShareMemory_areRefused(Target target) {
    for (int shift : new int[] {0, 4, 8, 40}) {
      MemorySegment memory = Arena.ofAuto().allocate(200, 8);
      IntArray x = IntArray.fromSegmentShallow(memory.asSlice(0, 100));
      IntArray y = IntArray.fromSegmentShallow(memory.asSlice(shift, 100));
      try (Funnel funnel = Funnel.open(target)) {
        Plan.Builder builder = funnel.plan("p").input("x", x).add("y", SUM, "x");
        try (Plan plan = builder.build()) {
          refused(
              "in a graph, shifted by " + shift,
              () -> plan.addTo(new TaskGraph("g"), new GridScheduler(), Map.of("x", x, "y", y)),
              memory);
        }
        builder.output("y", y);
        refused("bound, shifted by " + shift, builder::build, memory);
      }
    }
  }

  // Several operations

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void anInputOfAnotherOperation_isRefused(Target target) {
    int[] x = {1, 2, 3};
    int[] z = {1, 2, 3};
    try (Funnel funnel = Funnel.open(target);
        Plan plan =
            funnel
                .plan("p")
                .input("x", ElementType.INT, 3)
                .input("z", ElementType.INT, 3)
                .add("y", SUM, "x")
                .add("sum", Reduction.sum(), "z")
                .build()) {
      Map<String, Elements> given = Map.of("x", Elements.of(x), "z", Elements.of(z));
      refused(
          "z",
          () -> plan.run(given, Map.of("y", Elements.of(z))),
          MemorySegment.ofArray(x),
          MemorySegment.ofArray(z));
      refused(
          "both inputs are in x",
          () ->
              plan.run(
                  Map.of("x", Elements.of(x), "z", Elements.of(x)), Map.of("y", Elements.of(x))),
          MemorySegment.ofArray(x));
      assertEquals(6, plan.run(given).getInt("sum"));
      IntArray bound = IntArray.fromArray(z);
      Plan.Builder over =
          funnel
              .plan("p")
              .input("x", ElementType.INT, 3)
              .input("z", bound)
              .add("y", SUM, "x")
              .output("y", bound)
              .add("sum", Reduction.sum(), "z");
      refused("bound z", over::build, bound.getSegment());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void twoOutputsInOnePlace_areRefused(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      Plan.Builder builder =
          funnel
              .plan("p")
              .input("x", ElementType.INT, 8)
              .add("y", SUM, "x")
              .add("w", Scan.exclusive(Operator.SUM), "y");
      IntArray array = new IntArray(20);
      MemorySegment memory = array.getSegment();
      Map<String, Elements> given = Map.of("x", Elements.of(new int[] {1, 2, 3, 4, 5, 6}));
      try (Plan plan = builder.build()) {
        for (int shift : new int[] {0, 3, 5}) {
          Map<String, Elements> into =
              Map.of("y", elements(memory, 0, 8), "w", elements(memory, shift, shift + 8));
          refused("shifted by " + shift, () -> plan.run(given, into), memory);
        }
        plan.run(given, Map.of("y", elements(memory, 0, 8), "w", elements(memory, 6, 20)));
        assertArrayEquals(new int[] {1, 3, 6, 10, 15, 21, 0, 1, 4, 10, 20, 35}, first(12, memory));
        refused(
            "in a graph",
            () ->
                plan.addTo(
                    new TaskGraph("g"),
                    new GridScheduler(),
                    Map.of("x", new IntArray(8), "y", array, "w", array)),
            memory);
      }
      builder.output("y", array);
      try (Plan plan = builder.build()) {
        refused("one bound", () -> plan.run(given, Map.of("w", elements(memory, 5, 20))), memory);
      }
      builder.output("w", array);
      refused("both bound", builder::build, memory);
    }
  }

  // The rule of what runs see

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void boundInPlace_operationsSeeTheArrayInTheirOrder_andTheNextRunGoesOn(Target target) {
    IntArray x = IntArray.fromElements(1, 2, 3, 4);
    try (Funnel funnel = Funnel.open(target);
        Plan plan =
            funnel
                .plan("p")
                .input("x", x)
                .add("before", Reduction.sum(), "x")
                .add("y", SUM, "x")
                .add("after", Reduction.sum(), "x")
                .output("y", x)
                .build()) {
      Results first = plan.run();
      assertEquals(10, first.getInt("before"));
      assertEquals(20, first.getInt("after"));
      Results second = plan.run();
      assertEquals(20, second.getInt("before"));
      assertEquals(35, second.getInt("after"));
      assertArrayEquals(new int[] {1, 4, 10, 20}, x.toHeapArray());
      assertArrayEquals(new int[] {1, 4, 10, 20}, second.ints("y"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void setInPlace_everyRunStartsFromWhatWasSet(Target target) {
    IntArray bound = IntArray.fromElements(1, 2, 3, 4);
    for (boolean isBound : new boolean[] {false, true}) {
      try (Funnel funnel = Funnel.open(target)) {
        Plan.Builder builder =
            funnel
                .plan("p")
                .input("x", ElementType.INT, 4)
                .add("before", Reduction.sum(), "x")
                .add("y", SUM, "x")
                .add("after", Reduction.sum(), "x");
        int[] x = {1, 2, 3, 4};
        Elements elements = isBound ? Elements.ofTornado(bound) : Elements.of(x);
        try (Plan plan = (isBound ? builder.output("y", bound) : builder).build()) {
          plan.set("x", elements);
          if (!isBound) {
            plan.into("y", elements);
          }
          for (int run = 0; run < 3; run++) {
            Results results = plan.run();
            assertEquals(10, results.getInt("before"));
            assertEquals(10, results.getInt("after"));
            assertArrayEquals(
                new int[] {1, 3, 6, 10}, isBound ? bound.toHeapArray() : x, "run " + run);
          }
          plan.set("x", elements);
          assertEquals(20, plan.run().getInt("before"));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void intoABoundInput_isFilledAfterTheRun_andTheNextRunStartsFromIt(Target target) {
    IntArray x = IntArray.fromElements(1, 2, 3, 4);
    try (Funnel funnel = Funnel.open(target);
        Plan plan =
            funnel
                .plan("p")
                .input("x", x)
                .add("y", SUM, "x")
                .add("after", Reduction.sum(), "x")
                .build()) {
      plan.into("y", Elements.ofTornado(x));
      assertEquals(10, plan.run().getInt("after"));
      assertArrayEquals(new int[] {1, 3, 6, 10}, x.toHeapArray());
      assertEquals(20, plan.run().getInt("after"));
      assertArrayEquals(new int[] {1, 4, 10, 20}, x.toHeapArray());
    }
  }

  // One-shot calls

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void oneShotCalls_refuse(Target target) {
    MemorySegment x = ints(Memory.HEAP, 0, 2, 1, 2, 0);
    MemorySegment s = ints(Memory.HEAP, 0, 1, 2, 2, 4);
    Elements values = elements(x, 0, 5);
    Elements other = elements(s, 0, 5);
    Histogram keys = Histogram.ofKeys(3);
    ScatterReduce scatter = ScatterReduce.by(Operator.SUM);
    SegmentedScan offsets = SegmentedScan.inclusive(Operator.SUM).segments(Segments.byOffsets());
    Map<String, Executable> calls = new HashMap<>();
    try (Funnel funnel = Funnel.open(target)) {
      calls.put("scan", () -> funnel.scan(values, SUM, elements(x, 1, 6)));
      calls.put("offsets", () -> funnel.scan(values, other, offsets, other));
      calls.put("samples", () -> funnel.histogram(values, keys, values));
      calls.put("added to", () -> funnel.histogram(values, keys.accumulating(), values));
      calls.put("weights", () -> funnel.histogram(values, other, keys.weighted(), other));
      calls.put("indices", () -> funnel.scatterReduce(values, other, scatter, values));
      calls.put("values", () -> funnel.scatterReduce(values, other, scatter, other));
      calls.put("last", () -> funnel.scatterReduce(values, other, ScatterReduce.last(), other));
      calls.put("shifted", () -> funnel.scatterReduce(values, other, scatter, elements(s, 1, 6)));
      calls.forEach((name, call) -> refused(name, call, x, s));
      funnel.scan(values, SUM, values);
      assertArrayEquals(new int[] {0, 2, 3, 5, 5}, first(5, x));
    }
  }
}
