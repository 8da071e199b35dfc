package funnel;

import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.group.Join;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.rank.Quantiles;
import funnel.rank.SegmentedTopK;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Segments;
import funnel.select.Unique;
import funnel.sort.IsSorted;
import funnel.sort.Merge;
import funnel.sort.MergeSort;
import funnel.sort.Order;
import funnel.sort.SegmentedSort;
import funnel.sort.SetOperation;
import funnel.sort.Sort;
import funnel.sort.SortedSearch;
import funnel.transform.Gather;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Sorts, ranks, searches, merges and set operations of arrays whose lengths are found. */
abstract class FoundSortsContract extends FoundLengths {

  @Test
  void sorts() {
    int capacity = scale() * 4500;
    SplittableRandom random = random("sorts");
    List<Elements> found =
        List.of(
            elements(ElementType.FLOAT, random, capacity, 1000),
            elements(ElementType.INT, random, capacity, 1000));
    check(
        found,
        Map.of(),
        plan ->
            plan.add("y", Sort.descending(), "f")
                .add("z", Sort.ascending(), "f_1")
                .add("order", Order.ascending(), "f_1")
                .add("rows", Sort.descending().rows(), "f_1", "f", "f_1")
                .add("keys", Sort.ascending().rows(2), "f", "f_1", "f_1")
                .add("segments", SegmentedSort.ascending().segments(Segments.byKeys()), "f", "f_1")
                .add("taken", Gather.at(), "z", "order")
                .add("below", SortedSearch.lowerBound(), "z", "f_1")
                .add("found", SortedSearch.binarySearch().descending(), "y", "f")
                .add("sorted", IsSorted.descending(), "y")
                .add("notSorted", IsSorted.ascending(), "f")
                .add("most", Reduction.max(), "y"),
        capacity,
        0,
        1,
        2049,
        4096);
  }

  @Test
  void ranks() {
    int capacity = scale() * 4500;
    SplittableRandom random = random("ranks");
    List<Elements> found =
        List.of(
            elements(ElementType.FLOAT, random, capacity, 1000),
            elements(ElementType.INT, random, capacity, 1000),
            elements(ElementType.LONG, random, capacity, 1 << 30));
    check(
        found,
        Map.of(),
        plan ->
            plan.add("largest", TopK.largest(2100).withPositions(), "f")
                .add("least", TopK.smallest(33), "f_1")
                .add("at", TopK.largest(70).positions(), "f_2")
                .add("taken", Gather.at(), "f_1", "at")
                .add(
                    "ofSegments",
                    SegmentedTopK.of(TopK.largest(2)).segments(Segments.byKeys()),
                    "f",
                    "f_1")
                .add("median", Quantiles.median(), "f")
                .add("middle", Quantiles.median().interpolated(), "f_1")
                .add("many", Quantiles.of(1, .5, .01, 0).interpolated(), "f")
                .add("ofTaken", Quantiles.of(.1, .9), "taken")
                .add("most", Reduction.max(), "least"),
        capacity,
        0,
        1,
        50,
        4096);
  }

  @Test
  void joins() {
    int capacity = scale() * 2100;
    int keys = scale() * 1000;
    SplittableRandom random = random("joins");
    Elements known = elements(ElementType.LONG, random, 3000, keys);
    check(
        List.of(elements(ElementType.LONG, random, capacity, keys)),
        Map.of("known", known),
        plan ->
            plan.add("pairs", Join.inner(4 * capacity), "f", "known")
                .add("turned", Join.inner(4 * capacity), "known", "f")
                .add("itself", Join.inner(4 * capacity), "f", "f")
                .add("up", Sort.ascending(), "f")
                .add("in", Join.semi(), "known", "f")
                .add("out", Join.anti().sortedRight(), "known", "up")
                .add("most", Reduction.max(), "turned_right")
                .add("rows", GroupBy.of(Aggregate.count()), "pairs_left"),
        capacity,
        0,
        1,
        33,
        2048);
  }

  @Test
  void merges() {
    int capacity = scale() * 4500;
    SplittableRandom random = random("merges");
    MergeSort lastDigit =
        MergeSort.by(Comparison.ofInt("last digit", (a, b) -> Integer.compare(a % 10, b % 10)));
    MergeSort byRow =
        MergeSort.by(Comparison.ofInt("rows", (a, b, c, d) -> Integer.compare(a - b, c - d)));
    Elements known = elements(ElementType.INT, random, 3000, 1000);
    check(
        List.of(
            elements(ElementType.FLOAT, random, capacity, 1000),
            elements(ElementType.INT, random, capacity, 1000)),
        Map.of("known", known),
        plan ->
            plan.add("digits", lastDigit, "f_1")
                .add("order", lastDigit.positions(), "f_1")
                .add("rows", lastDigit.rows(), "f_1", "f")
                .add("up", Sort.ascending(), "f")
                .add("twice", Merge.ascending(), "up", "up")
                .add("z", Sort.ascending(), "f_1")
                .add("w", Sort.ascending(), "known")
                .add("one", Merge.ascending(), "z", "w")
                .add("tables", Merge.ascending().rows(), "z", "z", "f_1", "digits")
                .add("both", SetOperation.union().rows(), "z", "w", "f_1", "known")
                .add("gone", SetOperation.difference().rows(), "z", "w", "f")
                .add("byRow", byRow.rows(), "f_1", "digits", "f")
                .add("other", Merge.ascending(), "w", "one")
                .add("distinct", Unique.adjacent(), "other")
                .add("common", SetOperation.intersection(), "other", "z")
                .add("left", SetOperation.difference(), "z", "w")
                .add("most", Reduction.max(), "twice"),
        capacity,
        0,
        1,
        2049,
        4096);
  }
}
