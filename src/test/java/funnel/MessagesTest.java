package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.group.Join;
import funnel.group.SegmentedReduce;
import funnel.histogram.Histogram;
import funnel.jit.KernelCopies;
import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.rank.SegmentedTopK;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.SegmentOffsetsException;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import funnel.select.Runs;
import funnel.select.Select;
import funnel.sort.SegmentedSort;
import funnel.sort.Sort;
import funnel.transform.Elementwise;
import funnel.transform.Fill;
import funnel.transform.Iota;
import funnel.transform.RandomNumbers;
import funnel.transform.Sample;
import funnel.transform.Scatter;
import funnel.transform.Shuffle;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What common mistakes are answered with: what was wrong, and what to do. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MessagesTest {

  private final Funnel funnel = Funnel.open(Target.JVM);

  @AfterAll
  void close() {
    funnel.close();
  }

  private static void refused(Class<? extends Throwable> type, Executable call, String message) {
    assertEquals(message, assertThrows(type, call).getMessage());
  }

  private static void refused(Executable call, String message) {
    refused(IllegalArgumentException.class, call, message);
  }

  private Plan.Builder ints(String... names) {
    Plan.Builder plan = funnel.plan("p");
    for (String name : names) {
      plan.input(name, ElementType.INT, 5);
    }
    return plan;
  }

  // Names

  @Test
  void valueAsArray() {
    Elementwise minus = Elementwise.ofInt("minus", (a, b) -> a - b);
    Plan.Builder plan = ints("x").add("largest", Reduction.max(), "x");
    refused(
        () -> plan.add("y", minus, "x", "largest"),
        "'largest' is a single value in plan p, not an array: give it to a function of"
            + " Elementwise.of, or read it from the results and pass it to the next run in an"
            + " array");
  }

  @Test
  void namesThatAreTaken() {
    Plan.Builder plan =
        ints("x").add("s", GroupBy.of(Aggregate.count()), "x").add("n", Reduction.sum(), "x");
    refused(
        () -> plan.input("s_1", ElementType.INT, 1),
        "name 's_1' is taken in plan p by 's' ([count] by groups)");
    refused(() -> plan.add("n", Reduction.sum(), "x"), "name 'n' is taken in plan p by 'n' (sum)");
    refused(() -> plan.add("x", Reduction.sum(), "x"), "name 'x' is taken in plan p by an input");
  }

  private record Shown() implements Operation {
    @Override
    public Expansion expand(String output, List<Input> inputs) {
      return Sort.ascending().expand(output + ".sorted", inputs);
    }

    @Override
    public String toString() {
      return "quantiles";
    }
  }

  @Test
  void arrayOfAnOwnOperationThatIsNotHidden() {
    refused(
        () -> ints("x").add("y", new Shown(), "x"),
        "'y' (quantiles) shows its array y.sorted: a Composite of its primitives hides arrays whose"
            + " names have a dot");
    Expansion sorted = new Shown().expand("y", List.of(new Input("x", ElementType.INT, 1)));
    Composite hidden = Composite.of("y", sorted.primitives(), Set.of());
    ints("x").add("y", (_, _) -> new Expansion(List.of(hidden), List.of()), "x");
  }

  // Results

  @Test
  void resultsOfAnotherKind() {
    try (Plan plan =
        ints("x")
            .add("y", Sort.ascending(), "x")
            .add("n", Reduction.sum(), "x")
            .add("s", Reduction.sumAsLong(), "x")
            .add("least", Reduction.min(), "x")
            .build()) {
      Results results = plan.run(Map.of("x", Elements.of(new int[0])));
      refused(
          () -> results.ints("n"), "output n is a single value, not an array: use getInt(\"n\")");
      refused(
          () -> results.longs("s"), "output s is a single value, not an array: use getLong(\"s\")");
      refused(
          () -> results.length("least"),
          "output least is a single value, not an array: use get(\"least\")");
      refused(() -> results.ints("x"), "x is an input of the plan, not an output; there are [y]");
      refused(
          () -> results.getInt("x"),
          "x is an input of the plan, not an output; there are [least, n, s, y]");
      refused(() -> results.ints("z"), "no array z; there are [y]");
      refused(() -> results.getInt("y"), "output y is an array of type INT: use ints(\"y\")");
      refused(() -> results.bytes("y"), "array y is of type INT, not BYTE: use ints");
      refused(() -> results.getInt("s"), "output s is of type Long, not Integer: use getLong");
      refused(() -> results.getDouble("s"), "output s is of type Long, not Double: use getLong");
      refused(
          NoSuchElementException.class,
          () -> results.getInt("least"),
          "min of an empty array is not defined: length of x=0");
    }
    refused(
        NoSuchElementException.class,
        () -> funnel.min(new int[0]),
        "min of an empty array is not defined: length of elements=0");
  }

  /** Java widens these, too, and no value changes. */
  @Test
  void resultsAsAWiderType() {
    Results ints = funnel.run(Reduction.max(), Elements.of(new int[] {Integer.MAX_VALUE}));
    assertEquals(Integer.MAX_VALUE, ints.getLong("result"));
    assertEquals(Integer.MAX_VALUE, ints.getDouble("result"));
    Results floats = funnel.run(Reduction.max(), Elements.of(new float[] {0.1f}));
    assertEquals(0.1f, floats.getDouble("result"));
    refused(
        () -> floats.getLong("result"), "output result is of type Float, not Long: use getFloat");
    refused(
        () -> ints.getFloat("result"), "output result is of type Integer, not Float: use getInt");
  }

  // Inputs

  @Test
  void forgottenIndex() {
    Elementwise minus = Elementwise.ofInt("minus", (i, x) -> x - i);
    Elements x = Elements.of(new int[3]);
    refused(
        () -> funnel.run(minus, x),
        "minus element by element to INT takes 2 inputs, given=1; if its first argument is the"
            + " index, add .indexed()");
    refused(
        () -> funnel.run(Elementwise.ofInt("double", i -> 2 * i)),
        "double element by element to INT takes 1 inputs, given=0; if its first argument is the"
            + " index, add .indexed(length)");
    refused(
        () -> funnel.run(minus, x, x, x),
        "minus element by element to INT takes 2 inputs, given=3");
    refused(
        () -> funnel.run(minus.indexed(), x, x),
        "minus element by element to INT takes 1 inputs, given=2");
  }

  static Stream<Operation> operationsOverHeads() {
    return Stream.of(
        SegmentedScan.inclusive(Operator.SUM),
        SegmentedReduce.by(Operator.SUM),
        SegmentedSort.ascending(),
        SegmentedTopK.of(TopK.largest(1)));
  }

  @ParameterizedTest
  @MethodSource("operationsOverHeads")
  void segmentsThatAreNoHeads(Operation operation) {
    Elements ints = Elements.of(new int[3]);
    refused(
        () -> funnel.run(operation, ints, ints),
        "segments are given by heads, a byte for each element, but input2 is of type INT: say how"
            + " it gives them, with segments(Segments.byHeads()), byHeadBits(), byOffsets(),"
            + " byOffsetsWithEnd() or byKeys()");
  }

  @Test
  void segmentsOfBytes() {
    Elements bytes = Elements.of(new byte[3]);
    refused(
        () -> funnel.run(SegmentedReduce.by(Operator.SUM), bytes, bytes),
        "segmented reduction by sum, segments by heads is over int, long, float or double, input"
            + " input1 is of type BYTE");
    refused(
        () -> funnel.run(SegmentedScan.inclusive(Operator.SUM), bytes, bytes),
        "inclusive segmented scan by sum, segments by heads is over int, long, float or double,"
            + " input input1 is of type BYTE");
    refused(
        () -> funnel.run(SegmentedSort.ascending().segments(Segments.byKeys()), bytes),
        "segmented ascending sort, segments by keys takes elements and segments, given=1 inputs");
  }

  @Test
  void anIntForEachFlag() {
    Elements ints = Elements.of(new int[5]);
    refused(
        () -> funnel.run(Select.flagged(), ints, ints),
        "flags input2 of selection result: length=5, for 5 elements it is 1, since each int is 32"
            + " flags; for one flag an element use bytes");
    refused(
        () ->
            funnel.run(
                SegmentedScan.inclusive(Operator.SUM).segments(Segments.byHeadBits()), ints, ints),
        "segments of result by head bits input2: length=5, for 5 values it is 1, since each"
            + " int is 32 heads; for one head an element use segments(Segments.byHeads()) and"
            + " bytes");
  }

  /** By the name of the operation, whatever its parts are called. */
  @ParameterizedTest
  @MethodSource("operationsByOffsets")
  void wrongOffsets(Operation operation) {
    refused(
        SegmentOffsetsException.class,
        () -> funnel.run(operation, Elements.of(new int[3]), Elements.of(new int[] {0, 2, 1})),
        "segments of result by offsets input2: offset[2]=1, previous offset=2, length=3; offsets"
            + " ascend from 0 to the length");
  }

  static Stream<Operation> operationsByOffsets() {
    return Stream.of(
        SegmentedScan.inclusive(Operator.SUM).segments(Segments.byOffsets()),
        SegmentedReduce.by(Operator.SUM).segments(Segments.byOffsets()),
        SegmentedSort.ascending().segments(Segments.byOffsets()),
        SegmentedTopK.of(TopK.largest(1)).segments(Segments.byOffsets()));
  }

  @Test
  void sampleThatIsNoKey() {
    refused(
        () -> funnel.histogram(new int[] {0, 3, 4}, Histogram.ofKeys(4)),
        "histogram into: samples[2]=4 is not a key, ofKeys(4) takes 0 to 3; nothing was counted");
  }

  @Test
  void columnsSelectedSeparately() {
    Select positive = Select.where(Transform.testInt("positive", v -> v > 0));
    Plan.Builder plan =
        ints("x", "y")
            .add("a", positive, "x")
            .add("b", positive, "y")
            .add("c", Elementwise.ofInt("plus", Integer::sum), "a", "b");
    refused(
        plan::build,
        "c takes a and b of equal length, which cannot be seen before the run: an earlier operation"
            + " finds that of a, a.count, and another one that of b, b.count; take arrays of one"
            + " operation, as columns from Select.where(...).rows() are, or these in a run of their"
            + " own");
  }

  @Test
  void columnOfAnAggregateThatIsMissing() {
    refused(
        () -> ints("k", "x").add("g", GroupBy.of(Aggregate.sum(2)), "k", "x"),
        "sum of column 2: there is no column 2, arrays of keys=1, columns after these=1");
    refused(
        () -> ints("k").add("g", GroupBy.of(Aggregate.count())),
        "[count] by groups takes 1 arrays of keys, given=0 inputs");
  }

  static Stream<Arguments> lengths() {
    return Stream.of(
        Arguments.of("Fill.with: length", (Executable) () -> Fill.with(ElementType.INT, 1, -4)),
        Arguments.of("Iota.of: length", (Executable) () -> Iota.of(ElementType.INT, -4)),
        Arguments.of("Sample.of: count", (Executable) () -> Sample.of(-4, 1)),
        Arguments.of("Shuffle.positions: length", (Executable) () -> Shuffle.positions(-4, 1)),
        Arguments.of("Scatter.into: size", (Executable) () -> Scatter.into(-4)),
        Arguments.of("Runs.decode: capacity", (Executable) () -> Runs.decode(-4)),
        Arguments.of("Join.inner: capacity", (Executable) () -> Join.inner(-4)),
        Arguments.of(
            "RandomNumbers.of: length",
            (Executable) () -> RandomNumbers.of(ElementType.INT, 1, -4)),
        Arguments.of(
            "twice, indexed: length",
            (Executable) () -> Elementwise.ofInt("twice", i -> 2 * i).indexed(-4)));
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void lengthThatNoArrayHas(String what, Executable call) {
    refused(call, what + "=-4, at least 0 and at most 2147483639");
  }

  /** The array of 16 GiB is more than the heap of a test. */
  @Test
  void heapTooSmall() {
    int most = Input.LARGEST_CAPACITY;
    OutOfMemoryError error =
        assertThrows(
            OutOfMemoryError.class, () -> funnel.run(Fill.with(ElementType.LONG, 1, most)));
    String message = String.valueOf(error.getMessage());
    assertTrue(
        message.startsWith("array result needs more heap than is free: needed=17179869112 bytes"),
        message);
    assertTrue(message.endsWith("larger -Xmx, or use a smaller capacity, or work in parts"));
    assertEquals(3, funnel.sum(new int[] {1, 2}));
  }

  // Functions

  private static int[] table = {1, 2};
  private static final int[][] TABLES = {{1}, {2}};
  private static int counter;
  public static int publicCounter;

  private static int throwing(int v) {
    if (v < 0) {
      throw new IllegalArgumentException("v=" + v);
    }
    return v;
  }

  private static void cannot(Transform.IntMap function, String end) {
    String reason = KernelCopies.deviceReason(function).orElse("none");
    assertTrue(reason.endsWith(end), reason);
    assertEquals(-1, reason.indexOf(';'), reason);
  }

  @Test
  void functionsThatADeviceCannotRun() {
    String of = "funnel.MessagesTest.";
    String replaced =
        ", which may be replaced by another one: make its field final, or copy it to a local"
            + " variable before the lambda";
    String notFinal =
        ", which is not final, so that its value may change: make it a static final scalar, which"
            + " is copied as a constant";
    cannot(v -> table[v], "reads the array " + of + "table" + replaced);
    cannot(
        v -> TABLES[v][0],
        "reads the array " + of + "TABLES, and a device has arrays of numbers alone");
    cannot(v -> v + counter, "uses " + of + "counter" + notFinal);
    cannot(v -> v + publicCounter, "uses " + of + "publicCounter" + notFinal);
    cannot(
        MessagesTest::throwing,
        of + "throwing throws, but a device has no exceptions: return a value that says so");
  }

  @Test
  void capturedList() {
    List<Integer> k = List.of(3);
    Transform.IntMap times = v -> k.getFirst() * v;
    assertEquals(
        "it captures an object of type List: on a device, a function may capture numbers and arrays"
            + " of numbers alone; copy those that it needs to local variables",
        KernelCopies.deviceReason(times).orElse("none"));
  }
}
