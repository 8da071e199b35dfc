package funnel;

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
import funnel.operation.Operation;
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
import funnel.transform.Elementwise;
import funnel.transform.Fill;
import funnel.transform.Gather;
import funnel.transform.Iota;
import funnel.transform.RandomNumbers;
import funnel.transform.Reverse;
import funnel.transform.Sample;
import funnel.transform.Shuffle;
import funnel.transform.Transpose;
import java.util.List;

/** Operations of each kind, in each form. */
final class ShippedOperations {

  private static final Transform LARGE = Transform.testInt("large", x -> x > 2);
  private static final Transform SQUARE = Transform.ofInt("square", x -> x * x);
  private static final Transform MOMENT = Transform.indexedInt("moment", (i, x) -> i * x);
  private static final Transform SMALL = Transform.testInt("small", x -> x < 2);
  private static final Operator LARGER = Operator.ofInt("larger", 0, (a, b) -> a > b ? a : b);
  private static final Elementwise TWICE = Elementwise.ofInt("twice", x -> 2 * x);
  private static final Comparison DOWN = Comparison.ofInt("down", (x, y) -> Integer.compare(y, x));
  private static final Comparison DOWN_ROWS =
      Comparison.ofInt("rows", (a, b, c, d) -> Integer.compare(c, a));
  private static final Elementwise PLUS = Elementwise.ofInt("plus", (x, y) -> x + y);

  private ShippedOperations() {}

  /** Two of the same are equal, no two in the list are. */
  static List<Operation> shipped() {
    Histogram even = Histogram.even(3, 0, 12);
    return List.of(
        Reduction.sum(),
        Reduction.sumAsLong(),
        Reduction.mean(),
        Reduction.variance(),
        Reduction.dot(),
        Reduction.argMin(),
        Reduction.minMax(),
        Reduction.of(LARGER),
        Reduction.countIf(LARGE),
        Reduction.of(Operator.SUM, SQUARE),
        Reduction.of(Operator.SUM, MOMENT),
        Scan.inclusive(Operator.SUM),
        Scan.exclusive(Operator.SUM),
        Scan.exclusive(Operator.SUM).from(7),
        Scan.exclusive(Operator.SUM).from(7L),
        Scan.inclusive(Operator.SUM).to(ElementType.LONG),
        Scan.inclusive(Operator.SUM).continuing(),
        Scan.inclusive(Operator.SUM).by(ScanForm.SINGLE_PASS),
        SegmentedScan.inclusive(Operator.SUM),
        SegmentedScan.exclusive(Operator.SUM),
        SegmentedScan.inclusive(Operator.SUM).segments(Segments.byKeys()),
        SegmentedScan.inclusive(Operator.SUM).mapped(SQUARE),
        SegmentedScan.inclusive(Operator.SUM).from(7),
        SegmentedScan.inclusive(Operator.SUM).by(ScanForm.SINGLE_PASS),
        Window.rows(3, Operator.SUM),
        Window.rows(4, Operator.SUM),
        Window.rows(3, Operator.MAX),
        Window.rows(3, Operator.SUM).inSegments(),
        Window.ofWidths(Operator.SUM),
        Window.decayed(0.5),
        Window.decayed(0.25),
        Window.decayed(0.5).inSegments(),
        even,
        Histogram.even(3, 0.0, 12.0),
        Histogram.ranges(0, 4, 8, 12),
        Histogram.ranges(0.0, 4.0, 8.0, 12.0),
        Histogram.ofKeys(9),
        Histogram.ofBytes(),
        even.to(ElementType.LONG),
        even.channels(2),
        even.weighted(),
        even.accumulating(),
        even.by(HistogramMethod.SORTED),
        even.mapped(SQUARE),
        ScatterReduce.by(Operator.SUM),
        ScatterReduce.by(Operator.SUM).to(ElementType.LONG),
        ScatterReduce.last(),
        Tickets.stable(),
        Arbitration.of(3),
        Arbitration.of(4),
        AdjacentDifference.left(),
        Fill.with(ElementType.FLOAT, 1, 5),
        Fill.with(ElementType.INT, 1, 5),
        Fill.with(ElementType.INT, 2, 5),
        Fill.with(ElementType.INT, 2, 6),
        Iota.of(ElementType.INT, 5),
        Iota.of(ElementType.INT, 5).from(1),
        Iota.of(ElementType.INT, 5).step(2),
        RandomNumbers.of(ElementType.INT, 1, 5),
        RandomNumbers.of(ElementType.INT, 1, 5).from(1),
        RandomNumbers.of(ElementType.INT, 2, 5),
        RandomNumbers.of(ElementType.INT, 1, 5).between(0, 9),
        RandomNumbers.of(ElementType.INT, 1, 5).between(0, 8),
        RandomNumbers.of(ElementType.DOUBLE, 1, 5).exponential(2),
        RandomNumbers.of(ElementType.DOUBLE, 1, 5).exponential(1),
        RandomNumbers.of(ElementType.DOUBLE, 1, 5).normal(0, 1),
        RandomNumbers.of(ElementType.DOUBLE, 1, 5).normal(0, 2),
        RandomNumbers.flags(1, 5, 0.5),
        Reverse.elements(),
        Transpose.of(2),
        Transpose.of(3),
        Sort.ascending(),
        Sort.descending(),
        Sort.ascending().bits(0, 8),
        Sort.ascending().bits(0, 9),
        Sort.ascending().bits(1, 8),
        Sort.ascending().signed(),
        Sort.ascending().unsigned(),
        Sort.ascending().rows(),
        Sort.ascending().rows(2),
        SegmentedSort.ascending(),
        TopK.largest(3),
        TopK.largest(4),
        TopK.smallest(3),
        TopK.largest(3).positions(),
        TopK.largest(3).withPositions(),
        SegmentedTopK.of(TopK.largest(3)),
        SegmentedTopK.of(TopK.largest(3)).segments(Segments.byKeys()),
        Quantiles.median(),
        Quantiles.median().interpolated(),
        Quantiles.of(.5, .25),
        Quantiles.of(.25, .5),
        Join.inner(3),
        Join.inner(4),
        Join.inner(3).sortedRight(),
        Join.left(3),
        Join.left(3).sortedRight(),
        Join.semi(),
        Gather.at(),
        Gather.at().orElse(-1),
        Gather.at().orElse(Double.NaN),
        Join.anti(),
        Join.asOf(),
        GroupBy.of(),
        GroupBy.of(Aggregate.count()),
        GroupBy.of(Aggregate.count()).runs(),
        GroupBy.of(Aggregate.sum(1)),
        GroupBy.of(Aggregate.sum(2)),
        GroupBy.of(Aggregate.of(Operator.SUM, 1)),
        GroupBy.of(Aggregate.mean(1)),
        GroupBy.of(Aggregate.first(1)),
        GroupBy.of(Aggregate.last(1)),
        GroupBy.of(Aggregate.min(1)),
        GroupBy.of(Aggregate.max(1)),
        GroupBy.of(Aggregate.max(1)).keys(2),
        GroupBy.of(Aggregate.variance(1)),
        GroupBy.of(Aggregate.sampleVariance(1)),
        GroupBy.of(Aggregate.list(1), Aggregate.offsets()),
        GroupBy.of(Aggregate.rows()).keys(2),
        GroupBy.of(Aggregate.argMin(1)),
        GroupBy.of(Aggregate.argMax(1)),
        SegmentedReduce.by(Operator.SUM),
        SegmentedReduce.by(Operator.MAX),
        SegmentedReduce.by(Operator.SUM).segments(Segments.byHeadBits()),
        SegmentedReduce.by(Operator.SUM).segments(Segments.byOffsetsWithEnd()),
        SegmentedReduce.by(Operator.SUM).segments(Segments.byKeys()),
        SegmentedSort.descending(),
        SegmentedSort.ascending().segments(Segments.byOffsets()),
        Order.of(Sort.ascending().signed()),
        Order.ascending(),
        Order.descending(),
        SortedSearch.lowerBound(),
        SortedSearch.lowerBound().within(),
        SortedSearch.upperBound(),
        SortedSearch.binarySearch(),
        SortedSearch.binarySearch().descending(),
        IsSorted.ascending(),
        IsSorted.descending(),
        MergeSort.by(DOWN),
        MergeSort.by(DOWN).positions(),
        MergeSort.by(DOWN).rows(),
        MergeSort.by(DOWN_ROWS).positions(),
        MergeSort.by(DOWN_ROWS).rows(),
        MergeSort.by(Comparison.ofInt("other", (a, b) -> Integer.compare(b, a))),
        Merge.ascending(),
        Merge.descending(),
        Merge.by(DOWN),
        Merge.ascending().rows(),
        SetOperation.union(),
        SetOperation.intersection(),
        SetOperation.difference(),
        SetOperation.symmetricDifference(),
        SetOperation.union().descending(),
        SetOperation.union().by(DOWN),
        SetOperation.union().rows(),
        SetOperation.intersection().rows(),
        Shuffle.by(1),
        Shuffle.by(2),
        Shuffle.positions(5, 1),
        Sample.of(2, 1),
        Sample.of(3, 1),
        TWICE,
        TWICE.to(ElementType.FLOAT),
        TWICE.indexed(7),
        TWICE.indexed(8),
        PLUS,
        PLUS.indexed(),
        Select.where(LARGE),
        Select.where(LARGE).rejecting(),
        Select.where(LARGE).positions(),
        Select.where(LARGE).withPositions(),
        Select.where(LARGE).by(ScanForm.SINGLE_PASS),
        Select.flagged(),
        Select.where(LARGE).rows(),
        Select.where(TWICE),
        Select.where(LARGE).mapped(SQUARE),
        Scan.inclusive(Operator.SUM).mapped(SQUARE),
        Select.where(TWICE).rows(),
        Partition.where(TWICE),
        Select.where(LARGE).rows().withPositions(),
        Select.flagged().rows(),
        FindFirst.where(LARGE),
        FindFirst.where(LARGE).rejecting(),
        new ThreeWayPartition(LARGE, SMALL),
        new ThreeWayPartition(SMALL, LARGE),
        Partition.where(LARGE),
        Partition.where(LARGE).joined(),
        Partition.flagged(),
        Unique.adjacent(),
        Unique.adjacent().rows(),
        Runs.encode(),
        Runs.encode().by(ScanForm.SINGLE_PASS),
        Unique.adjacent().by(ScanForm.SINGLE_PASS),
        Partition.where(LARGE).by(ScanForm.SINGLE_PASS),
        Runs.decode(7),
        Runs.decode(8),
        LadderVariant.UNROLLING_2.reduction(64, Operator.SUM),
        LadderVariant.UNROLLING_2.reduction(128, Operator.SUM),
        LadderVariant.INTERLEAVED_PAIRS.reduction(64, Operator.SUM),
        LadderVariant.UNROLLING_2.reduction(64, Operator.MAX),
        ScanVariant.BLELLOCH.scan(64, Operator.SUM),
        ScanVariant.BLELLOCH.scan(128, Operator.SUM),
        ScanVariant.HILLIS_STEELE.scan(64, Operator.SUM),
        ScanVariant.BLELLOCH.scan(64, Operator.MAX));
  }
}
