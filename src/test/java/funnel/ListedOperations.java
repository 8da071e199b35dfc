package funnel;

import funnel.engine.Program;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.group.Join;
import funnel.group.SegmentedReduce;
import funnel.histogram.Arbitration;
import funnel.histogram.Histogram;
import funnel.histogram.HistogramMethod;
import funnel.histogram.ScatterReduce;
import funnel.histogram.Tickets;
import funnel.lessons.LadderVariant;
import funnel.lessons.ScanVariant;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operation.Primitive;
import funnel.operation.Step;
import funnel.operator.Comparison;
import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Storage;
import funnel.operator.Transform;
import funnel.rank.Quantiles;
import funnel.rank.SegmentedTopK;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import funnel.scan.Window;
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
import funnel.transform.Bits;
import funnel.transform.Concat;
import funnel.transform.Elementwise;
import funnel.transform.Fill;
import funnel.transform.Gather;
import funnel.transform.Iota;
import funnel.transform.Narrow;
import funnel.transform.RandomNumbers;
import funnel.transform.Reverse;
import funnel.transform.Sample;
import funnel.transform.Scatter;
import funnel.transform.Shift;
import funnel.transform.Shuffle;
import funnel.transform.Slice;
import funnel.transform.Transpose;
import funnel.transform.Widen;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Operations of every kind in all forms, with shipped operators and a user's, and inputs. */
final class ListedOperations {

  static final int CAPACITY = 5000;

  private static final List<Operator> OPERATORS =
      List.of(
          Operator.SUM,
          Operator.ofInt("ints", 0, (a, b) -> a | b),
          Operator.ofLong("longs", 0, (a, b) -> a | b),
          Operator.ofFloat("floats", 0, (a, b) -> a > b ? a : b),
          Operator.ofDouble("doubles", 0, (a, b) -> a > b ? a : b),
          Operator.ofInt("commutative", 0, (a, b) -> a ^ b).commutative());

  private static final List<Transform> TRANSFORMS =
      List.of(
          Transform.ofInt("ofInt", a -> a + 1),
          Transform.ofLong("ofLong", a -> a + 1),
          Transform.ofFloat("ofFloat", a -> a + 1),
          Transform.ofDouble("ofDouble", a -> a + 1));

  static final List<Transform> TESTS =
      List.of(
          Transform.testInt("testInt", a -> a > 1),
          Transform.testLong("testLong", a -> a > 1),
          Transform.testFloat("testFloat", a -> a > 1),
          Transform.testDouble("testDouble", a -> a > 1));

  /** Several that differ only in their forms have one name. */
  record Named(String name, Operation operation) {}

  private final List<Named> operations = new ArrayList<>();

  private ListedOperations() {}

  /** What there is of something, and variations of it that are not refused. */
  private static <T> List<T> variants(List<T> of, List<Function<T, T>> variations) {
    List<T> all = new ArrayList<>(of);
    for (T one : of) {
      for (Function<T, T> variation : variations) {
        orNone(() -> variation.apply(one)).forEach(all::add);
      }
    }
    return all;
  }

  static <T> List<T> orNone(Supplier<T> supplier) {
    try {
      return List.of(supplier.get());
    } catch (IllegalArgumentException e) {
      if (String.valueOf(e.getMessage()).contains("has no twin")) {
        throw e;
      }
      return List.of();
    }
  }

  private void add(Operation operation) {
    add(operation.toString(), operation);
  }

  private void add(String name, Operation operation) {
    operations.add(new Named(name, operation));
  }

  private void reductions() {
    for (Operator operator : OPERATORS) {
      add(Reduction.of(operator));
      for (LadderVariant variant : LadderVariant.values()) {
        orNone(() -> variant.reduction(128, operator))
            .forEach(ladder -> add(variant.label() + " of " + operator, ladder));
      }
    }
    for (int type = 0; type < TRANSFORMS.size(); type++) {
      add(Reduction.of(Operator.SUM, TRANSFORMS.get(type)));
      add(Reduction.of(OPERATORS.get(1 + type), TRANSFORMS.get(type)));
      add(Reduction.countIf(TESTS.get(type)));
    }
    add(Reduction.sumAsLong());
    add(Reduction.sumAsDouble());
    add(Reduction.sumOfSquares());
    add(Reduction.dot());
    add(Reduction.mean());
    add(Reduction.meanFromFirst());
    add(Reduction.variance());
    add(Reduction.argMin());
    add(Reduction.argMax());
    add(Reduction.minMax());
  }

  private void scans() {
    for (Operator operator : OPERATORS) {
      List<Scan> scans = List.of(Scan.inclusive(operator), Scan.exclusive(operator));
      scans = variants(scans, List.of(s -> s.by(ScanForm.SINGLE_PASS), s -> s.from(1)));
      scans = variants(scans, List.of(s -> s.by(ScanForm.REDUCE_THEN_SCAN), Scan::continuing));
      variants(scans, List.of(s -> s.to(ElementType.LONG), s -> s.to(ElementType.DOUBLE)))
          .forEach(this::add);
      for (ScanVariant variant : ScanVariant.values()) {
        add(variant.label() + " of " + operator, variant.scan(64, operator));
      }
      for (int rows : new int[] {3, 700}) {
        add(Window.rows(rows, operator));
        add(Window.rows(rows, operator).inSegments());
      }
      add(Window.ofWidths(operator));
      List<SegmentedScan> segmented =
          List.of(SegmentedScan.inclusive(operator), SegmentedScan.exclusive(operator));
      segmented =
          variants(
              segmented,
              List.of(
                  s -> s.segments(Segments.byHeads()),
                  s -> s.segments(Segments.byHeadBits()),
                  s -> s.segments(Segments.byOffsets()),
                  s -> s.segments(Segments.byKeys())));
      variants(
              segmented,
              List.of(s -> s.by(ScanForm.SINGLE_PASS), s -> s.by(ScanForm.REDUCE_THEN_SCAN)))
          .forEach(this::add);
    }
    add(Window.decayed(0.5));
    add(Window.decayed(0.5).inSegments());
  }

  private void histograms() {
    List<Histogram> histograms =
        List.of(
            Histogram.ofBytes(),
            Histogram.ofKeys(300),
            Histogram.even(10, 0, 99),
            Histogram.even(10, 0.5, 99.5),
            Histogram.even(300, 0.5, 99.5),
            Histogram.ranges(1, 2, 5),
            Histogram.ranges(1L, 2, 5),
            Histogram.ranges(1f, 2, 5),
            Histogram.ranges(1d, 2, 5));
    List<Function<Histogram, Histogram>> methods = new ArrayList<>();
    for (HistogramMethod method : HistogramMethod.values()) {
      methods.add(histogram -> histogram.by(method));
    }
    histograms = variants(histograms, methods);
    histograms = variants(histograms, List.of(Histogram::weighted, h -> h.channels(3)));
    histograms = variants(histograms, List.of(Histogram::accumulating));
    variants(histograms, List.of(h -> h.to(ElementType.LONG), h -> h.to(ElementType.DOUBLE)))
        .forEach(this::add);
    List<ScatterReduce> scatters = new ArrayList<>(List.of(ScatterReduce.last()));
    OPERATORS.forEach(operator -> scatters.add(ScatterReduce.by(operator)));
    variants(scatters, List.of(s -> s.to(ElementType.LONG), s -> s.to(ElementType.DOUBLE)))
        .forEach(this::add);
    add(Tickets.stable());
    add(Arbitration.of(100));
  }

  private void selections() {
    for (Transform test : TESTS) {
      add(FindFirst.where(test));
      add(new ThreeWayPartition(test, test));
      add(Partition.where(test));
      add(Partition.where(test).joined());
      for (ScanForm form : ScanForm.values()) {
        add(Select.where(test).withPositions().by(form));
      }
      add(Select.where(test).rows());
    }
    for (ScanForm form : ScanForm.values()) {
      add(Select.flagged().rejecting().by(form));
    }
    add(Partition.flagged());
    add(Select.where(Elementwise.ofInt("third", (i, v) -> i % 3).indexed()));
    add(Unique.adjacent());
    add(Unique.adjacent().rows());
    add(Runs.encode());
    add(Runs.decode(CAPACITY));
  }

  private interface OfInts extends ElementFunction {
    int of(int x, int value);
  }

  private interface OfLongs extends ElementFunction {
    long of(long x, long value);
  }

  private interface OfFloats extends ElementFunction {
    float of(float x, float value);
  }

  private interface OfCount extends ElementFunction {
    long of(int x, long value);
  }

  private interface OfMean extends ElementFunction {
    double of(int x, double value);
  }

  /** A function of elements, and of the single value of an operation over them. */
  private record OfValue(Operation value, Elementwise function) implements Operation {
    @Override
    public Expansion expand(String output, List<Input> inputs) {
      Expansion first = value.expand(output + ".value", inputs);
      Output single = first.outputs().getFirst();
      Input last = new Input(single.name(), single.type(), 1, single);
      List<Primitive> all = new ArrayList<>(first.primitives());
      all.addAll(function.expand(output, List.of(inputs.getFirst(), last)).primitives());
      return new Expansion(all, List.of());
    }
  }

  /** A search within parts whose begins are their ends. */
  private record WithinParts() implements Operation {
    @Override
    public Expansion expand(String output, List<Input> inputs) {
      List<Input> all = new ArrayList<>(inputs);
      all.addAll(inputs.subList(Math.max(0, inputs.size() - 1), inputs.size()));
      return SortedSearch.upperBound().within().expand(output, all);
    }
  }

  private void transforms() {
    add(AdjacentDifference.left());
    Elementwise ofIndex = Elementwise.ofInt("ofIndex", i -> 3 * i);
    List<Elementwise> functions =
        List.of(
            ofIndex,
            ofIndex.indexed(CAPACITY),
            Elementwise.ofLong("ofIndex", i -> 3 * i).indexed(CAPACITY),
            Elementwise.ofFloat("ofIndex", i -> 3 * i).indexed(CAPACITY),
            Elementwise.ofDouble("ofIndex", i -> 3 * i).indexed(CAPACITY),
            Elementwise.ofInt("ofInts", (a, b) -> a - b),
            Elementwise.ofLong("ofLongs", (a, b) -> a - b),
            Elementwise.ofFloat("ofFloats", (a, b) -> a - b),
            Elementwise.ofDouble("ofDoubles", (a, b, c) -> a - b + c));
    functions = variants(functions, List.of(Elementwise::indexed));
    for (ElementType to : ElementType.values()) {
      functions.forEach(function -> add(function.to(to)));
    }
    Reduction max = Reduction.of(Operator.MAX);
    add("by the largest int", new OfValue(max, Elementwise.of("f", (OfInts) (x, v) -> x - v)));
    add("by the largest long", new OfValue(max, Elementwise.of("f", (OfLongs) (x, v) -> x - v)));
    add("by the largest float", new OfValue(max, Elementwise.of("f", (OfFloats) (x, v) -> x - v)));
    Reduction odd = Reduction.countIf(Transform.testInt("odd", v -> (v & 1) == 1));
    add("by a count", new OfValue(odd, Elementwise.of("f", (OfCount) (x, v) -> x - v)));
    add(
        "by the mean",
        new OfValue(Reduction.mean(), Elementwise.of("f", (OfMean) (x, v) -> x - v)));
    for (ElementType type : ElementType.values()) {
      add(Fill.with(type, 7, CAPACITY));
      add(Iota.of(type, CAPACITY));
      add(Fill.with(type, 7));
      add(Iota.of(type));
      orNone(() -> RandomNumbers.of(type, 7, CAPACITY)).forEach(this::add);
      orNone(() -> RandomNumbers.of(type, 7, CAPACITY).between(0, 7)).forEach(this::add);
      orNone(() -> RandomNumbers.of(type, 7, CAPACITY).exponential(1)).forEach(this::add);
      orNone(() -> RandomNumbers.of(type, 7, CAPACITY).normal(1, 2)).forEach(this::add);
    }
    add(RandomNumbers.flags(7, CAPACITY, 0.5));
    add(Reverse.elements());
    add(Slice.of(10, 3000));
    add(Slice.from(70));
    add(Slice.limit(70));
    add(Slice.last(70));
    add(Shift.by(-3, 7));
    add(Concat.all());
    add(Bits.ofFlags());
    add(Bits.toFlags(CAPACITY));
    for (Storage<?> storage : Storage.all()) {
      if (storage.isNarrow()) {
        add(Widen.from(storage));
        add(Narrow.to(storage));
      }
    }
    add(Transpose.of(3));
    add(Shuffle.by(7));
    add("positions", Shuffle.positions(CAPACITY, 7));
    add(Sample.of(77, 7));
    add(Sort.ascending());
    add(Sort.descending().bits(2, 5));
    add(Order.descending());
    add(SortedSearch.lowerBound());
    add(new WithinParts());
    add(SortedSearch.binarySearch().descending());
    add(IsSorted.descending());
    add(Sort.ascending().rows());
    add(Sort.ascending().rows(2));
    add(SegmentedSort.ascending());
    add(TopK.largest(7).withPositions());
    add(SegmentedTopK.of(TopK.largest(7)));
    add(SegmentedTopK.of(TopK.smallest(7).positions()).segments(Segments.byOffsets()));
    add(Quantiles.median());
    add(Quantiles.of(0, .5, 1).interpolated());
    List<Aggregate> aggregates =
        new ArrayList<>(
            List.of(
                Aggregate.count(),
                Aggregate.sum(1),
                Aggregate.sumAsDouble(1),
                Aggregate.mean(1),
                Aggregate.variance(1),
                Aggregate.sampleVariance(1),
                Aggregate.argMin(1),
                Aggregate.argMax(1),
                Aggregate.first(1),
                Aggregate.last(1),
                Aggregate.list(1),
                Aggregate.rows(),
                Aggregate.offsets()));
    OPERATORS.forEach(operator -> aggregates.add(Aggregate.of(operator, 1)));
    for (Aggregate aggregate : aggregates) {
      variants(List.of(GroupBy.of(aggregate)), List.of(group -> group.keys(2), GroupBy::runs))
          .forEach(this::add);
    }
    add(GroupBy.of(Aggregate.count(), Aggregate.mean(1), Aggregate.last(1)));
    add(Join.inner(CAPACITY));
    add(Join.left(CAPACITY));
    add(Join.left(CAPACITY).sortedRight());
    add(Join.anti());
    add(Join.asOf());
    List<SegmentedReduce> segmented = List.of(SegmentedReduce.by(Operator.SUM));
    variants(
            segmented,
            List.of(
                s -> s.segments(Segments.byHeadBits()),
                s -> s.segments(Segments.byOffsets()),
                s -> s.segments(Segments.byKeys())))
        .forEach(this::add);
    add(SegmentedSort.of(Sort.ascending().rows()).segments(Segments.byKeys()));
    add(Merge.ascending());
    add(SetOperation.union().descending());
    List<Comparison> comparisons =
        List.of(
            Comparison.ofInt("ints", Integer::compare),
            Comparison.ofLong("longs", Long::compare),
            Comparison.ofFloat("floats", Float::compare),
            Comparison.ofDouble("doubles", Double::compare));
    for (Comparison comparison : comparisons) {
      add(Merge.by(comparison));
      add(MergeSort.by(comparison));
      add(MergeSort.by(comparison).positions());
    }
    add(MergeSort.by(comparisons.getFirst()).rows());
    List<Comparison> ofRows =
        List.of(
            Comparison.ofInt("rows of ints", (a, b, c, d) -> Integer.compare(a, d)),
            Comparison.ofLong("rows of longs", (a, b, c, d) -> Long.compare(a, d)),
            Comparison.ofFloat("rows of floats", (a, b, c, d) -> Float.compare(a, d)),
            Comparison.ofDouble("rows of 3", (a, b, c, d, e, f) -> Double.compare(c, f)));
    ofRows.forEach(comparison -> add(MergeSort.by(comparison).positions()));
    add(SetOperation.difference().rows());
    add(Gather.at());
    add(Gather.at().orElse(1));
    add(Scatter.into(300));
    add(Scatter.over());
  }

  /** All lists of up to three inputs, but a fifth of those of three types, as only columns are. */
  private static List<List<Input>> inputs() {
    List<List<Input>> all = new ArrayList<>();
    List<List<Input>> shorter = List.of(List.of());
    all.addAll(shorter);
    for (String name : List.of("x", "y", "z")) {
      List<List<Input>> longer = new ArrayList<>();
      for (List<Input> before : shorter) {
        for (ElementType type : ElementType.values()) {
          List<Input> more = new ArrayList<>(before);
          more.add(new Input(name, type, CAPACITY));
          longer.add(more);
        }
      }
      all.addAll(longer);
      shorter = longer;
    }
    all.removeIf(ListedOperations::isOfThreeTypes);
    return all;
  }

  private static boolean isOfThreeTypes(List<Input> inputs) {
    return inputs.stream().map(Input::type).distinct().count() == 3
        && inputs.stream().mapToInt(input -> input.type().ordinal()).sum() % 5 > 0;
  }

  /** Gives an action all operations, each with all inputs, also with those that it refuses. */
  static void each(BiConsumer<Named, List<Input>> action) {
    ListedOperations of = new ListedOperations();
    of.reductions();
    of.scans();
    of.histograms();
    of.transforms();
    of.selections();
    for (List<Input> inputs : inputs()) {
      of.operations.forEach(named -> action.accept(named, inputs));
    }
    for (ElementType type : ElementType.values()) {
      List<Input> tile = List.of(new Input("x", type, 100));
      action.accept(new Named("sort of a tile", Sort.ascending()), tile);
      action.accept(new Named("order of a tile", Order.ascending()), tile);
      List<Input> tables =
          Stream.of("a", "b", "c", "d").map(name -> new Input(name, type, CAPACITY)).toList();
      action.accept(new Named("merge of rows", Merge.ascending().rows()), tables);
      action.accept(new Named("union of rows", SetOperation.union().rows()), tables);
    }
  }

  /** Whether one is a histogram by sorting, which is launched as its parts alone. */
  static boolean isOfParts(Program program) {
    return program.steps().stream()
        .map(Step::toString)
        .anyMatch(
            said ->
                said.startsWith("HistogramStep")
                    && said.contains("method=" + HistogramMethod.SORTED)
                    && said.contains("device=null")
                    && said.contains("mayGiveUp=true"));
  }
}
