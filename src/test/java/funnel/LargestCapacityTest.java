package funnel;

import static org.junit.jupiter.api.Assertions.assertTrue;

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
import funnel.operation.Device;
import funnel.operation.DeviceArrays;
import funnel.operation.Input;
import funnel.operation.Launches;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.rank.Quantiles;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.reduce.UserOperators;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import funnel.select.Runs;
import funnel.select.Select;
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
import funnel.transform.Fill;
import funnel.transform.Iota;
import funnel.transform.RandomNumbers;
import funnel.transform.Reverse;
import funnel.transform.Sample;
import funnel.transform.Shuffle;
import funnel.transform.Transpose;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** What primitives compute of their lengths on the host, at the largest: nothing wraps around. */
class LargestCapacityTest {

  private static final int LARGEST = Input.LARGEST_CAPACITY;

  private record Case(String name, List<Input> inputs, List<Step> steps) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Input input(String name, ElementType type) {
    return new Input(name, type, LARGEST);
  }

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (ElementType type : ElementType.values()) {
      List<Input> x = List.of(input("x", type));
      for (Reduction reduction :
          List.of(Reduction.sum(), Reduction.variance(), Reduction.argMax(), Reduction.minMax())) {
        add(cases, x, reduction.expand("y", x).primitives());
      }
      List<Input> both = List.of(input("x", type), input("z", type));
      add(cases, both, Reduction.dot().expand("y", both).primitives());
      for (ScanForm form : ScanForm.values()) {
        add(cases, x, Scan.inclusive(Operator.SUM).by(form).expand("y", x).primitives());
        if (type == ElementType.BYTE) {
          continue;
        }
        SegmentedScan scan = SegmentedScan.inclusive(Operator.SUM).by(form);
        addSegmented(cases, scan.segments(Segments.byHeads()), type, ElementType.BYTE, LARGEST);
        addSegmented(
            cases, scan.segments(Segments.byHeadBits()), type, ElementType.INT, LARGEST / 32 + 1);
        addSegmented(cases, scan.segments(Segments.byOffsets()), type, ElementType.INT, LARGEST);
        addSegmented(cases, scan.segments(Segments.byKeys()), type, ElementType.LONG, LARGEST);
      }
      for (ScanForm form : ScanForm.values()) {
        List<Input> flagged = List.of(x.getFirst(), input("f", ElementType.BYTE));
        add(cases, flagged, Select.flagged().by(form).expand("y", flagged).primitives());
      }
      List<Input> columns = List.of(input("f", ElementType.BYTE), x.getFirst(), input("z", type));
      add(cases, columns, Select.flagged().rows().expand("y", columns).primitives());
      add(cases, x, Runs.encode().expand("y", x).primitives());
      List<Input> runs = List.of(x.getFirst(), input("l", ElementType.INT));
      add(cases, runs, Runs.decode(LARGEST).expand("y", runs).primitives());
      List<Input> none = List.of();
      add(cases, none, Fill.with(type, 7, LARGEST).expand("y", none).primitives());
      add(cases, none, Iota.of(type, LARGEST).expand("y", none).primitives());
      add(cases, x, Reverse.elements().expand("y", x).primitives());
      for (int perRow : new int[] {1, 65, LARGEST}) {
        add(cases, x, Transpose.of(perRow).expand("y", x).primitives());
      }
      add(cases, x, Shuffle.by(-1).expand("y", x).primitives());
      add(cases, x, Sort.descending().expand("y", x).primitives());
      add(cases, both, SortedSearch.binarySearch().expand("y", both).primitives());
      add(cases, x, IsSorted.descending().expand("y", x).primitives());
      List<Input> rows = List.of(x.getFirst(), input("z", type));
      add(cases, rows, Sort.ascending().rows().expand("y", rows).primitives());
      add(cases, rows, Order.ascending().expand("y", rows).primitives());
      add(cases, x, TopK.largest(LARGEST).withPositions().expand("y", x).primitives());
      add(cases, x, Quantiles.median().interpolated().expand("y", x).primitives());
      List<Input> grouped = List.of(input("k", ElementType.LONG), x.getFirst());
      GroupBy groups = GroupBy.of(Aggregate.count(), Aggregate.sum(1), Aggregate.mean(1));
      add(cases, grouped, groups.expand("y", grouped).primitives());
      List<Input> joined = List.of(input("k", ElementType.LONG), input("l", ElementType.LONG));
      add(cases, joined, Join.inner(LARGEST).expand("y", joined).primitives());
      add(cases, joined, Join.semi().expand("y", joined).primitives());
      GroupBy others = GroupBy.of(Aggregate.variance(1), Aggregate.argMin(1)).runs();
      add(cases, grouped, others.expand("y", grouped).primitives());
      List<Input> two = List.of(input("k", ElementType.LONG), input("l", ElementType.INT));
      add(cases, two, GroupBy.of().keys(2).expand("y", two).primitives());
      List<Input> heads = List.of(x.getFirst(), input("f", ElementType.BYTE));
      SegmentedReduce reduce = SegmentedReduce.by(Operator.SUM);
      if (type != ElementType.BYTE) {
        add(cases, heads, reduce.expand("y", heads).primitives());
      }
      add(cases, heads, SegmentedSort.ascending().expand("y", heads).primitives());
      MergeSort sort = MergeSort.by(comparison(type));
      add(cases, x, sort.expand("y", x).primitives());
      add(cases, x, sort.positions().expand("y", x).primitives());
      List<Input> halves =
          List.of(new Input("x", type, LARGEST / 2), new Input("z", type, LARGEST - LARGEST / 2));
      add(cases, halves, SetOperation.union().expand("y", halves).primitives());
      add(cases, halves, Merge.ascending().expand("y", halves).primitives());
      add(cases, x, Sample.of(LARGEST, -1).expand("y", x).primitives());
      Elementwise function = functions(type);
      for (ElementType to : ElementType.values()) {
        add(cases, x, function.to(to).expand("y", x).primitives());
      }
      int indices = type == ElementType.FLOAT ? (1 << 24) + 1 : LARGEST;
      List<Primitive> ofIndex = function.indexed(indices).expand("y", List.of()).primitives();
      add(cases, List.of(), ofIndex);
      if (type != ElementType.BYTE) {
        add(cases, none, RandomNumbers.of(type, -1, LARGEST).expand("y", none).primitives());
        List<Input> three = List.of(input("i", ElementType.INT), x.getFirst(), input("o", type));
        add(cases, three, ScatterReduce.by(Operator.SUM).expand("y", three).primitives());
        add(cases, three, ScatterReduce.last().expand("y", three).primitives());
        List<Input> weights = List.of(input("i", ElementType.INT), x.getFirst());
        add(cases, weights, Histogram.ofKeys(100).weighted().expand("y", weights).primitives());
        add(cases, x, AdjacentDifference.left().expand("y", x).primitives());
      }
    }
    List<Input> ints = List.of(input("x", ElementType.INT));
    add(
        cases,
        ints,
        Reduction.of(UserOperators.FIRST_INT).expand("y", ints).primitives()); // the ordered tree
    for (HistogramMethod method : HistogramMethod.values()) {
      add(cases, ints, Histogram.ofKeys(200).by(method).expand("y", ints).primitives());
    }
    List<Primitive> positions = Shuffle.positions(LARGEST, -1).expand("y", List.of()).primitives();
    add(cases, List.of(), positions);
    List<Input> bytes = List.of(input("x", ElementType.BYTE));
    add(cases, bytes, Histogram.ofBytes().expand("y", bytes).primitives());
    add(cases, bytes, Tickets.stable().expand("y", bytes).primitives());
    add(cases, ints, Tickets.stable().expand("y", ints).primitives());
    add(cases, ints, Arbitration.of(LARGEST).expand("y", ints).primitives());
    return cases;
  }

  private static Comparison comparison(ElementType type) {
    return switch (type) {
      case BYTE, INT -> Comparison.ofInt("up", Integer::compare);
      case LONG -> Comparison.ofLong("up", Long::compare);
      case FLOAT -> Comparison.ofFloat("up", Float::compare);
      case DOUBLE -> Comparison.ofDouble("up", Double::compare);
    };
  }

  private static Elementwise functions(ElementType type) {
    return switch (type) {
      case BYTE, INT -> Elementwise.ofInt("same", x -> x);
      case LONG -> Elementwise.ofLong("same", x -> x);
      case FLOAT -> Elementwise.ofFloat("same", x -> x);
      case DOUBLE -> Elementwise.ofDouble("same", x -> x);
    };
  }

  private static void addSegmented(
      List<Case> cases, SegmentedScan scan, ElementType type, ElementType segments, int capacity) {
    List<Input> inputs = List.of(input("x", type), new Input("s", segments, capacity));
    add(cases, inputs, scan.expand("y", inputs).primitives());
  }

  private static void add(List<Case> cases, List<Input> inputs, List<Primitive> primitives) {
    List<Step> launched = primitives.stream().map(LargestCapacityTest::launched).toList();
    String name = "%s: %s of %s".formatted(cases.size(), launched.getFirst(), inputs);
    cases.add(new Case(name, inputs, launched));
  }

  /** Histograms by sorting are launched as parts. */
  private static Step launched(Primitive primitive) {
    boolean isSorted = primitive.toString().contains("method=" + HistogramMethod.SORTED);
    return primitive.in(isSorted ? Setting.on(Device.EMULATOR) : Setting.asIs());
  }

  /** Small arrays in the place of all that the primitives of a case name. */
  private static final class SmallArrays implements DeviceArrays {
    private final Map<String, Object> arrays = new HashMap<>();
    private final Map<String, Integer> lengths = new HashMap<>();

    SmallArrays(Case of) {
      of.inputs().forEach(i -> put(i.name(), i.type()));
      of.inputs().forEach(i -> lengths.put(i.name(), i.capacity()));
      of.steps().stream().flatMap(SmallArrays::slots).forEach(s -> put(s.name(), s.type()));
    }

    private static Stream<Primitive.Slot> slots(Step step) {
      return step.layout().slots().stream();
    }

    private void put(String name, ElementType type) {
      arrays.put(name, ProgramArrays.allocate(type, 1));
    }

    @Override
    public IntArray shape() {
      return new IntArray(1);
    }

    @Override
    public Object array(String name) {
      return arrays.get(name);
    }

    @Override
    public int index(String result) {
      return 0;
    }

    @Override
    public int offset(String name) {
      return 0;
    }

    @Override
    public int length(String name) {
      return lengths.getOrDefault(name, LARGEST);
    }
  }

  private static List<KernelTask> tasks(Step step, DeviceArrays arrays) {
    Launches launches = Launches.of(step, arrays, 0);
    step.launch(launches);
    return launches.tasks();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void gridsScratchAndShape(Case tried) {
    SmallArrays arrays = new SmallArrays(tried);
    for (Step step : tried.steps()) {
      for (KernelTask task : tasks(step, arrays)) {
        KernelTask.Grid grid = task.grid();
        long threads = (long) grid.blocks() * grid.threads();
        assertTrue(threads <= Integer.MAX_VALUE, () -> task.id() + ": threads=" + threads);
      }
      SmallArrays.slots(step)
          .forEach(slot -> assertTrue(slot.length() >= 0, () -> "length of " + slot));
      int[] shape = step.wholeShape(arrays);
      assertTrue(
          Arrays.stream(shape).allMatch(i -> i >= 0),
          () -> step + ": shape=" + Arrays.toString(shape));
    }
  }
}
