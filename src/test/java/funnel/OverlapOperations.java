package funnel;

import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.group.Join;
import funnel.group.SegmentedReduce;
import funnel.histogram.Arbitration;
import funnel.histogram.Histogram;
import funnel.histogram.ScatterReduce;
import funnel.histogram.Tickets;
import funnel.lessons.ScanVariant;
import funnel.operator.Comparison;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.rank.Quantiles;
import funnel.rank.TopK;
import funnel.scan.Scan;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import funnel.select.Runs;
import funnel.select.Select;
import funnel.select.ThreeWayPartition;
import funnel.select.Unique;
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
import funnel.transform.Sample;
import funnel.transform.Shuffle;
import funnel.transform.Transpose;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Operations over small arrays of ints, and in whose memory their outputs may be. */
final class OverlapOperations {

  static final Scan SUM = Scan.inclusive(Operator.SUM);

  /** An input and its elements. */
  record Given(String name, int... values) {}

  /**
   * An operation with the outputs {@code outputs}.
   *
   * @param inPlace in whose memory the first of them may be
   */
  record Operation(
      String name,
      List<Given> inputs,
      List<String> outputs,
      Set<String> inPlace,
      Consumer<Plan.Builder> add) {

    Operation(String name, Set<String> inPlace, Consumer<Plan.Builder> add, Given... inputs) {
      this(name, List.of(inputs), List.of("y"), inPlace, add);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static final Transform POSITIVE = Transform.testInt("positive", v -> v > 0);
  static final Transform SMALL = Transform.testInt("small", v -> v < 2);

  static final Given X = new Given("x", 3, 1, 4, 1, 5);
  static final Given KEYS = new Given("x", 0, 2, 1, 2, 0);
  static final Given WEIGHTS = new Given("w", 1, 2, 4, 8, 16);
  static final Given BEFORE = new Given("b", 1, 2, 3);
  static final Given INDICES = new Given("i", 2, 0, 2, 2);
  static final Given VALUES = new Given("v", 10, 20, 30, 40);

  static Operation scatter(String name, ScatterReduce scatter) {
    return new Operation(
        "scatter reduction " + name,
        Set.of("b"),
        plan -> plan.add("y", scatter, "i", "v", "b"),
        INDICES,
        VALUES,
        BEFORE);
  }

  static List<Operation> operations() {
    SegmentedScan segmented = SegmentedScan.inclusive(Operator.SUM);
    List<Operation> all = new ArrayList<>();
    all.add(new Operation("scan", Set.of("x"), plan -> plan.add("y", SUM, "x"), X));
    all.add(
        new Operation(
            "continuing scan",
            Set.of("x"),
            plan -> plan.add("y", SUM.continuing(), "x", "f"),
            X,
            new Given("f", 7)));
    all.add(
        new Operation(
            "scan by keys",
            Set.of("x", "s"),
            plan -> plan.add("y", segmented.segments(Segments.byKeys()), "x", "s"),
            X,
            new Given("s", 7, 7, 2, 2, 2)));
    all.add(
        new Operation(
            "scan by bits",
            Set.of("x", "s"),
            plan -> plan.add("y", segmented.segments(Segments.byHeadBits()), "x", "s"),
            X,
            new Given("s", 5)));
    all.add(
        new Operation(
            "scan by offsets",
            Set.of("x"),
            plan -> plan.add("y", segmented.segments(Segments.byOffsets()), "x", "s"),
            X,
            new Given("s", 0, 2)));
    for (ScanVariant variant : ScanVariant.values()) {
      all.add(
          new Operation(
              "variant " + variant,
              Set.of("x"),
              plan -> plan.add("y", variant.scan(64, Operator.SUM), "x"),
              X));
    }
    Histogram keys = Histogram.ofKeys(3);
    all.add(new Operation("histogram", Set.of(), plan -> plan.add("y", keys, "x"), KEYS));
    all.add(
        new Operation(
            "accumulating histogram",
            Set.of("b"),
            plan -> plan.add("y", keys.accumulating(), "x", "b"),
            KEYS,
            BEFORE));
    all.add(
        new Operation(
            "weighted histogram",
            Set.of(),
            plan -> plan.add("y", keys.weighted(), "x", "w"),
            KEYS,
            WEIGHTS));
    all.add(
        new Operation(
            "accumulating weighted histogram",
            Set.of("b"),
            plan -> plan.add("y", keys.weighted().accumulating(), "x", "w", "b"),
            KEYS,
            WEIGHTS,
            BEFORE));
    all.add(scatter("by sum", ScatterReduce.by(Operator.SUM)));
    all.add(scatter("to the last", ScatterReduce.last()));
    all.add(scatter("by mine", ScatterReduce.by(Operator.ofInt("mine", 0, (a, b) -> a + b))));
    all.add(new Operation("tickets", Set.of(), plan -> plan.add("y", Tickets.stable(), "x"), X));
    Select positive = Select.where(POSITIVE);
    all.add(new Operation("selection", Set.of(), plan -> plan.add("y", positive, "x"), X));
    all.add(new Operation("unique", Set.of(), plan -> plan.add("y", Unique.adjacent(), "x"), X));
    List<String> parts = List.of("y_first", "y_second", "y_rest");
    ThreeWayPartition three = new ThreeWayPartition(SMALL, POSITIVE);
    all.add(new Operation("parts", List.of(X), parts, Set.of(), plan -> plan.add("y", three, "x")));
    all.add(
        new Operation(
            "rows",
            List.of(X, new Given("k", 0, 2, 1, 2, 0)),
            List.of("y_1", "y_2", "y_positions"),
            Set.of(),
            plan -> plan.add("y", Select.where(POSITIVE).rows().withPositions(), "x", "x", "k")));
    all.add(
        new Operation(
            "runs",
            List.of(X),
            List.of("y", "y_starts", "y_lengths"),
            Set.of(),
            plan -> plan.add("y", Runs.encode(), "x")));
    all.add(
        new Operation(
            "difference", Set.of(), plan -> plan.add("y", AdjacentDifference.left(), "x"), X));
    all.add(new Operation("reverse", Set.of(), plan -> plan.add("y", Reverse.elements(), "x"), X));
    all.add(new Operation("transpose", Set.of(), plan -> plan.add("y", Transpose.of(1), "x"), X));
    all.add(new Operation("shuffle", Set.of(), plan -> plan.add("y", Shuffle.by(7), "x"), X));
    all.add(new Operation("sort", Set.of(), plan -> plan.add("y", Sort.ascending(), "x"), X));
    all.add(new Operation("order", Set.of(), plan -> plan.add("y", Order.ascending(), "x"), X));
    all.add(
        new Operation(
            "top",
            List.of(X),
            List.of("y", "y_positions"),
            Set.of(),
            plan -> plan.add("y", TopK.largest(3).withPositions(), "x")));
    Quantiles quantiles = Quantiles.of(.5, 1);
    all.add(new Operation("quantiles", Set.of(), plan -> plan.add("y", quantiles, "x"), X));
    all.add(
        new Operation(
            "groups",
            List.of(X, new Given("k", 0, 2, 1, 2, 0)),
            List.of("y", "y_1"),
            Set.of(),
            plan -> plan.add("y", GroupBy.of(Aggregate.min(1)), "x", "k")));
    Given right = new Given("k", 0, 2, 1, 2);
    all.add(
        new Operation(
            "join",
            List.of(X, right),
            List.of("y_left", "y_right"),
            Set.of(),
            plan -> plan.add("y", Join.inner(4), "x", "k")));
    all.add(
        new Operation(
            "semi join", Set.of(), plan -> plan.add("y", Join.semi(), "x", "k"), X, right));
    all.add(
        new Operation(
            "segmented reduction",
            Set.of(),
            plan ->
                plan.add(
                    "y", SegmentedReduce.by(Operator.SUM).segments(Segments.byKeys()), "x", "k"),
            X,
            new Given("k", 0, 0, 1, 1, 0)));
    all.add(
        new Operation(
            "segmented sort",
            Set.of(),
            plan -> plan.add("y", SegmentedSort.ascending().segments(Segments.byKeys()), "x", "k"),
            X,
            new Given("k", 0, 0, 1, 1, 0)));
    all.add(
        new Operation(
            "search",
            Set.of(),
            plan -> plan.add("y", SortedSearch.upperBound(), "x", "w"),
            X,
            WEIGHTS));
    all.add(
        new Operation(
            "rows by keys",
            List.of(X, new Given("k", 0, 2, 1, 2, 0)),
            List.of("y_1", "y_2"),
            Set.of(),
            plan -> plan.add("y", Sort.ascending().rows(), "x", "x", "k")));
    MergeSort sort = MergeSort.by(Comparison.ofInt("up", Integer::compare));
    all.add(new Operation("merge sort", Set.of(), plan -> plan.add("y", sort, "x"), X));
    all.add(
        new Operation(
            "positions of a merge sort",
            Set.of(),
            plan -> plan.add("y", sort.positions(), "x"),
            X));
    all.add(
        new Operation(
            "merge",
            Set.of(),
            plan -> plan.add("y", Merge.ascending(), "s", "t"),
            new Given("s", 1, 3),
            new Given("t", 2, 3, 4)));
    all.add(
        new Operation(
            "merge of rows",
            List.of(
                new Given("s", 1, 3),
                new Given("t", 2, 3, 4),
                new Given("v", 10, 30),
                new Given("w", 20, 31, 40)),
            List.of("y", "y_1"),
            Set.of(),
            plan -> plan.add("y", Merge.ascending().rows(), "s", "t", "v", "w")));
    all.add(
        new Operation(
            "difference of rows",
            List.of(new Given("s", 1, 3), new Given("t", 2, 3, 4), new Given("v", 10, 30)),
            List.of("y", "y_1"),
            Set.of(),
            plan -> plan.add("y", SetOperation.difference().rows(), "s", "t", "v")));
    MergeSort byRow =
        MergeSort.by(Comparison.ofInt("rows", (a, b, c, d) -> Integer.compare(a - b, c - d)));
    all.add(
        new Operation(
            "positions of rows",
            Set.of(),
            plan -> plan.add("y", byRow.positions(), "x", "w"),
            X,
            WEIGHTS));
    all.add(
        new Operation(
            "union",
            Set.of(),
            plan -> plan.add("y", SetOperation.union(), "s", "t"),
            new Given("s", 1, 3),
            new Given("t", 2, 3, 4)));
    all.add(new Operation("sample", Set.of(), plan -> plan.add("y", Sample.of(3, 7), "x"), X));
    Elementwise minus = Elementwise.ofInt("minus", (a, b) -> a - b);
    all.add(
        new Operation(
            "elementwise", Set.of("x", "w"), plan -> plan.add("y", minus, "x", "w"), X, WEIGHTS));
    all.add(
        new Operation(
            "elementwise of three",
            Set.of("x"),
            plan -> plan.add("y", Elementwise.ofInt("all", (a, b, c) -> a + b - c), "x", "x", "x"),
            X));
    all.add(
        new Operation(
            "arbitration",
            List.of(new Given("x", 2, 0, 2, -1)),
            List.of("y", "y_won"),
            Set.of(),
            plan -> plan.add("y", Arbitration.of(3), "x")));
    return all;
  }

  private OverlapOperations() {}
}
