package funnel.bench;

import funnel.operation.Operation;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.scan.Segments;
import funnel.sort.Merge;
import funnel.sort.MergeSort;
import funnel.sort.Order;
import funnel.sort.SegmentedSort;
import funnel.sort.Sort;
import java.util.stream.IntStream;

/** Tasks on keys. */
enum SortTask {
  /** The sorted keys. */
  SORT,
  /** The positions of the sorted keys. */
  ORDER,
  /** The sorted keys, by a comparator. */
  MERGE_SORT,
  /** The merge of two halves, each sorted before. */
  MERGE,
  /** Segments of this length. */
  SEGMENTS_16,
  SEGMENTS_1000,
  SEGMENTS_1000000,
  /** Half of the keys in segments of ten, the others in one. */
  SEGMENTS_UNEVEN;

  private static final int FEW = 10;

  Operation operation(ElementType keys) {
    return switch (this) {
      case SORT -> Sort.ascending();
      case ORDER -> Order.ascending();
      case MERGE_SORT -> MergeSort.by(comparison(keys));
      case MERGE -> Merge.ascending();
      default -> SegmentedSort.ascending().segments(Segments.byOffsets());
    };
  }

  /* There is no NaN. */
  private static Comparison comparison(ElementType keys) {
    return switch (keys) {
      case BYTE, INT -> Comparison.ofInt("ascending", Integer::compare);
      case LONG -> Comparison.ofLong("ascending", Long::compare);
      case FLOAT -> Comparison.ofFloat("ascending", (a, b) -> a < b ? -1 : a > b ? 1 : 0);
      case DOUBLE -> Comparison.ofDouble("ascending", (a, b) -> a < b ? -1 : a > b ? 1 : 0);
    };
  }

  boolean isOfSegments() {
    return compareTo(SEGMENTS_16) >= 0;
  }

  /** Where the separately sorted segments begin, and the length. */
  int[] offsets(int length) {
    int uneven = length / (2 * FEW) * FEW;
    return switch (this) {
      case SEGMENTS_16 -> offsets(16, length, length);
      case SEGMENTS_1000 -> offsets(1000, length, length);
      case SEGMENTS_1000000 -> offsets(1_000_000, length, length);
      case SEGMENTS_UNEVEN -> offsets(FEW, uneven + 1, length);
      default -> new int[] {0, length};
    };
  }

  private static int[] offsets(int segment, int end, int length) {
    int count = Math.ceilDiv(end, segment);
    return IntStream.rangeClosed(0, count).map(k -> k < count ? k * segment : length).toArray();
  }

  /** The type of the result. */
  ElementType type(ElementType keys) {
    return this == ORDER ? ElementType.INT : keys;
  }

  @Override
  public String toString() {
    return Named.of(this);
  }
}
