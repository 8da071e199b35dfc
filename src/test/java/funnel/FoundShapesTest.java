package funnel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import funnel.emulator.Emulator;
import funnel.engine.Program;
import funnel.engine.device.ProgramArrays;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.group.Join;
import funnel.group.SegmentedReduce;
import funnel.histogram.Arbitration;
import funnel.histogram.Histogram;
import funnel.histogram.HistogramMethod;
import funnel.histogram.ScatterReduce;
import funnel.histogram.Tickets;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operation.Target;
import funnel.operator.AffineMaps;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.rank.Quantiles;
import funnel.rank.SegmentedTopK;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import funnel.select.FindFirst;
import funnel.select.Partition;
import funnel.select.Runs;
import funnel.select.Select;
import funnel.select.ThreeWayPartition;
import funnel.select.Unique;
import funnel.sort.IsSorted;
import funnel.sort.Merge;
import funnel.sort.MergeSort;
import funnel.sort.Order;
import funnel.sort.SegmentedSort;
import funnel.sort.SetOperation;
import funnel.sort.Sort;
import funnel.sort.SortedSearch;
import funnel.transform.AdjacentDifference;
import funnel.transform.Elementwise;
import funnel.transform.Reverse;
import funnel.transform.Shuffle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** What kernels are told of a length that was found, and what a user's kernel can see of it. */
class FoundShapesTest {

  /** Cannot be launched before it is known whether it is a device's. */
  private static final Histogram SORTED = Histogram.ofKeys(200).by(HistogramMethod.SORTED);

  private static final String DERIVING = "_lengthOf_";

  /** An operation over inputs of these types, all of which one result is the length of. */
  private record Case(Operation operation, ElementType... types) {}

  private static List<Case> cases() {
    ElementType i = ElementType.INT;
    ElementType d = ElementType.DOUBLE;
    List<Case> cases = new ArrayList<>();
    for (ElementType type : ElementType.values()) {
      cases.add(new Case(Reduction.sum(), type));
      cases.add(new Case(Reduction.minMax(), type));
    }
    cases.add(new Case(Reduction.of(AffineMaps.FOLLOWED_BY), ElementType.LONG));
    cases.add(new Case(Reduction.dot(), d, d));
    cases.add(new Case(Reduction.variance(), ElementType.FLOAT));
    cases.add(new Case(AdjacentDifference.left(), i));
    cases.add(new Case(Reverse.elements(), d));
    cases.add(new Case(Shuffle.by(7), ElementType.BYTE));
    cases.add(new Case(Sort.ascending(), i));
    cases.add(new Case(Sort.descending(), d));
    cases.add(new Case(Order.ascending(), ElementType.FLOAT));
    cases.add(new Case(Sort.ascending().rows(), ElementType.BYTE, d));
    cases.add(new Case(Order.descending(), d, i));
    cases.add(new Case(SegmentedSort.ascending().segments(Segments.byKeys()), d, i));
    cases.add(new Case(GroupBy.of(Aggregate.count(), Aggregate.mean(1)), i, d));
    cases.add(new Case(Join.inner(100), i, i));
    cases.add(new Case(Join.semi(), ElementType.LONG, ElementType.LONG));
    cases.add(new Case(Join.asOf(), d, d));
    cases.add(new Case(Join.asOf(), d, d, i, i));
    GroupBy ofTwo = GroupBy.of(Aggregate.variance(1), Aggregate.argMax(1), Aggregate.last(1));
    cases.add(new Case(ofTwo.keys(2), i, ElementType.LONG, d));
    cases.add(new Case(GroupBy.of(Aggregate.argMin(1)).runs(), i, d));
    SegmentedReduce reduce = SegmentedReduce.by(Operator.SUM);
    cases.add(new Case(reduce, d, ElementType.BYTE));
    cases.add(new Case(reduce.segments(Segments.byKeys()), i, ElementType.LONG));
    cases.add(new Case(reduce.segments(Segments.byOffsets()), i, i));
    cases.add(new Case(TopK.largest(50), i));
    cases.add(new Case(TopK.smallest(50).withPositions(), d));
    cases.add(new Case(SegmentedTopK.of(TopK.largest(3)).segments(Segments.byKeys()), d, i));
    cases.add(new Case(Quantiles.median(), ElementType.BYTE));
    cases.add(new Case(Quantiles.of(0, .1, .9).interpolated(), ElementType.FLOAT));
    cases.add(new Case(SortedSearch.upperBound(), d, d));
    cases.add(new Case(SortedSearch.binarySearch(), ElementType.BYTE, ElementType.BYTE));
    cases.add(new Case(IsSorted.descending(), i));
    cases.add(new Case(Merge.ascending(), d, d));
    cases.add(new Case(SetOperation.difference(), i, i));
    MergeSort sort = MergeSort.by(Comparison.ofInt("up", Integer::compare));
    cases.add(new Case(sort, i));
    cases.add(new Case(sort.positions(), ElementType.BYTE));
    cases.add(new Case(sort.rows(), i, d));
    cases.add(new Case(Merge.ascending().rows(), d, d, i, i));
    cases.add(new Case(SetOperation.union().rows(), i, i, d, d));
    cases.add(new Case(SetOperation.difference().rows(), i, i, d));
    Comparison ofRows = Comparison.ofDouble("rows", (a, b, c, e) -> Double.compare(a + b, c + e));
    cases.add(new Case(MergeSort.by(ofRows).rows(), d, d, i));
    Elementwise function = Elementwise.ofDouble("all", (a, b, c) -> a + b - c);
    cases.add(new Case(function.to(ElementType.BYTE), d, d, d));
    cases.add(new Case(function.indexed(), d, d));
    cases.add(new Case(Partition.flagged(), d, ElementType.BYTE));
    cases.add(new Case(Select.flagged().rows(), ElementType.BYTE, d, i));
    cases.add(new Case(Unique.adjacent().rows(), d, i));
    cases.add(new Case(Runs.decode(10), d, i));
    Transform small = Transform.testInt("small", v -> v < 5);
    cases.add(new Case(new ThreeWayPartition(small, small), i));
    cases.add(new Case(FindFirst.where(small), ElementType.BYTE));
    for (ScanForm form : ScanForm.values()) {
      cases.add(new Case(Select.flagged().by(form), ElementType.BYTE, ElementType.BYTE));
      cases.add(new Case(Scan.inclusive(Operator.SUM).by(form), ElementType.FLOAT));
      cases.add(new Case(Scan.exclusive(Operator.SUM).to(d).by(form), ElementType.FLOAT));
      SegmentedScan segmented = SegmentedScan.inclusive(Operator.SUM).by(form);
      cases.add(new Case(segmented, d, ElementType.BYTE));
      cases.add(new Case(segmented.segments(Segments.byKeys()), i, ElementType.LONG));
      cases.add(new Case(segmented.segments(Segments.byOffsets()), i, i));
    }
    for (HistogramMethod method : HistogramMethod.values()) {
      cases.add(new Case(Histogram.ofKeys(200).by(method), i));
    }
    cases.add(new Case(Histogram.ofBytes(), ElementType.BYTE));
    cases.add(new Case(Histogram.even(10, 0.0, 1.0).weighted(), d, ElementType.FLOAT));
    cases.add(new Case(ScatterReduce.by(Operator.SUM), i, d, d));
    cases.add(new Case(ScatterReduce.last(), i, i, i));
    cases.add(new Case(Tickets.stable(), i));
    cases.add(new Case(Arbitration.of(30), i));
    return cases;
  }

  /** The program of a case, behind a primitive that finds the length. */
  private static Program program(Case of, int capacity) {
    List<Input> inputs = new ArrayList<>(List.of(new Input("k", ElementType.INT, 1)));
    List<Input> found = new ArrayList<>();
    for (ElementType type : of.types()) {
      int at = found.size();
      inputs.add(new Input("a" + at, type, capacity));
      found.add(new Input(at == 0 ? "f" : "f_" + at, type, capacity));
    }
    List<Primitive> primitives = new ArrayList<>();
    primitives.addAll(FirstOf.OPERATION.expand("f", inputs).primitives());
    primitives.addAll(of.operation().expand("y", found).primitives());
    return Program.of(inputs, primitives);
  }

  /** What the host knows if the found length is this one. */
  private static Primitive.Lengths lengths(Program program, ProgramArrays arrays, int found) {
    return program.lengths(
        new Primitive.Lengths() {
          @Override
          public int offset(String name) {
            return arrays.offset(name);
          }

          @Override
          public int length(String name) {
            return arrays.length(name);
          }

          @Override
          public int index(String result) {
            return arrays.index(result);
          }

          @Override
          public int found(String result, int capacity) {
            return result.equals("f_length") ? Math.min(found, capacity) : 0; // not run yet
          }
        });
  }

  private static void check(Program program, Case of, int capacity, SplittableRandom random) {
    ProgramArrays arrays = new ProgramArrays(program, Map.of());
    program.inputs().forEach(input -> arrays.setRange(input.name(), 0, input.capacity()));
    arrays.writeShape();
    Emulator emulator = Emulator.builder().build();
    IntArray found = (IntArray) arrays.array("f_length");
    for (int length : new int[] {random.nextInt(capacity + 1), 0, capacity}) {
      found.set(arrays.index("f_length"), length);
      int deriving = 0;
      for (Step step : program.steps().subList(1, program.steps().size())) {
        for (KernelTask task : arrays.tasks(step)) {
          if (task.id().contains(DERIVING)) {
            emulator.run(task);
            deriving++;
          }
        }
        Primitive.Lengths known = lengths(program, arrays, length);
        int[] expected = step.wholeShape(known);
        int[] told = new int[expected.length];
        for (int i = 0; i < told.length; i++) {
          told[i] = arrays.shape().get(arrays.shapeAt(step) + i);
        }
        assertArrayEquals(
            expected,
            told,
            "%s of %s, length=%s, capacity=%s, seed=%s"
                .formatted(step, of.operation(), length, capacity, Seed.VALUE));
      }
      assertTrue(deriving > 0, of.operation()::toString);
    }
  }

  /** On the device they are told the same as by the host of a length that it knows. */
  @Test
  void kernelsAreToldTheSame() {
    SplittableRandom random = Seed.random("found shapes");
    for (Case of : cases()) {
      int capacity = 1 + random.nextInt(1 << random.nextInt(1, 18));
      Program program = program(of, capacity);
      if (!of.operation().equals(SORTED)) {
        check(program, of, capacity, random);
      }
      check(program.in(Setting.toTheEnd()), of, capacity, random);
    }
  }

  /** Only of so many have segments of the ordered tree more than 8 items. */
  @Test
  void orderedReductionsOfManyElements() {
    Case maps = new Case(Reduction.of(AffineMaps.FOLLOWED_BY), ElementType.LONG);
    int capacity = 5_000_000;
    SplittableRandom random = Seed.random("ordered shapes");
    check(program(maps, capacity), maps, capacity, random);
  }

  static void plusOne(
      KernelContext context, IntArray values, IntArray result, IntArray length, int lengthAt) {
    int i = context.globalIdx;
    if (i < length.get(lengthAt)) {
      result.set(i, values.get(i) + 1);
    }
  }

  @Test
  void kernelsOfTheUserSeeTheLength() {
    assumeFalse(Sdk.isHere(), "TornadoVM's own task graph does not tell its tasks");
    int n = 300;
    IntArray values = new IntArray(n);
    values.init(3);
    IntArray count = new IntArray(1);
    IntArray after = new IntArray(n);
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            funnel
                .plan("first")
                .input("k", ElementType.INT, 1)
                .input("x", ElementType.INT, n)
                .add("f", FirstOf.OPERATION, "k", "x")
                .add("y", Scan.inclusive(Operator.SUM), "f")
                .add("last", Reduction.max(), "y")
                .add("h", Histogram.ofKeys(10), "f")
                .build()) {
      TaskGraph graph = new TaskGraph("mine");
      GridScheduler scheduler = new GridScheduler();
      graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, values, count);
      GraphResults results = plan.addTo(graph, scheduler, Map.of("x", values, "k", count));
      KernelTask.of(
              "after",
              Grid.of(2, 256),
              FoundShapesTest::plusOne,
              (IntArray) results.written("y"),
              after,
              results.lengthArray("y"),
              results.lengthIndex("y"))
          .addTo(graph, scheduler);
      graph.transferToHost(DataTransferMode.EVERY_EXECUTION, after);
      for (int found : new int[] {5, 0, n, 17}) {
        count.set(0, found);
        after.init(0);
        Emulator.builder().build().run(graph, scheduler);
        assertEquals(found, results.lengthArray("f").get(results.lengthIndex("f")));
        for (int i = 0; i < n; i++) {
          assertEquals(i < found ? 3 * i + 4 : 0, after.get(i));
        }
        if (found > 0) {
          assertEquals(3 * found, results.get("last"));
        } else {
          assertThrows(NoSuchElementException.class, () -> results.get("last"));
        }
      }
      for (String other : List.of("h", "none")) {
        assertThrows(IllegalArgumentException.class, () -> results.lengthArray(other));
      }
    }
  }
}
